"""Questions, queries and certificates are equal where they say the same, whoever made them."""

from __future__ import annotations

import copy
import itertools
import pickle
from dataclasses import replace

import optmech as om
from optmech.mechanisms.certificates.certificate_text import certificate_text, read_certificate_text
from tests.each import each
from tests.question.test_table import CASES

DESIGNED = {
    "matrix": om.croft(om.count(3), 1, variant=2),
    "noise": om.question(om.count(4), 1),
    "delta": om.question(om.count(3), 1, delta="0.1"),
    "modular": om.kadam(om.residues(5, [1]), "1.5", "0.1238"),
}


@each("name", CASES)
def test_a_question_equals_itself_made_anew(name):
    problem = CASES[name]
    others = [pickle.loads(pickle.dumps(problem))]  # noqa: S301 - our own
    if problem.privacy.as_printed is None:
        others.append(om.Problem.from_dict(problem.to_dict()))
    for other in others:
        assert other is not problem
        assert other == problem
        assert hash(other) == hash(problem)
        assert other.query == problem.query
        assert hash(other.query) == hash(problem.query)
    assert len({problem, *others, copy.deepcopy(problem)}) == 1


def test_questions_that_ask_for_something_else_differ():
    for (name, one), (other, another) in itertools.combinations(CASES.items(), 2):
        assert (one == another) == (one.to_dict() == another.to_dict()), (name, other)
        if one.query == another.query:
            assert one.to_dict()["query"] == another.to_dict()["query"], (name, other)
    assert CASES["plain"] != "plain"
    assert CASES["plain"].query != CASES["plain"]


def test_the_formulation_is_no_part_of_what_is_asked():
    problem = CASES["plain"]
    assert replace(problem, name="croft") == problem


def test_long_queries_are_compared_without_their_lists():
    assert om.count(10_000_000) == om.count(10_000_000)
    assert om.count(10_000_000) != om.count(9_999_999)
    assert om.count(5) != om.Query(range(6)), "a custom query promises less than a count"


@each("name", DESIGNED)
def test_a_certificate_equals_what_its_file_says(name):
    certificate = om.design(DESIGNED[name]).certificate
    again = read_certificate_text(certificate_text(certificate), name)
    assert again is not certificate
    assert again == certificate
    assert hash(again) == hash(certificate)
    if name == "matrix":  # it has a report of who made it; one of noise has none
        assert replace(certificate, made_by={"name": "another"}) != certificate


def test_certificates_of_other_questions_differ():
    designed = [om.design(problem).certificate for problem in DESIGNED.values()]
    assert len(set(designed)) == len(designed)
    assert all((one == other) == (one is other) for one in designed for other in designed)
