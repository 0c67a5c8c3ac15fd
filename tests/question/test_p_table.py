"""Perturbation tables as questions: arguments, the same noise for larger counts, words of a command."""

from __future__ import annotations

import pytest

import optmech as om
from optmech.question.problems.named import named_problem
from optmech.question.problems.p_table import PositiveStaysPositive, SameNoiseFrom
from optmech.question.problems.sadeghi import noisy_counts
from tests.each import each


def test_larger_counts_are_stood_for_by_one_more_than_the_last_noise():
    problem = om.p_table(5, 1, without=[2, 1])
    assert (problem.query.num_truths, problem.query.num_responses) == (10, 15)
    assert problem.query.truths[-1] == 9
    assert {str(rule) for rule in problem.rules} == {'rule "same noise from 8 on"'}
    assert om.p_table(5, 1, same_noise_from=3).query.num_truths == 5


@each(
    ("arguments", "sentence"),
    [
        ({"within": 0}, "`within` must be a distance from 1 to 100; got 0"),
        ({"within": 1.5}, "`within` must be a whole number; got 1.5"),
        ({"within": 101}, "got 101"),
        ({"without": [1, "x"]}, "`without` must be a whole number; got 'x'"),
        ({"without": [3], "same_noise_from": 2}, "`same_noise_from` must be a count from 3 to 300; got 2"),
        ({"same_noise_from": 301}, "got 301"),
        ({"variance": -1}, "`at_most` must be zero or more"),
        ({"variance": "much"}, "`variance` must be a finite number"),
        ({"unbiased": 1}, "`unbiased` must be true or false; got 1"),
        ({"properties": ["fair", "row-monotone"]}, "of each count by itself: accuracy, column-monotone"),
        (
            {"properties": "within 3"},
            "got within 3. Distances and counts that are never published are `within`",
        ),
        ({"properties": [3]}, "`properties` must be text; got 3"),
        ({"properties": "accuracy >= 2"}, "`accuracy` must lie between 0 and 1; got 2"),
        ({"epsilon": None}, "`epsilon` must be given"),
        ({"delta": 2}, "`delta` must be zero or more and below 1"),
    ],
)
def test_wrong_arguments_are_refused_by_name(arguments, sentence):
    with pytest.raises(om.ProblemError) as error:
        om.p_table(**{"within": 5, "epsilon": 1, **arguments})
    assert sentence in str(error.value)


@each(
    ("query", "start"),
    [(om.count(5), 6), (om.categories(["a", "b"]), 0), (om.mean(3, smallest=0, largest=2), 1)],
)
def test_the_same_noise_is_asked_of_counts_in_a_row_only(query, start):
    with pytest.raises(om.ProblemError, match="`start` must be a count of a query whose"):
        om.question(query, 1, properties=[SameNoiseFrom(start)])


@each("query", [om.count(smallest=1, largest=5), om.categories(["a", "b"])])
def test_positive_counts_stay_positive_where_zero_is_a_response(query):
    with pytest.raises(om.ProblemError, match="ask positive-stays-positive of counts from 0 on"):
        om.question(query, 1, properties=[PositiveStaysPositive()])


def test_no_noise_leaves_the_responses_where_it_is_the_same():
    query = noisy_counts(0, 3, 1)
    entries = {rule.entries for rule in SameNoiseFrom(2).rules(query)}
    assert ((0, 3, 1),) in entries
    assert ((4, 2, 1),) in entries
    assert len(entries) == query.num_responses + 1


@each(
    ("choices", "sentence"),
    [
        ({"least": "delta", "delta": "0.1"}, "`delta` must be left out where delta is to be least; got 0.1"),
        ({"least": "loss"}, "`delta` must be given for the least loss; got none"),
        ({"loss": "squared"}, "`loss` must be left out where delta is to be least"),
        ({"least": "variance"}, "`least` must be one of delta, loss"),
    ],
)
def test_choices_that_contradict_each_other_are_refused(choices, sentence):
    with pytest.raises(om.ProblemError) as error:
        named_problem("p-table", {"within": 5, "epsilon": "1", **choices})
    assert sentence in str(error.value)


def test_the_words_of_a_command_ask_what_python_asks():
    typed = {"within": 5, "variance": "3", "without": [1, 2], "unbiased": True, "epsilon": "1"}
    typed["positive_stays_positive"] = True
    asked = om.p_table(5, 1, variance=3, without=[1, 2], unbiased=True, positive_stays_positive=True)
    assert named_problem("p-table", typed).to_dict() == asked.to_dict()
    stays = named_problem("p-table", {"within": 5, "epsilon": "1", "properties": ["accuracy >= 0.3", "fair"]})
    assert stays.to_dict() == om.p_table(5, 1, properties=["fair", "accuracy >= 0.3"]).to_dict()
    at = named_problem("p-table", {"within": 5, "epsilon": "1", "delta": "0.3", "loss": "beyond 1"})
    assert at.to_dict() == om.p_table(5, 1, delta="0.3", loss="beyond 1").to_dict()
