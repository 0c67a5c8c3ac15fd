"""Designs along a trade-off."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.analysis.frontiers.curve import Frontier
from optmech.analysis.inversion.evidence import Settings, evidence
from optmech.analysis.inversion.parameter import OVER
from optmech.base.arguments import an_instance, function, items, need_text, optional, takes, whole_number
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import as_text, exact
from optmech.question.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from optmech.analysis.inversion.evidence import Evidence
    from optmech.base.numbers import Number

_MOST_POINTS = 10_000
# A value is moved by at most this share of the distance to the next one, to a shorter decimal.
_NEAR_ENOUGH = Fraction(1, 50)


@takes(problem=an_instance(Problem), over=need_text, solver=need_text, on_point=optional(function))
def frontier(
    problem: Problem,
    over: str = "epsilon",
    *,
    at: Iterable[Number] | None = None,
    low: Number | None = None,
    high: Number | None = None,
    points: int = 20,
    solver: str = "auto",
    time_limit: float | None = None,
    threads: int | None = None,
    on_point: Callable[[Evidence], None] | None = None,
) -> Frontier:
    """Trace a trade-off: certified mechanisms, and a curve that no mechanism can cross.

    Parameters
    ----------
    problem : Problem
        The question, at any value of what varies.
    over : {"epsilon", "delta", "bound"}
        What varies: epsilon, a delta that is given, or the one bound on a further loss.
    at : iterable of str, int, float or Fraction, optional
        The values.
    low, high : str, int, float or Fraction, optional
        In place of `at`: the ends. Values between them are evenly spaced, moved to short decimals.
    points : int, default 20
        How many values, both ends counted.
    solver, threads
        As of `design`.
    time_limit : float, optional
        Seconds for each design.
    on_point : callable, optional
        Called with each point as soon as it is proved, such as to show how far it is.

    Returns
    -------
    Frontier
        With `points`, and with `lower` and `upper`, which hold between the points too.

    Raises
    ------
    ProblemError
        If an argument breaks its rule.
    NotAcceptedError
        If the problem has no such delta, or not exactly one bound.

    Examples
    --------
    >>> from optmech.question.problems.question import question
    >>> from optmech.question.queries import count
    >>> curve = frontier(question(count(10), 1), low="0.5", high="1.5", points=3)
    >>> [str(point.value) for point in curve.points]
    ['1/2', '1', '3/2']
    >>> all(point.bound <= point.objective for point in curve.points)
    True
    """
    if over not in OVER:
        raise broken_rule("over", f"be one of {', '.join(OVER)}", repr(over))
    if at is None:
        values = values_between(low, high, points)
    elif low is not None or high is not None:
        raise broken_rule("at", "be given alone, or `low` and `high` in its place", "both")
    else:
        values = sorted({exact(value, "at") for value in _values(at)})
    if not values:
        raise broken_rule("at", "hold at least one value", "none")
    problems = [OVER[over](problem, value) for value in values]
    start = time.perf_counter()
    evidences = []
    for value, problem_at in zip(values, problems, strict=True):
        evidences.append(evidence(problem_at, value, None, Settings.validated(solver, time_limit, threads)))
        if on_point is not None:
            on_point(evidences[-1])
    return Frontier(problem=problem, over=over, points=tuple(evidences), seconds=time.perf_counter() - start)


def values_between(low: Number | None, high: Number | None, points: int) -> list[Fraction]:
    """Return so many values from `low` to `high`, as even as short decimals allow."""
    if low is None or high is None:
        message = "`low` and `high` must be given, or `at` in their place: which values to design for."
        raise ProblemError(message)
    first, last = exact(low, "low"), exact(high, "high")
    if first >= last:
        raise broken_rule("low", "be below `high`", f"{as_text(first)} and {as_text(last)}")
    if not 2 <= whole_number(points, "points") <= _MOST_POINTS:  # noqa: PLR2004 - two ends
        raise broken_rule("points", f"be a whole number from 2 to {_MOST_POINTS}", repr(points))
    apart = (last - first) / (points - 1)
    inner = [_shortest(first + step * apart, apart * _NEAR_ENOUGH) for step in range(1, points - 1)]
    return [first, *inner, last]


def _shortest(value: Fraction, within: Fraction) -> Fraction:
    """Return the decimal of fewest digits that is not farther off."""
    scale = 1
    while abs(value - (near := Fraction(round(value * scale), scale))) > within:
        scale *= 10
    return near


def _values(argument: Iterable[Number]) -> list[Number]:
    return [argument] if isinstance(argument, str) else items(argument, "at", "a list of values")
