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

Source: `docs/theory/chain.md`; not found in print. Under pure privacy Ghosh, Roughgarden, Sundararajan 2009.
"""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np

from optmech.question.chain_question import ChainQuestion, no_chain_question
from optmech.question.epsilon import exponential
from optmech.theorems.theorem import Form, proved_optimum

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from optmech.question.privacy.noise_law import NoiseLaw
    from optmech.question.problem import Problem

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

__all__ = ["THEOREMS", "least_loss", "no_convexity"]

# Values of kinks, and steps from 1 to 0: beyond, seconds pass.
_MOST_KINKS, _NOTHING = 200_000, 1e-17
# An orbit has some 40 / epsilon steps from 1/2 to nothing, and each truth is met at each of them.
_STEPS, _SMALLEST, _MOST_WORK = 40.0, 1e-6, 5_000_000
_ROUNDING, _SAME = 1e-12, 1e-13


def _curve(problem: Problem) -> tuple[Callable[[Floats], Floats], Callable[[Floats], Floats], list[float]]:
    """Return K, H and the corners of K."""
    if problem.privacy.curve is not None:
        return _curve_of_noise(problem.privacy.curve)
    lines, least = [], min(float(privacy.delta or 0) for privacy in problem.privacies)
    for privacy in problem.privacies:
        factor, delta = exponential(privacy.epsilon), float(privacy.delta or 0)
        lines += [(factor, delta), (1 / factor, 1 - (1 - delta) / factor)]

    def above(x: Floats) -> Floats:
        heights: Floats = np.minimum(1.0, np.min([slope * x + offset for slope, offset in lines], axis=0))
        return heights

    def beside(y: Floats) -> Floats:
        places: Floats = np.maximum(0.0, np.max([(y - offset) / slope for slope, offset in lines], axis=0))
        # At one the line through (1, 1 - delta) would be off by its rounding, which further steps multiply.
        return np.where(y >= 1, 1 - least, places)

    corners = [0.0, float(beside(np.array(1.0)))]
    for (slope, offset), (other, height) in combinations(lines, 2):
        if slope != other:
            x = (height - offset) / (slope - other)
            if 0 < x < 1 and abs(slope * x + offset - above(np.array(x))) < _ROUNDING:
                corners.append(x)
    return above, beside, corners


def _curve_of_noise(
    law: NoiseLaw,
) -> tuple[Callable[[Floats], Floats], Callable[[Floats], Floats], list[float]]:
    """Return K, H and the corners of K, the polygon through (F(i-1), F(i))."""
    below = np.cumsum(law.floats)
    values = [*below[(below > _NOTHING) & (below < 1 - 10 * _NOTHING)].tolist(), 1.0]
    return (
        lambda x: np.interp(x, [0.0, *values], [*values, 1.0]),
        lambda y: np.interp(y, values, [0.0, *values[:-1]]),
        values,
    )


def _kinks(problem: Problem, number: int) -> Floats:
    """Return the values between which every phi is linear, 0 and 1 among them."""
    above, beside, corners = _curve(problem)
    if problem.privacy.curve is not None:
        return np.array([0.0, *corners])  # the orbits of corners are corners
    kinks = [np.array([0.0, 1.0])]
    for move in (above, beside):
        values = np.array(corners)
        for _ in range(min(number, _MOST_KINKS)):
            values = values[(values > _NOTHING) & (values < 1 - _NOTHING)] if len(kinks) > 1 else values
            if not len(values):
                break
            kinks.append(values)
            values = move(values)
    values = np.unique(np.concatenate(kinks))
    # Of values that differ by rounding the first stands for all.
    return values[np.diff(values, prepend=-1.0) > _SAME]


def least_loss(problem: Problem) -> float:
    """Return the least expected loss, in doubles.

    Parameters
    ----------
    problem : Problem
        One that the theorem speaks of.

    Examples
    --------
    >>> import optmech as om
    >>> round(least_loss(om.question(om.count(100), "0.5", delta="1e-3")), 9)
    1.831467531
    """
    question = ChainQuestion.of(problem)
    above, beside, _ = _curve(problem)
    number = question.num_truths
    kinks, turns = _kinks(problem, number), np.array(question.signs)
    steps = np.flatnonzero((turns >= 1 - question.keeps_zero) & (turns < number))
    charge = _charges(question)

    def phi(places: Integers) -> Floats:
        total = np.zeros(len(steps))
        share = kinks[places]
        for distance in range(number):
            cost = charge(steps, turns[steps] + distance)
            total -= cost * share
            if (share < _NOTHING).all():
                break
            share = beside(share)
        share = above(kinks[places])
        for distance in range(1, number):
            total += charge(steps, turns[steps] - distance) * (1 - share)
            if (share >= 1).all():
                break
            share = above(share)
        return total

    low, high = np.zeros(len(steps), dtype=np.int64), np.full(len(steps), len(kinks) - 1)
    if question.keeps_zero:
        certain = [1.0]
        for _ in range(int(turns.max(initial=0))):
            certain.append(float(beside(np.array(certain[-1]))))
        least = np.array(certain)[turns[steps]]
        low = np.minimum(kinks.searchsorted(least - _ROUNDING), high)
    first, low = low, _least_places(phi, low, high)
    values = phi(low)
    if question.keeps_zero and problem.privacy.curve is None:
        at_first = np.flatnonzero(low == first)
        values[at_first] = _from_one(charge, above, steps[at_first], turns[steps[at_first]], number)
    return question.const / question.unit + float(values.sum())


def _least_places(phi: Callable[[Integers], Floats], low: Integers, high: Integers) -> Integers:
    """Return where each phi, which falls and then rises, is least."""
    while (low < high).any():
        middle = (low + high) // 2
        falls = phi(middle + (low < high)) < phi(middle)
        low, high = np.where(falls & (low < high), middle + 1, low), np.where(falls, high, middle)
    return low


def _from_one(
    charge: Callable[[Integers, Integers], Floats],
    above: Callable[[Floats], Floats],
    steps: Integers,
    turns: Integers,
    number: int,
) -> Floats:
    """Return phi of the orbit from 1 by its distances from 1: ``1 - H(y) = K(1 - y)`` keeps their digits."""
    total, rest = np.zeros(len(steps)), np.array(0.0)
    for truth in range(number):
        cost = charge(steps, np.full(len(steps), truth))
        total += cost * np.where(truth < turns, rest, rest - 1)
        rest = above(rest)
    return total


def _charges(question: ChainQuestion) -> Callable[[Integers, Integers], Floats]:
    """Return c_f(j) for steps and truths, 0 beyond the range."""
    number = question.num_truths
    if question.table:
        table = np.array([[cost / question.unit for cost in row] for row in question.table])
        return lambda steps, truths: np.where(
            (truths >= 0) & (truths < number), table[steps, np.clip(truths, 0, number - 1)], 0.0
        )
    weights = np.array([weight / question.unit for weight in question.weights])
    rises = np.array(question.rises, dtype=float)
    return lambda steps, truths: np.where(
        (truths >= 0) & (truths < number),
        weights[np.clip(truths, 0, number - 1)] * rises[np.clip(number + steps - truths, 0, len(rises) - 1)],
        0.0,
    )


def _too_long(problem: Problem) -> str | None:
    """Say whether the value would take more than some seconds: so many steps of an orbit for each truth."""
    number = problem.query.num_truths
    least = min(float(privacy.epsilon) for privacy in problem.privacies)
    if number * min(number, _STEPS / max(least, _SMALLEST)) > _MOST_WORK:
        return "its value takes longer than a few seconds for so many true answers at such an epsilon"
    return None


_CROSSING = "its loss is not convex: where thresholds cross the sum is a bound and no optimum"


def _no_corners(problem: Problem) -> str | None:
    """Say whether the curve has no corners that doubles can tell apart, so that bisection finds nothing."""
    law = problem.privacy.curve
    if law is None:
        return None
    if law.is_continuous:
        return "its curve has no corners"
    inside = [kink for kink in _kinks(problem, problem.query.num_truths) if _SAME < kink < 1 - _SAME]
    return None if inside else "its noise is so narrow that doubles do not tell its orbits from 0 and 1"


def no_convexity(problem: Problem) -> str | None:
    """Say whether some truth's loss is not convex along the responses."""
    question = ChainQuestion.of(problem)
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
        "least values of convex functions of one number, one for each step of the responses, whatever the "
        "privacy curve.",
        conditions=(no_chain_question, _no_corners, _too_long, no_convexity),
        form=Form(least_loss),
        reads_privacies=True,
        of_any_size=True,
    ),
)
