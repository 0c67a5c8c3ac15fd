"""The best representatives where all pairs are neighbours: shortest paths, and the least ratio of a path.

For a guess g of the least ratio in `extremum_least`, the best representatives are a shortest path over the
responses, from low to high, whose steps cost

    stay * between(low, high) + decay * (C_high - g)      decay = e^-epsilon,  stay = 1 - decay

where `between` is what the truths between two representatives cost. For a loss that does not decrease with
the distance it has the Monge property: for a < b <= c < d, each truth between b and c finds

    min(c_a, c_c) + min(c_b, c_d) <= min(c_a, c_d) + min(c_b, c_c),

and the others compare alike. So the best predecessor does not move back as the response moves on, and all
predecessors are found together: those of a few responses first, the others between what these have.

Given distances from the start, predecessors take one pass over arrays; given predecessors, distances take
another, in order. The two take turns, and the guess falls to the ratio of the path found, until nothing
improves. Then the distances solve the path problem at the guess, and Dinkelbach's iteration has ended. A
coarse selection of the responses goes first, so that all of them together start close to the end.
"""

from __future__ import annotations

from math import exp, expm1
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.intp]

__all__ = ["best_set", "splits"]

# Each selection of responses is so many times finer than the one before; the first has about twice as many.
_FINER = 8
# Predecessors are first found for every so many-th response; with ten each pass holds some 10 N numbers.
_BRANCHES = 10
# A distance is formed from predecessors up to one off those found, as earlier distances have moved by now.
_WINDOW = np.array([-1, 0, 1])


