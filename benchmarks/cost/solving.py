"""Each formulation solved by each solver, certified: seconds, ratios and proved gaps."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import optmech as om
from benchmarks.cost.measure import interleaved, ratio
from benchmarks.table import Table, figure
from optmech.models.solvers import installed_solvers

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["table"]

RUNS = 5

SIZES: dict[str, tuple[tuple[int, ...], Callable[[int], om.Problem]]] = {
    "croft, Variant 1, count 0..": ((10, 20, 40), lambda size: om.croft(om.count(size), "0.5")),
    "croft, Variant 2, count 0..": ((10, 20, 40), lambda size: om.croft(om.count(size), "0.5", variant=2)),
    "croft, Variant 1, mean of ": ((2, 5, 10), lambda size: om.croft(om.mean(size, 4), "0.5")),
    "sadeghi, counts 1..": ((10, 20, 50), lambda size: om.sadeghi(1, "0.5", 4, counts=(1, size))),
    "kadam, modulo ": ((8, 12, 16), lambda size: om.kadam(om.residues(size, [1, 2]), 1, "0.05")),
}


def _keep(designs: dict[str, om.Design], problem: om.Problem, solver: str) -> None:
    designs[solver] = om.design(problem, solver=solver)  # type: ignore[call-overload] # one of the installed


def table(*, smoke: bool) -> Table:
    """Return one row a model."""
    solvers = [solver.name for solver in installed_solvers()]
    rows = []
    for case, (sizes, ask) in SIZES.items():
        for size in sizes[:1] if smoke else sizes:
            problem = ask(size)
            model = om.models.assemble(problem).model
            designs: dict[str, om.Design] = {}
            works: dict[str, Callable[[], object]] = {"build": partial(om.models.assemble, problem)}
            works |= {name: partial(_keep, designs, problem, name) for name in solvers}
            seconds = interleaved(works, 1 if smoke else RUNS)
            gaps = [float(result.objective - result.lower_bound) for result in designs.values()]
            rows.append(
                (
                    f"{case}{size}",
                    str(model.num_columns),
                    str(model.num_rows),
                    figure(seconds["build"], 3),
                    *(figure(seconds[name], 3) for name in solvers),
                    *(ratio(seconds[name], seconds[solvers[0]]) for name in solvers[1:]),
                    f"{max(gaps):.1e}",
                )
            )
    return Table(
        title="Programs by solver, certified",
        header=(
            "model",
            "columns",
            "rows",
            "build, s",
            *(f"{name}, s" for name in solvers),
            *(f"{name} / {solvers[0]}" for name in solvers[1:]),
            "largest gap",
        ),
        rows=tuple(rows),
        notes=(f"Medians of {RUNS} turns in one process.",),
    )
