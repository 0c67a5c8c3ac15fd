"""Groups that occur: what they may depend on, what may be done with them, and what is refused."""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import optmech as om
from optmech.cli import main
from tests.each import each
from tests.late import dask, pl
from tests.screen import joined, unbroken


def visits_of(number, people, seed):
    """Return visits, some of them to groups that one person alone is in, before all others in the list."""
    dice = np.random.default_rng(seed)
    person = dice.integers(0, people, number)
    name = np.where(dice.random(number) < 0.2, person, 100 + dice.integers(0, 4, number)).astype(str)
    name = np.char.zfill(name, 3)
    return pd.DataFrame({"person": person, "name": name, "year": dice.integers(1, 3, number)})


def counts_of(table, **bounds):
    counts = om.tabulate(table, person="person", group=["name", "year"], groups_from_data=True, **bounds)
    rows = counts.table.to_pylist()
    return {(row["name"], row["year"]): row["count"] for row in rows}, [*counts.table.to_pydict()["name"]]


@pytest.mark.slow
def test_groups_are_those_of_rows_that_count_in_the_order_of_their_names(tmp_path):
    frame = visits_of(600, 60, seed=1)
    frame.to_csv(tmp_path / "t.csv", index=False)
    pq.write_table(pa.Table.from_pandas(frame), tmp_path / "t.parquet", row_group_size=70)
    counts, names = counts_of(frame, at_most=3)
    assert names == sorted(names)
    assert list(counts) == sorted(counts)
    assert min(counts.values()) > 0
    assert sum(counts.values()) == np.minimum(frame.groupby("person").size(), 3).sum()
    for table in (
        frame.sample(frac=1, random_state=2),
        frame.astype({"name": "category"}),
        pl.from_pandas(frame),
        pa.Table.from_pandas(frame),
        dask.from_pandas(frame, npartitions=4),
        tmp_path / "t.csv",
        tmp_path / "t.parquet",
    ):
        assert counts_of(table, at_most=3) == (counts, names)


def test_the_same_rows_are_counted_as_with_a_list():
    """A group that is listed and one that occurs have the same name, and so the same rows of each person."""
    frame = visits_of(400, 30, seed=3)
    counts, _ = counts_of(frame, at_most=4, at_most_per_group=2)
    every = [(f"{name:03}", str(year)) for name in range(104) for year in (2, 1)]
    listed = om.tabulate(
        frame, person="person", group=["name", "year"], groups=every, at_most=4, at_most_per_group=2
    )
    rows = listed.table.to_pylist()
    assert {(row["name"], row["year"]): row["count"] for row in rows if row["count"]} == counts


@pytest.mark.slow
def test_without_a_person_their_rows_alone_are_missing_though_groups_vanish_with_them():
    frame = visits_of(300, 25, seed=4)
    whole, _ = counts_of(frame, at_most=4, at_most_per_group=2)
    vanished = 0
    for person in range(6):
        rest, _ = counts_of(frame[frame.person != person], at_most=4, at_most_per_group=2)
        alone, _ = counts_of(frame[frame.person == person], at_most=4, at_most_per_group=2)
        changed = {name: whole[name] - rest.get(name, 0) for name in whole}
        assert {name: change for name, change in changed.items() if change} == alone
        vanished += len(whole.keys() - rest.keys())
    assert vanished > 2


def test_how_many_groups_occur_has_no_part_in_what_a_person_spends():
    counts = om.tabulate(
        pa.table({"p": ["x"], "g": ["a"]}),
        person="p",
        group="g",
        groups_from_data=True,
        at_most=5,
        at_most_per_group=2,
    )
    assert (counts.table.num_rows, counts.bound.num_groups, counts.bound.is_of_data) == (1, None, True)
    assert counts.bound.steps() == 5


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    visits_of(500, 60, seed=5).to_csv("visits.csv", index=False)
    return tmp_path


TABULATE = "tabulate visits.csv --person person --group name,year --at-most 3 --out counts.csv"
OF_DATA = f"{TABULATE} --groups-from-data"
KEYS = "--delta 1e-4 --property zero-stays-zero"
DESIGN = f"design count --range 0:40 --epsilon 1 {KEYS} --for counts.csv.json --out m.csv --quiet"
APPLY = "apply m.certificate.json counts.csv --column count --clamp --out released.csv"


def run(capsys, line):
    code = main(line.split())
    return code, *capsys.readouterr()


@pytest.mark.slow
def test_from_records_to_a_release_by_the_commands_that_are_printed(files, capsys):
    code, out, _ = run(capsys, OF_DATA)
    assert code == 0
    assert "which groups there are is of the data" in out
    lines = unbroken(out).splitlines()
    design, apply = [line.partition("optmech ")[2] for line in lines if "optmech " in line]
    code, out, _ = run(capsys, design.replace("LARGEST", "40"))
    assert code == 0
    assert joined(out).startswith(
        "one person spends epsilon = 1, delta = 1e-6: 3 times 1/3, which is the epsilon of a cell; its delta"
    )
    code, out, _ = run(capsys, apply)
    assert code == 0
    assert joined(out).startswith(
        "one person spends epsilon = 1, delta = 1e-06: at most 3 times epsilon = 1/3, delta = "
    )
    log = om.read_log("released.release.json")
    assert (log["person"]["epsilon"], log["left_out"]) == ("1", "rows with the answer 0")
    assert 0.999e-6 < float(log["person"]["delta"]) <= 1e-6
    assert "1 + e^epsilon times the delta of a person" in log["unit_of_privacy"]
    text = json.dumps(log)
    assert all(name not in text for name in ("num_groups", om.read_bound("counts.csv.json").sha256))
    true = (files / "counts.csv").read_text().splitlines()
    lines = (files / "released.csv").read_text().splitlines()
    assert len(lines) < len(true)
    assert not any(line.endswith(",0") for line in lines)
    (account,) = om.ledger("released.release.json")
    assert (account.epsilon, account.unit) == (1, "one person, by the bound in the log")
    assert account.delta <= 1e-6
    code, out, _ = run(capsys, "card mechanism.json --for counts.csv.json --explain")
    assert "In all cells together epsilon = 1, delta = 1e-06. One person" in joined(out)
    assert "apply it with --drop-zero" in joined(out)
    assert run(capsys, "report mechanism.json --for counts.csv.json --no-compare")[0] == 0
    assert "apply it with --drop-zero" in (files / "report.html").read_text()
    described = [f'{name} = "x"' for name in ("title", "data", "unit", "controller", "date", "contact")]
    (files / "release.toml").write_text("\n".join(described))
    code, out, _ = run(capsys, "report release.toml released.release.json mechanism.json")
    first = "1 release of x: epsilon = 1 at delta = 1e-06 of one person, by the bound in the log"
    assert code == 0
    assert joined(out).startswith(first)
    page = re.sub("</?span>", "", (files / "report.html").read_text())
    assert "--column count --clamp --drop-zero --out released.csv" in page
    assert "which rows there are is protected as answers are" in page
    assert "of one person, by the bound in the log" in page


