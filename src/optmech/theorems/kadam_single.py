"""One distance between neighbours: least error rate, least delta and the noise itself.

From a noise value one walks by the distance mu until 0 comes back, after ``N = modulus / gcd(modulus, mu)``
steps. Write f_h for the mass after h steps and xi_m for ``1 + e^-epsilon + ... + e^(-(m-1) epsilon)``.

    every delta       f_0 = max(1/xi_N, max_{h <= N-2} min(delta e^(h epsilon), 1/xi_{h+1}))
    -mu as well       f_0 = max(1/sum_i e^(-epsilon min(i, N-i)),
                                max_{2h+1 < N} min(delta e^(h epsilon), 1/(2 xi_{h+1} - 1)))

Proof. Follow the walk from 0 to the first step that leaks, the one from f_h. Before it ``f_i >= e^(-i
epsilon) f_0``, so ``delta >= f_h >= e^(-h epsilon) f_0`` and ``1 >= xi_{h+1} f_0``; if no step before the
last one leaks, ``1 >= xi_N f_0``. Both ways round, take the walk that leaks first: within h steps on
either side no step leaks, so ``1 >= (2 xi_{h+1} - 1) f_0``, and each distance has its own budget. The
masses in `kadam_single_noise` attain this. That ``f_0 >= 1/2``, which Lemma 2 assumes, is not needed.

Source: Kadam et al. 2024, Lemmas 2 and 3, Theorem 2, Corollary 1.   Remark 3 is misprinted: where mu and n
+ 1 have a common factor, n + 1 (not n) becomes N. The two-sided form is not in the paper.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from fractions import Fraction

    from flint import arb

    from optmech.theorems.kadam_powers import Powers

__all__ = [
    "cycle_length",
    "single_error_rate",
    "single_required_delta",
    "symmetric_error_rate",
    "symmetric_required_delta",
    "two_sided_rest",
]

Amount = TypeVar("Amount", float, "arb")


def cycle_length(modulus: int, distance: int) -> int:
    """Return how many noise values a walk by `distance` meets, the paper's N.

    Examples
    --------
    >>> cycle_length(8, 3), cycle_length(8, 2)
    (8, 4)
    """
    return modulus // gcd(modulus, distance)


def single_error_rate(powers: Powers[Amount], cycle: int, delta: Fraction) -> Amount:
    """Return the least error rate for one distance, Kadam Theorem 2.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from optmech.theorems.kadam_powers import Doubles
    >>> round(single_error_rate(Doubles(Fraction(3, 4)), cycle_length(8, 2), Fraction(0)), 12)
    0.44472083078
    """
    # Lemma 3 (17b), (18c): 1 - 1/xi_N.
    best = powers.power(1) * powers.terms(cycle - 1) / powers.terms(cycle)
    if delta == 0:
        return best
    for kept in range(cycle - 1):  # h = kept; section k = N - 1 - h of the paper
        flat = powers.power(1) * powers.terms(kept) / powers.terms(kept + 1)  # (20)
        linear = 1 - powers.grown(delta, kept)  # (21)
        best = powers.smaller(best, powers.larger(flat, linear))
        if linear < flat:  # further on, flat only grows
            break
    return best


def symmetric_error_rate(powers: Powers[Amount], cycle: int, delta: Fraction) -> Amount:
    """Return the least error rate for one distance both ways, Definition 2.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from optmech.theorems.kadam_powers import Doubles
    >>> round(symmetric_error_rate(Doubles(Fraction(1)), 8, Fraction(1, 2)), 12)
    0.423883115234
    """
    rest = two_sided_rest(powers, cycle)
    best = rest / (1 + rest)
    if delta == 0:
        return best
    for kept in range(cycle // 2):  # 2h + 1 < N
        rest = 2 * powers.power(1) * powers.terms(kept)  # 2 xi_{h+1} - 1 = 1 + rest
        flat, linear = rest / (1 + rest), 1 - powers.grown(delta, kept)
        best = powers.smaller(best, powers.larger(flat, linear))
        if linear < flat:
            break
    return best


def single_required_delta(powers: Powers[Amount], cycle: int, accuracy: Fraction) -> Amount:
    """Return the least delta at which ``f(0) >= accuracy``, Kadam Corollary 1 (24).

    Roots of (22) and (25) that do not exist count as 0. The value jumps where ``xi_h accuracy = 1``; a double
    may fall on the other side there.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from optmech.theorems.kadam_powers import Doubles
    >>> round(single_required_delta(Doubles(Fraction(1)), 8, Fraction(7, 10)), 12)
    0.25751560882
    """
    if accuracy <= 0:
        return powers.number(0)
    one, wanted = powers.number(1), powers.number(accuracy)
    if powers.at_most(powers.terms(cycle) * wanted, one):
        return powers.number(0)
    kept = 0
    while kept + 1 <= cycle - 2 and powers.at_most(powers.terms(kept + 2) * wanted, one):
        kept += 1
    return wanted * powers.power(kept)  # (24)


def symmetric_required_delta(powers: Powers[Amount], cycle: int, accuracy: Fraction) -> Amount:
    """Return the least delta at which ``f(0) >= accuracy``, one distance both ways."""
    if accuracy <= 0:
        return powers.number(0)
    one, wanted = powers.number(1), powers.number(accuracy)
    if powers.at_most((1 + two_sided_rest(powers, cycle)) * wanted, one):
        return powers.number(0)
    kept = 0
    while 2 * (kept + 1) + 1 < cycle and powers.at_most((2 * powers.terms(kept + 2) - 1) * wanted, one):
        kept += 1
    return wanted * powers.power(kept)


def two_sided_rest(powers: Powers[Amount], cycle: int) -> Amount:
    """Return ``sum_{0 < i < N} e^(-epsilon min(i, N - i))``."""
    sides = 2 * powers.power(1) * powers.terms((cycle - 1) // 2)
    return sides + powers.power(cycle // 2) if cycle % 2 == 0 else sides
