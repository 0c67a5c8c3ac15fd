"""Thousands of cases of a millisecond each: as tests of their own their bookkeeping would cost more."""

from __future__ import annotations

import functools
import inspect


def each(name, cases):
    """Run a test for every case, as `pytest.mark.parametrize` does, but as one, up to its first failure."""

    def all_in_one(test):
        signature = inspect.signature(test)
        others = [known for known in signature.parameters.values() if known.name != name]

        @functools.wraps(test)
        def run(**given):
            for case in cases:
                try:
                    test(**given, **{name: case})
                except BaseException as trouble:
                    trouble.add_note(f"{name} = {case!r}")
                    raise

        del run.__wrapped__
        run.__signature__ = signature.replace(parameters=others)
        return run

    return all_in_one
