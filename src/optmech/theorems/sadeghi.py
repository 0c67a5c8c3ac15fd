"""The least delta of symmetric bounded noise, as printed and as it is.

Sadeghi, Asoodeh, du Pin Calmon 2020, section III, in the letters of `Law`: ``b = B delta``, and ``alpha_i``
is the weight of the noise values i and -i, so that each has probability ``half_error * alpha_i``.

Rows
----
    printed   alpha_D <= b,  alpha_i <= E alpha_{i+1} + b,  C <= E alpha_1 + b            (17)-(19)
    missing   alpha_{i+1} <= E alpha_i + b,  alpha_1 <= E C + b                      also part of (9)

Theorem 3 is the optimum under the printed rows. Under all rows it is false for a small accuracy: the second
missing row, of the outcome n + 1 under the truths n and n + 1, then binds. `least_delta` is the optimum under
all rows.

Proof of `least_delta`. Follow one outcome from truth to truth. Up to its own truth, noise i may weigh at most
``E^i C + b S_i`` and must weigh at least ``(C - b S_i) / E^i``; out of its support it may weigh at most
``b S_{D-i+1}``. As the weights sum to one, for every k and m up to D,

    1 >= sum_{i<=k} (C - b S_i) / E^i               that is   b >= (C S_k - E^k) / W_k           type I
    1 <= sum_{i<=m} (E^i C + b S_i) + sum_{i>m} b S_{D-i+1}
                                     that is   b >= (1 - C E S_m) / (T_m + T_{D-m})              type m

As a dual solution: E^i S_{k-i} on ``alpha_i - E alpha_{i+1} <= b`` for i < k; and S_{m-i+1} on
``alpha_i - E alpha_{i-1} <= b`` for 1 <= i <= m with S_{j-m} on ``alpha_j - E alpha_{j+1} <= b`` for j > m
(alpha_0 = C, alpha_{D+1} = 0).

Type 0 is Lemma 2. One of the bounds is attained. If ``C > C_D``: by (39);
weights decrease and alpha_1 < C, so the missing rows hold. If ``S_{D-1} / T_D <= C <= C_D``: by (38), where
``alpha_1 = b S_D <= E C + b``. Below: let m be where type m is largest. Taking every chain of the second line
as an equality, all rows hold by their form but two, at the joint of the chains, and these say
``type m >= type m+1`` and ``type m >= type m-1``. Type m passes type m-1 where C falls below
``S_{D-2m+1} / (E S_{m-1} S_{D-2m+1} + T_{m-1} + T_{D-m+1})``, which decreases in m.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from optmech.theorems.sadeghi_letters import ClosedForm, exceeds

if TYPE_CHECKING:
    from optmech.theorems.sadeghi_letters import Law, Real


class Regime(NamedTuple):
    """The largest bound of the module's proof."""

    kind: str
    """``"I"``: past a crossover. ``"II"``: type 0. ``"III"``: type m, and Theorem 3 is false."""
    order: int
    """k of type I, m of type m."""


def bound_one(law: Law[Real], k: int) -> Real:
    """Return b of the type I bound k: (23), written with ``x`` so that large powers do not cancel."""
    return (law.x * law.S[k] - 1) / law.W[k]


def bound_inner(law: Law[Real], m: int) -> Real:
    """Return b of the bound of type m; for m = 0 it is (32)."""
    return (1 - law.C * law.E * law.S[m]) / (law.T[m] + law.T[law.D - m])


@ClosedForm
def theorem_2_index(law: Law[Real]) -> int:
    """Index k of the largest of the bounds, from 1 to D + 1: ``C_k < C <= C_{k-1}``. Theorem 2.

    The example of Fig. 1, and a tie at epsilon = 0, where C equals C_9:

    >>> theorem_2_index("2.18", "0.8", 6), theorem_2_index(0, "0.1", 16)
    (3, 10)
    """

    def is_past(k: int) -> bool:
        return exceeds(law.x * law.T[k], law.E * 0 + (k + 1))  # C > C_k, for S_{k+1} = (E - 1) T_k + k + 1

    return 1 + bisect_left(range(1, law.D + 1), x=True, key=is_past)  # Lemma 4: they decrease


@ClosedForm
def type_one_bound(law: Law[Real]) -> Real:
    """Largest of the type I lower bounds on delta, Lemma 1; negative if none says anything."""
    return law.half_error * bound_one(law, min(theorem_2_index.formula(law), law.D))


@ClosedForm
def type_two_bound(law: Law[Real]) -> Real:
    """Type II lower bound on delta, Lemma 2, (32)."""
    return law.half_error / law.T[law.D]


