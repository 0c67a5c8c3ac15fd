"""Designs are proved, and so are their gaps, for any answer of a solver."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import optmech as om
from optmech.base.time_left import limited_time
from optmech.designs import band
from optmech.designs.certify import best_leaf
from optmech.designs.closed_form import closed_forms, priced_by_theorem
from optmech.designs.duals import whole_multipliers
from optmech.designs.engines import interior, program
from optmech.designs.forced_zeros import forced_zeros
from optmech.designs.repair.repair import repair
from optmech.mechanisms.certificates.certificate_text import certificate_text
from optmech.models.solution import Status
from optmech.proofs.bound import proved_bound
from optmech.proofs.enclosure import enclose_exponential, enclosures_of
from optmech.proofs.multipliers import BITS
from optmech.proofs.violation import objective_of, violation
from optmech.rules import compile_rules
from tests.each import each

QUESTIONS = {
    "count": om.croft(om.count(4), "0.5"),
    "variant 2": om.croft(om.count(3), "ln 2", variant=2),
    "mean": om.croft(om.mean(2, 2), "1"),
    "extremum": om.croft(om.extremum(0, 3), "1"),
    "cells": om.croft(
        om.Query([0, 1, 2, 3, 4], [(0, 2), (2, 4)], 1), "1", properties=["row-monotone", "symmetric"]
    ),
    "zero-bias": om.sadeghi(1, "0.5", 2, counts=(1, 3)),
    "symmetric": om.sadeghi_symmetric("2.18", "0.8", 3),
    "modular": om.kadam(om.residues(5, [1]), "1.5", "0.1"),
    "pure modular": om.kadam(om.residues(5, [1]), "1.5", 0),
}
GOOD = {name: om.design(problem) for name, problem in QUESTIONS.items()}
# Theorems write these down.
CLOSED = ("count", "extremum", "symmetric", "pure modular")
real = program.solve


def nothing(status):
    def change(solution):
        return replace(solution, status=status, values=None, row_duals=None, objective=None, bound=None)

    return change


def values(kind):
    def change(solution):
        return replace(solution, values=spoiled(kind, solution.values))

    return change


def duals(kind):
    def change(solution):
        return (
            solution
            if solution.row_duals is None
            else replace(solution, row_duals=spoiled(kind, solution.row_duals))
        )

    return change


def spoiled(kind, array):
    rng = np.random.default_rng(len(array))
    return {
        "nan": np.full(len(array), np.nan),
        "some nan": np.where(rng.random(len(array)) < 0.3, np.nan, array),
        "inf": np.full(len(array), np.inf),
        "-inf": np.full(len(array), -np.inf),
        "zeros": np.zeros(len(array)),
        "negative": -array,
        "random": rng.standard_normal(len(array)),
        "huge": rng.standard_normal(len(array)) * 1e300,
        "tiny": array * 1e-300,
        "permuted": array[rng.permutation(len(array))],
        "off": array * (1 + 1e-3 * rng.standard_normal(len(array))),
    }[kind]


KINDS = ("nan", "some nan", "inf", "-inf", "zeros", "negative", "random", "huge", "tiny", "permuted", "off")


@pytest.fixture
def spoil(monkeypatch):
    def put(change):
        for module in (band, program):
            monkeypatch.setattr(module, "solve", lambda *given, **more: change(real(*given, **more)))

    return put


def check(name, result):
    """The certificate proves itself when it is made; hold it against the undisturbed design besides."""
    good, certificate = GOOD[name], result.certificate
    assert violation(compile_rules(result.problem), certificate.matrix, certificate.factor) is None
    assert certificate.objective >= good.certificate.bound
    if certificate.bound is not None:
        assert certificate.bound <= good.certificate.objective
        assert result.lower_bound_standing == "proved"
    assert result.lower_bound <= result.objective


@each("name", QUESTIONS)
def test_undisturbed_a_design_is_proved_optimal(name):
    result = GOOD[name]
    check(name, result)
    assert result.certificate.relative_gap < 1e-8
    assert result.objective_standing == result.lower_bound_standing == "proved"
    assert result.objective == float(result.certificate.objective)


@each("kind", KINDS, every=12, slow_every=3)
@each("name", QUESTIONS)
def test_wrong_duals_prove_less_and_nothing_false(spoil, name, kind):
    spoil(duals(kind))
    design = om.design(QUESTIONS[name], engine="program")
    check(name, design)
    assert design.objective == pytest.approx(GOOD[name].objective, rel=1e-9)


@each("kind", KINDS, every=12, slow_every=3)
@each("name", QUESTIONS)
def test_of_wrong_values_comes_a_proved_mechanism_or_none(spoil, name, kind):
    spoil(values(kind))
    try:
        design = om.design(QUESTIONS[name], engine="program")
    except (om.NoSolutionError, om.VerificationError):
        assert name not in CLOSED
        return
    check(name, design)
    if name in CLOSED:
        # A theorem's mechanism is taken before what the solver left; off by a thousandth it left much.
        assert design.objective == pytest.approx(GOOD[name].objective, rel=1e-2 if kind == "off" else 1e-9)


@each("status", [Status.NUMERICAL, Status.LIMIT, Status.UNDECIDED, Status.REFUSED], every=3)
@each("name", QUESTIONS)
def test_without_a_solver_a_theorem_gives_the_mechanism_or_nothing_does(spoil, name, status):
    spoil(nothing(status))
    if name in CLOSED:
        design = om.design(QUESTIONS[name], engine="program")
        check(name, design)
        assert design.objective == pytest.approx(GOOD[name].objective, rel=1e-9)
        assert "closed form" in design.certificate.repair["how"]
        assert any("gave no mechanism" in note for note in design.notes)
    elif name == "variant 2":
        design = om.design(QUESTIONS[name], engine="program")
        check(name, design)
        assert "not optimal" in design.certificate.repair["how"]
    elif name != "modular":  # whose theorem speaks at some delta only
        with pytest.raises(om.NoSolutionError, match="no mechanism found for"):
            om.design(QUESTIONS[name], engine="program")
    with pytest.raises(om.NoSolutionError):
        om.design(QUESTIONS[name], raw=True)


@pytest.mark.parametrize("kind", ["nan", "zeros", "inf"])
def test_without_a_theorem_what_the_solver_left_is_repaired(spoil, kind):
    """All alike is what becomes of nothing: 0..4 are (4 + 2 + 2 + 2 + 4) / 2 = 7 from 1 and 3 in all."""
    spoil(values(kind))
    design = om.design(QUESTIONS["cells"], engine="program")
    check("cells", design)
    assert design.certificate.repair["how"].startswith("what the solver left")
    assert design.objective == pytest.approx(7.0)


@pytest.mark.parametrize("kind", ["nan", "zeros", "inf"])
def test_variant_2_has_an_explicit_mechanism_in_its_place(spoil, kind):
    """For 0..3 with powers of 1/2: y = 1 / (1/2 + 1 + 1/2 + 1/4), and 2 (2.25 + 1.5) y = 10 / 3."""
    spoil(values(kind))
    design = om.design(QUESTIONS["variant 2"], engine="program")
    check("variant 2", design)
    assert design.certificate.repair["how"].startswith("fair mechanism by formula")
    assert design.objective == pytest.approx(10 / 3)


def test_a_count_needs_no_solver_for_its_proof(spoil):
    spoil(nothing(Status.NUMERICAL))
    design = om.design(QUESTIONS["count"], engine="program")
    assert design.certificate.relative_gap < 1e-9


@each("name", QUESTIONS, every=2)
def test_what_is_infeasible_has_no_mechanism(spoil, name):
    spoil(nothing(Status.INFEASIBLE))
    with pytest.raises(om.NoSolutionError, match="no mechanism for"):
        om.design(QUESTIONS[name], engine="program")


def test_a_truly_infeasible_question_says_so():
    """Noise modulo 4 with a cost of 0 always tells the truth, which leaks all."""
    query = om.residues(4, [1])
    with pytest.raises(om.NoSolutionError):
        om.design(
            om.Problem(
                name="impossible",
                query=om.sadeghi(1, "0.5", 1, counts=(1, 2)).query,
                structure=om.sadeghi(1, "0.5", 1, counts=(1, 2)).structure,
                privacy=om.croft(query, 1).privacy,
                properties=frozenset(),
                objective=om.croft(om.sadeghi(1, "0.5", 1, counts=(1, 2)).query, 1).objective,
            )
        )


@pytest.mark.parametrize("name", ["count", "zero-bias", "modular"])
def test_a_solvers_numbers_are_told_and_not_believed(spoil, name):
    spoil(lambda solution: replace(solution, objective=float("nan"), bound=1e9))
    design = om.design(QUESTIONS[name], engine="program")
    check(name, design)
    assert design.objective == pytest.approx(GOOD[name].objective, rel=1e-9)
    assert design.certificate.relative_gap < 1e-8


def test_after_a_limit_the_best_point_is_certified_with_an_honest_gap(spoil):
    """The even matrix is a point of the model: 20 pairs of distances 1, 2, 3, 4 cost (8+12+12+8)/5 = 8.

    A mechanism that always says 2 does better, without any solver: 2 + 1 + 0 + 1 + 2.
    """

    def change(solution):
        even = np.full(25, 0.2)
        return replace(solution, status=Status.LIMIT, values=even, row_duals=None, objective=8.0, bound=0.0)

    spoil(change)
    design = om.design(QUESTIONS["count"], engine="program")
    assert design.objective == 6.0
    assert design.certificate.bound <= GOOD["count"].certificate.objective
    assert any("the optimum lies between" in note for note in design.notes)


@each(
    ("weight", "whole"),
    [
        (0.5, 2 ** (BITS - 1)),
        (2.0**-BITS, 1),
        (1.9 * 2.0**-BITS, 1),
        (-(2.0**-BITS), -1),
        (0.1, int(Fraction(0.1) * 2**BITS)),
    ],
)
def test_multipliers_are_rounded_towards_zero(weight, whole):
    assert whole_multipliers(np.array([weight])).tolist() == [whole]


def test_multipliers_of_any_size_are_whole_numbers():
    for weight in (1e308, -1e308, 1e-320):
        (whole,) = whole_multipliers(np.array([weight])).tolist()
        assert type(whole) is int


# Drawing from what is certified.


def test_draws_follow_the_whole_numbers_of_the_certificate(monkeypatch):
    """The law that the sampler is given is the certified one, digit by digit."""
    import optmech.mechanisms.matrix_mechanism as room  # noqa: PLC0415

    calls = []

    class Watched(room.Sampler):
        def __init__(self, weights, **more):
            calls.append(weights)
            super().__init__(weights, **more)

    monkeypatch.setattr(room, "Sampler", Watched)
    design = om.design(QUESTIONS["count"])
    mechanism = design.mechanism
    assert mechanism.exact is design.certificate.matrix
    drawn = mechanism.sample([0, 4, 2])
    assert set(drawn.tolist()) <= set(range(5))
    assert (calls[0] == design.certificate.matrix.numerators).all()
    # The doubles differ from the whole numbers, which would be another law.
    doubles = [Fraction(value) for value in mechanism.matrix[:, 0].tolist()]
    exact = [
        Fraction(value, mechanism.exact.denominator) for value in mechanism.exact.numerators[:, 0].tolist()
    ]
    assert doubles != exact


@pytest.mark.parametrize("name", ["count", "variant 2", "mean", "modular"])
def test_certified_mechanisms_draw_in_constant_time(name):
    mechanism = GOOD[name].mechanism
    truths = [float(truth) for truth in mechanism.truths] * 20
    drawn = np.array(mechanism.sample(truths, constant_time=True), float)
    assert set(drawn.tolist()) <= {float(response) for response in mechanism.responses}


def test_draws_of_a_certified_mechanism_are_as_likely_as_it_says():
    """In 40000 draws an entry p may miss by 5 sigma = 5 sqrt(p (1-p) / 40000)."""
    mechanism = GOOD["count"].mechanism
    for options in ({}, {"constant_time": True}):
        with pytest.warns(UserWarning, match="."):
            drawn = mechanism.sample(np.full(40_000, 1), seed=7, **options)
        shares = np.bincount(drawn, minlength=5) / 40_000
        law = mechanism.matrix[:, 1]
        assert (np.abs(shares - law) <= 5 * np.sqrt(law * (1 - law) / 40_000)).all()


@pytest.mark.slow
@pytest.mark.parametrize("size", [100, 400])
def test_a_closed_form_is_certified_at_any_size(size):
    problem = om.croft(om.count(size), "0.5")
    _, proposal = next(closed_forms(problem))
    factor = enclose_exponential(problem.privacy.epsilon, 240)
    rules = compile_rules(problem)
    matrix = repair(rules, proposal, factor)
    bound = proved_bound(rules, priced_by_theorem(problem), factor)
    objective = objective_of(rules, matrix, factor)
    assert 0 <= objective - bound <= objective * Fraction(1, 10**9)


@pytest.mark.parametrize(
    "problem",
    [
        om.question(om.mean(3, 2), 1, least="delta", definition="probabilistic"),
        om.question(om.residues(3, [1]), "ln 2", least="delta", definition="per-outcome"),
    ],
)
def test_a_least_delta_of_zero_is_zero_and_proved(problem):
    """An answer that ignores the data spends nothing, and nothing is less."""
    certificate = om.design(problem).certificate
    assert certificate.objective == certificate.bound == 0


def test_a_proof_by_cases_is_one_about_the_worst_truth():
    """With noise modulo 3 an error of 2 happens at either end of the range: the mean of both is proved."""
    problem = om.question(
        om.residues(3, [1]),
        1,
        delta="0.05",
        definition="probabilistic",
        structure=om.ModularNoise(),
        loss="beyond 1",
        worst_case=True,
    )
    certificate = om.design(problem).certificate
    assert "split" in certificate_text(certificate)
    assert certificate.relative_gap < 1e-8


@each("epsilon", ["1e-15", "1e-17", "1e-300"], every=3)
@each("more", [{}, {"worst_case": True}, {"structure": om.ModularNoise()}])
def test_where_next_to_nothing_may_be_told_an_answer_ignores_the_data(epsilon, more):
    query = om.residues(5, [1]) if more.get("structure") else om.count(3)
    certificate = om.design(om.question(query, epsilon, **more)).certificate
    constant = om.design(om.question(query, "1e-6", **more)).certificate
    assert certificate.objective == pytest.approx(float(constant.objective), rel=1e-5)
    assert certificate.objective >= constant.bound


def test_a_bound_that_a_search_found_is_kept_though_the_time_is_up():
    problem = om.question(om.mean(3, 2), 1, delta="1e-3")
    result, factor = interior.design(problem), enclosures_of(problem, 160)
    with limited_time(1e-9):
        proved = best_leaf(forced_zeros(problem), result.leaves(), factor)
    assert proved.bound > 0.99 * result.answer.bound
