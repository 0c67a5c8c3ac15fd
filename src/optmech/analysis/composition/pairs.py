"""The neighbours of a mechanism: the losses of each pair, and the curve of the worst of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import comb, prod
from typing import TYPE_CHECKING

from optmech.analysis.composition.curve import PrivacyCurve, curve_of
from optmech.analysis.composition.losses import Losses, envelope, envelope_of_columns, maximal_pairs
from optmech.analysis.composition.near_losses import (
    NearLosses,
    is_nearly_above,
    merged_up,
    near_losses_of,
    with_common_numbers,
)
from optmech.base.arguments import brief
from optmech.base.errors import ProblemError
from optmech.mechanisms.mechanism import Mechanism
from optmech.mechanisms.source import MechanismSource, find_source, mechanism_of
from optmech.proofs.privacy import both_ways
from optmech.question.query import Query

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flint import fmpz

    from optmech.mechanisms.noise_columns import Columns

# Some 100,000 ratios are compared in a second.
_MOST_RATIOS = 1_000_000
# Noise on more truths has few columns that differ, and is taken by these rather than by its matrix.
_MOST_TRUTHS = 700
# Beyond this many pairs dominated ones are not removed.
_MOST_COMPARED = 32
# This many products of ratios take no time, however long their numbers are.
_FEW_PRODUCTS = 1_000

Source = MechanismSource | tuple[Mechanism, Query]
"""A design or a certificate, or a mechanism and the query that says whose columns are neighbours."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Neighbours:
    """The losses of the pairs of neighbouring columns of a mechanism.

    The query lists both directions of each pair, whichever of them its question protects.
    Probabilities are those of a certified matrix; else they are doubles, taken as they stand, each column
    over its own sum, as samples are drawn.

    Attributes
    ----------
    query : Query
        Its truths and its neighbours.
    is_certified : bool
        Whether the columns are.
    columns : list of (list of int, list of int)
        The ordered pairs of columns that differ, in whole numbers.
    indices : list of int
        Index of the one that each row of `query.pairs` has.
    exactly : bool
        Whether losses that differ by rounding alone are kept apart in all that follows.
    """

    query: Query
    is_certified: bool
    columns: list[Columns]
    indices: list[int]
    exactly: bool = False

    @cached_property
    def dominating(self) -> Losses:
        """The least pair that dominates all."""
        return envelope_of_columns(self.columns)

    @cached_property
    def near(self) -> list[NearLosses]:
        """The losses of each of `columns`, to what rounding leaves open."""
        return with_common_numbers([near_losses_of(*pair, exactly=self.exactly) for pair in self.columns])

    @cached_property
    def nearly_dominating(self) -> Losses:
        """A pair that dominates all, hardly more than `dominating`, with fewer ratios where they are near."""
        if all(near.is_exact for near in self.near):
            return self.dominating
        return merged_up(envelope(near.high for near in self.near))

    @property
    def most_ratios(self) -> int:
        """No pair has more ratios than this."""
        return max(len(truth) for truth, _ in self.columns)

    def worst(self) -> list[NearLosses]:
        """Return the pairs that are to be looked at: one that dominates all, or those undominated."""
        distinct: dict[tuple[fmpz, ...], NearLosses] = {}
        for near in self.near:  # of those equal above one that is largest below
            key = _key(near.high)
            if key not in distinct or near.low.largest > distinct[key].low.largest:
                distinct[key] = near
        dominating = self.nearly_dominating
        if _key(dominating) in distinct:
            return [distinct[_key(dominating)]]
        above = (near for near in distinct.values() if not near.is_exact)
        above = (near for near in above if is_nearly_above(near.high, dominating))
        one = max(above, key=lambda near: near.low.largest, default=None)
        if one is not None:
            return [NearLosses(one.low, dominating)]
        if len(distinct) > _MOST_COMPARED:
            return list(distinct.values())
        kept = set(map(id, maximal_pairs([near.high for near in distinct.values()])))
        return [near for near in distinct.values() if id(near.high) in kept]


def are_few(ratios: Iterable[tuple[int, int]]) -> bool:
    """Whether uses of pairs, given their numbers of ratios, have few enough products to list exactly."""
    return prod(comb(number + uses - 1, uses) for number, uses in ratios) <= _FEW_PRODUCTS


def privacy_curve(source: Source) -> PrivacyCurve:
    """Return the curve delta(epsilon) of one use of a mechanism, the largest over its neighbours, both ways.

    Where a question protects only one of two neighbours, the losses of both count.

    Parameters
    ----------
    source : Design, Certificate or (Mechanism, Query)
        The mechanism. For a certificate the curve is proved; for a matrix of doubles it is exact for those
        doubles, each column over its own sum.

    Raises
    ------
    ProblemError
        If the query has no neighbours, does not fit the mechanism, or has too many pairs to compare.

    Examples
    --------
    >>> from optmech.mechanisms.matrix_mechanism import MatrixMechanism
    >>> from optmech.question.queries import count
    >>> answer = MatrixMechanism(matrix=[[0.75, 0.25], [0.25, 0.75]], responses=(0, 1), truths=(0, 1))
    >>> curve = privacy_curve((answer, count(1)))
    >>> print(curve.delta(0), curve.exact_epsilon(0))
    1/2 ln 3
    """
    return curve_of(neighbours_of(source).dominating)


def neighbours_of(source: Source) -> Neighbours:
    """Return the losses of all ordered pairs of neighbours, both ways; raises ProblemError.

    Nobody knows which of two neighbours the data are: where a question protects only one of them against the
    other, the losses of both count.
    """
    mechanism, query = _parts(source)
    query = both_ways(query)
    if not len(query.pairs):
        message = f"`query` must have neighbours; got none ({query.title}). Without them nothing is spent."
        raise ProblemError(message)
    if query.heaviest > 1:
        message = (
            f"`query` must have neighbours that all count alike; got weights up to {query.heaviest} "
            f"({query.title}). Compose with a query of those neighbours that you mean, all of weight 1."
        )
        raise ProblemError(message)
    columns, indices = mechanism.columns_of_pairs(query, _MOST_RATIOS)
    return Neighbours(query=query, is_certified=mechanism.is_certified, columns=columns, indices=indices)


def _parts(source: Source) -> tuple[Mechanism, Query]:
    parts = find_source(source)
    if parts is not None and parts.problem is not None:
        own = parts.certificate
        mechanism = parts.mechanism if own is None else mechanism_of(own, most_truths=_MOST_TRUTHS)
        return mechanism, parts.problem.query
    if isinstance(source, tuple) and len(source) == 2:  # noqa: PLR2004 - a mechanism and its query
        mechanism, query = source
        if isinstance(mechanism, Mechanism) and isinstance(query, Query):
            return mechanism, query
    message = (
        "a mechanism must be a design, a certificate, or a Mechanism with its Query; "
        f"got {brief(source)}. The query says who is whose neighbour."
    )
    raise ProblemError(message)


def _key(losses: Losses) -> tuple[fmpz, ...]:
    """Return what equal losses have in common; a hash of integers needs no inverse modulo a prime."""
    numbers = (losses.infinite, *chain(*sorted(losses.finite.items())))
    return tuple(chain(*((number.p, number.q) for number in numbers)))
