"""Additions of users are designed, proved, checked, described, and refused where they do not fit."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import optmech as om
from optmech.question.kinds import Count
from optmech.question.privacy import (
    ApproximatePrivacy,
    PerOutcomePrivacy,
    ProbabilisticPrivacy,
    PurePrivacy,
)
from tests.each import each, one_in
from tests.readers import by_checker, by_package, checker

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(path.stem for path in (ROOT / "examples/extending").glob("*.py"))
NEVER = "0.02"


def example(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / f"examples/extending/{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def written(certificate, tmp_path):
    path = tmp_path / "a.certificate.json"
    om.write_certificate(certificate, path)
    return path


def checked(certificate, tmp_path):
    """Return what the checker that shares nothing with the package says of a certificate."""
    path = written(certificate, tmp_path)
    again = om.read_certificate(path)
    assert (again.objective, again.bound) == (certificate.objective, certificate.bound)
    return checker.check(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", one_in(6, EXAMPLES))
def test_an_example_runs(name, tmp_path):
    line = [sys.executable, ROOT / f"examples/extending/{name}.py", tmp_path / "a.json"]
    done = subprocess.run(line, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_a_property_of_ones_own_is_kept_exactly_and_proved_optimal(tmp_path):
    rarely = example("rarely_mirrored").RarelyMirrored
    problem = om.question(om.count(6), "0.5", properties=[rarely(NEVER)])
    free, design = om.design(om.question(om.count(6), "0.5")), om.design(problem)
    turned = np.fliplr(np.eye(7, dtype=bool))
    turned[3, 3] = False
    ours, theirs = design.certificate.matrix, free.certificate.matrix
    assert max(ours.numerators[turned]) <= Fraction(NEVER) * ours.denominator
    assert max(theirs.numerators[turned]) > Fraction(NEVER) * theirs.denominator
    assert design.certificate.relative_gap < 1e-9
    assert design.objective > free.objective
    assert 'custom rule "the mirror image is released' in checked(design.certificate, tmp_path)
    assert bool(om.verify(design.mechanism, problem))
    assert not om.verify(free.mechanism, problem)


def test_a_property_of_ones_own_is_refused_where_it_does_not_fit():
    rarely = example("rarely_mirrored").RarelyMirrored
    with pytest.raises(om.ProblemError, match="a mirror image needs"):
        om.question(om.categories(["a", "b", "c"]), 1, loss="zero-one", properties=[rarely("0.1")])


def test_several_privacies_hold_at_once_and_cost_more_than_either(tmp_path):
    budgets, points = example("two_budgets").Budgets, {"1": "0.001", "0.5": "0.05"}
    design = om.design(om.question(om.count(6), privacy=budgets(points)))
    alone = [om.question(om.count(6), epsilon, delta=delta) for epsilon, delta in points.items()]
    assert design.certificate.bound > max(om.design(problem).objective for problem in alone)
    assert design.certificate.relative_gap < 1e-9
    assert all(om.verify(design.mechanism, problem) for problem in alone)
    output = checked(design.certificate, tmp_path)
    assert "also: approximate (epsilon, delta)-differential privacy, epsilon = 1" in output
    with pytest.raises(om.ProblemError, match="neighbours both ways"):
        om.question(om.residues(5, [1], symmetric=False), privacy=budgets({"1": "0.1"}))


def test_a_mechanism_that_breaks_the_second_privacy_has_no_certificate(tmp_path):
    first, second = ApproximatePrivacy("0.5", "0.05"), ApproximatePrivacy(1, "0.001")
    problems = [om.question(om.count(4), privacy=both) for both in ([first], [first, second])]
    designs = [om.design(problem, engine="program") for problem in problems]
    one, two = (json.loads(written(design.certificate, tmp_path).read_text()) for design in designs)
    two["mechanism"] = one["mechanism"]
    refused(two)


def refused(content):
    text = json.dumps(content)
    assert by_package(text)
    assert by_checker(text)


@pytest.mark.parametrize(
    ("part", "name", "value"),
    [
        ("rules", "right", "0.0001"),
        ("rules", "sense", "="),
        ("rules", "entries", [[0, 4, "2"], [4, 0, "1"]]),
        ("privacy", "delta", "0.0001"),
        ("privacy", "epsilon", "0.9"),
        ("privacy", "upper", "2"),
    ],
)
def test_a_proof_is_of_its_own_rules_and_of_no_others(part, name, value, tmp_path):
    rule = om.LinearRule("mirror", {(4, 0): 1, (0, 4): 1}, "<=", "0.001")
    privacy = [ApproximatePrivacy("0.5", "0.05"), ApproximatePrivacy(1, "0.001")]
    certificate = om.design(om.question(om.count(4), privacy=privacy, rules=rule)).certificate
    content = json.loads(written(certificate, tmp_path).read_text())
    content["question"][part][-1][name] = value
    refused(content)


def test_multipliers_of_ones_own_rules_count_and_have_a_sign(tmp_path):
    rule = om.LinearRule("mirror", {(4, 0): 1, (0, 4): 1}, "<=", "0.0005")
    certificate = om.design(om.question(om.count(4), 2, rules=rule)).certificate
    content = json.loads(written(certificate, tmp_path).read_text())
    leaf = content["proof"]["tree"]
    assert int(leaf["rules"]["own"]) > 0
    leaf["rules"]["own"] = str(-int(leaf["rules"]["own"]))
    refused(content)
    del leaf["rules"]["own"]  # without it another bound follows
    refused(content)


@each(
    ("part", "value"),
    [
        ("rules", {"own": "0"}),
        ("rules", {"own": ""}),
        ("rules", []),
        ("privacy", []),
        ("privacy", [[], []]),
        ("privacy", [["0 1"], ["0 1"]]),
    ],
    every=3,
)
@each("several", [False, True])
def test_both_readers_refuse_what_is_not_written_so(part, value, several, tmp_path):
    privacy = [ApproximatePrivacy("0.5", "0.05"), ApproximatePrivacy(1, "0.04")][: 1 + several]
    rule = om.LinearRule("slack", {(4, 0): 1}, "<=", "0.9")
    certificate = om.design(om.question(om.count(4), privacy=privacy, rules=rule)).certificate
    content = json.loads(written(certificate, tmp_path).read_text())
    content["proof"]["tree"][part] = value
    refused(content)


def test_a_large_count_keeps_all_of_several_privacies():
    both = {"further_privacy": (ApproximatePrivacy("0.1", "0.001"),)}
    design = om.design(replace(om.croft(om.count(5000), 1), **both))
    assert design.engine == "chain"
    alone = om.design(om.croft(om.count(5000), 1))
    assert design.objective > 2 * alone.objective


def test_ties_are_not_broken_towards_a_symmetry_that_rules_forbid():
    rule = om.LinearRule("crooked", {(0, 0): 1, (3, 3): -1}, ">=", "0.05")
    settled = om.break_ties(om.design(om.question(om.count(3), 1, loss="zero-one", rules=rule)))
    assert not settled.symmetric
    matrix = settled.design.certificate.matrix
    assert 20 * (matrix.numerators[0, 0] - matrix.numerators[3, 3]) >= matrix.denominator


def test_linear_rules_are_met_exactly_whatever_their_sense(tmp_path):
    rules = [
        om.LinearRule("equal", {(0, 0): 1, (5, 5): 1, (2, 2): -1, (3, 3): -1}, "=", 0),
        om.LinearRule("at least", {(1, 1): 1, (4, 4): "-1.5"}, ">=", 0),
        om.LinearRule("at most", {(5, 0): 3, (4, 0): 2}, "<=", "1/20"),
    ]
    design = om.design(om.question(om.count(5), 1, rules=rules))
    m, one = design.certificate.matrix.numerators, design.certificate.matrix.denominator
    assert m[0, 0] + m[5, 5] == m[2, 2] + m[3, 3]
    assert 2 * m[1, 1] >= 3 * m[4, 4]
    assert 20 * (3 * m[5, 0] + 2 * m[4, 0]) <= one
    assert design.certificate.relative_gap < 1e-9
    checked(design.certificate, tmp_path)
    card = om.reports.card_markdown(om.card_of(design.certificate))
    assert all(rule.name in card for rule in rules)


# Rules that every mechanism meets without room: nothing can be mixed in that keeps them strictly.
WITHOUT_ROOM = {
    "an entry is none": [({(0, 0): 1}, "<=", 0)],
    "an entry is a number": [({(1, 1): 1}, "<=", "0.3"), ({(1, 1): 1}, ">=", "0.3")],
    "two entries are equal": [({(1, 1): 1, (2, 2): -1}, "<=", 0), ({(2, 2): 3, (1, 1): -3}, "<=", 0)],
    "a sum is none": [({(0, 2): 1, (3, 0): 2}, "<=", 0)],
    "three entries are equal": [
        ({(1, 1): 1, (2, 2): -1}, "<=", 0),
        ({(2, 2): 1, (3, 3): -1}, "<=", 0),
        ({(3, 3): 1, (1, 1): -1}, "<=", 0),
    ],
    "the answer is sure": [({(0, 0): 1}, ">=", 1)],
}


@pytest.mark.parametrize(
    "privacy",
    [
        PurePrivacy(1),
        ApproximatePrivacy(1, "0.001"),
        PerOutcomePrivacy(1, "0.001"),
        ProbabilisticPrivacy(1, "0.01"),
        ApproximatePrivacy(1, "1e-6"),
        PerOutcomePrivacy(1, "1e-7"),
        ProbabilisticPrivacy(1, "1e-6"),
        [PurePrivacy(2), ApproximatePrivacy(1, "0.01")],
        [ApproximatePrivacy(1, "1e-6"), ApproximatePrivacy("0.5", "0.1")],
        [ApproximatePrivacy(1, "0.01"), ApproximatePrivacy(2, "0.001"), PerOutcomePrivacy(3, "0.0001")],
    ],
    ids=str,
)
@pytest.mark.parametrize("name", WITHOUT_ROOM)
def test_rules_without_room_are_kept_exactly(name, privacy, tmp_path):
    rules = [om.LinearRule(name, *parts) for parts in WITHOUT_ROOM[name]]
    problem = om.question(om.count(3), privacy=privacy, rules=rules)
    design = om.design(problem)
    assert bool(om.verify(design.mechanism, problem))
    checked(design.certificate, tmp_path)
    assert design.certificate.relative_gap < (3e-8 if problem.privacy.has_choices else 1e-9)


SMALL_LIMITS = {
    "an entry": {"rules": ({(5, 0): 1}, "<=")},
    "a sum": {"rules": ({(5, truth): 1 for truth in range(6)}, "<=")},
    "an equation": {"rules": ({(5, 0): 1}, "=")},
    "a loss": {"bounds": "mean beyond 3 <= "},
}


@each("limit", ["1e-6", "1e-8", "1e-10"], every=3)
@each("name", SMALL_LIMITS)
def test_what_a_small_limit_leaves_is_seen(name, limit, tmp_path):
    demand = SMALL_LIMITS[name]
    if "bounds" in demand:
        problem = om.question(om.count(5), 1, bounds=[demand["bounds"] + limit])
    else:
        problem = om.question(om.count(5), 1, rules=om.LinearRule(name, *demand["rules"], limit))
    design = om.design(problem)
    checked(design.certificate, tmp_path)
    assert design.certificate.relative_gap < 1e-7


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("epsilon", ["0.5", "2"])
def test_a_probabilistic_definition_stands_anywhere_among_several(epsilon, first, tmp_path):
    several = [ProbabilisticPrivacy(1, "0.1"), ApproximatePrivacy(epsilon, "0.05")]
    problem = om.question(om.count(3), privacy=several if first else several[::-1])
    design = om.design(problem)
    checked(design.certificate, tmp_path)
    assert bool(om.verify(design.mechanism, problem))
    assert design.certificate.relative_gap < 1e-7
    with pytest.raises(om.ProblemError, match="one probabilistic definition at most"):
        om.question(om.count(3), privacy=[*several, several[0]])


@pytest.mark.slow
@pytest.mark.parametrize("last", ["pinned", "free"])
def test_only_the_rules_without_room_become_equations(last, tmp_path):
    """Rules with room stand before and behind those without, in one block with them and in another."""
    one = ApproximatePrivacy(1, "0.01")
    rules = [
        om.LinearRule("has room", {(0, 0): 1}, "<=", "0.9"),
        om.LinearRule("at most", {(1, 1): 2, (1, 2): 1}, "<=", "0.7"),
        om.LinearRule("at least", {(1, 1): 2, (1, 2): 1}, ">=", "0.7"),
        om.LinearRule("equal", {(3, 3): 1, (0, 0): -1}, "=", 0),
        om.LinearRule("has room too", {(2, 2): 1}, "<=", "0.8"),
        om.LinearRule("none", {(3, 0): 1}, "<=", 0 if last == "pinned" else "0.5"),
    ]
    for privacy in (one, [one, PurePrivacy(2)], [ProbabilisticPrivacy(1, "0.01"), PurePrivacy(2)]):
        design = om.design(om.question(om.count(3), privacy=privacy, rules=rules))
        checked(design.certificate, tmp_path)
        assert design.certificate.relative_gap < (3e-8 if design.problem.privacy.has_choices else 1e-9)


def test_what_one_privacy_leaves_to_spend_is_not_what_another_leaves(tmp_path):
    """At epsilon .1 a tenth has to be spent, at epsilon 1 nothing."""
    privacy = [ApproximatePrivacy("0.1", "0.2"), ApproximatePrivacy(1, "0.001")]
    rules = [
        om.LinearRule("at most", {(0, 0): 1}, "<=", "0.6"),
        om.LinearRule("at least", {(0, 0): 1}, ">=", "0.6"),
        om.LinearRule("rarely", {(0, 1): 1}, "<=", "0.45"),
    ]
    design = om.design(om.question(om.count(1), privacy=privacy, rules=rules))
    checked(design.certificate, tmp_path)
    assert design.certificate.relative_gap < 1e-9


def test_a_rule_that_needs_the_delta_has_room_by_it(tmp_path):
    """Without a delta a ratio of e^epsilon is met by equality alone; with one there is room above it."""
    rules = [
        om.LinearRule("at the limit", {(0, 0): 1, (0, 1): -2}, ">=", 0),
        om.LinearRule("at most", {(1, 1): 1}, "<=", "0.6"),
        om.LinearRule("at least", {(1, 1): 1}, ">=", "0.6"),
    ]
    design = om.design(om.question(om.count(2), "ln 2", delta="0.05", rules=rules, loss="squared"))
    checked(design.certificate, tmp_path)
    assert design.certificate.relative_gap < 1e-9


@pytest.mark.parametrize("further", [["5"], ["ln 2", "5"]], ids=str)
def test_a_further_privacy_that_is_worth_nothing_has_no_multipliers(further, tmp_path):
    privacy = [PurePrivacy(epsilon) for epsilon in ("1/3", *further)]
    design = om.design(om.question(om.count(1), privacy=privacy, worst_case=True))
    checked(design.certificate, tmp_path)


def test_a_property_is_an_object_with_a_method():
    class Asked:
        def rules(self, _query):
            return []

    class Listed:
        rules = ()

    for wrong in (Asked, Listed()):
        with pytest.raises(om.ProblemError, match=r"hold objects with a method `rules\(query\)`"):
            om.question(om.count(3), 1, properties=[wrong])


def test_neighbours_too_far_apart_for_numbers_are_refused_before_anything_is_raised_to_their_weight():
    far = om.Query(range(4), neighbours=[(0, 1, 10**12), (1, 2, 1), (2, 3, 1)])
    with pytest.raises(om.ProblemError, match="largest weight of neighbours must be at most 700"):
        om.design(om.question(far, 1))


def test_rules_that_cannot_hold_are_named():
    rules = om.LinearRule("always the truth", {(f, f): 1 for f in range(4)}, ">=", "3.9")
    with pytest.raises(om.NoSolutionError, match="always the truth"):
        om.design(om.question(om.count(3), 1, rules=rules))


def test_a_query_kind_of_ones_own_is_a_custom_query_by_whatever_name(tmp_path):
    query = example("shift_work").shift_hour(7, 2)
    assert query.title == 'custom query "hour of a shift of 7"'
    design = om.design(om.question(query, 1, loss="zero-one"))
    assert 'custom query "hour of a shift of 7"' in checked(design.certificate, tmp_path)

    class Pretender(Count):
        """Says of itself that it is a count."""

    with pytest.raises(om.ProblemError, match="No other kind is checked"):
        om.Query(range(4), neighbours=1, kind=Pretender(0, 3))


def test_a_solver_of_ones_own_is_asked_and_not_believed():
    solver = example("scipy_solver").SciPySolver()
    design = om.design(om.croft(om.count(5), 1), solver=solver)
    assert design.solution.solver.startswith("scipy")
    assert design.objective == pytest.approx(om.design(om.croft(om.count(5), 1)).objective, rel=1e-9)
    with pytest.raises(om.ProblemError, match="`solver` must be auto"):
        om.design(om.croft(om.count(5), 1), solver=object())


def test_a_theorem_of_ones_own_stands_beside_those_that_are_known():
    theorem = example("randomised_response").RANDOMISED_RESPONSE
    design = om.design(om.question(om.count(1), "ln 3", loss="zero-one"))
    proof = {"certificate": design.certificate, "theorems": [theorem]}
    rows = om.verify(design.mechanism, design.problem, **proof).theorems
    (row,) = [row for row in rows if row.name == "randomised-response"]
    assert row.holds
    assert row.number == 0.25


@each(
    ("make", "sentence"),
    [
        (lambda: om.LinearRule("", {}, "<=", 1), "`entries` must give coefficients"),
        (lambda: om.LinearRule("a", {(0, 0): 0}, "<=", 1), "coefficients other than 0"),
        (lambda: om.LinearRule("a", {(-1, 0): 1}, "<=", 1), "positions from 0 on"),
        (lambda: om.LinearRule("a", {(0, 0): 1}, "<", 1), "`sense` must be one of"),
        (lambda: om.LinearRule("a", {(0, 0): "x"}, "<=", 1), "`entries`"),
        (lambda: om.question(om.count(2), 1, rules=om.LinearRule("a", {(9, 0): 1}, "<=", 1)), "refers to"),
        (lambda: om.question(om.count(2), 1, rules=["a"]), "`rules` must"),
        (lambda: om.question(om.count(2), 1, privacy=[ApproximatePrivacy(1, "0.1")]), "must stand alone"),
        (lambda: om.question(om.count(2), privacy=[]), "one definition or more"),
        (lambda: om.question(om.count(2), privacy=["pure"]), "`privacy` must be a pair of epsilon and delta"),
        (
            lambda: om.question(om.count(2), privacy=[ProbabilisticPrivacy(one, "0.1") for one in (1, 2)]),
            "one probabilistic definition at most",
        ),
    ],
)
def test_what_makes_no_sense_gets_a_sentence(make, sentence):
    with pytest.raises(om.ProblemError, match=sentence):
        make()
