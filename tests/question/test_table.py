"""A question as a table asks the same when it is read back; a wrong table is refused by its key."""

from __future__ import annotations

import copy
import json
import math
import random
import tomllib
from dataclasses import fields, is_dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

import optmech as om
from optmech.question.content import question_of
from optmech.question.kinds import KINDS
from optmech.question.losses import OBJECTIVES
from optmech.question.normal_table import normal_table
from optmech.question.privacy import PRIVACIES
from optmech.question.problems.instances import question_text
from optmech.question.problems.named_query import QUERIES
from optmech.question.properties import PROPERTIES
from optmech.question.structures import STRUCTURES
from optmech.rules.compile import compile_rules
from tests.each import each
from tests.proofs.by_hand import problems

COUNT = om.count(5)
VECTOR = om.vector((2, 3), [(0, 1), (1, 2)])
FAR = [[0, 1, 4], [1, 0, 4], [4, 4, 0]]
RULE = om.LinearRule("rarely", {(2, 0): "1/3", (0, 2): 1}, ">=", "0.01")
CASES = {
    "plain": om.question(COUNT, "0.5"),
    "sum": om.croft(COUNT, "1/3", variant=2),
    "per person": om.question(om.count(3, 9, records_per_person=2), exp_epsilon=2),
    "mean": om.question(om.mean(3, 1, 4, records_per_person=2), 1, loss="squared"),
    "total": om.question(om.total(3, -1, 2), 1, loss="zero-one"),
    "add": om.question(om.total(3, 0, 2, adjacency="add-remove", records_per_person=2), 1),
    "extremum": om.question(om.extremum(-2, 3), 1, loss="beyond 1/2", worst_case=True),
    "residues": om.question(om.residues(6, [1, 2]), 1, structure=om.ModularNoise(), loss="wrapped"),
    "one way": om.kadam(om.residues(5, [1, 3], symmetric=False), "1.5", "0.1238", cost=[0, 0.1, 2, 3, 4]),
    "both ways": om.question(om.residues(5, [1], symmetric=False).variant(both_ways=True), 1),
    "printed": om.kadam(om.residues(6, [1, 2]), "1/3", "0.1", reading="printed"),
    "nothing to spend": om.kadam(om.residues(6, [1, 2]), "1/3", 0),
    "least": om.kadam_least_delta(om.residues(5, [1]), 1, at_most="1/3", cost="circular"),
    "vector": om.kadam(VECTOR, 1, "0.1", cost="squared"),
    "vector of a matrix": om.question(VECTOR, 1, loss="absolute"),
    "categories": om.question(om.categories(["a, b", "ü"]), 1, loss="zero-one", properties=["fair"]),
    "far": om.question(om.categories(["a", "b", "c"], FAR), 1, loss=FAR),
    "graph": om.question(om.graph([("a", "b", 1), ("b", "c", "1.5")], unit="0.5"), 1, loss="zero-one"),
    "places": om.question(om.graph([(0, "1/3"), ("1/3", 2)]), 1),
    "custom": om.croft(om.Query([0, Fraction(1, 3), 2], [(0, 1), (1, 2)], [(0, 2)], name='gr\u00fcn "x"'), 1),
    "nobody": om.question(om.Query(range(3), neighbours=[]), 1),
    "one-sided": om.question(om.Query(range(3), neighbours=[(0, 1, 2), (2, 1, 1)], symmetric=False), 1),
    "reach": om.question(om.Query(range(2, 12, 2), neighbours=2, name="twos"), 1),
    "one table": om.question(om.Query(range(3), scope="given table"), 1),
    "labels": om.question(om.Query([0, 3], labels=["no", "yes"]), 1, loss="zero-one"),
    "coarse": om.question(
        COUNT.variant(responses=[(0, 2), (2, 4), 5]), 1, prior=[0.1, 0.2, 0.3, 0.2, 0.1, 0.1]
    ),
    "symmetric": om.sadeghi_symmetric("2.18", "0.8", 6, rows="paper"),
    "zero-bias": om.sadeghi("ln 3/2", "1/3", 2, counts=(1, 3)),
    "one count": om.sadeghi("1", "1/3", 2, counts=(4, 4)),
    "noise on its truths": om.question(COUNT, 1, structure=om.FreeMatrix(), properties=["within 2"]),
    "each": om.question(COUNT, 0, delta="0.2", definition="per-outcome", structure=om.FreeMatrix()),
    "approximate": om.question(COUNT, "ln 2", delta="1e-6", prior=["1/3", "1/3", "1/3", 0, 0, 0]),
    "limits": om.question(COUNT, 1, properties=["accuracy >= 1/3", "within 3", "without 0 5"]),
    "exactly": om.question(COUNT, 1, properties=["accuracy = 0.4"]),
    "all": om.question(COUNT, 1, delta="0.1", properties=[str(each) for each in PROPERTIES]),
    "bounds": om.question(
        COUNT,
        1,
        least="delta",
        delta=None,
        bounds=["mean absolute <= 1.2", "worst beyond 2.0 <= 1/20"],
        prior=None,
    ),
    "bound of noise": om.question(
        om.residues(5, [1]), 1, delta="0.1", structure=om.ModularNoise(), bounds=["mean circular <= 2"]
    ),
    "by distance": om.question(om.count(40), 1, loss=[0, 0.5, 2]),
    "by distance, worst": om.question(om.count(4), 1, loss=[0, 0.5, 2], worst_case=True),
    "by entry": om.question(om.count(1), 1, loss=[[0, 0.1], [3, 0]]),
    "several": om.question(COUNT, privacy=[("1", "1e-6"), ("0.5", "1e-3"), ("3", 0)], rules=RULE),
    "noise": om.question(COUNT, privacy=om.as_private_as("discrete-gaussian", sigma="2/3")),
    "weights": om.question(COUNT, privacy=om.as_private_as("weights", weights=[1, 2, 1], epsilon="ln 2")),
    "large": om.question(om.count(1_000_000), 1),
}


