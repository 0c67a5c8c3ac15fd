"""A certain response at 0 needs no delta if no neighbour leads there: one way alone is protected."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog

import optmech as om
from optmech.base.errors import ProblemError
from tests.each import each

NUMBER = 4
# A pair (f, g) protects f: what g never releases, f does not.
UP = ((0, 1), (1, 2), (2, 3))
DOWN = tuple((right, left) for left, right in UP)
ROUNDING = 1e-7


def asked(pairs, **settings):
    query = om.Query(range(NUMBER), neighbours=list(pairs), symmetric=False)
    return om.question(query, 1, properties=["zero-stays-zero"], prior=None, **settings)


def optimum(pairs):
    """Return the least loss by the definition, entries row by row, and the most that is released but 0."""
    cells = [(response, truth) for response in range(NUMBER) for truth in range(NUMBER)]
    cost = np.array([abs(response - truth) for response, truth in cells], dtype=float)
    rows = []
    for (left, right), response in itertools.product(pairs, range(NUMBER)):
        row = np.zeros(len(cells))
        row[cells.index((response, left))] = 1
        row[cells.index((response, right))] = -np.e
        rows.append(row)
    sums = [[float(truth == column) for _, truth in cells] for column in range(NUMBER)]
    zero = [[float(cell == (0, 0)) for cell in cells]]
    same = {"A_ub": np.array(rows), "b_ub": np.zeros(len(rows)), "A_eq": np.array(sums + zero)}
    same |= {"b_eq": np.ones(NUMBER + 1)}
    others = -np.array([float(response > 0) for response, _ in cells])
    return linprog(cost, **same).fun, -linprog(others, **same).fun


@each("seed", range(16), every=3)
def test_exactly_what_leaves_nothing_but_0_is_refused(seed):
    rng = np.random.default_rng(seed)
    pairs = [pair for pair in (*UP, *DOWN) if rng.random() < 0.7] or [UP[0]]
    least, released = optimum(pairs)
    if released < ROUNDING:
        with pytest.raises(ProblemError, match="the only such mechanism always releases 0"):
            om.design(asked(pairs))
        return
    design = om.design(asked(pairs))
    assert design.objective == pytest.approx(least, rel=ROUNDING)
    assert design.lower_bound == pytest.approx(least, rel=ROUNDING)
    assert design.mechanism.matrix[:, 0].tolist() == [1, 0, 0, 0]
    assert om.verify(design.mechanism, design.problem)


@pytest.mark.parametrize("engine", ["auto", "program"])
def test_pairs_that_lead_away_from_0_leave_an_optimum(engine):
    """At 1, 2 and 3 the answer 0 keeps 1/e, 1/e^2 and 1/e^3; the rest tells the truth as well as it can."""
    design = om.design(asked(UP), engine=engine)
    assert design.objective == pytest.approx(optimum(UP)[0], rel=ROUNDING)
    assert design.mechanism.matrix[0] == pytest.approx(np.exp(-np.arange(NUMBER)), rel=ROUNDING)


@pytest.mark.parametrize("pairs", [DOWN, (*UP, *DOWN)], ids=["down", "both"])
def test_pairs_that_lead_to_0_from_everywhere_are_refused(pairs):
    with pytest.raises(ProblemError, match="`delta` must be above 0 with zero-stays-zero"):
        om.design(asked(pairs))
    assert om.design(asked(pairs, delta="1e-3")).certificate.relative_gap < ROUNDING


def test_a_chain_one_way_without_a_delta_is_refused_in_a_sentence():
    with pytest.raises(ProblemError, match="without a delta no orbit of one way"):
        om.design(asked(UP), engine="chain")
