"""A whole table is released with its totals: its law, its files, and what is refused before a draw."""

from __future__ import annotations

import csv
import functools
import io
import json
import os
from fractions import Fraction
from itertools import product

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import optmech as om
from optmech.base.errors import FileFormatError, NotAcceptedError, ProblemError
from optmech.designs.tables.design_table import design_table
from optmech.mechanisms.certificates.table_text import table_text
from optmech.release.joint import joint_draws
from optmech.release.joint.release_joint import release_joint_table
from optmech.release.tables.budget import Budget
from optmech.release.tables.log import read_log
from tests.each import each

AXES = {"region": ["a", "b, c", "d"], "sex": ["f", "m"]}
BUDGETS = ({"zcdp": "0.1"}, {"epsilon": 1}, {"epsilon": 1, "delta": "1e-6"})
TOTALS = (None, "total; region*sex", "region; sex", "total")
RIGHT = 'region,sex,count\na,f,30\n"b, c",m,2\nd,f,0\n'


pytestmark = pytest.mark.filterwarnings("ignore:these draws are NOT private")


def certificate(totals=None, by=AXES, **asked):
    return _designed(totals, json.dumps(by), **(asked or {"epsilon": 1}))


@functools.cache
def _designed(totals, by, **asked):
    return design_table(om.table(json.loads(by), totals=totals, **asked)).certificate


