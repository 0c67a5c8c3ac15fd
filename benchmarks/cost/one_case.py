"""Processor seconds of one case, run by path under whichever optmech Python finds there.

It asks only what every version of the package is asked alike. ``python -P one_case.py CASE`` prints seconds.
"""

from __future__ import annotations

import gc
import statistics
import sys
import time
from typing import TYPE_CHECKING

import optmech as om

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["CASES", "RUNS"]

RUNS = 5
QUESTIONS: dict[str, Callable[[], om.Problem]] = {
    "sadeghi, counts 1..10": lambda: om.sadeghi(1, "0.5", 4, counts=(1, 10)),
    "sadeghi, counts 1..50": lambda: om.sadeghi(1, "0.5", 4, counts=(1, 50)),
    "symmetric noise, half-width 6": lambda: om.sadeghi_symmetric("2.18", "0.8", 6),
    "symmetric noise, half-width 12": lambda: om.sadeghi_symmetric("1", "0.5", 12),
    "symmetric noise, half-width 25": lambda: om.sadeghi_symmetric("0.5", "0.3", 25),
    "Variant 1, count 0..10": lambda: om.croft(om.count(10), "0.5"),
    "Variant 1, count 0..40": lambda: om.croft(om.count(40), "0.5"),
    "Variant 1, count 0..300": lambda: om.croft(om.count(300), "0.5"),
    "Variant 2, count 0..10": lambda: om.croft(om.count(10), "0.5", variant=2),
    "Variant 2, count 0..40": lambda: om.croft(om.count(40), "0.5", variant=2),
    "Variant 1, mean of 10 records 0..4, epsilon 1": lambda: om.croft(om.mean(10, 4), 1),
    "Variant 1, mean of 40 records 0..4, epsilon 1": lambda: om.croft(om.mean(40, 4), 1),
    "Variant 1, mean of 10 records 0..4, epsilon 0.2": lambda: om.croft(om.mean(10, 4), "0.2"),
    "Variant 2, mean of 10 records 0..4, epsilon 0.5": lambda: om.croft(om.mean(10, 4), "0.5", variant=2),
    "Variant 1, maximum 1..7": lambda: om.croft(om.extremum(1, 7), "0.5"),
    "kadam, modulo 8": lambda: om.kadam(om.residues(8, [1, 2]), 1, "0.05"),
    "kadam, modulo 16": lambda: om.kadam(om.residues(16, [1, 2]), 1, "0.05"),
}


def _designed(ask: Callable[[], om.Problem]) -> Callable[[], object]:
    return lambda: om.design(ask())


CASES: dict[str, Callable[[], object]] = {
    **{name: _designed(ask) for name, ask in QUESTIONS.items()},
    "the program alone, mean of 10 records 0..4": lambda: om.design(
        om.croft(om.mean(10, 4), "0.5"), engine="program"
    ),
    "assembling Variant 1, count 0..300": lambda: om.models.assemble(om.croft(om.count(300), "0.5")),
}


def seconds_of(name: str) -> float:
    """Return the median of processor seconds, after one run in which what is loaded once is loaded."""
    work, seconds = CASES[name], []
    work()
    for _ in range(RUNS):
        gc.collect()
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return statistics.median(seconds)


if __name__ == "__main__":
    print(seconds_of(sys.argv[1]))
