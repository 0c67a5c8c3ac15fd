"""The delta of differential privacy itself for symmetric bounded noise, and the least there is.

Sadeghi et al. 2020 hold each single outcome to delta; differential privacy holds every set of outcomes. Its
delta, the hockey-stick divergence of two neighbouring columns, is in units of ``half_error``, with
``alpha_0 = C`` and ``alpha_{D+1} = 0``,

    b = sum_{i=0..D} (alpha_i - E alpha_{i+1})+  +  sum_{i=1..D} (alpha_i - E alpha_{i-1})+ .

D + 1 in place of 2D + 1. Noise z and 1 - z cannot both be worse than E times their neighbours z - 1 and -z:
then ``p(z) > E p(z-1) = E p(1-z) > E^2 p(-z) = E^2 p(z)``. The outcomes -D, …, D + 1 are D + 1 such pairs, so
that delta is at most D + 1 times the delta of single outcomes. Remark 2 says 2D + 1.

Least delta. Let s_i and u_i be the terms of the two sums. Then ``alpha_i <= E alpha_{i+1} + s_i`` and
``alpha_i <= E alpha_{i-1} + u_i``, and since the weights sum to one, for every m up to D / 2

    1 <= C E S_m + sum_{i<=m} u_i S_{m-i+1} + sum_{i>m} s_i S_{i-m} <= C E S_m + b S_{D-m} .

The average of this for m = h and D - h, h = floor(D / 2), is ``2 <= C E (S_h + S_{D-h}) + b (S_h + S_{D-h})``
by the same count, and the set of outcomes up to the truth gives ``b >= C + 1 - E = x``. So b is at least

    x,   (1 - C E S_m) / S_{D-m} for m = 0, …, h,   2 / (S_h + S_{D-h}) - C E .

One of them is attained by weights that fall by E from D - h, or from m, outwards; see `least_true_weights`.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from optmech.theorems.sadeghi import least_delta, least_delta_printed
from optmech.theorems.sadeghi_letters import ClosedForm, exceeds

if TYPE_CHECKING:
    from optmech.theorems.sadeghi_letters import Law, Real


@ClosedForm
def claimed_true_delta(law: Law[Real]) -> Real:
    """Delta as claimed by Remark 2 for Definition 2: 2D + 1 times that of Theorem 3, not capped at one.

    False where Theorem 3 is: at epsilon = 1, accuracy 0.01, D = 4 it claims .0947, and the truth is .3433.
    """
    single: Real = least_delta_printed.formula(law)
    return single * (2 * law.D + 1)


@ClosedForm
def true_delta_bound(law: Law[Real]) -> Real:
    """D + 1 times the least delta for single outcomes, which holds at any accuracy; proof in the module."""
    single: Real = least_delta.formula(law)
    return single * (law.D + 1)


class NoiseShape(NamedTuple):
    """The attained bound on the delta of differential privacy."""

    kind: str
    """``"knee"``: x. ``"geometric"``: the one of m. ``"balanced"``: the last."""
    order: int
    """m of geometric, h of balanced, else 0: how many weights, from the truth outwards, rise."""


@ClosedForm
def least_true_shape(law: Law[Real]) -> NoiseShape:
    """Return the largest bound of the module.

    From ``C >= E^(D-2) / S_D`` on, weights that fall by E all the way are optimal: from accuracy 1/5 on for
    D > 1, and from 1/3 on for D = 1.
    """
    half = law.D // 2
    if exceeds(law.x * law.S[law.D], law.E * 0 + 1):
        return NoiseShape("knee", 0)
    if exceeds(law.E * 0 + 1, law.C * law.E * (law.S[half] + law.S[law.D - half])):
        return NoiseShape("balanced", half)

    def is_enough(m: int) -> bool:
        last = law.S[law.D - m + 1] / law.E ** (law.D - 2 * m)
        return not exceeds(law.E * 0 + 1, law.C * (law.E * law.S[m - 1] + last))

    return NoiseShape("geometric", bisect_left(range(1, half + 1), x=True, key=is_enough))


@ClosedForm
def least_true_delta(law: Law[Real]) -> Real:
    """Least delta of differential privacy, over all sets of outcomes, of any symmetric noise.

    Definition 2 is up to D times worse, .00040346 here:

    >>> round(least_true_delta("1.1", "0.5", 8), 8)
    7.553e-05
    """
    kind, order = least_true_shape.formula(law)
    if kind == "knee":
        return law.half_error * law.x
    if kind == "balanced":
        ends: Real = law.S[order] + law.S[law.D - order]
        return law.half_error * (2 / ends - law.C * law.E)
    return law.half_error * _geometric(law, order)


@ClosedForm
def least_true_weights(law: Law[Real]) -> list[Real]:
    """Weights alpha_1, …, alpha_D that attain `least_true_delta`.

    Knee and m = 0: ``alpha_i = E^(D-i) / S_D``, truncated geometric noise. Its terms are ``s_D = 1 / S_D``
    and ``s_0 = (C - E^D / S_D)+ = (x - 1 / S_D)+``; the rest vanish if ``E^(D-1) / S_D <= E C``.

    m > 0: ``alpha_i = E^i C`` up to m, ``b E^(D-i)`` beyond; ``s_D = b`` is the only term if
    ``C E^(2m-D) <= b <= C E^(2m+2-D)``, which says that neither neighbour of m gives a larger bound.

    Balanced: ``alpha_i = a E^(i-1)`` up to h, ``a E^(D-i)`` beyond, ``1 / a = S_h + S_{D-h}``; the terms are
    ``s_D = a`` and ``u_1 = a - C E``, which must not be negative. If it is, m = h will do.
    """
    kind, order = least_true_shape.formula(law)
    if kind == "balanced":
        top = 1 / (law.S[order] + law.S[law.D - order])
        rising = [top * law.E ** (i - 1) for i in range(1, order + 1)]
    else:
        top = _geometric(law, order)
        rising = [law.C * law.E**i for i in range(1, order + 1)]
    return rising + [top * law.E ** (law.D - i) for i in range(order + 1, law.D + 1)]


@ClosedForm
def least_true_multipliers(law: Law[Real]) -> list[Real]:
    """Multipliers, from 0 to 1, of the terms s_0, …, s_D, u_1, …, u_D that prove `least_true_delta`.

    Knee: every s_i counts once. m: ``S_{i-m} / S_{D-m}`` of s_i beyond m, ``S_{m-i+1} / S_{D-m}`` of u_i up
    to m. Balanced: the average of m = h and D - h. Each is the sum in the module, divided by what b is worth.
    """
    kind, order = least_true_shape.formula(law)
    zero = law.E * 0
    if kind == "knee":
        return [zero + 1] * (law.D + 1) + [zero] * law.D
    orders = [order, law.D - order] if kind == "balanced" else [order]
    value = sum((law.S[law.D - m] for m in orders), zero)
    falling = [sum((law.S[i - m] for m in orders if i > m), zero) / value for i in range(law.D + 1)]
    rising = [sum((law.S[m - i + 1] for m in orders if i <= m), zero) / value for i in range(1, law.D + 1)]
    return falling + rising


def _geometric(law: Law[Real], m: int) -> Real:
    return (1 - law.C * law.E * law.S[m]) / law.S[law.D - m]
