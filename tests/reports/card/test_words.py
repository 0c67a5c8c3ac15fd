"""The question in plain words, and what a name is worth: nothing."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import optmech as om
from optmech.question.privacy import (
    ApproximatePrivacy,
    PerOutcomePrivacy,
    ProbabilisticPrivacy,
    PurePrivacy,
)
from optmech.reports.card import words_of
from optmech.reports.report import report_page
from tests.each import each
from tests.reports.card.card_instances import FURTHER, INSTANCES


def problem_of(name):
    if name in FURTHER:
        return FURTHER[name]()
    return INSTANCES[name].problem()


@each("name", [*INSTANCES, *FURTHER], every=2)
def test_every_question_has_words_and_is_what_it_is_called(name):
    words = words_of(problem_of(name))
    for text in (words.question, words.answers, words.protected, words.neighbours, words.guarantee):
        assert text[-1] in ".?"
        assert "  " not in text
    assert "e-" not in words.answers


@each(
    ("query", "question", "protected"),
    [
        (om.count(100), "How many? A count from 0 to 100.", "at most 1"),
        (om.count(100, records_per_person=3), "How many? A count from 0 to 100.", "up to 3 records"),
        (om.mean(10, 4), "mean of 10 records, each a whole number from 0 to 4?", "That there are 10 records"),
        (om.extremum(1, 5), "of values from 1 to 5?", "from any value to any other"),
        (om.residues(9, [1, 2]), "a number modulo 9, where 8 is next to 0?", "by 1 or 2 modulo 9, in either"),
        (om.residues(9, [1], symmetric=False), "modulo 9", "in one direction only"),
        (om.categories(["red", "green"]), "Which of 2 categories: red, green?", "whose own answer it is"),
        (
            om.vector((5, 5), [1], "apart"),
            "Which vector of 2 numbers, counted modulo 5 and 5?",
            "(0,1) or (1,0), each number",
        ),
        (om.graph([("home", "shop", 2)]), "Which of 2 answers: home, shop?", "its neighbours"),
        (om.Query([0, 2, 7], neighbours=[(0, 2)], name="shoes"), 'called "shoes" by its', "its neighbours"),
    ],
)
def test_each_kind_of_question_says_what_is_asked_and_who_is_protected(query, question, protected):
    loss = "zero-one"
    words = words_of(om.question(query, 1, loss=loss))
    assert question in words.question
    assert protected in words.protected


@each(
    "query",
    [
        om.Query(range(6), neighbours=2, name="count 0..5"),
        om.Query(range(7), neighbours=1, name="count 0..5"),
        om.Query(range(5), neighbours=1, name="max, min or median 0..4"),
        om.Query(range(5), neighbours=1, name="mean of 2 records 0..2"),
        om.Query(range(5), neighbours=[(0, 1)], name="residues modulo 5, distances 1"),
        om.Query(range(5), neighbours=1, name="residues modulo 999999999, distances 1"),
        om.Query(range(2), neighbours=1, name="count 999999999..999999999"),
    ],
)
def test_a_free_query_is_custom_whatever_its_name(query):
    words = words_of(om.question(query, 1))
    assert words.question.startswith(f'A custom question with {query.num_truths} possible answers, called "')


def test_a_name_of_many_digits_is_read_in_no_time():
    words = words_of(om.question(om.Query(range(2), name="count 0.." + "9" * 100_000), 1))
    assert len(words.question) < 200


@each(
    ("problem", "private", "says"),
    [
        (om.question(om.count(3), 1), True, ""),
        (om.question(om.count(3), 1, delta="0.1"), True, ""),
        (om.question(om.count(3), 1, delta="0.1", definition="per-outcome"), False, "each single answer"),
        (om.question(om.count(3), 1, delta="0.1", definition="probabilistic"), True, "stronger"),
        (om.kadam(om.residues(5, [1], symmetric=False), 1), False, "one is protected against the other"),
        (FURTHER["metric"](), False, "weight w"),
        (FURTHER["near-data"](), False, "other tables are not protected"),
    ],
)
def test_what_is_not_the_usual_differential_privacy_says_so(problem, private, says):
    words = words_of(problem)
    assert words.is_differential_privacy is private
    assert (says in words.deviation) if says else not words.deviation


def test_a_sought_delta_is_told_once_it_is_known():
    problem = om.sadeghi(1, "0.5", 2, counts=(1, 3))
    assert "as small as it can be" in words_of(problem).guarantee
    assert "plus a delta of 0.25." in words_of(problem, Fraction(1, 4)).guarantee


def best_guess(columns):
    """Return how often the best guess between two columns is right, each as likely."""
    return float(np.maximum(columns[:, 0], columns[:, 1]).sum() / 2)


@pytest.mark.parametrize(
    ("privacy", "columns"),
    [
        (PurePrivacy("ln 3"), [[0.75, 0.25], [0.25, 0.75]]),
        (ApproximatePrivacy("ln 3", "0.2"), [[0.2, 0], [0.6, 0.2], [0.2, 0.6], [0, 0.2]]),
        (ProbabilisticPrivacy("ln 3", "0.2"), [[0.2, 0], [0.6, 0.2], [0.2, 0.6], [0, 0.2]]),
    ],
)
def test_the_odds_are_attained_by_the_worst_mechanism_and_by_none_exceeded(privacy, columns):
    odds = privacy.guarantee().odds
    assert odds.endswith(f"{100 * best_guess(np.array(columns)):.3g} %.") or (
        f"{100 * best_guess(np.array(columns)):.3g} % sure" in odds
    )


def test_no_odds_are_told_where_nothing_short_is_true():
    assert not PerOutcomePrivacy(1, "0.1").guarantee().odds
    assert not PurePrivacy(1).guarantee(both_ways=False).odds
    assert not PurePrivacy(1).guarantee(heaviest=3).odds
    assert not ApproximatePrivacy(1).guarantee().odds


def test_a_count_without_a_matrix_has_words_too():
    words = words_of(om.croft(om.count(100_000), "0.1"))
    assert words.question == "How many? A count from 0 to 100000."
    assert words.answers == "100,001 possible true answers: 0, 1, …, 100000."
    assert "at most 1.106 times" in words.guarantee
    assert words.is_differential_privacy


@each("epsilon", ["1", "0.1", "1e-9", "10", "30"])
def test_what_is_said_to_be_a_limit_is_not_exceeded(epsilon):
    promised = PurePrivacy(epsilon).guarantee()
    factor = math.exp(float(epsilon))
    assert float(promised.promise.split("at most ")[1].split(" times")[0]) > factor
    sure = promised.odds.split("at most ")[1].split(" %")[0]
    assert Fraction(sure) / 100 > Fraction(factor) / (1 + Fraction(factor))


def test_near_one_table_the_definition_says_so():
    assert words_of(FURTHER["near-data"]()).definition.startswith("near one table only: ")


def test_each_of_several_privacies_is_named_with_its_own_numbers():
    several = om.question(om.count(3), privacy=[("0.5", "1e-3"), ("1", "1e-6"), ("ln 9", 0)])
    assert words_of(several).definition == (
        "approximate differential privacy, (ε, δ); also approximate differential privacy at ε = 1, "
        "δ = 0.000001; also pure differential privacy at ε = ln 9"
    )


def test_the_name_of_a_definition_and_further_ones_are_fields_of_their_own():
    several = om.question(om.count(3), privacy=[("0.5", "1e-3"), ("1", "1e-6")])
    words = words_of(several)
    assert words.privacy_name == "approximate differential privacy"
    assert words.further == ("approximate differential privacy at ε = 1, δ = 0.000001",)
    page = om.reports.card_markdown(om.card_of(om.design(several).certificate))
    assert f"δ = 0.001, {words.privacy_name}; also {words.further[0]}." in page


@each("largest", [5, 3000], every=2)
def test_errors_where_zero_stays_zero_are_said_to_be_of_all_draws(largest):
    certificates = [
        om.design(om.question(om.count(largest), 1, delta="1e-3", properties=properties)).certificate
        for properties in ("zero-stays-zero", ())
    ]
    cards = list(map(om.card_of, certificates))
    assert ["of all draws" in card.errors.measure for card in cards] == [True, False]
    assert "% of draws are within, whatever the true answer" in om.reports.card_markdown(cards[0])
    assert "All numbers here are of all draws" in report_page(certificates[0])
