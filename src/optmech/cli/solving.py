"""The options of engines and solvers, and the designer that they ask for."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from optmech.cli.parsers import Arguments, group, option
from optmech.designs.design import Design, design
from optmech.designs.order import ENGINES
from optmech.models.solvers.options import Method

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.cli.options import Group

_SOLVER = option("--solver", "NAME", "auto, highs or cbc; default: auto", default="auto")
_THREADS = option("--threads", "N", "threads for the solver", type=int)
SOLVER = group(
    "engine and solver",
    option(
        "--engine",
        "NAME",
        f"how it is designed: auto, {', '.join(ENGINES[:-1])} or {ENGINES[-1]}; default: auto",
        choices=("auto", *ENGINES),
        default="auto",
    ),
    _SOLVER,
    option("--method", None, "algorithm for LPs", choices=tuple(Method), default=Method.AUTO.value),
    option(
        "--time-limit",
        "SECONDS",
        "for everything, proof too; after it the best so far is taken",
        type=float,
    ),
    _THREADS,
)
"""The options of engines and solvers, which `designer_of` reads."""


def solving(sentence: str) -> Group:
    """Return the options of those who make many designs; `sentence` says what the limit is for."""
    return group("solver", _SOLVER, option("--time-limit", "SECONDS", sentence, type=float), _THREADS)


def designer_of(arguments: Arguments) -> Callable[..., Design]:
    """Return `design` with the settings that `SOLVER` asked for."""
    names = ("engine", "solver", "method", "time_limit", "threads")
    return partial(design, **{name: getattr(arguments, name) for name in names})