def through_json(table):
    return json.loads(json.dumps(table))


def alike(one, other):
    """Whether two parts of compiled rules are the same, arrays entry by entry."""
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other)
    if is_dataclass(one) and type(one) is type(other):
        return all(alike(getattr(one, each.name), getattr(other, each.name)) for each in fields(one))
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(alike, one, other))
    return type(one) is type(other) and one == other


def need_same(problem):
    table = through_json(problem.to_dict())
    again = om.Problem.from_dict(table)
    assert again.to_dict() == table
    if not problem.query.is_large:  # of which the certificate of a matrix would list each cost
        assert question_of(again) == question_of(problem)
    assert [each.content for each in again.privacies] == [each.content for each in problem.privacies]
    assert om.words_of(again) == om.words_of(problem)
    if again.privacies == problem.privacies:  # with nothing to spend a definition is read as the pure one
        assert str(again).partition(": ")[2] == str(problem).partition(": ")[2]
    return again


@each("name", CASES, every=2)
def test_a_question_that_is_written_and_read_asks_the_same(name):
    need_same(CASES[name])


@each("name", [name for name in CASES if name not in ("large", "noise", "weights")])
def test_it_compiles_to_the_same_rules(name):
    """Programs as papers print them give the rules of the definition: no rules are made of the others."""
    again = compile_rules(om.Problem.from_dict(CASES[name].to_dict()).by_definition)
    rules = compile_rules(CASES[name].by_definition)
    for part in ("shape", "home", "structural", "demands", "privacy"):
        assert alike(getattr(again, part), getattr(rules, part)), part


def test_all_notions_are_among_the_questions():
    asked = CASES.values()
    assert {type(each.query.meaning) for each in asked} == set(KINDS.values())
    assert {type(privacy) for each in asked for privacy in each.privacies} == set(PRIVACIES)
    assert {type(each.structure) for each in asked} == set(STRUCTURES)
    assert {type(each.objective) for each in asked} == set(OBJECTIVES)
    assert {*QUERIES} < {*KINDS}


@pytest.mark.slow
@settings(max_examples=150)
@given(problems())
def test_random_questions_are_read_as_they_are_written(problem):
    need_same(problem)


def test_what_follows_is_not_written():
    assert CASES["large"].to_dict() == {
        "query": {"kind": "count", "smallest": 0, "largest": 1_000_000},
        "privacy": {"kind": "pure", "epsilon": "1"},
        "objective": {"loss": "absolute"},
    }
    assert "responses" not in CASES["zero-bias"].to_dict()["query"]
    assert CASES["least"].to_dict()["objective"]["loss"] == {"by_noise": "circular"}


def test_the_same_in_other_words_is_one_table():
    one = om.croft(COUNT, "0.50", variant=2, prior="uniform")
    names = ["fair", "symmetric", "column-monotone", "row-monotone"]
    assert one.to_dict() == om.question(COUNT, Fraction(1, 2), properties=names).to_dict()
    assert (
        om.Problem.from_dict(
            {
                "query": {**one.to_dict()["query"], "records_per_person": 1},
                "privacy": {"kind": "pure", "epsilon": 0.5},
                "properties": names,
                "structure": {"kind": "free"},
            }
        ).to_dict()
        == one.to_dict()
    )


PLAIN = {
    "query": {"kind": "count", "smallest": 0, "largest": 5},
    "privacy": {"kind": "approximate", "epsilon": "1", "delta": "0.1"},
    "structure": {"kind": "free"},
    "objective": {"loss": "absolute"},
}


