"""The public call: files, frames and values; clamped numbers, rows left out, mechanisms without a proof."""

from __future__ import annotations

from fractions import Fraction

import pandas as pd
import pyarrow as pa
import pytest

import optmech as om
from optmech.release.estimates.likelihoods import Likelihoods
from optmech.release.estimates.numbers import NumberEstimator
from tests.each import each
from tests.late import pl
from tests.release.estimates.random_mechanisms import draws


@pytest.fixture(scope="module")
def design():
    return om.design(om.question(om.count(6), 1))


def test_files_frames_and_values_give_the_same(design, tmp_path):
    rows = {"place": ["a", "b", "c"], "region": ["n", "n", "s"], "count": [3, 0, 6]}
    table = pa.table(rows)
    pa.parquet.write_table(table, tmp_path / "released.parquet")
    pd.DataFrame(rows).to_csv(tmp_path / "released.csv", index=False)
    found = [
        om.estimate(released, design, column="count", group="region")
        for released in (
            tmp_path / "released.parquet",
            tmp_path / "released.csv",
            table,
            pd.DataFrame(rows),
            pl.DataFrame(rows),
        )
    ]
    values = [[(row.kind, row.group, row.estimate, row.low, row.high) for row in one.rows] for one in found]
    assert all(one == values[0] for one in values)
    cells = om.estimate([3, 0, 6], design).of("cell")
    assert [row.estimate for row in cells] == [row.estimate for row in found[0].of("cell")]
    assert [row.name for row in found[0].of("cell")] == ["a, n", "b, n", "c, s"]


def test_clamped_numbers_have_open_ends_and_a_sentence(design, tmp_path):
    (tmp_path / "true.csv").write_text("place,count\na,9\nb,3\n" + "c,1\n" * 9)
    om.write_certificate(design.certificate, tmp_path / "cells.json")
    path = tmp_path / "noisy.csv"
    om.release_table(tmp_path / "cells.json", tmp_path / "true.csv", path, column="count", clamp=True)
    found = om.estimate(path)
    assert any("nearest end" in note for note in found.remarks)
    assert all(row.low is None or row.low > 0 for row in found.of("cell"))
    assert all(row.high is None or row.high < 6 for row in found.of("cell"))
    path.write_text(path.read_text() + "d,2\n")
    assert any("other bytes" in note for note in om.estimate(path).remarks)


def test_rows_left_out_make_everything_conditional_on_a_shown_row(tmp_path):
    question = om.question(om.count(4), 2, delta="0.2", properties=["zero-stays-zero"])
    design = om.design(question)
    om.write_certificate(design.certificate, tmp_path / "cells.json")
    (tmp_path / "true.csv").write_text("place,count\n" + "".join(f"p{at},{at % 5}\n" for at in range(40)))
    path = tmp_path / "noisy.csv"
    om.release_table(tmp_path / "cells.json", tmp_path / "true.csv", path, column="count", drop_zero=True)
    found = om.estimate(path)
    assert any("given that a row is shown" in note for note in found.remarks)
    shown = Likelihoods.of(design.mechanism, shown_only=True)
    assert 0 not in shown.truths
    assert all(0 not in row.most_likely and row.low > 0 for row in found.of("cell"))
    estimator = NumberEstimator([shown], [Fraction(1, 4)] * 4)
    for truth, value in enumerate(shown.truths):
        covered = Fraction(0)
        for responses, share in draws(shown, [truth]):
            low, high = estimator.ends(responses, Fraction(9, 10))
            covered += share * (low <= value <= high)
        assert covered >= Fraction(9, 10)


def test_a_matrix_of_doubles_is_taken_as_it_is_drawn():
    third = [[0.7, 0.2, 0.1], [0.2, 0.6, 0.2], [0.1, 0.2, 0.7]]
    mechanism = om.MatrixMechanism(matrix=third, responses=(0, 1, 2), truths=(0, 1, 2))
    found = [om.estimate([at], mechanism).rows[0] for at in (0, 1, 2)]
    for truth in (0, 1, 2):
        mean = sum(mechanism.probability(at, truth) * found[at].estimate for at in (0, 1, 2))
        assert mean == truth


@each(
    ("released", "given", "text"),
    [
        ([7], {}, "must hold what the mechanism releases, 0..6"),
        ([3, None], {}, "got null in row 2"),
        ([[1, 2]], {}, "numbers or text"),
        (5, {}, "`released` must be a file, a frame or numbers in a row; got 5"),
        ([1], {"group": "region"}, "`group` must be left out"),
        ([1], {"mechanism": None}, "`mechanism` must be given"),
        ([1], {"prior": [1, 0, 0, 0, 0, 0]}, "`prior` must have 7 entries"),
        ([1], {"level": -1}, "`level` must be a probability"),
        ([1], {"difference": [("a", "b")]}, "`difference` must be left out without `group`"),
        ([1], {"further": [[1, 2]]}, "must have the same rows"),
        ([], {"shares": True}, "shares must be of at least one row"),
        ([1], {"shares": 1}, "`shares` must be"),
    ],
)
def test_bad_arguments_get_a_sentence(design, released, given, text):
    with pytest.raises(om.OptmechError) as refused:
        om.estimate(released, **{"mechanism": design, **given})
    assert text in str(refused.value)
