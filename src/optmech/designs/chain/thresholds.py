"""The best thresholds of a chain: where each step of the responses stands among the places of the noise.

From place l - 1 to l, phi_j changes by ``-sum_f c_f(j) p(l - period f)``. It falls as long as that sum is
positive, and then rises, phi_j being convex along the orbits; where losses are convex the last minimisers
never decrease from step to step, so each is looked for from the one before it on, first a truth further.

The p are those of the noise, or what the lines of a bound make of them: from truth to truth p grows by the
slope of a line. Places that a hair sets apart are all as good, and at one of them alone the bound is tight.
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
# So many periods of places on both sides of a threshold are columns as well.
_BESIDE = 1


class NoiseOrbits:
    """The places of a noise, for so many truths: where the thresholds of a mixture may stand, in order.

    `step_orbits.StepOrbits` is asked the same where steps differ.
    """

    def __init__(self, noise: Noise, lines: Sequence[Line], number: int) -> None:
        self._noise, self._number, self.one = noise, number, noise.one
        self._weights = weights_of_lines(noise, lines)
        self._never, self._always = noise.ends(number)

    def best(self, question: ChainQuestion) -> list[int]:
        """Return the best place for each step of the responses, never decreasing."""
        return best_thresholds(question, self._noise, self._weights)

    def near(self, places: Sequence[int]) -> Integers:
        """Return the places of all steps and those of a period on both sides, as pairs of step and place."""
        noise, reach = self._noise, _BESIDE * self._noise.period
        pairs = with_steps(places, reach, self._never, self._always)
        if not noise.tail:
            return pairs
        # Only where no truth is in a tail are doubles listed; beyond all of them a threshold is infinite.
        inside = (pairs[:, 1] - noise.period * (self._number - 1) >= noise.first) & (
            pairs[:, 1] <= noise.last
        )
        finite: Integers = pairs[inside | (pairs[:, 1] <= self._never) | (pairs[:, 1] >= self._always)]
        return finite

    def below(self, places: Integers) -> Floats:
        """Return how likely each truth stays below places: F, which is 0 and 1 at infinite thresholds."""
        noise, ends = self._noise, places[:, None]
        cumulative = np.array([0.0, *(value / noise.one for value in noise.cumulative), 1.0])
        where = ends - noise.period * np.arange(self._number)[None, :] - noise.first + 1
        below = cumulative[np.clip(where, 0, len(cumulative) - 1)]
        shares: Floats = np.where(ends <= self._never, 0.0, np.where(ends >= self._always, 1.0, below))
        return shares

    def matrix(self, places: Sequence[int]) -> Whole:
        """Return the probability of each response at each truth, in units of which `one` are certainty."""
        return self._noise.matrix(places, self._number)


def with_steps(places: Sequence[int], reach: int, first: int, last: int) -> Integers:
    """Return places and those up to so many beside them, not beyond both ends, each with its step."""
    near = np.arange(-reach, reach + 1)
    beside = np.clip(np.array(places)[:, None] + near, first, last)
    pairs: Integers = np.column_stack([np.repeat(np.arange(len(places)), len(near)), beside.reshape(-1)])
    return pairs


def weights_of_lines(noise: Noise, lines: Sequence[Line]) -> list[int]:
    """Return the probability of each place of a noise as the lines of a bound have it, the steepest first.

    Among places that are whole truths apart the largest one stays, in some unit.
    """
    segments, weights = Segments(noise, lines), [0, *noise.weights()]
    for rest in range(noise.period):
        places = range(rest, len(weights), noise.period)
        largest = max(places, key=weights.__getitem__)
        if not weights[largest]:
            continue
        weights[largest] = noise.one
        for place in range(largest + noise.period, len(weights), noise.period):
            line, _ = segments[noise.first + place]
            weights[place] = 0 if line is None else weights[place - noise.period] * line.slope >> line.bits
        for place in range(largest, noise.period - 1, -noise.period):
            _, line = segments[noise.first + place]
            weights[place - noise.period] = 0 if line is None else (weights[place] << line.bits) // line.slope
    return weights


def best_thresholds(question: ChainQuestion, noise: Noise, weights: Sequence[int] = ()) -> list[int]:
    """Return a place for each step, never decreasing, by the weights of a noise, or others for its places.

    Where losses are not convex the best places may cross; then each is raised to the one before it, and the
    bound, which knows nothing of that, stays below the objective.
    """
    period, number = noise.period, question.num_truths
    never, always = noise.ends(number)
    start, end = _reach(noise, number)
    if question.keeps_zero:
        # Where the first truth gives the first response for certain; with tails that is nowhere.
        never = start = always if noise.tail else noise.last
    # The probabilities a truth apart, from the last place to the first, for each remainder.
    weights = weights or [0, *noise.weights()]
    by_rest = [weights[rest::period][::-1] for rest in range(period)]
    place, places = start, list[int]()
    longest = max(map(len, by_rest))

    def rises(place: int) -> bool:
        """Whether phi of the step at hand is larger at the next place, or nowhere less from here on."""
        # F is listed at place + 1 - period f for the truths f of this window.
        highest, rest = divmod(place + 1 - noise.first, period)
        thresholds = by_rest[rest]
        lowest = highest - len(thresholds) + 1
        if lowest >= turn:
            return True  # no truth is left with c_f(j) > 0
        lowest, skipped = (lowest, 0) if lowest > 0 else (0, -lowest)
        column = question.column(len(places), lowest, highest + 1 if highest < number else number)
        fall: int = sum(map(mul, column, thresholds[skipped : skipped + len(column)]))
        return fall < 0

    while len(places) < question.num_steps:
        need_time("the best threshold for each step of the responses")
        turn = question.signs[len(places)]
        if turn in (0, question.num_truths):
            places.append(never if turn == 0 else always)
            continue
        place = _first(rises, place, end, place + period)
        places.append(never if place == start else always if place >= end else place)
        highest = (place + 1 - noise.first) // period
        if question.is_even and highest >= longest and places[-2:] == [place - period, place]:
            # Truths of equal weight, far from both ends: every step looks like the one before it.
            alike = min(number - 2 - highest, question.num_steps - len(places))
            places += (place + period * step for step in range(1, alike + 1))
            place = places[-1]
    return list(accumulate(places, max))


def _first(holds: Callable[[int], bool], low: int, high: int, guess: int) -> int:
    """Return the first number from `low` on at which holds what also holds of those after it, or `high`.

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
    """Return the place from which on, and the one up to which, something can change.

    Where a tail is not cut off for being next to nothing, all truths are in it at its far end; there a step
    is best put below all places, or above.
    """
    whole, floor = noise.period * number, noise.one >> _NOTHING_BITS
    left, right = noise.cumulative[0] > floor, noise.one - noise.cumulative[-1] > floor
    return (
        noise.first + (whole if noise.tail and left else 0),
        noise.last + (0 if noise.tail and right else whole),
    )
