"""Many cases of one law in one test: the bookkeeping of a test each would take longer."""

from __future__ import annotations

import functools
import inspect
import itertools
import random

import pytest

CASE = type(pytest.param())


def each(names, cases, *, every=1, slow_every=1):
    """Run a test for each case, as `pytest.mark.parametrize` does, but in one test, up to its first failure.

    The failure names its case. A case that skips is passed over; where all do, the test skips. Fixtures are
    made once for all cases. One in `every` cases, drawn once and for all, runs by default; the others, and
    those marked slow, are a second test, a slow one. One in `slow_every` of these is slow and the others are
    long, a third test, with those marked long. Where one stands above another, they run the product.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    cases = [
        case if isinstance(case, CASE) else pytest.param(*((case,) if len(names) == 1 else case))
        for case in cases
    ]

    def in_one(test):
        law, names_below, cases_below, every_below = getattr(
            test, "each", (test, [], [pytest.param()], (1, 1))
        )
        return _test(
            test,
            law,
            [*names, *names_below],
            [
                pytest.param(*above.values, *below.values, marks=(*above.marks, *below.marks))
                for above, below in itertools.product(cases, cases_below)
            ],
            (every * every_below[0], slow_every * every_below[1]),
        )

    return in_one


def one_in(every, cases):
    """Return cases that must be tests of their own as parameters, all but one in `every` marked slow."""
    return [
        pytest.param(case, id=str(case), marks=[pytest.mark.slow] if place % every else [])
        for place, case in enumerate(cases)
    ]


def one_slow(cases):
    """Return cases that must be tests of their own as parameters: the first is slow, the others are long."""
    return [
        pytest.param(case, id=str(case), marks=pytest.mark.long if place else pytest.mark.slow)
        for place, case in enumerate(cases)
    ]


def _test(test, law, names, cases, every):
    """Return the test of all cases, in parts where some are slow."""
    drawn, _ = _drawn(range(len(cases)), every[0])
    quick = [at for at in drawn if not cases[at].marks]
    long = [at for at, case in enumerate(cases) if any(mark.name == "long" for mark in case.marks)]
    slow, rest = _drawn([at for at in range(len(cases)) if at not in {*quick, *long}], every[1])
    quick, slow, rest = ([cases[at] for at in part] for part in (quick, slow, sorted([*rest, *long])))
    share = f"share_of_{'_'.join(names)}"
    halved = getattr(test, "halved", None)  # the mark that halves what stands below gives way to one for both

    @functools.wraps(test)
    def run(**given):
        chosen = given.pop(share) if slow or rest else quick
        reasons = [reason for case in chosen if (reason := _skipped(law, given, names, case))]
        if chosen and len(reasons) == len(chosen):
            raise reasons[0]

    del run.__wrapped__
    run.each = (law, names, cases, every)
    run.pytestmark = [mark for mark in getattr(test, "pytestmark", []) if mark is not halved]
    parameters = [known for name, known in inspect.signature(law).parameters.items() if name not in names]
    if slow or rest:
        parameters.append(inspect.Parameter(share, inspect.Parameter.POSITIONAL_OR_KEYWORD))
        parts = [("quick", quick, ()), ("others", slow, pytest.mark.slow), ("rest", rest, pytest.mark.long)]
        parts = [pytest.param(part, id=name, marks=marks) for name, part, marks in parts if part]
        run = pytest.mark.parametrize(share, parts)(run)
        run.halved = run.pytestmark[-1]
    run.__signature__ = inspect.Signature(parameters)
    return run


def _drawn(numbers, every):
    """Return one in `every` of the numbers, drawn once and for all, and the others, both in order."""
    numbers = list(numbers)
    drawn = set(random.Random(len(numbers)).sample(numbers, -(-len(numbers) // every)))  # noqa: S311 - no secret
    return [at for at in numbers if at in drawn], [at for at in numbers if at not in drawn]


def _skipped(law, given, names, case):
    """Run one case; return the reason if it skips."""
    arguments = dict(zip(names, case.values, strict=True))
    try:
        law(**given, **arguments)
    except pytest.skip.Exception as reason:
        return reason
    except BaseException as error:
        error.add_note(", ".join(f"{name} = {value!r}" for name, value in arguments.items()))
        raise
    return None
