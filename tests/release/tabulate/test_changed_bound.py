"""A bound file that was changed, and numbers of a person that are too long to write down."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

import optmech as om


@pytest.fixture
def counts(tmp_path):
    (tmp_path / "visits.csv").write_text("patient,ward\nx,A\nx,B\ny,B\n")
    options = {
        "person": "patient",
        "group": "ward",
        "groups": ["A", "B"],
        "at_most": 2,
        "at_most_per_group": 1,
    }
    for name in ("counts.csv", "counts.parquet"):
        om.tabulate(tmp_path / "visits.csv", out=tmp_path / name, **options)
    return tmp_path


@pytest.mark.parametrize("name", ["counts.csv", "counts.parquet"])
def test_a_number_of_groups_that_is_not_that_of_the_table_is_refused(counts, name):
    path = counts / f"{name}.json"
    content = json.loads(path.read_text())
    assert om.read_bound(path).steps() == 2
    content["table"]["num_groups"] = 1
    path.write_text(json.dumps(content))
    with pytest.raises(om.FileFormatError, match="the table has 2 groups, not 1"):
        om.read_bound(path)
    content["table"]["file"] = "none.csv"  # so that the table is not beside the bound
    path.write_text(json.dumps(content))
    certificate = om.design(om.croft(om.count(2), 1)).certificate
    with pytest.raises(om.FileFormatError, match="the table has 2 groups, not 1"):
        om.release_table(certificate, counts / name, counts / "out.csv", column="count")


def test_a_field_that_stands_there_twice_is_refused(counts):
    path = counts / "counts.csv.json"
    path.write_text(path.read_text().replace('"at_most": 2', '"at_most": 2, "at_most": 1'))
    with pytest.raises(om.FileFormatError):
        om.read_bound(path)


CHANGED = [
    *(("version", value) for value in (None, True, 1, 2, 3.0, "3", [3], 4)),
    *(("ids_as_written", value) for value in (None, 0, 1, "false", [])),
    *(("marks_as_ids", value) for value in (None, -1, True, 0.0, "0", [])),
]


def test_a_version_or_a_word_on_ids_other_than_written_is_refused(counts):
    path = counts / "counts.csv.json"
    content = json.loads(path.read_text())
    for name, value in CHANGED:
        path.write_text(json.dumps({**content, name: value}))
        with pytest.raises(om.FileFormatError):
            om.read_bound(path)
        path.write_text(json.dumps({key: content[key] for key in content if key != name}))
        with pytest.raises(om.FileFormatError):
            om.read_bound(path)
    path.write_text(json.dumps({**content, "ids_as_written": True, "marks_as_ids": 3}))
    assert (om.read_bound(path).ids_as_written, om.read_bound(path).num_marks_as_ids) == (True, 3)


def test_a_range_of_sums_that_was_changed_is_refused(counts):
    numbers = {"sum_of": "n", "between": (0, 3), "groups": ["A", "B"], "at_most": 2}
    (counts / "n.csv").write_text("patient,ward,n\nx,A,2\n")
    om.tabulate(counts / "n.csv", person="patient", group="ward", out=counts / "t.csv", **numbers)
    content = json.loads((counts / "t.csv.json").read_text())
    assert om.read_bound(counts / "t.csv.json").steps() == 6
    changes = {
        "between": [[0, 2], [0, 9], [3, 0], [0], "0:3", [0, 3.0], [True, 3]],
        "most_groups": [1, 3, "2", 0],
    }
    changes |= {"at_most": [3], "at_most_per_group": [1], "value": [None]}
    for name, value in ((name, value) for name, values in changes.items() for value in values):
        (counts / "t.csv.json").write_text(json.dumps({**content, name: value}))
        with pytest.raises(om.FileFormatError):
            om.read_bound(counts / "t.csv.json")


def bound(most):
    return om.release.PersonBound(
        person="p", groups=("g",), num_groups=None, at_most=most, at_most_per_group=most, rule=""
    )


def test_of_many_rows_delta_is_rounded_up_and_a_long_logarithm_refused():
    loss = bound(60).loss(1, "1e-40")
    assert len(str(loss.delta)) < 200
    exact = Fraction("1e-40") * sum(Fraction("2.718281828459045") ** step for step in range(60))
    assert exact <= loss.delta <= exact * (1 + Fraction(1, 10**9))
    for most in (20_000, 10**9):
        with pytest.raises(om.ProblemError, match="must be a number, no logarithm"):
            bound(most).loss("ln 3")
    with pytest.raises(om.ProblemError, match="Bound the rows in one group"):
        bound(10**8).loss("1e-6", "1e-9")
