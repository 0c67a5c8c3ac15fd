"""Tests of signals, sleeps and clocks: all slow, and run by CI alone, in one process."""

from __future__ import annotations

from pathlib import Path

from tests.release.tables.conftest import colours, fits, five, halves, large

__all__ = ["colours", "fits", "five", "halves", "large"]

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items):
    """Leave all of this folder to the slow tests: the default suite looks at no clock."""
    for item in items:
        if HERE in item.path.parents and not item.get_closest_marker("long"):
            item.add_marker("slow")
