"""Sums of a released table: the numbers, their errors and limits by brute force, and changed files."""

from __future__ import annotations

import functools
import json
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import optmech as om
from optmech.base.errors import FileFormatError, NotAcceptedError, ProblemError
from optmech.designs.tables.design_table import design_table
from optmech.mechanisms.certificates.table_text import table_text
from optmech.mechanisms.tables.margin_draws import least_squares
from optmech.mechanisms.tables.table_limits import limit_of
from optmech.mechanisms.tables.table_noise import LatticeNoise
from optmech.mechanisms.tables.table_sums import TableSum
from optmech.release.joint.joint_conditions import marks_of
from optmech.release.joint.joint_draws import draw_noise
from optmech.release.joint.joint_estimate import estimate_sums
from optmech.release.joint.release_joint import release_joint_table
from tests.each import each

AXES = {"region": ["a", "b, c", "d"], "age": ["5", "10", "15", "20"]}
BUDGETS = ({"zcdp": "0.1"}, {"epsilon": 1}, {"epsilon": 4})
TOTALS = (None, "total; region*age", "region; age")


@functools.cache
def certificate(place, totals=None):
    return design_table(om.table(AXES, totals=totals, **BUDGETS[place])).certificate


def dense_variance(noise, t):
    """Return the variance of t'z but for the rounding, by matrices over all cells."""
    sizes = noise.sizes
    means = [np.full((n, n), 1 / n) for n in sizes]

    def part(axes):
        factors = [np.eye(n) - mean if i in axes else mean for i, (n, mean) in enumerate(zip(sizes, means))]  # noqa: B905
        return functools.reduce(np.kron, factors)

    if isinstance(noise, LatticeNoise):
        return sum(float(s) * t @ part(axes) @ t for axes, s in noise.variances.items())
    total = 0.0
    for asked, ratio in noise.ratios.items():
        shape = [sizes[axis] for axis in sorted(asked)]
        for at in np.ndindex(*shape):
            noisy = {
                margin: np.zeros([sizes[a] for a in sorted(margin)], np.int64) for margin in noise.ratios
            }
            noisy[asked][at] = 1
            numerators, denominator = least_squares(noise, noisy)
            weight = (t.reshape(sizes) * numerators).sum() / denominator
            total += weight**2 * float(2 * ratio / (1 - ratio) ** 2)
    return total


@each("place, totals", [*product(range(3), TOTALS)], every=2)
def test_the_variance_of_any_sum_is_that_of_dense_algebra(place, totals):
    noise, dice = certificate(place, totals).noise, np.random.default_rng(3)
    for _ in range(6):
        marks = [dice.random(n) < 0.6 for n in noise.sizes]
        if totals == "region; age":
            marks[dice.integers(2)][:] = True
        if not all(each.any() for each in marks):
            continue
        found = TableSum(noise, marks)
        dense = dense_variance(noise, np.kron(*map(np.float64, marks)))
        assert float(found.variance) - found.squares / 4 == pytest.approx(dense, rel=1e-9)


@each("place, totals", [*product(range(3), TOTALS)])
def test_a_published_number_has_the_proved_error_and_limit_or_less(place, totals):
    proved = certificate(place, totals)
    for margin, variance in proved.variances.items():
        sizes = proved.noise.sizes
        for at in np.ndindex(*(n if axis in margin else 1 for axis, n in enumerate(sizes))):
            marks = [(np.arange(n) == at[i]) | (i not in margin) for i, n in enumerate(sizes)]
            found = TableSum(proved.noise, marks)
            assert found.variance <= variance * (1 + Fraction(1, 10**8))
            assert found.limit(Fraction(1, 20)) <= limit_of(proved, margin)


@pytest.mark.slow
def test_limits_hold_as_often_as_they_say():
    for place, totals in product(range(3), TOTALS[:2]):
        proved, dice = certificate(place, totals), np.random.default_rng(1)
        draws = [
            draw_noise(proved.noise).released(np.zeros((3, 4), np.int64), [frozenset({0, 1})])
            for _ in range(300)
        ]
        for sure in (Fraction(1, 20), Fraction(1, 3)):
            marks = [dice.permutation(np.arange(n) < n - 1) for n in (3, 4)]
            found = TableSum(proved.noise, marks)
            errors = np.array([draw[frozenset({0, 1})][np.ix_(*marks)].sum() for draw in draws])
            limit = found.limit(sure)
            assert (np.abs(errors) <= limit).mean() >= 1 - float(sure)
            assert errors.var() <= 1.5 * float(found.variance)


