"""A question as plain values says the same when it is read back."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

import optmech as om
from optmech.question.content import problem_of, question_of
from optmech.question.costs import exact_costs
from optmech.question.losses import LeastDelta
from optmech.rules import mismatch
from tests.each import each
from tests.proofs.by_hand import problems

OTHERS = [
    om.sadeghi("ln 3/2", "1/3", 2, counts=(1, 3)),
    om.sadeghi_symmetric("2.18", "0.8", 6, rows="paper"),
    om.kadam(om.residues(5, [1, 3], symmetric=False), "1.5", "0.1238", cost=[0, 0.1, 2, 3, 4]),
    om.kadam(om.residues(6, [1, 2]), "1/3", 0, reading="printed"),
    om.kadam_least_delta(om.residues(5, [1]), 1, at_most="1/3", cost="wrapped"),
    om.croft(om.Query([0, Fraction(1, 3), 2], [(0, 1), (1, 2)], [(0, 2)], name='gr\u00fcn "x"'), 1),
]


def same(one, other):
    for field in ("truths", "responses", "symmetric", "name"):
        assert getattr(one.query, field) == getattr(other.query, field)
    assert np.array_equal(one.query.pairs, other.query.pairs)
    assert (one.structure, one.properties) == (other.structure, other.properties)
    # With nothing to spend, probabilistic privacy is pure.
    assert one.privacy == other.privacy or (one.privacy.delta, one.privacy.epsilon) == (
        0,
        other.privacy.epsilon,
    )
    assert type(one.objective) is type(other.objective)
    if isinstance(one.objective, LeastDelta):
        assert one.objective.at_most == other.objective.at_most
    if one.loss is not None:
        assert np.array_equal(one.loss.loss, other.loss.loss)
        assert np.array_equal(one.loss.weights, other.loss.weights)
        mine, theirs = (exact_costs(problem.loss, problem.query) for problem in (one, other))
        assert (mine.table * theirs.scale == theirs.table * mine.scale).all()


@pytest.mark.slow
@settings(max_examples=150)
@given(problems())
def test_a_question_that_is_written_and_read_is_the_same(problem):
    question = json.loads(json.dumps(question_of(problem)))
    again = problem_of(question)
    same(problem, again)
    assert question_of(again) == question


@each("problem", OTHERS)
def test_noise_that_is_written_and_read_is_the_same(problem):
    question = json.loads(json.dumps(question_of(problem)))
    same(problem, problem_of(question))
    assert question_of(problem_of(question)) == question


def test_neighbours_are_a_reach_where_they_are_all_within_one():
    queries = {name: question_of(om.croft(query, 1))["query"] for name, query in QUERIES.items()}
    assert {name: (query["reach"], query["pairs"]) for name, query in queries.items()} == {
        "count": (1, []),
        "mean": (2, []),
        "extremum": (3, []),
        "graph": (0, [[0, 2], [2, 0]]),
        "one-sided": (0, [[0, 1]]),
        "nobody": (0, []),
    }


QUERIES = {
    "count": om.count(2),
    "mean": om.mean(3, 2),
    "extremum": om.extremum(0, 3),
    "graph": om.Query(range(3), neighbours=[(0, 2)]),
    "one-sided": om.Query(range(2), neighbours=[(0, 1)], symmetric=False),
    "nobody": om.Query(range(2), neighbours=[]),
}


PARTS = [(part,) for part in ("query", "structure", "privacy", "properties", "objective")] + [
    ("query", "truths"),
    ("query", "responses"),
    ("query", "reach"),
    ("query", "pairs"),
    ("structure", "kind"),
    ("privacy", 0),
    ("privacy", 0, "kind"),
    ("privacy", 0, "epsilon"),
    ("objective", "least"),
    ("objective", "loss"),
    ("objective", "weights"),
    ("objective", "at_most"),
]
WRONG = [None, True, -1, 0.5, "", "nan", "x", [], {}, [[]], [None], {"a": 1}, 10**400, "1e99999", "-1", "1/0"]


@each("place", PARTS)
def test_a_part_that_is_missing_or_wrong_is_refused(place):
    good = question_of(om.croft(om.count(2), "0.7", prior=[0.25, 0.5, 0.25], variant=2))
    for wrong in [KeyError, *WRONG]:
        question = copy.deepcopy(good)
        *path, last = place
        part = question
        for name in path:
            part = part[name]
        if json.dumps(part[last]) == json.dumps(None if wrong is KeyError else wrong):
            continue
        if wrong is KeyError:
            del part[last]
        elif place == ("properties",) and wrong in ([], ""):
            continue  # no properties
        else:
            part[last] = wrong
        try:
            problem = problem_of(question)
        except om.OptmechError:
            continue
        # The question as understood differs from the one asked, and shows it when it is written again.
        assert question_of(problem) != good


def test_a_cost_bound_without_a_cost_is_seen():

    problem = om.sadeghi(1, "0.5", 2, counts=(1, 3))
    assert mismatch(problem) is None
    assert "a bound on the cost" in mismatch(replace(problem, objective=LeastDelta(None, Fraction(1))))
