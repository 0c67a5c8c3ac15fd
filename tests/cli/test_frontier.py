"""``optmech frontier``, as a user types it."""

from __future__ import annotations

import csv
import json
import re
from fractions import Fraction

import pytest

import optmech as om
from optmech.cli import main
from tests.each import each

COUNT = "frontier croft --query count --range 0:5 --prior uniform --from 0.5 --to 1.5 --points 3"
FILE = """[[instance]]
name = "plain"
[instance.question]
query = {kind = "count", smallest = 0, largest = 3}
privacy = {kind = "pure", epsilon = "1"}
objective.prior = "sum"
[[instance]]
name = "fair"
[instance.question]
query = {kind = "count", smallest = 0, largest = 3}
privacy = {kind = "pure", epsilon = "1"}
objective.prior = "sum"
properties = ["column-monotone", "fair", "row-monotone", "symmetric"]
"""


def run(capsys, line):
    code = main(line.split() if isinstance(line, str) else line)
    out, err = capsys.readouterr()
    return code, out, err


def test_the_table_is_that_of_single_designs(capsys):
    code, out, err = run(capsys, COUNT)
    assert (code, err) == (0, "")
    for epsilon in ("0.5", "1", "1.5"):
        design = om.design(om.croft(om.count(5), epsilon, prior="uniform"))
        objective, bound = re.search(rf"\b{epsilon}  (\S+) +(\S+)", out).groups()
        assert (
            Fraction(bound) <= design.certificate.bound <= design.certificate.objective <= Fraction(objective)
        )
        assert (float(bound), float(objective)) == pytest.approx((design.lower_bound, design.objective))


def test_the_files_hold_table_and_figure(capsys, tmp_path):
    table, figure = tmp_path / "f.csv", tmp_path / "f.png"
    line = f"{COUNT} --baselines truncated-geometric,uniform --out {table} --figure {figure}"
    code, out, _ = run(capsys, line)
    assert code == 0
    assert f"written to {table}" in out
    assert "in use, recomputed\ntruncated-geometric: " in out
    assert "\nuniform: " in out
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [row["curve"] for row in rows] == ["croft"] * 3 + ["truncated-geometric"] * 3 + ["uniform"] * 3
    assert figure.read_bytes().startswith(b"\x89PNG")
    content = json.loads(run(capsys, f"{COUNT} --baselines truncated-geometric,uniform --json")[1])
    assert [row["curve"] for row in content["points"]] == [row["curve"] for row in rows]
    assert [row["objective"] for row in content["points"]] == [float(row["objective"]) for row in rows]


def test_instances_of_a_file_are_curves_of_one_table(capsys, tmp_path):
    (tmp_path / "problem.toml").write_text(FILE)
    line = f"frontier {tmp_path / 'problem.toml'} --instance plain,fair --at 1,2 --json"
    points = json.loads(run(capsys, line)[1])["points"]
    assert [(row["curve"], row["epsilon"]) for row in points] == [
        ("plain", "1"),
        ("plain", "2"),
        ("fair", "1"),
        ("fair", "2"),
    ]
    assert points[0]["objective"] < points[2]["objective"]


def test_delta_and_a_bound_may_vary(capsys):
    line = "frontier kadam --modulus 5 --distances 1 --epsilon 1 --over delta --at 0.1,0.3 --json"
    points = json.loads(run(capsys, line)[1])["points"]
    assert [row["delta"] for row in points] == ["0.1", "0.3"]
    line = "frontier count --range 0:4 --epsilon 1 --over bound --at 0.15,0.4 --json --bound"
    points = json.loads(run(capsys, [*line.split(), "worst beyond 1 <= 0.2"])[1])["points"]
    assert points[0]["objective"] >= points[1]["objective"]


def test_where_no_mechanism_exists_the_exit_code_says_so(capsys):
    line = "frontier count --range 0:4 --epsilon 1 --over bound --at 0.01 --bound"
    code, out, _ = run(capsys, [*line.split(), "worst beyond 1 <= 0.2"])
    assert code == 1
    assert "no mechanism meets it: with all else kept, delta is at least" in out


@each(
    ("line", "text"),
    [
        ("frontier croft --query count --range 0:5", "`low` and `high` must be given"),
        (f"{COUNT} --at 1", "`at` must be given alone"),
        (COUNT.replace("points 3", "points 1"), "`points` must be a whole number from 2 to 10000; got 1."),
        (f"{COUNT} --figure f.gif", "`figure` must end in .svg, .png or .pdf; got f.gif."),
        (
            f"{COUNT} --out f.png --figure f.png",
            "`--out` and `--figure` must be two files; got f.png for both.",
        ),
        (f"{COUNT} --baselines laplas --out f.csv", "`baselines` must be among"),
        (
            f"{COUNT} --epsilon 1 --over bound",
            "`problem` must have exactly one bound on a further loss; got 0.",
        ),
        ("frontier croft --query count --range 0:5 --from 0 --to 1", "`epsilon` must be positive; got 0."),
    ],
)
def test_bad_input_is_a_sentence(capsys, tmp_path, monkeypatch, line, text):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, line)
    assert (code, out) == (2, "")
    assert err.startswith(f"optmech: {text}")
    assert not list(tmp_path.iterdir())
