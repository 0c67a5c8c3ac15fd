"""Rays where neighbours lie within a reach k: the cheapest of each response, and some to start from.

Law: levels differ by at most one within k steps. So of the last k truths some have the level of the last one,
and others, if any, all lie above it or all below. The next levels depend only on how long ago a truth above,
or a truth below, was seen last: 2k - 1 states.

    level      to the next truth            allowed
    same       every state grows older      always
    one down   "above, one step ago"        unless a truth above was seen less than k steps ago
    one up     "below, one step ago"        unless a truth below was seen less than k steps ago

``cost[state]`` is the least of ``sum_f costs[f] E ** (level[f] - level of the last truth)``, so a step down
multiplies it by E, a step up divides by E. One pass comes from each end to a truth called home, where the two
meet: a truth above on one side and a truth below on the other must lie more than k apart.

Law: where every two truths are neighbours, levels differ by at most one among all. So a ray is one on some
truths and E on the others, and each truth chooses the dearer level where it costs less than nothing. Only
home does not choose: a row counts as one there, and it may stand on either level.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.base.arrays import Floats, Integers

# A number that is multiplied by E again and again stays finite.
_LARGEST = 1e280
# This many widths of plateaus are enough to begin with; pricing finds the others.
_MOST_WIDTHS = 40


def cheapest_within_reach(
    costs: Floats, home: Integers, reach: int, factor: float, order: tuple[Integers, Integers] | None = None
) -> tuple[Floats, Integers]:
    """Return the least cost of a ray for each response, as a multiple of its entry at home, and its levels.

    A row counts as one at `home`, and its levels are zero there. With an `order`, two truths for each
    response, levels must not fall up to the first and not rise from the second one on.
    """
    last = costs.shape[1] - 1
    reversed_order = None if order is None else (last - order[1], last - order[0])
    responses = np.arange(len(costs))
    ahead, sources_ahead = _pass(costs, reach, factor, order)
    behind, sources_behind = _pass(costs[:, ::-1], reach, factor, reversed_order)
    here, there = ahead[home, :, responses].T, behind[last - home, :, responses].T
    cost, state, other = _meet(here, there, reach)
    levels = _trace(sources_ahead, home, state, reach)
    levels += _trace(sources_behind, last - home, other, reach)[:, ::-1]
    return cost - costs[responses, home], levels


def cheapest_of_all_pairs(costs: Floats, home: Integers, factor: float) -> tuple[Floats, Integers]:
    """Return the same as `cheapest_within_reach` if every two truths are neighbours, without an order."""
    responses = np.arange(len(costs))
    others = costs.copy()
    others[responses, home] = 0.0
    costs_at_home = costs[responses, home]
    gains, pains = np.minimum(others, 0.0).sum(axis=1), np.maximum(others, 0.0).sum(axis=1)
    high, low = costs_at_home + gains + pains / factor, costs_at_home + factor * gains + pains
    levels = np.where(others < 0, 0, -1) + (low < high)[:, None]
    levels[responses, home] = 0
    return np.minimum(high, low), levels


def staircases(truths: int, reach: int) -> Integers:
    """Return levels of initial rays: staircases with plateaus of any width anywhere, and the flat ray.

    They fall by one level every `reach` truths from a level of zero; the shifted geometric mechanism is mixed
    from them. Each is given to the response that answers it most cheaply, wherever its plateau lies: that is
    how several merge into one response at the ends of the range, and in the middle at small epsilon.
    """
    index, widths = np.arange(truths), _widths(reach)
    parts = [np.zeros((1, truths), dtype=np.int64)]
    for width in widths.tolist():
        first = np.arange(-(width - 1), truths)[:, None]  # a plateau may begin before the range
        beyond = np.maximum(first - index, index - (first + width - 1))
        levels = -np.maximum(-(-beyond // reach), 0)
        parts.append(levels - levels.max(axis=1, keepdims=True))
    return np.unique(np.concatenate(parts), axis=0)[::-1]


def num_staircases(truths: int, reach: int) -> int:
    """Return at least the number of `staircases`.

    >>> num_staircases(5, 2), len(staircases(5, 2))
    (19, 13)
    """
    widths = _widths(reach)
    return 1 + int((truths + widths - 1).sum())


def _widths(reach: int) -> Integers:
    number = min(2 * reach - 1, _MOST_WIDTHS)
    widths: Integers = np.unique(np.linspace(1, 2 * reach - 1, number).round().astype(int))
    return widths


def _states(reach: int) -> tuple[slice, slice]:
    """Return the indices of the states "above" and "below", the youngest first; state 0 has seen neither.

    At reach 1 nothing is forbidden; "above" and "below" then only tell the last step.
    """
    ages = max(reach - 1, 1)
    return slice(1, 1 + ages), slice(1 + ages, 1 + 2 * ages)


def _pass(
    costs: Floats, reach: int, factor: float, order: tuple[Integers, Integers] | None
) -> tuple[Floats, NDArray[np.int32]]:
    """Return the least costs of one pass from an end, and their sources, by truth, state and response."""
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
    return cost, source


def _choose(
    old: Floats, candidates: list[int], times: float, cost: Floats, source: NDArray[np.int32]
) -> None:
    """Write the least of the candidates, times a factor, and which it was."""
    block = old[candidates]
    indices = block.argmin(axis=0)
    least = np.take_along_axis(block, indices[None], axis=0)[0] * times
    np.clip(least, -_LARGEST, None, out=cost)
    cost[np.isinf(least) & (least > 0)] = np.inf
    source[:] = np.array(candidates, dtype=np.int32)[indices]


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
    for age, index in enumerate(ups, 1):
        offer([index], downs[max(reach - age, 0) :])
    for age, index in enumerate(downs, 1):
        offer([index], ups[max(reach - age, 0) :])
    return best, state, other


def _trace(source: NDArray[np.int32], home: Integers, state: Integers, reach: int) -> Integers:
    """Return the levels up to home, zero there and beyond, by going back along the sources."""
    above, below = _states(reach)
    truths, _, responses = source.shape
    levels = np.zeros((responses, truths), dtype=np.int64)
    level, state, index = np.zeros(responses, dtype=np.int64), state.copy(), home.copy()
    every = np.arange(responses)
    for _ in range(int(home.max(initial=0))):
        moving = every[index > 0]
        now = state[moving]
        # A truth reached by a step down came from above.
        level[moving] += (now == above.start).astype(np.int64) - (now == below.start)
        state[moving] = source[index[moving], now, moving]
        index[moving] -= 1
        levels[moving, index[moving]] = level[moving]
    return levels
