"""The theorem of chains by bisection, truth by truth: long ranges, and the curves of noises.

phi_j falls up to its least value and rises from there, along the values that K and H, applied again and
again, make of the corners of K.

Source: `docs/theory/chain.md`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.question.chain_question import ChainQuestion
from optmech.theorems.chain_curve import curve_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.base.arrays import Floats, Integers
    from optmech.question.problem import Problem

    Move = Callable[[Floats], Floats]

_ROUNDING, _NOTHING = 1e-12, 1e-17


def by_bisection(problem: Problem) -> float:
    """Return the same for ranges that are long, or for the curve of a noise, where no epsilon is large."""
    question = ChainQuestion.of(problem)
    curve = curve_of(problem)
    number = question.num_truths
    kinks, turns = curve.kinks(number), np.array(question.signs)
    steps = np.flatnonzero((turns >= 1 - question.keeps_zero) & (turns < number))
    charge = charges_of(question)

    def phi(places: Integers) -> Floats:
        shares, at = kinks[places], turns[steps]
        below = _along(charge, steps, range(number)[::-1], at - 1, curve.mirrored(1 - shares), curve.mirrored)
        return below - _along(charge, steps, range(number), at, shares, curve.beside)

    low, high = np.zeros(len(steps), dtype=np.int64), np.full(len(steps), len(kinks) - 1)
    least = np.zeros(len(steps))
    if question.keeps_zero:
        certain = [1.0]
        for _ in range(int(turns.max(initial=0))):
            certain.append(float(curve.beside(np.array(certain[-1]))))
        least = np.array(certain)[turns[steps]]
        low = np.minimum(kinks.searchsorted(least - _ROUNDING), high)
    first, low = low, _least_places(phi, low, high)
    values = phi(low)
    if question.keeps_zero and curve.pairs:
        # At x = 0 other truths may be above the orbit from 1.
        at_first = np.flatnonzero((low == first) & (least > 0))
        values[at_first] = _from_one(charge, curve.above, steps[at_first], turns[steps[at_first]], number)
    return question.const / question.unit + float(values.sum())


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
    """Return the minimiser of each phi, which falls and then rises."""
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
