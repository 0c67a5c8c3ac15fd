"""Sums and differences of released numbers, and the share of a sum in a total.

Model
-----
    estimate   sum_c a_c g(j_c),    variance   sum_c a_c^2 Var(g | t_c),    for independent draws
    limits     the estimate less and plus Chernoff's deviations, or the sums of the ends of each number's
               interval at the level 1 - (1 - level) / k, by the union bound over k numbers

The narrower of the two is taken by their widths at worst, which do not depend on what was released. Without
an unbiased estimate Hoeffding's bound of functions biased to one side stands in place of the first. A share
G / (G + R) has its limits at the ends of those of G and R, each at half the probability of error.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple, Protocol

from optmech.release.estimates.one_sided import OneSided, shortfall
from optmech.release.estimates.tails import Term, deviation

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

# More numbers than this are better bounded together than each by itself.
_MOST_APART = 64


class Estimator(Protocol):
    """Estimates of one number, as sums take them; a response stands for all releases of it."""

    @property
    def truths(self) -> Sequence[Fraction]:
        """The possible numbers, increasing."""

    @property
    def reason(self) -> str:
        """The reason why there is no unbiased estimate, else empty."""

    @property
    def terms(self) -> tuple[Term, ...]:
        """The errors of the unbiased estimate; none where they are too many to bound."""

    def unbiased(self, responses: tuple[int, ...]) -> Fraction | None:
        """Return the unbiased estimate."""

    def variance_here(self, responses: tuple[int, ...]) -> Fraction | None:
        """Return the largest variance at the likeliest truths."""

    def ends(self, responses: tuple[int, ...], level: Fraction) -> tuple[Fraction, Fraction]:
        """Return the ends of the interval."""

    def widest(self, level: Fraction) -> Fraction:
        """Return the width of the widest interval."""

    def biased(self, sign: int, number: int, tail: Fraction) -> OneSided | None:
        """Return a function of the response that is never below the number, times a sign, on average."""


@dataclass(frozen=True, kw_only=True)
class Addend:
    """Numbers with one estimator: how many had each response, and the coefficient of all of them."""

    estimator: Estimator
    numbers: Mapping[tuple[int, ...], int]
    coefficient: int = 1

    @property
    def size(self) -> int:
        """The number of numbers."""
        return sum(self.numbers.values())

    def total(self, value: Callable[[tuple[int, ...]], Fraction]) -> Fraction:
        """Return the sum of a value of each number's responses."""
        return sum((number * value(responses) for responses, number in self.numbers.items()), Fraction(0))


@dataclass(frozen=True, kw_only=True)
class GroupSum:
    """A sum or a difference of released numbers.

    Attributes
    ----------
    cells : int
        The number of its cells.
    estimate : Fraction or None
        Unbiased; ``None`` where some number has no unbiased estimator, and of a share of a total.
    ratio : Fraction or None
        Of a share of a total the ratio of two unbiased estimates: its mean is not the share.
    standard_error : float or None
        The root of the sum of exact variances, at the likeliest truth of each number.
    low, high : Fraction
        Between them is the sum with the level at least, whatever the numbers are.
    """

    cells: int
    estimate: Fraction | None
    standard_error: float | None
    low: Fraction
    high: Fraction
    ratio: Fraction | None = None


def sum_of(addends: Sequence[Addend], level: Fraction) -> GroupSum:
    """Return the estimate of a sum with coefficients.

    Examples
    --------
    >>> from optmech.release.estimates.likelihoods import Likelihoods
    >>> from optmech.release.estimates.numbers import NumberEstimator
    >>> coin = Likelihoods(responses=(0, 1), truths=(0, 1), weights=((3, 1), (1, 3)))
    >>> estimator = NumberEstimator([coin], [Fraction(1, 2)] * 2)
    >>> found = sum_of([Addend(estimator=estimator, numbers={(1,): 70, (0,): 30})], Fraction(95, 100))
    >>> int(found.estimate), round(found.standard_error, 2), float(round(found.low, 1)), int(found.high)
    (90, 8.66, 65.4, 100)
    """
    cells = sum(addend.size for addend in addends)
    estimate = standard_error = None
    if not any(addend.estimator.reason for addend in addends):
        estimate = sum(
            (one.coefficient * one.total(_estimate_of(one.estimator)) for one in addends), Fraction(0)
        )
        variance = sum(
            (one.coefficient**2 * one.total(_variance_of(one.estimator)) for one in addends), Fraction(0)
        )
        standard_error = sqrt(variance)
    low, high = _limits(addends, estimate, level)
    return GroupSum(cells=cells, estimate=estimate, standard_error=standard_error, low=low, high=high)


