"""Numbers that Sadeghi et al. 2020 print beside their theorems, in the letters of `Law`.

Crossovers and bounds of Lemmas 1 to 4, the variance of the noise of Definition 2, and the delta of
differential privacy of a given noise; `optmech.theorems.sadeghi_delta` has its sums and its least value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.theorems.powers import larger
from optmech.theorems.sadeghi import bound_inner, bound_one, regime, theorem_2_index, weights_printed
from optmech.theorems.sadeghi_letters import ClosedForm

if TYPE_CHECKING:
    from optmech.theorems.sadeghi_letters import Law, Real

__all__ = ["crossovers", "singular_bounds", "true_delta", "true_delta_printed", "variance_printed"]


@ClosedForm
def crossovers(law: Law[Real]) -> list[Real]:
    """Crossovers C_1, …, C_D of the odds, (34). Lemma 4: they decrease."""
    return [law.S[k + 1] / law.T[k] for k in range(1, law.D + 1)]  # (34)


@ClosedForm
def singular_bounds(law: Law[Real]) -> list[Real]:
    """Lower bounds delta_1, …, delta_{D+1} on delta, negative ones included.

    Lemma 1, (23), for the first D; Lemma 2, (32), for the last. Lemma 3: ``delta_k >= delta_{k+1}`` exactly
    where ``C >= C_k``.
    """
    listed: list[Real] = [law.half_error * bound_one(law, k) for k in range(1, law.D + 1)]  # (23)
    listed.append(law.half_error / law.T[law.D])  # (32)
    return listed


@ClosedForm
def variance_printed(law: Law[Real]) -> Real:
    """Variance of the noise of Definition 2, section IV."""
    listed = weights_printed.formula(law)
    return 2 * law.half_error * sum((alpha * i**2 for i, alpha in enumerate(listed, 1)), law.E * 0)


@ClosedForm
def true_delta_printed(law: Law[Real]) -> Real:
    """Delta of the mechanism of Definition 2, over all sets of outcomes.

    Type I: the terms s_0, …, s_k are not negative and telescope to ``C + 1 - E = x``; the u_i vanish, as the
    weights decrease. Type II: s_1, …, s_D are each ``1 / T_D``, and between the truth and noise 1 there may
    be another.

    Examples
    --------
    >>> round(true_delta_printed("2.18", "0.8", 6), 6)  # Remark 2 claims 0.064322
    0.015369
    """
    past = theorem_2_index.formula(law) <= law.D
    return law.half_error * (law.x if past else _inner(law, 0))


@ClosedForm
def true_delta(law: Law[Real]) -> Real:
    """Delta, over all sets of outcomes, of the mechanism whose delta for single outcomes is least."""
    kind, order = regime.formula(law)
    return law.half_error * (law.x if kind == "I" else _inner(law, order))


def _inner(law: Law[Real], m: int) -> Real:
    # The chains on both sides of the joint leak b at each of their D steps; the joint may leak as well.
    b = bound_inner(law, m)
    before = law.E**m * law.C + b * law.S[m]
    after = b * law.S[law.D - m]
    joint: Real = larger(before - law.E * after, law.E * 0) + larger(after - law.E * before, law.E * 0)
    return law.D * b + joint
