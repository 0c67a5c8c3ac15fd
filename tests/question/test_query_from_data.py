"""Answers and neighbours found by asking tables."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import optmech as om
from optmech.question.query_from_data import distances_from_data
from optmech.question.records import records_of
from tests.each import each

PEOPLE = [{"age": 30, "sick": 1}, {"age": 41, "sick": 0}, {"age": 30, "sick": 0}]


def pairs(query):
    names = query.labels or tuple(map(float, query.truths))
    return {(names[f], names[g]) for f, g in query.pairs.tolist()}


@each("ordered", [True, False])
@each("query", [om.count(3), om.mean(3, 2), om.extremum(0, 2)])
def test_on_a_domain_the_neighbours_are_those_of_the_known_queries(query, ordered):
    answers = {
        om.count(3).name: (sum, range(2)),
        om.mean(3, 2).name: (lambda table: Fraction(sum(table), 3), range(3)),
        om.extremum(0, 2).name: (max, range(3)),
    }
    answer, domain = answers[query.name]
    result = om.Query.on_domain(answer, domain=domain, sizes=3, ordered=ordered)
    assert result.truths == query.truths
    assert result.pairs.tolist() == query.pairs.tolist()


def test_adding_and_removing_needs_tables_of_several_sizes():
    result = om.Query.on_domain(sum, domain=[0, 1, 3], sizes=(1, 2), change="add or remove")
    assert [float(truth) for truth in result.truths] == [0, 1, 2, 3, 4, 6]
    by_hand = {(a + b, a) for a, b in itertools.product([0, 1, 3], repeat=2)}
    assert pairs(result) == {pair for f, g in by_hand if f != g for pair in ((f, g), (g, f))}
    assert om.Query.on_domain(sum, domain=[0, 1, 3], sizes=(1, 2), change="remove").pairs.tolist() == (
        result.pairs.tolist()
    )


@pytest.mark.slow
@given(st.lists(st.integers(0, 2), min_size=1, max_size=3), st.integers(1, 4))
def test_near_the_data_all_pairs_of_near_tables_count_and_no_others(table, steps):
    def answer(records):
        return sum(record**2 for record in records)

    tables = set(itertools.product(range(3), repeat=len(table)))
    near = {t for t in tables if sum(a != b for a, b in zip(t, table, strict=True)) <= steps}
    expected = {
        (float(answer(t)), float(answer(u)))
        for t, u in itertools.product(near, repeat=2)
        if sum(a != b for a, b in zip(t, u, strict=True)) == 1 and answer(t) != answer(u)
    }
    query = om.Query.from_data(table, answer, change="replace", domain=range(3), steps=steps)
    assert {float(truth) for truth in query.truths} == {float(answer(t)) for t in near}
    assert pairs(query) == expected
    assert query.scope == "given table"


def test_enough_steps_reach_the_whole_domain():
    whole = om.Query.on_domain(max, domain=range(4), sizes=3)
    near = om.Query.from_data([2, 0, 2], max, change="replace", domain=range(4), steps=3)
    assert (near.truths, near.pairs.tolist()) == (whole.truths, whole.pairs.tolist())


def test_order_matters_unless_told_otherwise():
    calls = []

    def first(table):
        calls.append(tuple(table))
        return table[0]

    assert pairs(om.Query.on_domain(first, domain=["a", "b"], sizes=3)) == {("a", "b"), ("b", "a")}
    assert sorted(calls) == sorted(itertools.product("ab", repeat=3))
    calls.clear()
    om.Query.on_domain(first, domain=["a", "b"], sizes=3, ordered=False)
    assert sorted(calls) == sorted(itertools.combinations_with_replacement("ab", 3))


def test_answers_that_are_no_numbers_are_labels():
    def commonest(table):
        return max(sorted(set(table)), key=table.count)

    query = om.Query.from_data(["flu", "flu", "cold"], commonest, change="remove")
    assert query.labels == ("cold", "flu")
    assert pairs(query) == {("cold", "flu"), ("flu", "cold")}
    several = om.Query.on_domain(lambda table: (min(table), max(table)), domain=range(2), sizes=2)
    assert several.labels == ("(0, 0)", "(0, 1)", "(1, 1)")


def test_a_change_may_be_any_function():
    def whole_household(table):
        yield [record for record in table if record[0] != 1]

    query = om.Query.from_data(
        [(1, 5), (1, 4), (2, 3)], lambda t: sum(b for _, b in t), change=whole_household
    )
    assert pairs(query) == {(12.0, 3.0), (3.0, 12.0)}


def test_rows_of_a_table_are_records():
    def sick(table):
        return sum(row["sick"] for row in table)

    query = om.Query.from_data(PEOPLE, sick, change="replace", domain=[{"age": 0, "sick": s} for s in (0, 1)])
    assert pairs(query) == {(0.0, 1.0), (1.0, 0.0), (1.0, 2.0), (2.0, 1.0)}
    assert om.Query.from_data(PEOPLE, max, change="remove", column="age").truths == (30, 41)


def test_a_csv_file_is_read_exactly(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("age,city\n30,Bonn\n0.1,\u00d6rebro\n1/3,\n", encoding="utf-8")
    assert records_of(path) == [
        {"age": 30, "city": "Bonn"},
        {"age": Fraction(1, 10), "city": "Örebro"},
        {"age": Fraction(1, 3), "city": ""},
    ]
    assert records_of(str(path), "age") == [30, Fraction(1, 10), Fraction(1, 3)]


def test_data_frames_give_their_rows():
    arrow = pytest.importorskip("pyarrow", reason="reads a PyArrow table")
    assert records_of(arrow.Table.from_pylist(PEOPLE)) == PEOPLE

    class Polars:
        def to_dicts(self):
            return PEOPLE

    class Pandas:
        columns = ("age", "sick")

        def to_dict(self, orient):
            assert orient == "records"
            return PEOPLE

    assert records_of(Polars()) == records_of(Pandas()) == PEOPLE


def test_distances_are_true_answer_less_neighbour():
    def spread(table):
        return max(table) - min(table)

    tables = [[1, 5, 9], [2, 2, 3]]
    by_hand = {spread(t) - spread(t[:i] + t[i + 1 :]) for t in tables for i in range(3)}
    assert distances_from_data(tables, spread, change="remove") == tuple(sorted(by_hand - {0}))
    # Adding undoes removing: the distances are negative.
    assert distances_from_data([[5]], spread, change="add", domain=[1, 7]) == (-4, -2)


def test_a_mechanism_for_a_domain_protects_each_of_its_tables():
    def median(table):
        return sorted(table)[1]

    query = om.Query.on_domain(median, domain=range(4), sizes=3)
    matrix = om.design(om.question(query, "ln 2")).mechanism.matrix
    for table, at, value in itertools.product(itertools.product(range(4), repeat=3), range(3), range(4)):
        other = (*table[:at], value, *table[at + 1 :])
        ours, theirs = (matrix[:, query.truths.index(median(t))] for t in (table, other))
        assert (ours <= 2 * theirs * (1 + 1e-12)).all()


def failing(table):
    return max(table)


@each(
    ("ask", "sentence"),
    [
        (
            lambda: om.Query.from_data([1], failing, change="remove"),
            "`answer` must have a value for every table; on one of 0 records it failed: ValueError",
        ),
        (lambda: om.Query.from_data([1], max, change="replace"), "`domain` must be given to replace records"),
        (lambda: om.Query.from_data([1], max, change="steal"), "`change` must be one of replace, remove"),
        (lambda: om.Query.from_data([1], 5, change="remove"), "`answer` must be a function"),
        (lambda: om.Query.from_data(5, max, change="remove"), "`table` must be a list of records"),
        (lambda: om.Query.from_data([1, 2], max, change="remove", steps=0), "`steps` must be a whole number"),
        (
            lambda: om.Query.from_data(PEOPLE, max, change="remove", column="shoe"),
            "'shoe' is missing in some",
        ),
        (lambda: om.Query.from_data([[1], [2]], len, change="remove"), "records must be numbers, texts"),
        (
            lambda: om.Query.from_data([1, 2], lambda _: float("nan"), change="remove"),
            "`answer` must be a finite",
        ),
        (
            lambda: om.Query.from_data([1, 2], max, change="replace", domain=range(150_000)),
            "at most 200,000 tables can be asked; got",
        ),
        (lambda: om.Query.on_domain(max, domain=[], sizes=2), "`domain` must be given to replace records"),
        (
            lambda: om.Query.on_domain(max, domain=[], sizes=(1, 2), change="remove"),
            "`domain` must hold at least one record",
        ),
        (lambda: om.Query.on_domain(max, domain=[1], sizes=0), "`sizes` must be a number of records"),
        (lambda: om.Query.on_domain(max, domain=[1], sizes=(3, 2)), "`sizes` must be a number of records"),
        (lambda: om.Query.on_domain(max, domain=[1], sizes=2.5), "`sizes` must be a number of records"),
        (
            lambda: om.Query.on_domain(max, domain=[1, 2], sizes=3, change="add"),
            "`sizes` must be a range where records are added or removed; got 3. Give (2, 3)",
        ),
        (
            lambda: om.Query.on_domain(max, domain=range(10), sizes=6),
            "at most 200,000 tables can be asked; got 1,000,000",
        ),
        (
            lambda: distances_from_data([["a", "b"]], min, change="remove"),
            "`answer` must give numbers here",
        ),
    ],
    every=2,
)
def test_what_cannot_be_asked_of_data_says_why(ask, sentence):
    with pytest.raises(om.ProblemError) as refusal:
        ask()
    assert sentence in str(refusal.value)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "must be a file that can be read; got no such file or directory"),
        (b"a,b\n1\n", "must have as many cells in each row as in the first; record 1 has not"),
        (b"a\n1,2\n", "record 1 has not"),
        (b"a\n\xff\n", "must be CSV text in UTF-8"),
        (b'a\n"1"2\n', "must be CSV text in UTF-8"),
    ],
)
def test_a_file_that_is_no_table_says_why(tmp_path, content, sentence):
    path = tmp_path / "people.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(om.FileFormatError) as refusal:
        om.Query.from_data(path, max, change="remove")
    assert sentence in str(refusal.value)
