"""Noise by cell keys: the same cell has it in every table, and one table is as private as by draws."""

from __future__ import annotations

import csv
import json
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import optmech as om
from optmech.analysis import p_table_of, with_keys
from optmech.cli import main
from optmech.release.tables.keyed import LINKED
from tests.each import each

KEYS = 16
RECORDS = [
    ("a", "N", "f", 3),
    ("b", "N", "f", 15),
    ("c", "N", "m", 7),
    ("d", "S", "f", 0),
    ("e", "S", "f", 9),
]
DISTRICTS, CELLS = ["N", "S", "W"], [(place, sex) for place in "NSW" for sex in "fm"]


@cache
def designed(*, zero_stays=True):
    question = om.p_table(3, 1, variance=3, zero_stays_zero=zero_stays)
    return with_keys(om.design(question), KEYS).certificate


def counted(folder, records=RECORDS, *, groups=CELLS, name="counts.csv", keys=KEYS, at_most=1):
    """Write the counts of records with their cell keys."""
    table = pa.table(
        dict(zip(("who", "place", "sex", "key"), map(list, zip(*records, strict=True)), strict=True))
    )
    columns = ["place", "sex"][: 1 if groups is DISTRICTS else 2]
    return om.tabulate(
        table, person="who", group=columns, groups=groups, at_most=at_most, at_most_per_group=1,
        out=folder / name, record_key="key", keys=keys,
    )  # fmt: skip


def released(folder, name="counts.csv", out="out.csv", **options):
    options = {"column": "count", "cell_key": "cell_key", "data": "census", **options}
    return om.release_table(designed(), folder / name, folder / out, **options)


def rows_of(path):
    if path.suffix == ".parquet":
        return [tuple(row.values()) for row in pq.read_table(path).to_pylist()]
    return [tuple(row) for row in csv.reader(path.read_text().splitlines())][1:]


def noise_at(count, key):
    """Return the noise of a key by its definition: the least response whose cumulative share is beyond it."""
    total = Fraction(0)
    for value, share in p_table_of(designed()).noise_of(count):
        total += share * KEYS
        if total > key:
            return value
    raise AssertionError


@each(("before", "after"), list(product(("csv", "parquet"), ("csv", "csv.gz", "parquet"))), every=6)
def test_each_cell_has_the_noise_of_its_key_and_no_key_is_released(tmp_path, before, after):
    table = counted(tmp_path, name=f"counts.{before}").table.to_pylist()
    assert [row["cell_key"] for row in table[:3]] == [(3 + 15) % KEYS, 7, 9]
    out = tmp_path / f"out.{after}"
    released(tmp_path, f"counts.{before}", out.name, again=True)
    if after == "csv.gz":
        assert b"cell_key" not in out.read_bytes()
        return
    found = {row[:2]: int(row[2]) for row in rows_of(out)}
    assert found == {
        (row["place"], row["sex"]): row["count"] + noise_at(row["count"], row["cell_key"]) for row in table
    }
    assert set(map(len, rows_of(out))) == {3}


def test_the_same_cells_are_the_same_in_another_table_and_spend_once(tmp_path):
    counted(tmp_path)
    counted(tmp_path, groups=CELLS[::-1], name="other.parquet")  # in another order
    released(tmp_path)
    released(tmp_path, out="again.parquet", interval="0.9")
    (account,) = om.ledger(tmp_path, certificates=[designed()])
    assert len(account.draws) == 1
    assert account.epsilon <= 1
    assert account.provenance == "proved"
    released(tmp_path, "other.parquet", "other.csv")
    assert sorted(rows_of(tmp_path / "out.csv")) == sorted(rows_of(tmp_path / "other.csv"))