def test_json_keeps_the_number_of_groups_among_what_is_confidential(files, capsys):
    content = json.loads(run(capsys, f"{OF_DATA} --json")[1])
    assert (content["groups_from_data"], content["groups"]) == (True, None)
    assert content["confidential"]["groups"] == len((files / "counts.csv").read_text().splitlines()) - 1


@each(
    ("prepare", "line", "words"),
    [
        ((), TABULATE, "by --groups-from-data (`groups_from_data=True`)"),
        ((), TABULATE, "got neither"),
        ((), f"{OF_DATA} --groups visits.csv", "got both"),
        ((), f"{OF_DATA} --drop-others", "`drop_others` must be left out"),
        (
            (OF_DATA,),
            "design count --range 0:40 --epsilon 1 --for counts.csv.json --out m.csv",
            "`--property zero-stays-zero` must be given with a `--delta`",
        ),
        (
            (OF_DATA,),
            DESIGN.replace("--delta 1e-4", "--delta 0"),
            "`delta` must be above 0 with zero-stays-zero",
        ),
        ((OF_DATA, DESIGN), APPLY, "`drop_zero` must be asked for, by --drop-zero"),
        (
            (OF_DATA, "design count --range 0:40 --epsilon 1 --out m.csv --quiet"),
            APPLY,
            "`mechanism` must say zero-stays-zero",
        ),
        (
            (OF_DATA, "design count --range 0:40 --epsilon 1 --out m.csv --quiet"),
            "card m.certificate.json --for counts.csv.json --out card.md",
            "`mechanism` must say zero-stays-zero",
        ),
        (
            (
                OF_DATA,
                f"design count --range 0:40 --epsilon 1 {KEYS.replace('1e-4', '0.3')} --out m.csv --quiet",
            ),
            f"{APPLY} --drop-zero",
            "one person spends less than 1",
        ),
    ],
    every=3,
)
def test_what_would_show_groups_or_protect_nobody_is_refused_and_nothing_is_written(
    files, capsys, prepare, line, words
):
    for command in prepare:
        assert main(command.split()) == 0
    before = {path.name: path.read_bytes() for path in files.iterdir()}
    capsys.readouterr()
    code, out, err = run(capsys, line)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
    assert {path.name: path.read_bytes() for path in files.iterdir()} == before


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("person,name,year\n1,x,1\n1,,1\n", "an answer in each row of column name; got none in line 3"),
        ('person,name,year\n1," ",1\n', "an answer in each row of column name; got none in line 2"),
        ("person,name,year\n", "at least one row"),
        ("person,name\n1,x\n", "one column 'year'"),
        ("person,name,year\n,x,1\n", "a person in each row of column person; got none in line 2"),
    ],
)
def test_rows_without_a_group_and_tables_without_rows_are_refused(files, capsys, text, words):
    (files / "visits.csv").write_text(text)
    code, _, err = run(capsys, OF_DATA)
    assert code == 2
    assert words in err
    assert [path.name for path in files.iterdir()] == ["visits.csv"]
    with pytest.raises(om.OptmechError):
        om.tabulate(
            dask.from_pandas(pd.read_csv("visits.csv"), npartitions=1),
            person="person",
            group=["name", "year"],
            groups_from_data=True,
            at_most=1,
        )


def test_a_mapping_of_groups_is_all_combinations_and_a_set_is_refused():
    rows = {"who": ["a", "b", "c"], "ward": ["N", "E", "N"], "sex": ["f", "m", "m"]}
    common = {"person": "who", "at_most": 1}
    two = om.tabulate(
        pa.table(rows), group=["ward", "sex"], groups={"sex": ["f", "m"], "ward": ["N", "E"]}, **common
    )
    assert two.table["count"].to_pylist() == [1, 1, 0, 1]
    assert two.table["ward"].to_pylist() == ["N", "N", "E", "E"]
    binned = om.tabulate(
        pa.table(rows | {"age": [1, 2, 30]}),
        group="ward",
        groups={"ward": ["N", "E"]},
        bins={"age": "0,18,.."},
        **common,
    )
    assert binned.table["count"].to_pylist() == [1, 1, 1, 0]
    for groups in ({"N", "E"}, frozenset("NE"), "N", {"wards": ["N"]}, {}, {"ward": {"N"}}, {"ward": "NE"}):
        with pytest.raises(om.OptmechError):
            om.tabulate(pa.table(rows), group="ward", groups=groups, drop_others=True, **common)
