"""The best thresholds of a chain: where each step of the responses stands among the places of the noise.

From place l - 1 to l, phi_j changes by ``-sum_f c_f(j) p(l - period f)``. It falls as long as that sum is
positive, and then rises, phi_j being convex along the orbits; where losses are convex the least minimisers
never decrease from step to step, so one walk through all places finds them.
"""

from __future__ import annotations

from itertools import accumulate
from operator import mul
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from optmech.proofs.chain.noise import Noise
    from optmech.question.chain_question import ChainQuestion

__all__ = ["best_thresholds"]

_NOTHING_BITS = 90


def best_thresholds(question: ChainQuestion, noise: Noise) -> list[int]:
    """Return a place for each step, never decreasing.

    Where losses are not convex the best places may cross; then each is raised to the one before it, and the
    bound, which knows nothing of that, stays below the objective.

    Parameters
    ----------
    question : ChainQuestion
    noise : Noise
    """
    period, number = noise.period, question.num_truths
    never, always = noise.ends(number)
    start, end = _reach(noise, number)
    if question.keeps_zero:
        # Where the first truth gives the first response for certain; with tails that is nowhere.
        never = start = always if noise.tail else noise.last
    # The probabilities a truth apart, from the last place to the first, for each remainder.
    weights = [0, *noise.weights()]
    by_rest = [weights[rest::period][::-1] for rest in range(period)]
    results: dict[tuple[int, tuple[int, ...]], bool] = {}
    place, places = start, []
    for step, turn in enumerate(question.signs):
        if turn in (0, question.num_truths):
            places.append(never if turn == 0 else always)
            continue
        while place < end:
            # F is listed at place + 1 - period f for the truths f of this window.
            highest, rest = divmod(place + 1 - noise.first, period)
            thresholds = by_rest[rest]
            lowest = highest - len(thresholds) + 1
            lowest, skipped = (lowest, 0) if lowest > 0 else (0, -lowest)
            column = tuple(question.column(step, lowest, highest + 1 if highest < number else number))
            key = rest + period * skipped, column
            rises = results.get(key)
            if rises is None:
                rises = sum(map(mul, column, thresholds[skipped : skipped + len(column)])) >= 0
                results[key] = rises
            if not rises:
                break
            place += 1
        places.append(never if place == start else always if place >= end else place)
    return list(accumulate(places, max))


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
