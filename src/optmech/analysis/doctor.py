"""What works on this machine: versions, solvers, and a self-test that designs, proves, checks and draws."""

from __future__ import annotations

import importlib
import importlib.metadata
import platform
import re
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from optmech.base.version import __version__
from optmech.designs.design import design
from optmech.models.solvers import solver
from optmech.question.problems.croft import croft
from optmech.question.queries import count
from optmech.verify import verify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from optmech.models.solvers.interface import SolverName

SOLVERS: tuple[SolverName, ...] = ("highs", "cbc")
_MODULES = {"lazy-loader": "lazy_loader", "python-flint": "flint"}
_LONGEST = 300
# The optimum of Croft et al. 2020, Table 4.
_TABLE_4, _NEAR, _LIMIT = 6.82862009055, 1e-9, 5.0
# A machine that works fails this once in a thousand million runs; with five degrees of freedom.
_DRAWS, _CHI_SQUARE_LIMIT = 200_000, 50.69


class Finding(NamedTuple):
    """One look: its part, what was looked at, whether it works, what was seen, and the remedy."""

    part: str
    name: str
    works: bool
    text: str
    remedy: str = ""


def looks() -> Iterator[tuple[str, str, Callable[[], str], str]]:
    """Yield part, name and look of each thing that must work, and the remedy; a look raises what is wrong."""
    anew = "Install optmech anew."
    yield "versions", "Python", platform.python_version, anew
    yield "versions", "optmech", lambda: __version__, anew
    for line in importlib.metadata.requires("optmech") or ():
        if "extra ==" not in line:
            (name,) = re.findall(r"^[\w-]+", line)
            remedy = f'Install it anew: `pip install --force-reinstall "{line}"`.'
            yield "versions", name, partial(_version, name), remedy
    for each in SOLVERS:
        yield "solvers", each, partial(_solver, each), anew
    for each in SOLVERS:
        remedy = "Until it works name another one by --solver."
        yield "self-test", f"design by {each}", partial(_designed, each), remedy


def examine() -> Iterator[Finding]:
    """Yield findings, one by one; every error of a look is a finding too."""
    for part, name, look, remedy in looks():
        try:
            yield Finding(part, name, works=True, text=look())
        except Exception as error:  # noqa: BLE001 - a broken library may raise anything at all
            text = " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")[:_LONGEST]
            yield Finding(part, name, works=False, text=text, remedy=getattr(error, "remedy", "") or remedy)


def _version(package: str) -> str:
    importlib.import_module(_MODULES.get(package, package))
    return importlib.metadata.version(package)


def _solver(name: SolverName) -> str:
    own = solver(name)
    return f"{own.version()}; {', '.join(own.methods)}"


def _designed(name: SolverName) -> str:
    """Design by a solver, prove, check, compare with the paper, and draw."""
    result = design(croft(count(5), "0.5", variant=2), engine="program", solver=name, time_limit=_LIMIT)
    gap, truth = result.certificate.relative_gap, 2
    if gap is None or gap > _NEAR or not verify(result.mechanism, result.problem):
        message = "its optimum is not proved"
        raise ArithmeticError(message)
    if abs(result.objective / _TABLE_4 - 1) > _NEAR:
        message = f"its optimum is {result.objective:.12g}, where Table 4 has {_TABLE_4:.12g}"
        raise ArithmeticError(message)
    expected = _DRAWS * result.mechanism.matrix[:, truth]
    drawn = result.mechanism.sample(np.full(_DRAWS, truth)).astype(np.int64)
    seen = np.bincount(drawn, minlength=len(expected))
    statistic = float(((seen - expected) ** 2 / expected).sum())
    if statistic > _CHI_SQUARE_LIMIT:
        message = f"draws are not as certified, chi-square {statistic:.1f}: release nothing from this machine"
        raise ArithmeticError(message)
    return f"{result.solution.solver}: designed, proved, checked and drawn"
