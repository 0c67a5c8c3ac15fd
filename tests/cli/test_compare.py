"""``optmech compare``, as a user types it."""

from __future__ import annotations

import csv
import json
import re
import shlex

import pytest

from optmech.analysis.baselines.registry import BASELINES
from optmech.cli import main
from optmech.cli.compare import COMMAND
from tests.each import each
from tests.screen import joined, unbroken

COUNT = "compare croft --query count --range 0:5 --epsilon 0.5"
FILE = """[[instance]]
name = "small"
[instance.question]
query = {kind = "count", smallest = 0, largest = 3}
privacy = {kind = "pure", epsilon = "1"}
objective.prior = "sum"
[[instance]]
name = "max"
note = "The largest of five answers"
[instance.question]
query = {kind = "extremum", smallest = 1, largest = 5}
privacy = {kind = "pure", epsilon = "1"}
objective.prior = "sum"
"""


def run(capsys, line):
    code = main(line.split() if isinstance(line, str) else line)
    out, err = capsys.readouterr()
    return code, out, err


def test_a_comparison_is_a_table_and_sentences(capsys):
    code, out, err = run(capsys, f"{COUNT} --beyond 2 --explain")
    assert (code, err) == (0, "")
    assert re.search(r"^the optimum +1\.061 +1\.452 +0\.09259 +0\.5  yes$", out, re.MULTILINE)
    assert re.search(r"^truncated geometric +1\.147 +1\.352 +0\.1389 +8\.12 % +0\.5  yes$", out, re.MULTILINE)
    text = joined(out)
    assert "The optimum costs an error of 1.061 on average, proved; no mechanism that answers" in text
    assert "(OpenDP make_geometric; diffprivlib GeometricTruncated; " in text
    assert "P(> 2)" in out
    assert "P(>" not in run(capsys, COUNT)[1]


def test_on_a_screen_the_verdict_is_first_and_the_worst_mechanisms_are_left_out(capsys):
    code, out, _ = run(capsys, f"{COUNT} --beyond 2")
    assert code == 0
    assert "The best default of a library, truncated geometric, loses 8.12 %" in joined(out)
    assert out.index("The best default") < out.index("the optimum") < out.index(" more lines: --explain")


def test_json_holds_every_baseline_with_its_standing(capsys):
    code, out, _ = run(capsys, f"{COUNT} --json --gaussian-delta 1e-4 --loss squared")
    (question,) = json.loads(out)["questions"]
    assert code == 0
    assert question["lower_bound_standing"] == question["optimum"]["provenance"] == "proved"
    named = {row["key"] for row in question["baselines"]}
    assert named | set(question["refused"]) >= {*BASELINES, "clamped-gaussian"} - {
        "gumbel-max",
        "data-independent",
    }
    assert {row["provenance"] for row in question["baselines"]} == {"recomputed"}
    gaussian = next(row for row in question["baselines"] if row["key"] == "clamped-gaussian")
    assert gaussian["made_for_delta"] == question["gaussian_delta"] == "0.0001"
    assert question["beyond"] is None
    assert question["optimum"]["beyond"] is None


def test_the_table_is_written_whole_with_a_row_for_each_mechanism(capsys, tmp_path):
    path = tmp_path / "table.csv"
    code, out, _ = run(capsys, f"{COUNT} --out {path}")
    assert code == 0
    assert f"written to {path}" in out
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0]["key"] == "optimum"
    assert rows[0]["provenance"] == "proved"
    objectives = [float(row["objective"]) for row in rows[1:]]
    assert objectives == sorted(objectives)
    assert {row["question"] for row in rows} == {"count 0..5"}
    truncated = next(row for row in rows if row["key"] == "truncated-geometric")
    assert truncated["libraries"].startswith("OpenDP make_geometric; diffprivlib GeometricTruncated")
    assert float(truncated["loses_at_least"]) == pytest.approx(0.0811840, abs=1e-7)


def test_a_file_of_questions_is_compared_at_once_or_one_by_one(capsys, tmp_path):
    path, page = tmp_path / "questions.toml", tmp_path / "page.md"
    path.write_text(FILE)
    code, out, _ = run(capsys, f"compare {path} --every --page {page}")
    assert code == 0
    assert "2 questions compared" in out
    assert "The largest of five answers: " in out
    text = page.read_text(encoding="utf-8")
    assert "## small" in text
    assert "## The largest of five answers" in text
    assert f"`optmech compare {path} --every --page {page}`" in text
    code, out, _ = run(capsys, f"compare {path} --instance max")
    assert code == 0
    assert out.startswith("question: max, min or median 1..5")
    assert run(capsys, f"compare {path}")[1].startswith("question: count 0..3")


