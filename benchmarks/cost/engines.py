"""Rays against the program that HiGHS solves as a whole: seconds, optima, proofs, and growth with size."""

from __future__ import annotations

import statistics
from typing import Any

from benchmarks.cost.measure import fitted, ratio
from benchmarks.cost.worker import run
from benchmarks.table import Table, figure

__all__ = ["tables"]

RECORDS, SMALL = (10, 20, 40), (5,)
EPSILONS = ("0.2", "1")
WAYS = (("rays", "auto"), ("program", "simplex"), ("program", "ipm"))
RAYS = WAYS[0]
RUNS = 3
# A case that takes longer than this once is not measured again.
_LONG = 10.0
LARGEST, VALUES = 40, 4
WANTED = {("0.2", LARGEST): 20, ("1", LARGEST): 100}

Answers = dict[tuple[str, str], list[dict[str, Any]]]


def tables(limit: float, *, smoke: bool) -> list[Table]:
    """Return the comparison and the growth.

    Parameters
    ----------
    limit : float
        Seconds for each solve by the program.
    smoke : bool
        Whether the smallest size is enough.
    """
    result = {
        (epsilon, records): _measured(epsilon, records, limit, 1 if smoke else RUNS)
        for epsilon in (EPSILONS[:1] if smoke else EPSILONS)
        for records in (SMALL if smoke else RECORDS)
    }
    tables_of_times = [_comparison(result, limit)]
    return tables_of_times if smoke else [*tables_of_times, _growth(result)]


def _measured(epsilon: str, records: int, limit: float, runs: int) -> Answers:
    choices = {"query": "mean", "records": records, "range": f"0:{VALUES}", "epsilon": epsilon}
    answers: Answers = {way: [] for way in WAYS}
    for _ in range(runs):
        for way in WAYS:
            earlier = answers[way]
            if earlier and ("seconds" not in earlier[0] or earlier[0]["seconds"] > _LONG):
                continue
            job = {"work": "design", "choices": choices, "engine": way[0], "method": way[1]}
            earlier.append(run({**job, "limit": None if way == RAYS else limit}, limit))
    return answers


def _comparison(result: dict[tuple[str, int], Answers], limit: float) -> Table:
    header = ["mean of", "epsilon", "truths"]
    for kind in ("solve", "solve + proof"):
        header += [f"{kind}: {' '.join(way)}, s" for way in WAYS] + ["best direct / rays"]
    header += ["wanted", "optima differ by", *(f"gap: {' '.join(way)}" for way in WAYS)]
    rows = [
        (
            f"{records} records",
            epsilon,
            str(VALUES * records + 1),
            *_times(answers, "solve", limit),
            *_times(answers, "seconds", limit),
            f">= {expected}" if (expected := WANTED.get((epsilon, records))) else "",
            _difference(answers),
            *(_said(answers[way], "gap") for way in WAYS),
        )
        for (epsilon, records), answers in result.items()
    ]
    notes = (
        "`solve`: HiGHS' own time for the program; of rays the whole search with all its masters.",
        "`solve + proof`: all of `design`, with assembling, repair and both proofs.",
        f"Medians of {RUNS} turns, each in a process of its own; what took over {_LONG:g} s ran once.",
        f"`> {limit:g}` was stopped, and its ratio is a lower bound. One process at a time.",
    )
    return Table(title="Rays and the direct program", header=tuple(header), rows=tuple(rows), notes=notes)


def median(answers: list[dict[str, Any]], name: str) -> float | None:
    """Return the median of a figure, ``None`` where it was not reached."""
    values = [answer[name] for answer in answers if answer.get(name) is not None]
    return statistics.median(values) if values else None


def _times(answers: Answers, name: str, limit: float) -> list[str]:
    rays = median(answers[RAYS], name)
    direct = [median(answers[way], name) for way in WAYS if way != RAYS]
    cells = [f"> {limit:g}" if time is None else figure(time, 3) for time in (rays, *direct)]
    finished = [time for time in direct if time is not None]
    best = min(finished, default=limit)
    return [*cells, "none" if rays is None else ratio(best, rays, at_least=not finished)]


def _difference(answers: Answers) -> str:
    """Return the largest relative difference of the optima that were found."""
    optima = [value for way in WAYS if (value := median(answers[way], "objective")) is not None]
    return f"{(max(optima) - min(optima)) / max(optima):.1e}" if len(optima) > 1 else "one answer"


def _said(answers: list[dict[str, Any]], name: str) -> str:
    value = median(answers, name)
    return f"{value:.1e}" if value is not None else str(answers[0].get("error", "stopped"))


def _growth(result: dict[tuple[str, int], Answers]) -> Table:
    rows = []
    for epsilon in EPSILONS:
        for way in WAYS:
            points = [
                (VALUES * records + 1, time)
                for (at, records), answers in result.items()
                if at == epsilon and (time := median(answers[way], "seconds")) is not None
            ]
            fit = str(fitted(*zip(*points, strict=True))) if len(points) > 1 else "too few sizes"
            rows.append((epsilon, " ".join(way), fit))
    return Table(
        title="Growth of solve + proof with the number of truths",
        header=("epsilon", "way", "exponent"),
        rows=tuple(rows),
        notes=("Least squares of log seconds on log truths, with the standard error of the slope.",),
    )
