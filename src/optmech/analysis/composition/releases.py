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

from flint import fmpq

from optmech.analysis.composition.attained import KnownPairs, Uses, attained_losses
from optmech.analysis.composition.compose import Queries, composition_of
from optmech.analysis.composition.curve import epsilon_of_steps
from optmech.analysis.composition.losses import Losses, envelope
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

    _Key = tuple[tuple[int, ...], int | None]

# Pairs of neighbours times responses that are compared, of one mechanism: it takes a second.
_MOST_RATIOS = 15_000
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
    """The mechanisms that a release draws from, one of them for each person, and how often.

    In each use a person moves the answer to a neighbour, where `within` is given by at most so many places.
    """

    mechanisms: Sequence[Certificate | StatedGuarantee]
    uses: int = 1
    within: int | None = None


def compose_releases(releases: Sequence[ComposedRelease]) -> Composition:
    """Return the total privacy loss of one person in all releases."""
    if not releases or any(not release.mechanisms or release.uses < 1 for release in releases):
        raise broken_rule("releases", "be at least one, each with a mechanism and a use", "fewer")
    uses: Counter[_Key] = Counter()
    alike: dict[_Key, ComposedRelease] = {}
    for release in releases:
        key = tuple(map(id, release.mechanisms)), release.within
        alike[key], uses[key] = release, uses[key] + release.uses
    sources = {id(source): source for release in alike.values() for source in release.mechanisms}
    neighbours = {name: _neighbours_of(source) for name, source in sources.items()}
    is_alone = sum(uses.values()) == 1
    ratios = {
        name: _RATIOS_OF_GUARANTEE if near is None else near.most_ratios for name, near in neighbours.items()
    }
    exactly = are_few((sum(map(ratios.__getitem__, key)), number) for (key, _), number in uses.items())
    pairs: dict[int, Losses] = {}
    for name, near in neighbours.items():
        if near is None:
            pairs[name] = _pair_of_guarantee(sources[name])
        elif is_alone:
            pairs[name] = near.dominating
        else:
            neighbours[name] = exact = replace(near, exactly=exactly)
            pairs[name] = exact.nearly_dominating
    high = [(envelope(pairs[name] for name in key), number) for (key, _), number in uses.items()]
    low = [
        Uses([_known_pairs(sources[name], neighbours[name], within) for name in key], number)
        for (key, within), number in uses.items()
    ]
    provenance = weakest(*(source.provenance for release in releases for source in release.mechanisms))
    most = product_bound(high, up=True, cells=_CELLS).losses
    return composition_of(
        attained_losses(low), most, Queries.ADAPTIVE, sum(release.uses for release in releases), provenance
    )


def _neighbours_of(source: Certificate | StatedGuarantee) -> Neighbours | None:
    """Return the neighbours of a mechanism, ``None`` where they are too many to compare, or not known."""
    if isinstance(source, StatedGuarantee):
        return None
    query = source.problem.query
    if query.heaviest > 1 or len(query.weights) * query.num_responses > _MOST_RATIOS:
        return None
    return neighbours_of(source)


def _known_pairs(
    source: Certificate | StatedGuarantee, near: Neighbours | None, within: int | None
) -> KnownPairs | None:
    """Return the pairs of neighbours of a mechanism, ``None`` where nothing is known but its guarantee."""
    if isinstance(source, StatedGuarantee) or source.problem.query.heaviest > 1:
        return None
    return KnownPairs(source, near, within)


def _pair_of_guarantee(source: Certificate | StatedGuarantee) -> Losses:
    """Return the worst pair that epsilon and delta allow."""
    if isinstance(source, StatedGuarantee):
        return _worst_of(*source)
    # Epsilon is for one step, and the farthest neighbours are this many steps apart.
    epsilon = epsilon_of_steps(source.problem.privacy.epsilon, source.problem.query.heaviest)
    return _worst_of(epsilon, source.delta_of_sets)


def _worst_of(epsilon: Fraction | Logarithm, delta: Fraction) -> Losses:
    factor = enclose_exponential(epsilon, _BITS).upper
    odds, rest = (
        fmpq(factor.numerator, factor.denominator),
        fmpq(1) - fmpq(delta.numerator, delta.denominator),
    )
    if odds == 1:
        return Losses(1 - rest, {odds: rest})
    return Losses(1 - rest, {odds: rest * odds / (1 + odds), 1 / odds: rest / (1 + odds)})
