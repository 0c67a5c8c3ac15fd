"""The choice among several optimal mechanisms, against a second program written apart."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog

import optmech as om
from tests.each import each
from tests.path import all_tails

LOPSIDED = np.eye(5)[::-1] * np.arange(5)
ALL = om.Query([0, 1, 2], neighbours="all")


def least_squared_error(size, epsilon, loss, optimum):
    """Return the least sum of squared errors of private matrices with mean loss up to `optimum`."""
    factor, costs = np.exp(epsilon), np.abs(np.subtract.outer(np.arange(size), np.arange(size)))
    rows = []
    for response in range(size):
        for truth in range(size - 1):
            for left, right in ((truth, truth + 1), (truth + 1, truth)):
                row = np.zeros((size, size))
                row[response, left], row[response, right] = 1, -factor
                rows.append(row.ravel())
    rows.append(loss(costs).ravel() / size)
    sums = np.array([(np.arange(size * size) % size == truth) * 1.0 for truth in range(size)])
    bounds = np.append(np.zeros(len(rows) - 1), optimum)
    return linprog((costs**2).ravel() / size, np.array(rows), bounds, sums, np.ones(size)).fun


def test_it_is_the_one_of_least_squared_error():
    design = om.design(om.question(om.count(8), 1, loss="zero-one"))
    settled = om.break_ties(design)
    apart = least_squared_error(9, 1.0, lambda d: d > 0, design.objective * (1 + 1e-6))
    assert float(settled.second.objective) == pytest.approx(apart, rel=1e-6)
    assert settled.second.relative_gap < 1e-6
    assert settled.design.objective <= design.objective * (1 + 2e-6)
    assert settled.design.certificate.relative_gap < 2e-6


def test_of_a_distribution_the_matrix_is_designed_first():
    problem = om.question(om.count(8), 1, loss="zero-one")
    settled = om.break_ties(replace(om.design(problem), certificate=all_tails(problem)))
    assert settled.design.certificate.exact is not None
    again = om.break_ties(om.design(problem))
    np.testing.assert_array_equal(settled.design.mechanism.matrix, again.design.mechanism.matrix)
    with pytest.raises(om.ProblemError, match=r"of a matrix; got a distribution .* of count 0\.\.9000"):
        om.break_ties(om.design(om.question(om.count(9000), 1)))


def test_solvers_that_differ_hand_out_the_same_matrix():
    problem = om.question(om.count(8), 1, loss="zero-one")
    one, other = (
        om.break_ties(om.design(problem, solver=name)).design.mechanism.matrix for name in ("highs", "cbc")
    )
    assert np.abs(one - other).max() < 1e-4


@each(
    ("problem", "symmetric"),
    [
        (om.question(ALL, 1, loss="zero-one", worst_case=True), True),
        (om.question(om.count(4), 1), True),
        (om.question(om.count(4), 1, prior=[0.5, 0.2, 0.1, 0.1, 0.1]), False),
        (
            om.question(om.count(4), 1, bounds=[om.bound(om.count(4), LOPSIDED, 1)]),
            False,
        ),
        (om.question(om.count(4), 1, properties=["without 0"]), False),
        (om.question(om.count(4), 1, properties=["without 0 4"]), True),
        (om.question(om.Query([0, 1, 3]), 1), False),
        # The mean of two mechanisms may violate what either keeps.
        (om.question(om.count(1), 1, delta="0.1", definition="probabilistic", loss="zero-one"), False),
        (om.question(om.Query([0, 1, 2], [0, 1]), 1, properties=["row-monotone"]), False),
    ],
    every=3,
)
def test_it_is_symmetric_where_the_question_looks_the_same_from_both_ends(problem, symmetric):
    settled = om.break_ties(om.design(problem))
    matrix = settled.design.certificate.matrix.numerators
    assert settled.symmetric is symmetric
    assert not symmetric or (matrix == matrix[::-1, ::-1]).all()


@pytest.mark.slow
@pytest.mark.parametrize("worst", [False, True])
def test_under_probabilistic_privacy_the_second_objective_is_proved_by_cases(worst):
    asked = {"delta": "0.1", "definition": "probabilistic", "loss": "zero-one", "worst_case": worst}
    settled = om.break_ties(om.design(om.question(om.count(3), "0.5", **asked)))
    assert settled.second.relative_gap < 1e-4
    assert settled.design.certificate.relative_gap < 2e-6


def test_what_cannot_be_settled_says_why():
    with pytest.raises(om.ProblemError, match="must be a Design; got <RawDesign"):
        om.break_ties(om.design(om.question(om.count(3), 1), raw=True))
    with pytest.raises(om.ProblemError, match="needs answers that are numbers; those of 3 categories"):
        om.break_ties(om.design(om.question(om.categories("abc"), 1, loss="zero-one")))
    with pytest.raises(om.ProblemError, match="without a structure; got noise added modulo"):
        om.break_ties(om.design(om.kadam(om.residues(4, [1]), 1)))
