"""The question of quantiles: the public range and its steps, the quantiles, and what one person spends."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise

from optmech.base.arguments import items, one_of, whole_number
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import as_text, exact

MOST_VALUES, MOST_QUANTILES, MOST_ROWS = 10**8, 15, 10**6
"""Limits of a question: values of the range, quantiles, and rows of one person."""
_LEAST, _MOST = Fraction(1, 10**6), {"zcdp": 10, "epsilon": 100}
_NAMES = {Fraction(1, 4): "lower quartile", Fraction(1, 2): "median", Fraction(3, 4): "upper quartile"}
_MOST_NAMED, _MOST_BITS = 3, 64


class Neighbours(StrEnum):
    """The change of one person that is protected."""

    ADD_REMOVE = "add-remove"
    CHANGE = "change"


@dataclass(frozen=True, kw_only=True)
class QuantileProblem:
    """A question for `design`: quantiles of people's records; `quantiles` makes it.

    Attributes
    ----------
    low, high, step : Fraction
        The public range of values, and the step from one to the next.
    quantiles : tuple of Fraction
        Increasing, each between 0 and 1.
    epsilon, zcdp : Fraction, optional
        What one person spends, one of the two.
    at_most : int
        Number of rows of one person that count.
    neighbours : Neighbours
        One person more or fewer; or one person's value changed, where numbers of people are public.
    """

    low: Fraction
    high: Fraction
    step: Fraction
    quantiles: tuple[Fraction, ...]
    epsilon: Fraction | None = None
    zcdp: Fraction | None = None
    at_most: int = 1
    neighbours: Neighbours = Neighbours.ADD_REMOVE

    def __post_init__(self) -> None:
        """Hold it to its rules: ProblemError."""
        told = {name: exact(getattr(self, name), name) for name in ("low", "high", "step")}
        told |= {name: exact(value, name) for name in _MOST if (value := getattr(self, name)) is not None}
        for name, value in told.items():
            object.__setattr__(self, name, value)
        quantiles = tuple(exact(each, "of") for each in items(self.quantiles, "of", "numbers"))
        object.__setattr__(self, "quantiles", quantiles)
        neighbours = Neighbours(one_of(self.neighbours, Neighbours, "neighbours"))
        object.__setattr__(self, "neighbours", neighbours)
        if self.step <= 0 or (self.high - self.low) % self.step or self.low >= self.high:
            got = f"{as_text(self.low)}:{as_text(self.high)} in steps of {as_text(self.step)}"
            raise broken_rule("range", "be whole positive steps wide", got)
        if self.num_values > MOST_VALUES:
            remedy = "Choose a larger step."
            raise broken_rule("range", f"have at most {MOST_VALUES:,} values", f"{self.num_values:,}", remedy)
        _check_quantiles(self.quantiles)
        if (self.epsilon is None) == (self.zcdp is None):
            message = "`epsilon` or `zcdp` must be given, one of the two."
            raise ProblemError(message)
        for name, most in _MOST.items():
            value = getattr(self, name)
            if value is not None and not _LEAST <= value <= most:
                raise broken_rule(name, f"be from 1e-6 to {most}", as_text(value))
        if not 1 <= whole_number(self.at_most, "at_most") <= MOST_ROWS:
            raise broken_rule("at_most", f"be from 1 to {MOST_ROWS:,}", self.at_most)
        if self.neighbours is Neighbours.CHANGE and (len(self.quantiles) > 1 or self.at_most > 1):
            remedy = "With add-remove half the budget protects a change."
            raise broken_rule("adjacency", "be add-remove for several quantiles, or rows", "change", remedy)

    @property
    def num_values(self) -> int:
        """Number of values of the range."""
        return int((self.high - self.low) / self.step) + 1

    def index_of(self, value: Fraction) -> int:
        """Return the index of the nearest value of the range; those beyond it have that of its end.

        Examples
        --------
        >>> from optmech.question.quantiles.quantiles import quantiles
        >>> ages = quantiles("18:100", epsilon=1)
        >>> [ages.index_of(Fraction(age)) for age in ("17", "20", "20.5", "103")]
        [0, 2, 3, 82]
        """
        return min(max(int((value - self.low) / self.step + Fraction(1, 2)), 0), self.num_values - 1)

    def value(self, index: int) -> str:
        """Return a value of the range as text."""
        return as_text(self.low + index * self.step)

    @property
    def names(self) -> str:
        """The quantiles in words."""
        known = [_NAMES.get(q, f"{as_text(q)} quantile") for q in self.quantiles]
        return ", ".join(known) if len(known) <= _MOST_NAMED else f"{len(known)} quantiles"

    @property
    def title(self) -> str:
        """Such as ``median of 0..100``."""
        steps = "" if self.step == 1 else f" in steps of {as_text(self.step)}"
        return f"{self.names} of {as_text(self.low)}..{as_text(self.high)}{steps}"

    @property
    def protected(self) -> str:
        """The neighbours in words."""
        if self.neighbours is Neighbours.CHANGE:
            return "one person's value changed; how many people each group has is public"
        rows = "" if self.at_most == 1 else f", with at most {self.at_most:,} rows"
        more = "twice epsilon" if self.zcdp is None else "twice epsilon and four times rho"
        return f"one person added or removed{rows}; at most {more} where values change instead"


def _check_quantiles(quantiles: tuple[Fraction, ...]) -> None:
    told = ", ".join(map(as_text, quantiles))
    if not quantiles or not all(0 < q < 1 and q.denominator >> _MOST_BITS == 0 for q in quantiles):
        raise broken_rule("of", "be quantiles between 0 and 1", told)
    if any(first >= second for first, second in pairwise(quantiles)):
        raise broken_rule("of", "be increasing", told)
    if len(quantiles) > MOST_QUANTILES:
        remedy = (
            "Ask for deciles, or release counts of bins, by `optmech tabulate --bins` and `optmech design "
            "table`: they give each quantile, with limits."
        )
        raise broken_rule("of", f"be at most {MOST_QUANTILES} quantiles", len(quantiles), remedy)
