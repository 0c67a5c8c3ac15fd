"""Proofs by cases: what they prove is true, and near the optimum."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import optmech as om
from optmech.base.errors import NotAcceptedError, VerificationError
from optmech.designs import attempts, branch, certify, design
from optmech.designs.branch import search
from optmech.designs.closed_form import fallbacks
from optmech.designs.engines import program
from optmech.designs.engines.engine import Request
from optmech.designs.repair.repair import repair
from optmech.models import solvers
from optmech.models.formulations.assemble import assemble
from optmech.models.formulations.cases import KEPT, PAID, Cases
from optmech.models.solution import Solution, Status
from optmech.models.solvers.options import SolveOptions
from optmech.models.solvers.warm import WarmHighs
from optmech.proofs.bound import NotAProofError, prove_tree, proved_bound
from optmech.proofs.enclosure import enclose_exponential
from optmech.proofs.multipliers import BITS, Leaf, Rule, Split
from optmech.proofs.violation import objective_of
from optmech.question.losses import LeastDelta
from optmech.question.problems.instances import read_instances
from optmech.rules import compile_rules
from tests.each import each

FORMULATIONS = Path(__file__).parents[2] / "formulations"
# Tolerance of a proof: nodes are closed at 1e-8, objectives are known to about as much.
NEAR = 1e-7
# The known objectives are doubles, the bounds exact.
ROUNDING = 1e-12


def leaves(tree):
    return [tree] if isinstance(tree, Leaf) else leaves(tree.kept) + leaves(tree.violated)


def mixed_integer_instances():
    for path in sorted(FORMULATIONS.glob("kadam*.toml")):
        for instance in read_instances(path):
            problem = instance.problem()
            if problem.privacy.as_printed is None and assemble(problem).model.is_mixed_integer:
                yield pytest.param(
                    problem, float(instance.known["objective"]), id=f"{path.stem}:{instance.name}"
                )


INSTANCES = list(mixed_integer_instances())


def prove(problem, objective, **limits):
    return search(compile_rules(problem), objective, **limits).tree


def enclosure(problem):
    return enclose_exponential(problem.privacy.epsilon, 160)


def proved(problem, tree):
    return proved_bound(compile_rules(problem), tree, enclosure(problem))


def small(*, delta=None, at_most=None, symmetric=False, distances=(1,), modulus=5):
    query = om.residues(modulus, distances, symmetric=symmetric)
    if delta is not None:
        return om.kadam(query, delta=delta, cost="circular", exp_epsilon="3")
    return om.kadam_least_delta(query, cost="circular", at_most=at_most, exp_epsilon="3")


SMALL = [
    small(delta=delta, at_most=at_most, symmetric=symmetric, distances=distances)
    for delta, at_most in (("0.1", None), ("0.25", None), (None, "0.3"), (None, "0.9"))
    for symmetric, distances in ((False, (1,)), (True, (1,)), (False, (1, 2)))
]


def relaxed(problem, side):
    """Return what a solver says where all choices are decided alike."""
    cases = cases_of(problem)
    sides = np.full(cases.number, side, dtype=np.int8)
    return solvers.solver("highs").solve(cases.program(sides), SolveOptions())


def cases_of(problem):
    return Cases.of(compile_rules(problem))


def optimum_by_counting(problem):
    """Return the least objective when everything is decided: a linear program for each set of payments."""
    cases, solver = cases_of(problem), solvers.solver("highs")
    objectives = []
    for sides in itertools.product((KEPT, PAID), repeat=cases.number):
        answer = solver.solve(cases.program(np.array(sides, dtype=np.int8)), SolveOptions())
        assert answer.status in (Status.OPTIMAL, Status.INFEASIBLE)
        objectives.append(np.inf if answer.objective is None else answer.objective)
    return min(objectives)


@pytest.mark.slow
@each(("problem", "optimum"), INSTANCES)
def test_the_bound_of_each_instance_is_its_optimum_and_not_above(problem, optimum):
    tree = prove(problem, optimum)
    bound = proved(problem, tree)
    assert isinstance(bound, Fraction)
    assert optimum * (1 - NEAR) <= bound <= optimum + ROUNDING
    assert len(leaves(tree)) <= 30


@each("problem", [problem for problem in SMALL if cases_of(problem).number <= 5], every=4)
def test_the_bound_is_the_best_of_all_sets_of_violations(problem):
    optimum = optimum_by_counting(problem)
    bound = proved(problem, prove(problem, optimum))
    assert optimum * (1 - NEAR) - ROUNDING <= bound <= optimum + ROUNDING


@each("problem", SMALL, every=4)
def test_an_objective_above_the_optimum_costs_only_cases(problem):
    loose = proved(problem, prove(problem, 10.0))
    tight = proved(problem, prove(problem, float(loose)))
    assert float(tight) == pytest.approx(float(loose), rel=NEAR, abs=ROUNDING)


@each(("problem", "optimum"), INSTANCES, every=4)
def test_an_objective_below_the_optimum_proves_a_true_bound_with_fewer_cases(problem, optimum):
    tree = prove(problem, optimum * 0.9)
    assert optimum * 0.9 * (1 - NEAR) <= proved(problem, tree) <= optimum + ROUNDING
    assert len(leaves(tree)) <= len(leaves(prove(problem, optimum)))


@each(("problem", "optimum"), INSTANCES[::5])
def test_a_leaf_alone_proves_no_more_than_the_truth(problem, optimum):
    for leaf in leaves(prove(problem, optimum)):
        try:
            assert proved(problem, leaf) <= optimum + ROUNDING
        except NotAProofError:
            continue  # it leans on its decisions


def mutations(rule, random):
    for place in range(len(rule.weights)):
        for change in (-1, 1, 2**BITS, -rule.weights[place], -2 * rule.weights[place]):
            weights = rule.weights.copy()
            weights[place] += change
            yield replace(rule, weights=weights)
        moved = rule.places.copy()
        moved[place, random.integers(moved.shape[1])] += 1
        yield replace(rule, places=moved)


def with_each_leaf_changed(tree, random):
    """Yield trees that differ from `tree` in one multiplier, in one place, or in two halves."""
    if isinstance(tree, Leaf):
        for name, rule in tree.rules.items():
            for changed in mutations(rule, random):
                yield replace(tree, rules={**tree.rules, name: changed})
        if tree.cost:
            yield replace(tree, cost=2 * tree.cost)
            yield replace(tree, cost=-tree.cost)
        return
    yield replace(tree, kept=tree.violated, violated=tree.kept)
    yield replace(tree, kept=tree.violated)
    yield replace(tree, violated=tree.kept)
    for kept in with_each_leaf_changed(tree.kept, random):
        yield replace(tree, kept=kept)
    for violated in with_each_leaf_changed(tree.violated, random):
        yield replace(tree, violated=violated)


@each("problem", SMALL, every=8, slow_every=2)
def test_a_changed_leaf_is_refused_or_proves_no_more_than_the_truth(problem):
    tree = prove(problem, 10.0)
    optimum = proved(problem, tree)
    refused = 0
    for changed in with_each_leaf_changed(tree, np.random.default_rng(1)):
        try:
            assert proved(problem, changed) <= optimum * (1 + Fraction(1, 10**9)) + Fraction(1, 10**12)
        except NotAProofError:
            refused += 1
    assert refused or isinstance(tree, Leaf)


@pytest.mark.parametrize(("asked", "side"), [({"delta": "0.1"}, PAID), ({"at_most": "0.001"}, KEPT)])
def test_where_nothing_is_possible_any_bound_is_proved(asked, side):
    # Everything paid for is a mass of one, and delta is a tenth; all kept costs more than nothing.
    problem = small(**asked)
    assert relaxed(problem, side).status is Status.INFEASIBLE
    growing = branch._Growing(cases_of(problem), 1000.0)
    sides = np.full(growing.cases.number, side, dtype=np.int8)
    node = growing._node(sides, np.inf)
    leaf = growing._leaf(compile_rules(problem), node)
    decisions = {growing.cases.subscripts(choice): side == PAID for choice in range(len(sides))}
    _, bound = prove_tree(compile_rules(problem), leaf, enclosure(problem), decisions)
    assert bound > 1000


def test_a_tree_may_hold_a_leaf_where_nothing_is_possible():
    problem = small(at_most="0.001", symmetric=True)
    tree = prove(problem, 10.0)
    multipliers = [leaf.cost for leaf in leaves(tree)]
    assert max(multipliers) > 2**BITS  # of a cost that no noise below the decisions can have
    # The truth leaks both ways. Masses a at -1, 1 and a/3 at -2, 2 cost 2a (1 + 4/3) = 0.001 and leave it
    # 1 - 2a (1 + 1/3) = 1 - 0.004/7. Were a to leak as well, with nothing beyond, it would be 1 - a = 0.9995.
    assert float(proved(problem, tree)) == pytest.approx(1 - 0.004 / 7, rel=NEAR)


@pytest.mark.parametrize(("limit", "value"), [("most_leaves", 2), ("seconds", 0.0)])
def test_a_proof_that_would_be_too_long_proves_less(limit, value):
    (problem, optimum), *_ = [case.values for case in INSTANCES if case.id == "kadam:table-1-fourth"]
    part = prove(problem, optimum, **{limit: value})
    assert len(leaves(part)) <= 2
    assert 0 < proved(problem, part) < proved(problem, prove(problem, optimum)) <= optimum + ROUNDING


def test_one_case_needs_no_split():
    (problem, optimum), *_ = [case.values for case in INSTANCES if case.id == "kadam_least_delta:no-delta"]
    tree = prove(problem, optimum, most_leaves=1, seconds=0.0)
    assert isinstance(tree, Leaf)
    assert proved(problem, tree) == 0


class Failing(WarmHighs):
    """A solver that answers so many times, and then not any more."""

    answers = 0

    def solve(self, model, time_limit=None):
        self.answers -= 1
        if self.answers >= 0:
            return super().solve(model, time_limit)
        return Solution(status=Status.FAILED, solver="highs", method="simplex", seconds=0.0, message="failed")


def test_without_a_relaxation_there_is_no_proof(monkeypatch):
    monkeypatch.setattr(branch, "WarmHighs", Failing)
    assert prove(small(delta="0.1"), 1.0) is None


def test_without_highs_there_is_no_proof(monkeypatch):
    monkeypatch.setattr(branch.Highs, "available", lambda _: False)
    assert prove(small(delta="0.1"), 1.0) is None


def test_below_a_relaxation_that_fails_the_bound_above_holds(monkeypatch):
    problem = small(delta="0.1", symmetric=True)
    optimum = proved(problem, prove(problem, 10.0))
    monkeypatch.setattr(branch, "WarmHighs", Failing)
    monkeypatch.setattr(Failing, "answers", 3)
    tree = prove(problem, float(optimum), most_leaves=50)
    assert isinstance(tree, Split)
    assert 0 < proved(problem, tree) <= optimum


@pytest.mark.parametrize(
    "problem",
    [
        om.croft(om.count(3), "1"),
        om.kadam(om.residues(5, [1]), "1"),
        om.sadeghi_symmetric("1", "0.5", 2),
    ],
    ids=lambda problem: problem.name,
)
def test_a_linear_program_is_not_accepted(problem):
    with pytest.raises(NotAcceptedError, match="a proof by cases needs probabilistic privacy with a delta"):
        prove(problem, 1.0)


def test_the_weights_of_a_leaf_are_whole():
    tree = prove(small(delta="0.1", symmetric=True), 10.0)
    rules = [rule for leaf in leaves(tree) for rule in leaf.rules.values()]
    assert all(isinstance(rule, Rule) and type(weight) is int for rule in rules for weight in rule.weights)


def test_least_delta_without_a_cost_is_nothing():
    problem = replace(small(at_most="0.3"), objective=LeastDelta())
    assert proved(problem, prove(problem, 0.0)) == 0


def test_a_violation_that_may_be_rounding_proves_nothing(monkeypatch):
    problem = small(delta="0.1")

    class Nearly(WarmHighs):
        def solve(self, model, time_limit=None):
            answer = super().solve(model, time_limit)
            return replace(answer, objective=1e-10) if answer.objective else answer

    monkeypatch.setattr(branch, "WarmHighs", Nearly)
    growing = branch._Growing(cases_of(problem), 1.0)
    assert growing._node(np.full(growing.cases.number, PAID, dtype=np.int8), np.inf) is None


OPTIMA = [
    (128, "wrapped", 363.6539948791),
    (128, "circular", 16.54122570825),
    (64, "squared", 131.1554047005),
]
"""Modulus, cost and least cost, from a search by another order of decisions."""


@each("modulus, cost, optimum", OPTIMA, every=4)
def test_modular_noise_of_any_cost_is_proved_from_nothing_in_few_cases(modulus, cost, optimum):
    problem = noise(modulus, cost)
    found = search(compile_rules(problem), 2 * optimum, seconds=60.0)
    assert optimum * (1 - NEAR) <= proved(problem, found.tree) <= optimum * (1 + 1e-11)
    assert problem.loss.value(found.matrix) == pytest.approx(optimum, rel=NEAR)
    assert len(leaves(found.tree)) <= 150


def noise(modulus, cost="circular", **asked):
    return om.kadam(om.residues(modulus, [1, 3, 5, 6]), "1.5", "0.1", cost=cost, **asked)


def test_a_tree_that_is_stopped_hands_out_good_noise():
    problem = noise(24)
    optimum = float(proved(problem, prove(problem, 100.0)))
    stopped = search(compile_rules(problem), 100.0, most_leaves=12)
    assert float(proved(problem, stopped.tree)) < optimum * (1 - NEAR)
    assert optimum * (1 - NEAR) <= problem.loss.value(stopped.matrix) <= optimum * 1.1
    repaired = repair(compile_rules(problem), stopped.matrix, enclosure(problem))
    assert objective_of(compile_rules(problem), repaired, enclosure(problem)) < optimum * 1.1


def test_a_decided_mechanism_no_better_than_the_given_one_is_not_handed_out():
    problem = noise(20)
    optimum = float(proved(problem, prove(problem, 100.0)))
    assert search(compile_rules(problem), optimum).matrix is None


def test_with_a_time_limit_too_noise_is_proved_by_cases_before_the_solver_has_it_all(monkeypatch):
    problem = noise(24)
    monkeypatch.setattr(program, "_BEFORE_CASES_OF_NOISE", 1e-3)
    hurried = om.design(problem, engine="program", time_limit=200)
    assert hurried.solution.status is Status.LIMIT
    assert hurried.certificate.relative_gap < NEAR


@pytest.mark.parametrize("early_is_better", [False, True])
def test_of_an_early_answer_and_one_of_a_longer_search_the_better_one_is_taken(early_is_better, monkeypatch):
    problem = small(delta="0.1", symmetric=True, distances=(1, 2))
    monkeypatch.setattr(certify, "search", lambda *_, **__: branch.Search(None, None))
    good = program.design(problem)
    poor = replace(good, answer=None, proposals=lambda: fallbacks(problem))
    early, late = (good, poor) if early_is_better else (poor, good)
    found = design._design_of(problem, replace(early, longer=lambda: late), raw=False, last=True)
    assert found.objective == pytest.approx(om.design(problem).objective, rel=NEAR)


def test_where_a_longer_search_gives_nothing_the_early_answer_is_taken(monkeypatch):
    problem = small(delta="0.1", symmetric=True, distances=(1, 2))
    monkeypatch.setattr(certify, "search", lambda *_, **__: branch.Search(None, None))
    early = program.design(problem)

    def longer():
        raise VerificationError

    found = design._design_of(problem, replace(early, longer=longer), raw=False, last=True)
    assert found.objective == pytest.approx(om.design(problem).objective, rel=NEAR)


def test_after_its_time_the_masses_of_the_solver_are_still_polished(monkeypatch):
    problem, limits = small(delta="0.1"), []
    solved = program.solve_directly(problem, "highs", SolveOptions())
    answer = program.design(problem).answer

    def solve(model, solver, options):
        limits.append(options.time_limit)
        return attempts.solve(model, solver, options)

    monkeypatch.setattr(program, "solve_directly", lambda *_, **__: solved)
    monkeypatch.setattr(program, "solve", solve)
    late = program.design(problem, Request(options=SolveOptions(time_limit=1e-9), is_patient=True)).answer
    assert limits
    assert min(limits) > 1
    assert late.objective == pytest.approx(answer.objective, rel=NEAR)


ANY_MATRIX = [
    om.question(om.count(2), "0.5", delta="0.1", definition="probabilistic"),
    om.question(om.count(1), "1", delta="0.2", definition="probabilistic", loss="squared"),
    om.question(om.count(2), "0.5", delta="0.1", definition="probabilistic", worst_case=True),
    om.question(om.count(3), "1", delta="0.05", definition="probabilistic", properties=["fair"]),
    om.question(
        om.count(2), "ln 2", definition="probabilistic", least="delta", bounds=["mean absolute <= 0.3"]
    ),
    om.question(om.mean(2, 0, 2), "1", delta="0.1", definition="probabilistic", prior="uniform"),
]


@each("problem", ANY_MATRIX, every=3)
def test_of_any_matrix_the_least_bound_is_the_optimum_of_the_mixed_integer_program(problem):
    optimum = solvers.solver("cbc").solve(assemble(problem).model, SolveOptions()).objective
    tree = prove(problem, 10.0)
    assert optimum * (1 - NEAR) - ROUNDING <= proved(problem, tree) <= optimum * (1 + NEAR) + ROUNDING


@pytest.mark.slow
@each("problem", ANY_MATRIX)
def test_a_design_of_any_matrix_under_probabilistic_privacy_is_proved_optimal(problem):
    certificate = om.design(problem).certificate
    assert certificate.bound <= certificate.objective <= certificate.bound * (1 + Fraction(1, 10**6))


@pytest.mark.long
def test_where_the_solver_takes_long_the_proof_finds_the_optimum(monkeypatch):
    problem = om.question(om.count(5), "0.5", delta="0.1", definition="probabilistic")
    optimum = om.design(problem).objective
    monkeypatch.setattr(program, "_BEFORE_CASES", 0.05)
    hurried = om.design(problem)
    assert hurried.solution.status is Status.LIMIT
    assert hurried.objective == pytest.approx(optimum, rel=NEAR)
    assert hurried.certificate.relative_gap < NEAR


@pytest.mark.slow
def test_where_neither_is_done_the_solver_begins_again(monkeypatch):
    problem = om.question(om.count(4), "0.5", delta="0.1", definition="probabilistic")
    optimum = om.design(problem).objective
    monkeypatch.setattr(program, "_BEFORE_CASES", 0.02)
    monkeypatch.setattr(certify, "search", partial(search, most_leaves=2))
    patient = om.design(problem)
    assert patient.solution.status is Status.OPTIMAL
    assert patient.objective == pytest.approx(optimum, rel=NEAR)
    assert patient.certificate.relative_gap > 0.01
    assert om.design(problem, time_limit=0.02).solution.status is Status.LIMIT
