"""Least delta without bias: whoever moves the smallest answer is revealed (any demands besides).

Let the smallest truth a be the smallest response, and d how far a neighbour of it lies at most. Where the
mean of each column is its truth, and the mean square of what is added to each truth is at most V,

    least delta >= d^2 / (d^2 + V)                      at every epsilon, and for counts 1 / (1 + V)

Proof. At a the mean is a, and nothing below a is released: a is, for certain. At the neighbour let X + a be
the response. Then ``E X = d`` and ``E X^2 <= d^2 + V``, and by Cauchy and Schwarz

    d^2 = (E X 1[X > 0])^2 <= E X^2 P(X > 0) <= (d^2 + V) P(X > 0) .

So the responses above a have at least that probability at the neighbour, and at a none. Perturbation tables
of many widths attain it. We know of no print of it; docs/theory/related.md has what is near.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import arb

from optmech.question.losses import LeastDelta
from optmech.question.privacy import ApproximatePrivacy
from optmech.question.properties import UNBIASED
from optmech.theorems.powers import enclosure, rational
from optmech.theorems.theorem import Form, proved_lower_bound

if TYPE_CHECKING:
    from fractions import Fraction

    from optmech.question.problem import Problem


def least_share(step: Fraction, variance: Fraction) -> Fraction:
    """Return the probability that no mechanism without bias is below.

    >>> from fractions import Fraction
    >>> print(least_share(Fraction(1), Fraction(3)))
    1/4
    """
    return step**2 / (step**2 + variance)


def _letters(problem: Problem) -> tuple[Fraction, Fraction]:
    """Return how far a neighbour of the smallest truth lies, and the bound on the squared loss."""
    query = problem.query
    smallest = min(query.truths)
    beside = [
        query.truths[first] for first, second in query.pairs.tolist() if query.truths[second] == smallest
    ]
    bounds = (bound.at_most for bound in problem.bounds if _is_of_squares(bound.loss))
    return max(beside, default=smallest) - smallest, min(bounds)


def _is_of_squares(loss: object) -> bool:
    return getattr(loss, "is_worst", False) and getattr(loss, "loss_name", None) == "squared"


def _least_delta_without_bias(problem: Problem) -> str | None:
    """Say why this is not a problem of least delta without bias, or return ``None``."""
    if not isinstance(problem.objective, LeastDelta) or not isinstance(problem.privacy, ApproximatePrivacy):
        return "this applies to the least delta of (epsilon, delta)-differential privacy"
    if UNBIASED not in problem.properties or not any(_is_of_squares(bound.loss) for bound in problem.bounds):
        return "this applies to unbiased mechanisms with a bound on the squared loss of the worst truth"
    query = problem.query
    if query.labels or any(response.lower != response.upper for response in query.responses):
        return "a response is no single number"
    if min(query.truths) != min(response.midpoint for response in query.responses):
        return "the smallest response is not the smallest truth"
    return None if _letters(problem)[0] else "the smallest truth has no neighbour to be told from"


def _ball(problem: Problem, digits: int) -> arb:
    return enclosure(lambda: arb(rational(least_share(*_letters(problem)))), digits)


THEOREMS = (
    proved_lower_bound(
        name="approximate-unbiased-least-delta",
        source="unbiased, on (epsilon, delta)-differential privacy",
        says=(
            "Without bias or responses below the smallest answer, one step away from that is revealed with "
            "probability d^2 / (d^2 + V) at least, d the step and V the bound on the squared error."
        ),
        conditions=(_least_delta_without_bias,),
        form=Form(lambda problem: float(least_share(*_letters(problem))), _ball),
        reads=frozenset({"limits", "bounds", "rules", "properties", "weights", "further_privacy"}),
    ),
)