def share_of(part: Sequence[Addend], rest: Sequence[Addend], level: Fraction) -> GroupSum | None:
    """Return the share of a sum in the total of both, with the ratio of the unbiased estimates of them.

    ``None`` where a number may be negative, so that there is no share.
    """
    if any(addend.estimator.truths[0] < 0 for addend in (*part, *rest)):
        return None
    half = 1 - (1 - level) / 2
    own, others = sum_of(part, half), sum_of(rest, half)
    ratio = None
    if own.estimate is not None and others.estimate is not None and own.estimate + others.estimate > 0:
        ratio = own.estimate / (own.estimate + others.estimate)
    return GroupSum(
        cells=own.cells,
        estimate=None,
        ratio=ratio,
        standard_error=None,
        low=_ratio(own.low, others.high),
        high=_ratio(own.high, others.low),
    )


def _limits(
    addends: Sequence[Addend], estimate: Fraction | None, level: Fraction
) -> tuple[Fraction, Fraction]:
    cells = sum(addend.size for addend in addends)
    if not cells:
        return Fraction(0), Fraction(0)
    each = 1 - (1 - level) / cells
    tail = (1 - level) / 2
    widths = (addend.size * abs(addend.coefficient) * addend.estimator.widest(each) for addend in addends)
    apart = sum(widths, Fraction(0)) if cells <= _MOST_APART else None
    if estimate is None or not all(addend.estimator.terms for addend in addends):
        sides = _one_sided(addends, cells, tail)
        if sides is None or (apart is not None and apart <= sum(side.usual for side in sides)):
            return _apart(addends, each)
        above, below = (side.limit for side in sides)
        return _between(addends, -below, above)
    terms = [
        replace(term, number=addend.size, coefficient=term.coefficient * addend.coefficient)
        for addend in addends
        if addend.size
        for term in addend.estimator.terms
    ]
    above, below = (Fraction(deviation(terms, tail, sign=sign)) for sign in (1, -1))
    if apart is not None and apart <= above + below:
        return _apart(addends, each)
    return _between(addends, estimate - above, estimate + below)


class _Side(NamedTuple):
    """The limit of a sum on one side, and its mean where all truths are as probable."""

    limit: Fraction
    usual: Fraction


def _one_sided(addends: Sequence[Addend], cells: int, tail: Fraction) -> tuple[_Side, _Side] | None:
    """Return the upper limit, and that of the sum with the other sign, from functions biased to one side."""
    sides = []
    for way in (1, -1):
        limit = usual = squares = Fraction(0)
        for addend in addends:
            if not addend.size:
                continue
            sign = way * addend.coefficient
            found = addend.estimator.biased(sign, cells, tail)
            if found is None or abs(sign) != 1:
                return None
            limit += found.total({responses[0]: number for responses, number in addend.numbers.items()})
            usual += addend.size * found.usual
            squares += addend.size * found.spread**2
        short = shortfall(squares, tail)
        sides.append(_Side(limit + short, usual + short))
    return sides[0], sides[1]


def _between(addends: Sequence[Addend], low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """Return limits within the smallest and the largest sum that there can be."""
    least, most = _extremes(addends)
    ends = sorted((min(max(low, least), most), min(max(high, least), most)))
    return ends[0], ends[1]


def _apart(addends: Sequence[Addend], level: Fraction) -> tuple[Fraction, Fraction]:
    """Return the sums of the ends of each number's interval."""
    low = high = Fraction(0)
    for addend in addends:
        ends = [addend.coefficient * addend.total(_end_of(addend.estimator, level, end)) for end in (0, 1)]
        low, high = low + min(ends), high + max(ends)
    return low, high


def _extremes(addends: Sequence[Addend]) -> tuple[Fraction, Fraction]:
    """Return the least and the largest sum that there can be."""
    ends = [
        sorted(one.coefficient * one.size * one.estimator.truths[end] for end in (0, -1)) for one in addends
    ]
    return sum((low for low, _ in ends), Fraction(0)), sum((high for _, high in ends), Fraction(0))


def _estimate_of(estimator: Estimator) -> Callable[[tuple[int, ...]], Fraction]:
    return lambda responses: estimator.unbiased(responses) or Fraction(0)


def _variance_of(estimator: Estimator) -> Callable[[tuple[int, ...]], Fraction]:
    return lambda responses: estimator.variance_here(responses) or Fraction(0)


def _end_of(estimator: Estimator, level: Fraction, end: int) -> Callable[[tuple[int, ...]], Fraction]:
    return lambda responses: estimator.ends(responses, level)[end]


def _ratio(part: Fraction, rest: Fraction) -> Fraction:
    """Return a share, 0 of nothing."""
    return part / (part + rest) if part + rest else Fraction(0)
