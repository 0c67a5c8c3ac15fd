"""What a matrix spends in the usual sense: delta over all sets of responses, both ways between neighbours.

A delta of one outcome is smaller, and one of a query that protects one of two neighbours only says nothing
of the other. Whatever the definition of a question, this one is (epsilon, delta)-differential privacy.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.proofs.privacy import hockey_stick, short_delta

if TYPE_CHECKING:
    from optmech.proofs.enclosure import Enclosure
    from optmech.proofs.matrix import ExactMatrix
    from optmech.question.query import Query
    from optmech.rules import Rules

__all__ = ["both_ways", "delta_of_sets"]


def delta_of_sets(rules: Rules, matrix: ExactMatrix, factor: Enclosure, delta: Fraction) -> Fraction:
    """Return the least delta at the epsilon of the question, at the weights of its neighbours, rounded up.

    A matrix of the question spends `delta` in the sense of its own definition.
    """
    query = rules.problem.query
    if query.symmetric and rules.is_pure:
        return Fraction(0)
    if query.symmetric and rules.sums_excess:
        return delta
    both = both_ways(query)
    whole = hockey_stick(matrix.numerators, both.pairs, both.weights, factor.lower)
    return short_delta(whole / matrix.denominator)


def both_ways(query: Query) -> Query:
    """Return the query with each of two neighbours protected against the other.

    Examples
    --------
    >>> from optmech.question.queries import residues
    >>> both_ways(residues(5, [1], symmetric=False)).symmetric
    True
    """
    return query if query.symmetric else query.variant(both_ways=True)
