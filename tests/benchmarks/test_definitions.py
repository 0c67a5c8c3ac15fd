"""The worth of a delta: the committed table comes out again, and keeps its order."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import optmech as om
from benchmarks.quality import definitions
from benchmarks.quality.definitions import counts, modular_noise, modular_settings, symmetric_noise

ROOT = Path(__file__).parents[2]
COMMITTED = (ROOT / "benchmarks" / "tables" / "definitions.md").read_text(encoding="utf-8").splitlines()
ROWS = [[cell.strip() for cell in line.split("|")[1:-1]] for line in COMMITTED if line.startswith("|")]
MODULAR = [row for row in ROWS if len(row) == 8 and row[3] in ("error-rate", "squared", "circular")]
COUNTS = [row for row in ROWS if row[0].startswith("0..")]
KADAM = json.loads((ROOT / "tests" / "reference" / "kadam.json").read_text())
# The table has six digits, the reference values are good to more.
PRINTED = 1e-5


READ = (ROOT / "docs" / "approximate.md").read_text(encoding="utf-8")
SYMMETRIC = [row for row in ROWS if len(row) == 9 and row[0].startswith("Fig.")]


@pytest.mark.parametrize("build", [modular_noise, counts, symmetric_noise])
def test_the_smallest_table_keeps_its_rules_and_its_rows(build):
    table = build(smoke=True)
    assert table.broken == []
    for row in table.table.rows:
        assert list(row) in ROWS


def test_a_true_delta_never_costs_more_than_a_probabilistic_one():
    assert len(MODULAR) == len(list(modular_settings())) == 110
    for _, _, delta, _, pure, probabilistic, true, gain in MODULAR:
        assert float(true) <= float(probabilistic) <= float(pure)
        assert float(gain) == pytest.approx(100 * (1 - float(true) / float(probabilistic)), abs=0.006)
        assert float(true) <= (1 - float(delta)) * float(pure) * (1 + PRINTED), "the mixture is allowed"


def test_error_rates_are_those_computed_apart_from_this_project():
    known = {(row["eps"], row["delta"], row["case"]): row for row in KADAM["pdp_vs_dp_table"]}
    kinds = {
        "one distance: modulo 10, 3, one-sided": "SD n=9 mu=3",
        "one distance, both ways: modulo 10, 3": "SDsym n=9",
        "up to a largest: modulo 9, 1,2,3, one-sided": "BD n=8 mu=3",
        "up to a largest, both ways: modulo 9, 1,2": "BDsym n=8 mu=2",
        "Fig. 14: modulo 11, 1,2,3,4, one-sided": "ARB n=10 {1,2,3,4}",
    }
    result = 0
    for name, epsilon, delta, _, pure, probabilistic, true, _ in MODULAR:
        if name in kinds:
            row = known[float(epsilon), float(delta), kinds[name]]
            result += 1
            for printed, key in ((pure, "err_pure"), (probabilistic, "err_PDP"), (true, "err_DP")):
                assert float(printed) == pytest.approx(row[key], rel=PRINTED)
    assert result == len(known) == 75


def test_a_larger_delta_gains_a_count_more_and_a_small_one_next_to_nothing():
    assert len(COUNTS) == 16
    for _, _, _, *gains in COUNTS:
        assert 0 < float(gains[0]) < float(gains[1]) < float(gains[2])
        assert float(gains[0]) < 0.004


def test_what_the_documentation_reads_off_stands_in_the_table():
    lines = [line.strip("| ").split(" | ") for line in READ.splitlines() if line.startswith("|")]
    rows = [line for line in lines if len(line) == 4 and line[0] in ("0.1", "0.5", "1", "2")]
    for epsilon, *gains in rows:
        (row,) = (row for row in COUNTS if row[:2] == ["0..50", epsilon])
        assert [float(gain) for gain in gains] == pytest.approx([float(gain) for gain in row[3:]], abs=0.005)
    figures = [line for line in lines if line[0].startswith("Fig.")]
    for setting, *numbers in figures:
        figure, epsilon, accuracy, width = (part.rpartition(" ")[2] for part in setting.split(", "))
        (row,) = (
            row
            for row in SYMMETRIC
            if [row[0][:6], float(row[1]), float(row[2]), row[3]]
            == [f"Fig. {figure}", float(epsilon), float(accuracy), width]
        )
        printed = [float(number) for number in (*row[5:8], row[8])]
        assert [float(number) for number in numbers] == pytest.approx(printed, rel=0.01)
    gains = [float(row[7]) for row in MODULAR]
    assert (len(rows), len(figures), round(max(gains)), round(sum(gains) / len(gains))) == (4, 5, 38, 10)


def test_a_broken_order_is_told(monkeypatch):
    """With the two definitions taken for each other the gain is negative."""
    kadam, question = om.kadam, om.question
    monkeypatch.setattr(
        definitions.om,
        "kadam",
        lambda query, epsilon, delta, cost: question(
            query, epsilon, delta=delta, structure=definitions.MODULAR, loss=cost
        ),
    )
    monkeypatch.setattr(
        definitions.om,
        "question",
        lambda query, epsilon, *, delta, loss, **_: kadam(query, epsilon, delta, loss),
    )
    (line,) = modular_noise(smoke=True).broken
    assert "must cost no more than probabilistic privacy" in line
