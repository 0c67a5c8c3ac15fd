"""The total of bounded records, held to all tables there are."""

from __future__ import annotations

import re
from itertools import combinations_with_replacement, product

import pytest

import optmech as om
from optmech.question.kinds import RecordTotal
from tests.each import each

SIZES = [(1, 0, 2, 1), (3, 0, 1, 1), (3, -1, 2, 2), (3, 1, 3, 1), (2, -3, -1, 1), (3, 2, 3, 3)]


def by_change(records, values, group):
    """Yield the totals of tables between which at most `group` records differ."""
    for kept in combinations_with_replacement(values, records - group):
        for before, after in product(product(values, repeat=group), repeat=2):
            yield sum(kept) + sum(before), sum(kept) + sum(after)


def by_adding(records, values, group):
    """Yield the totals of tables of which one has up to `group` records more."""
    for number in range(records + 1):
        for more in range(min(group, records - number) + 1):
            for kept in combinations_with_replacement(values, number):
                for added in combinations_with_replacement(values, more):
                    yield sum(kept), sum(kept) + sum(added)


@each(("adjacency", "tables"), [("change", by_change), ("add-remove", by_adding)])
@each(("records", "smallest", "largest", "group"), SIZES)
def test_whatever_one_person_can_do_is_a_pair_of_neighbours(
    records, smallest, largest, group, adjacency, tables
):
    query = om.total(records, smallest, largest, records_per_person=group, adjacency=adjacency)
    totals = [int(truth) for truth in query.truths]
    pairs = {(totals[f], totals[g]) for f, g in query.pairs.tolist()}
    seen = set(tables(records, range(smallest, largest + 1), group))
    seen |= {(after, before) for before, after in seen}
    assert {end for pair in seen for end in pair} <= set(totals)
    assert {min(end for pair in seen for end in pair), max(end for pair in seen for end in pair)} == {
        totals[0],
        totals[-1],
    }
    assert {pair for pair in seen if pair[0] != pair[1]} <= pairs
    assert max(abs(f - g) for f, g in seen) == max(abs(f - g) for f, g in pairs)  # and no further than needed


def test_a_total_is_the_mean_times_the_number_of_records():
    total = om.design(om.question(om.total(4, 1, 3), 1))
    mean = om.design(om.question(om.mean(4, 3, smallest=1), 1))
    assert total.objective == pytest.approx(4 * mean.objective)


def test_words_say_what_a_person_may_do():
    changed, added = om.total(3, 0, 4), om.total(3, -1, 4, adjacency="add-remove", records_per_person=2)
    assert (changed.title, added.title) == (
        "total of 3 records 0..4",
        "total of up to 3 records -1..4, 2 records a person",
    )
    words = om.words_of(om.question(changed, 1))
    assert "That there are 3 records is public" in words.protected
    assert "may be added or removed" in om.words_of(om.question(added, 1)).protected


@each(
    ("given", "sentence"),
    [
        ({"records": 0}, "`records` of kind total must be a whole number of at least 1; got 0."),
        ({"records": 2.5}, "`records` must be a whole number"),
        ({"largest": 0}, "the range must hold at least two values of a record"),
        ({"records_per_person": 9}, "`records_per_person` must be at most 3, as there are records; got 9"),
        ({"adjacency": "swap"}, "`adjacency` must be one of change, add-remove; got 'swap'."),
        ({"adjacency": ["change"]}, "`adjacency` must be one of change, add-remove"),
        ({"records": 10**9}, "a query must have at most 200,000 answers"),
    ],
)
def test_what_is_no_total_is_refused(given, sentence):
    with pytest.raises(om.ProblemError, match=re.escape(sentence)):
        om.total(**{"records": 3, "smallest": 0, "largest": 4} | given)


def test_answers_that_are_not_these_totals_are_no_total():
    with pytest.raises(om.ProblemError, match="its true answers are not 0, …, 6"):
        om.Query(range(6), neighbours=2, kind=RecordTotal(3, 0, 2))
    with pytest.raises(om.ProblemError, match="its neighbours are not all true answers at most 2 apart"):
        om.Query(range(7), neighbours=1, kind=RecordTotal(3, 0, 2))
