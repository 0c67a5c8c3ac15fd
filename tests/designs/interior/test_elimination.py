"""Elimination without cancellation: exact to the last digits where the matrix is nearly singular."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from optmech.designs.interior.chain_of_rows import ChainOfRows
from optmech.designs.interior.elimination import Elimination


def solved(sums, couplings, right):
    """The solution in fractions, by Gauss."""
    size = len(sums)
    rows = [[Fraction(0)] * size + [Fraction(float(value))] for value in right]
    for i in range(size):
        rows[i][i] += Fraction(float(sums[i]))
        for d in range(1, min(couplings.shape[1], size - 1 - i) + 1):
            m = Fraction(float(couplings[i, d - 1]))
            rows[i][i] += m
            rows[i + d][i + d] += m
            rows[i][i + d] -= m
            rows[i + d][i] -= m
    for i in range(size):
        for k in range(i + 1, size):
            share = rows[k][i] / rows[i][i]
            rows[k] = [a - share * b for a, b in zip(rows[k], rows[i], strict=True)]
    for i in reversed(range(size)):
        rows[i][size] = (rows[i][size] - sum(rows[i][k] * rows[k][size] for k in range(i + 1, size))) / rows[
            i
        ][i]
    return [float(row[size]) for row in rows]


@pytest.mark.parametrize("least", [1.0, 1e-12, 1e-40])
def test_a_row_that_is_nearly_singular_keeps_all_digits(least):
    dice = np.random.default_rng(2)
    places, width, rows = 7, 3, 2
    sums, couplings = least * dice.random((places, rows)), dice.random((places, width, rows))
    for i in range(places):
        couplings[i, max(places - 1 - i, 0) :] = 0
    right = dice.random((places, rows))
    exact = [solved(sums[:, row], couplings[:, :, row], right[:, row]) for row in range(rows)]
    factors = Elimination.of(sums.copy(), couplings.copy())
    assert factors.solve(right) == pytest.approx(np.transpose(exact), rel=1e-13)
    block = right[:, :, None].copy()
    factors.solve_all(block)
    assert block[:, :, 0] == pytest.approx(np.transpose(exact), rel=1e-13)


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
    long = np.zeros((places * rows, 2 * places))
    for row, i, j in np.argwhere(couplings):
        if j > i:
            long[row * places + i, j - i - 1] = couplings[row, i, j]
    exact = solved(sums.T.ravel(), long, right.T.ravel())
    factors = ChainOfRows.of(sums.copy(), couplings.copy())
    assert factors.solve(right).T.ravel() == pytest.approx(np.array(exact), rel=1e-12)


def test_a_pivot_that_is_not_positive_is_no_factor():
    assert Elimination.of(np.array([[-2.0], [1.0]]), np.array([[[1.0]], [[0.0]]])) is None
    couplings = np.zeros((1, 2, 4))
    couplings[0, 0, 1] = 1.0
    assert ChainOfRows.of(np.array([[-2.0], [1.0]]), couplings) is None
