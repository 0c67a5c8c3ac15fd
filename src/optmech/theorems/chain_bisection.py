"""The theorem of chains by bisection, truth by truth: long ranges, and the curves of noises.

phi_j falls up to its least value and rises from there, along the values that K and H, applied again and
again, make of the corners of K.

Source: `docs/theory/chain.md`.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from optmech.question.chain_question import ChainQuestion
from optmech.question.epsilon import exponential

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.base.arrays import Floats, Integers
    from optmech.question.privacy.noise_law import NoiseLaw
    from optmech.question.problem import Problem

    Move = Callable[[Floats], Floats]

# Values of kinks, and steps from 1 to 0: beyond, seconds pass.
_MOST_KINKS, _NOTHING = 200_000, 1e-17
_ROUNDING, _SAME = 1e-12, 1e-13


def by_bisection(problem: Problem) -> float:
    """Return the same for ranges that are long, or for the curve of a noise, where no epsilon is large."""
    question = ChainQuestion.of(problem)
    above, beside, mirrored, _ = _curve(problem)
    number = question.num_truths
    kinks, turns = kinks_of(problem, number), np.array(question.signs)
    steps = np.flatnonzero((turns >= 1 - question.keeps_zero) & (turns < number))
    charge = charges_of(question)

    def phi(places: Integers) -> Floats:
        shares, at = kinks[places], turns[steps]
        below = _along(charge, steps, range(number)[::-1], at - 1, mirrored(1 - shares), mirrored)
        return below - _along(charge, steps, range(number), at, shares, beside)

    low, high = np.zeros(len(steps), dtype=np.int64), np.full(len(steps), len(kinks) - 1)
    least = np.zeros(len(steps))
    if question.keeps_zero:
        certain = [1.0]
        for _ in range(int(turns.max(initial=0))):
            certain.append(float(beside(np.array(certain[-1]))))
        least = np.array(certain)[turns[steps]]
        low = np.minimum(kinks.searchsorted(least - _ROUNDING), high)
    first, low = low, _least_places(phi, low, high)
    values = phi(low)
    if question.keeps_zero and problem.privacy.curve is None:
        # At x = 0 other truths may be above the orbit from 1.
        at_first = np.flatnonzero((low == first) & (least > 0))
        values[at_first] = _from_one(charge, above, steps[at_first], turns[steps[at_first]], number)
    return question.const / question.unit + float(values.sum())


def pairs_of(problem: Problem) -> list[tuple[float, float]]:
    """Return ``e^epsilon`` and delta of each privacy."""
    return [(exponential(privacy.epsilon), float(privacy.delta or 0)) for privacy in problem.privacies]


def _curve(problem: Problem) -> tuple[Move, Move, Move, list[float]]:
    """Return K, H, ``1 - K(1 - y)``, which keeps the digits of what is near 1, and the corners of K."""
    if problem.privacy.curve is not None:
        return _curve_of_noise(problem.privacy.curve)
    lines, least = [], min(float(privacy.delta or 0) for privacy in problem.privacies)
    for factor, delta in pairs_of(problem):
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
    # Pairs hold both ways, and then 1 - K(1 - y) is H.
    return above, beside, beside, corners


def _curve_of_noise(law: NoiseLaw) -> tuple[Move, Move, Move, list[float]]:
    """Return what `_curve` does, of the polygon through (F(i-1), F(i))."""
    below = np.cumsum(law.floats)
    inside = (below > _NOTHING) & (below < 1 - 10 * _NOTHING)
    values = [*below[inside].tolist(), 1.0]
    rests = [0.0, *(np.cumsum(law.floats[::-1])[::-1] - law.floats)[inside][::-1].tolist(), 1.0]
    return (
        lambda x: np.interp(x, [0.0, *values], [*values, 1.0]),
        lambda y: np.interp(y, values, [0.0, *values[:-1]]),
        lambda y: np.interp(y, rests, [0.0, *rests[:-1]]),
        values,
    )


def kinks_of(problem: Problem, number: int) -> Floats:
    """Return the values between which every phi is linear, 0 and 1 among them."""
    above, beside, _, corners = _curve(problem)
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


def _along(  # noqa: PLR0917 - each of another kind
    charge: Callable[[Integers, Integers], Floats],
    steps: Integers,
    way: range,
    truths: Integers,
    shares: Floats,
    move: Move,
) -> Floats:
    """Return, for each step, the charges of truths from one of them on times its share of each."""
    lowest, highest = min(way), max(way)
    total, at = np.zeros(len(steps)), np.flatnonzero((truths >= lowest) & (truths <= highest))
    truths, shares = truths[at], shares[at]
    while len(at):
        total[at] += charge(steps[at], truths) * shares
        after = move(shares)
        # Under pure privacy what is certain stays so at all that follow.
        certain = (shares == 1) & (after == 1)
        for step, truth in zip(at[certain], truths[certain], strict=True):
            others = np.arange(truth + way.step, way.stop, way.step)
            total[step] += charge(np.full(len(others), steps[step]), others).sum()
        truths = truths + way.step
        goes_on = (after > _NOTHING) & ~certain & (truths >= lowest) & (truths <= highest)
        at, truths, shares = at[goes_on], truths[goes_on], after[goes_on]
    return total


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


def charges_of(question: ChainQuestion) -> Callable[[Integers, Integers], Floats]:
    """Return c_f(j) for steps and truths."""
    if question.table:
        table = np.array([[cost / question.unit for cost in row] for row in question.table])
        return lambda steps, truths: table[steps, truths]
    # Whole numbers may be larger than any double.
    largest = max(question.weights)
    weights = np.array([weight / largest for weight in question.weights])
    rises = np.array([rise * largest / question.unit for rise in question.rises])
    return lambda steps, truths: weights[truths] * rises[question.num_truths + steps - truths]
