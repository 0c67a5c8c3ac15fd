"""What a matrix of whole numbers spends of privacy, by comparing integers.

Below, P and Q are entries of the columns of two neighbours, and ``E <= e^epsilon <= F`` are rationals. What
is kept with E is kept with ``e^epsilon``; what exceeds F exceeds it. Between neighbours with a weight, that
power of E and of F stands for them; where it is long, one of fewer digits on the same side of the number.
What is spent is then an upper bound of what is spent at E, as that is of what is spent at ``e^epsilon``.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from optmech.base.slices import row_slices
from optmech.proofs.enclosure import power_below
from optmech.proofs.neighbours import compared_columns, is_complete
from optmech.question.privacy import (
    ApproximatePrivacy,
    PerOutcomePrivacy,
    ProbabilisticPrivacy,
    PurePrivacy,
    Reading,
    SymmetricRows,
)
from optmech.question.structures import SymmetricNoise

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from optmech.proofs.enclosure import Enclosure
    from optmech.proofs.matrix import ExactMatrix
    from optmech.question.problem import Problem
    from optmech.question.query import Query
    from optmech.rules import Rules

    Integers = NDArray[Any]

__all__ = [
    "Excess",
    "compared_rows",
    "delta_spent",
    "first_excess",
    "has_budgets",
    "is_approximate",
    "is_printed",
    "is_probabilistic",
    "is_pure",
    "short_delta",
    "spent_delta",
]


# Deltas over a larger denominator are told in so many digits.
_LONGEST_DELTA, _DIGITS, _DIGITS_OF_A_BIT = 10**40, 30, 0.30103


class Excess(NamedTuple):
    """Where a matrix is not private: its entry at the truth exceeds that at the neighbour by more than E."""

    response: int
    truth: int
    neighbour: int


def is_pure(problem: Problem) -> bool:
    """Whether every ratio must be kept: pure privacy, or a privacy of sets with nothing to spend."""
    match problem.privacy:
        case PurePrivacy():
            return True
        case ApproximatePrivacy(delta=delta) | ProbabilisticPrivacy(delta=delta):
            return delta == 0
        case PerOutcomePrivacy():
            return False
        case _:
            message = f"no rule knows {problem}"
            raise TypeError(message)


def is_probabilistic(problem: Problem) -> bool:
    """Whether ratios may be violated: probabilistic privacy with something to spend."""
    return isinstance(problem.privacy, ProbabilisticPrivacy) and not is_pure(problem)


def is_approximate(problem: Problem) -> bool:
    """Whether excesses sum up to a delta: (epsilon, delta)-differential privacy with something to spend."""
    return isinstance(problem.privacy, ApproximatePrivacy) and not is_pure(problem)


def has_budgets(problem: Problem) -> bool:
    """Whether each pair of neighbours may spend delta on several responses."""
    return is_probabilistic(problem) or is_approximate(problem)


def is_printed(problem: Problem) -> bool:
    """Whether the problem is the printed program of Kadam et al. 2024, one indicator for all distances."""
    return is_probabilistic(problem) and getattr(problem.privacy, "reading", None) is Reading.PRINTED


def first_excess(query: Query, matrix: ExactMatrix, lower: Fraction) -> Excess | None:
    """Return an entry with ``P > lower^weight Q``, or ``None`` where every ratio is kept."""
    entries = matrix.numerators
    if is_complete(query) and not query.is_weighted:
        kept = entries.max(axis=1) <= _caps(entries.min(axis=1), lower)
        if kept.all():
            return None
        row = int(np.argmin(kept))
        return Excess(row, int(np.argmax(entries[row])), int(np.argmin(entries[row])))
    steps, powers = compared_columns(query), _powers(query, lower)
    for rows in row_slices(entries.shape):
        block = entries[rows]
        # P <= lower Q if and only if P <= floor(lower Q)
        caps = None if query.is_weighted else _caps(block, lower)
        for truths, neighbours, weight in steps:
            broken = block[:, truths] > _capped(block, neighbours, powers[weight], caps)
            if broken.any():
                row, place = np.argwhere(broken)[0].tolist()
                return Excess(rows.start + row, int(truths[place]), int(neighbours[place]))
    return None


def compared_rows(problem: Problem) -> Iterator[tuple[int, int, int]]:
    """Yield which (response, truth, neighbour) a per-outcome privacy of symmetric noise holds against E.

    All counts share the noise, so the first two stand for all. The printed rows (17)-(19) of Sadeghi et al.
    2020 are the first ``half_width + 1`` responses.
    """
    structure, privacy = problem.structure, problem.privacy
    width = structure.half_width if isinstance(structure, SymmetricNoise) else 0
    paper = getattr(privacy, "rows", SymmetricRows.ALL) is SymmetricRows.PAPER
    yield from ((row, 0, 1) for row in range(width + 1 if paper else 2 * width + 1))


def spent_delta(problem: Problem, matrix: ExactMatrix, factor: Enclosure) -> Fraction:
    """Return the delta of the problem's own privacy that the matrix spends, zero for pure privacy.

    Pure privacy is not measured here: see `first_excess`.
    """
    if is_pure(problem):
        return Fraction(0)
    match problem.privacy:
        case ProbabilisticPrivacy():
            printed = is_printed(problem)
            spent = (
                _printed_leak(problem, matrix, factor) if printed else _leak(problem, matrix, factor.lower)
            )
            return Fraction(spent, matrix.denominator)
        case ApproximatePrivacy():
            return _hockey_stick(problem, matrix, factor.lower)
        case PerOutcomePrivacy():
            return _per_outcome(problem, matrix, factor.lower)
        case PurePrivacy():
            return Fraction(0)
        case _:
            message = f"no rule knows {problem}"
            raise TypeError(message)


def delta_spent(rules: Rules, matrix: ExactMatrix, factor: Enclosure) -> Fraction:
    """Return the delta of the question's own privacy that the matrix spends, zero for pure privacy."""
    return spent_delta(rules.problem, matrix, factor)


