"""Mechanisms as CSV: what goes out comes back, and what is no mechanism does not come in."""

from __future__ import annotations

import os
import stat
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import optmech as om
from optmech.base import whole_files as whole

GOOD = "response,0,1\n0,0.75,0.25\n1,0.25,0.75\n"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "mechanism.csv"


def test_a_csv_looks_like_the_papers_tables(path):
    om.MatrixMechanism(
        matrix=[[0.5, 0.1], [0.5, 0.9]], responses=(Fraction(1, 2), 3), truths=(0, Fraction(1, 3))
    ).to_csv(path)
    assert path.read_text() == "response,0,1/3\n0.5,0.5,0.1\n3,0.5,0.9\n"


@settings(max_examples=40)
@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_export_then_import_is_the_identity(tmp_path_factory, num_responses, num_truths, seed):
    random = np.random.default_rng(seed)
    matrix = random.dirichlet(np.full(num_responses, 0.1), size=num_truths).T
    matrix /= matrix.sum(axis=0)
    truths = tuple(sorted({Fraction(int(n), 7) for n in random.integers(-99, 99, size=99)}))[:num_truths]
    before = om.MatrixMechanism(matrix=matrix, responses=tuple(range(num_responses)), truths=truths)
    path = tmp_path_factory.mktemp("csv") / "m.csv"
    before.to_csv(path)
    after = om.MatrixMechanism.from_csv(path)
    assert np.array_equal(after.matrix, before.matrix)
    assert (after.responses, after.truths) == (before.responses, before.truths)


@pytest.mark.parametrize(
    "text", [GOOD, "# a comment\n" + GOOD, "\ufeff" + GOOD, GOOD.replace("\n", "\r\n"), GOOD + "\n\n"]
)
def test_comments_marks_and_line_ends_do_not_matter(path, text):
    path.write_bytes(text.encode())
    assert om.MatrixMechanism.from_csv(path).matrix.tolist() == [[0.75, 0.25], [0.25, 0.75]]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "must have a row of truths and at least one response; got 0 rows"),
        ("response,0\n", "got 1 rows"),
        ("response\n0\n", "must name at least one truth in its first row, cells separated by commas"),
        (GOOD.replace("0.75\n", "0.75,9\n"), "must have 3 cells in each row; got 4 in line 3"),
        (GOOD.replace(",0.25\n", "\n"), "must have 3 cells in each row; got 2 in line 2"),
        (GOOD.replace("0.75,0.25", "-0.75,0.25"), "finite and zero or more; got '-0.75' in line 2"),
        (GOOD.replace("0.75,0.25", "nan,0.25"), "got 'nan' in line 2"),
        (GOOD.replace("0.75,0.25", "x,0.25"), "got 'x' in line 2"),
        (GOOD.replace("0.75,0.25", "0.7,0.25"), "columns that sum to one within 1e-09; got 0.95 for truth 0"),
        (GOOD.replace("response,0", "response,yes"), "must name truths and responses by numbers; got 'yes'"),
        (GOOD.replace("response,0,1", "response,1,0"), "must list its truths in increasing order"),
        (GOOD.replace("\n1,", "\n0,"), "must list its responses in increasing order"),
        ('response,0,1\n0,"0.75,0.25\n', "must be CSV text in UTF-8"),
    ],
)
def test_a_file_that_is_no_mechanism_says_why(path, text, sentence):
    path.write_text(text)
    with pytest.raises(om.FileFormatError) as refusal:
        om.MatrixMechanism.from_csv(path)
    assert sentence in str(refusal.value)
    assert str(path) in str(refusal.value)


def test_bytes_that_are_no_text_are_refused(path):
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(om.FileFormatError, match="CSV text in UTF-8"):
        om.MatrixMechanism.from_csv(path)


def test_a_missing_file_is_refused(path):
    with pytest.raises(om.FileFormatError, match="must be a file that can be read; got no such file"):
        om.MatrixMechanism.from_csv(path)


def test_a_folder_that_does_not_exist_is_refused_and_nothing_is_made(tmp_path):
    target = tmp_path / "missing" / "m.csv"
    with pytest.raises(om.FileFormatError, match="must be writable; got: no such file or directory"):
        whole.write_whole(target, "text")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("place", [".", "/dev/null"])
def test_what_is_no_file_is_never_replaced(place):
    with pytest.raises(om.FileFormatError, match="must be a file to write"):
        whole.write_whole(place, "text")


def test_a_failure_while_writing_leaves_the_old_file_and_no_litter(path, monkeypatch):
    path.write_text("old")

    def fail(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(om.FileFormatError, match="no space left on device"):
        whole.write_whole(path, "new")
    assert path.read_text() == "old"
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_an_existing_file_keeps_its_mode(path):
    path.write_text("old")
    path.chmod(0o640)
    whole.write_whole(path, "new")
    assert stat.S_IMODE(Path(path).stat().st_mode) == 0o640


NAMED = '# labels,red,"dark, blue"\n' + GOOD


def test_labels_stand_in_a_line_above_the_table_and_come_back(path):
    named = om.MatrixMechanism(
        matrix=[[0.75, 0.25], [0.25, 0.75]], responses=(0, 1), truths=(0, 1), labels=("red", "dark, blue")
    )
    named.to_csv(path, comments=["labels,green"])
    assert path.read_text() == "#labels,green\n" + NAMED
    again = om.MatrixMechanism.from_csv(path)
    assert again.labels == named.labels
    assert again.truths == named.truths


def test_a_matrix_without_labels_has_none(path):
    path.write_text("# label,red,blue\n" + GOOD)
    assert om.MatrixMechanism.from_csv(path).labels == ()


@pytest.mark.parametrize("labels", ["red", "red,red", "red,green,blue"])
def test_labels_that_do_not_fit_the_table_are_refused(path, labels):
    path.write_text(f"# labels,{labels}\n{GOOD}")
    with pytest.raises(om.FileFormatError, match="must have different labels, one for each of 2 truths"):
        om.MatrixMechanism.from_csv(path)
