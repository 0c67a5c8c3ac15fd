"""From a solver's noise to whole numbers: noise of bounded width with a given accuracy.

Delta is what comes out, so there is nothing to repair but rounding; mass, mean and accuracy are kept exactly.
The denominator is a power of two times that of the accuracy. Symmetric noise may come as rationals from a
theorem: then the power is so large that the smallest mass keeps as many bits as a probability of one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.designs.repair.rounding import BITS, rounded_down, shares
from optmech.proofs.breach import violation
from optmech.proofs.matrix import ExactMatrix
from optmech.question.structures.bounded import BoundedNoise, noise_of_entries
from optmech.rules import compile_rules

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from optmech.proofs.enclosure import Enclosure
    from optmech.question.problem import Problem

    Floats = NDArray[np.float64]
    Whole = NDArray[Any]

__all__ = ["repair_symmetric", "repair_zero_bias"]


def repair_symmetric(problem: Problem, raw: Floats, factor: Enclosure) -> ExactMatrix | None:
    """Return the symmetric noise as whole numbers, or ``None`` where it breaks something."""
    structure, query = problem.structure, problem.query
    assert isinstance(structure, BoundedNoise)  # noqa: S101 - narrows the type for the checker
    width, accuracy = structure.half_width, structure.accuracy
    shift = noise_of_entries(problem.query)
    first = shift[:, 0]
    masses = [raw[first == i, 0].sum() + raw[first == -i, 0].sum() for i in range(1, width + 1)]
    sides = _exact_sides(masses) if raw.dtype == object else _sides(np.array(masses))
    if sides is None:
        return None
    total = sum(sides)
    whole = np.zeros((query.num_responses, query.num_truths), dtype=object)
    whole[shift == 0] = 2 * accuracy.numerator * total
    for i in range(1, width + 1):
        whole[np.abs(shift) == i] = (accuracy.denominator - accuracy.numerator) * sides[i - 1]
    matrix = ExactMatrix(numerators=whole, denominator=2 * accuracy.denominator * total)
    return matrix if violation(compile_rules(problem), matrix, factor) is None else None


def _sides(masses: Floats) -> list[int] | None:
    """Return noise on both sides as whole numbers that sum to ``2**BITS``."""
    masses = np.clip(np.nan_to_num(masses), 0.0, 1.0)
    if not masses.sum() > 0:
        return None
    sides: list[int] = rounded_down(masses / masses.sum() * (1 - 2.0**-50)).tolist()
    sides[int(masses.argmax())] += 2**BITS - sum(sides)
    return sides


def _exact_sides(masses: list[Fraction]) -> list[int]:
    """Return the same of rationals, their sum a power of two that is large enough for the smallest."""
    least = min(mass for mass in masses if mass > 0)
    bits = BITS + max(0, least.denominator.bit_length() - least.numerator.bit_length())
    total = sum(masses)
    sides = [
        (mass.numerator * total.denominator << bits) // (mass.denominator * total.numerator)
        for mass in masses
    ]
    sides[masses.index(max(masses))] += (1 << bits) - sum(sides)
    return sides


def repair_zero_bias(problem: Problem, raw: Floats, factor: Enclosure) -> ExactMatrix | None:
    """Return the zero-bias noise as whole numbers, or ``None`` where it breaks something."""
    structure = problem.structure
    assert isinstance(structure, BoundedNoise)  # noqa: S101 - narrows the type for the checker
    shift = noise_of_entries(problem.query)
    sound = np.clip(np.nan_to_num(raw), 0.0, 1.0)
    for share in shares(0.0):
        columns = [
            _column(sound[:, place], shift[:, place], structure.accuracy, structure.half_width, share)
            for place in range(problem.query.num_truths)
        ]
        if any(column is None for column in columns):
            continue
        whole = np.column_stack([column for column in columns if column is not None])
        matrix = ExactMatrix(numerators=whole, denominator=structure.accuracy.denominator * 2**BITS)
        if violation(compile_rules(problem), matrix, factor) is None:
            return matrix
    return None


def _column(
    masses: Floats, shift: NDArray[np.int64], accuracy: Fraction, width: int, share: float
) -> Whole | None:
    """Return one column: its noise but for a share of one step up or down, which then mends mass and mean."""
    off = (shift != 0) & (np.abs(shift) <= width)
    total = (accuracy.denominator - accuracy.numerator) * 2**BITS
    part = np.where(off, masses, 0.0)
    if not part.sum() > 0:
        return None
    whole = rounded_down(part / part.sum() * (1 - share)) * (accuracy.denominator - accuracy.numerator)
    mass = total - int(whole.sum())
    mean = -int((whole * shift).sum())
    if (mass + mean) % 2 and width > 1:  # two steps up change mass and mean by an odd number in all
        whole[shift == 2] += 1  # noqa: PLR2004
        mass, mean = mass - 1, mean - 2
    whole[shift == 1] += (mass + mean) // 2
    whole[shift == -1] += (mass - mean) // 2
    whole[shift == 0] = accuracy.numerator * 2**BITS
    return whole if (whole >= 0).all() and int(whole.sum()) == accuracy.denominator * 2**BITS else None
