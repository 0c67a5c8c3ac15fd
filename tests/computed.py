"""The results of the papers' items, each computed once for all tests of a process."""

from __future__ import annotations

import math
from functools import cache

from benchmarks.papers.item import Verdict
from benchmarks.papers.registry import ITEMS

LONG = {f"croft-fig-{number}" for number in (1, 2, 3, 4, 6, 8)}
"""Items of programs of more than a thousand columns, many times."""

_BY_NAME = {item.name: item for item in ITEMS}


@cache
def computed(name):
    return _BY_NAME[name].compute()


def need_verdicts(name):
    """Hold the lines of an item to the law: each has a number and a verdict, and a reason where it fails."""
    lines = computed(name).lines
    assert lines
    assert all(math.isfinite(line.computed) for line in lines)
    assert all((line.printed == "") == (line.verdict is Verdict.NOT_PRINTED) for line in lines)
    assert all(line.note for line in lines if line.verdict in (Verdict.MISPRINT, Verdict.NOT_REPRODUCIBLE))
    assert len({line.quantity for line in lines}) == len(lines)
