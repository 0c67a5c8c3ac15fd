"""Certificate of quantiles: the question, from which the mechanism, its privacy and a rank bound follow.

Privacy, with D = max(q, 1 - q) for a person who comes or goes, and 1 for a value that changes: loss moves by
at most D for each of B rows. Permute-and-flip at rate eta / (2 D B) is eta-private. The exponential mechanism
at that rate is, too, and its privacy loss has a range of at most eta, so that it is eta^2/8-zCDP. A tree
spends eta in each of its L levels, since a record is in one part of a level.

Rank bound of one quantile among k values, whatever the records:

    P(rank error > t) <= (k - 1)/2 exp(-eta t / (2 D B))   permute-and-flip
                      <=  k        exp(-eta t / (2 D B))   exponential mechanism

Source: McKenna, Sheldon 2020; Cesar, Rogers 2021; Kaplan, Schnapp, Stemmer 2022. Proofs: docs/theory.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from math import isqrt
from typing import TYPE_CHECKING

from flint import arb, ctx, fmpq

from optmech.mechanisms.quantiles.pieces import pieces_of
from optmech.mechanisms.quantiles.quantile_draws import PLACES, exponential, permute_and_flip, span_of, tree
from optmech.question.quantiles.quantile_problem import Neighbours, QuantileProblem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.mechanisms.quantiles.dice import Dice

PROBABILITY = Fraction(19, 20)
"""The rank bound holds with this probability at least."""
_PER_ETA, _BITS, _PER_RECORD = 10**8, 128, 100


class QuantileMethod(StrEnum):
    """The mechanism of a question."""

    PERMUTE_AND_FLIP = "permute-and-flip"
    EXPONENTIAL = "exponential mechanism"
    TREE = "tree of exponential mechanisms"


@dataclass(frozen=True, kw_only=True)
class QuantileCertificate:
    """Quantiles whose privacy, and the rank bound of one, follow from the question.

    Attributes
    ----------
    problem : QuantileProblem
        The question.

    Examples
    --------
    >>> import optmech as om
    >>> median = om.design(om.quantiles("0:100", epsilon=1))
    >>> print(median.method, float(median.rank_bound))
    permute-and-flip 6.91
    """

    problem: QuantileProblem

    @property
    def method(self) -> QuantileMethod:
        """The mechanism: by the number of quantiles and the unit of the budget."""
        if len(self.problem.quantiles) > 1:
            return QuantileMethod.TREE
        is_pure = self.problem.zcdp is None
        return QuantileMethod.PERMUTE_AND_FLIP if is_pure else QuantileMethod.EXPONENTIAL

    @property
    def levels(self) -> int:
        """Number of levels of the tree, which share the budget."""
        return len(self.problem.quantiles).bit_length()

    @cached_property
    def eta(self) -> Fraction:
        """The epsilon of one level; under zCDP the largest of 8 decimals with eta^2/8 in it."""
        if self.problem.epsilon is not None:
            return self.problem.epsilon / self.levels
        assert self.problem.zcdp is not None  # noqa: S101 - one of the two is given
        square = 8 * self.problem.zcdp / self.levels * _PER_ETA**2
        return Fraction(isqrt(square.numerator // square.denominator), _PER_ETA)

    @property
    def epsilon(self) -> Fraction:
        """The pure epsilon of one person, also of a budget of zCDP."""
        return self.eta * self.levels

    @property
    def delta(self) -> Fraction:
        """Zero."""
        return Fraction()

    @property
    def rho(self) -> Fraction | None:
        """The rho of one person, where zCDP was asked for."""
        return self.problem.zcdp

    @property
    def span(self) -> Fraction:
        """2 D B of one quantile."""
        one = (
            Fraction(2)
            if self.problem.neighbours is Neighbours.CHANGE
            else span_of(self.problem.quantiles[0])
        )
        return one * self.problem.at_most

    @cached_property
    def rank_bound(self) -> Fraction | None:
        """The rank error that one quantile keeps with `PROBABILITY`, rounded up; None of a tree."""
        if self.method is QuantileMethod.TREE:
            return None
        values, failure = self.problem.num_values, 1 - PROBABILITY
        many = Fraction(values - 1, 2) if self.method is QuantileMethod.PERMUTE_AND_FLIP else Fraction(values)
        with ctx.workprec(_BITS):
            ratio, scale = many / failure, self.span / self.eta * _PER_RECORD
            records = arb(fmpq(ratio.numerator, ratio.denominator)).log()
            records *= arb(fmpq(scale.numerator, scale.denominator))
            above = records.upper().ceil().unique_fmpz()
        assert above is not None  # noqa: S101 - a whole number, exactly
        return Fraction(int(above), _PER_RECORD)

    def draw(self, heaps: Sequence[tuple[int, int]], dice: Dice, places: int = PLACES) -> list[int]:
        """Return the index of a value for each quantile, of records in heaps: an index, and how many."""
        problem = self.problem
        if self.method is QuantileMethod.TREE:
            rate = self.eta / problem.at_most
            return tree(heaps, problem.num_values, problem.quantiles, rate, dice, places=places)
        (quantile,) = problem.quantiles
        one = permute_and_flip if self.method is QuantileMethod.PERMUTE_AND_FLIP else exponential
        pieces = pieces_of(heaps, 0, problem.num_values - 1, quantile)
        return [one(pieces, self.eta / (self.span * quantile.denominator), dice)]
