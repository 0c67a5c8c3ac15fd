"""Questions: answers, responses and neighbours."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

import optmech as om
from tests.each import each


def neighbours(query):
    return set(map(tuple, query.pairs.tolist()))


def test_a_count_has_neighbours_one_apart():
    assert neighbours(om.count(3)) == {(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2)}


def test_neighbours_of_a_mean_are_what_replacing_a_record_can_do():
    records, largest = 3, 2
    query = om.mean(records, largest)
    reachable = set()
    for data in itertools.product(range(largest + 1), repeat=records):
        for place, value in itertools.product(range(records), range(largest + 1)):
            changed = [*data[:place], value, *data[place + 1 :]]
            if sum(changed) != sum(data):
                reachable.add((sum(data), sum(changed)))
    assert neighbours(query) == reachable
    assert query.truths == tuple(Fraction(total, records) for total in range(records * largest + 1))


@pytest.mark.parametrize("statistic", [max, min, lambda data: sorted(data)[len(data) // 2]])
def test_neighbours_of_an_extremum_are_what_replacing_a_record_can_do(statistic):
    query = om.extremum(1, 3)
    reachable = set()
    # One record suffices for max and min; a median of three needs the others on both sides of it.
    for data in itertools.product(range(1, 4), repeat=3):
        for place, value in itertools.product(range(3), range(1, 4)):
            changed = [*data[:place], value, *data[place + 1 :]]
            if statistic(data) != statistic(changed):
                reachable.add((statistic(data) - 1, statistic(changed) - 1))
    assert reachable <= neighbours(query)
    assert neighbours(query) == set(itertools.permutations(range(3), 2))


@pytest.mark.parametrize("together", [1, 2, 3])
def test_neighbours_of_a_person_are_what_replacing_all_its_records_can_do(together):
    records, largest = 3, 2
    tables = list(itertools.product(range(largest + 1), repeat=records))
    reachable = {
        (sum(data), sum(other))
        for data, other in itertools.product(tables, repeat=2)
        if sum(a != b for a, b in zip(data, other, strict=True)) <= together and sum(data) != sum(other)
    }
    query = om.mean(records, largest, records_per_person=together)
    assert neighbours(query) == reachable
    assert ("records a person" in query.name) == (together > 1)
    ones = {(f, g) for f, g in itertools.permutations(range(8), 2) if abs(f - g) <= together}
    assert neighbours(om.count(7, records_per_person=together)) == ones


def test_group_privacy_is_never_worse_than_a_share_of_epsilon_for_each_record():
    whole = om.design(om.croft(om.count(12, records_per_person=3), 1))
    shares = om.design(om.croft(om.count(12), "1/3"))
    assert whole.objective < shares.lower_bound


def test_residues_protect_both_directions_unless_told_otherwise():
    one_sided = neighbours(om.residues(5, [1, 2], symmetric=False))
    both = neighbours(om.residues(5, [1, 2]))
    assert one_sided == {(f, (f - d) % 5) for f in range(5) for d in (1, 2)}
    assert both == one_sided | {(g, f) for f, g in one_sided}


def test_coarse_categories_hold_their_lower_end_and_the_last_its_upper_end():
    query = om.Query(range(6), [(0, 2), (2, 4), (4, 5)], 1)
    assert query.home.tolist() == [0, 0, 1, 1, 2, 2]
    assert query.response_values.tolist() == [1.0, 3.0, 4.5]


def test_a_point_at_the_start_of_an_interval_holds_its_truth():
    query = om.Query([0, 1, 2], [(0, 1), 1, (2, 3)], 1)
    assert query.home.tolist() == [0, 1, 2]


def test_a_truth_in_no_category_has_no_home():
    assert om.Query([0, 1, 2], [0, 2], 1).home.tolist() == [0, -1, 1]


def test_any_graph_of_neighbours_is_kept_without_repetition():
    query = om.Query([0, 1, 2], neighbours=[(0, 2), (2, 0), (0, 2)])
    assert query.pairs.tolist() == [[0, 2], [2, 0]]


@pytest.mark.parametrize(
    ("query", "named"),
    [
        (om.count(3, 100), om.count(100, smallest=3)),
        (om.mean(28, 1, 5), om.mean(28, 5, smallest=1)),
        (om.mean(3, 2), om.mean(3, 0, 2)),
        (om.extremum(7), om.extremum(0, 7)),
    ],
)
def test_ends_stand_as_in_range_and_both_are_answers(query, named):
    assert query.title == named.title
    assert query.truths == named.truths


def test_a_query_cannot_be_changed():
    query = om.count(2)
    with pytest.raises(AttributeError):
        query.truths = ()
    with pytest.raises(ValueError, match="read-only"):
        query.pairs[0] = 1


@each(
    ("ask", "sentence"),
    [
        (lambda: om.count(0), "the range must hold at least two answers, smallest first; got 0..0"),
        (lambda: om.count(3, smallest=5), "got 5..3"),
        (lambda: om.count(5, 3), "got 5..3"),
        (om.count, "given the largest value, or the smallest and the largest; got []"),
        (lambda: om.count(1, 2, smallest=3), "got [1, 2, 3]"),
        (lambda: om.mean(28, 1, 5, 7), "`mean` must be given the largest value"),
        (lambda: om.count(3, smallest=-1), "`smallest` must be at least 0 for a count; got -1"),
        (lambda: om.count(2.5), "`largest` must be a whole number; got 2.5"),
        (lambda: om.count(True), "`largest` must be a whole number; got True"),
        (lambda: om.mean(0, 4), "`records` of kind mean must be a whole number of at least 1; got 0"),
        (lambda: om.mean(3, 0), "got 0..0"),
        (lambda: om.extremum(5, 1), "got 5..1"),
        (lambda: om.count(3, records_per_person=0), "must be a whole number of at least 1; got 0"),
        (
            lambda: om.mean(3, 2, records_per_person=4),
            "`records_per_person` must be at most 3, as there are records; got 4",
        ),
        (lambda: om.count(3, records_per_person="2"), "`records_per_person` must be a whole number; got '2'"),
        (
            lambda: om.residues(1, [1]),
            "`modulus` of kind residues must be a whole number of at least 2; got 1",
        ),
        (lambda: om.residues(9, []), "`distances` must name at least one distance"),
        (lambda: om.residues(9, [9]), "`distances` must lie between 1 and 8, below the modulus; got 9"),
        (lambda: om.residues(9, [0]), "got 0"),
        (lambda: om.residues(9, [-1]), "got -1"),
        (lambda: om.Query([]), "`truths` must be one or more increasing numbers"),
        (lambda: om.Query([1, 1]), "`truths` must be one or more increasing numbers"),
        (lambda: om.Query([0, 1], []), "`responses` must be one or more increasing numbers"),
        (lambda: om.Query([0, 1], [(0, 2), (1, 3)]), "intervals that do not overlap"),
        (lambda: om.Query([0, 1], [(0, 1, 2)]), "numbers or (lower, upper) pairs"),
        (lambda: om.Query([0, 1], neighbours=0), "must reach at least 1 step; got 0"),
        (lambda: om.Query([0, 1], neighbours="some"), "a reach or 'all'; got 'some'"),
        (lambda: om.Query([0, 1], neighbours=[(0, 2)]), "positions from 0 to 1; got (0, 2)"),
        (lambda: om.Query([0, 1], neighbours=[(0, 0)]), "must join two different truths"),
        (lambda: om.Query([0, 1], neighbours=[(0, 1, 2, 3)]), "must be pairs of positions"),
        (lambda: om.Query([0, 1], neighbours=[(0, 1, 0)]), "whole weights of at least 1; got 0"),
        (lambda: om.Query([0, 1], labels=["a"]), "one for each of 2 truths"),
        (
            lambda: om.Query([0, 1], neighbours=[(0, 1, 1.5)]),
            "a whole weight or none, such as (0, 1, 2)",
        ),
        (lambda: om.Query([0, 1], neighbours=[0.5]), "must be pairs of positions"),
    ],
)
def test_a_question_that_cannot_be_asked_says_why(ask, sentence):
    with pytest.raises(om.ProblemError) as refusal:
        ask()
    assert sentence in str(refusal.value)


def test_one_answer_without_neighbours_is_a_query():
    assert om.Query([7]).pairs.shape == (0, 2)
    assert np.array_equal(om.Query([7]).home, [0])
