"""Laws of noise on finitely many whole numbers: fair coins, and any weights that are log-concave."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.arguments import brief, items
from optmech.base.errors import ProblemError
from optmech.base.numbers import as_text, exact
from optmech.question.privacy.noise_law import NoiseLaw, number_between

if TYPE_CHECKING:
    from flint import arb

    from optmech.base.arrays import Floats


__all__ = ["Binomial", "Weights"]

_MOST_VALUES = 10_000


class _FiniteLaw(NoiseLaw):
    """A law of finitely many values."""

    @property
    def spread(self) -> float:
        """The standard deviation."""
        masses = self.floats
        places = np.arange(len(masses))
        return float(np.sqrt(masses @ (places - masses @ places) ** 2))

    def balls(self, most: int) -> list[arb]:
        raise NotImplementedError

    def _masses(self, values: Floats) -> Floats:
        raise NotImplementedError


@dataclass(frozen=True)
class Binomial(_FiniteLaw):
    """The number of heads of fair coins, less half of them, rounded down."""

    trials: int

    word, parameter = "binomial", "trials"

    def __post_init__(self) -> None:
        """Keep a whole number."""
        trials = number_between(self.trials, "trials", 1, _MOST_VALUES)
        if trials.denominator != 1:
            message = f"`trials` must be a whole number; got {as_text(trials)}. It counts coins."
            raise ProblemError(message)
        object.__setattr__(self, "trials", int(trials))
        object.__setattr__(self, "first", -(int(trials) // 2))

    def __str__(self) -> str:
        return f"binomial noise of {self.trials} fair coins"

    @property
    def value(self) -> Fraction:
        """How many coins."""
        return Fraction(self.trials)

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """Pascal's numbers."""
        row, last = [1], 1
        for k in range(self.trials):
            last = last * (self.trials - k) // (k + 1)
            row.append(last)
        return tuple(row)


@dataclass(frozen=True)
class Weights(_FiniteLaw):
    """Probabilities in proportion to whole numbers."""

    listed: tuple[int, ...]

    word, parameter = "weights", "weights"

    def __post_init__(self) -> None:
        """Refuse what is not log-concave."""
        weights = self.listed.split(",") if isinstance(self.listed, str) else self.listed
        numbers = [
            exact(weight, "weights") for weight in items(weights, "weights", "a list of whole numbers")
        ]
        if not 1 < len(numbers) <= _MOST_VALUES or any(n <= 0 or n.denominator != 1 for n in numbers):
            message = (
                f"`weights` must be 2 to {_MOST_VALUES:,} positive whole numbers, in proportion to "
                f"probabilities; got {brief(weights)}."
            )
            raise ProblemError(message)
        whole = tuple(map(int, numbers))
        for place in range(1, len(whole) - 1):
            low, middle, high = whole[place - 1 : place + 2]
            if middle * middle < low * high:
                message = (
                    f"`weights` must be log-concave: the square of each at least the product of its two "
                    f"neighbours, as the theorem of chains asks; got {low}, {middle}, {high} in a row. Ask "
                    "for pairs of epsilon and delta that this noise keeps, in place of the noise."
                )
                raise ProblemError(message)
        object.__setattr__(self, "listed", whole)
        object.__setattr__(self, "first", -((len(whole) - 1) // 2))

    def __str__(self) -> str:
        text = ", ".join(map(str, self.listed[:9])) + (", …" if len(self.listed) > 9 else "")  # noqa: PLR2004
        return f"noise of {len(self.listed)} values with weights {text}"

    @property
    def value(self) -> tuple[int, ...]:
        """The weights."""
        return self.listed

    @property
    def weights(self) -> tuple[int, ...]:
        """The weights."""
        return self.listed
