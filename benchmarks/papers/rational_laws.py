"""Random pairs of laws in rational numbers, and what one leaks about the other, exactly.

`factor` stands for ``e^epsilon``; a rational one is the epsilon ``ln(factor)``. A pair is that of two
neighbouring truths, the first of which is protected against the second.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["FACTORS", "Law", "Pair", "excess", "leak", "pairs", "post_process", "random_answers"]

Law = tuple[Fraction, ...]
FACTORS = (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(5))
_LARGEST_WEIGHT, _MOST_RESPONSES = 12, 6


class Pair(NamedTuple):
    """The laws of the response under two neighbouring truths."""

    first: Law
    second: Law


def pairs(number: int, seed: int) -> Iterator[tuple[Pair, Fraction, Random]]:
    """Yield random pairs of laws, a factor of `FACTORS` for each, and the source that made them."""
    source = Random(seed)  # noqa: S311 - an experiment, nothing is released
    for _ in range(number):
        size = source.randint(2, _MOST_RESPONSES)
        yield Pair(random_law(size, source), random_law(size, source)), source.choice(FACTORS), source


def random_law(size: int, source: Random) -> Law:
    """Return a law on so many responses; some have probability zero."""
    weights = [source.randint(0, _LARGEST_WEIGHT) for _ in range(size - 1)] + [1]
    source.shuffle(weights)
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


def leak(pair: Pair, factor: Fraction) -> Fraction:
    """Return the probabilistic delta: all probability of the responses whose ratio exceeds the factor."""
    return sum((p for p, q in zip(*pair, strict=True) if p > factor * q), Fraction(0))


def excess(pair: Pair, factor: Fraction) -> Fraction:
    """Return the delta of (epsilon, delta)-privacy: the largest ``P(S) - factor Q(S)`` over all sets S."""
    return sum((max(Fraction(0), p - factor * q) for p, q in zip(*pair, strict=True)), Fraction(0))


def post_process(pair: Pair, answers: Sequence[Law]) -> Pair:
    """Return the pair after each response i has been answered by a draw from ``answers[i]``."""

    def processed(law: Law) -> Law:
        weighted = [[p * mass for mass in answer] for p, answer in zip(law, answers, strict=True)]
        return tuple(sum(masses, Fraction(0)) for masses in zip(*weighted, strict=True))

    return Pair(processed(pair.first), processed(pair.second))


def random_answers(number: int, source: Random) -> list[Law]:
    """Return a random law to draw from for each of so many responses."""
    size = source.randint(2, _MOST_RESPONSES)
    return [random_law(size, source) for _ in range(number)]
