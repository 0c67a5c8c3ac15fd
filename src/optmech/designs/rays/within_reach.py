"""The cheapest ray of each response where neighbours lie within a reach k, by dynamic programming.

Law: levels differ by at most one within k steps. So of the last k truths some have the level of the last one,
and others, if any, all lie above it or all below. What may follow depends only on how long ago a truth above,
or a truth below, was seen last: 2k - 1 states.

    level      to the next truth            allowed
    same       every state grows older      always
    one down   "above, one step ago"        unless a truth above was seen less than k steps ago
    one up     "below, one step ago"        unless a truth below was seen less than k steps ago

``cost[state]`` is the least of ``sum_f costs[f] E ** (level[f] - level of the last truth)``, so a step down
multiplies it by E, a step up divides by E. One pass comes from each end to a truth called home, where the two
meet: a truth above on one side and a truth below on the other must lie more than k apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.base.arrays import Floats, Integers


__all__ = ["cheapest_within_reach"]

# What is multiplied by E again and again stays a number.
_LARGEST = 1e280


@dataclass(frozen=True, slots=True, eq=False)
class _Pass:
    """What one pass from an end found: least costs and where they came from, by truth, state and response."""

    cost: Floats
    source: NDArray[np.int32]


def cheapest_within_reach(
    costs: Floats, home: Integers, reach: int, factor: float, order: tuple[Integers, Integers] | None = None
) -> tuple[Floats, Integers]:
    """Return the least cost of a ray for each response, as a multiple of its entry at home, and its levels.

    Parameters
    ----------
    costs : ndarray, shape (num_responses, num_truths)
        Cost of each entry.
    home : ndarray of int, shape (num_responses,)
        The truth at which a row counts as one.
    reach : int
        Truths up to so many steps apart are neighbours.
    factor : float
        ``e^epsilon``.
    order : pair of ndarray of int, shape (num_responses,), optional
        Levels must not fall up to the first truth and not rise from the second one on.

    Returns
    -------
    ndarray, shape (num_responses,)
    ndarray of int, shape (num_responses, num_truths)
        Levels, zero at home.

    Examples
    --------
    >>> cost, levels = cheapest_within_reach(np.array([[1.0, -1, 1, 1]]), np.array([1]), 1, 2.0)
    >>> cost.tolist(), levels.tolist()
    ([0.25], [[-1, 0, -1, -2]])
    """
    last = costs.shape[1] - 1
    reversed_order = None if order is None else (last - order[1], last - order[0])
    responses = np.arange(len(costs))
    ahead = _pass(costs, reach, factor, order)
    behind = _pass(costs[:, ::-1], reach, factor, reversed_order)
    here = ahead.cost[home, :, responses].T
    there = behind.cost[last - home, :, responses].T
    cost, state, other = _meet(here, there, reach)
    levels = _trace(ahead, home, state, reach) + _trace(behind, last - home, other, reach)[:, ::-1]
    return cost - costs[responses, home], levels


def _states(reach: int) -> tuple[slice, slice]:
    """Return where the states "above" and "below" stand, the youngest first; state 0 has seen neither.

    At reach 1 nothing is forbidden; "above" and "below" then only tell the last step.
    """
    ages = max(reach - 1, 1)
    return slice(1, 1 + ages), slice(1 + ages, 1 + 2 * ages)


def _pass(costs: Floats, reach: int, factor: float, order: tuple[Integers, Integers] | None) -> _Pass:
    responses, truths = costs.shape
    above, below = _states(reach)
    number = below.stop
    cost = np.empty((truths, number, responses))
    source = np.zeros((truths, number, responses), dtype=np.int32)
    cost[0] = np.inf
    cost[0, 0] = costs[:, 0]
    before_down = [0, *range(below.start, below.stop)]
    before_up = [0, *range(above.start, above.stop)]
    if reach == 1:
        before_down = before_up = list(range(number))
    for truth in range(1, truths):
        old, new, origin = cost[truth - 1], cost[truth], source[truth]
        for states in (above, below):  # the same level again: all grow older
            new[states.start + 1 : states.stop] = old[states.start : states.stop - 1]
            origin[states.start + 1 : states.stop] = np.arange(states.start, states.stop - 1)[:, None]
        oldest = [0, above.stop - 1, below.stop - 1]
        _choose(old, oldest, 1.0, new[0], origin[0])
        _choose(old, before_down, factor, new[above.start], origin[above.start])
        _choose(old, before_up, 1 / factor, new[below.start], origin[below.start])
        if order is not None:
            new[above.start, truth <= order[0]] = np.inf
            new[below.start, truth > order[1]] = np.inf
        new += costs[:, truth]
    return _Pass(cost, source)


def _choose(
    old: Floats, candidates: list[int], times: float, cost: Floats, source: NDArray[np.int32]
) -> None:
    """Write the least of the candidates, times a factor, and which it was."""
    block = old[candidates]
    places = block.argmin(axis=0)
    least = np.take_along_axis(block, places[None], axis=0)[0] * times
    np.clip(least, -_LARGEST, None, out=cost)
    cost[np.isinf(least) & (least > 0)] = np.inf
    source[:] = np.array(candidates, dtype=np.int32)[places]


def _meet(here: Floats, there: Floats, reach: int) -> tuple[Floats, Integers, Integers]:
    """Return the least sum of two states that go together, and both of them, for each response."""
    above, below = _states(reach)
    number, responses = here.shape
    every = np.arange(responses)
    best = np.full(responses, np.inf)
    state, other = np.zeros((2, responses), dtype=np.int64)

    def offer(mine: list[int], theirs: list[int]) -> None:
        if not mine or not theirs:
            return
        one = np.array(mine)[here[mine].argmin(axis=0)]
        two = np.array(theirs)[there[theirs].argmin(axis=0)]
        sums = here[one, every] + there[two, every]
        better = sums < best
        best[better], state[better], other[better] = sums[better], one[better], two[better]

    if reach == 1:
        offer(list(range(number)), list(range(number)))
        return best, state, other
    ups, downs = list(range(above.start, above.stop)), list(range(below.start, below.stop))
    offer([0, *ups], [0, *ups])
    offer([0, *downs], [0, *downs])
    for age, place in enumerate(ups, 1):
        offer([place], downs[max(reach - age, 0) :])
    for age, place in enumerate(downs, 1):
        offer([place], ups[max(reach - age, 0) :])
    return best, state, other


def _trace(walk: _Pass, home: Integers, state: Integers, reach: int) -> Integers:
    """Return the levels up to home, zero there and beyond, by going back along the sources."""
    above, below = _states(reach)
    truths, _, responses = walk.source.shape
    levels = np.zeros((responses, truths), dtype=np.int64)
    level, state, place = np.zeros(responses, dtype=np.int64), state.copy(), home.copy()
    every = np.arange(responses)
    for _ in range(int(home.max(initial=0))):
        moving = every[place > 0]
        now = state[moving]
        # Who is here by a step down came from above.
        level[moving] += (now == above.start).astype(np.int64) - (now == below.start)
        state[moving] = walk.source[place[moving], now, moving]
        place[moving] -= 1
        levels[moving, place[moving]] = level[moving]
    return levels
