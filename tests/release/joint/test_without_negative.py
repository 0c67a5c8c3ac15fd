"""The nearest table without negative numbers: its distance by brute force, its total, and its file."""

from __future__ import annotations

import csv
import functools
import json
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.optimize import nnls

import optmech as om
from optmech.base.errors import NotAcceptedError, ProblemError
from optmech.cli import main
from optmech.designs.tables.design_table import design_table
from optmech.mechanisms.certificates.table_text import table_text
from optmech.question.tables.margins import subsets
from optmech.release.joint.joint_estimate import estimate_sums
from optmech.release.joint.release_joint import release_joint_table
from optmech.release.joint.without_negative import nearest_without_negative
from tests.each import each

AXES = {"region": ["a", "b", "c"], "sex": ["f", "m"]}
FEW_ABOVE = 1.02


def dense(sizes, precision):
    """Return the metric as a matrix, from projections onto interactions."""
    total = 0.0
    for part, weight in precision.items():
        factors = [
            np.eye(n) - 1 / n if axis in part else np.full((n, n), 1 / n) for axis, n in enumerate(sizes)
        ]
        total = total + weight * functools.reduce(np.kron, factors, np.eye(1))
    return total


def variances_of(sizes, rng):
    return {part: Fraction(int(rng.integers(1, 40)), 4) for part in subsets(frozenset(range(len(sizes))))}


def test_no_whole_table_of_its_total_is_much_nearer():
    rng = np.random.default_rng(3)
    for sizes in ((4,), (2, 2), (3, 2)):
        for _ in range(5):
            variances = variances_of(sizes, rng)
            metric = dense(sizes, {part: float(1 / value) for part, value in variances.items()})
            released = rng.integers(-4, 4, sizes)
            near = nearest_without_negative(released, variances)
            total = max(int(released.sum()), 0)
            assert near.min() >= 0
            assert near.sum() == total
            errors = [
                (step @ metric @ step)
                for cells in product(range(total + 1), repeat=released.size)
                if sum(cells) == total
                for step in [np.array(cells) - released.ravel()]
            ]
            step = (near - released).ravel()
            assert step @ metric @ step <= min(errors) + 2 * metric.max()


def test_larger_tables_are_as_near_as_those_of_real_numbers():
    rng = np.random.default_rng(4)
    for sizes in ((40,), (6, 9), (5, 4, 3)):
        every = frozenset(range(len(sizes)))
        variances = {part: Fraction(5 * 2 ** len(part), 1) for part in subsets(every)}
        metric = dense(sizes, {part: float(1 / value) for part, value in variances.items()})
        released = rng.poisson(3, sizes) + rng.normal(0, 5, sizes).round().astype(int)
        root = np.linalg.cholesky(metric).T
        ones = 1e4 * np.ones(released.size)
        real, _ = nnls(np.vstack([root, ones]), np.r_[root @ released.ravel(), 1e4 * max(released.sum(), 0)])
        steps = [
            each - released.ravel() for each in (real, nearest_without_negative(released, variances).ravel())
        ]
        least, own = (step @ metric @ step for step in steps)
        assert own <= least * FEW_ABOVE + 0.1 * released.size


def test_nothing_changes_where_nothing_is_negative():
    variances = variances_of((3, 2), np.random.default_rng(1))
    released = np.array([[1, 0], [7, 2], [0, 0]])
    assert nearest_without_negative(released, variances) is released
    single = {frozenset(): Fraction(2)}
    assert [int(nearest_without_negative(np.array(value), single)) for value in (-4, 3)] == [0, 3]


@functools.cache
def certificate(by, **asked):
    return design_table(om.table(json.loads(by), **asked)).certificate


def release(folder, *, wide=False, errors=False, **asked):
    folder.joinpath("true.csv").write_text("region,sex,count\na,f,30\n")
    folder.joinpath("table.json").write_text(table_text(certificate(json.dumps(AXES), **asked)))
    names = (folder / name for name in ("table.json", "true.csv", "out.csv"))
    return release_joint_table(*names, again=True, no_negative=True, wide=wide, errors=errors)


CASES = [
    *product([{"zcdp": "0.05"}, {"epsilon": 1}, {"epsilon": "0.5", "totals": "region; total"}], [False, True])
]


@each("case", CASES, every=6)
def test_the_second_file_adds_up_and_keeps_the_total(tmp_path, case):
    asked, wide = case
    done = release(tmp_path, wide=wide, **asked)
    texts = []
    for name in ("out.csv", "out.no-negative.csv"):
        with (tmp_path / name).open(newline="") as file:
            texts.append([*csv.reader(file)])
    first, second = texts
    assert [row[:1] for row in first] == [row[:1] for row in second]
    numbers = [
        [int(cell) for row in rows[1:] for cell in row if cell.lstrip("-").isdigit()] for rows in texts
    ]
    assert min(numbers[1]) >= 0
    assert numbers[1][-1] == max(numbers[0][-1], 0)
    assert done.log["no_negative"]["file"] == "out.no-negative.csv"
    assert done.rows == len(numbers[0])
    if not wide and "totals" not in asked:
        keyed = {tuple(row[:2]): int(row[2]) for row in second[1:]}
        assert all(
            keyed[region, "all"] == keyed[region, "f"] + keyed[region, "m"] for region in AXES["region"]
        )


def test_estimates_are_of_the_first_file_alone(tmp_path, capsys):
    release(tmp_path, zcdp="0.1")
    assert estimate_sums(tmp_path / "out.csv")[0].name == "all"
    with pytest.raises(NotAcceptedError, match=r"must be the released table, out\.csv"):
        estimate_sums(tmp_path / "out.no-negative.csv")
    assert main(["estimate", str(tmp_path / "out.no-negative.csv")]) == 2
    assert "small counts are raised and large ones lowered" in " ".join(capsys.readouterr().err.split())


def test_numbers_that_may_be_negative_or_do_not_add_up_are_refused(tmp_path):
    for asked, words in {
        "region; sex": "no published margin has all others",
        "": "must be left out of sums",
    }.items():
        told = {"epsilon": 1, "totals": asked} if asked else {"epsilon": 1, "is_sum": True}
        with pytest.raises(NotAcceptedError, match=words):
            release(tmp_path, **told)
    assert not [*tmp_path.glob("out*")]
    (tmp_path / "out.no-negative.csv").mkdir()
    with pytest.raises((ProblemError, om.FileFormatError)):
        release(tmp_path, zcdp="0.1")
    assert not [*tmp_path.glob("out*.json")]


def test_the_command_says_whose_errors_hold(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    release(tmp_path, epsilon=1)
    words = "apply table.json true.csv --out new.csv --no-negative"
    assert main(words.split()) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "new.no-negative.csv beside it is the nearest table without negative numbers" in told
    assert "Errors, limits and the lower bound are of the released one" in told