def test_what_two_tables_by_the_same_keys_spend_is_unknown_unless_of_disjoint_parts(tmp_path):
    counted(tmp_path)
    counted(tmp_path, groups=DISTRICTS, name="places.csv")
    released(tmp_path)
    with pytest.raises(om.ProblemError, match="cannot be held: several tables were drawn by the same record"):
        released(tmp_path, "places.csv", "places-out.csv", budget=5)
    released(tmp_path, "places.csv", "places-out.csv")
    (account,) = om.ledger(tmp_path)
    assert account.unknown == (LINKED,)
    assert account.epsilon == float("inf")
    for name in ("out", "places-out"):
        log = tmp_path / f"{name}.release.json"
        content = json.loads(log.read_text())
        log.write_text(json.dumps({**content, "part": name}))
    (account,) = om.ledger(tmp_path, certificates=[designed()])
    assert not account.unknown
    assert account.epsilon <= 1


def test_a_table_by_uniform_keys_has_the_distribution_of_fresh_draws():
    """Cells of one and of two records, by all their keys: each noise is its column, whatever the other is."""
    table, noise = (
        p_table_of(designed()),
        {count: [noise_at(count, key) for key in range(KEYS)] for count in (1, 2)},
    )
    seen = Counter(
        (noise[1][first], noise[2][(second + third) % KEYS])
        for first, second, third in product(range(KEYS), repeat=3)
    )
    pairs = product(table.noise_of(1), table.noise_of(2))
    assert seen == {(one, two): p * q * KEYS**3 for (one, p), (two, q) in pairs}


def test_two_tables_by_the_same_keys_reveal_one_person_more_surely_than_any_sum_says(tmp_path):
    """Without the person two cells are the same cell; with that person most keys give other numbers."""
    table, last = p_table_of(designed()), p_table_of(designed()).last
    noise = [noise_at(last, key) for key in range(KEYS)]  # that of all larger counts
    differ = sum(noise[key] != 1 + noise[(key + own) % KEYS] for key, own in product(range(KEYS), repeat=2))
    shares = table.published(last), table.published(last + 1)
    same = sum(share * shares[1].get(result, 0) for result, share in shares[0].items())
    assert Fraction(differ, KEYS**2) == 1 - same
    assert 1 - same > 2 * designed().objective
    counted(tmp_path, [(str(number), "N", "f", 1) for number in range(last)])
    counted(tmp_path, [(str(number), "N", "f", 1) for number in range(last)], groups=DISTRICTS, name="p.csv")
    released(tmp_path)
    released(tmp_path, "p.csv", "p-out.csv")
    assert rows_of(tmp_path / "out.csv")[0][-1] == rows_of(tmp_path / "p-out.csv")[0][-1]


def test_a_log_tells_of_keys_but_holds_none(tmp_path):
    counted(tmp_path)
    log = released(tmp_path).log
    assert set(log["cell_keys"]) == {"keys", "table", "cells", "needs"}
    assert log["randomness"] == "the secret record keys of the data"
    assert "each row has a key of its own" in log["drawing_again"]
    (tmp_path / "out.release.json").write_text(json.dumps({**log, "cell_keys": {}}))
    (account,) = om.ledger(tmp_path / "out.release.json")
    assert "must be a release log as it was written" in account.broken[0]


@each(
    ("options", "sentence"),
    [
        ({"cell_key": None}, "`cell_key` must be given, as --cell-key cell_key"),
        ({"cell_key": "count"}, "`cell_key` must be cell_key"),
        ({"data": None}, "`data` must be named with `cell_key`"),
        ({"seed": 1}, "`seed` must be left out with `cell_key`"),
        ({"constant_time": True}, "`constant_time` must be left out"),
    ],
    every=3,
)
@pytest.mark.filterwarnings("ignore:these draws are NOT private")
def test_what_keys_do_not_go_with_is_refused(tmp_path, options, sentence):
    counted(tmp_path)
    with pytest.raises(om.ProblemError) as error:
        released(tmp_path, **options)
    assert sentence in str(error.value)
    assert not (tmp_path / "out.csv").exists()


