"""The packages that optmech stands on, those of its extras, and its solvers."""

from __future__ import annotations

import importlib
import importlib.metadata
import platform
import re
import sys
import warnings
from typing import TYPE_CHECKING

from optmech.analysis.doctor.finding import Observation, State, judge
from optmech.base.errors import SolverMissingError
from optmech.base.version import __version__
from optmech.models.solvers import solver

if TYPE_CHECKING:
    from optmech.models.solvers.interface import SolverName

# Package -> the module it brings, and the versions that will do, the oldest first, as in pyproject.toml.
REQUIRED = {
    "highspy": ("highspy", ">=1.13,!=1.14.0,!=1.16.0"),
    "jinja2": ("jinja2", ">=3.1"),
    "lazy_loader": ("lazy_loader", ">=0.6"),
    "numpy": ("numpy", ">=1.26"),
    "pulp": ("pulp", ">=2.9,<4"),
    "pyarrow": ("pyarrow", ">=20"),
    "python-flint": ("flint", ">=0.7"),
    "rich": ("rich", ">=13"),
    "scipy": ("scipy", ">=1.12"),
    "shtab": ("shtab", ">=1.7"),
}
# Extra -> what it is for, and the packages it brings.
EXTRAS = {
    "accounting": ("composition with the mechanisms of Google", ("dp-accounting",)),
    "cluster": ("sweeps on many machines", ("dask", "distributed", "filelock", "joblib")),
    "figures": ("pictures", ("matplotlib",)),
    "hipo": ("HiGHS' newer interior-point method", ("highspy-extras",)),
    "notebooks": ("notebooks", ("ipykernel", "jupyterlab", "matplotlib")),
    "opendp": ("a mechanism as an OpenDP measurement", ("opendp",)),
    "studio": ("the studio in a browser", ("nicegui",)),
    "sweep": ("many questions at once", ("filelock", "joblib")),
    "tabulate": ("counts of records larger than memory", ("duckdb",)),
}
# Solver -> the package that brings it.
SOLVERS: dict[SolverName, str] = {"highs": "highspy", "cbc": "pulp"}
# It brings libraries for another package to load.
_WITHOUT_A_MODULE = ("highspy-extras",)
_LONGEST = 120
_OLDEST_PYTHON = (3, 11)
# HiGHS in this release returns wrong answers for mixed-integer programs; the solver refuses it as well.
_WRONG = {("highspy", "1.14.0"): "gives wrong answers to mixed-integer programs"}


def interpreter() -> Observation:
    """Return the finding on Python."""
    text = f"{platform.python_version()}, {platform.platform()}"
    new_enough = sys.version_info[:2] >= _OLDEST_PYTHON
    return judge(text, "Run optmech with Python 3.11 or newer.", good=new_enough)


def own_version() -> Observation:
    """Return the finding on optmech."""
    return Observation(State.GOOD, __version__)


def required_package(package: str) -> Observation:
    """Return whether a package that is always needed loads, and is neither too old nor known to be wrong."""
    module, versions = REQUIRED[package]
    importlib.import_module(module)
    version = importlib.metadata.version(package)
    remedy = f'Run `pip install --upgrade "{package}{versions}"`.'
    oldest = versions.partition(",")[0].removeprefix(">=")
    wrong = _WRONG.get((package, version))
    if wrong is not None:
        return Observation(State.BAD, f"{version} {wrong}", remedy)
    if _numbers(version) < _numbers(oldest):
        return Observation(State.BAD, f"{version} is older than {oldest}", remedy)
    return Observation(State.GOOD, version)


def reinstalling(package: str) -> str:
    """Return the remedy for a package that does not load: the versions that will do, anew.

    >>> reinstalling("pulp")
    'Install it anew: `pip install --force-reinstall "pulp>=2.9,<4"`.'
    """
    return f'Install it anew: `pip install --force-reinstall "{package}{REQUIRED[package][1]}"`.'


def extra(name: str) -> Observation:
    """Return whether the packages of an extra are installed, and load."""
    what, packages = EXTRAS[name]
    versions, missing, failures = [], [], []
    for package in packages:
        try:
            versions.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            missing.append(package)
            continue
        reason = "" if package in _WITHOUT_A_MODULE else _loading(package.replace("-", "_"))
        if reason:
            failures.append(f"{package} does not load: {reason}")
    if failures:
        remedy = f'Run `pip install --force-reinstall "optmech[{name}]"`.'
        return Observation(State.BAD, "; ".join(failures), remedy)
    if missing:
        text = f"{what}: {', '.join(missing)} not installed"
        return Observation(State.ABSENT, text, f'Run `pip install "optmech[{name}]"`.')
    return Observation(State.GOOD, f"{what}: {', '.join(versions)}")


def _loading(module: str) -> str:
    """Return the error on loading a module, empty if there is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings of a package about others are ignored here
            importlib.import_module(module)
    except Exception as error:  # noqa: BLE001 - a broken library may raise anything at all
        return " ".join(str(error).split())[:_LONGEST] or type(error).__name__
    return ""


def solver_observation(name: str) -> Observation:
    """Return whether a solver runs, and by which methods."""
    try:
        own = solver(name)
    except SolverMissingError as missing:
        return Observation(State.BAD, f"solver {name!r} is not available", missing.remedy)
    return Observation(State.GOOD, f"{own.version()}; {', '.join(own.methods)}")


def _numbers(version: str) -> tuple[int, ...]:
    """Return the leading numbers of a version, to compare it: 1.15.0 of 1.15.0rc1."""
    return tuple(map(int, re.findall(r"\d+", re.split(r"[a-zA-Z+]", version)[0])))
