"""The best thresholds of a chain: a point of the noise for each step of the responses.

From point l - 1 to l, phi_j changes by ``-sum_f c_f(j) p(l - period f)``. It falls as long as that sum is
positive, and then rises, phi_j being convex along the orbits; where losses are convex the last minimisers
never decrease from step to step, so each is looked for from the one before it on, first a truth further.

The p are those of the noise, or what the lines of a bound make of them: from truth to truth p grows by the
slope of a line. Nearly equal points are equally good, and the bound is tight at only one of them.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from operator import mul
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.time_left import need_time
from optmech.proofs.chain.bound import Segments

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from optmech.base.arrays import Floats, Integers, Whole
    from optmech.proofs.chain.curve import Line
    from optmech.proofs.chain.noise import Noise
    from optmech.question.chain_question import ChainQuestion


_NOTHING_BITS = 90
# Points within this many periods of a threshold are columns as well.
_BESIDE = 1


class NoiseOrbits:
    """The points of a noise, for a number of truths: the possible thresholds of a mixture, in order.

    `step_orbits.StepOrbits` has the same methods for unequal steps.
    """

    def __init__(self, noise: Noise, lines: Sequence[Line], number: int) -> None:
        self._noise, self._number, self.one = noise, number, noise.one
        self._weights = weights_of_lines(noise, lines)
        self._never, self._always = noise.ends(number)

    def best(self, question: ChainQuestion) -> list[int]:
        """Return the best point for each step of the responses, never decreasing."""
        return best_thresholds(question, self._noise, self._weights)

    def near(self, points: Sequence[int]) -> Integers:
        """Return the points of all steps and of a period on both sides, as pairs of step and point."""
        noise, reach = self._noise, _BESIDE * self._noise.period
        pairs = with_steps(points, reach, self._never, self._always)
        if not noise.tail:
            return pairs
        # Only where no truth is in a tail are doubles listed; beyond all of them a threshold is infinite.
        inside = (pairs[:, 1] - noise.period * (self._number - 1) >= noise.first) & (
            pairs[:, 1] <= noise.last
        )
        finite: Integers = pairs[inside | (pairs[:, 1] <= self._never) | (pairs[:, 1] >= self._always)]
        return finite

    def below(self, points: Integers) -> Floats:
        """Return F at each truth: the probability below points, 0 and 1 at infinite thresholds."""
        noise, ends = self._noise, points[:, None]
        cumulative = np.array([0.0, *(value / noise.one for value in noise.cumulative), 1.0])
        where = ends - noise.period * np.arange(self._number)[None, :] - noise.first + 1
        below = cumulative[np.clip(where, 0, len(cumulative) - 1)]
        shares: Floats = np.where(ends <= self._never, 0.0, np.where(ends >= self._always, 1.0, below))
        return shares

    def matrix(self, points: Sequence[int]) -> Whole:
        """Return the probability of each response at each truth, in units of which `one` are certainty."""
        return self._noise.matrix(points, self._number)


def with_steps(points: Sequence[int], reach: int, first: int, last: int) -> Integers:
    """Return points and their neighbours within a distance, inside both ends, each with its step."""
    near = np.arange(-reach, reach + 1)
    beside = np.clip(np.array(points)[:, None] + near, first, last)
    pairs: Integers = np.column_stack([np.repeat(np.arange(len(points)), len(near)), beside.reshape(-1)])
    return pairs


def weights_of_lines(noise: Noise, lines: Sequence[Line]) -> list[int]:
    """Return the probability of each point of a noise by the lines of a bound, the steepest first.

    Among points that are whole truths apart the largest stays the same, in some unit.
    """
    segments, weights = Segments(noise, lines), [0, *noise.weights()]
    for rest in range(noise.period):
        points = range(rest, len(weights), noise.period)
        largest = max(points, key=weights.__getitem__)
        if not weights[largest]:
            continue
        weights[largest] = noise.one
        for point in range(largest + noise.period, len(weights), noise.period):
            line, _ = segments[noise.first + point]
            weights[point] = 0 if line is None else weights[point - noise.period] * line.slope >> line.bits
        for point in range(largest, noise.period - 1, -noise.period):
            _, line = segments[noise.first + point]
            weights[point - noise.period] = 0 if line is None else (weights[point] << line.bits) // line.slope
    return weights


def best_thresholds(question: ChainQuestion, noise: Noise, weights: Sequence[int] = ()) -> list[int]:
    """Return a point for each step, never decreasing, by the weights of a noise, or given ones.

    If losses are not convex the best points may cross. Then each is raised to the one before it, and the
    bound stays below the objective.
    """
    period, number = noise.period, question.num_truths
    never, always = noise.ends(number)
    start, end = _reach(noise, number)
    if question.keeps_zero:
        # Where the first truth gives the first response for certain; with tails that is nowhere.
        never = start = always if noise.tail else noise.last
    # The probabilities a truth apart, from the last point to the first, for each remainder.
    weights = weights or [0, *noise.weights()]
    by_rest = [weights[rest::period][::-1] for rest in range(period)]
    point, points = start, list[int]()
    longest = max(map(len, by_rest))

    def rises(point: int) -> bool:
        """Whether phi of the current step is larger at the next point, or never less from here on."""
        # F is listed at point + 1 - period f for the truths f of this window.
        highest, rest = divmod(point + 1 - noise.first, period)
        thresholds = by_rest[rest]
        lowest = highest - len(thresholds) + 1
        if lowest >= turn:
            return True  # no truth is left with c_f(j) > 0
        lowest, skipped = (lowest, 0) if lowest > 0 else (0, -lowest)
        column = question.column(len(points), lowest, highest + 1 if highest < number else number)
        fall: int = sum(map(mul, column, thresholds[skipped : skipped + len(column)]))
        return fall < 0

    while len(points) < question.num_steps:
        need_time("the best threshold for each step of the responses")
        turn = question.signs[len(points)]
        if turn in (0, question.num_truths):
            points.append(never if turn == 0 else always)
            continue
        point = _first(rises, point, end, point + period)
        points.append(never if point == start else always if point >= end else point)
        highest = (point + 1 - noise.first) // period
        if question.is_even and highest >= longest and points[-2:] == [point - period, point]:
            # Truths of equal weight, far from both ends: every step looks like the one before it.
            alike = min(number - 2 - highest, question.num_steps - len(points))
            points += (point + period * step for step in range(1, alike + 1))
            point = points[-1]
    return list(accumulate(points, max))


def _first(holds: Callable[[int], bool], low: int, high: int, guess: int) -> int:
    """Return the first number from `low` on with a monotone property, or `high`.

    The guess is tried first, then numbers further and further above it.
    """
    if low < guess <= high and holds(guess - 1):
        high = guess - 1
    else:
        low, step = min(max(low, guess), high), 1
        while low + step <= high and not holds(low + step - 1):
            low, step = low + step, 2 * step
        high = min(low + step - 1, high)
    return low + bisect_left(range(low, high), 1, key=holds)


def _reach(noise: Noise, number: int) -> tuple[int, int]:
    """Return the first and the last point at which phi can change.

    Where a tail is not cut off for being next to nothing, all truths are in it at its far end; there a step
    is best put below all points, or above.
    """
    whole, floor = noise.period * number, noise.one >> _NOTHING_BITS
    left, right = noise.cumulative[0] > floor, noise.one - noise.cumulative[-1] > floor
    return (
        noise.first + (whole if noise.tail and left else 0),
        noise.last + (0 if noise.tail and right else whole),
    )
