"""Designs that no direct program reaches, one by one: seconds, proof and memory of a fresh process."""

from __future__ import annotations

from typing import Any

from benchmarks.cost.worker import run
from benchmarks.table import Table, figure

__all__ = ["table"]


def _count(largest: int, epsilon: str, variant: int = 1) -> dict[str, Any]:
    return {"query": "count", "range": f"0:{largest}", "epsilon": epsilon, "variant": variant}


def _mean(records: int, epsilon: str, variant: int = 1) -> dict[str, Any]:
    return {"query": "mean", "records": records, "range": "0:4", "epsilon": epsilon, "variant": variant}


# question, its choices, seconds wanted, relative gap wanted
CASES: tuple[tuple[str, dict[str, Any], float, float], ...] = (
    ("mean of 100 records 0..4, epsilon 1", _mean(100, "1"), 10, 1e-6),
    ("mean of 100 records 0..4, epsilon 0.2", _mean(100, "0.2"), 60, 1e-6),
    ("count 0..1000, epsilon 0.5", _count(1000, "0.5"), 10, 1e-9),
    ("Variant 2, count 0..150, epsilon 0.2", _count(150, "0.2", 2), 60, 1e-6),
    ("Variant 2, mean of 40 records 0..4, epsilon 0.2", _mean(40, "0.2", 2), 60, 1e-6),
    ("mean of 250 records 0..4, epsilon 1", _mean(250, "1"), 300, 1e-6),
    ("count 0..5000, epsilon 0.5", _count(5000, "0.5"), 300, 1e-9),
)
# A case is stopped when it takes this many times what is wanted.
_PATIENCE = 3


def table() -> Table:
    """Return one row a case."""
    return Table(
        title="Large questions, certified",
        header=("question", "engine", "seconds", "proved gap", "objective", "peak, MiB", "wanted"),
        rows=tuple(
            (name, *_found(choices, seconds), f"< {seconds:g} s, gap <= {gap:g}")
            for name, choices, seconds, gap in CASES
        ),
        notes=(
            "Once each, in a fresh process; seconds are all of `design`, repair and both proofs included.",
        ),
    )


def _found(choices: dict[str, Any], seconds: float) -> tuple[str, ...]:
    limit = _PATIENCE * seconds
    answer = run({"work": "design", "choices": choices, "engine": "auto"}, limit)
    if "seconds" not in answer:
        return (
            "",
            f"> {limit:g}" if "stopped" in answer else str(answer.get("error", answer.get("said"))),
            "",
            "",
            "",
        )
    gap = "none" if answer["gap"] is None else f"{answer['gap']:.1e}"
    return (
        answer["engine"],
        figure(answer["seconds"], 3),
        gap,
        figure(answer["objective"]),
        f"{answer['megabytes']:.0f}",
    )
