"""The probability of the truth under (epsilon, delta): closed forms, proofs, and values computed apart."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from flint import ctx
from hypothesis import strategies as st

import optmech as om
from optmech.analysis.baselines.whole_number_noise import explicit_fair
from optmech.designs.attempts import solve
from optmech.models.solvers.options import SolveOptions
from optmech.question.privacy import ApproximatePrivacy
from optmech.question.query import Query
from optmech.theorems.approximate import THEOREMS, fair_within_reach
from tests.each import each
from tests.search import search

KADAM = json.loads((Path(__file__).parents[1] / "reference" / "kadam.json").read_text())
NAMED = {theorem.name: theorem for theorem in THEOREMS}
RATE, DELTA = NAMED["approximate-error-rate"], NAMED["approximate-least-delta"]
RATE_BOUND, DELTA_BOUND = NAMED["approximate-error-rate-bound"], NAMED["approximate-least-delta-bound"]
NOISE = om.ModularNoise()
CIRCLE = om.residues(7, [1, 3], symmetric=False)


def optimum(problem):
    return solve(om.models.assemble(problem).model, "highs", SolveOptions()).objective


def speaking(problem):
    return {name for name, theorem in NAMED.items() if theorem.objection(problem) is None}


@each("row", KADAM["hockey_stick_optimum_ER"])
@each("structure", [om.FreeMatrix(), NOISE])
def test_error_rates_are_those_computed_apart(row, structure):
    query = om.residues(row["n"] + 1, [step % (row["n"] + 1) for step in row["M"]], symmetric=False)
    problem = om.question(
        query,
        str(row["eps"]),
        delta=str(row["delta"]),
        structure=structure,
        loss="zero-one",
        worst_case=row["delta"] == 0,
    )
    assert 1 - RATE.value(problem) == pytest.approx(row["f0"], abs=1e-12)


PROBLEMS = [
    om.question(CIRCLE, "0.8", delta="0.07", structure=NOISE, loss="error-rate"),
    om.question(CIRCLE, "0.8", delta="0.07", loss="zero-one", prior=None),
    om.question(CIRCLE, "ln 2", delta="0.07", loss="zero-one", worst_case=True),
    om.question(om.residues(6, [2]), 0, delta="0.3", loss="zero-one"),
    om.question(om.extremum(1, 5), 2, delta="0.001", loss="zero-one"),
    om.question(om.count(6), 1, delta="0.02", loss="zero-one", worst_case=True),
    om.question(om.count(7), 1, loss="beyond 0", worst_case=True),
    om.question(om.count(1), 1, delta="0.1"),
    om.question(om.count(1), 1, delta="0.1", loss="squared", worst_case=True),
    om.question(om.count(6), 1, least="delta", bounds=["worst zero-one <= 0.3"]),
    om.question(CIRCLE, "0.8", least="delta", bounds=["mean zero-one <= 0.3"]),
    om.question(CIRCLE, "0.8", structure=NOISE, least="delta", bounds=["mean error-rate <= 0.3"]),
    om.question(CIRCLE, 3, structure=NOISE, least="delta", bounds=["worst error-rate <= 0.9"]),
    replace(
        om.kadam_least_delta(om.residues(9, [1, 2]), 1, at_most="0.4"), privacy=ApproximatePrivacy(1, None)
    ),
]


@each("problem", PROBLEMS, every=2)
def test_the_matrix_attains_the_value_and_a_certificate_proves_it(problem):
    (theorem,) = (NAMED[name] for name in speaking(problem) if NAMED[name].matrix)
    value, matrix = theorem.value(problem), theorem.matrix(problem)
    assert value == pytest.approx(float(theorem.ball(problem, 25)), abs=1e-14)
    assert matrix.sum(axis=0) == pytest.approx(1, abs=1e-15)
    growth = np.exp(float(problem.privacy.epsilon))
    leaks = [np.maximum(matrix[:, f] - growth * matrix[:, g], 0).sum() for f, g in problem.query.pairs]
    if theorem is RATE:
        assert problem.objective.value(matrix) == pytest.approx(value, abs=1e-14)
        assert max(leaks) <= float(getattr(problem.privacy, "delta", 0)) + 1e-15
    else:
        assert max(leaks) == pytest.approx(value, abs=1e-14)
        bounds = [(bound.loss, bound.at_most) for bound in problem.bounds]
        bounds = bounds or [(problem.objective.cost, problem.objective.at_most)]
        assert all(loss.value(matrix) <= float(most) + 1e-14 for loss, most in bounds)
    design = om.design(problem)
    assert design.objective == pytest.approx(value, abs=1e-9)
    assert design.lower_bound_standing == "proved"
    assert design.lower_bound == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize(("delta", "error"), [("0", Fraction(3, 7)), ("1/5", Fraction(12, 35))])
def test_at_a_rational_power_of_e_the_closed_form_is_that_rational(delta, error):
    """Four answers, all neighbours, E = 4: three quarters over seven quarters."""
    problem = om.question(om.extremum(0, 3), exp_epsilon="4", delta=delta, loss="zero-one", worst_case=True)
    with ctx.workprec(300):
        ball = RATE.ball(problem, 40)
        assert abs(ball * error.denominator - error.numerator) < 1e-40


@each("size", [2, 3, 4, 7, 8, 20])
@each("epsilon", [0.1, 1.0, 3.0])
def test_on_a_path_it_is_the_explicit_fair_mechanism(size, epsilon):
    known = explicit_fair(om.count(size - 1), epsilon).matrix
    assert fair_within_reach(size, epsilon, 0.0) == pytest.approx(known, abs=1e-15)


graphs = st.integers(2, 6).flatmap(
    lambda size: st.tuples(
        st.just(size),
        st.lists(
            st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)).filter(
                lambda pair: pair[0] != pair[1]
            ),
            min_size=1,
            max_size=12,
        ),
        st.booleans(),
    )
)


@search(60, graphs, st.sampled_from(["0", "0.3", "1.5"]), st.sampled_from(["0", "0.01", "0.2", "0.9"]))
def test_nobody_beats_the_bound_whoever_is_whose_neighbour(graph, epsilon, delta):
    size, pairs, both = graph
    query = Query(range(size), neighbours=pairs, symmetric=both, name="a graph")
    if epsilon != "0" or delta != "0":
        problem = om.question(query, epsilon, delta=delta, loss="zero-one", worst_case=True)
        assert RATE_BOUND.value(problem) <= optimum(problem) + 1e-8
    problem = om.question(query, epsilon, least="delta", bounds=["worst zero-one <= 0.25"])
    assert DELTA_BOUND.value(problem) <= optimum(problem) + 1e-8


def test_far_errors_are_not_all_alike_and_no_mixture_is_best():
    """For the absolute error, telling the truth with probability delta is beaten."""
    problem = om.question(om.count(5), 1, delta="0.01")
    assert speaking(problem) == set()
    mixture = 0.99 * om.design(om.croft(om.count(5), 1, prior="uniform")).objective
    assert om.design(problem).objective < mixture - 0.01


@each(
    ("problem", "name", "text"),
    [
        (
            om.question(om.count(5), 1, delta="0.1"),
            "approximate-error-rate",
            "does not count all errors alike",
        ),
        (
            om.question(om.count(5), 1, delta="0.1", loss="zero-one"),
            "approximate-error-rate",
            "must look the same from every truth",
        ),
        (
            om.question(om.count(5), 1, delta="0.1", loss="zero-one"),
            "approximate-error-rate-bound",
            "applies to the worst truth",
        ),
        (om.question(CIRCLE, 1, loss="zero-one"), "approximate-error-rate", "older theorems"),
        (
            om.question(CIRCLE, 1, delta="0.1", loss="zero-one", prior=[0.4, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]),
            "approximate-error-rate",
            "does not count all errors alike",
        ),
        (
            om.question(CIRCLE, 1, delta="0.1", definition="probabilistic", loss="zero-one"),
            "approximate-error-rate",
            "applies to sets of responses",
        ),
        (
            om.question(CIRCLE, 1, delta="0.1", loss="zero-one", properties=["fair"]),
            "approximate-error-rate",
            "applies to privacy alone",
        ),
        (
            om.question(CIRCLE, 1, delta="0.1", loss="zero-one", bounds=["mean zero-one <= 1"]),
            "approximate-error-rate",
            "further bounds",
        ),
        (
            om.question(Query(range(4), [(0, 2), (2, 4)]), 1, delta="0.1", loss="zero-one", worst_case=True),
            "approximate-error-rate",
            "does not count all errors alike",
        ),
        (om.question(om.count(5), 1, least="delta"), "approximate-least-delta", "0 bounds on losses"),
        (om.question(om.count(5), 1), "approximate-least-delta", "applies to the least delta"),
        (
            om.question(om.count(5), 1, least="delta", bounds=["mean absolute <= 1"]),
            "approximate-least-delta",
            "does not count all errors alike",
        ),
        (
            om.question(
                om.count(5), 1, least="delta", bounds=["worst zero-one <= 1"], properties=["within 2"]
            ),
            "approximate-least-delta",
            "no limits",
        ),
    ],
)
def test_an_objection_says_why(problem, name, text):
    assert text in NAMED[name].objection(problem)
