"""Staircases: noise whose masses are ``f(0) e^(-epsilon level)``, and what bounds their ``f(0)``.

Every closed form of Kadam et al. is a best staircase. It has ``masses[i]`` masses of level i, of which
``leaking[i]`` exceed ``e^epsilon`` times the mass one (worst) distance further. As all add up to at most one
and the leaking ones to at most delta,

    f(0) <= 1 / m,   m = sum_i masses[i] e^(-i epsilon),
    f(0) <= delta / W,   W = sum_i leaking[i] e^(-i epsilon).

Where delta binds, probability is left. `noise_masses` lifts the smallest masses to one common height
until the sum is one. That never leaks more: if ``max(f, c)`` leaks at eta, then ``max(f, c)(eta) >
e^epsilon c``, so the mass at eta was not lifted and leaked before. Hence ``f(0) = min(1 / m, delta / W)``
is attained.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from optmech.theorems.powers import Amount, at_most, larger, smaller

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from optmech.theorems.powers import Powers

Levels = tuple[int | None, ...]
"""The level of each noise value 0, 1, ..., ``None`` where the mass is zero."""


class Staircase(NamedTuple):
    """Number of masses at each level, and of those that leak at the worst distance."""

    masses: tuple[int, ...]
    leaking: tuple[int, ...]


def error_rate(powers: Powers[Amount], stairs: Staircase, delta: Fraction) -> Amount:
    """Return the least ``1 - f(0)`` of a staircase."""
    rest = powers.total((0, *stairs.masses[1:]))
    flat = rest / (1 + rest)  # 1 - 1/m without cancellation
    if not any(stairs.leaking):
        return flat
    return larger(flat, 1 - powers.share(delta, stairs.leaking))


def required_delta(powers: Powers[Amount], stairs: Staircase, accuracy: Fraction) -> Amount | None:
    """Return the delta at which a staircase reaches ``f(0) = accuracy``, ``None`` if none does."""
    if accuracy <= 0:
        return powers.number(0)
    if not _reaches(powers, stairs, accuracy):
        return None
    return powers.total(stairs.leaking) * powers.number(accuracy)


def least_error_rate(powers: Powers[Amount], stairs: Iterable[Staircase], delta: Fraction) -> Amount:
    """Return the least error rate of some staircases."""
    return reduce(smaller, (error_rate(powers, one, delta) for one in stairs), powers.number(1))


def least_required_delta(powers: Powers[Amount], stairs: Iterable[Staircase], accuracy: Fraction) -> Amount:
    """Return the least delta at which one of some staircases reaches ``f(0) = accuracy``."""
    deltas = (required_delta(powers, one, accuracy) for one in stairs)
    return reduce(smaller, (delta for delta in deltas if delta is not None), powers.number(1))


def best_staircase(stairs: Iterable[Staircase], powers: Powers[float], delta: Fraction) -> Staircase:
    """Return the staircase of least error rate, the first of equals."""
    return min(stairs, key=lambda one: error_rate(powers, one, delta))


def _lift(powers: Powers[Amount], levels: Levels, zero_mass: Amount) -> list[Amount]:
    """Return masses ``zero_mass * e^(-epsilon level)``, the smallest lifted until the sum is one.

    `zero_mass` times the sum of the powers may not exceed one, but for rounding.
    """
    masses = _scale(powers, levels, zero_mass)
    depths = [len(levels) + 1 if level is None else level for level in levels]
    order = sorted(range(len(levels)), key=depths.__getitem__, reverse=True)
    total = sum(masses, powers.number(0))
    one = powers.number(1)
    if at_most(one, total):
        return masses
    low = powers.number(0)  # the sum of the masses below the common height
    for count, place in enumerate(order, start=1):
        low = low + masses[place]
        common = (low + (1 - total)) / count
        last = count == len(order)
        if last or at_most(common, masses[order[count]]):
            for place_raised in order[:count]:
                masses[place_raised] = common
            break
    return masses


def noise_masses(
    powers: Powers[Amount], levels: Levels, leaking: Sequence[int], delta: Fraction
) -> list[Amount]:
    """Return the masses of the best noise of given levels, shape (modulus,)."""
    counts = [0] * (1 + max(level for level in levels if level is not None))
    for level in levels:
        if level is not None:
            counts[level] += 1
    flat = 1 / powers.total(counts)
    if not any(leaking) or at_most(flat, powers.share(delta, leaking)):
        return _scale(powers, levels, flat)
    return _lift(powers, levels, powers.share(delta, leaking))


def circulant(masses: Sequence[float]) -> NDArray[np.float64]:
    """Return the mechanism matrix that adds noise: ``matrix[response, truth] = f(response - truth)``."""
    noise = np.array(masses, dtype=float)
    answers = np.arange(len(noise))
    matrix: NDArray[np.float64] = noise[(answers[:, None] - answers[None, :]) % len(noise)]
    return matrix


def _scale(powers: Powers[Amount], levels: Levels, zero_mass: Amount) -> list[Amount]:
    return [zero_mass * (powers.number(0) if level is None else powers.power(level)) for level in levels]


def _reaches(powers: Powers[Amount], stairs: Staircase, accuracy: Fraction) -> bool:
    if sum(stairs.masses) == 1:
        return accuracy <= 1
    return at_most(powers.total(stairs.masses) * powers.number(accuracy), powers.number(1))
