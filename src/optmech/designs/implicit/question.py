"""A count 0..n as what is asked of it: how private, which loss, which truths matter; no matrix is formed."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.errors import ProblemError
from optmech.base.numbers import as_text, exact
from optmech.designs.implicit.decimals import decimal_text
from optmech.question.epsilon import exact_epsilon
from optmech.question.loss import LOSSES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike

    from optmech.base.logarithm import Logarithm
    from optmech.base.numbers import Number

__all__ = ["ImplicitCount"]

# As for priors of a matrix: decimals sum to one only up to their rounding.
_PRIOR_ROUNDING = Fraction(1, 10**9)
_LEAST_EPSILON, _LARGEST_EPSILON = Fraction(1, 10**100), 700
# Gigabytes of whole numbers, and minutes.
_LARGEST_COUNT = 10_000_000
# Python writes and reads whole numbers of at most 4300 digits unasked; those of a proof are somewhat longer.
_MOST_UNIT = 10**1000
# Entries of a listed loss times truths: beyond, minutes pass.
_MOST_WORK = 20_000_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ImplicitCount:
    """A question on a count 0..n whose matrix would be too large to write.

    Attributes
    ----------
    largest : int
        The largest count n, at least 1.
    epsilon : Fraction or Logarithm
        Exact, from 1e-100 to 700.
    loss : str or tuple of Fraction
        ``"absolute"``, ``"squared"``, ``"zero-one"``, or the loss at distance 0, 1, ...: not negative, not
        decreasing; the last holds for all larger distances.
    prior : str or tuple of Fraction
        ``"sum"``: each truth weighs 1; ``"uniform"``: 1/(n+1); or a weight for each truth.
    weights, steps : tuple of int
        The prior, and for a listed or zero-one loss its increase from each distance to the next, from the
        loss at 0 on, as whole numbers over `unit`; `steps` is empty for the other losses.
    unit : int
        Objective and costs in whole numbers are multiples of ``1 / unit``.
    """

    largest: int
    epsilon: Fraction | Logarithm
    loss: str | tuple[Fraction, ...]
    prior: str | tuple[Fraction, ...]
    weights: tuple[int, ...] = field(init=False)
    steps: tuple[int, ...] = field(init=False)
    unit: int = field(init=False)

    def __post_init__(self) -> None:
        """Bring weights and losses to whole numbers."""
        if self.prior in {"sum", "uniform"}:
            weights, weight_unit = [1] * (self.largest + 1), 1 if self.prior == "sum" else self.largest + 1
        else:
            weights, weight_unit = _over_one_unit([Fraction(weight) for weight in self.prior])
        values = [Fraction(0), Fraction(1)] if self.loss == "zero-one" else self.loss
        steps, loss_unit = ([], 1) if isinstance(values, str) else _over_one_unit(values)
        if max(*weights, *steps, weight_unit * loss_unit, 1) > _MOST_UNIT:
            message = (
                "`prior` and `loss` must be whole numbers of at most 1000 digits over a common denominator; "
                "theirs are longer. Round them."
            )
            raise ProblemError(message)
        object.__setattr__(self, "weights", tuple(weights))
        object.__setattr__(self, "steps", tuple(np.diff(np.array([0, *steps], dtype=object)).tolist()))
        object.__setattr__(self, "unit", weight_unit * loss_unit)

    @classmethod
    def asked(
        cls,
        largest: int,
        epsilon: Number,
        loss: str | Iterable[Number] = "absolute",
        prior: str | ArrayLike | None = None,
    ) -> ImplicitCount:
        """Return the question of a user's words; `optmech.implicit_count` says what they may be.

        Raises
        ------
        ProblemError
            If one breaks its rule.
        """
        largest = _largest(largest)
        return cls(
            largest=largest,
            epsilon=_epsilon(epsilon),
            loss=_loss(loss, largest),
            prior=_prior(prior, largest),
        )

    def loss_at(self, distance: int) -> int:
        """Return the loss at a distance of zero or more, in the whole numbers of `unit`."""
        if self.loss == "absolute":
            return distance
        return distance * distance if self.loss == "squared" else sum(self.steps[: distance + 1])

    def cost(self, response: int, truth: int) -> int:
        """Return the weighted loss of a response at a truth, in the whole numbers of `unit`."""
        return self.weights[truth] * self.loss_at(abs(response - truth))

    @property
    def largest_cost(self) -> Fraction:
        """The most that a response can add to the objective at one truth."""
        return Fraction(max(self.weights) * self.loss_at(self.largest), self.unit)

    @property
    def protected(self) -> dict[str, Any]:
        """Who is protected, as every output that tells of privacy says it; a new dictionary."""
        return {
            "kind": "count",
            "parameters": {"smallest": 0, "largest": self.largest, "records_per_person": 1},
            "title": f"count 0..{self.largest}",
            "scope": "every table",
            "directions": "both",
            "neighbours": "True answers at most 1 apart are neighbours.",
            "cautions": [],
        }

    def mirrored(self) -> ImplicitCount:
        """Return the question with each count f as n - f."""
        made = copy(self)
        object.__setattr__(made, "weights", self.weights[::-1])
        if not isinstance(self.prior, str):
            object.__setattr__(made, "prior", self.prior[::-1])
        return made

    def smoothed(self, bits: int) -> ImplicitCount:
        """Return the question with each weight larger by ``2**-bits`` of its unit.

        Between truths that weigh nothing, and far from those that do, one answer is better than another by
        less than fixed point shows. Here each truth weighs enough to be seen by itself.
        """
        made = copy(self)
        object.__setattr__(made, "weights", tuple((weight << bits) + 1 for weight in self.weights))
        object.__setattr__(made, "unit", self.unit << bits)
        return made

    def __str__(self) -> str:
        loss = self.loss if isinstance(self.loss, str) else "listed"
        prior = {"sum": "plain sum over truths", "uniform": "uniform prior"}.get(
            str(self.prior), "given prior"
        )
        return f"count 0..{self.largest}, epsilon = {as_text(self.epsilon)}, {loss} loss, {prior}"


def _over_one_unit(values: Sequence[Fraction]) -> tuple[list[int], int]:
    unit = lcm(*{value.denominator for value in values})
    whole = [value.numerator * (unit // value.denominator) for value in values]
    common = gcd(unit, *whole)
    return [value // common for value in whole], unit // common


def _largest(value: int) -> int:
    try:
        largest = 0 if isinstance(value, bool) else index(value)
    except TypeError:
        largest = 0
    if not 1 <= largest <= _LARGEST_COUNT:
        message = (
            f"`largest`, the largest count, must be a whole number in 1..{_LARGEST_COUNT}; got {value!r}."
        )
        raise ProblemError(message)
    return largest


def _epsilon(value: Number) -> Fraction | Logarithm:
    epsilon = exact_epsilon(value)
    if not _LEAST_EPSILON <= epsilon <= _LARGEST_EPSILON:
        message = (
            f"`epsilon` must be positive, from 1e-100 to {_LARGEST_EPSILON}; got {as_text(epsilon)}. "
            "Below, every mechanism is constant; beyond, nothing is hidden."
        )
        raise ProblemError(message)
    return epsilon


def _loss(value: str | Iterable[Number], largest: int) -> str | tuple[Fraction, ...]:
    if isinstance(value, str):
        if value not in LOSSES:
            message = (
                f"`loss` must be one of {', '.join(LOSSES)}, or a loss for each distance; got {value!r}."
            )
            raise ProblemError(message)
        return value
    losses = _numbers(value, "loss")[: largest + 1]
    if not losses or losses[0] < 0:
        message = "`loss` must hold a loss for each distance from 0 on, zero or more; got " + (
            f"{as_text(losses[0])} at distance 0." if losses else "none."
        )
        raise ProblemError(message)
    for distance in range(1, len(losses)):
        if losses[distance] < losses[distance - 1]:
            message = (
                f"`loss` must not decrease with the distance; got {as_text(losses[distance])} at distance "
                f"{distance} after {as_text(losses[distance - 1])}. Only then is the optimum known."
            )
            raise ProblemError(message)
    while len(losses) > 1 and losses[-1] == losses[-2]:
        losses.pop()
    if len(losses) * largest > _MOST_WORK:
        message = (
            f"`loss` must not have more than {_MOST_WORK // largest} entries for counts up to {largest}; got "
            f"{len(losses)}. Cut it off: the last entry holds for all larger distances."
        )
        raise ProblemError(message)
    return tuple(losses)


def _prior(value: Any, largest: int) -> str | tuple[Fraction, ...]:  # noqa: ANN401 - anything array-like
    if value is None or (isinstance(value, str) and value == "uniform"):
        return "sum" if value is None else "uniform"
    if isinstance(value, str):
        message = f"`prior` must be 'uniform' or one probability for each truth; got {value!r}."
        raise ProblemError(message)
    weights = _numbers(value, "prior")
    if len(weights) != largest + 1:
        message = f"`prior` must have {largest + 1} entries, one for each truth; got {len(weights)}."
        raise ProblemError(message)
    least = min(weights)
    if least < 0:
        message = f"`prior` must be zero or more; got {as_text(least)} at truth {weights.index(least)}."
        raise ProblemError(message)
    total = sum(weights, Fraction(0))
    if abs(total - 1) > _PRIOR_ROUNDING:
        message = f"`prior` must sum to one; got {decimal_text(total)}. Divide each entry by the sum."
        raise ProblemError(message)
    return tuple(weights)


def _numbers(values: Any, name: str) -> list[Fraction]:  # noqa: ANN401 - anything array-like
    try:
        flat = values.tolist() if hasattr(values, "tolist") else list(values)
        return [exact(value, name) for value in flat]
    except TypeError:
        message = f"`{name}` must hold numbers in one row; got {str(values)[:60]!r}."
        raise ProblemError(message) from None
