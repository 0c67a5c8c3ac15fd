"""The best noise for one distance, whole: Kadam et al. 2024, Lemma 3 and Theorem 2, for any common factor.

The masses fall by e^-epsilon at each step of the walk from 0 by the distance, up to the one that leaks.
Behind it all are zero where the error rate is flat in delta; where it is linear they share what is left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from optmech.theorems.kadam_single import cycle_length, two_sided_rest
from optmech.theorems.kadam_staircase import lifted

if TYPE_CHECKING:
    from fractions import Fraction

    from flint import arb

    from optmech.theorems.kadam_powers import Powers

__all__ = ["last_kept", "single_masses", "symmetric_masses"]

Amount = TypeVar("Amount", float, "arb")


def single_masses(
    powers: Powers[Amount], modulus: int, distance: int, delta: Fraction, kept: int
) -> list[Amount]:
    """Return the noise of Theorem 2 where the mass after `kept` steps leaks, from `last_kept`.

    `kept` of ``N - 1`` is the noise of Lemma 3, that leaks nowhere.
    """
    cycle = cycle_length(modulus, distance)
    flat = 1 / powers.terms(kept + 1)
    linear = powers.grown(delta, kept)
    masses = [powers.number(0)] * modulus
    if kept == cycle - 1 or powers.at_most(flat, linear):  # (17), (18), (20)
        for step in range(kept + 1):
            masses[step * distance % modulus] = flat * powers.power(step)
        return masses
    for step in range(kept + 1):  # (21), h in [n - k]
        masses[step * distance % modulus] = linear * powers.power(step)
    left = 1 - linear * powers.terms(kept + 1)
    for step in range(kept + 1, cycle):  # (21): what is left, falling by e^-epsilon
        share = powers.power(step - kept - 1) / powers.terms(cycle - kept - 1)
        masses[step * distance % modulus] = left * share
    return masses


def symmetric_masses(
    powers: Powers[Amount], modulus: int, distance: int, delta: Fraction, kept: int
) -> list[Amount]:
    """Return the noise of `symmetric_error_rate` where the masses `kept` steps either way leak."""
    cycle = cycle_length(modulus, distance)
    whole = 2 * kept + 1 >= cycle
    levels: list[int | None] = [None] * modulus
    for step in range(cycle):
        level = min(step, cycle - step)
        levels[step * distance % modulus] = level if whole or level <= kept else None
    rest = two_sided_rest(powers, cycle) if whole else 2 * powers.power(1) * powers.terms(kept)
    flat = 1 / (1 + rest)
    linear = powers.grown(delta, kept)
    if whole or powers.at_most(flat, linear):
        return [powers.number(0) if level is None else flat * powers.power(level) for level in levels]
    return lifted(powers, tuple(levels), linear)


def last_kept(powers: Powers[float], cycle: int, delta: Fraction, *, symmetric: bool = False) -> int:
    """Return how many steps from 0 the leaking mass of the best noise lies; ``cycle - 1`` if none leaks."""
    best, choice = (
        (1 / (1 + two_sided_rest(powers, cycle)) if symmetric else 1 / powers.terms(cycle)),
        cycle - 1,
    )
    kept = 0
    while (2 * kept + 1 < cycle) if symmetric else (kept <= cycle - 2):
        terms = powers.terms(kept + 1)
        value = min(powers.grown(delta, kept), 1 / (2 * terms - 1 if symmetric else terms))
        if value > best:
            best, choice = value, kept
        kept += 1
    return choice