@pytest.fixture
def released(tmp_path):
    (tmp_path / "true.csv").write_text('region,age,count\na,5,30\na,20,4\n"b, c",10,2\n')
    (tmp_path / "t.json").write_text(table_text(certificate(1)))
    for name, options in (("rows.csv", {"errors": True}), ("wide.csv", {"wide": True})):
        release_joint_table(tmp_path / "t.json", tmp_path / "true.csv", tmp_path / name, **options)
    return tmp_path


def test_sums_are_those_of_the_released_cells(released):
    for name in ("rows.csv", "wide.csv"):
        (total,) = estimate_sums(released / name)
        groups = estimate_sums(released / name, group=["region", "age"])
        assert len(groups) == 12
        assert total.estimate == sum(one.estimate for one in groups)
        (some,) = estimate_sums(released / name, sums=['region="b, c", age>=10'])
        assert some.estimate == sum(one.estimate for one in groups[5:8])
        assert some.low == max(0, some.low) <= max(0, some.estimate) <= some.high
        older = estimate_sums(released / name, sums=["age>5"], group=["age"])
        assert [one.name for one in older] == ["age>5, age=10", "age>5, age=15", "age>5, age=20"]


def test_conditions_mean_what_they_say():
    cases = {
        "": (3, 4), "region=a": (1, 4), "region!=a": (2, 4), 'region="b, c"': (1, 4), "age >= 10 ": (3, 3),
        "age>5,age<20": (3, 2), " region = d , age<=5": (1, 1),
    }  # fmt: skip
    for text, numbers in cases.items():
        assert tuple(int(each.sum()) for each in marks_of(text, AXES).values()) == numbers
    wrong = {
        "place=a": "name axes", "region=x": "name a category", "region>a": "compare numbers",
        "region": "be conditions",
        "age>20": "leave some", "age=5, age=10": "leave some", "=5": "be conditions", "age>=x": "compare",
    }  # fmt: skip
    for text, words in wrong.items():
        with pytest.raises(ProblemError, match=words):
            marks_of(text, AXES)


def test_what_no_published_margin_tells_is_refused(tmp_path):
    (tmp_path / "true.csv").write_text("region,age,count\na,5,30\n")
    (tmp_path / "t.json").write_text(table_text(certificate(1, "region; age")))
    release_joint_table(tmp_path / "t.json", tmp_path / "true.csv", tmp_path / "out.csv")
    assert len(estimate_sums(tmp_path / "out.csv", group=["age"])) == 4
    with pytest.raises(NotAcceptedError, match="published margin"):
        estimate_sums(tmp_path / "out.csv", group=["age", "region"])


def test_one_number_without_ends_is_estimated_as_a_table_of_one_cell(tmp_path):
    noise = design_table(om.table({}, epsilon=1)).certificate
    (tmp_path / "t.json").write_text(table_text(noise))
    (tmp_path / "one.csv").write_text("count\n41\n")
    for name in ("a.csv", "b.parquet"):
        done = release_joint_table(tmp_path / "t.json", tmp_path / "one.csv", tmp_path / name, wide=True)
        (one,) = estimate_sums(tmp_path / name)
        assert (done.rows, one.name, one.variance) == (1, "all", noise.variances[frozenset()])
        assert one.low <= one.estimate <= one.high


def test_changed_files_are_refused(released):
    rows, log = released / "rows.csv", released / "rows.release.json"
    told, text = json.loads(log.read_text()), rows.read_text()
    rows.write_text(text + "a,5,1,1\n")
    with pytest.raises(FileFormatError, match="as it was released"):
        estimate_sums(rows)
    rows.write_text(text)
    log.write_text(json.dumps({**told, "axes": told["axes"][:1]}))
    with pytest.raises(FileFormatError, match="axes of its certificate"):
        estimate_sums(rows)
    other = [{**axis, "categories": [*axis["categories"][1:], "x"]} for axis in told["axes"]]
    for change in ({"axes": other}, {"layout": "a crosstab"}, {"column": "age"}, {"column": "x"}):
        log.write_text(json.dumps({**told, **change}))
        with pytest.raises(FileFormatError, match="must"):
            estimate_sums(rows)
    log.write_text(json.dumps(told))
    (released / "t.json").write_text(table_text(certificate(0)))
    with pytest.raises(FileFormatError, match="it is another"):
        estimate_sums(rows)
    (released / "t.json").unlink()
    with pytest.raises(FileFormatError, match="there is none"):
        estimate_sums(rows)
