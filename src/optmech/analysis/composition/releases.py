"""Compose several releases, each of which draws from one of several mechanisms.

A release of a table with groups has a mechanism for each; a person is in one unknown group. The least pair
that dominates the pairs of all groups stands for the release, and the product of these pairs for all
releases, even if a later one depends on the results of earlier ones.

If only epsilon and delta of a mechanism are known, or if it has too many pairs of neighbours to compare, the
pair is the worst that epsilon and delta allow, with ``E = e^epsilon``:

    ratio      infinite    E                        1 / E
    mass       delta       (1 - delta) E / (1 + E)  (1 - delta) / (1 + E)

Source: Kairouz, Oh, Viswanath 2015, Theorem 3.4; Zhu, Dong, Wang 2022, Theorem 10.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from flint import fmpq

from optmech.analysis.composition.compose import Queries, composition_of
from optmech.analysis.composition.curve import epsilon_of_steps
from optmech.analysis.composition.losses import Losses, envelope
from optmech.analysis.composition.near_losses import near_losses_of
from optmech.analysis.composition.pairs import Neighbours, are_few, neighbours_of
from optmech.analysis.composition.product_bounds import product_bound
from optmech.base.errors import broken_rule
from optmech.base.provenance import Provenance, weakest
from optmech.proofs.enclosure import enclose_exponential

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from optmech.analysis.composition.compose import Composition
    from optmech.base.logarithm import Logarithm
    from optmech.proofs.certificate import Certificate
    from optmech.proofs.matrix import ExactMatrix
    from optmech.question.query import Query

# Pairs of neighbours times responses that are compared, of one mechanism: it takes a second.
_MOST_RATIOS = 15_000
_SOME = 16
_RATIOS_OF_GUARANTEE = 2
_CELLS = 512
_BITS = 128


class StatedGuarantee(NamedTuple):
    """The stated guarantee of a mechanism between neighbours, over all sets of answers."""

    epsilon: Fraction | Logarithm
    delta: Fraction

    @property
    def limited_unit(self) -> str:
        """The unit of epsilon: it is not stated, so it is taken as each person."""
        return ""

    @property
    def provenance(self) -> Provenance:
        """The standing of it: a file says so."""
        return Provenance.REPORTED


class ComposedRelease(NamedTuple):
    """The mechanisms that a release draws from, one of them for each person, and how often."""

    mechanisms: Sequence[Certificate | StatedGuarantee]
    uses: int = 1


def compose_releases(releases: Sequence[ComposedRelease]) -> Composition:
    """Return the total privacy loss of one person in all releases."""
    if not releases or any(not release.mechanisms or release.uses < 1 for release in releases):
        raise broken_rule("releases", "be at least one, each with a mechanism and a use", "fewer")
    uses, alike = Counter[tuple[int, ...]](), dict[tuple[int, ...], ComposedRelease]()
    for release in releases:
        key = tuple(map(id, release.mechanisms))
        alike[key], uses[key] = release, uses[key] + release.uses
    sources = {id(source): source for release in alike.values() for source in release.mechanisms}
    neighbours = {name: _neighbours_of(source) for name, source in sources.items()}
    is_alone = sum(uses.values()) == 1
    ratios = {
        name: _RATIOS_OF_GUARANTEE if near is None else near.most_ratios for name, near in neighbours.items()
    }
    exactly = are_few((sum(map(ratios.__getitem__, key)), number) for key, number in uses.items())
    pairs: dict[int, tuple[Losses, Losses]] = {}
    for name, near in neighbours.items():
        if near is None:
            pairs[name] = _pairs_of_guarantee(sources[name])
        elif is_alone:  # at each epsilon some data meet what dominates
            pairs[name] = near.dominating, near.dominating
        else:
            pairs[name] = _pairs_of(replace(near, exactly=exactly))
    high = [(envelope(pairs[name][0] for name in key), number) for key, number in uses.items()]
    low = [
        (max((pairs[name][1] for name in key), key=lambda losses: losses.largest), number)
        for key, number in uses.items()
    ]
    provenance = weakest(*(source.provenance for release in releases for source in release.mechanisms))
    most, attained = (
        product_bound(parts, up=up, cells=_CELLS).losses for parts, up in ((high, True), (low, False))
    )
    return composition_of(
        attained, most, Queries.ADAPTIVE, sum(release.uses for release in releases), provenance
    )


def _neighbours_of(source: Certificate | StatedGuarantee) -> Neighbours | None:
    """Return the neighbours of a mechanism, ``None`` where they are too many to compare, or not known."""
    if isinstance(source, StatedGuarantee):
        return None
    query = source.problem.query
    if query.heaviest > 1 or len(query.weights) * query.num_responses > _MOST_RATIOS:
        return None
    return neighbours_of(source)


def _pairs_of(neighbours: Neighbours) -> tuple[Losses, Losses]:
    """Return a pair that dominates all of a mechanism, and one that some data meet."""
    return neighbours.nearly_dominating, max(
        (near.low for near in neighbours.worst()), key=lambda losses: losses.largest
    )


def _pairs_of_guarantee(source: Certificate | StatedGuarantee) -> tuple[Losses, Losses]:
    """Return the worst pair that epsilon and delta allow, and one that some data meet if known."""
    nothing = Losses(fmpq(0), {fmpq(1): fmpq(1)})
    if isinstance(source, StatedGuarantee):
        return _worst_of(*source), nothing
    # Epsilon is for one step, and the farthest neighbours are this many steps apart.
    heaviest = source.problem.query.heaviest
    epsilon = epsilon_of_steps(source.problem.privacy.epsilon, heaviest)
    dominating = _worst_of(epsilon, source.delta_of_sets)
    if heaviest > 1:
        return dominating, nothing
    some = _some_pairs(source.exact, source.problem.query)
    return dominating, max(some, key=lambda losses: losses.largest, default=nothing)


def _some_pairs(matrix: ExactMatrix | None, query: Query) -> list[Losses]:
    """Return pairs below a few pairs of neighbours out of many, none where no matrix is written out."""
    if matrix is None:
        return []
    numerators, pairs = matrix.numerators, query.pairs
    sample = pairs[np.unique(np.linspace(0, len(pairs) - 1, _SOME).astype(int))].tolist()
    columns = ([numerators[:, column].tolist() for column in pair] for pair in sample)
    return [near_losses_of(*pair).low for pair in columns]


def _worst_of(epsilon: Fraction | Logarithm, delta: Fraction) -> Losses:
    factor = enclose_exponential(epsilon, _BITS).upper
    odds, rest = (
        fmpq(factor.numerator, factor.denominator),
        fmpq(1) - fmpq(delta.numerator, delta.denominator),
    )
    if odds == 1:
        return Losses(1 - rest, {odds: rest})
    return Losses(1 - rest, {odds: rest * odds / (1 + odds), 1 / odds: rest / (1 + odds)})
