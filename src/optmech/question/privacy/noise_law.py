"""The interface of every noise distribution that privacy is compared with."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import as_text, exact

if TYPE_CHECKING:
    from flint import arb

    from optmech.base.arrays import Floats


# Beyond this many standard deviations a mass is below the smallest double.
_WIDTHS = 39


class NoiseLaw(ABC):
    """A log-concave law on whole numbers, given exactly."""

    word: ClassVar[str]
    """Its name in a question and in a certificate."""
    parameter: ClassVar[str]
    """Name of its number."""
    is_continuous: ClassVar[bool] = False
    """Whether its values are all numbers, not whole ones alone."""
    no_corners: ClassVar[str | None] = None
    """Why its curve has no list of corners, ``None`` where it is a polygon."""
    into_range: ClassVar[str] = "clamped"
    """The treatment of a value beyond the range, in a word or two."""
    first: int = 0
    """The least value of a law with weights."""

    @property
    def weights(self) -> tuple[int, ...] | None:
        """Whole numbers in proportion to the probabilities, ``None`` where there are infinitely many."""
        return None

    @property
    @abstractmethod
    def spread(self) -> float:
        """The standard deviation, or nearly so."""

    @property
    def variance(self) -> Fraction:
        """The variance of a law of infinitely many values, or a little more."""
        raise NotImplementedError

    @property
    def deviation(self) -> Fraction:
        """Sigma of a continuous law, exactly."""
        raise NotImplementedError

    def balls(self, most: int) -> list[arb]:
        """Return numbers in proportion to the probabilities of 0, ..., `most`, in balls.

        At the precision that is set; those of negative values are the same. For laws without weights.
        """
        raise NotImplementedError

    def _masses(self, values: Floats) -> Floats:
        """Return numbers in proportion to the probabilities of values, as doubles."""
        raise NotImplementedError

    @property
    def floats(self) -> Floats:
        """The probabilities that a double can hold, of all values between the least and the largest."""
        if self.weights is not None:
            total = sum(self.weights)
            return np.array([float(Fraction(weight, total)) for weight in self.weights])
        most = math.ceil(_WIDTHS * self.spread) + 40
        while self._masses(np.array([float(most)]))[0] > 0:
            most *= 2
        masses = self._masses(np.arange(-most, most + 1, dtype=float))
        inside = np.flatnonzero(masses > 0)
        masses = masses[inside[0] : inside[-1] + 1]
        shares: Floats = masses / masses.sum()
        return shares

    @property
    def nearest_doubles(self) -> tuple[int, Floats]:
        """The least value that a double can show, and the probabilities of it and those above, rounded."""
        masses = self.floats
        return (self.first if self.weights is not None else -(len(masses) // 2)), masses

    def mean_power(self, power: int) -> float:
        """Return the mean size of a value, or with a power of 2 of its square."""
        first, masses = self.nearest_doubles
        return float(masses @ np.abs(np.arange(len(masses)) + first).astype(float) ** power)

    def mean_loss(self, losses: Floats) -> float | None:
        """Return the mean of losses at the sizes 0, 1, ...; the last loss holds for all larger sizes.

        ``None`` of a law of all numbers.
        """
        first, masses = self.nearest_doubles
        sizes = np.abs(np.arange(len(masses)) + first)
        return float(masses @ losses[np.minimum(sizes, len(losses) - 1)])

    def delta(self, factor: float) -> float:
        """Return the largest ``P(S) - factor Q(S)`` of sets S, P and Q the law and itself moved by one."""
        masses = np.array([0.0, *self.floats, 0.0])
        here, beside = masses[1:], masses[:-1]
        deltas = (np.maximum(p - factor * q, 0).sum() for p, q in ((here, beside), (beside, here)))
        return float(max(deltas))

    def above(self, shares: Floats) -> Floats:
        """Return K in doubles: the largest probability, one step away, of sets with these probabilities."""
        below = np.minimum(np.cumsum(self.floats), 1.0)
        heights: Floats = np.interp(shares, [0.0, *below, 1.0], [*below, 1.0, 1.0])
        return heights

    @property
    def content(self) -> dict[str, Any]:
        """The law as values of JSON, its number or its weights last."""
        value = getattr(self, self.parameter)
        text = ",".join(map(str, value)) if isinstance(value, tuple) else as_text(value)
        return {"law": self.word, self.parameter: text}


def number_between(argument: Any, name: str, least: Fraction | int, most: int) -> Fraction:  # noqa: ANN401
    """Return a number exactly as given; refuse one that is not positive or too large for a proof."""
    value = exact(argument, name)
    if value <= 0:
        raise broken_rule(name, "be positive", as_text(value), "It says how wide the noise is.")
    if not least <= value <= most:
        message = (
            f"`{name}` must be from {as_text(Fraction(least))} to {most:,}; got {as_text(value)}. For wider "
            "or narrower noise ask for pairs of epsilon and delta."
        )
        raise ProblemError(message)
    return value
