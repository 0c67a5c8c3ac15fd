"""A search that is stopped before its first program has a mechanism and a bound all the same."""

from __future__ import annotations

import numpy as np
import pytest

import optmech as om
from optmech.designs.rays.early import geometric_matrix
from optmech.designs.rays.private_rows import PrivateRows
from optmech.designs.rays.search import _Programs, search
from optmech.models.solution import Solution, Status
from optmech.models.solvers.options import SolveOptions
from optmech.question.privacy.loss import largest_privacy_loss
from tests.each import each

PROBLEMS = [
    om.croft(om.mean(8, 4), 1),
    om.croft(om.count(12), "0.3", loss="squared"),
    om.croft(om.extremum(0, 5), 2, loss="zero-one"),
    om.question(om.Query(range(9), range(-2, 12), neighbours=2), "0.7"),
]


@each("problem", PROBLEMS)
def test_geometric_noise_answers_privately_and_no_worse_than_a_constant(problem):
    rows, query = PrivateRows.of(problem), problem.query
    matrix = geometric_matrix(rows)
    assert matrix.sum(axis=0) == pytest.approx(1, abs=1e-12)
    assert (
        largest_privacy_loss(matrix, query.pairs, query.weights).value
        <= float(problem.privacy.epsilon) + 1e-9
    )
    assert (rows.costs * matrix).sum() <= rows.costs.sum(axis=1).min() + 1e-12


@each("problem", PROBLEMS)
def test_a_search_without_time_brackets_the_optimum(problem, monkeypatch):
    stopped = Solution(status=Status.LIMIT, solver="nobody", method="none", seconds=0.0, message="no time")
    with monkeypatch.context() as patch:
        patch.setattr(_Programs, "master", lambda *_: stopped)
        answer = search(PrivateRows.of(problem), "auto", SolveOptions())
    best = om.design(problem)
    assert answer.solution.status is Status.LIMIT
    assert 0 < answer.bound <= best.objective * (1 + 1e-9)
    assert best.objective * (1 - 1e-9) <= answer.objective < np.inf
    assert answer.bound >= 0.5 * answer.objective
