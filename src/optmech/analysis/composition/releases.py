"""Compose several releases, each of which draws from one of several mechanisms.

A release of a table with groups has a mechanism for each; a person is in one of them, nobody says in which.
The least pair that dominates the pairs of all groups stands for the release, and the product of these pairs
for all releases, whatever a later one asks after a look at the earlier ones.

Of a mechanism of which only epsilon and delta are known, or that has too many pairs of neighbours to compare,
the pair is the worst that the two allow, with ``E = e^epsilon``:

    ratio      infinite    E                        1 / E
    mass       delta       (1 - delta) E / (1 + E)  (1 - delta) / (1 + E)

Source: Kairouz, Oh, Viswanath 2015, Theorem 3.4; Zhu, Dong, Wang 2022, Theorem 10.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from flint import fmpq

from optmech.analysis.composition.compose import Queries, composition_of
from optmech.analysis.composition.curve import epsilon_of_steps
from optmech.analysis.composition.losses import Losses, Uses, envelope, losses_of
from optmech.analysis.composition.pairs import neighbours_of
from optmech.analysis.composition.product_bounds import product_bounds
from optmech.base.errors import broken_rule
from optmech.base.provenance import Provenance
from optmech.proofs.certificate import Certificate
from optmech.proofs.enclosure import enclose_exponential

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from optmech.analysis.composition.compose import Composition
    from optmech.base.logarithm import Logarithm

# Pairs of neighbours times responses that are compared, of one mechanism: it takes a second.
_MOST_RATIOS = 15_000
_SOME = 16
_CELLS = 512
_BITS = 128


class StatedGuarantee(NamedTuple):
    """The stated guarantee of a mechanism between neighbours, over all sets of answers."""

    epsilon: Fraction | Logarithm
    delta: Fraction


class ComposedRelease(NamedTuple):
    """The mechanisms that a release draws from, one of them for each person, and how often."""

    mechanisms: Sequence[Certificate | StatedGuarantee]
    uses: int = 1


def compose_releases(releases: Sequence[ComposedRelease]) -> Composition:
    """Return what all releases spend together of one person."""
    if not releases or any(not release.mechanisms or release.uses < 1 for release in releases):
        raise broken_rule("releases", "be at least one, each with a mechanism and a use", "fewer")
    pairs: dict[int, tuple[Losses, Losses]] = {}  # releases may share a mechanism, whose pairs take a second
    uses, alike = Counter[tuple[int, ...]](), dict[tuple[int, ...], ComposedRelease]()
    for release in releases:
        for source in release.mechanisms:
            if id(source) not in pairs:
                pairs[id(source)] = _pairs_of(source)
        key = tuple(map(id, release.mechanisms))
        alike[key], uses[key] = release, uses[key] + release.uses
    high, low = list[Uses](), list[Uses]()
    for key, release in alike.items():
        neighbours = [pairs[id(source)] for source in release.mechanisms]
        high.append((envelope(worst for worst, _ in neighbours), uses[key]))
        low.append((max((some for _, some in neighbours), key=_largest), uses[key]))
    is_certified = all(
        isinstance(source, Certificate) for release in releases for source in release.mechanisms
    )
    most, attained = product_bounds(high, _CELLS)[1], product_bounds(low, _CELLS)[0]
    provenance = Provenance.PROVED if is_certified else Provenance.REPORTED
    return composition_of(
        attained, most, Queries.ADAPTIVE, sum(release.uses for release in releases), provenance
    )


def _pairs_of(source: Certificate | StatedGuarantee) -> tuple[Losses, Losses]:
    """Return a pair that dominates all of a mechanism, and one that some data meet, or that says nothing."""
    nothing = Losses(fmpq(0), {fmpq(1): fmpq(1)})
    if isinstance(source, StatedGuarantee):
        return _worst_of(*source), nothing
    query, privacy = source.problem.query, source.problem.privacy
    if not query.is_large and len(query.pairs) * query.num_responses <= _MOST_RATIOS and query.heaviest == 1:
        neighbours = neighbours_of(source)
        return neighbours.dominating, max(neighbours.worst(), key=_largest)
    # Epsilon is for one step, and the farthest neighbours are so many steps apart.
    dominating = _worst_of(epsilon_of_steps(privacy.epsilon, query.heaviest), source.delta_of_sets)
    if query.heaviest > 1:
        return dominating, nothing
    some = nothing if not source.has_matrix else max(_some_pairs(source), key=_largest)
    return dominating, some


def _some_pairs(source: Certificate) -> list[Losses]:
    """Return a few pairs of neighbours out of many."""
    numerators, pairs = source.matrix.numerators, source.problem.query.pairs
    sample = pairs[np.unique(np.linspace(0, len(pairs) - 1, _SOME).astype(int))].tolist()
    return [
        losses_of(numerators[:, truth].tolist(), numerators[:, other].tolist()) for truth, other in sample
    ]


def _worst_of(epsilon: Fraction | Logarithm, delta: Fraction) -> Losses:
    factor = enclose_exponential(epsilon, _BITS).upper
    odds, rest = (
        fmpq(factor.numerator, factor.denominator),
        fmpq(1) - fmpq(delta.numerator, delta.denominator),
    )
    if odds == 1:
        return Losses(1 - rest, {odds: rest})
    return Losses(1 - rest, {odds: rest * odds / (1 + odds), 1 / odds: rest / (1 + odds)})


def _largest(losses: Losses) -> tuple[fmpq, fmpq]:
    """Return by what the worst of several pairs is chosen: what has no ratio, then the largest ratio."""
    return losses.infinite, max(losses.finite, default=fmpq(1))
