"""Certificate of a table: its question, its noise, and multipliers, from which all numbers follow exactly."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from optmech.base.errors import VerificationError
from optmech.mechanisms.tables.table_noise import LatticeNoise, MarginNoise, NormalMargins, TableNoise
from optmech.proofs.tables.count_bound import CountMultipliers, approximate_bound, pure_bound
from optmech.proofs.tables.covariance import least_loss, spent, variance
from optmech.proofs.tables.curve import delta_of
from optmech.proofs.tables.geometric import keeps, rounding
from optmech.question.tables.margins import subsets
from optmech.question.tables.record_sums import Asked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optmech.question.tables.margins import Axes
    from optmech.question.tables.table_problem import TableProblem

_BOUND_DIGITS = 15


@dataclass(frozen=True, kw_only=True, eq=False)
class TableCertificate:
    """A table whose privacy, standard errors and lower bound are proved when it is made.

    Attributes
    ----------
    problem : TableProblem
        The question.
    noise : LatticeNoise, MarginNoise or NormalMargins
        The noise.
    epsilon : Fraction
        The epsilon of one person at the delta of the budget.
    centre : tuple of Fraction, optional
        Of normal noise: two points beside the worst centre of one count.
    prices : mapping, optional
        Of the same error: the price of one number of each margin.
    count : CountMultipliers or tuple of Fraction, optional
        Multipliers of one count: of zCDP, or eta and a point, of epsilon and delta; None of pure privacy.

    Raises
    ------
    VerificationError
        If something does not hold.
    """

    problem: TableProblem
    noise: TableNoise
    epsilon: Fraction
    centre: tuple[Fraction, Fraction] | None = None
    prices: Mapping[Axes, Fraction] | None = None
    count: CountMultipliers | tuple[Fraction, Fraction] | None = None
    variances: Mapping[Axes, Fraction] = field(init=False)

    def __post_init__(self) -> None:
        budget, shape = self.problem.budget, self.problem.shape
        _need(self.noise.sizes == shape.sizes, "noise of the same sizes as the question")
        _need(budget.epsilon in (None, self.epsilon), "the epsilon of the question")
        if isinstance(self.noise, MarginNoise):
            _need(budget.rho is None and self.centre is None, "normal noise for zCDP")
            private = keeps(self.noise.ratios, self.problem.person.at_most, self.epsilon)
            _need(private, "no more privacy spent than asked")
        else:
            _need(budget.rho is None or self.rho <= budget.rho, "no more rho spent than asked")
            if self.centre is None:
                raise VerificationError(_RULE.format("a worst centre"))
            delta = delta_of(self.rho, self.epsilon, self.centre)
            _need(delta <= budget.delta, "no more delta spent than asked")
        object.__setattr__(self, "variances", self._variances())
        _need((self.prices is None) == (self.problem.weights is not None), "prices for the same error alone")
        prices = self.prices or {}
        _need(
            all(margin in self.problem.totals and price > 0 for margin, price in prices.items()),
            "prices above 0",
        )
        kind = CountMultipliers if budget.rho is not None else type(None) if budget.is_pure else tuple
        _need(isinstance(self.count, kind), "multipliers of the privacy that is asked")

    def _variances(self) -> dict[Axes, Fraction]:
        """Return at most the variance of one number of each published margin."""
        shape, noise = self.problem.shape, self.noise
        parts = noise.variances
        _need(
            all(set(subsets(margin)) <= parts.keys() for margin in self.problem.totals), "noise on all totals"
        )
        is_whole = isinstance(noise, LatticeNoise) or noise.spreads.keys() == {shape.every}
        return {
            margin: variance(shape, parts, margin) + (0 if is_whole else rounding(shape, margin))
            for margin in self.problem.totals
        }

    @cached_property
    def rho(self) -> Fraction:
        """What one person spends of zCDP, under normal noise."""
        assert not isinstance(self.noise, MarginNoise)  # noqa: S101 - asked of normal noise alone
        if isinstance(self.noise, NormalMargins):
            return self.noise.rho * self.problem.person.at_most**2
        return spent(self.problem.shape, self.noise.variances, self.problem.person)

    @property
    def delta(self) -> Fraction:
        """The delta of one person: zero where the noise is pure."""
        return Fraction() if isinstance(self.noise, MarginNoise) else self.problem.budget.delta

    @cached_property
    def objective(self) -> Fraction:
        """The largest variance, or the weighted sum of variances, at most."""
        weights = self.problem.weights
        if weights is None:
            return max(self.variances.values())
        shape = self.problem.shape
        return sum((weights[m] * shape.cells(m) * self.variances[m] for m in weights), Fraction())

    @cached_property
    def covariance_bound(self) -> Fraction:
        """F: the least objective of all covariances is F / (2 rho), for persons of one row."""
        weights, shape = self.problem.weights, self.problem.shape
        if weights is not None:
            return least_loss(shape, weights)
        assert self.prices is not None  # noqa: S101 - checked above
        return least_loss(shape, self.prices) / sum(
            price * shape.cells(margin) for margin, price in self.prices.items()
        )

    @cached_property
    def count_bound(self) -> Fraction:
        """The least mean squared error of one count under the privacy that is asked."""
        budget = self.problem.budget
        if isinstance(self.count, CountMultipliers):
            assert budget.rho is not None  # noqa: S101 - checked above
            return self.count.bound(budget.rho)
        if self.count is None:
            return pure_bound(self.epsilon)
        return approximate_bound(self.epsilon, budget.delta, *self.count)

    @cached_property
    def bound(self) -> Fraction:
        """The objective that no mechanism under this privacy has less of at all tables; zero or more.

        It is of cells that a person changes alone, as no record changes the middle one of three sums.
        """
        if self.problem.records is not None and self.problem.records.asked is Asked.SPREAD:
            return Fraction()
        proved = self.count_bound * self.covariance_bound * self.problem.person.step**2
        return rounded_down(max(proved, Fraction()))

    @property
    def relative_gap(self) -> Fraction | None:
        """The part by which the objective is above the bound; None where the bound is zero."""
        return self.objective / self.bound - 1 if self.bound else None


_RULE = "the certificate must have {}"


def _need(holds: bool, rule: str) -> None:  # noqa: FBT001 - a rule, and whether it holds
    if not holds:
        raise VerificationError(_RULE.format(rule))


def rounded_down(value: Fraction) -> Fraction:
    """Return a number of fifteen digits that is no larger.

    >>> rounded_down(Fraction(2, 3))
    Fraction(333333333333333, 500000000000000)
    """
    places = _BOUND_DIGITS - 1 - (Decimal(value.numerator) / value.denominator).adjusted()
    scale = Fraction(10) ** places
    return Fraction(value * scale // 1) / scale