def short_delta(spent: Fraction, most: Fraction | None = None) -> Fraction:
    """Return a delta as it is where it is short, else rounded up to thirty digits; never above `most`.

    Examples
    --------
    >>> short_delta(Fraction(1, 3)), float(short_delta(Fraction(10**50, 3 * 10**50 + 1)))
    (Fraction(1, 3), 0.3333333333333333)
    >>> short_delta(Fraction(10**50 - 1, 2 * 10**50), Fraction(1, 2))
    Fraction(1, 2)
    """
    if spent.denominator <= _LONGEST_DELTA:
        return spent
    bits = spent.denominator.bit_length() - spent.numerator.bit_length()
    scale = 10 ** (_DIGITS + int(max(bits, 0) * _DIGITS_OF_A_BIT))
    rounded = Fraction(-(-spent.numerator * scale // spent.denominator), scale)
    return rounded if most is None else min(rounded, most)


def _powers(query: Query, lower: Fraction) -> dict[int, Fraction]:
    """Return ``lower^weight`` for each weight that neighbours have, or a little less where that is long."""
    return {weight: power_below(lower, weight) for weight in set(query.weights.tolist())}


def _caps(entries: Integers, lower: Fraction) -> Integers:
    large: Integers = entries * lower.numerator
    bits = lower.denominator.bit_length() - 1
    return large >> bits if lower.denominator == 1 << bits else large // lower.denominator  # twice as fast


def _capped(entries: Integers, columns: Integers, power: Fraction, caps: Integers | None) -> Integers:
    """Return ``floor(power Q)`` of some columns, out of those of all where one power is for all of them.

    With a weight of its own for each pair of neighbours, most of a table for each weight would not be used.
    """
    return _caps(entries[:, columns], power) if caps is None else caps[:, columns]


def _per_outcome(problem: Problem, matrix: ExactMatrix, lower: Fraction) -> Fraction:
    entries, top, bottom = matrix.numerators, lower.numerator, lower.denominator
    if isinstance(problem.structure, SymmetricNoise):
        worst = max(entries[r, f] * bottom - entries[r, g] * top for r, f, g in compared_rows(problem))
        return max(Fraction(0), Fraction(int(worst), bottom * matrix.denominator))
    excesses = (excess.max(axis=0) / scale for excess, scale in _excesses(problem.query, entries, lower))
    return max((each.max() for each in excesses), default=Fraction(0)) / matrix.denominator


def _hockey_stick(problem: Problem, matrix: ExactMatrix, lower: Fraction) -> Fraction:
    """Return the largest sum of excesses ``max(0, P - lower Q)``, over the pairs of neighbours."""
    entries = matrix.numerators
    sums = (excess.sum(axis=0) / scale for excess, scale in _excesses(problem.query, entries, lower))
    return max((each.max() for each in sums), default=Fraction(0)) / matrix.denominator


def _excesses(query: Query, entries: Integers, lower: Fraction) -> Iterator[tuple[Integers, Fraction]]:
    """Yield ``max(0, P - lower Q)`` for pairs of columns, as whole numbers over a scale."""
    powers = _powers(query, lower)
    if not query.is_weighted:
        large, small = entries * lower.denominator, entries * lower.numerator
    for truths, neighbours, weight in compared_columns(query):
        power = powers[weight]
        if query.is_weighted:
            left, right = entries[:, truths] * power.denominator, entries[:, neighbours] * power.numerator
        else:
            left, right = large[:, truths], small[:, neighbours]
        yield np.maximum(left - right, 0), Fraction(power.denominator)


def _leak(problem: Problem, matrix: ExactMatrix, lower: Fraction) -> int:
    """Return the largest mass of responses with ``P > lower Q``, over the pairs of neighbours."""
    entries = matrix.numerators
    powers, most = _powers(problem.query, lower), 0
    caps = None if problem.query.is_weighted else _caps(entries, lower)
    for truths, neighbours, weight in compared_columns(problem.query):
        over = entries[:, truths] > _capped(entries, neighbours, powers[weight], caps)
        mass = np.where(over, entries[:, truths], 0).sum(axis=0)
        most = max(most, int(mass.max()))
    return most


def _printed_leak(problem: Problem, matrix: ExactMatrix, factor: Enclosure) -> int:
    """Return the mass of the noise that exceeds; an outcome that keeps only some of its ratios counts as all.

    The printed program of Kadam et al. 2024 has one indicator for all distances of an outcome: its ratios are
    all kept, or all reversed, (13f)-(13g). Noise that is neither is no solution of it.
    """
    noise = matrix.numerators[:, 0]
    neighbours = problem.query.pairs[problem.query.pairs[:, 0] == 0, 1]
    others = matrix.numerators[:, neighbours]
    kept = (noise[:, None] <= _caps(others, factor.lower)).all(axis=1)
    turned = (noise[:, None] * factor.upper.denominator >= others * factor.upper.numerator).all(axis=1)
    if not (kept | turned).all():
        return matrix.denominator
    return int(np.where(kept, 0, noise).sum())