@each(
    ("path", "value", "message"),
    [
        (
            "query.largest",
            None,
            "`question.query.largest` must be given for count: a whole number, the largest",
        ),
        (
            "query.larges",
            5,
            "`question.query.larges` must be left out: no key of count, which takes smallest, ",
        ),
        ("query.largest", "5", "`question.query.largest` must be a whole number; got '5'"),
        ("query.kind", "counts", "`question.query.kind` must be one of count, mean"),
        ("query.kind", None, "`question.query.kind` must be given: count, mean"),
        ("query.responses", 5, "`question.query.responses` must be a list of numbers"),
        ("query", None, "`question.query` must be given for a question"),
        ("query", [], "`question.query` must be a table of"),
        ("privacy", None, "`question.privacy` must be given"),
        ("privacy", [], "`question.privacy` must hold one definition or more"),
        ("privacy.epsilon", "much", "`question.privacy.epsilon` must be a finite number"),
        ("privacy.epsilon", None, "`question.privacy.epsilon` must be given for approximate"),
        ("privacy.delta", None, "`delta` must be either given or sought"),
        ("privacy.rows", "all", "`question.privacy.rows` must be left out: no key of approximate"),
        ("structure.half_width", 3, "`question.structure.half_width` must be left out: no key of free"),
        ("objective.loss", 3, "`question.objective.loss` must be absolute, squared"),
        (
            "objective.loss",
            {"by_distance": "0"},
            "`question.objective.loss.by_distance` must be a list of num",
        ),
        ("objective.loss", {"by_noise": ["0"] * 6}, "`loss.by_noise` must come with modular noise"),
        ("objective.prior", "even", "`question.objective.prior` must be one of uniform, sum"),
        ("objective.at_most", 1, "`question.objective.at_most` must be left out"),
        ("objective.least", "noise", "`question.objective.least` must be one of loss, delta"),
        ("properties", ["fare"], "`properties` must be among"),
        ("properties", "fair", "`question.properties` must be a list of texts"),
        ("bounds", [{"loss": "absolute"}], "`question.bounds.at_most` must be given"),
        ("rules", [{"name": "x", "sense": "<=", "right": 1, "entries": [[0, 1]]}], "entries` must be lists"),
        ("rules", [{"name": "x"}], "`question.rules.entries` must be given"),
        ("rule", [], "`question.rule` must be left out: no key of a question, which takes query, privacy, "),
    ],
)
def test_a_wrong_table_is_refused_by_the_name_of_its_key(path, value, message):
    table = copy.deepcopy(PLAIN)
    *above, last = path.split(".")
    part = table
    for name in above:
        part = part[name]
    if value is None:
        del part[last]
    else:
        part[last] = value
    with pytest.raises(om.ProblemError) as refusal:
        om.Problem.from_dict(table)
    assert message in str(refusal.value)


def test_what_is_no_table_is_refused():
    with pytest.raises(om.ProblemError, match="`question` must be a table of a question"):
        om.Problem.from_dict([])


@each("name", CASES)
def test_what_is_written_is_its_own_normal_form(name):
    table = CASES[name].to_dict()
    assert normal_table(table) == table


def test_the_normal_form_asks_the_same_as_what_was_typed():
    typed = {
        "query": {"kind": "count", "smallest": 0, "largest": 5, "records_per_person": 1},
        "privacy": [{"kind": "probabilistic", "epsilon": "1/2", "delta": 0.0}],
        "structure": {"kind": "free"},
        "properties": ["within 3.0", "fair", "accuracy >= 2/4", "fair"],
        "objective": {"prior": "uniform"},
        "bounds": [{"loss": "squared", "prior": "uniform", "at_most": 3}],
    }
    assert normal_table(typed) == om.Problem.from_dict(typed).to_dict()


STRANGE = [
    *(None, True, 0, -1, 2, 5.5, 10**30, math.nan, math.inf, "", "x", "0", "1/3", "ln 0", "1e400", "1e-400"),
    *([], [[]], {}, [1], ["a"], [["a"]], [[0, 1]], [[0, 1, 2]], {"kind": "count"}, {"a": 1}, "\ud800", "é\n"),
    *("beyond", "beyond -1", {"by_noise": [1]}, {"by_entry": [[1]]}, {"by_distance": []}, [0.5], "mean"),
]
KEYS = ("name", "responses", "labels", "loss", "prior", "worst_case", "truths", "moduli", "distance", "delta")


def places(part, path=()):
    yield path
    parts = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for name, inside in parts:
        yield from places(inside, (*path, name))


def changed(table, rng):
    """Return a table of which one part is gone, strange, another's or new."""
    table = copy.deepcopy(table)
    *above, last = rng.choice([path for path in places(table) if path])
    part = table
    for name in above:
        part = part[name]
    kind = rng.random()
    if kind < 0.2:
        del part[last]
    elif kind < 0.35 and isinstance(part, dict):
        part[rng.choice(KEYS)] = copy.deepcopy(rng.choice(STRANGE))
    elif kind < 0.5:
        part[last] = copy.deepcopy(rng.choice([*TABLES.values()])["query"])
    else:
        part[last] = copy.deepcopy(rng.choice(STRANGE))
    return table


TABLES = {name: problem.to_dict() for name, problem in CASES.items() if name != "large"}


@each("seed", range(1000), every=20)
def test_a_changed_table_is_another_question_or_refused_in_a_sentence(seed):
    rng = random.Random(seed)  # noqa: S311 - no secret
    table = changed(rng.choice([*TABLES.values()]), rng)
    try:
        problem = om.Problem.from_dict(table)
    except om.OptmechError:
        return
    assert om.Problem.from_dict(through_json(problem.to_dict())).to_dict() == problem.to_dict()
    assert normal_table(problem.to_dict()) == problem.to_dict()
    assert tomllib.loads(question_text(problem))["question"] == problem.to_dict()
