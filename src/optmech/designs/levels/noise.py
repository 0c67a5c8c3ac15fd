"""Noise on levels as a matrix of whole numbers that is private exactly."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING

import numpy as np

from optmech.proofs.matrix import ExactMatrix

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from optmech.base.arrays import Integers
    from optmech.designs.levels.best_noise import BestNoise
    from optmech.designs.levels.circle import Circle
    from optmech.rules.noise_question import NoiseQuestion

# All masses together, in bits: a power of two, so that draws can take constant time.
_BITS = 160
# Powers of two, relatively: zero may have so much beyond the first level times e^epsilon; masses get so much
# less than their share at first; and so much less may leak than is allowed.
_SPARE, _LESS, _MARGIN = 64, 80, 58


def masses_of(question: NoiseQuestion, best: BestNoise, lower: Fraction) -> list[int]:
    """Return the masses of the best noise, whole numbers; `lower` is at most e^epsilon."""
    if best.levels is None:
        return _truth_and_others(question)
    return noise_on_levels(question, best.circle, best.levels, lower)


def noise_on_levels(
    question: NoiseQuestion, circle: Circle, levels: Mapping[int, int], lower: Fraction
) -> list[int]:
    """Return the masses of the best noise on levels.

    A level has the mass of the one before it over `lower`, rounded up, so that no step to the next level
    leaks; the first one has a little more. Where more leaks than delta allows, or less mass is there than may
    be, the smallest masses are raised to one floor: from a value on the floor nothing leaks, as all others
    have more, and from others not more than before. Then all are scaled, and the rest of the rounding goes to
    zero, which the first level leaves room for.
    """
    whole = 1 << _BITS
    masses = _on_levels(circle, levels, lower, whole)
    if question.delta is not None:
        least = ceil(_leak(circle, masses, lower) / question.delta * (1 + Fraction(1, 1 << _MARGIN)))
        height = _least(lambda floor_of_masses: _total(masses, floor_of_masses) >= least, whole)
    else:
        most = floor(whole / _least_share(question))
        height = _least(lambda floor_of_masses: _total(masses, floor_of_masses + 1) > most, whole)
    zero = whole * whole // _total(masses, height)
    zero -= zero >> _LESS
    scaled = [max(mass, height * zero // whole) for mass in _on_levels(circle, levels, lower, zero)]
    return [whole - sum(scaled[1:]), *scaled[1:]]


def _on_levels(circle: Circle, levels: Mapping[int, int], lower: Fraction, zero: int) -> list[int]:
    """Return masses of powers of `lower`, of which zero has the given one."""
    each, above = [zero], zero + (zero >> _SPARE)
    for _ in range(max(levels.values())):
        above = ceil(above / lower)
        each.append(above)
    return [each[levels[value]] if value in levels else 0 for value in range(circle.size)]


def _truth_and_others(question: NoiseQuestion) -> list[int]:
    """Return noise that tells the truth as often as delta allows, or as rarely as the cost, others alike."""
    whole, size = 1 << _BITS, question.size
    if question.delta is None:
        truth = ceil(whole * _least_share(question))
    else:
        truth = max(floor(whole * question.delta), whole - whole * (size - 1) // size)
    each, more = divmod(whole - truth, size - 1)
    return [truth, *(each + (value < more) for value in range(size - 1))]


def matrix_of(masses: list[int], turns: Integers) -> ExactMatrix:
    """Return the matrix of noise; `turns` is the noise of each response and truth."""
    return ExactMatrix(numerators=np.array(masses, dtype=object)[turns], denominator=sum(masses))


def _least_share(question: NoiseQuestion) -> Fraction:
    """Return the least probability of the truth that a bound on the cost allows."""
    assert question.at_most is not None  # noqa: S101 - it or a delta is given
    return (question.other_cost - question.at_most) / (question.other_cost - question.truth_cost)


def _leak(circle: Circle, masses: list[int], lower: Fraction) -> int:
    """Return the largest leak of a distance."""
    return max(
        sum(mass for value, mass in enumerate(masses) if mass > lower * masses[after[value]])
        for after in circle.after
    )


def _total(masses: list[int], height: int) -> int:
    return sum(max(mass, height) for mass in masses)


def _least(holds: Callable[[int], bool], most: int) -> int:
    """Return the least whole number up to `most` from which on a condition holds, `most` if none is less."""
    low, high = 0, most
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low
