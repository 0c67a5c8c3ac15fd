"""Searches for counterexamples: by default among a third as many examples as with the slow tests."""

from __future__ import annotations

import functools

import pytest
from hypothesis import given, settings


def search(number, *strategies):
    """Run a test as `hypothesis.given` does, on so many examples in the slow tests."""

    def with_examples(test):
        @pytest.mark.parametrize("examples", [number // 6, pytest.param(number // 2, marks=pytest.mark.slow)])
        @functools.wraps(test)
        def run(examples):
            settings(max_examples=examples)(given(*strategies)(test))()

        del run.__wrapped__
        return run

    return with_examples
