"""Tests of signals, sleeps and clocks: all slow, and run by CI alone."""

from __future__ import annotations

from tests.release.tables.conftest import colours, fits, five, halves, large

__all__ = ["colours", "fits", "five", "halves", "large"]
