"""Theorems on any graph of neighbours: against programs, their proofs, and where they say nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from flint import ctx
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import optmech as om
from optmech.designs.attempts import solve
from optmech.designs.price_proofs import rules_of_charges
from optmech.designs.repair import repair
from optmech.models.solvers.options import SolveOptions
from optmech.question.graphs import path_lengths
from optmech.theorems import approximate_mean, graph_least
from optmech.theorems.approximate import fair_within_reach
from optmech.theorems.similarity import similarity
from tests.each import each
from tests.search import search

ROOT = Path(__file__).parents[2]
(MEAN_RATE,), (GRAPH,) = approximate_mean.THEOREMS, graph_least.THEOREMS
# The error of a solver's rows and costs, times the duals.
SOLVER = 1e-7
# Multipliers and matrix are doubles, and a repair leaves some room.
PROVED = 1e-12

STAR = om.Query(range(5), neighbours=[(0, leaf) for leaf in range(1, 5)], name="a star")
ONE_WAY = om.Query(range(5), neighbours=[(0, 1), (1, 2), (2, 3), (4, 3)], symmetric=False, name="one way")
TWO_PARTS = om.Query(range(5), neighbours=[(0, 1), (2, 3), (3, 4)], name="two parts")
# Truths that cost something when they are told.
UNEVEN = [[(3 * r + 2 * f) % 5 + 3 - 2 * (r == f) for f in range(5)] for r in range(5)]
SKEW = [0.25, 0.2, 0.2, 0.2, 0.15]


def optimum(problem):
    return solve(om.models.assemble(problem).model, "highs", SolveOptions()).objective


def error_rate(query, epsilon, delta, prior="uniform"):
    return om.question(query, epsilon, delta=delta, loss="zero-one", prior=prior)


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


def query_of(graph):
    size, pairs, both = graph
    return om.Query(range(size), neighbours=pairs, symmetric=both, name="a graph")


@settings(max_examples=15, deadline=None)
@given(graphs, st.sampled_from(["0.5", "1.5", "3"]), st.sampled_from(["0.001", "0.1", "0.9"]), st.data())
def test_the_mean_error_rate_is_that_of_a_program(graph, epsilon, delta, data):
    query = query_of(graph)
    parts = data.draw(st.lists(st.integers(5, 9), min_size=query.num_truths, max_size=query.num_truths))
    problem = error_rate(query, epsilon, delta, [part / sum(parts) for part in parts])
    assume(MEAN_RATE.objection(problem) is None)
    assert MEAN_RATE.value(problem) == pytest.approx(optimum(problem), abs=SOLVER)


@search(15, graphs, st.sampled_from(["1", "2", "3.5"]), st.data())
def test_the_least_loss_is_that_of_a_program(graph, epsilon, data):
    query = query_of(graph)
    size = query.num_truths
    row = st.lists(st.integers(8, 16), min_size=size, max_size=size)
    losses = np.array(data.draw(st.lists(row, min_size=size, max_size=size)), dtype=float)
    # On the diagonal anything may stand, also what is more than elsewhere.
    losses[np.diag_indices(size)] = data.draw(st.lists(st.integers(0, 12), min_size=size, max_size=size))
    problem = om.croft(query, epsilon, loss=losses)
    assume(GRAPH.objection(problem) is None)
    assert GRAPH.value(problem) == pytest.approx(optimum(problem), rel=SOLVER)


PROBLEMS = [
    error_rate(STAR, "1.5", "0.05"),
    error_rate(STAR, "1.5", "0.05", SKEW),
    error_rate(ONE_WAY, 2, "0.05", SKEW),
    error_rate(TWO_PARTS, 2, "0.5", SKEW),
    error_rate(om.count(6), "ln 2", "0.01", None),
    error_rate(om.mean(5, 2), 1, "1e-9"),
    error_rate(om.count(3), 20, "0.01"),
    om.croft(om.mean(10, 4), 3),
    om.croft(om.mean(3, 2), "ln 20", loss="squared"),
    om.croft(STAR, 4, prior=SKEW),
    om.croft(ONE_WAY, 3, loss=UNEVEN),
    om.croft(TWO_PARTS, 4),
    # Worst cases within any reach, and least deltas.
    error_rate(om.residues(7, [1, 3], symmetric=False), 1, "0.05"),
    error_rate(om.residues(6, [2]), 0, "0.3"),
    om.question(om.mean(5, 2), 1, delta="0.01", loss="zero-one", worst_case=True),
    om.question(om.mean(4, 3), "ln 2", loss="zero-one", worst_case=True),
    om.question(om.count(9, records_per_person=4), "0.3", delta="0.2", loss="zero-one", worst_case=True),
    om.question(om.mean(5, 2), 1, least="delta", bounds=["worst zero-one <= 0.3"]),
    om.question(om.residues(7, [1, 3], symmetric=False), 1, least="delta", bounds=["mean zero-one <= 0.3"]),
]


@each("problem", PROBLEMS, every=4)
def test_a_theorem_designs_and_its_multipliers_prove(problem):
    design = om.design(problem, engine="closed-form")
    assert design.lower_bound_standing == "proved"
    assert design.objective - design.lower_bound <= PROVED * max(1.0, design.objective)
    assert design.objective == pytest.approx(optimum(problem), rel=SOLVER, abs=SOLVER)
    assert all(row.holds for row in om.verify(design.mechanism, problem).theorems)


@pytest.mark.parametrize(
    "problem",
    [
        error_rate(om.count(40), "0.3", "1e-9"),
        error_rate(om.mean(10, 4), 4, "0.2"),
        om.question(om.mean(10, 4), "0.1", delta="1e-12", loss="zero-one", worst_case=True),
    ],
    ids=str,
)
def test_no_program_is_solved_for_a_certificate(problem, monkeypatch):
    """A program for a strictly feasible point takes minutes where there are some hundred truths."""

    def refused(*_):
        pytest.fail("a program was asked for")

    monkeypatch.setattr(repair, "strict_interiors", refused)
    design = om.design(problem)
    assert design.objective - design.lower_bound <= PROVED


@pytest.mark.parametrize("problem", [PROBLEMS[1], PROBLEMS[17]], ids=str)
def test_the_standalone_checker_agrees(problem, tmp_path):
    design = om.design(problem)
    om.write_certificate(design.certificate, tmp_path / "design.json")
    line = [sys.executable, ROOT / "check_certificate.py", tmp_path / "design.json"]
    assert subprocess.run(line, check=False, capture_output=True).returncode == 0


@each("problem", PROBLEMS[:12])
def test_the_matrix_is_private_and_attains_the_value_that_balls_enclose(problem):
    (theorem,) = (theorem for theorem in (MEAN_RATE, GRAPH) if theorem.objection(problem) is None)
    value, matrix = theorem.value(problem), theorem.matrix(problem)
    assert value == pytest.approx(float(theorem.ball(problem, 25)), rel=1e-12)
    assert problem.objective.value(matrix) == pytest.approx(value, rel=1e-12)
    assert matrix.sum(axis=0) == pytest.approx(1, abs=1e-14)
    growth = np.exp(float(problem.privacy.epsilon))
    leaks = [np.maximum(matrix[:, f] - growth * matrix[:, g], 0).sum() for f, g in problem.query.pairs]
    assert max(leaks) <= float(getattr(problem.privacy, "delta", 0)) + 1e-14


def test_of_counts_that_count_alike_the_mean_error_rate_is_a_formula():
    problem = error_rate(om.count(4), "ln 3", "1/10")
    with ctx.workprec(200):  # 9/10 * 2 n a / ((1 + a) (n + 1)) at a = 1/3, n = 4: uniform weights are doubles
        assert float(abs(MEAN_RATE.ball(problem, 30) - 9 * 2 * 4 / (10 * 4 * 5))) < 1e-16


@pytest.mark.slow
def test_the_mean_of_ten_records_has_its_theorem_from_the_epsilon_on_that_it_says():
    assert GRAPH.value(om.croft(om.mean(10, 4), 3)) == pytest.approx(3.041082431326928, rel=1e-14)
    assert GRAPH.objection(om.croft(om.mean(10, 4), "2.7244")) is None
    assert "losses less the prices" in GRAPH.objection(om.croft(om.mean(10, 4), "2.7242"))
    assert GRAPH.objection(om.croft(om.mean(100, 4), "2.7244")) is None


def test_charges_are_moved_to_the_diagonal_along_shortest_ways():
    charges = np.random.default_rng(3).random((5, 5))
    np.fill_diagonal(charges, 0.0)
    for query in (STAR, ONE_WAY, TWO_PARTS, om.count(4)):
        rules = rules_of_charges(query, charges, np.log(3), budgets=True)
        change = np.zeros((5, 5))
        for (row, truth, other), whole in zip(*_listed(rules["privacy"]), strict=True):
            change[row, truth] += whole / 2**80
            change[row, other] -= 3 * whole / 2**80
        near = similarity(path_lengths(query), np.log(3))
        reached = np.where(near > 0, charges, 0.0)
        assert change == pytest.approx(np.diag((reached * near).sum(axis=1)) - reached, abs=1e-15)
        largest = dict(zip(map(tuple, rules["budget"].places.tolist()), rules["budget"].weights, strict=True))
        places, weights = _listed(rules["privacy"])
        for pair, paid in largest.items():
            assert paid == max(w for place, w in zip(places, weights, strict=True) if place[1:] == list(pair))


def _listed(rule):
    return rule.places.tolist(), rule.weights.tolist()


@each("size", range(2, 14))
def test_explicit_fair_divided_by_the_reach_is_private_and_fair(size):
    for reach in range(1, size):
        power = np.rint(-np.log(_shares(fair_within_reach(size, 1.0, 0.0, reach)))).astype(int)
        assert len({tuple(sorted(column)) for column in power.T.tolist()}) == 1
        for step in range(1, reach + 1):
            assert np.abs(power[:, step:] - power[:, :-step]).max(initial=0) <= 1
        middle = (size - 1) // 2
        away = np.abs(np.arange(size) - middle)
        assert power[:, middle].tolist() == (-(-away // reach)).tolist()


def _shares(matrix):
    return matrix / matrix.max()


TIE = similarity(path_lengths(om.count(4)), 1.0)[0]


@each(
    ("theorem", "problem", "text"),
    [
        (MEAN_RATE, error_rate(STAR, "0.3", "0.05"), "weights of the similarity mechanism"),
        (MEAN_RATE, error_rate(om.count(4), 1, "0.05", [0.9, 0, 0, 0, 0.1]), "shares of the prior"),
        (MEAN_RATE, error_rate(om.count(4), 1, "0.05", list(TIE / TIE.sum())), "too near to 0 to tell"),
        (MEAN_RATE, error_rate(om.count(4), 1, "0"), "any matrix under (epsilon, delta)"),
        (MEAN_RATE, error_rate(om.residues(4, [1]), 0, "0.1"), "epsilon is 0"),
        (MEAN_RATE, om.question(om.count(4), 1, delta="0.1"), "does not count all errors alike"),
        (
            MEAN_RATE,
            om.question(om.count(4), 1, delta="0.1", loss="zero-one", worst_case=True),
            "an average over the truths",
        ),
        (
            MEAN_RATE,
            om.question(om.count(4), 1, delta="0.1", loss="zero-one", properties=["fair"]),
            "no further property",
        ),
        (
            MEAN_RATE,
            om.question(om.count(4), 1, delta="0.1", loss="zero-one", bounds=["worst zero-one <= 0.9"]),
            "further bounds",
        ),
        (MEAN_RATE, error_rate(om.count(500), 1, "0.1"), "solved for up to 500"),
        (GRAPH, om.croft(STAR, "0.3"), "weights of the similarity mechanism"),
        (GRAPH, om.croft(om.count(5), 1), "croft-variant-1-count gives the optimum"),
        (GRAPH, om.croft(om.extremum(0, 3), 1), "croft-variant-1-extremum gives the optimum"),
        (GRAPH, om.croft(om.mean(3, 2), 3, variant=2), "the properties are"),
        (GRAPH, om.question(om.mean(3, 2), 3, worst_case=True), "not an expected loss"),
        (GRAPH, om.croft(om.Query(range(4), [(0, 2), (2, 4)]), 3), "not one response for each truth"),
        (GRAPH, om.croft(om.Query(range(3), neighbours=[]), 3), "nothing to protect"),
    ],
)
def test_an_objection_says_why(theorem, problem, text):
    assert text in theorem.objection(problem)
