"""`optmech estimate`, as a user types it."""

from __future__ import annotations

import csv
import json
import random

import pytest

import optmech as om
from optmech.cli import main
from tests.each import each


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Make released tables: of counts, of colours, of grades, of groups with mechanisms of their own."""
    folder = tmp_path_factory.mktemp("estimate")
    rng = random.Random(5)  # noqa: S311 - no secret
    designs = {
        "cells": om.question(om.count(10), 1),
        "few": om.question(om.count(5), "0.3"),
        "large": om.question(om.count(400), 1),
        "colour": om.question(om.categories(["red", "green", "blue"]), 1, loss="zero-one"),
        "grade": om.question(om.extremum(1, 3), 2),
    }
    for name, problem in designs.items():
        om.write_certificate(om.design(problem).certificate, folder / f"{name}.json")
    rows = [f"Ward {at} of a long name,{'ns'[at % 2]},{rng.randint(0, 5)}\n" for at in range(40)]
    (folder / "counts.csv").write_text("ward,region,count\n" + "".join(rows))
    (folder / "colours.csv").write_text("town,colour\n" + "x,red\ny,blue\ny,green\n" * 100)
    (folder / "grades.csv").write_text("grade\n" + "1\n3\n3\n2\n" * 50)
    (folder / "groups.toml").write_text('[groups]\nn = "cells.json"\ns = "few.json"\n')
    for line in (
        "apply cells.json counts.csv --column count --out noisy.csv",
        "apply cells.json counts.csv --column count --out again.csv",
        "apply few.json counts.csv --column count --clamp --out few.csv",
        "apply large.json counts.csv --column count --out large.csv",
        "apply colour.json colours.csv --column colour --out colour.csv",
        "apply grade.json grades.csv --column grade --out grade.csv",
        "apply groups.toml counts.csv --group region --column count --out grouped.csv",
    ):
        words = [str(folder / word) if "." in word else word for word in line.split()]
        assert main([*words, "--quiet"]) == 0
    return folder


@pytest.fixture
def run(capsys, monkeypatch, folder):
    monkeypatch.chdir(folder)

    def call(line):
        words, quote = [], line.split("'")
        for at, part in enumerate(quote):
            words += [part] if at % 2 else part.split()
        code = main(["estimate", *words])
        return code, *capsys.readouterr()

    return call


def rows_of(path):
    return list(csv.DictReader(path.read_text().splitlines()))


@each(
    "line",
    [
        "noisy.csv",
        "noisy.csv again.csv",
        "noisy.csv --group region --difference 'n - s' --out out.csv",
        "noisy.csv --group ward",
        "few.csv",
        "large.csv --group region",
        "colour.csv --group town",
        "colour.csv --sampled",
        "grade.csv --shares",
        "grade.csv",
        "grouped.csv --group region",
    ],
)
def test_every_ordinary_output_fits_on_a_screen(run, line):
    code, out, err = run(line)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert len(lines) <= 16
    assert max(map(len, lines)) <= 80
    assert "spends nothing" in out


def test_cells_and_sums_are_written_and_agree_with_python(run, folder):
    code, _, _ = run("noisy.csv --group region --difference 'n - s' --out out.csv --quiet")
    assert code == 0
    rows = rows_of(folder / "out.csv")
    found = om.estimate(folder / "noisy.csv", folder / "cells.json", group="region", difference=[("n", "s")])
    assert [row["kind"] for row in rows] == [str(row.kind) for row in found.rows]
    kinds = {kind: [row for row in found.rows if row.kind == kind] for kind in {r.kind for r in found.rows}}
    assert {str(kind): len(of) for kind, of in kinds.items()} == {
        "cell": 40,
        "sum": 3,
        "share of total": 2,
        "difference": 1,
    }
    cells, (everything, north, south) = kinds["cell"], kinds["sum"]
    assert everything.estimate == sum(row.estimate for row in cells) == north.estimate + south.estimate
    assert kinds["difference"][0].estimate == north.estimate - south.estimate
    assert everything.standard_error**2 == pytest.approx(sum(row.standard_error**2 for row in cells))
    for row, written in zip(found.rows, rows, strict=True):
        assert row.low <= row.high
        if written["estimate"]:
            assert float(written["estimate"]) == float(row.estimate)


def test_intervals_of_cells_are_those_of_apply(run, folder, tmp_path):
    line = f"apply {folder}/cells.json {folder}/counts.csv --column count --interval 0.9 --quiet"
    assert main([*line.split(), "--out", str(tmp_path / "with.csv")]) == 0
    code, out, _ = run(f"{tmp_path}/with.csv --mechanism cells.json --level 90 --json")
    assert code == 0
    cells = [row for row in json.loads(out)["rows"] if row["kind"] == "cell"]
    written = rows_of(tmp_path / "with.csv")
    assert [(row["low"], row["high"]) for row in cells] == [
        (float(row["count_low"]), float(row["count_high"])) for row in written
    ]


def test_json_has_posteriors_that_sum_to_one_and_spends_nothing(run):
    content = json.loads(
        run("noisy.csv --json --prior 0.5,0.05,0.05,0.05,0.05,0.05,0.05,0.05,0.05,0.05,0.05")[1]
    )
    assert content["epsilon_spent"] == 0
    assert content["prior"] == "as given"
    assert all(abs(sum(shares.values()) - 1) < 1e-12 for shares in content["posteriors"].values())
    assert content["level"] == "0.95"


def test_a_mechanism_without_an_unbiased_estimator_says_so(run):
    _, out, _ = run("few.csv")
    assert "no unbiased estimator exists: multiples of" in " ".join(out.split())
    assert "none" in out
    content = json.loads(run("few.csv --json")[1])
    assert {row["estimate"] for row in content["rows"]} == {None}
    assert any("nearest end" in note for note in content["notes"])
    assert any(row["low"] is None for row in content["rows"])  # an open end


def test_shares_sum_to_one_and_two_releases_are_averaged(run):
    rows = json.loads(run("colour.csv --json")[1])["rows"]
    assert sum(row["estimate"] for row in rows) == pytest.approx(1)
    assert {row["kind"] for row in rows} == {"share"}
    one, two = (
        json.loads(run(f"{line} --json")[1])["rows"][-1] for line in ("noisy.csv", "noisy.csv again.csv")
    )
    assert two["standard_error"] < one["standard_error"]
    rows = json.loads(run("grade.csv --shares --json")[1])["rows"]
    assert [row["kind"] for row in rows] == ["share", "share", "share", "mean"]


def test_a_log_whose_certificate_is_elsewhere_says_what_to_give(run, folder, tmp_path):
    for name in ("noisy.csv", "noisy.release.json"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    code, _, err = run(f"{tmp_path}/noisy.csv")
    assert code == 2
    assert "on the command line it is --mechanism" in err
    assert run(f"{tmp_path}/noisy.csv --mechanism cells.json")[0] == 0
    code, _, err = run(f"{tmp_path}/noisy.csv noisy.csv --mechanism cells.json")  # a copy is no second draw
    assert code == 2
    assert "got the draw" in err


def test_groups_with_mechanisms_of_their_own_are_found_through_the_log(run):
    by_log, by_list = (run(f"grouped.csv --json {more}")[1] for more in ("", "--mechanism groups.toml"))
    assert json.loads(by_log) == json.loads(by_list)
    code, _, err = run("grouped.csv --mechanism cells.json")
    assert code == 2
    assert "for each group in column region" in err


@each(
    ("line", "text"),
    [
        ("counts.csv", "`mechanism` must be given: no log stands beside the table."),
        ("counts.csv --mechanism cells.json", "`column` must name the released column of counts.csv"),
        ("noisy.csv --mechanism few.json", "`mechanism` must be the one that noisy.release.json names"),
        (
            "noisy.csv --level 0",
            "`level` must be a probability such as 0.95, or a percentage such as 95; got 0.",
        ),
        ("noisy.csv --level 100", "`level` must be a probability"),
        ("noisy.csv --prior 0.5,0.5", "`prior` must have 11 entries"),
        ("noisy.csv --group nowhere", "must have one column 'nowhere'"),
        ("noisy.csv --group region --difference n", "`--difference` must be two groups with a minus"),
        ("noisy.csv --group region --difference 'n - w'", "`difference` must be of groups among"),
        ("noisy.csv --difference 'n - s'", "`difference` must be left out without `group`"),
        ("noisy.csv noisy.csv", "got noisy.csv twice"),
        ("noisy.csv grade.csv", "must have the same rows"),
        ("noisy.csv --sampled", "`sampled` must be left out"),
        (
            "colour.csv --shares --mechanism cells.json",
            "`mechanism` must be the one that colour.release.json",
        ),
        ("missing.csv", "missing.csv"),
        ("noisy.csv --out noisy.csv", "`--out` must be another file than noisy.csv"),
        (
            "counts.csv --mechanism colour.json --column count",
            "`counts.csv` must hold what the mechanism releases",
        ),
    ],
)
def test_bad_input_gets_a_sentence(run, line, text):
    code, out, err = run(line)
    assert (code, out) == (2, "")
    assert text in err
    assert err.count("\n") == 1
