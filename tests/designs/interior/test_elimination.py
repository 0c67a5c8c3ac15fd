"""Elimination without cancellation: exact to the last digits where the matrix is nearly singular."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

from optmech.designs.interior.chain_of_rows import ChainOfRows
from optmech.designs.interior.dissection import Dissection
from optmech.designs.interior.elimination import Elimination
from optmech.designs.interior.fronts import Cells, Fronts


def solved(sums, edges, couplings, right):
    """The solution in fractions, by Gauss."""
    size = len(sums)
    rows = [[Fraction(0)] * size + [Fraction(float(value))] for value in right]
    for i in range(size):
        rows[i][i] += Fraction(float(sums[i]))
    for (i, j), coupling in zip(edges, couplings, strict=True):
        m = Fraction(float(coupling))
        rows[i][i] += m
        rows[j][j] += m
        rows[i][j] -= m
        rows[j][i] -= m
    for i in range(size):
        for k in range(i + 1, size):
            share = rows[k][i] / rows[i][i]
            rows[k] = [a - share * b for a, b in zip(rows[k], rows[i], strict=True)]
    for i in reversed(range(size)):
        known = sum(rows[i][k] * rows[k][size] for k in range(i + 1, size))
        rows[i][size] = (rows[i][size] - known) / rows[i][i]
    return [float(row[size]) for row in rows]


def fronts_of(parts, edges):
    """The blocks of a graph that is eliminated part by part, with a price for each place."""
    number = sum(map(len, parts))
    ends = np.array(edges)
    graph = sparse.csr_array((np.ones(len(ends)), ends.T), shape=(number, number))
    dissection = Dissection.in_blocks((graph + graph.T).tocsr(), [np.array(part) for part in parts])
    place = np.argsort(dissection.order)[ends]
    couplings = Cells.over(place.min(axis=1), place.max(axis=1), number)
    every = np.arange(number)
    return dissection.order, Fronts.over(
        dissection.blocks, couplings, Cells.over(every, dissection.order, number)
    )


EDGES = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3), (5, 6), (6, 7), (7, 8), (8, 1)]
ORDERS = {
    "one by one": [[place] for place in range(9)],
    "one block": [list(range(9))],
    "a dissection": [[0, 1, 8], [4, 6], [7], [2, 3, 5]],
    "another one": [[6, 7], [0], [8, 2, 1], [5, 3, 4]],
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("least", [1.0, 1e-12, 1e-40])
def test_a_row_that_is_nearly_singular_keeps_all_digits_in_any_order(least, order):
    dice = np.random.default_rng(2)
    sums, couplings, right = least * dice.random((9, 2)), dice.random((11, 2)), dice.random((9, 2))
    exact = np.transpose([solved(sums[:, r], EDGES, couplings[:, r], right[:, r]) for r in range(2)])
    at, fronts = fronts_of(ORDERS[order], EDGES)
    factors = Elimination.of(fronts, sums[at], fronts.couplings.sum @ couplings)
    assert factors.solve(right[at]) == pytest.approx(exact[at], rel=1e-13)
    # Prices of single places, and as much of them as there is of the right-hand side.
    system = factors.of_prices(fronts.coefficients.sum @ right[at])
    units = [
        [solved(sums[:, r], EDGES, couplings[:, r], right[:, r] * (np.arange(9) == k)) for k in range(9)]
        for r in range(2)
    ]
    expected = sum(right[:, r] * np.array(units[r]) for r in range(2))
    assert system == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("least", [1.0, 1e-12, 1e-40])
def test_rows_that_are_tied_to_the_next_keep_all_digits(least, monkeypatch):
    """As one long row, of which each entry is coupled with as many as two rows hold."""
    monkeypatch.setattr("optmech.designs.interior.chain_of_rows._TOGETHER", 2)
    dice = np.random.default_rng(5)
    places, rows = 5, 3
    sums = least * dice.random((places, rows))
    couplings = dice.random((rows, places, 2 * places))
    couplings[-1, :, places:] = 0
    right = dice.random((places, rows))
    at = [(row, i, j) for row, i, j in np.argwhere(couplings).tolist() if j > i]
    edges = [(row * places + i, row * places + j) for row, i, j in at]

    def exact(values):
        return solved(sums.T.ravel(), edges, [couplings[each] for each in at], values.T.ravel())

    prices = Cells.over(np.array([3, 0, 4]), np.array([0, 1, 1]), 2)
    factors = ChainOfRows.of(prices, sums.copy(), couplings.copy())
    assert factors.solve(right).T.ravel() == pytest.approx(np.array(exact(right)), rel=1e-12)
    # One price of place 3 in each row, another of the first place and of the last.
    units = np.zeros((2, places, rows))
    units[0, 3], units[1, 0], units[1, 4] = right[:3]
    expected = [[unit.T.ravel() @ exact(other) for other in units] for unit in units]
    system = factors.of_prices(prices.sum @ right[:3])
    assert system == pytest.approx(np.array(expected), rel=1e-12)


def test_a_pivot_that_is_not_positive_is_no_factor():
    _, fronts = fronts_of([[0], [1]], [(0, 1)])
    assert Elimination.of(fronts, np.array([[-2.0], [1.0]]), np.array([[1.0]])) is None
    couplings = np.zeros((1, 2, 4))
    couplings[0, 0, 1] = 1.0
    prices = Cells.over(np.arange(2), np.arange(2), 2)
    assert ChainOfRows.of(prices, np.array([[-2.0], [1.0]]), couplings) is None
