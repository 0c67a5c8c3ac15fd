"""`optmech compose`, as a user types it."""

from __future__ import annotations

import json
import math
from itertools import pairwise

import pytest

import optmech as om
from optmech.analysis.composition import compose
from optmech.cli import main


def run(capsys, *words):
    code = main([word for part in words for word in (part.split() if isinstance(part, str) else [str(part)])])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("compose")
    for name, problem in {
        "count": om.croft(om.count(4), epsilon="0.5"),
        "noise": om.sadeghi_symmetric("1", "0.5", 2),
        "one-sided": om.kadam(om.residues(5, [1], symmetric=False), epsilon="1", delta=0),
    }.items():
        om.write_certificate(om.design(problem).certificate, folder / f"{name}.json")
    return folder


@pytest.mark.slow
def test_delta_at_an_epsilon_and_epsilon_at_a_delta(capsys, folder):
    certificate = om.read_certificate(folder / "count.json")
    spent = compose(certificate, 6)
    code, out, err = run(capsys, "compose", folder / "count.json", "--uses 6 --epsilon 1")
    assert (code, err) == (0, "")
    assert f"delta              {float(spent.delta(1)):.12g}"[:30] in out
    assert "at epsilon = 1   proved" in out
    assert "uses               6, adaptive queries" in out
    code, out, _ = run(capsys, "compose", folder / "count.json", "--uses 6 --delta 1e-3 --json")
    content = json.loads(out)
    assert code == 0
    assert content["epsilon"] == spent.epsilon("1e-3")
    assert content["attained"] <= content["epsilon"] < content["simple_composition"] <= 3
    assert (content["uses"], content["queries"], content["provenance"]) == (6, "adaptive", "proved")


@pytest.mark.slow
def test_several_mechanisms_and_logarithms(capsys, folder):
    both = [folder / "count.json", folder / "noise.json"]
    content = json.loads(run(capsys, "compose", *both, "--uses 2 --epsilon", "ln(4)", "--json")[1])
    spent = compose([om.read_certificate(path) for path in both], 2)
    assert content["uses"] == 4
    assert content["epsilon"] == "ln 4"
    assert content["delta"] >= spent.delta("ln 4") >= content["attained"]


def test_an_exact_answer_says_so_and_repeated_queries_are_asked_for(capsys, folder):
    code, out, _ = run(capsys, "compose", folder / "noise.json", "--uses 3 --queries repeated --epsilon 2")
    assert code == 0
    assert "exact, rounded up: some data spend it" in out
    assert "3, repeated queries" in out
    code, out, _ = run(capsys, "compose", folder / "noise.json", "--uses 3 --queries fixed --epsilon 2")
    assert "some data and queries spend" in out


def test_an_infinite_epsilon_says_why(capsys, folder):
    code, out, _ = run(capsys, "compose", folder / "noise.json", "--uses 3 --delta 1e-9")
    assert code == 0
    assert "epsilon            inf   at delta = 0.000000001   proved" in out
    assert "answers that a neighbour never gets have probability" in out
    content = json.loads(run(capsys, "compose", folder / "noise.json", "--delta 1e-9 --json")[1])
    assert content["epsilon"] == "inf"


def test_the_curve_is_written_and_falls(capsys, folder, tmp_path):
    path = tmp_path / "curve.csv"
    for name in ("count", "noise"):
        code, out, _ = run(capsys, "compose", folder / f"{name}.json", "--uses 4 --epsilon 1 --out", path)
        assert code == 0
        assert f"written to {path}" in out
        comment, header, *lines = path.read_text().splitlines()
        assert comment == "# 4 uses, adaptive queries: proved"
        assert header == "epsilon,delta_at_least,delta"
        rows = [tuple(map(float, line.split(","))) for line in lines]
        assert len(rows) == 101
        assert rows[0][0] == 0
        assert all(low <= high for _, low, high in rows)
        assert all(first[2] >= second[2] for first, second in pairwise(rows))
        assert rows[-1][2] == (0 if name == "count" else pytest.approx(rows[-2][2], rel=0.2))
        assert math.isfinite(rows[-1][0])


def test_one_sided_protection_is_warned_of(capsys, folder):
    code, _, err = run(capsys, "compose", folder / "one-sided.json", "--uses 2 --epsilon 1")
    assert code == 0
    assert "is not differential privacy: of two neighbours only one is protected" in err


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("--uses 0 --epsilon 1", "`uses` must be a positive whole number, or one for each mechanism; got 0."),
        ("--epsilon -1", "`epsilon` must be zero or more; got -1."),
        ("--epsilon x", "`epsilon` must be a finite number; got 'x'."),
        ("--delta 2", "`delta` must be zero or more and below 1; got 2."),
        ("--epsilon 1 --out count.json", "`--out` must be another file than count.json, which is read."),
        ("--epsilon 1 --out nowhere/curve.csv", "must be writable"),
    ],
)
def test_bad_input_gets_a_sentence(capsys, folder, monkeypatch, typed, words):
    monkeypatch.chdir(folder)
    before = (folder / "count.json").read_text()
    code, out, err = run(capsys, f"compose count.json {typed}")
    assert (code, out) == (2, "")
    assert words in err
    assert (folder / "count.json").read_text() == before


def test_what_is_no_certificate_gets_a_sentence(capsys, folder, tmp_path):
    path = tmp_path / "no.json"
    path.write_text("{}")
    code, _, err = run(capsys, "compose", path, "--epsilon 1")
    assert code == 2
    assert "must have the format 'optmech certificate'" in err
    text = (folder / "count.json").read_text()
    path.write_text(text.replace('"objective": "', '"objective": "1', 1))
    code, _, err = run(capsys, "compose", path, "--epsilon 1")
    assert code == 1
    assert "Do not use its mechanism." in err


def test_repeated_queries_must_be_the_same(capsys, folder):
    both = [folder / "count.json", folder / "noise.json"]
    code, _, err = run(capsys, "compose", *both, "--queries repeated --epsilon 1")
    assert code == 2
    assert "`queries` must be fixed or adaptive for mechanisms of different queries" in err


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("", "`--epsilon` or `--delta` must be given. See `optmech compose --help`."),
        ("--epsilon 1 --delta 0", "`--delta` must be left out with `--epsilon`."),
    ],
)
def test_one_of_epsilon_and_delta_is_asked_for(capsys, folder, typed, text):
    code, out, err = run(capsys, "compose", folder / "count.json", typed)
    assert (code, out) == (2, "")
    assert text in err


def test_an_epsilon_beyond_all_doubles_is_one_like_others(capsys, folder):
    for uses in (1, 3):
        code, out, err = run(capsys, "compose", folder / "count.json", f"--uses {uses} --epsilon 1e400")
        assert (code, err.count("Traceback")) == (0, 0)
        assert "delta              0.0" in out
