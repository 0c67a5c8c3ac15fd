"""The theorem of chains: counts under any trade-off between consecutive true answers.

Statement
---------
    least loss = const + sum_j min_x phi_j(x),     phi_j convex on [0, 1]
    phi_j(x) = sum_(f < k_j) c_f(j) (1 - K^(k_j - f)(x)) - sum_(f >= k_j) c_f(j) H^(f - k_j)(x)

with ``c_f(j) = w_f (l_f(r_(j+1)) - l_f(r_j))``, positive before truth k_j and negative from it on,

    K(x) = min(1, E x + delta, 1 - (1 - delta - x) / E) over all (epsilon, delta),  H its inverse,

K^t and H^t applied t times. phi_j is linear between the values that K and H, applied again and again, make
of the corners of K; it falls up to its least value and rises from there, so that bisection finds that one.
Where the answer 0 is certain at the truth 0, x is at least ``H^(k_j)(1)``.

Source: `docs/theory/chain.md`; we know of no print. Under pure privacy Ghosh, Roughgarden, Sundararajan 2009.
"""

from __future__ import annotations

from itertools import pairwise
from math import expm1, log1p
from typing import TYPE_CHECKING

import numpy as np

from optmech.question.chain_question import ChainQuestion, no_chain_question
from optmech.question.properties import ZERO_STAYS_ZERO
from optmech.question.shape import Shape
from optmech.theorems.chain_bisection import by_bisection, charges_of
from optmech.theorems.chain_curve import curve_of
from optmech.theorems.chain_orbits import least_loss_of_equal_weights, least_loss_of_table
from optmech.theorems.chain_steps import least_loss_of_steps
from optmech.theorems.theorem import Form, proved_optimum

if TYPE_CHECKING:
    from optmech.question.problem import Problem

# Without a delta an orbit has some 40 / epsilon steps from 1/2 to nothing; each truth is met at each of them.
_STEPS, _SMALLEST, _MOST_WORK, _MOST_PLACES = 40.0, 1e-6, 10_000_000, 400_000_000
# Beyond, losses as small as 1 / E have no digits left beside 1.
_LARGEST_FACTOR = 1e3
# Below, what is certain but for delta is certain in doubles.
_SMALLEST_DELTA = 1e-15
# Truths, steps and values multiplied, of which numpy looks at this many in half a second.
_MOST_LOOKED_AT = 20_000_000


def least_loss(problem: Problem) -> float:
    """Return the least expected loss of a problem that the theorem applies to, in doubles.

    >>> import optmech as om
    >>> round(least_loss(om.question(om.count(100), "0.5", delta="1e-3")), 9)
    1.831467531
    """
    if not Shape.of(problem).equal_steps:
        return least_loss_of_steps(problem)
    question = ChainQuestion.of(problem)
    if _is_alike(problem, question):
        return least_loss_of_equal_weights(question, curve_of(problem).pairs)
    if _is_short(problem, question):
        rows, columns = np.indices((question.num_steps, question.num_truths))
        return least_loss_of_table(question, charges_of(question)(rows, columns), curve_of(problem).pairs)
    return by_bisection(problem)


def _is_alike(problem: Problem, question: ChainQuestion) -> bool:
    """Whether steps far from both ends are alike, and the curve is one of pairs."""
    return question.is_even and not question.keeps_zero and bool(curve_of(problem).pairs)


def _is_short(problem: Problem, question: ChainQuestion) -> bool:
    """Whether every truth can be looked at for every step and every value, so that all digits are kept."""
    if not curve_of(problem).pairs:
        return False
    number, least = question.num_truths, min(float(privacy.epsilon) for privacy in problem.privacies)
    values = min(number, _STEPS / max(least, _SMALLEST) + 2) * 4 * len(problem.privacies)
    return number**2 * values < _MOST_LOOKED_AT


def _keeps_digits(problem: Problem) -> bool:
    if not Shape.of(problem).equal_steps:
        return False
    question = ChainQuestion.of(problem)
    return _is_alike(problem, question) or _is_short(problem, question)


def _length_of_orbits(problem: Problem) -> float:
    """Return the number of steps that H, at least ``(x - delta) / E``, may take from 1/2 to 0."""
    lengths = []
    for privacy in problem.privacies:
        epsilon, delta = max(float(privacy.epsilon), _SMALLEST), float(privacy.delta or 0)
        steps = min(_STEPS, log1p(expm1(epsilon) / (2 * delta))) if delta else _STEPS
        lengths.append(steps / epsilon)
    return max(lengths)


def _too_long(problem: Problem) -> str | None:
    """Return why the value would take more than some seconds, by the steps of an orbit for each truth."""
    pairs = () if _keeps_digits(problem) else curve_of(problem).pairs
    if any(factor > _LARGEST_FACTOR for factor, _ in pairs):
        return "its value would have too few digits at so large an epsilon"
    if ZERO_STAYS_ZERO in problem.properties and any(0 < delta < _SMALLEST_DELTA for _, delta in pairs):
        return "its value would have too few digits at so small a delta"
    if not Shape.of(problem).equal_steps:
        is_long = problem.query.num_truths**2 * len(problem.privacies) ** 2 > _MOST_WORK // 4
        return "of steps that differ it takes over a few seconds for this many answers" if is_long else None
    question = ChainQuestion.of(problem)
    length = _length_of_orbits(problem)
    if _is_alike(problem, question):
        length = 2 * len(problem.privacies) * min(question.num_truths, length)
        is_long = length * min(question.num_truths, length) > _MOST_PLACES
    else:
        is_long = question.num_truths * min(question.num_truths, length) > _MOST_WORK
    if is_long:
        return "its value takes longer than a few seconds for this many true answers at such an epsilon"
    return None


def _no_chain(problem: Problem) -> str | None:
    return no_chain_question(problem, any_steps=True)


_CROSSING = "its loss is not convex: where thresholds cross the sum is a bound and no optimum"


def _no_corners(problem: Problem) -> str | None:
    """Return why the curve has no corners that doubles can distinguish, so that bisection fails."""
    return curve_of(problem).without_corners(problem.query.num_truths)


def no_convexity(problem: Problem) -> str | None:
    """Say whether some truth's loss is not convex along the responses."""
    question = ChainQuestion.of(problem, any_steps=True)
    if question.rises:
        rises = question.rises[1:-1]  # the outermost are beyond all distances
        return _CROSSING if any(after < before for before, after in pairwise(rises)) else None
    points = [response.midpoint for response in problem.query.responses]
    gaps = np.array([after - before for before, after in pairwise(points)], dtype=object)
    slopes = np.array(question.table, dtype=object) / gaps[:, None]
    return _CROSSING if (np.diff(slopes, axis=0) < 0).any() else None


THEOREMS = (
    proved_optimum(
        name="chain",
        source="docs/theory/chain.md",
        says="With true answers in a row and a loss that is convex for each, the least loss is a sum of "
        "least values of convex functions of one number, one for each step of the responses, for any "
        "privacy curve, which may differ from true answer to true answer.",
        conditions=(_no_chain, _no_corners, no_convexity),
        form=Form(least_loss),
        reads=frozenset({"further_privacy", "properties", "weights"}),
        of_any_size=True,
        too_long=_too_long,
    ),
)
