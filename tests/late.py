"""Packages that only `.[test-all]` brings: a test that asks one for something is skipped without it."""

from __future__ import annotations

import pytest


class Late:
    """A module that is imported when something of it is asked for."""

    def __init__(self, name):
        self._name = name

    def __getattr__(self, part):
        if part.startswith("_"):  # what collects tests looks for marks
            raise AttributeError(part)
        return getattr(pytest.importorskip(self._name), part)


dask = Late("dask.dataframe")
pl = Late("polars")
