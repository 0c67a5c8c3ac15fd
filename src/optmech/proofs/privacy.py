"""Decide the privacy of a matrix of whole numbers by comparing integers.

Below, P and Q are entries of the columns of two neighbours, and ``E <= e^epsilon <= F`` are rationals. A
ratio within E is within ``e^epsilon``; one above F exceeds it. Between neighbours with a weight, the powers
of E and F are used; a long power is replaced by a shorter number on the same side. The delta is then an upper
bound of the delta at E, which bounds the delta at ``e^epsilon``.

For any definition in a question, the delta of (epsilon, delta)-differential privacy is over all sets of
responses in both directions between neighbours. The delta of single outcomes is smaller, and a query that
protects one of two neighbours gives no delta for the other.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, assert_never

import numpy as np

from optmech.base.blocks import Choice, Excess, Ratio
from optmech.base.slices import row_slices
from optmech.proofs.enclosure import power_below

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from optmech.proofs.enclosure import Enclosure
    from optmech.proofs.matrix import ExactMatrix
    from optmech.question.query import Query
    from optmech.rules import Rules

    Integers = NDArray[Any]
    Positions = NDArray[np.int64]

# Deltas over a larger denominator are shown with this many digits.
_LONGEST_DELTA, _DIGITS, _DIGITS_OF_A_BIT = 10**40, 30, 0.30103


class BrokenRatio(NamedTuple):
    """A violation of privacy: the entry at the truth is more than E times the one at the neighbour."""

    response: int
    truth: int
    neighbour: int


def first_excess(rules: Rules, matrix: ExactMatrix, lower: Fraction) -> BrokenRatio | None:
    """Return an entry with ``P > lower^weight Q``, or ``None`` where every ratio is kept."""
    block = rules.privacy[0]
    entries, responses = matrix.numerators, np.arange(rules.shape[0])
    if block.responses is not None:
        entries, responses = entries[block.responses], responses[block.responses]
    if rules.is_even:
        mask = entries.max(axis=1) <= _caps(entries.min(axis=1), lower)
        if mask.all():
            return None
        row = int(np.argmin(mask))
        return BrokenRatio(int(responses[row]), int(np.argmax(entries[row])), int(np.argmin(entries[row])))
    steps, powers = list(_compared_columns(block)), _powers(block.weights, lower)
    for rows in row_slices(entries.shape):
        part = entries[rows]
        # P <= lower Q if and only if P <= floor(lower Q)
        caps = _caps(part, lower) if rules.heaviest == 1 else None
        for truths, neighbours, weight in steps:
            violations = part[:, truths] > _cap(part, neighbours, powers[weight], caps)
            if violations.any():
                row, index = np.argwhere(violations)[0].tolist()
                return BrokenRatio(
                    int(responses[rows.start + row]), int(truths[index]), int(neighbours[index])
                )
    return None


def delta_spent(rules: Rules, matrix: ExactMatrix, factor: Enclosure) -> Fraction:
    """Return the delta of the matrix by the question's definition, zero for pure privacy.

    Pure privacy is not measured here: see `first_excess`.
    """
    block = rules.privacy[0]
    entries = matrix.numerators if block.responses is None else matrix.numerators[block.responses]
    match block:
        case Ratio():
            match block.excess:
                case Excess.NONE:
                    return Fraction(0)
                case Excess.EACH:
                    delta = _largest(
                        excess.max(axis=0) / scale
                        for excess, scale in _excesses(entries, block, factor.lower)
                    )
                case Excess.SUM:
                    delta = _hockey_stick(entries, block, factor.lower)
                case _:
                    assert_never(block.excess)
        case Choice():
            delta = Fraction(_leak(block, entries, factor.lower))
        case _:
            assert_never(block)
    return delta / matrix.denominator


def short_delta(delta: Fraction, most: Fraction | None = None) -> Fraction:
    """Return a short delta itself, a long one rounded up to thirty digits, at most `most`."""
    if delta.denominator <= _LONGEST_DELTA:
        return delta
    bits = delta.denominator.bit_length() - delta.numerator.bit_length()
    scale = 10 ** (_DIGITS + int(max(bits, 0) * _DIGITS_OF_A_BIT))
    delta_above = Fraction(-(-delta.numerator * scale // delta.denominator), scale)
    return delta_above if most is None else min(delta_above, most)


def delta_of_sets(rules: Rules, matrix: ExactMatrix, factor: Enclosure, delta: Fraction) -> Fraction:
    """Return the least delta at the epsilon of the question, at the weights of its neighbours, rounded up.

    `delta` is that of the matrix by the question's definition, zero where every ratio is kept.
    """
    query = rules.problem.query
    match rules.privacy[0]:
        case Ratio(excess=Excess.NONE | Excess.SUM) if query.symmetric:
            return delta
    return short_delta(_hockey_stick(matrix.numerators, both_ways(query), factor.lower) / matrix.denominator)


def both_ways(query: Query) -> Query:
    """Return the query with each of two neighbours protected against the other."""
    return query if query.symmetric else query.variant(both_ways=True)


def _compared_columns(between: Ratio | Choice | Query) -> Iterator[tuple[Positions, Positions, int]]:
    """Yield truths and neighbours with equal difference and weight, so no column repeats on a side."""
    for weight in np.unique(between.weights).tolist():
        pairs = between.pairs[between.weights == weight]
        steps = pairs[:, 1] - pairs[:, 0]
        for step in np.unique(steps):
            yield *pairs[steps == step].T, weight


def _hockey_stick(entries: Integers, between: Ratio | Query, lower: Fraction) -> Fraction:
    """Return the largest sum of excesses ``max(0, P - lower^weight Q)``, over the pairs of neighbours."""
    return _largest(excess.sum(axis=0) / scale for excess, scale in _excesses(entries, between, lower))


def _largest(parts: Iterable[Integers]) -> Fraction:
    return max((Fraction(part.max()) for part in parts), default=Fraction(0))


def _powers(weights: Positions, lower: Fraction) -> dict[int, Fraction]:
    """Return ``lower^weight`` for each weight of neighbours, rounded down where that is long."""
    return {weight: power_below(lower, weight) for weight in set(weights.tolist())}


def _caps(entries: Integers, lower: Fraction) -> Integers:
    large: Integers = entries * lower.numerator
    bits = lower.denominator.bit_length() - 1
    return large >> bits if lower.denominator == 1 << bits else large // lower.denominator  # twice as fast


def _cap(entries: Integers, columns: Integers, power: Fraction, caps: Integers | None) -> Integers:
    """Return ``floor(power Q)`` of some columns, from a table where all share one power.

    If each pair of neighbours has its own weight, a table for each weight would be mostly unused.
    """
    return _caps(entries[:, columns], power) if caps is None else caps[:, columns]


def _excesses(
    entries: Integers, between: Ratio | Query, lower: Fraction
) -> Iterator[tuple[Integers, Fraction]]:
    """Yield ``max(0, P - lower^weight Q)`` for pairs of columns, as whole numbers over a scale."""
    powers = _powers(between.weights, lower)
    if len(powers) == 1:
        (power,) = powers.values()
        large, small = entries * power.denominator, entries * power.numerator
    for truths, neighbours, weight in _compared_columns(between):
        power = powers[weight]
        if len(powers) == 1:
            gain, loss = large[:, truths], small[:, neighbours]
        else:
            gain, loss = entries[:, truths] * power.denominator, entries[:, neighbours] * power.numerator
        yield np.maximum(gain - loss, 0), Fraction(power.denominator)


def _leak(block: Choice, entries: Integers, lower: Fraction) -> int:
    """Return the largest mass of responses with ``P > lower^weight Q``, over the pairs of neighbours."""
    powers, most = _powers(block.weights, lower), 0
    caps = _caps(entries, *powers.values()) if len(powers) == 1 else None
    for truths, neighbours, weight in _compared_columns(block):
        over = entries[:, truths] > _cap(entries, neighbours, powers[weight], caps)
        mass = np.where(over, entries[:, truths], 0).sum(axis=0)
        most = max(most, int(mass.max()))
    return most
