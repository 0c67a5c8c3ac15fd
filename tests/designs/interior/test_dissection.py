"""Nested dissection: whole orders, in which nothing is coupled but what a block says, and little is."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from optmech.designs.interior import dissection as module
from optmech.designs.interior.dissection import Dissection


def grid(side):
    nodes = np.arange(side * side).reshape(side, side)
    shifts = (
        (nodes[:, :-1], nodes[:, 1:]),
        (nodes[:-1], nodes[1:]),
        (nodes[:-1, :-1], nodes[1:, 1:]),
        (nodes[:-1, 1:], nodes[1:, :-1]),
    )
    return np.concatenate([np.column_stack([a.ravel(), b.ravel()]) for a, b in shifts])


def drawn(size, number):
    pairs = np.random.default_rng(size).integers(0, size, (number, 2))
    return pairs[pairs[:, 0] != pairs[:, 1]]


GRAPHS = {
    "a row": (np.array(list(pairwise(range(50)))), 50),
    "a complete graph": (np.array([(i, j) for i in range(40) for j in range(i)]), 40),
    "a star": (np.array([(0, i) for i in range(1, 50)]), 50),
    "a grid": (grid(12), 144),
    "two of a size, and single ones": (np.concatenate([grid(6), grid(6) + 36]), 80),
    "sparse at random": (drawn(60, 70), 60),
    "dense at random": (drawn(61, 500), 61),
    "two truths": (np.array([(0, 1)]), 2),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_each_truth_has_a_place_and_is_coupled_only_within_its_block_and_behind(name):
    pairs, size = GRAPHS[name]
    order, blocks = Dissection.of(pairs, 1 + np.arange(len(pairs)) % 3, size)
    assert sorted(order) == list(range(size))
    assert [block.first for block in blocks] == [0, *(block.last for block in blocks[:-1])]
    coupled = [set(block.places.tolist()) for block in blocks]
    of = np.repeat(np.arange(len(blocks)), [block.size for block in blocks])
    place = np.argsort(order)
    assert all(place[pair].max() in coupled[of[place[pair].min()]] for pair in pairs)
    for number, block in enumerate(blocks):
        assert (block.behind >= block.last).all()
        parent = [other for other, candidate in enumerate(blocks) if number in candidate.children]
        assert len(parent) == (len(block.behind) > 0)
        assert all(set(block.behind.tolist()) <= coupled[other] for other in parent)
    assert max(block.size for block in blocks) <= module._MOST


def test_of_a_grid_a_truth_is_coupled_to_few():
    pairs, ones = grid(30), np.ones(len(grid(30)), dtype=int)
    whole = Dissection.of(pairs, ones, 900)
    assert max(len(block.behind) for block in whole.blocks) <= 3 * 30
    matrix = module.sparse.csr_array((ones, pairs.T), shape=(900, 900))
    band = Dissection.in_blocks((matrix + matrix.T).tocsr(), np.split(np.arange(900), 30))
    assert whole.effort(20, 900).multiplications < band.effort(20, 900).multiplications / 2
    assert whole.effort(20, 900).doubles < band.effort(20, 900).doubles


def test_of_a_row_a_truth_is_coupled_to_two():
    order, blocks = Dissection.of(np.array(list(pairwise(range(500)))), np.ones(499, dtype=int), 500)
    assert len(order) == 500
    assert max(len(block.behind) for block in blocks) == 2
