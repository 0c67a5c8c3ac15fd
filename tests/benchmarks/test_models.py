"""Each library's model of a count is the same program: it has the same optimum."""

from __future__ import annotations

import numpy as np
import pytest

import optmech as om
from benchmarks.cost import qif_mechanism
from benchmarks.cost.models import BUILDERS

SIZE, EPSILON = 6, "0.7"
# Solvers keep rows within 1e-7, the loosest default among them, and CBC prints few digits.
ACCURACY = 1e-6


@pytest.fixture(scope="module")
def proved():
    return om.design(om.croft(om.count(SIZE), EPSILON, prior="uniform")).objective


# Deprecations within other libraries are theirs to change.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", BUILDERS)
def test_every_model_has_the_optimum(name, proved):
    pytest.importorskip(name)
    library = BUILDERS[name]
    assert library.optimum(library.build(SIZE, EPSILON)) == pytest.approx(proved, rel=ACCURACY)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["cvxpy", "linopy"])
def test_every_matrix_has_as_many_rows_and_entries(name):
    pytest.importorskip(name)
    ours = BUILDERS["optmech"].build(SIZE, EPSILON).model.matrix
    built = BUILDERS[name].build(SIZE, EPSILON)
    theirs = built[0]["A"] if name == "cvxpy" else built[1]
    # CVXPY lists bounds of columns among the rows where its solver's interface asks for it.
    rows = theirs.shape[0] - (2 * theirs.shape[1] if theirs.shape[0] > 2 * ours.shape[0] else 0)
    assert (rows, theirs.shape[1]) == ours.shape


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("query", [om.count(SIZE), om.mean(3, 2)], ids=["count", "mean"])
def test_qif_is_asked_the_same_question(query):
    pytest.importorskip("qif")
    problem = om.croft(query, EPSILON, prior="uniform")
    matrix = qif_mechanism.mechanism(problem)
    assert np.abs(matrix.sum(axis=0) - 1).max() < ACCURACY
    assert problem.objective.value(matrix) == pytest.approx(om.design(problem).objective, rel=ACCURACY)
