"""What the papers' items compute, each once for all tests of a process."""

from __future__ import annotations

from functools import cache

from benchmarks.papers.registry import ITEMS

_BY_NAME = {item.name: item for item in ITEMS}


@cache
def computed(name):
    return _BY_NAME[name].compute()
