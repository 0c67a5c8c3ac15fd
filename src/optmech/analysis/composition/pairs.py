"""The neighbours of a mechanism: the losses of each pair, and the curve of the worst of them."""

from __future__ import annotations

from dataclasses import dataclass

from optmech.analysis.composition.curve import PrivacyCurve, curve_of
from optmech.analysis.composition.losses import Losses, envelope, losses_of, maximal_pairs
from optmech.base.arguments import brief
from optmech.base.errors import ProblemError
from optmech.mechanisms.distribution import Distribution
from optmech.mechanisms.mechanism import Mechanism
from optmech.mechanisms.sampling import whole_weights
from optmech.mechanisms.source import MechanismSource, is_source, source_of
from optmech.proofs.privacy import both_ways
from optmech.question.query import Query

# Some 100,000 ratios are compared in a second.
_MOST_RATIOS = 1_000_000
# Of more pairs it is not asked which of them dominate which.
_MOST_COMPARED = 32

Source = MechanismSource | tuple[Mechanism, Query]
"""A design or a certificate, or a mechanism and the query that says whose columns are neighbours."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Neighbours:
    """The losses of the pairs of neighbouring columns of a mechanism, one for each row of `query.pairs`.

    The query lists both directions of each pair, whichever of them its question protects.
    Probabilities are those of a certified matrix; else they are doubles, taken as they stand, each column
    over its own sum, as samples are drawn. The least pair that dominates all is `dominating`.
    """

    query: Query
    is_certified: bool
    losses: list[Losses]
    dominating: Losses

    def worst(self) -> list[Losses]:
        """Return the pairs that are to be looked at: one that dominates all, or those undominated."""
        distinct = _distinct(self.losses)
        if self.dominating in distinct:
            return [self.dominating]
        return maximal_pairs(distinct) if len(distinct) <= _MOST_COMPARED else distinct


def privacy_curve(source: Source) -> PrivacyCurve:
    """Return the curve delta(epsilon) of one use of a mechanism, the largest over its neighbours, both ways.

    Where a question protects only one of two neighbours, the losses of both count.

    Parameters
    ----------
    source : Design, Certificate or (Mechanism, Query)
        Of a certificate the curve is proved; of a matrix of doubles it is exact for those doubles, each
        column over its own sum.

    Raises
    ------
    ProblemError
        If the query has no neighbours, does not fit the mechanism, or has too many pairs to compare.

    Examples
    --------
    >>> from optmech.question.queries import count
    >>> answer = Mechanism(matrix=[[0.75, 0.25], [0.25, 0.75]], responses=(0, 1), truths=(0, 1))
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
    if isinstance(mechanism, Distribution):
        return _neighbours_of_distribution(mechanism, query)
    if (query.num_responses, query.num_truths) != mechanism.matrix.shape:
        message = (
            f"`query` must have {mechanism.matrix.shape[0]} responses and {mechanism.matrix.shape[1]} truths "
            f"like the matrix; got {query.num_responses} and {query.num_truths} ({query.title})."
        )
        raise ProblemError(message)
    if not len(query.pairs):
        message = f"`query` must have neighbours; got none ({query.title}). Without them nothing is spent."
        raise ProblemError(message)
    if query.is_weighted:
        message = (
            f"`query` must have neighbours that all count alike; got weights up to {query.weights.max()} "
            f"({query.title}). Compose with a query of those neighbours that you mean, all of weight 1."
        )
        raise ProblemError(message)
    if len(query.pairs) * query.num_responses > _MOST_RATIOS:
        message = (
            f"a composition must have at most {_MOST_RATIOS:,} ratios of neighbours; got "
            f"{len(query.pairs) * query.num_responses:,} ({query.title}). Ask for a coarser range."
        )
        raise ProblemError(message)
    weights = whole_weights(mechanism.matrix, mechanism.exact).T.tolist()
    losses = [losses_of(weights[truth], weights[neighbour]) for truth, neighbour in query.pairs.tolist()]
    return Neighbours(
        query=query,
        is_certified=mechanism.exact is not None,
        losses=losses,
        dominating=envelope(losses),
    )


def _neighbours_of_distribution(mechanism: Distribution, query: Query) -> Neighbours:
    """Return the losses where truths one apart are neighbours; equal columns share them."""
    columns, places = mechanism.neighbour_columns(query, _MOST_RATIOS)
    rising = [losses_of(truth, after) for truth, after in columns]
    falling = [losses_of(after, truth) for truth, after in columns]
    losses = [
        (rising if truth < neighbour else falling)[places[min(truth, neighbour)]]
        for truth, neighbour in query.pairs.tolist()
    ]
    return Neighbours(query=query, is_certified=True, losses=losses, dominating=envelope([*rising, *falling]))


def _parts(source: Source) -> tuple[Mechanism, Query]:
    if is_source(source):
        parts = source_of(source, "source")
        if parts.problem is not None:
            return parts.mechanism, parts.problem.query
    elif isinstance(source, tuple) and len(source) == 2:  # noqa: PLR2004 - a mechanism and its query
        mechanism, query = source
        if isinstance(mechanism, Mechanism) and isinstance(query, Query):
            return mechanism, query
    message = (
        "a mechanism must be a design, a certificate, or a Mechanism with its Query; "
        f"got {brief(source)}. The query says who is whose neighbour."
    )
    raise ProblemError(message)


def _distinct(pairs: list[Losses]) -> list[Losses]:
    different = {id(losses): losses for losses in pairs}.values()  # many truths may have one and the same
    return list(
        {(losses.infinite, frozenset(losses.finite.items())): losses for losses in different}.values()
    )
