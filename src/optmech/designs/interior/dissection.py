"""Nested dissection: an order of truths in which elimination couples few of them.

A separator is a few truths without which the others fall into two parts that are no neighbours. Parts are
eliminated first, each in the same manner, and the separator last. So a truth is coupled to the separators
around it alone: on a grid of n truths to some sqrt(n) of them. Source: George 1973.

A separator stands where one of two far-off truths becomes nearer than the other: on a line between the
corners of a grid, in one place of a row.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import ceil
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from optmech.base.arrays import Floats, Integers

# So few truths are one block; so many are the most that are eliminated together.
_FEW, _MOST = 12, 32
# Far-off truths among which separators are sought.
_CORNERS = 4
# A part with a larger share of the truths is no better than none.
_LARGEST_PART = 0.8
# Right-hand sides of a block, their solutions, these scaled, and what waits for other blocks.
_COPIES = 4


@dataclass(frozen=True, slots=True, eq=False)
class PlaceBlock:
    """Places that are eliminated together, from `first` to before `last`.

    Elimination couples the places `behind`, which are increasing. `children` are the blocks before it that
    leave their couplings to it.
    """

    first: int
    last: int
    behind: Integers
    children: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of places that are eliminated."""
        return self.last - self.first

    @property
    def places(self) -> Integers:
        """Its own places and those behind it, increasing."""
        return np.concatenate([np.arange(self.first, self.last), self.behind])


class Effort(NamedTuple):
    """Doubles that a step holds at most at once, and its multiplications."""

    doubles: int
    multiplications: int


class Dissection(NamedTuple):
    """The truth at each place, and the blocks of places, each before those that it couples."""

    order: Integers
    blocks: tuple[PlaceBlock, ...]

    @classmethod
    def of(cls, pairs: Integers, weights: Integers, size: int) -> Self:
        """Return the order of `size` truths whose neighbours, with a weight each, are the `pairs`."""
        graph = sparse.coo_array((weights.astype(float), (pairs[:, 0], pairs[:, 1])), shape=(size, size))
        graph = graph.tocsr()
        graph = graph.maximum(graph.T).tocsr()
        parts: list[Integers] = []
        waiting = [(np.arange(size), False)]
        while waiting:  # the last first: separators come behind both of their parts
            nodes, is_done = waiting.pop()
            separated = None if is_done or len(nodes) <= _FEW else _separated(graph[nodes][:, nodes])
            if separated is None:
                parts.extend(nodes[k : k + _MOST] for k in range(0, len(nodes), _MOST))
                continue
            separator, some, others = separated
            if len(separator):
                waiting.append((nodes[separator], True))
            waiting += [(nodes[some], False), (nodes[others], False)]
        return cls.in_blocks(graph, parts)

    def effort(self, rows: int, prices: int, everywhere: int = 0) -> Effort:
        """Return at most the effort of a step.

        Each truth has the same share of all prices, but of `everywhere` it has every one.
        """
        each = (prices - everywhere) / len(self.order)
        below: list[int] = []
        largest = kept = work = 0
        for block in self.blocks:
            below.append(block.size + sum(below[child] for child in block.children))
            places, columns = block.size + len(block.behind), min(prices, ceil(each * below[-1]) + everywhere)
            largest = max(largest, places * columns)
            kept += block.size * places
            work += block.size * (places**2 + places * columns + columns**2 // 2)
        return Effort(rows * (_COPIES * largest + kept) + _COPIES * prices**2, rows * work + prices**3 // 3)

    @classmethod
    def in_blocks(cls, graph: sparse.csr_array, parts: list[Integers]) -> Self:
        """Return the blocks of a graph that is eliminated part by part."""
        order = np.concatenate(parts)
        coupled = graph[order][:, order]
        ends = np.cumsum([len(part) for part in parts])
        behind: list[list[Integers]] = [[] for _ in parts]
        children: list[list[int]] = [[] for _ in parts]
        blocks = []
        for number, last in enumerate(ends.tolist()):
            first = last - len(parts[number])
            neighbours = coupled.indices[coupled.indptr[first] : coupled.indptr[last]]
            later = np.unique(np.concatenate([neighbours, *behind[number]]))
            later = later[later >= last].astype(np.int64)
            blocks.append(PlaceBlock(first, last, later, tuple(children[number])))
            if len(later):
                parent = int(np.searchsorted(ends, later[0], side="right"))
                behind[parent].append(later)
                children[parent].append(number)
        return cls(order, tuple(blocks))


def _separated(graph: sparse.csr_array) -> tuple[Integers, Integers, Integers] | None:
    """Return a separator and the two parts that it leaves, ``None`` where none is worth it."""
    distances = _from_corners(graph)
    size = graph.shape[0]
    finite = np.isfinite(distances[0])
    if not finite.all():
        return np.zeros(0, dtype=np.int64), np.flatnonzero(finite), np.flatnonzero(~finite)
    left = np.repeat(np.arange(size), np.diff(graph.indptr))
    best = None
    least = np.inf
    for a, b in combinations(distances, 2):
        nearer = a - b
        middle = np.median(nearer)
        for is_some in (nearer < middle, nearer <= middle):
            crosses = is_some[left] & ~is_some[graph.indices]
            for separator, part in (
                (np.unique(left[crosses]), is_some),
                (np.unique(graph.indices[crosses]), ~is_some),
            ):
                own = np.count_nonzero(part) - len(separator)
                larger = max(own, size - own - len(separator))
                # Work behind a separator grows with the square of it, work in parts with the larger one.
                work = len(separator) * (1 + larger / size)
                if larger <= _LARGEST_PART * size and work < least:
                    best, least = (separator, part), work
    if best is None:
        return None
    separator, part = best
    is_separator = np.zeros(size, dtype=bool)
    is_separator[separator] = True
    return (
        separator.astype(np.int64),
        np.flatnonzero(part & ~is_separator),
        np.flatnonzero(~part & ~is_separator),
    )


def _from_corners(graph: sparse.csr_array) -> Floats:
    """Return the distances from truths that are far from each other, shape (corners, truths)."""
    from scipy.sparse.csgraph import dijkstra  # noqa: PLC0415 - takes a moment, and memory

    matrix = sparse.csr_matrix(graph)
    corner = int(np.argmax(_finite(dijkstra(matrix, directed=False, indices=0))))
    distances: list[Floats] = []
    for _ in range(_CORNERS):
        distances.append(dijkstra(matrix, directed=False, indices=corner))
        nearest = np.min(distances, axis=0)
        corner = int(np.argmax(nearest))
        if not np.isfinite(nearest).all() or nearest[corner] == 0:
            break
    return np.array(distances)


def _finite(distances: Floats) -> Floats:
    values: Floats = np.where(np.isfinite(distances), distances, -1.0)
    return values
