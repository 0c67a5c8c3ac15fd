"""Exact loss of a finite mechanism, in balls of `BITS` bits around each probability.

Model
-----
    P, Q      distributions of the outputs of two neighbouring inputs, in both orders
    epsilon   max log P(r) / Q(r) over all r with P(r) > 0; infinite where Q(r) = 0
    delta     max sum_r max(0, P(r) - e^epsilon Q(r)),  plus the mass of P that is not listed

An output that a distribution does not list has probability zero there.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations
from typing import Any, TypeAlias

from flint import arb, fmpq

BITS = 320
"""Bits of each ball. Numbers that agree in all of them are taken to be equal."""

Distribution: TypeAlias = Mapping[Any, arb]
"""Probability of each output."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FiniteLaw:
    """Distributions of a mechanism, by input, and the ordered pairs of inputs that are neighbours.

    `unlisted` is the most that any distribution has outside its listed outputs. With it `epsilon` is a lower
    bound, and `delta` an upper bound that is wider by so much.
    """

    distributions: Mapping[Any, Distribution]
    pairs: Sequence[tuple[Any, Any]]
    unlisted: arb = field(default_factory=arb)

    def epsilon(self) -> arb | None:
        """Return the largest loss between neighbours, ``None`` where it is infinite."""
        largest = arb(0)
        for first, second in self.pairs:
            loss = _largest_loss(self.distributions[first], self.distributions[second], self.unlisted)
            if loss is None:
                return None
            largest = largest.max(loss)
        return largest

    def delta(self, epsilon: float) -> arb:
        """Return the largest delta between neighbours at an epsilon."""
        factor = arb(exact(epsilon)).exp()
        zero, largest = arb(0), arb(0)
        for first, second in self.pairs:
            others = self.distributions[second]
            excess = sum(
                (zero.max(mass - factor * others.get(out, zero)))
                for out, mass in self.distributions[first].items()
            )
            largest = largest.max(excess)
        return largest + self.unlisted


def exact(value: Fraction | float) -> fmpq:
    """Return a rational, or a double with all of its digits, as a rational of FLINT."""
    number = Fraction(value)
    return fmpq(number.numerator, number.denominator)


def steps_apart(inputs: Iterable[int]) -> list[tuple[int, int]]:
    """Return the ordered pairs of whole numbers that are one apart."""
    known = list(inputs)
    return [(first, second) for first in known for second in (first - 1, first + 1) if second in known]


def shifted(noise: Mapping[int, arb], unlisted: arb) -> FiniteLaw:
    """Return noise on the whole numbers 0 and 1, which are neighbours: on others it is the same."""
    return FiniteLaw(
        distributions={0: dict(noise), 1: {value + 1: mass for value, mass in noise.items()}},
        pairs=steps_apart((0, 1)),
        unlisted=unlisted,
    )


def all_pairs(inputs: Iterable[Hashable]) -> list[tuple[Any, Any]]:
    """Return all ordered pairs of different inputs."""
    return list(permutations(inputs, 2))


def _largest_loss(first: Distribution, second: Distribution, unlisted: arb) -> arb | None:
    """Return the largest loss; each probability of the second may be larger by what is not listed."""
    largest = arb(0)
    for out, mass in first.items():
        if mass == 0:
            continue
        other = second.get(out, arb(0)) + unlisted
        if other == 0:
            return None
        largest = largest.max((mass / other).log())
    return largest
