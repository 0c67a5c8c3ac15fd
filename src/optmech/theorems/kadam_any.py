"""Any set of distances: pure privacy, and the bound from (epsilon, delta)-differential privacy.

Let d(eta) be the least number of distances that add up to the noise eta modulo the modulus, none
subtracted: the directed Cayley distance. Write m for ``sum_eta e^(-epsilon d(eta))``, over the noise that
can be reached.

    delta = 0             f(eta) = e^(-epsilon d(eta)) / m
    hockey-stick          f(0) = delta + (1 - delta) / m

Proof of the first: chain (14c) along a shortest way from 0, so that ``f(eta) >= e^(-epsilon d(eta))
f(0)``, and sum.

Proof of the second, for every noise with ``sum_eta max(0, f(eta) - e^epsilon f(eta + mu)) <= delta`` at
each distance mu. Write y_mu(eta) for the summands and choose for each noise the shortest word of
distances, the first in the alphabet of those. Along it ``f(p + mu) >= e^-epsilon (f(p) - y_mu(p))``. Sum
over all noise: one is at least ``m f(0)`` less the y, where y_mu(p) counts ``e^(-epsilon l)`` for each
word that passes p and has l letters from there on, the first being mu. The rest after p is itself a chosen
word, another for each, and all of them but the empty one sum to m - 1. So ``1 >= m f(0) - delta (m - 1)``. It
is attained by telling the truth with probability delta and else drawing the pure noise. Probabilistic privacy
is stronger, Kadam Definition 2, so this bounds its error rate from below.

Source: Kadam et al. 2024, Lemmas 1 and 3 and (14); the general forms are not in the paper.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from optmech.theorems import approximate
from optmech.theorems import kadam_question as ask
from optmech.theorems.kadam_bounded import lemma_4, lemma_4_masses
from optmech.theorems.kadam_question import Letters, closed_form, noise_matrix
from optmech.theorems.kadam_staircase import error_rate as staircase_error_rate
from optmech.theorems.kadam_staircase import noise_masses
from optmech.theorems.theorem import proved_lower_bound, proved_optimum, proved_upper_bound

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from optmech.theorems.kadam_staircase import Levels
    from optmech.theorems.powers import Amount, Powers


def cayley_levels(modulus: int, distances: Sequence[int]) -> Levels:
    """Return the directed Cayley distance of each noise value from 0, ``None`` where there is no way.

    >>> cayley_levels(6, [2])
    (0, None, 1, None, 2, None)
    """
    levels: list[int | None] = [None] * modulus
    levels[0] = level = 0
    frontier = [0]
    while frontier:
        level += 1
        next_level = {(place + step) % modulus for place in frontier for step in distances}
        frontier = [place for place in next_level if levels[place] is None]
        for place in frontier:
            levels[place] = level
    return tuple(levels)


def pure_error_rate(powers: Powers[Amount], levels: Levels) -> Amount:
    """Return the least error rate at delta = 0: ``1 - 1/m``."""
    return approximate.pure_error_rate(powers, [_others(levels)])


def hockey_stick_error_rate(powers: Powers[Amount], levels: Levels, delta: Fraction) -> Amount:
    """Return the least error rate under (epsilon, delta)-differential privacy."""
    return approximate.least_error_rate(powers, [_others(levels)], delta)


def hockey_stick_required_delta(powers: Powers[Amount], levels: Levels, accuracy: Fraction) -> Amount:
    """Return the least delta of (epsilon, delta)-differential privacy at which ``f(0) >= accuracy``."""
    return approximate.least_delta(powers, [_others(levels)], accuracy)


def _others(levels: Levels) -> tuple[int, ...]:
    """Return the number of noise values other than 0 at each level."""
    counts = Counter(level for level in levels if level is not None)
    return (0, *(counts[level] for level in range(1, max(counts) + 1)))


def _levels(letters: Letters) -> Levels:
    return cayley_levels(letters.modulus, letters.distances)


THEOREMS = (
    proved_optimum(
        name="kadam-pure-noise",
        source="kadam_any, for Kadam et al. 2024 (14); Lemmas 3 and 4 are cases",
        says="At delta = 0 the best noise falls by e^-epsilon with each distance that is needed to reach it.",
        conditions=(ask.error_rate, ask.pure),
        form=closed_form(lambda powers, of: pure_error_rate(powers, _levels(of))),
        matrix=noise_matrix(lambda powers, of: noise_masses(powers, _levels(of), (), of.delta)),
    ),
    proved_upper_bound(
        name="kadam-lemma-1",
        source="Kadam et al. 2024, Lemma 1 with Lemma 4",
        says="The staircase for all distances up to the largest one is private for any of them.",
        conditions=(ask.error_rate,),
        form=closed_form(
            lambda powers, of: staircase_error_rate(powers, lemma_4(*of.size_and_largest), of.delta)
        ),
        matrix=noise_matrix(lambda powers, of: lemma_4_masses(powers, *of.size_and_largest)),
    ),
    proved_lower_bound(
        name="kadam-hockey-stick",
        source="kadam_any, for Kadam et al. 2024, Definition 2",
        says=(
            "Telling the truth with probability delta, else adding pure noise, has the least error rate of "
            "(epsilon, delta)-differential privacy, which probabilistic privacy implies."
        ),
        conditions=(ask.error_rate,),
        form=closed_form(lambda powers, of: hockey_stick_error_rate(powers, _levels(of), of.delta)),
    ),
    proved_lower_bound(
        name="kadam-hockey-stick-least-delta",
        source="kadam_any, for Kadam et al. 2024 (15)",
        says=(
            "No noise of a wanted error rate has a smaller delta than that mixture, in the weaker definition."
        ),
        conditions=(ask.least_delta,),
        form=closed_form(lambda powers, of: hockey_stick_required_delta(powers, _levels(of), of.accuracy)),
    ),
)
"""Theorems for any set of distances in closed form."""
