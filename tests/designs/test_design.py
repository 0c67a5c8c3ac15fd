"""Designs: what is handed out, and laws that every optimum obeys."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import optmech as om
from optmech.designs.tidy import tidy
from optmech.models.formulations.assemble import assemble
from optmech.models.solvers import installed_solvers
from tests.each import each
from tests.search import search

SOLVERS = [solver.name for solver in installed_solvers()]
# Two solvers stop within 1e-9 of a row each; objectives of these sizes differ by no more than this.
AGREEMENT = 1e-7

QUERIES = st.one_of(
    st.builds(om.count, st.integers(1, 6)),
    st.builds(om.extremum, st.just(0), st.integers(1, 5)),
    st.builds(om.mean, st.integers(1, 3), st.integers(1, 3)),
)
EPSILONS = st.floats(0.05, 3.0)


def private_matrix(query, epsilon, seed):
    """Return some private matrix: the exponential mechanism with random scores."""
    random = np.random.default_rng(seed)
    reach = max(abs(f - g) for f, g in query.pairs.tolist())
    distance = np.abs(np.arange(query.num_responses)[:, None] - np.arange(query.num_truths)[None, :])
    matrix = np.exp(-epsilon / (2 * reach) * distance) * random.uniform(0.1, 1, (query.num_responses, 1))
    return matrix / matrix.sum(axis=0)


@settings(max_examples=30)
@given(QUERIES, EPSILONS, st.integers(0, 2**32 - 1))
def test_no_private_matrix_we_can_make_beats_the_optimum(query, epsilon, seed):
    design = om.design(om.croft(query, epsilon))
    rival = om.MatrixMechanism(
        matrix=private_matrix(query, epsilon, seed),
        responses=[response.midpoint for response in query.responses],
        truths=query.truths,
    )
    assert rival.effective_epsilon(query) <= epsilon + 1e-9
    assert design.objective <= rival.expected_loss("absolute", None) + 1e-9


@settings(max_examples=20)
@given(QUERIES, EPSILONS, EPSILONS)
def test_less_privacy_never_costs_more(query, one, other):
    low, high = sorted((one, other))
    private, loose = (om.design(om.croft(query, epsilon)).objective for epsilon in (low, high))
    assert loose <= private + 1e-9


@search(20, QUERIES, EPSILONS, st.sampled_from([(), ("fair",), ("symmetric",), ("row-monotone", "fair")]))
def test_the_bound_never_passes_the_value_and_properties_never_help(query, epsilon, properties):
    plain = om.design(om.croft(query, epsilon))
    result = om.design(om.croft(query, epsilon, properties=properties))
    for design in (plain, result):
        assert design.lower_bound <= design.objective + 1e-9
        assert design.objective - design.lower_bound <= 1e-6
    assert plain.objective <= result.objective + 1e-9
    assert result.mechanism.properties(query) >= set(properties)


@search(15, QUERIES, EPSILONS, st.sampled_from([1, 2]))
def test_solvers_agree(query, epsilon, variant):
    objectives = [
        om.design(om.croft(query, epsilon, variant=variant), solver=solver).objective for solver in SOLVERS
    ]
    assert max(objectives) - min(objectives) <= AGREEMENT


@settings(max_examples=15)
@given(QUERIES, EPSILONS)
def test_relabelling_turns_the_answer_around(query, epsilon):
    turned = om.Query(
        [-truth for truth in reversed(query.truths)],
        neighbours=(query.num_truths - 1 - query.pairs).tolist(),
    )
    here, there = (om.design(om.croft(q, epsilon)).objective for q in (query, turned))
    assert here == pytest.approx(there, abs=1e-9)


@each("solver", SOLVERS, every=6, slow_every=2)
@each("query", [om.count(20), om.mean(10, 4), om.extremum(0, 9)])
@each("variant", [1, 2])
def test_what_is_handed_out_at_everyday_sizes_is_private_as_it_stands(solver, query, variant):
    design = om.design(om.croft(query, "0.5", variant=variant), solver=solver)
    report = om.verify(design.mechanism, design.problem, design.solution)
    assert report, report.failures


def test_a_free_repair_is_made_and_a_costly_one_is_not():
    problem = om.croft(om.count(3), 1)
    layout = assemble(problem).layout
    best = om.design(problem).mechanism.matrix
    for excess, repaired in ((1e-13, True), (1e-4, False)):
        spoiled = best.copy()
        spoiled[0, 0] += excess
        spoiled[1, 0] -= excess
        matrix = tidy(spoiled.ravel(), layout, problem)
        mechanism = om.MatrixMechanism(matrix=matrix, responses=range(4), truths=range(4))
        assert (mechanism.effective_epsilon(problem.query) <= 1 + 1e-12) == repaired


def test_a_negative_rounding_of_the_solver_is_not_a_probability():
    problem = om.croft(om.count(2), 1)
    values = np.full(9, 1 / 3)
    values[0] = -4e-14
    matrix = tidy(values, assemble(problem).layout, problem)
    assert matrix.min() >= 0
    assert matrix.sum(axis=0) == pytest.approx(1.0, abs=1e-15)


@pytest.mark.slow
@each("solver", SOLVERS)
@each(
    ("modulus", "distance", "epsilon", "delta", "truth"),
    [
        (8, 7, 0.5, 4.19516346749928e-07, 0.4008104395612044),
        (10, 4, 0.5, 2.4016186550207413e-06, 0.428655529),
        (14, 13, 1.0, 3.1672659914300663e-06, 0.6321210844553935),
        (13, 12, 1.0, 4.5399929762484854e-05, 0.6321311164933257),
    ],
)
def test_noise_is_polished_where_solvers_return_leaks(solver, modulus, distance, epsilon, delta, truth):
    """Raw answers here leak up to .57 in place of 1e-6: a ratio broken by a tolerance leaks a whole mass."""
    query = om.residues(modulus, [distance], symmetric=False)
    design = om.design(om.kadam(query, epsilon, delta), solver=solver)
    assert 1 - design.objective == pytest.approx(truth, abs=1e-6)
    assert design.mechanism.probabilistic_delta(query, epsilon) <= delta + 1e-9


def test_a_delta_of_one_is_refused_and_none_need_be_spent():
    query = om.residues(5, [1, 2])
    with pytest.raises(om.ProblemError, match="below 1"):
        om.kadam(query, 1, 1)
    pure = om.design(om.kadam(query, 1, 0))
    assert pure.mechanism.effective_epsilon(query) == pytest.approx(1.0, abs=1e-9)
    assert not om.models.assemble(pure.problem).model.is_mixed_integer


def test_of_a_loss_of_zero_no_note_says_that_the_optimum_lies_below():
    design = om.design(om.question(om.count(3), 1, loss="beyond 3"))
    assert design.objective == design.lower_bound == 0
    assert not any("the optimum lies between" in note for note in design.notes)


@each("epsilon", ["1e-6", "0.001", 15, 20, 25, 30, 40])
def test_extreme_privacy_still_has_an_answer(epsilon):
    design = om.design(om.croft(om.count(3), epsilon))
    limits = (0.0, 4.0)  # the truth itself; the constant answer 1 or 2, with 4 over all truths
    assert limits[0] - 1e-9 <= design.objective <= limits[1] + 1e-9
    assert math.isfinite(design.lower_bound)


@pytest.mark.parametrize("power", [-320, -8, 3, 8, 250])
def test_a_rule_says_the_same_in_any_unit(power, tmp_path):
    unit = Fraction(10) ** power
    rules = [
        om.LinearRule("rare", {(3, 0): unit, (0, 3): unit}, "<=", unit / 20),
        om.LinearRule("held", {(0, 0): unit, (1, 1): -unit / 3}, "=", unit * Fraction(3, 10)),
    ]
    design = om.design(om.question(om.count(3), 1, rules=rules))
    assert float(design.certificate.objective) == pytest.approx(0.5717122331, rel=1e-8)
    assert design.certificate.relative_gap < 1e-8
    matrix = [
        [Fraction(int(n), design.mechanism.exact.denominator) for n in row]
        for row in design.mechanism.exact.numerators
    ]
    assert matrix[3][0] + matrix[0][3] <= Fraction(1, 20)
    assert matrix[0][0] - matrix[1][1] / 3 == Fraction(3, 10)
    om.write_certificate(design.certificate, tmp_path / "rules.json")
    assert om.read_certificate(tmp_path / "rules.json").objective == design.certificate.objective


def test_a_certificate_of_a_rule_in_unusual_units_is_read_as_it_was_written(tmp_path):
    rule = om.LinearRule("rare", {(3, 0): 10**5, (0, 3): 10**5}, "<=", 5000)
    stated = replace(om.question(om.count(3), 1, rules=rule), rules=(rule,))
    certificate = om.design(stated).certificate
    om.write_certificate(certificate, tmp_path / "rule.json")
    again = om.read_certificate(tmp_path / "rule.json")
    assert again.problem.rules == (rule,)
    assert again.bound == certificate.bound


@pytest.mark.parametrize("delta", [0, "0.001"])
def test_the_even_answer_on_the_border_of_a_rule_has_no_room_there(delta):
    rule = om.LinearRule("border", {(0, 0): "33/5", (1, 0): "33/50", (0, 2): "72/7"}, "<=", "2047/350")
    assert float(sum(coefficient for *_, coefficient in rule.entries) / 3 - rule.right) == 0
    design = om.design(om.question(om.count(2), 1, delta=delta, rules=rule))
    assert design.certificate.relative_gap < 1e-9


def test_a_limit_too_short_for_a_closed_form_is_refused_before_it_starts():
    problem = om.croft(om.count(1999), "0.5")
    with pytest.raises(om.ProblemError, match="must be at least 7 seconds for a matrix of 2,000 by 2,000"):
        om.design(problem, engine="closed-form", time_limit=3)
