"""One distance between neighbours, one way or both: least error rate, least delta and the noise itself.

From a noise value one walks by the distance mu until 0 comes back, after ``N = modulus / gcd(modulus, mu)``
steps. Write f_h for the mass after h steps and xi_m for ``1 + e^-epsilon + ... + e^(-(m-1) epsilon)``.

    every delta       f_0 = max(1/xi_N, max_{h <= N-2} min(delta e^(h epsilon), 1/xi_{h+1}))
    -mu as well       f_0 = max(1/sum_i e^(-epsilon min(i, N-i)),
                                max_{2h+1 < N} min(delta e^(h epsilon), 1/(2 xi_{h+1} - 1)))

Proof. Follow the walk from 0 to the first step that leaks, the one from f_h. Before it ``f_i >= e^(-i
epsilon) f_0``, so ``delta >= f_h >= e^(-h epsilon) f_0`` and ``1 >= xi_{h+1} f_0``; if no step before the
last one leaks, ``1 >= xi_N f_0``. Both ways round, take the walk that leaks first: within h steps on
either side no step leaks, so ``1 >= (2 xi_{h+1} - 1) f_0``, and each distance has its own budget.
`single_masses` attain this. That ``f_0 >= 1/2``, which Lemma 2 assumes, is not needed.

Source: Kadam et al. 2024, Lemmas 2 and 3, Theorem 2, Corollary 1.   Remark 3 is misprinted: where mu and n
+ 1 have a common factor, n + 1 (not n) becomes N. The two-sided form is not in the paper. (44) cuts the limit
at 1/2 for small epsilon; that is wrong, as nothing keeps f_0 above 1/2.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial, reduce
from typing import TYPE_CHECKING

from optmech.theorems import kadam_question as ask
from optmech.theorems.kadam_question import (
    Letters,
    closed_form,
    condition,
    cycle_length,
    noise_matrix,
)
from optmech.theorems.kadam_staircase import noise_masses
from optmech.theorems.powers import Amount, Doubles, Powers, at_most, larger, smaller
from optmech.theorems.theorem import Relation, Theorem, Truth, proved_optimum, proved_upper_bound

if TYPE_CHECKING:
    from collections.abc import Iterator


def single_error_rate(
    powers: Powers[Amount], cycle: int, delta: Fraction, *, symmetric: bool = False
) -> Amount:
    """Return the least error rate for one distance, Kadam Theorem 2; `symmetric` for both ways.

    `cycle` is the length N of the walk.

    >>> round(single_error_rate(Doubles(Fraction(3, 4)), 4, Fraction(0)), 12)
    0.44472083078
    """
    return reduce(smaller, (rate for _, rate in _pieces(powers, cycle, delta, symmetric=symmetric)))


def single_required_delta(
    powers: Powers[Amount], cycle: int, accuracy: Fraction, *, symmetric: bool = False
) -> Amount:
    """Return the least delta at which ``f(0) >= accuracy``, Kadam Corollary 1 (24); as `single_error_rate`.

    Roots of (22) and (25) that do not exist count as 0. The value jumps where ``xi_h accuracy = 1``; a double
    may fall on the other side there.
    """
    if accuracy <= 0:
        return powers.number(0)
    one, target = powers.number(1), powers.number(accuracy)
    if at_most((1 + _rest_of_all(powers, cycle, symmetric=symmetric)) * target, one):
        return powers.number(0)
    length = 0
    for more in _leaking_steps(cycle, symmetric=symmetric)[1:]:
        if not at_most((1 + _rest(powers, more, symmetric=symmetric)) * target, one):
            break
        length = more
    return target * powers.power(length)  # (24)


def single_masses(
    powers: Powers[Amount],
    modulus: int,
    distance: int,
    delta: Fraction,
    length: int,
    *,
    symmetric: bool = False,
) -> list[Amount]:
    """Return the noise of Theorem 2 where the mass after `length` steps leaks, from `last_length`.

    The masses fall by e^-epsilon at each step of the walk from 0 by the distance, up to the one that leaks.
    Behind it all are zero where the error rate is flat in delta; where it is linear they share what is left.
    `length` of ``N - 1`` is the noise of Lemma 3, that leaks nowhere.
    """
    cycle = cycle_length(modulus, distance)
    whole, places = length == cycle - 1, [step * distance % modulus for step in range(cycle)]
    if symmetric:
        levels: list[int | None] = [None] * modulus
        for step, place in enumerate(places):
            level = min(step, cycle - step)
            levels[place] = level if whole or level <= length else None
        return noise_masses(powers, tuple(levels), () if whole else (0,) * length + (1,), delta)
    flat, linear = 1 / powers.terms(length + 1), powers.grow(delta, length)
    is_flat = whole or at_most(flat, linear)
    masses = [powers.number(0)] * modulus
    for step in range(length + 1):  # (17), (18), (20), or (21) for h in [n - k]
        masses[places[step]] = (flat if is_flat else linear) * powers.power(step)
    if not is_flat:
        remainder = 1 - linear * powers.terms(length + 1)
        for step in range(length + 1, cycle):  # (21): what is left, falling by e^-epsilon
            share = powers.power(step - length - 1) / powers.terms(cycle - length - 1)
            masses[places[step]] = remainder * share
    return masses


def last_length(powers: Powers[float], cycle: int, delta: Fraction, *, symmetric: bool = False) -> int:
    """Return the steps from 0 to the leaking mass of the best noise; ``cycle - 1`` if none leaks."""
    return min(_pieces(powers, cycle, delta, symmetric=symmetric), key=lambda piece: piece[1])[0]


def single_limit(powers: Powers[Amount]) -> Amount:
    """Return the limit of the error rate for one distance: ``e^-epsilon`` for every epsilon."""
    return powers.power(1)


def single_limit_printed(powers: Powers[Amount]) -> Amount:
    """Return the limit as printed, Kadam (44): cut at 1/2, which is wrong below epsilon = ln 2."""
    return smaller(powers.number(Fraction(1, 2)), single_limit(powers))


def _pieces(
    powers: Powers[Amount], cycle: int, delta: Fraction, *, symmetric: bool
) -> Iterator[tuple[int, Amount]]:
    """Yield the number of steps without a leak, beginning with all, and the error rate."""
    rest = _rest_of_all(powers, cycle, symmetric=symmetric)
    yield cycle - 1, rest / (1 + rest)  # Lemma 3 (17b), (18c): 1 - 1/xi_N
    if delta == 0:
        return
    for length in _leaking_steps(cycle, symmetric=symmetric):  # h = kept; section k = N - 1 - h of the paper
        rest = _rest(powers, length, symmetric=symmetric)
        flat = rest / (1 + rest)  # (20)
        linear = 1 - powers.grow(delta, length)  # (21)
        yield length, larger(flat, linear)
        if linear < flat:  # further on, flat only grows
            return


def _leaking_steps(cycle: int, *, symmetric: bool) -> range:
    return range(cycle // 2 if symmetric else cycle - 1)  # 2h + 1 < N, h <= N - 2


def _rest(powers: Powers[Amount], length: int, *, symmetric: bool) -> Amount:
    """Return masses up to `length` steps from 0 where that of 0 is one: ``xi_{h+1} - 1``, or twice that."""
    return (2 if symmetric else 1) * powers.power(1) * powers.terms(length)


def _rest_of_all(powers: Powers[Amount], cycle: int, *, symmetric: bool) -> Amount:
    """Return ``xi_N - 1``, or ``sum_{0 < i < N} e^(-epsilon min(i, N - i))`` for both ways."""
    if not symmetric:
        return _rest(powers, cycle - 1, symmetric=False)
    sides = _rest(powers, (cycle - 1) // 2, symmetric=True)
    return sides + powers.power(cycle // 2) if cycle % 2 == 0 else sides


def _masses(powers: Doubles, of: Letters, *, symmetric: bool = False) -> list[float]:
    length = last_length(powers, of.cycle, of.delta, symmetric=symmetric)
    return single_masses(powers, of.modulus, of.distances[0], of.delta, length, symmetric=symmetric)


_one_distance = condition(
    lambda of: len(of.distances) == 1, "there are several distances; this applies to one."
)
_both_ways = condition(
    lambda of: len(of.distances) == 2 and sum(of.distances) == of.modulus,  # noqa: PLR2004 - mu and -mu
    "the distances are not one distance and its negative.",
)
_common_factor = condition(
    lambda of: of.cycle < of.modulus, "the distance and the modulus have no common factor."
)

_THEOREM_2 = closed_form(lambda powers, of: single_error_rate(powers, of.cycle, of.delta))

THEOREMS = (
    proved_optimum(
        name="kadam-lemma-3",
        source="Kadam et al. 2024, Lemma 3 (17), (18)",
        says=(
            "With one distance and delta = 0 the best noise falls by e^-epsilon at each step of the distance."
        ),
        conditions=(ask.error_rate, _one_distance, ask.pure),
        form=_THEOREM_2,
        matrix=noise_matrix(_masses),
    ),
    proved_optimum(
        name="kadam-theorem-2",
        source="Kadam et al. 2024, Theorem 2 (19)-(21)",
        says="With one distance the least error rate is linear in delta between flat pieces.",
        conditions=(ask.error_rate, _one_distance),
        form=_THEOREM_2,
        matrix=noise_matrix(_masses),
    ),
    Theorem(
        name="kadam-remark-3",
        source="Kadam et al. 2024, Remark 3",
        says="Where distance and modulus have a common factor, n becomes the length N of the walk.",
        relation=Relation.EQUAL,
        truth=Truth.FALSE,
        conditions=(ask.error_rate, _one_distance, _common_factor),
        # n replaced by N makes n + 1 = N + 1 masses.
        form=closed_form(lambda powers, of: single_error_rate(powers, of.cycle + 1, of.delta)),
        counter_example=(
            "n = 7, distance 2, epsilon 0.75, delta 0: it gives f(0) = 0.540341, the optimum is 0.555279. "
            "n + 1 becomes N, n becomes N - 1."
        ),
    ),
    proved_optimum(
        name="kadam-corollary-1",
        source="Kadam et al. 2024, Corollary 1 (24), (25)",
        says="With one distance the least delta at an error rate jumps down wherever fewer masses suffice.",
        conditions=(ask.least_delta, _one_distance),
        form=closed_form(lambda powers, of: single_required_delta(powers, of.cycle, of.accuracy)),
    ),
    proved_upper_bound(
        name="kadam-single-limit",
        source="Kadam et al. 2024, (44) without its floor of 1/2",
        says="With one distance the error rate e^-epsilon is enough for every modulus.",
        conditions=(ask.error_rate, _one_distance),
        form=closed_form(lambda powers, _: single_limit(powers)),
    ),
    Theorem(
        name="kadam-single-limit-printed",
        source="Kadam et al. 2024, (44)",
        says=(
            "With one distance the limit of the error rate is 1/2 for epsilon up to ln 2, since it is "
            "constrained by 1/2."
        ),
        relation=Relation.AT_LEAST,
        truth=Truth.FALSE,
        conditions=(ask.error_rate, _one_distance),
        form=closed_form(lambda powers, _: single_limit_printed(powers)),
        counter_example=(
            "distance 1, epsilon 0.3, delta 0: at n = 2000 the least error rate is 0.7408. Under the paper's "
            "own constraint, rho at most 1/2, there is no such noise; without it the limit is e^-epsilon."
        ),
    ),
    proved_optimum(
        name="kadam-symmetric-distance",
        source="kadam_single, for Kadam et al. 2024, Definition 2",
        says="With one distance both ways the best noise falls by e^-epsilon at each step to either side.",
        conditions=(ask.error_rate, _both_ways, ask.definition),
        form=closed_form(lambda powers, of: single_error_rate(powers, of.cycle, of.delta, symmetric=True)),
        matrix=noise_matrix(partial(_masses, symmetric=True)),
    ),
    proved_optimum(
        name="kadam-symmetric-distance-least-delta",
        source="kadam_single, for Kadam et al. 2024, (15)",
        says=(
            "With one distance both ways the least delta is the mass at the last step that the "
            "error rate allows."
        ),
        conditions=(ask.least_delta, _both_ways, ask.definition),
        form=closed_form(
            lambda powers, of: single_required_delta(powers, of.cycle, of.accuracy, symmetric=True)
        ),
    ),
)
"""Theorems for one distance."""
