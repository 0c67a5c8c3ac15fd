"""The estimates of one true count, of any size, from perturbation tables.

Model
-----
    from a count s on the noise d has the same probabilities p(d), of mean mu and least value d_0
    g(r) = r - mu + h(r)   is unbiased at every count  t >= s  if h(r) = 0 for r >= s + d_0
    h(0), ..., h(s + d_0 - 1)   solve    sum_r P(r | t) h(r) = t + mu - E(r | t)    for t < s

No other h of finitely many values does: with its last one at r, the count r - d_0 would be estimated with a
bias. A count t >= s has one variance, sum_d p(d) (d - mu)^2. Everything is exact. The interval of a release
is that of `apply --interval`; of several it is what all of theirs have in common, by the union bound.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import prod, sqrt
from typing import TYPE_CHECKING, cast

import numpy as np
import pyarrow as pa

from optmech.base.errors import broken_rule
from optmech.base.numbers import as_text
from optmech.release.estimates.numbers import NumberEstimate
from optmech.release.estimates.posterior import most_likely, posterior
from optmech.release.estimates.tails import EstimateErrors, Term
from optmech.release.estimates.unbiased import any_solution

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from optmech.analysis.p_tables.table import PTable
    from optmech.release.estimates.one_sided import OneSided
    from optmech.release.tables.p_table_column import Ends, PTableColumn

_NONE = (
    "no unbiased estimate is computed: the noise of small counts has another mean than that of all larger "
    "ones, and no correction of finitely many estimates mends that"
)


class CountNoise:
    """The released counts of every true one, of which those released as 0 may be left out.

    Parameters
    ----------
    table : PTable
        The noise of each count.
    shown_only : bool
        Whether all probabilities are those given that the release is not 0.

    Examples
    --------
    >>> from optmech.analysis.p_tables.table import PTable
    >>> noise = CountNoise(PTable([{0: 1}, {-1: "1/2", 1: "1/2"}]), shown_only=False)
    >>> noise.start, [str(noise.unbiased(released)) for released in (0, 1, 2, 50)]
    (1, ['0', '1', '2', '50'])
    """

    def __init__(self, table: PTable, *, shown_only: bool) -> None:
        self.table, self.shown_only, self.reach = table, shown_only, table.reach
        own = table.last if table.same_from is None else table.same_from
        self.start = max(own, table.reach + 1) if shown_only else own
        self._known: dict[int, Mapping[int, Fraction]] = {}

    def released(self, count: int) -> Mapping[int, Fraction]:
        """Return each released count of a true one with its probability; none if it is never shown."""
        if count not in self._known:
            shares = self.table.published(count)
            if self.shown_only:
                shares = {released: share for released, share in shares.items() if released}
            total = sum(shares.values(), Fraction(0))
            self._known[count] = {released: share / total for released, share in shares.items()}
        return self._known[count]

    @property
    def shown(self) -> list[int]:
        """The true counts up to the first of those with the same noise, but for those never shown."""
        return [count for count in range(self.start + 1) if self.released(count)]

    @cached_property
    def mean(self) -> Fraction:
        """The mean of the noise of large counts."""
        noise = self.released(self.start)
        return sum((share * (released - self.start) for released, share in noise.items()), Fraction(0))

    @cached_property
    def corrections(self) -> Sequence[Fraction] | None:
        """The correction of the estimates of small releases, ``None`` where there is none."""
        free = max(min(self.released(self.start)), 0)
        small = [count for count in self.shown if count < self.start]
        wanted = [count - self._mean(count, lambda released: released - self.mean) for count in small]
        if not any(wanted):
            return [Fraction(0)] * free
        if not free:
            return None
        rows = [
            [self.released(count).get(released, Fraction(0)) for released in range(free)] for count in small
        ]
        return any_solution(rows, wanted)

    def unbiased(self, released: int) -> Fraction:
        """Return the unbiased estimate of the true count; ask for `corrections` before."""
        assert self.corrections is not None  # noqa: S101 - the caller asked
        small = self.corrections[released] if released < len(self.corrections) else 0
        return released - self.mean + small

    def variance(self, count: int) -> Fraction:
        """Return the variance of the unbiased estimate at a true count."""
        at = min(count, self.start)
        return self._mean(at, lambda released: (self.unbiased(released) - at) ** 2)

    @property
    def errors(self) -> EstimateErrors:
        """The errors of the unbiased estimate at every true count, in doubles."""
        counts = self.shown
        rows = range(self.start + self.reach + 1)
        probabilities = [[float(self.released(count).get(row, 0)) for count in counts] for row in rows]
        errors = [[float(self.unbiased(row) - count) for count in counts] for row in rows]
        return EstimateErrors(probabilities=np.array(probabilities), errors=np.array(errors))

    def _mean(self, count: int, value: Callable[[int], Fraction]) -> Fraction:
        return sum((share * value(at) for at, share in self.released(count).items()), Fraction(0))


class AllCountsEstimator:
    """Estimators of a true count of any size from its releases by perturbation tables.

    Parameters
    ----------
    releases : sequence of PTableColumn
        The mechanism of each release.
    prior : sequence of Fraction or None
        The probability of the counts 0, 1, …; larger ones have none. ``None`` is one weight for all counts.
    shown_only : bool
        Whether rows released as 0 were left out.
    """

    def __init__(
        self, releases: Sequence[PTableColumn], prior: Sequence[Fraction] | None, *, shown_only: bool
    ) -> None:
        self.releases, self.prior, self.shown_only = tuple(releases), prior, shown_only
        self.truths = cast(
            "Sequence[Fraction]", releases[0].law.answers
        )  # whole numbers compare as fractions
        self.noises = tuple(CountNoise(one.table, shown_only=shown_only) for one in releases)
        self._ends: dict[tuple[int, int, Fraction], tuple[int, int]] = {}

    @cached_property
    def weights(self) -> tuple[tuple[CountNoise, Fraction], ...]:
        """The noise of each release and its weight in the average; none without unbiased estimates."""
        if any(noise.corrections is None for noise in self.noises):
            return ()
        variances = [noise.variance(noise.start) for noise in self.noises]
        certain = [Fraction(not variance) for variance in variances]
        inverse = certain if any(certain) else [1 / variance for variance in variances]
        total = sum(inverse)
        return tuple((noise, weight / total) for noise, weight in zip(self.noises, inverse, strict=True))

    @property
    def reason(self) -> str:
        """The reason why there is no unbiased estimate, else empty."""
        return "" if self.weights else _NONE

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The errors of the unbiased estimate, for bounds of sums."""
        return tuple(Term(errors=noise.errors, coefficient=float(weight)) for noise, weight in self.weights)

    def released(self, responses: tuple[int, ...]) -> tuple[Fraction, ...]:
        """Return the released counts."""
        return tuple(map(Fraction, responses))

    def unbiased(self, responses: tuple[int, ...]) -> Fraction | None:
        """Return the unbiased estimate, None where there is none."""
        if not self.weights:
            return None
        pairs = zip(self.weights, responses, strict=True)
        return sum((weight * noise.unbiased(released) for (noise, weight), released in pairs), Fraction(0))

    def variance(self, truth: int) -> Fraction:
        """Return the variance of the unbiased estimate at a truth, exactly."""
        return sum((weight**2 * noise.variance(truth) for noise, weight in self.weights), Fraction(0))

    def variance_here(self, responses: tuple[int, ...]) -> Fraction | None:
        """Return the largest variance at the likeliest counts, None without an unbiased estimate."""
        if not self.weights:
            return None
        counts, shares = self._likelihood(responses)
        return max(self.variance(counts[at]) for at in most_likely(shares))

    def estimate(self, responses: tuple[int, ...], level: Fraction) -> NumberEstimate:
        """Return the estimates from the responses, one of each release."""
        counts, shares = self._likelihood(responses)
        after = posterior(shares, [self._prior_of(count) for count in counts], _named(responses))
        mean = sum((share * count for share, count in zip(after, counts, strict=True)), Fraction(0))
        square = sum(share * (count - mean) ** 2 for share, count in zip(after, counts, strict=True))
        variance = self.variance_here(responses)
        low, high = self.ends(responses, level)
        return NumberEstimate(
            unbiased=self.unbiased(responses),
            standard_error=None if variance is None else sqrt(variance),
            most_likely=tuple(Fraction(counts[at]) for at in most_likely(shares)),
            posterior=after,
            posterior_mean=mean,
            posterior_sd=sqrt(square),
            low=low,
            high=high,
        )

    def ends(self, responses: tuple[int, ...], level: Fraction) -> tuple[Fraction, Fraction]:
        """Return the ends of the interval of the true count."""
        each = 1 - (1 - level) / len(self.releases)
        pairs = [self._ends_of(index, released, each) for index, released in enumerate(responses)]
        low, high = max(low for low, _ in pairs), min(high for _, high in pairs)
        if low > high:  # they have nothing in common: all of them
            low, high = min(low for low, _ in pairs), max(high for _, high in pairs)
        return Fraction(low), Fraction(high)

    def widest(self, level: Fraction) -> Fraction:
        """Return the width of the widest interval of one release, of several the sum of theirs."""
        each = 1 - (1 - level) / len(self.releases)
        widths = []
        for index, noise in enumerate(self.noises):
            # From some release on the interval is the same but for a shift.
            every = range(max(noise.start, noise.reach) + 4 * noise.reach + 3)
            ends = [self._ends_of(index, released, each) for released in every]
            widths.append(max(high - low for low, high in ends))
        return Fraction(max(widths) if len(widths) == 1 else sum(widths))

    def biased(self, sign: int, number: int, tail: Fraction) -> OneSided | None:  # noqa: ARG002 - of listed truths alone
        """Return None: no such function is computed for all counts."""
        return None

    def _ends_of(self, index: int, released: int, level: Fraction) -> tuple[int, int]:
        key = index, released, level
        if key not in self._ends:
            low, high = self._interval(index, level)(pa.array([released]))
            self._ends[key] = int(low[0]), int(high[0])
        return self._ends[key]

    def _interval(self, index: int, level: Fraction) -> Ends:
        if (index, level) not in self._intervals:
            column = self.releases[index]
            self._intervals[index, level] = column.interval_ends(level, shown_only=self.shown_only)
        return self._intervals[index, level]

    @cached_property
    def _intervals(self) -> dict[tuple[int, Fraction], Ends]:
        return {}

    def _likelihood(self, responses: tuple[int, ...]) -> tuple[range, tuple[Fraction, ...]]:
        """Return the counts that can lead to the responses, in a run, and the likelihood of each."""
        pairs = list(zip(self.noises, responses, strict=True))
        first = max(0, *(released - noise.reach for noise, released in pairs))
        last = min(released + noise.reach for noise, released in pairs)
        counts = range(first, last + 1)
        shares = tuple(
            prod(
                (noise.released(count).get(released, Fraction(0)) for noise, released in pairs),
                start=Fraction(1),
            )
            for count in counts
        )
        if not any(shares):
            raise broken_rule("released", "hold what some true answer can lead to", _named(responses))
        return counts, shares

    def _prior_of(self, count: int) -> Fraction:
        if self.prior is None:
            return Fraction(1)
        return self.prior[count] if count < len(self.prior) else Fraction(0)


def _named(responses: tuple[int, ...]) -> str:
    return ", ".join(as_text(Fraction(released)) for released in responses)
