"""A lower bound on the loss of several releases: one that some data spend for certain.

Releases may be of the same answers, as two columns of noise for one column of counts. Then the same two true
answers meet in all of them, in the same direction: the worst pair of one mechanism beside the worst pair of
another may be a loss that no data spend. So a pair of true answers is looked for that is a pair of neighbours
in every question. Data with these answers everywhere spend the product of its losses, whether releases are of
the same answers or of others.

A release of which nothing is known but epsilon and delta, or with a mechanism for each group, counts as none
beside others: to leave a release out only lowers a loss.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from flint import fmpq

from optmech.analysis.composition.losses import Losses, envelope
from optmech.analysis.composition.near_losses import near_losses_of
from optmech.analysis.composition.product_bounds import product_bound

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from optmech.analysis.composition.pairs import Neighbours
    from optmech.proofs.certificate import Certificate

    Pair = tuple[Any, Any]

NOTHING = Losses(fmpq(0), {fmpq(1): fmpq(1)})
"""The loss of a release that tells nothing."""
# Pairs that are compared, and of a mechanism without all its losses those that are looked at.
_MOST_PAIRS, _SOME = 100_000, 16
_CELLS = 512


class KnownPairs:
    """The pairs of true answers of a mechanism that a person can move from one to the other, with losses.

    A person moves an answer by at most `within` places, or to any neighbour if that is ``None``. `near` has
    the losses of all pairs, where they were compared.
    """

    def __init__(self, certificate: Certificate, near: Neighbours | None, within: int | None = None) -> None:
        self._matrix, self._near, self._within = certificate.exact, near, within
        self._query = certificate.problem.query if near is None else near.query
        self._lows = dict[tuple[int, int], Losses]()

    @cached_property
    def places(self) -> dict[Pair, tuple[int, int]]:
        """The pairs by their true answers, each with the places of both."""
        if self._near is None and self._matrix is None:
            return {}
        pairs = np.asarray(self._query.pairs)
        if self.is_sampled:  # in both directions, as those that were compared
            pairs = np.concatenate([pairs, pairs[:, ::-1]])
        if len(pairs) > _MOST_PAIRS:
            return {}
        names = self._query.labels or self._query.truths
        return {
            (names[first], names[second]): (first, second)
            for first, second in pairs.tolist()
            if self._within is None or abs(first - second) <= self._within
        }

    @property
    def is_sampled(self) -> bool:
        """Whether losses are computed pair by pair."""
        return self._near is None

    def low(self, pair: Pair) -> Losses:
        """Return losses of a pair, rounded down."""
        places = self.places[pair]
        if self._near is not None:
            return self._near.near[self._index_of[places]].low
        if places not in self._lows and self._matrix is not None:
            truth, neighbour = (self._matrix.numerators[:, place].tolist() for place in places)
            self._lows[places] = near_losses_of(truth, neighbour).low
        return self._lows[places]

    def best(self, *, is_alone: bool = False) -> Losses:
        """Return losses that some data meet: of one release at each epsilon, else of the worst pair."""
        if not self.places and (self._near is None or self._within is not None):
            return NOTHING
        if self._near is not None:
            near = self._reached(self._near)
            return near.dominating if is_alone else max((one.low for one in near.worst()), key=_largest)
        return max(map(self.low, some(list(self.places), is_few=False)), key=_largest)

    @cached_property
    def _index_of(self) -> dict[tuple[int, int], int]:
        assert self._near is not None  # noqa: S101 - only then it is asked
        return dict(zip(map(tuple, self._query.pairs.tolist()), self._near.indices, strict=True))

    def _reached(self, near: Neighbours) -> Neighbours:
        """Return the neighbours that a person can move an answer to."""
        if self._within is None:
            return near
        kept = {self._index_of[places] for places in self.places.values()}
        return replace(near, columns=[near.columns[index] for index in sorted(kept)])


class Uses(NamedTuple):
    """The mechanisms of some releases, one for each group, and their number."""

    known: Sequence[KnownPairs | None]
    number: int


def attained_losses(parts: Sequence[Uses]) -> Losses:
    """Return a pair below the losses that some data spend in all uses together."""
    if sum(part.number for part in parts) == 1:  # at each epsilon some data meet what dominates
        return envelope(NOTHING if known is None else known.best(is_alone=True) for known in parts[0].known)
    if len(parts) == 1:
        return _product([(_best_of(parts[0]), parts[0].number)])
    joint = [
        (part.known[0], part.number) for part in parts if len(part.known) == 1 and part.known[0] is not None
    ]
    common = _in_common([known for known, _ in joint])
    worst = _worst(joint, common)
    candidates = [_product([(known.low(pair), number) for known, number in joint]) for pair in worst]
    if len(joint) < len(parts) or not common:
        candidates += [_product([(_best_of(part), part.number)]) for part in parts]
    return envelope(candidates)


def some(pairs: Sequence[Pair], *, is_few: bool) -> Sequence[Pair]:
    """Return all pairs where they are few, else some of them, evenly spread."""
    if is_few or len(pairs) <= _SOME:
        return pairs
    return [pairs[index] for index in np.unique(np.linspace(0, len(pairs) - 1, _SOME).astype(int)).tolist()]


def _in_common(joint: Sequence[KnownPairs]) -> Sequence[Pair]:
    """Return the pairs that all of several mechanisms have, of many some."""
    if not joint:
        return []
    first, *others = joint
    common = [pair for pair in first.places if all(pair in other.places for other in others)]
    return some(common, is_few=not any(known.is_sampled for known in joint))


def _worst(joint: Sequence[tuple[KnownPairs, int]], common: Sequence[Pair]) -> list[Pair]:
    """Return the pair of the largest ratios and the pair of the largest total variation."""

    def worst(order: Callable[[Losses], float]) -> Pair:
        return max(common, key=lambda pair: sum(number * order(known.low(pair)) for known, number in joint))

    return list(dict.fromkeys(map(worst, (_log_of_largest, _variation)))) if common else []


def _best_of(part: Uses) -> Losses:
    """Return the largest losses of any of the mechanisms of a release."""
    return max((NOTHING if known is None else known.best() for known in part.known), key=_largest)


def _product(parts: Sequence[tuple[Losses, int]]) -> Losses:
    return product_bound(parts, up=False, cells=_CELLS).losses


def _largest(losses: Losses) -> tuple[fmpq, fmpq]:
    return losses.largest


def _log_of_largest(losses: Losses) -> float:
    """Return the logarithm of the largest ratio, infinite where an answer has none."""
    infinite, ratio = losses.largest
    return math.inf if infinite else math.log(int(ratio.p)) - math.log(int(ratio.q))


def _variation(losses: Losses) -> float:
    finite = chain(mass * (1 - 1 / ratio) for ratio, mass in losses.finite.items() if ratio > 1)
    total = sum(finite, losses.infinite)
    return int(total.p) / int(total.q)
