"""Counts of which each person has at most so many: the rule, its independence of others, what is refused."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import sys
from collections import Counter, defaultdict

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import optmech as om
from optmech.cli import main
from tests.each import each
from tests.late import dask, pl
from tests.screen import joined

GROUPS = [(district, age) for district in "xyzw" for age in range(3)]
NAMES = ["district", "age"]


def visits_of(number, people, seed):
    dice = np.random.default_rng(seed)
    weights = dice.exponential(size=people)
    return pd.DataFrame(
        {
            "person": dice.choice(people, number, p=weights / weights.sum()),
            "district": dice.choice(["x", "y", "z"], number),
            "age": dice.integers(0, 3, number),
        }
    )


def by_the_rule(frame, at_most, in_one, key="optmech"):
    """Count by the rule as it is written down, row by row."""
    per_person = defaultdict(list)
    for (person, district, age), number in Counter(frame.itertuples(index=False, name=None)).items():
        place = GROUPS.index((district, age))
        name = json.dumps([str(part) for part in GROUPS[place]])
        texts = [f"{key}/{person}/{name}/{row}".encode() for row in range(number)]
        digests = sorted(hashlib.sha256(text).hexdigest()[:16] for text in texts)
        per_person[person] += [(digest, place) for digest in digests[:in_one]]
    counts = Counter(place for rows in per_person.values() for _, place in sorted(rows)[:at_most])
    return [counts[place] for place in range(len(GROUPS))]


def counts_of(table, **bounds):
    counts = om.tabulate(table, person="person", group=NAMES, groups=GROUPS, **bounds)
    return counts.table["count"].to_pylist()


@pytest.mark.slow
@each(("at_most", "in_one"), [(1, 1), (4, 4), (4, 2), (30, 1), (10_000, 10_000)])
def test_the_rule_is_kept_to_the_row(at_most, in_one):
    frame = visits_of(3000, 300, seed=1)
    expected = by_the_rule(frame, at_most, in_one)
    assert counts_of(frame, at_most=at_most, at_most_per_group=in_one) == expected
    assert counts_of(frame, at_most=at_most, at_most_per_group=in_one, key="k") == by_the_rule(
        frame, at_most, in_one, "k"
    )


@pytest.mark.slow
def test_every_kind_of_table_in_every_order_gives_the_same_counts(tmp_path):
    frame = visits_of(3000, 300, seed=2)
    shuffled = frame.sample(frac=1, random_state=1)
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_csv(tmp_path / "t.csv.gz", index=False)
    pq.write_table(pa.Table.from_pandas(shuffled), tmp_path / "t.parquet", row_group_size=700)
    tables = [
        shuffled,
        pl.from_pandas(frame),
        pa.Table.from_pandas(frame),
        dask.from_pandas(frame, npartitions=5),
        tmp_path / "t.csv",
        str(tmp_path / "t.csv.gz"),
        tmp_path / "t.parquet",
    ]
    expected = counts_of(frame, at_most=3, at_most_per_group=2)
    assert all(counts_of(table, at_most=3, at_most_per_group=2) == expected for table in tables)


@pytest.mark.slow
def test_without_a_person_no_more_changes_than_the_bound_allows_and_nobody_else_is_counted_otherwise():
    frame = visits_of(300, 15, seed=3)
    whole = np.array(counts_of(frame, at_most=5, at_most_per_group=2))
    most = np.zeros(2, int)
    for person in range(15):
        alone = frame[frame.person == person]
        change = whole - counts_of(frame[frame.person != person], at_most=5, at_most_per_group=2)
        assert change.tolist() == by_the_rule(
            alone, 5, 2
        )  # theirs alone: none is negative, none is another's
        most = np.maximum(most, [change.sum(), change.max()])
    assert most.tolist() == [5, 2]


def test_each_row_of_a_person_is_as_likely_to_be_counted():
    """A person has 4 rows in one group and 1 in another; 2 are counted, the one with probability 2/5."""
    people = pa.array(np.repeat(np.arange(4000), 5))
    table = pa.table({"person": people, "g": pa.array(["a", "a", "a", "a", "b"] * 4000)})
    counts = om.tabulate(table, person="person", group="g", groups=["a", "b"], at_most=2)
    assert abs(counts.table["count"][1].as_py() / 4000 - 0.4) < 5 * (0.24 / 4000) ** 0.5


@pytest.mark.parametrize("reach", [1, 2, 3, 5])
def test_the_steps_of_a_person_are_the_most_of_all_ways_to_spread_rows(reach):
    def most(left, cells, in_one):
        if not cells:
            return 0
        ways = range(min(left, in_one) + 1)
        return max(-(-own // reach) + most(left - own, cells - 1, in_one) for own in ways)

    for groups, rows, in_one in itertools.product((1, 2, 3), (1, 2, 3, 5, 6), (1, 2, 3, 5)):
        bound = om.release.PersonBound(
            person="p",
            groups=("g",),
            num_groups=groups,
            at_most=rows,
            at_most_per_group=min(in_one, rows),
            rule="",
        )
        assert bound.steps(reach) == most(rows, groups, in_one)


def spent(matrix, rows, in_one, cells):
    """Return the largest loss of all changes of counts that a person can make, read off a matrix."""
    truths = matrix.shape[1]
    matrix = matrix[(matrix > 0).any(axis=1)]  # a response of no truth says nothing
    loss = [0.0]
    for apart in range(1, in_one + 1):
        pairs = [(low, low + apart) for low in range(truths - apart)]
        ratios = [np.abs(np.log(matrix[:, low] / matrix[:, high])).max() for low, high in pairs]
        loss.append(max([loss[-1], *ratios]))
    best = np.zeros(rows + 1)
    for _ in range(cells):
        best = np.array(
            [
                max(loss[own] + best[left - own] for own in range(min(left, in_one) + 1))
                for left in range(rows + 1)
            ]
        )
    return best[rows]


@pytest.mark.parametrize(
    ("rows", "in_one", "cells", "reach"), [(3, 3, 8, 1), (3, 1, 8, 1), (4, 2, 2, 2), (3, 3, 1, 3)]
)
def test_what_a_person_spends_is_what_the_matrix_spends_and_no_more(rows, in_one, cells, reach):
    bound = om.release.PersonBound(
        person="p", groups=("g",), num_groups=cells, at_most=rows, at_most_per_group=in_one, rule=""
    )
    query = bound.query(12, reach=reach)
    design = om.design(om.croft(query, bound.cell_epsilon("1", reach=reach)))
    assert bound.loss(bound.cell_epsilon("1", reach=reach), reach=reach).epsilon == 1
    assert spent(design.mechanism.matrix, rows, in_one, cells) == pytest.approx(1, abs=1e-6)  # reached, too


def test_delta_of_a_person_is_never_understated():
    """Under (epsilon, delta) counts two apart are (2 epsilon, (1 + e^epsilon) delta) apart."""
    bound = om.release.PersonBound(
        person="p", groups=("g",), num_groups=9, at_most=3, at_most_per_group=2, rule=""
    )
    loss = bound.loss("ln 2", "1e-6")
    assert str(loss.epsilon) == "ln 8"
    assert loss.delta == pytest.approx((1 + 2 + 1) * 1e-6)
    share = bound.cell_delta("0.9", "1e-6")
    assert 0.99999e-6 < bound.loss("0.3", share).delta <= 1e-6


@each(
    ("name", "value"),
    [
        ("table", "\0"),
        ("table", 3),
        ("person", None),
        ("group", []),
        ("group", ["g", "g"]),
        ("groups", None),
        ("groups", [("a", "b")]),
        ("groups", ["a", "a"]),
        ("groups", [None]),
        ("at_most", 1.5),
        ("at_most", 0),
        ("at_most_per_group", 3),
        ("out", 3),
        ("drop_others", "no"),
        ("key", None),
    ],
)
def test_a_wrong_argument_is_a_problem_and_leaves_nothing(tmp_path, monkeypatch, name, value):
    monkeypatch.chdir(tmp_path)
    table = pa.table({"person": ["x"], "g": ["a"]})
    right = {"table": table, "person": "person", "group": "g", "groups": ["a"], "at_most": 2, "out": "c.csv"}
    with pytest.raises((om.ProblemError, om.FileFormatError)):
        om.tabulate(**{**right, name: value})
    assert not list(tmp_path.iterdir())


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    return tmp_path


def write_files(folder):
    visits_of(500, 60, seed=4).to_csv(folder / "visits.csv", index=False)
    pd.DataFrame(GROUPS, columns=NAMES).to_csv(folder / "groups.csv", index=False)


TABULATE = (
    "tabulate visits.csv --person person --group district,age "
    "--groups groups.csv --at-most 3 --out counts.csv"
)
DESIGN = "design count --range 0:80 --epsilon 1 --for counts.csv.json --out m.csv --quiet"
APPLY = "apply m.certificate.json counts.csv --column count --clamp --out released.csv"


def run(capsys, line):
    code = main(line.split())
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.slow
def test_terminal_log_card_and_report_say_what_a_person_spends(files, capsys):
    code, out, err = run(capsys, TABULATE)
    assert (code, out.splitlines()[0]) == (
        0,
        "true counts of 12 groups written to counts.csv, not to be published",
    )
    assert "of 500 rows" in err
    assert main(DESIGN.split()) == 0
    code, out, _ = run(capsys, APPLY)
    first = "one person spends epsilon = 1: at most 3 times epsilon = 1/3, reported by counts.csv.json"
    assert code == 0
    assert joined(out).startswith(first)
    log = json.loads((files / "released.release.json").read_text())
    assert (log["person"]["epsilon"], log["person"]["steps"], log["person"]["column"]) == ("1", 3, "person")
    assert om.read_bound("counts.csv.json").sha256 not in json.dumps(log)  # of true counts
    code, out, _ = run(capsys, "card m.certificate.json --for counts.csv.json --explain")
    assert "| one person in the table | In all cells together epsilon = 1." in out
    assert run(capsys, "report m.certificate.json --for counts.csv.json --no-compare")[0] == 0
    assert "In all cells together epsilon = 1." in (files / "report.html").read_text()


def test_without_a_bound_epsilon_is_for_each_row_and_the_first_line_says_so(files, capsys):
    main(TABULATE.split())
    main(DESIGN.split())
    (files / "counts.csv.json").unlink()
    capsys.readouterr()
    assert run(capsys, APPLY)[1].startswith(
        "epsilon = 1/3 for each row; who can change k rows spends k epsilon\n"
    )


@pytest.mark.slow
@pytest.mark.parametrize("change", ["table", "bound"])
@pytest.mark.parametrize("line", [DESIGN, APPLY])
def test_a_table_that_was_changed_after_its_bound_is_refused(files, capsys, change, line):
    main(TABULATE.split())
    main(DESIGN.split())
    if change == "table":
        with (files / "counts.csv").open("a") as file:
            file.write("w,9,1\n")
    else:
        content = json.loads((files / "counts.csv.json").read_text())
        (files / "counts.csv.json").write_text(json.dumps({**content, "at_most": 0}))
    before = sorted(path.name for path in files.iterdir())
    capsys.readouterr()
    code, out, err = run(capsys, line)
    assert (code, out) == (2, "")
    assert "changed" in err
    assert sorted(path.name for path in files.iterdir()) == before


BAD = {
    "a person column with nulls": ("visits.csv", "person,district,age\n1,x,0\n,x,0\n", "", "none in line 3"),
    "a blank person": ("visits.csv", 'person,district,age\n" ",x,0\n', "", "none in line 2"),
    "a group that is not listed": ("visits.csv", "person,district,age\n1,x,7\n", "", "age = 7 in line 2"),
    "a row without a group": (
        "visits.csv",
        "person,district,age\n1,,0\n",
        "",
        "an answer in each row of column district; got none in line 2",
    ),
    "a missing column": ("visits.csv", "person,district\n1,x\n", "", "one column 'age'"),
    "a missing person": ("visits.csv", "who,district,age\n1,x,0\n", "", "one column 'person'"),
    "a column twice": ("visits.csv", "person,person,district,age\n1,1,x,0\n", "", "one column 'person'"),
    "ragged rows": ("visits.csv", "person,district,age\n1,x\n", "", "3 cells in each row; got 2 in line 2"),
    "an empty file": ("visits.csv", "", "", "a first row with the names"),
    "a group twice": ("groups.csv", "district,age\nx,0\nx,0\n", "", "x, 0 twice"),
    "no groups": ("groups.csv", "district,age\n", "", "at least one group"),
    "a group without a name": ("groups.csv", "district,age\nx,\n", "", "a name in each row of column age"),
    "groups of other columns": ("groups.csv", "district,years\nx,0\n", "", "the columns district, age"),
    "a column of the answers": ("groups.csv", "district,age,count\nx,0,1\n", "", "have no column count"),
    "a bound of 0": ("", "", "--at-most 0", "`at_most` must be at least 1; got 0"),
    "a bound below it": ("", "", "--at-most-per-group 4", "at most `at_most`, 3; got 4"),
    "a negative bound": ("", "", "--at-most-per-group -1", "at least 1; got -1"),
    "a group that is the person": ("", "", "--group person", "other than person"),
    "a group that is the count": ("", "", "--group count", "must have one column 'count'"),
    "no group": ("", "", "--group ,", "at least one column"),
    "another format": ("", "", "--out counts.xlsx", "must end in .csv or .parquet"),
    "its own input": ("", "", "--out groups.csv", "another file than groups.csv"),
    "a folder that is not there": ("", "", "--out no/counts.csv", "must be writable"),
}


@each("case", BAD, every=3)
def test_bad_input_is_a_sentence_and_nothing_is_written(files, capsys, case):
    name, text, options, words = BAD[case]
    write_files(files)  # as they were before the case in front
    if name:
        (files / name).write_text(text)
    before = {path.name: path.read_bytes() for path in files.iterdir()}
    flag = options.split(" ")[0]
    others = re.sub(rf"{flag} \S+", "", TABULATE) if flag else TABULATE  # no option is given twice
    code, out, err = run(capsys, f"{others} {options}")
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
    assert {path.name: path.read_bytes() for path in files.iterdir()} == before


def test_rows_of_other_groups_can_be_left_out(files, capsys):
    (files / "visits.csv").write_text("person,district,age\n1,x,0\n1,x,7\n2,,0\n")
    code, _, err = run(capsys, f"{TABULATE} --drop-others --json")
    assert code == 0
    assert "2 are of groups that are not listed" in err
    assert (files / "counts.csv").read_text().splitlines()[:3] == ["district,age,count", "x,0,1", "x,1,0"]


def test_a_floating_point_person_is_refused_for_it_may_be_another_text():
    table = pa.table({"person": [1.0], "g": ["a"]})
    with pytest.raises(om.ProblemError, match="whole numbers or dates in column person; got double"):
        om.tabulate(table, person="person", group="g", groups=["a"], at_most=1)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            "design mean --records 3 --range 1:5 --epsilon 1 --for counts.csv.json",
            "given with a count",
        ),
        (
            "design count --range 0:9 --exp-epsilon 2 --for counts.csv.json",
            "given with a count",
        ),
        (
            "design count --range 0:9 --epsilon ln2 --for counts.csv.json",
            "must be a number where",
        ),
        (
            "design count --range 0:9 --epsilon 1 --delta 0.1 --definition per-outcome --for counts.csv.json",
            "must be approximate",
        ),
        ("design count --range 0:9 --epsilon 1 --for groups.csv", "the bound of a table"),
        ("design count --range 0:9 --epsilon 1 --for no.json", "that can be read"),
        ("apply m.certificate.json counts.csv --column age --out r.csv", "`column` must be count"),
    ],
)
def test_a_bound_for_another_question_is_refused(capsys, line, words):
    main(TABULATE.split())
    main(DESIGN.split())
    capsys.readouterr()
    code, out, err = run(capsys, line)
    assert (code, out) == (2, "")
    assert words in err


@pytest.mark.parametrize("name", ["person", "g"])
def test_text_of_other_bytes_is_refused_in_whatever_it_stands(tmp_path, name):
    buffers = pa.array(["ab", "cd"]).buffers()
    other = pa.Array.from_buffers(pa.string(), 2, [*buffers[:2], pa.py_buffer(b"\xff\xfecd")])
    table = pa.table({"person": ["x", "y"], "g": ["cd", "cd"]} | {name: other})
    pq.write_table(table, tmp_path / "t.parquet")
    for given, groups in itertools.product(
        (table, tmp_path / "t.parquet"), ({"groups": ["cd"]}, {"groups_from_data": True})
    ):
        with pytest.raises((om.ProblemError, om.FileFormatError), match=f"text of UTF-8 in column {name}"):
            om.tabulate(given, person="person", group="g", at_most=1, **groups)


def test_without_duckdb_the_extra_is_named(files, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    code, _, err = run(capsys, TABULATE)
    assert code == 2
    assert 'pip install "optmech[tabulate]"' in err
    assert not (files / "counts.csv").exists()