def test_a_table_without_keys_is_refused(tmp_path):
    counted(tmp_path)
    beside = tmp_path / "counts.csv.json"
    content = json.loads(beside.read_text())
    del content["table"]["keys"]
    beside.write_text(json.dumps(content))
    with pytest.raises(om.ProblemError, match="the file beside the table says that it has no keys"):
        released(tmp_path)


def test_a_table_that_is_missing_is_said_to_be(tmp_path):
    with pytest.raises(om.FileFormatError, match=r"counts\.csv` must be a file that can be read"):
        released(tmp_path)


@each(
    ("certificate", "keys", "sentence"),
    [
        (lambda: designed(zero_stays=False), KEYS, "a table that leaves 0 as it is"),
        (designed, 6, "multiples of one over the number of keys, 6"),
        (lambda: om.design(om.croft(om.count(5), 1)), KEYS, "a certified perturbation table"),
        (lambda: om.design(om.question(om.count(3000), 1)), KEYS, "a certified perturbation table"),
    ],
    every=4,
)
def test_a_mechanism_that_keys_cannot_pick_is_refused(tmp_path, certificate, keys, sentence):
    counted(tmp_path, [(*record[:3], record[3] % 6) for record in RECORDS], keys=keys)
    with pytest.raises(om.NotAcceptedError) as error:
        om.release_table(
            certificate(), tmp_path / "counts.csv", tmp_path / "out.csv", column="count", cell_key="cell_key",
            data="census",
        )  # fmt: skip
    assert sentence in str(error.value)
    assert not (tmp_path / "out.csv").exists()


def test_a_bound_whose_keys_were_changed_releases_none(tmp_path):
    counted(tmp_path)
    path = tmp_path / "counts.csv.json"
    content = json.loads(path.read_text())
    halves = om.design(om.p_table(1, 1, variance=1, zero_stays_zero=True, unbiased=True))
    table = with_keys(halves, 8).certificate
    for keys, sentence in (("16", "it was changed"), (0, "it was changed"), (8, "cell keys among 0..7")):
        path.write_text(json.dumps({**content, "table": {**content["table"], "keys": keys}}))
        with pytest.raises((om.ProblemError, om.FileFormatError), match=sentence):
            om.release_table(
                table,
                tmp_path / "counts.csv",
                tmp_path / "out.csv",
                column="count",
                cell_key="cell_key",
                data="x",
            )
    del content["table"]["keys"]
    path.write_text(json.dumps(content))
    with pytest.raises(om.ProblemError, match="column cell_key must not be released"):
        om.release_table(designed(), tmp_path / "counts.csv", tmp_path / "out.csv", column="count")
    assert not (tmp_path / "out.csv").exists()


def test_a_keyed_table_that_others_made_is_released_and_a_person_spends_an_unknown_amount(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    question = "--within 5 --variance 3 --zero-stays-zero --unbiased --epsilon 1 --keys 256"
    assert main(f"design p-table {question} --out p.csv -q".split()) == 0
    (tmp_path / "ck.csv").write_text("town,count,cell_key\nA,1,3\nB,0,0\nC,5,15\n")
    command = "apply p.certificate.json ck.csv --column count --cell-key cell_key"
    assert main(f"{command} --out o.csv".split()) == 0
    shown = capsys.readouterr()
    assert "what one person spends is unknown" in shown.out
    assert "a person spends is unknown" in shown.err
    assert (tmp_path / "o.csv").read_text().splitlines()[::2] == ["town,count", "B,0"]
    assert main(f"{command} --out again.csv".split()) == 0
    assert (tmp_path / "o.csv").read_bytes() == (tmp_path / "again.csv").read_bytes()
    (tmp_path / "ck.csv").write_text("town,count,cell_key\nA,1,300\n")
    assert main(f"{command} --out far.csv".split()) == 2
    assert "300" not in capsys.readouterr().err.replace("cell keys among 0..255", "")
