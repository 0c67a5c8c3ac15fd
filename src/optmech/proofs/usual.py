"""What a matrix spends in the usual sense: delta over all sets of responses, both ways between neighbours.

A delta of one outcome is smaller, and one of a query that protects one of two neighbours only says nothing
of the other. Whatever the definition of a question, this one is (epsilon, delta)-differential privacy.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.proofs.privacy import is_approximate, is_pure, short_delta, spent_delta
from optmech.question.losses import LeastDelta
from optmech.question.privacy import ApproximatePrivacy

if TYPE_CHECKING:
    from optmech.proofs.enclosure import Enclosure
    from optmech.proofs.matrix import ExactMatrix
    from optmech.question.problem import Problem
    from optmech.question.query import Query

__all__ = ["both_ways", "delta_of_sets"]


def delta_of_sets(problem: Problem, matrix: ExactMatrix, factor: Enclosure, spent: Fraction) -> Fraction:
    """Return the least delta at the epsilon of the question, at the weights of its neighbours, rounded up.

    A matrix of the problem spends `spent` in the sense of its own definition.
    """
    if is_pure(problem) and problem.query.symmetric:
        return Fraction(0)
    if problem.query.symmetric and is_approximate(problem):
        return spent
    usual = replace(
        problem,
        query=both_ways(problem.query),
        privacy=ApproximatePrivacy(problem.privacy.epsilon),
        objective=LeastDelta(),
    )
    return short_delta(spent_delta(usual, matrix, factor))


def both_ways(query: Query) -> Query:
    """Return the query with each of two neighbours protected against the other.

    Examples
    --------
    >>> from optmech.question.queries import residues
    >>> both_ways(residues(5, [1], symmetric=False)).symmetric
    True
    """
    return query if query.symmetric else query.variant(both_ways=True)
