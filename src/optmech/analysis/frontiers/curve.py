"""Proved points of a trade-off, and what follows between them.

Let f(v) be the least objective at value v of epsilon, delta or a bound on a further loss. At each point there
are a certified objective O >= f and a proved bound B <= f.

Falling. A mechanism allowed at v is allowed at every larger value: f falls. So f(x) >= B at the next point on
the right, and f(x) <= O at the next point on the left: two stairs, with the curve between them.

Convex, over delta and over a bound. Mix the mechanisms of two values u, v with weights 1 - t, t: privacy (not
of the probabilistic kind), properties and limits are kept by mixing, delta and losses mix too, so that
f((1-t) u + t v) <= (1-t) f(u) + t f(v). So f lies below each chord, and beyond its ends above its extension:

    f(x) <= (1-t) O_u + t O_v           x = (1-t) u + t v, 0 <= t <= 1
    f(x) >= (1+t) B_v - t O_u           x = v + t (v - u), t >= 0,   for u < v and for u > v.

Over epsilon f is not convex, on any scale: one of two answers with prior 9/10, 1/10 is best released
without looking until epsilon = ln 9, at a loss of 1/10 all the while, and falls only then.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING

from optmech.analysis.inversion.evidence import Settings, Verdict, evidence
from optmech.analysis.inversion.parameter import OVER
from optmech.base.arguments import (
    an_instance,
    function,
    items,
    need_text,
    one_of,
    optional,
    takes,
    whole_number,
)
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.number_format import at_least, at_most
from optmech.base.numbers import as_text, exact
from optmech.base.rendering import Renderable
from optmech.question.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from optmech.analysis.inversion.evidence import Evidence
    from optmech.base.numbers import Number
    from optmech.models.solvers.interface import SolverName

_MOST_POINTS = 10_000
# A value is moved by at most this share of the distance to the next one, to a shorter decimal.
_NEAR_ENOUGH = Fraction(1, 50)

# Digits of a number in print.
_DIGITS = 12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Frontier(Renderable):
    """A trade-off with proofs on both sides of it.

    Attributes
    ----------
    problem : Problem
        The question, at one of the values.
    over : {"epsilon", "delta", "bound"}
        The parameter that varies.
    points : tuple of Evidence
        By rising value: `value`, `design`, and `objective` and `bound`, exact; what has no mechanism says
        so, with a proof where its verdict is refuted.
    is_convex : bool
        Whether mixing proves more between the points than the stairs do.
    seconds : float
        Wall time of all designs.
    """

    problem: Problem
    over: str
    points: tuple[Evidence, ...]
    seconds: float

    @property
    def chords(self) -> list[tuple[Evidence, Evidence]]:
        """The met points next to each other, where two mechanisms may be mixed to one between them."""
        is_mixed = self.over != "epsilon" and self.problem.privacy.is_convex
        return list(pairwise(filter(_is_met, self.points))) if is_mixed else []

    def lower(self, value: Number) -> Fraction | float | None:
        """Return the proved lower bound for every mechanism at this value.

        Infinity says that there is none; ``None`` that the points prove nothing there.

        Examples
        --------
        >>> import optmech as om
        >>> from fractions import Fraction
        >>> from optmech.analysis.frontiers import frontier
        >>> curve = frontier(om.croft(om.count(5), 1, prior="uniform"), at=["0.5", 1])
        >>> curve.lower(Fraction(3, 4)) == curve.points[1].bound
        True
        """
        value = exact(value, "value")
        bounds: list[Fraction | float] = []
        for point in self.points:
            if point.value >= value:
                bounds += [inf] if point.verdict is Verdict.REFUTED else []
                bounds += [] if not _is_met(point) or point.bound is None else [point.bound]
        for one, other in self.chords:
            bounds += [_extension(one, other, value), _extension(other, one, value)]
        return max(bounds, default=None)

    def upper(self, value: Number) -> Fraction | None:
        """Return an objective that some mechanism at this value has, proved; ``None`` where none is known."""
        value, points = exact(value, "value"), list(filter(_is_met, self.points))
        objectives = [
            point.objective for point in points if point.value <= value and point.objective is not None
        ]
        for one, other in self.chords:
            if one.value <= value <= other.value:
                share = (value - one.value) / (other.value - one.value)
                objectives.append((1 - share) * one.objective + share * other.objective)  # type: ignore[operator]
        return min(objectives, default=None)

    def _line(self) -> str:
        first, last = (as_text(self.points[index].value) for index in (0, -1))
        return f"{self.problem}; {len(self.points)} points, {self.over} from {first} to {last}"

    def __str__(self) -> str:
        width = max(len(self.over), *(len(as_text(point.value)) for point in self.points))
        lines = [f"{self.over:>{width}}  {'objective, proved':<20}lower bound, proved"]
        for point in self.points:
            text = f"{as_text(point.value):>{width}}  "
            if _is_met(point):
                bound = "none" if point.bound is None else at_least(point.bound, _DIGITS)
                text += f"{at_most(point.objective or Fraction(0), _DIGITS):<20}{bound}"
            else:
                text += str(point)
            lines.append(text)
        lines.append(f"a mechanism that is allowed at one {self.over} is allowed at every larger one")
        return "\n".join(lines)


def _is_met(point: Evidence) -> bool:
    return point.verdict is Verdict.MET


def _extension(far: Evidence, near: Evidence, value: Fraction) -> Fraction | float:
    """Return how low a convex curve through the two may be beyond the nearer; minus infinity elsewhere."""
    beyond = (value - near.value) / (near.value - far.value)
    if beyond < 0 or near.bound is None or far.objective is None:
        return -inf
    return (1 + beyond) * near.bound - beyond * far.objective


@takes(problem=an_instance(Problem), solver=need_text, on_point=optional(function))
def frontier(
    problem: Problem,
    over: str = "epsilon",
    *,
    at: Iterable[Number] | None = None,
    low: Number | None = None,
    high: Number | None = None,
    points: int = 20,
    solver: SolverName = "auto",
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
        The parameter that varies: epsilon, a delta that is given, or the one bound on a further loss.
    at : iterable of str, int, float or Fraction, optional
        The values.
    low, high : str, int, float or Fraction, optional
        In place of `at`: the ends. Values between them are evenly spaced, moved to short decimals.
    points : int, default 20
        Number of values, both ends counted.
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
    one_of(over, OVER, "over")
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
    """Return `points` values from `low` to `high`, as even as short decimals allow."""
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