@ClosedForm
def least_delta_printed(law: Law[Real]) -> Real:
    """Delta of Theorems 1 to 3: the largest of the bounds; the least delta under rows (17)-(19) alone.

    >>> least_delta_printed(20, "0.5", 64), least_delta_printed.ball(20, "0.5", 64).log().str(8, radius=False)
    (0.0, '-1261.3863')
    """
    k = theorem_2_index.formula(law)
    return law.half_error * (bound_one(law, k) if k <= law.D else bound_inner(law, 0))


@ClosedForm
def weights_printed(law: Law[Real]) -> list[Real]:
    """Weights alpha_1, …, alpha_D of Definition 2, (37)-(39).

    Type I runs (39) from its end, which subtracts nothing: (42) gives the last weight that is not zero,
    ``(S_k - C T_{k-1}) / W_k``, and (39) solved for alpha_{j-1} the others.
    """
    k = theorem_2_index.formula(law)
    return _weights_one(law, k) if k <= law.D else _weights_inner(law, 0)


@ClosedForm
def printed_rows_suffice(law: Law[Real]) -> bool:
    """Whether Theorem 3 holds under all rows of (9): where ``C >= S_{D-1} / T_D``, the weight of noise 2.

    It does for every accuracy from 1/7 on: S is convex, so ``T_D >= 3 S_{D-1}``.
    """
    return not exceeds(law.S[law.D - 1], law.C * law.T[law.D])


@ClosedForm
def regime(law: Law[Real]) -> Regime:
    """Return the bound that is attained under all rows."""
    k = theorem_2_index.formula(law)
    if k <= law.D:
        return Regime("I", k)
    m = bisect_left(range(1, law.D // 2 + 1), x=True, key=lambda m: not _falls_below(law, m))
    return Regime("III", m) if m else Regime("II", 0)


@ClosedForm
def counts_followed(law: Law[Real]) -> int:
    """Return the most counts on either side for which the attained bound follows an outcome: k, or D - m."""
    kind, order = regime.formula(law)
    steps: int = order if kind == "I" else law.D - order
    return steps


def outcomes_followed(regime: Regime, half_width: int) -> list[tuple[int, int, int, int]]:
    """Return the rows that the attained bound adds up, for outcomes above a count; those below mirror them.

    Each is an outcome, a truth, its neighbour and a power of E, all but the power relative to the count: the
    row ``M[outcome, truth] <= E M[outcome, neighbour] + delta`` has a multiplier in proportion to that power
    of E. For half-width 1 and type II, the outcome next to the count is out of reach from its other side:

    >>> outcomes_followed(Regime("II", 0), 1)
    [(1, 0, -1, 0)]
    """
    kind, order = regime
    if kind == "I":
        return [(i, i - j, i - j - 1, j - i) for i in range(1, order + 1) for j in range(i)]
    near = [(i, j, j + 1, j) for i in range(1, order + 1) for j in range(i)]
    far = range(order + 1, half_width + 1)
    return near + [(i, -j, -j - 1, j) for i in far for j in range(half_width - i + 1)]


@ClosedForm
def least_delta(law: Law[Real]) -> Real:
    """Least delta of symmetric noise under all rows of (9). Proof: see the module.

    At a small accuracy it is four times what Theorem 3 prints:

    >>> round(least_delta(1, "0.01", 4), 6), round(least_delta_printed(1, "0.01", 4), 6)
    (0.041745, 0.010528)
    """
    kind, index = regime.formula(law)
    return law.half_error * (bound_one(law, index) if kind == "I" else bound_inner(law, index))


@ClosedForm
def weights(law: Law[Real]) -> list[Real]:
    """Weights alpha_1, …, alpha_D that attain `least_delta`; those of Definition 2 where it is right."""
    kind, index = regime.formula(law)
    return _weights_one(law, index) if kind == "I" else _weights_inner(law, index)


def _weights_one(law: Law[Real], k: int) -> list[Real]:
    b = bound_one(law, k)
    backwards = [(k - law.x * law.T[k - 1]) / law.W[k]]  # (42), for S_k = (E - 1) T_{k-1} + k
    while len(backwards) < k:
        backwards.append(law.E * backwards[-1] + b)  # (39)
    return backwards[::-1] + [law.E * 0] * (law.D - k)


def _weights_inner(law: Law[Real], m: int) -> list[Real]:
    b = bound_inner(law, m)
    rising = [law.E**i * law.C + b * law.S[i] for i in range(1, m + 1)]
    return rising + [b * law.S[law.D - i + 1] for i in range(m + 1, law.D + 1)]  # (38) for m = 0


def _falls_below(law: Law[Real], m: int) -> bool:
    middle = law.S[law.D - 2 * m + 1]
    ends = law.T[m - 1] + law.T[law.D - m + 1]
    return exceeds(middle, law.C * (law.E * law.S[m - 1] * middle + ends))