def best_set(epsilon: float, cost: Floats, truths: Floats, responses: Floats) -> tuple[list[int], float]:
    """Return the best representatives, by position, and their loss; see `extremum_least.representatives`."""
    decay, stay = exp(-epsilon), -expm1(-epsilon)
    sums = _StepSums(cost[0]) if _by_steps(cost) else _TableSums(cost, truths, responses)
    size = len(cost)

    def ratio(chosen: Integers) -> float:
        near = sums.below[chosen[0]] + sums.between(chosen[:-1], chosen[1:]).sum() + sums.above[chosen[-1]]
        return float((decay * sums.totals[chosen].sum() + stay * near) / (stay + len(chosen) * decay))

    chosen = np.array([sums.totals.argmin()])
    guess = ratio(chosen)
    strides = [1]
    while 2 * _FINER * strides[-1] <= size:
        strides.append(_FINER * strides[-1])
    places, distances = np.arange(size), stay * sums.below
    for stride in reversed(strides):
        nodes = np.arange(stride // 2, size, stride)
        distances = np.interp(nodes, places, distances)
        places = nodes
        before = _predecessors(sums, stay, nodes, distances)[0]
        while True:
            path, distances = _shortest(sums, (decay, stay, guess), nodes, before)
            found = ratio(path)
            before, nearest = _predecessors(sums, stay, nodes, distances)
            improves = nearest + decay * (sums.totals[nodes] - guess) < distances
            if found < guess:
                chosen, guess = path, found
            elif not improves.any():
                break
    return chosen.tolist(), guess


def splits(truths: Floats, low: Floats, high: Floats) -> Integers:
    """Return how many truths lie up to the middle of each two responses."""
    return np.searchsorted(truths, (low + high) / 2, side="right")


class _Sums(Protocol):
    """What truths cost at their nearest representatives.

    Every sum runs outwards from a representative, in positive terms: nothing cancels, and a truth that is its
    own representative costs exactly 0.
    """

    below: Floats
    """Cost of the truths up to each response, if it is the lowest representative."""
    above: Floats
    """Cost of the truths beyond each response, if it is the highest one."""
    totals: Floats
    """Cost of all truths at each response."""

    def between(self, low: Integers, high: Integers) -> Floats:
        """Return the cost of the truths beyond `low` and up to `high`, if these are next to each other."""


class _StepSums:
    """As each truth has its response and the loss depends on the steps between them: `losses` at 0, 1, …."""

    def __init__(self, losses: Floats) -> None:
        sums = np.concatenate([[0.0], np.cumsum(losses[1:])])
        gaps = np.arange(len(losses))
        self._between = sums[gaps // 2] + sums[np.maximum(gaps - 1, 0) // 2] + losses[0]
        self.below, self.above = sums + losses[0], sums[::-1]
        self.totals = self.below + self.above

    def between(self, low: Integers, high: Integers) -> Floats:
        costs: Floats = self._between[high - low]
        return costs


class _TableSums:
    """Any costs, by a table of sums from each response to each truth."""

    def __init__(self, cost: Floats, truths: Floats, responses: Floats) -> None:
        size, number = cost.shape
        table = np.empty((size, number + 1))
        homes = splits(truths, responses, responses)
        for sums, row, home in zip(table, cost, homes.tolist(), strict=True):
            sums[home] = 0.0
            np.add.accumulate(row[home:], out=sums[home + 1 :])
            np.add.accumulate(row[:home][::-1], out=sums[:home][::-1])
        self._table, self._width = table.ravel(), number + 1
        self._truths, self._responses = truths, responses
        self.below, self.above = table[:, 0], table[:, -1]
        self.totals = self.below + self.above

    def between(self, low: Integers, high: Integers) -> Floats:
        split = splits(self._truths, self._responses[low], self._responses[high])
        costs: Floats = self._table[low * self._width + split] + self._table[high * self._width + split]
        return costs


def _by_steps(cost: Floats) -> bool:
    """Whether the cost depends on the steps between response and truth alone, and grows with them."""
    return (
        cost.shape[0] == cost.shape[1]
        and bool((np.diff(cost[0]) >= 0).all())
        and np.array_equal(cost[0], cost[:, 0])
        and np.array_equal(cost[1:, 1:], cost[:-1, :-1])
    )


def _predecessors(sums: _Sums, stay: float, nodes: Integers, distances: Floats) -> tuple[Integers, Floats]:
    """Return the best predecessor of each node but the first, which has none, and the way through it."""

    def way(low: Integers, high: Integers) -> Floats:
        through: Floats = distances[low] + stay * sums.between(nodes[low], nodes[high])
        return through

    size = len(nodes)
    before, nearest = np.zeros(size, np.intp), np.full(size, np.inf)
    stride = 1
    while stride * _BRANCHES < size:
        stride *= _BRANCHES
    known = size
    while stride:
        rows = np.arange(stride, size, stride)
        rows = rows[rows % known != 0]
        lower, upper = rows // known * known, rows // known * known + known
        first = before[lower]
        last = np.where(upper < size, before[np.minimum(upper, size - 1)], size)
        last = np.maximum(np.minimum(last, rows - 1), first)
        before[rows], nearest[rows] = _least_of_each(way, rows, first, last)
        known, stride = stride, stride // _BRANCHES
    return before, nearest


def _least_of_each(
    way: Callable[[Integers, Integers], Floats], rows: Integers, first: Integers, last: Integers
) -> tuple[Integers, Floats]:
    """Return for each row its best predecessor from `first` to `last`, and the way through it."""
    if not len(rows):
        return rows, np.zeros(0)
    counts = last - first + 1
    starts = np.cumsum(counts) - counts
    low = np.arange(counts.sum()) + np.repeat(first - starts, counts)
    through = way(low, np.repeat(rows, counts))
    least = np.minimum.reduceat(through, starts)
    hits = np.flatnonzero(through == np.repeat(least, counts))
    return low[hits[np.searchsorted(hits, starts)]], least


def _shortest(
    sums: _Sums, prices: tuple[float, float, float], nodes: Integers, before: Integers
) -> tuple[Integers, Floats]:
    """Return a short path and the distance of each node, by predecessors at most one off `before`."""
    decay, stay, guess = prices
    rows = np.arange(1, len(nodes))
    low = np.clip(before[1:, None] + _WINDOW, 0, rows[:, None] - 1)
    steps = stay * sums.between(nodes[low.ravel()], np.repeat(nodes[1:], len(_WINDOW)))
    alone, opened = (stay * sums.below[nodes]).tolist(), (decay * (sums.totals[nodes] - guess)).tolist()
    best, chosen = _swept(low.T.tolist(), steps.reshape(low.shape).T.tolist(), alone, opened)
    distances = np.array(best)
    path = [int((distances + stay * sums.above[nodes]).argmin())]
    while chosen[path[-1]] >= 0:
        path.append(chosen[path[-1]])
    return nodes[path[::-1]], distances


def _swept(
    low: Sequence[list[int]], steps: Sequence[list[float]], alone: list[float], opened: list[float]
) -> tuple[list[float], list[int]]:
    """Return distances and predecessors, one node after the other; plain numbers are faster here."""
    best, chosen = [alone[0] + opened[0]], [-1]
    for one, two, three, by_one, by_two, by_three, start, extra in zip(
        *low, *steps, alone[1:], opened[1:], strict=True
    ):
        place, least = -1, start
        if (way := best[one] + by_one) < least:
            place, least = one, way
        if (way := best[two] + by_two) < least:
            place, least = two, way
        if (way := best[three] + by_three) < least:
            place, least = three, way
        best.append(least + extra)
        chosen.append(place)
    return best, chosen
