"""Building one program: `optmech.models.assemble` beside general modelling libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.cost.machine import PeerMissingError
from benchmarks.cost.measure import interleaved, ratio
from benchmarks.cost.models import BUILDERS, in_linopy
from benchmarks.table import Table, figure

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["table"]

SIZE, SMALL, EPSILON = 300, 20, "0.5"
RUNS = 5
WANTED = {"pulp": ">= 20", "cvxpy": ">= 1", "linopy": ">= 1"}


def table(*, smoke: bool) -> Table:
    """Return seconds and ratios of each library on Variant 1 of a count."""
    size, runs = (SMALL, 1) if smoke else (SIZE, RUNS)
    works: dict[str, Callable[[], object]] = {}
    missing: dict[str, str] = {}
    for name, library in BUILDERS.items():
        try:
            library.build(2, EPSILON)  # what is loaded once is loaded now
        except PeerMissingError as trouble:
            missing[name] = str(trouble)
            continue
        works[name] = lambda library=library: library.build(size, EPSILON)  # type: ignore[misc]
    if "linopy" in works:
        works["linopy, model only"] = lambda: in_linopy.model(size, EPSILON)
    seconds = interleaved(works, runs)
    rows = [
        (
            name,
            BUILDERS[name].HOW if name in BUILDERS else "vectorised, its matrix not made",
            figure(result, 3),
            ratio(result, seconds["optmech"]),
            WANTED.get(name, ""),
        )
        for name, result in seconds.items()
    ]
    rows += [(name, text, "", "", "") for name, text in missing.items()]
    return Table(
        title=f"Building Variant 1 of a count 0..{size}",
        header=("library", "how", "seconds", "as long as optmech, times", "wanted"),
        rows=tuple(rows),
        notes=(
            f"Medians of {runs} turns in one process, garbage collected before each.",
            "optmech, cvxpy and linopy end with a sparse matrix and its vectors, PuLP with objects;",
            "handing it to a solver (`to_highspy` of linopy) is left out for all.",
        ),
    )
