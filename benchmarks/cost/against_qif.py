"""Our certified designs beside what qif returns for the same question."""

from __future__ import annotations

import math
from typing import Any

from benchmarks.cost.engines import median
from benchmarks.cost.measure import ratio
from benchmarks.cost.worker import run
from benchmarks.table import Table, figure

__all__ = ["table"]

RUNS = 3
_LONG = 10.0
# Above it a privacy loss is more than the rounding of doubles.
_ROUNDING = 1e-9
_COUNTS, _MEANS = (5, 10, 20, 50, 100), (5, 10, 20)


def _cases() -> list[tuple[str, dict[str, Any]]]:
    shared = {"epsilon": "0.5", "prior": "uniform"}
    counts = [(f"count 0..{n}", {"query": "count", "range": f"0:{n}", **shared}) for n in _COUNTS]
    means = [
        (f"mean of {n} records 0..4", {"query": "mean", "records": n, "range": "0:4", **shared})
        for n in _MEANS
    ]
    return counts + means


def table(limit: float, *, smoke: bool) -> Table:
    """Return one row a question: seconds, optima, and the privacy that each answer really has."""
    cases, runs = _cases(), 1 if smoke else RUNS
    rows = [_row(name, choices, limit, runs) for name, choices in (cases[:1] if smoke else cases)]
    return Table(
        title="Beside qif, epsilon 0.5",
        header=(
            "question",
            "optmech, s",
            "qif, s",
            "qif / optmech",
            "optimum, proved",
            "qif's less the optimum",
            "qif's true epsilon",
            "private",
        ),
        rows=tuple(rows),
        notes=(
            "qif: `mechanism.d_privacy.min_loss_given_d`, its default solver, rows of neighbours alone.",
            "Its seconds end with the solver's matrix; ours include repair and both proofs.",
            f"Medians of {runs} turns, each in a process of its own; over {_LONG:g} s once.",
        ),
    )


def _row(name: str, choices: dict[str, Any], limit: float, runs: int) -> tuple[str, ...]:
    ours: list[dict[str, Any]] = []
    theirs: list[dict[str, Any]] = []
    for _ in range(runs):
        ours.append(run({"work": "design", "choices": choices, "engine": "auto"}, limit))
        if not theirs or theirs[0].get("seconds", _LONG) < _LONG:
            theirs.append(run({"work": "qif", "choices": choices}, limit))
    answer = theirs[0]
    seconds, optimum = median(ours, "seconds"), median(ours, "objective")
    if seconds is None or optimum is None:
        return (name, str(ours[0]), *[""] * 6)
    results = [name, figure(seconds, 3)]
    if "objective" not in answer:
        trouble = str(answer.get("error", f"> {limit:g}"))
        return (*results, trouble, "", figure(optimum, 9), "", "", "")
    time = median(theirs, "seconds") or math.nan
    private = answer["epsilon"] <= float(choices["epsilon"]) + _ROUNDING
    return (
        *results,
        figure(time, 3),
        ratio(time, seconds),
        figure(optimum, 9),
        f"{answer['objective'] - optimum:.1e}",
        figure(answer["epsilon"]),
        "yes" if private else f"no: {answer['pair']}",
    )
