"""The packages that optmech stands on, those of its extras, and its solvers."""

from __future__ import annotations

import importlib
import importlib.metadata
import platform
import re
import sys
import warnings
from typing import TYPE_CHECKING

from optmech.base.errors import SolverMissingError
from optmech.base.version import __version__
from optmech.models.solvers import solver
from optmech.verify.doctor.finding import Finding, State

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["EXTRAS", "REQUIRED", "SOLVERS", "extra", "interpreter", "required", "solver_found"]

# Package -> the module it brings, and the oldest version that will do, as in pyproject.toml.
REQUIRED = {
    "highspy": ("highspy", "1.13"),
    "lazy_loader": ("lazy_loader", "0.6"),
    "numpy": ("numpy", "1.26"),
    "pulp": ("pulp", "2.9"),
    "pyarrow": ("pyarrow", "20"),
    "python-flint": ("flint", "0.7"),
    "rich": ("rich", "13"),
    "scipy": ("scipy", "1.12"),
    "shtab": ("shtab", "1.7"),
}
# Extra -> what it is for, and the packages it brings.
EXTRAS = {
    "accounting": ("the same curves by other hands", ("dp-accounting",)),
    "cluster": ("sweeps on many machines", ("dask", "distributed", "filelock", "joblib")),
    "figures": ("pictures", ("matplotlib",)),
    "hipo": ("HiGHS' newer interior-point method", ("highspy-extras",)),
    "notebooks": ("notebooks", ("ipykernel", "jupyterlab", "matplotlib")),
    "opendp": ("a mechanism as an OpenDP measurement", ("opendp",)),
    "studio": ("the studio in a browser", ("nicegui",)),
    "sweep": ("many questions at once", ("filelock", "joblib")),
}
SOLVERS = ("highs", "cbc")
# It brings libraries for another package to load.
_WITHOUT_A_MODULE = ("highspy-extras",)
_LONGEST = 120
_OLDEST_PYTHON = (3, 11)
# HiGHS in this release returns wrong answers for mixed-integer programs; the solver refuses it as well.
_WRONG = {("highspy", "1.14.0"): "gives wrong answers to mixed-integer programs"}


def interpreter() -> Iterator[Finding]:
    """Yield what Python and optmech are."""
    new_enough = sys.version_info[:2] >= _OLDEST_PYTHON
    yield Finding(
        part="versions",
        name="Python",
        state=State.GOOD if new_enough else State.BAD,
        told=f"{platform.python_version()}, {platform.platform()}",
        remedy="" if new_enough else "Run optmech with Python 3.11 or newer.",
    )
    yield Finding(part="versions", name="optmech", state=State.GOOD, told=__version__)


def required(package: str) -> Iterator[Finding]:
    """Yield whether a package that is always needed loads, and is neither too old nor known to be wrong."""
    module, oldest = REQUIRED[package]
    importlib.import_module(module)
    version = importlib.metadata.version(package)
    wrong, remedy = _WRONG.get((package, version)), f'Run `pip install --upgrade "{package}>={oldest}"`.'
    if wrong is not None:
        told = f"{version} {wrong}"
    elif _numbers(version) < _numbers(oldest):
        told = f"{version} is older than {oldest}"
    else:
        yield Finding(part="versions", name=package, state=State.GOOD, told=version)
        return
    yield Finding(part="versions", name=package, state=State.BAD, told=told, remedy=remedy)


def extra(name: str) -> Iterator[Finding]:
    """Yield whether the packages of an extra are installed, and load."""
    what, packages = EXTRAS[name]
    found, missing, broken = [], [], []
    for package in packages:
        try:
            found.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            missing.append(package)
            continue
        trouble = "" if package in _WITHOUT_A_MODULE else _loading(package.replace("-", "_"))
        if trouble:
            broken.append(f"{package} does not load: {trouble}")
    if broken:
        state, told = State.BAD, "; ".join(broken)
        remedy = f'Run `pip install --force-reinstall "optmech[{name}]"`.'
    elif missing:
        state, told = State.ABSENT, f"{what}: {', '.join(missing)} not installed"
        remedy = f'Run `pip install "optmech[{name}]"`.'
    else:
        state, told, remedy = State.GOOD, f"{what}: {', '.join(found)}", ""
    yield Finding(part="extras", name=name, state=state, told=told, remedy=remedy)


def _loading(module: str) -> str:
    """Return what goes wrong when a module is loaded, empty if nothing does."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what a package says of others is no concern here
            importlib.import_module(module)
    except Exception as trouble:  # noqa: BLE001 - a broken library may raise anything at all
        return " ".join(str(trouble).split())[:_LONGEST] or type(trouble).__name__
    return ""


def solver_found(name: str) -> Iterator[Finding]:
    """Yield whether a solver runs, and by which methods."""
    try:
        known = solver(name)
    except SolverMissingError as missing:
        told, remedy = str(missing).split("; found: ")[0], str(missing).split(". ", 1)[-1]
        yield Finding(part="solvers", name=name, state=State.BAD, told=told, remedy=remedy)
        return
    told = f"{known.version()}; {', '.join(known.methods)}"
    yield Finding(part="solvers", name=name, state=State.GOOD, told=told)


def _numbers(version: str) -> tuple[int, ...]:
    """Return the leading numbers of a version, to compare it.

    Examples
    --------
    >>> _numbers("1.15.0rc1") > _numbers("1.9")
    True
    """
    return tuple(map(int, re.findall(r"\d+", re.split(r"[a-zA-Z+]", version)[0])))
