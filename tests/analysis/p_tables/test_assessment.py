"""Perturbation tables are judged exactly, for all counts, and beside the best of their kind."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import optmech as om
from optmech.analysis import PTable, assess_p_table
from tests.each import each
from tests.p_tables import HALF, SMALL, ptable_text, rounding_to_five


@some.composite
def tables(draw):
    """Return any small table, larger counts in turns of one or two."""
    columns = []
    for count in range(draw(some.integers(1, 4))):
        weights = draw(some.dictionaries(some.integers(-min(count, 2), 2), some.integers(1, 4), min_size=1))
        total = sum(weights.values())
        columns.append({value: Fraction(weight, total) for value, weight in weights.items()})
    return PTable(columns, turn=draw(some.integers(1, min(2, len(columns)))))


def by_definition(table, factor, largest):
    """Return delta at e^epsilon = `factor` for all counts up to the largest, by its definition."""
    deltas = [Fraction(0)]
    for count in range(largest):
        columns = table.published(count), table.published(count + 1)
        for first, second in (columns, columns[::-1]):
            excess = (first[result] - factor * second.get(result, 0) for result in first)
            deltas.append(sum((max(part, Fraction(0)) for part in excess), Fraction(0)))
    return max(deltas)


@given(tables(), some.fractions(1, 8, max_denominator=16))
def test_delta_of_all_counts_is_that_of_its_definition(table, factor):
    curve = assess_p_table(table, [], least=False).profile
    assert curve.hockey_stick(factor) == by_definition(table, factor, largest=20)


@given(tables())
def test_what_gives_most_away_has_the_delta_of_epsilon_1(table):
    facts = assess_p_table(table, [1], least=False)
    proof, (row,) = facts.evidence, facts.deltas
    gain = float(proof.probability) - math.e * float(proof.of_neighbour)
    assert gain == pytest.approx(float(row.upper), abs=1e-12)
    assert row.lower <= row.upper <= row.lower + Fraction(1, 10**15)
    assert facts.certain.probability == facts.profile.infinite
    assert facts.certain.of_neighbour == 0


@given(tables())
def test_counts_that_are_never_published_are_found_among_all(table):
    possible = {result for count in range(60) for result in table.published(count)}
    assert set(table.never_published()) == set(range(table.last + 1)) - possible


def test_facts_of_counts_are_exact():
    facts = assess_p_table(PTable(SMALL), [], least=False)
    assert facts.counts[2]._asdict() == {
        "truth": 2, "bias": 0, "variance": HALF, "mean_square": HALF, "largest": 1, "unchanged": HALF,
    }  # fmt: skip
    assert facts.zero_stays
    assert facts.epsilon == math.inf
    assert facts.profile.infinite == HALF
    assert facts.certain.meaning == "a person alone in a cell is revealed with probability 0.5"


def test_rounding_to_five_hides_nothing_at_any_epsilon():
    facts = assess_p_table(PTable(rounding_to_five(), turn=250), ["0.5", 3])
    assert [row.upper for row in facts.deltas] == [row.lower for row in facts.deltas] == [1, 1]
    assert facts.evidence[:3] == (9, 10, (0,))
    assert facts.constraints == "larger counts use 250 counts in turn"
    assert facts.deltas[0].least is None


def test_larger_counts_in_turn_are_looked_at_where_the_turn_begins_again():
    turned = PTable([{0: 1}, {0: 1}, {0: HALF, 1: HALF}, {0: 1}], turn=2)
    assert turned.published(4) == {4: HALF, 5: HALF}
    facts = assess_p_table(turned, [0], least=False)
    assert facts.deltas[0].upper == by_definition(turned, Fraction(1), 30)


def test_the_least_delta_of_tables_alike_is_proved_and_not_above_that_of_the_table():
    facts = assess_p_table(PTable(SMALL))
    for row in facts.deltas:
        assert row.least.bound <= row.least.objective <= row.upper + Fraction(1, 10**9)
        assert row.least.bound >= HALF - Fraction(1, 10**9)
    assert facts.constraints.theorem == HALF
    assert facts.constraints.to_dict() == {
        "within": 1, "variance": "1", "without": [], "zero_stays_zero": True, "unbiased": True,
        "same_noise_from": 2,
    }  # fmt: skip


@pytest.mark.slow
@settings(max_examples=25)
@given(tables().filter(lambda table: table.same_from is not None and table.reach))
def test_no_table_has_less_than_the_least_delta_of_its_kind(table):
    (row,) = assess_p_table(table, [1]).deltas
    assert row.least.bound <= row.upper
    assert row.least.objective <= row.upper + Fraction(1, 10**8)


@each("digits", [8, 9])
def test_a_designed_table_is_read_back_as_the_best_of_its_kind(tmp_path, digits):
    problem = om.p_table(3, 1, variance=2, without=[1], zero_stays_zero=True, unbiased=True)
    design = om.design(problem)
    matrix, path = design.mechanism.matrix, tmp_path / "table.csv"
    columns = [
        {row - count: value for row, value in enumerate(matrix[:, count]) if value > 1e-7}
        for count in range(problem.query.num_truths - 1)
    ]
    path.write_text(ptable_text(columns, digits=digits))
    facts = assess_p_table(om.read_p_table(path), [1])
    assert facts.constraints.without == (1,)
    assert facts.constraints.unbiased
    assert facts.constraints.variance == 2
    assert float(facts.deltas[0].upper) == pytest.approx(design.objective, abs=1e-6)
    assert float(facts.deltas[0].least.objective) == pytest.approx(design.objective, abs=1e-6)
    assert "digits cut, columns normalised" in str(facts)


def test_the_text_is_short_and_json_is_exact():
    for table in (PTable(SMALL), PTable(rounding_to_five(), turn=250)):
        lines = str(assess_p_table(table)).splitlines()
        assert len(lines) <= 16
        assert max(map(len, lines)) <= 80
    content = assess_p_table(PTable(SMALL), [1]).to_dict()
    assert content["trade_off"]["infinite"] == "0.5"
    assert content["exact_epsilon"] is None
    row = content["deltas"][0]
    assert row["delta_at_least"] == row["delta_at_most"] == 0.5
    assert row["least_delta_at_least"] <= 0.5 <= row["least_delta"] <= 0.5 + 1e-9


@each(
    ("table", "reason"),
    [
        (PTable([{0: 1}]), "nothing is changed"),
        (PTable([{0: 1}] * 199 + [{-60: 1}]), "the noise changes beyond count 100, or reaches beyond 50"),
    ],
)
def test_tables_that_are_not_compared_say_why(table, reason):
    facts = assess_p_table(table)
    assert facts.constraints == reason
    assert f"not compared: {reason}" in " ".join(str(facts).split())


@each(
    ("table", "epsilons", "sentence"),
    [
        ("table.csv", [1], "`table` must be a PTable"),
        (PTable(SMALL), [-1], "`epsilon` must be zero or more"),
        (PTable(SMALL), 1, "`epsilons` must be a list of numbers"),
    ],
)
def test_wrong_arguments_are_refused(table, epsilons, sentence):
    with pytest.raises(om.ProblemError) as error:
        assess_p_table(table, epsilons)
    assert sentence in str(error.value)