def rows_in(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def check_sums(rows, totals):
    """Each total is the sum of the numbers of every larger margin."""
    numbers = {(row["region"], row["sex"]): int(row["count"]) for row in rows}
    cells = {key: value for key, value in numbers.items() if "all" not in key}
    names = {"total": (), "region": (0,), "sex": (1,), "region*sex": (0, 1)}
    asked = [name.strip() for name in totals.split(";")] if totals else list(names)
    wanted = {
        tuple(AXES[axis][place] if index in names[name] else "all" for index, (axis, place) in enumerate(at))
        for name in asked
        for at in product(*([(axis, place) for place in range(len(known))] for axis, known in AXES.items()))
    }
    assert numbers.keys() == wanted
    assert len(rows) == len(wanted)
    for (region, sex), value in numbers.items():
        parts = [
            number for key, number in cells.items() if region in ("all", key[0]) and sex in ("all", key[1])
        ]
        assert not cells or value == sum(parts)


@each("case", [*product(BUDGETS, TOTALS)], every=3)
def test_all_asked_numbers_are_released_whole_and_add_up(tmp_path, case):
    budget, totals = case
    (tmp_path / "true.csv").write_text(RIGHT)
    noise = certificate(totals, **budget)
    done = release_joint_table(noise, tmp_path / "true.csv", tmp_path / "out.csv", errors=True, again=True)
    rows = rows_in(tmp_path / "out.csv")
    check_sums(rows, totals)
    assert done.rows == len(rows)
    assert read_log(done.log_path) == done.log
    for row in rows:
        margin = frozenset(at for at, name in enumerate(AXES) if row[name] != "all")
        assert Fraction(row["standard_error"]) ** 2 >= noise.variances[margin]


@pytest.mark.slow
def test_the_draws_have_the_proved_variance_and_no_bias():
    counts = np.array([[30, 0], [0, 2], [0, 0]])
    for budget in BUDGETS:
        noise = certificate(**budget)
        errors = [
            joint_draws.draw_noise(noise.noise).released(counts, noise.problem.totals) for _ in range(400)
        ]
        for margin, variance in noise.variances.items():
            true = joint_draws.margin_sums(counts, margin)
            found = np.array([each[margin] - true for each in errors])
            deviation = np.sqrt(float(variance) / len(errors))
            assert (np.abs(found.mean(axis=0)) < 5 * deviation).all()
            assert (found.var(axis=0) < 1.5 * float(variance)).all()


def test_forked_processes_draw_other_noise():
    noise = certificate(**BUDGETS[0]).noise
    read, write = os.pipe()
    if not (child := os.fork()):
        os.write(write, joint_draws.draw_noise(noise).numbers[frozenset({0, 1})].tobytes())
        os._exit(0)
    os.waitpid(child, 0)
    own = joint_draws.draw_noise(noise).numbers[frozenset({0, 1})].tobytes()
    assert os.read(read, 1 << 16) != own


def test_files_of_each_kind_hold_the_same(tmp_path):
    noise = certificate()
    table = pa.table({"count": pa.array([30.0, 2.0]), "sex": ["f", "m"], "region": ["a", "b, c"]})
    pq.write_table(table, tmp_path / "true.parquet")
    (tmp_path / "true.csv").write_text(RIGHT)
    found = []
    for source, kind in product(("true.csv", "true.parquet"), (".csv", ".csv.gz", ".parquet")):
        out = tmp_path / f"out{kind}"
        release_joint_table(noise, tmp_path / source, out, seed=1, again=True)
        found.append(pq.read_table(out) if kind == ".parquet" else pa.csv.read_csv(out))
    assert all(each.to_pydict() == found[0].to_pydict() for each in found)


def test_a_crosstab_has_the_numbers_of_the_rows(tmp_path):
    (tmp_path / "true.csv").write_text(RIGHT)
    for totals in TOTALS:
        noise = certificate(totals)
        for name, wide in (("rows", False), ("wide", True)):
            release_joint_table(
                noise, tmp_path / "true.csv", tmp_path / f"{name}.csv", wide=wide, seed=4, again=True
            )
        numbers = {(row["region"], row["sex"]): row["count"] for row in rows_in(tmp_path / "rows.csv")}
        shown = {
            (row["region"], name): number
            for row in rows_in(tmp_path / "wide.csv")
            for name, number in row.items()
            if name != "region" and number
        }
        assert shown == numbers


HEAD = "region,sex,count\n"
WRONG = {
    HEAD + "a,all,3\n": "Leave out rows of totals",
    HEAD + "Total,f,3\n": "Leave out rows of totals",
    HEAD + "a,x,3\n": "categories among f, m in column sex; got 'x' in line 2",
    HEAD + "a,,3\n": "got '' in line 2",
    HEAD + "a,f,3\nd,f,1\na,f,2\n": "each cell once; got a, f again in line 4",
    HEAD + "a,f,-1\n": "whole counts of zero or more in column count; got '-1' in line 2",
    HEAD + "a,f,1.5\n": "got '1.5' in line 2",
    HEAD + "a,f,\n": "got '' in line 2",
    HEAD + "a,f,1e300\n": "got '1e300' in line 2",
    "region,count\na,3\n": "a column for each axis",
    "region,sex,note,count\na,f,x,3\n": "a column for each axis",
}


@each("text", [*WRONG])
@pytest.mark.parametrize("budget", BUDGETS[:2], ids=str)
def test_a_wrong_table_is_refused_before_a_draw_and_leaves_nothing(tmp_path, monkeypatch, text, budget):
    def never(*_):
        raise AssertionError

    monkeypatch.setattr("optmech.release.joint.release_joint.draw_noise", never)
    source = tmp_path / "true.csv"
    source.write_text(text)
    with pytest.raises(FileFormatError, match="must have") as refusal:
        release_joint_table(certificate(**budget), source, tmp_path / "out.csv")
    assert WRONG[text] in str(refusal.value)
    assert [path.name for path in tmp_path.iterdir()] == ["true.csv"]


def tabulated(folder, at_most=1, groups=("x", "y"), **options):
    (folder / "people.csv").write_text("id,group\n1,x\n1,y\n2,x\n")
    om.tabulate(
        folder / "people.csv",
        person="id",
        group="group",
        groups=groups and list(groups),
        groups_from_data=groups is None,
        at_most=at_most,
        out=folder / "cells.csv",
        **options,
    )
    return folder / "cells.csv"


def test_the_bound_beside_the_table_and_the_certificate_must_agree(tmp_path):
    by, out = {"group": 2}, tmp_path / "out.csv"
    for own, protected, fits in ((1, 1, True), (2, 1, False), (1, 2, True), (2, 2, True)):
        source = tabulated(tmp_path, own)
        noise = certificate(by=by, epsilon=1, at_most=protected)
        if fits:
            done = release_joint_table(noise, source, out, again=True)
            assert [row["group"] for row in rows_in(out)] == ["x", "y", "all"]
            assert done.log["person"]["bound"] == "reported by cells.csv.json"
            assert done.log["person"]["epsilon"] == "1"
        else:
            with pytest.raises(NotAcceptedError, match="must protect the change of one person"):
                release_joint_table(noise, source, out, again=True)


def test_categories_are_public_or_nothing_is_released(tmp_path):
    sized, listed = certificate(by={"group": 2}), certificate(by={"group": ["x", "y"]})
    source = tabulated(tmp_path, groups=None)  # groups of the data
    with pytest.raises(NotAcceptedError, match="must list the categories"):
        release_joint_table(sized, source, tmp_path / "out.csv")
    assert release_joint_table(listed, source, tmp_path / "out.csv").rows == 3
    three = tabulated(tmp_path, groups=("x", "y", "z"))
    with pytest.raises(ProblemError, match="must have 2 categories of group"):
        release_joint_table(sized, three, tmp_path / "out2.csv")
    with pytest.raises(ProblemError, match="have no category all"):
        release_joint_table(
            certificate(by={"group": ["x", "all"]}), tabulated(tmp_path), tmp_path / "out2.csv"
        )


def test_sums_may_be_negative_and_a_count_without_ends_is_one_cell(tmp_path):
    (tmp_path / "sums.csv").write_text("sex,total\nf,-30\n")
    noise = certificate(by={"sex": ["f", "m"]}, epsilon=1, at_most=9, is_sum=True)
    assert release_joint_table(noise, tmp_path / "sums.csv", tmp_path / "out.csv").rows == 3
    (tmp_path / "one.csv").write_text("count\n12\n")
    release_joint_table(certificate(by={}), tmp_path / "one.csv", tmp_path / "one-out.csv")
    assert io.StringIO((tmp_path / "one-out.csv").read_text()).readline() == "count\n"


def test_a_certificate_file_is_proved_again_and_named_by_its_hash(tmp_path):
    (tmp_path / "true.csv").write_text(RIGHT)
    noise = certificate(**BUDGETS[0])
    file = tmp_path / "t.json"
    file.write_text(table_text(noise))
    done = release_joint_table(file, tmp_path / "true.csv", tmp_path / "out.csv", budget=Budget(zcdp="0.1"))
    (account,) = om.ledger(done.log_path)
    assert (account.provenance, account.rho) == ("proved", Fraction(1, 10))
    with pytest.raises(ProblemError, match=r"rho = 0\.2 is spent"):
        release_joint_table(file, tmp_path / "true.csv", tmp_path / "out2.csv", budget=Budget(zcdp="0.19"))
    with pytest.raises(ProblemError, match="again"):
        release_joint_table(file, tmp_path / "true.csv", tmp_path / "out.csv")