def test_the_matrix_in_use_is_compared_too(capsys, tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("response,0,1\n0,0.75,0.25\n1,0.25,0.75\n")
    question = "compare croft --query count --range 0:1 --exp-epsilon 3"
    code, out, _ = run(capsys, f"{question} --with {path}")
    assert code == 0
    assert re.search(r"^….*mine\.csv.* 0 % .*yes$", out, re.MULTILINE)
    path.write_text("response,0,1\n0,1,0\n1,0,1\n")
    out = run(capsys, f"{question} --with {path}")[1]
    assert re.search(r"-100 % +infinite +lacks PRIVACY$", out, re.MULTILINE)
    assert "its effective epsilon is infinite: a zero is beside a positive entry" in joined(out)


@each(
    ("line", "says"),
    [
        (f"{COUNT} --beyond -2", "`beyond` must be zero or more; got -2. It is a distance from the truth."),
        (f"{COUNT} --beyond far", "`beyond` must be"),
        (f"{COUNT} --gaussian-delta 0", "`delta` must lie strictly between 0 and 1; got 0."),
        (f"{COUNT} --every", "`--every` must come with a file of questions; got croft. Leave it out."),
        (f"{COUNT} --out a.csv --page a.csv", "`--out` and `--page` must be two files; got a.csv for both."),
        (f"{COUNT} --out missing/table.csv", "must be writable"),
        (f"{COUNT} --with missing.csv", "`missing.csv` must be a file that can be read"),
        ("compare croft --query count --range 0:5 --epsilon -1", "`epsilon` must be positive; got -1."),
    ],
)
def test_bad_input_gets_a_sentence_and_leaves_no_file(capsys, tmp_path, monkeypatch, line, says):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, line)
    assert (code, out) == (2, "")
    assert says in err
    assert "Traceback" not in err
    assert not list(tmp_path.iterdir())


def test_a_page_quotes_the_line_that_writes_it_again(capsys, tmp_path):
    page = tmp_path / "page.md"
    typed = "compare count --prior sum --epsilon 1/2 --range 0:5"
    assert run(capsys, f"{typed} --page {page} --beyond 2")[0] == 0
    text = page.read_text(encoding="utf-8")
    line = re.search("written by `optmech (.*?)`", text)[1]
    assert line.startswith("compare count --range 0:5 --epsilon 0.5 --prior sum --beyond 2 --page ")
    assert run(capsys, shlex.split(line))[0] == 0
    assert page.read_text(encoding="utf-8") == text


def test_a_file_that_asks_for_the_least_delta_is_refused(capsys, tmp_path):
    path = tmp_path / "least.toml"
    path.write_text(
        '[question]\nquery = {kind = "count", smallest = 2, largest = 4}\nobjective.least = "delta"\n'
        'privacy = {kind = "per-outcome", epsilon = "1"}\n'
        'structure = {kind = "symmetric", accuracy = "0.5", half_width = 2}\n'
    )
    code, out, err = run(capsys, f"compare {path}")
    assert (code, out) == (2, "")
    assert "this one asks for the least delta. Ask `croft` at the epsilon you want." in err


def test_the_examples_of_the_help_name_what_is_there(capsys):
    with pytest.raises(SystemExit):
        main(["compare", "--help"])
    out = unbroken(capsys.readouterr().out)
    assert all(example in out for example in COMMAND.examples)
    assert run(capsys, COMMAND.examples[0].removeprefix("optmech "))[0] == 0


@pytest.mark.parametrize(
    ("line", "where"),
    [
        ("compare count --range 0:2 --epsilon 12", ""),
        ("frontier count --range 0:2 --at 1,12,13", "from epsilon 12 on, "),
        ("prices count --range 0:2 --epsilon 12", ""),
    ],
)
def test_an_epsilon_that_allows_much_is_said(line, where, capsys):
    sentence = f"{where}odds between neighbouring true answers may change by a factor of up to 162,755."
    assert main(line.split()) == 0
    out, err = capsys.readouterr()
    assert joined(out).startswith(f"Caution: {sentence}")
    assert not err
    assert main([*line.split(), "--json"]) == 0
    out, err = capsys.readouterr()
    content = json.loads(out)
    assert (content["questions"][0] if "questions" in content else content)[
        "caution"
    ] == f"Caution: {sentence}"
    assert f"warning: {sentence}" in err
