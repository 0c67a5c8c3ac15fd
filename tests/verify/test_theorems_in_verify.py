"""`verify` holds a mechanism against the closed-form theorems that apply to the question."""

from __future__ import annotations

import json

import pytest

import optmech as om
from optmech.cli import main
from optmech.verify.checks import sentence_without_theorems
from tests.each import each
from tests.question_file import question_file
from tests.screen import joined

PRINTED = "sadeghi-symmetric --epsilon 1 --accuracy 0.01 --half-width 4"
COUNT = "--query count --range 0:5 --epsilon 0.5"
HOLDS, FALSE = (True, False), (False, True)
# For each family: the question, and for a theorem the value of the literature or its correction, to at most
# the digits of a double, with (holds, false as printed).
KNOWN = {
    "a count": (
        f"croft {COUNT}",
        {"croft-variant-1-count": (6.363223179086569, HOLDS)},
    ),
    "a maximum": (
        "croft --query extremum --range 0:4 --epsilon 1",
        {"croft-variant-1-extremum": (4.967181806639196, HOLDS)},
    ),
    "a maximum with all properties": (
        "croft --query extremum --range 0:4 --epsilon 1 --variant 2",
        {"croft-variant-2-extremum": (5.759620992422627, HOLDS)},
    ),
    "symmetric noise": (
        "sadeghi-symmetric --epsilon 2.18 --accuracy 0.8 --half-width 6",
        {
            "sadeghi-theorem-3-accurate": (0.0049478216381229530357, HOLDS),
            "sadeghi-theorem-3": (0.0049478216381229530357, (True, True)),
        },
    ),
    "symmetric noise of a small accuracy": (
        PRINTED,
        {
            "sadeghi-theorem-3": (0.010527772191420765778, FALSE),
            "sadeghi-theorem-3-corrected": (0.041744710791762567028, HOLDS),
        },
    ),
    "the true delta of symmetric noise": (
        ("count --range 4:8 --structure symmetric --accuracy 0.01 --half-width 4 --epsilon 1 --least delta"),
        {"sadeghi-remark-2": (0.094749949722786891999, FALSE)},
    ),
    "one distance": (
        "kadam --modulus 8 --distances 3 --one-sided --epsilon 0.75 --delta 0.3",
        {"kadam-theorem-2": (0.36489999501619763, HOLDS)},
    ),
    "one distance with a common factor": (
        "kadam --modulus 8 --distances 2 --one-sided --epsilon 0.75 --delta 0",
        {
            "kadam-pure-noise": (0.4447208307797977, HOLDS),
            "kadam-remark-3": (1 - 0.5403410507664803, FALSE),
        },
    ),
    "a bounded difference": (
        "kadam --modulus 7 --distances 1,2,3 --one-sided --epsilon 1.5 --delta 0.26",
        {
            "kadam-theorem-3-under-definition-2": (1 - 0.561774520049547, FALSE),
            "kadam-columns-exact": (1 - 0.581673487238335, HOLDS),
        },
    ),
    "approximate privacy": (
        (
            "residues --modulus 8 --distances 3 --one-sided --epsilon 0.5 --delta 0.01 "
            "--structure modular --loss error-rate"
        ),
        {"approximate-error-rate": (1 - 0.40680233516559233, HOLDS)},
    ),
}


def run(capsys, *words):
    code = main([part for word in words for part in str(word).split()])
    out, err = capsys.readouterr()
    return code, out, err


def rows_of(content):
    return {row["name"]: row for row in content["theorems"]}


@pytest.fixture
def written(tmp_path, capsys):
    def design(question):
        matrix = tmp_path / "m.csv"
        code, _, err = run(capsys, "design", question, "--out", matrix)
        assert code == 0, err
        return matrix, tmp_path / "m.certificate.json"

    return design


@pytest.mark.slow
@each("name", KNOWN)
def test_a_design_and_its_certificate_tell_the_value_of_each_theorem(name, written, capsys):
    question, expected = KNOWN[name]
    _, certificate = written(question)
    for line in (["design", question, "--json"], ["verify", certificate, "--json"]):
        code, out, _ = run(capsys, *line)
        content = json.loads(out)
        rows = rows_of(content)
        assert (code, content["verified"]) == (0, True)
        assert expected.keys() <= rows.keys()
        for theorem, (value, (holds, false)) in expected.items():
            row = rows[theorem]
            assert float(row["value"].strip("[]").split(" +/- ")[0]) == pytest.approx(value, rel=1e-12)
            assert (row["holds"], row["false_as_printed"]) == (holds, false)
        # No row but of a theorem that is known to be false is contradicted.
        assert all(row["holds"] is True or row["false_as_printed"] for row in rows.values())


def test_every_row_has_name_source_relation_value_verdict_and_difference(capsys):
    row = rows_of(json.loads(run(capsys, "design", "croft", COUNT, "--json")[1]))["croft-variant-1-count"]
    assert "Ghosh, Roughgarden, Sundararajan 2012" in row["source"]
    assert row["relation"] == "equals the optimum"
    assert row["theorem"] == "proved"
    assert row["value"].startswith("[6.36322317908656886")
    assert (row["arithmetic"], row["provenance"]) == ("balls", "recomputed")
    assert abs(row["difference"]) < 1e-12


def test_a_theorem_that_is_false_as_printed_says_so_with_the_difference(capsys):
    code, out, _ = run(capsys, "design", PRINTED, "--explain")
    assert code == 0
    lines = out.splitlines()
    (at,) = (at for at, line in enumerate(lines) if "sadeghi-theorem-3:" in line)
    assert lines[at].startswith("false as printed")
    assert lines[at].endswith("0.0105277721914208 equals the optimum")
    assert lines[at + 1].strip() == "but the lower bound is 0.031 above it"
    assert "Sadeghi et al. 2020, Theorem 3" in lines[at + 2]
    row = rows_of(json.loads(run(capsys, "design", PRINTED, "--json")[1]))["sadeghi-theorem-3"]
    assert row["difference"] == pytest.approx(0.041744710791762567 - 0.010527772191420766)
    assert "half-width 4" in row["counter_example"]


@pytest.mark.parametrize("question", [KNOWN["one distance with a common factor"][0], PRINTED])
def test_the_lines_of_a_theorem_fit_into_eighty_columns(question, written, capsys):
    _, certificate = written(question)
    lines = run(capsys, "verify", certificate, "--explain")[1].splitlines()
    first = min(at for at, line in enumerate(lines) if line.startswith(("holds ", "false as printed")))
    rows = lines[first : lines.index("", first)]
    assert len(rows) > 8
    assert max(map(len, rows)) <= 80


def test_where_no_theorem_speaks_one_line_says_so(written, capsys, tmp_path):
    question = "croft --query mean --range 0:2 --records 3 --epsilon 0.5"
    matrix, certificate = written(question)
    for line in (
        ["design", question, "--explain"],
        ["verify", certificate],
        ["verify", matrix, question_file(tmp_path, question)],
    ):
        code, out, _ = run(capsys, *line)
        assert code == 0
        assert out.splitlines().count("no theorem applies to this question") == 1
        content = json.loads(run(capsys, *line, "--json")[1])
        assert (content["theorems"], content["without_theorems"]) == (
            [],
            "no theorem applies to this question",
        )


def test_a_matrix_that_is_not_optimal_is_told_how_far_it_is_above_the_theorem(written, capsys, tmp_path):
    """The fair mechanism is private: nothing fails, it is no answer of least loss."""
    matrix, _ = written(f"croft {COUNT} --variant 2")
    code, out, _ = run(capsys, "verify", matrix, question_file(tmp_path, f"croft {COUNT}"))
    assert code == 0
    assert "the objective is 0.47 above it: the mechanism is not optimal, by 0.47" in joined(out)
    assert "nothing is proved" in out
    problem = om.croft(om.count(5), "0.5")
    report = om.verify(om.MatrixMechanism.from_csv(matrix), problem)
    assert report
    row = next(row for row in report.theorems if row.name == "croft-variant-1-count")
    assert row.holds is None
    assert row.difference == pytest.approx(6.828620090658517 - 6.363223179086569)


def test_a_tampered_matrix_that_beats_the_theorem_fails(written, capsys, tmp_path):
    """It loses less than any private one, since it is of a larger epsilon."""
    matrix, _ = written("croft --query count --range 0:5 --epsilon 0.6")
    code, out, err = run(capsys, "verify", matrix, question_file(tmp_path, f"croft {COUNT}"))
    assert code == 1
    assert "FAILS  pure privacy" in out
    assert "violates what is required" in err
    report = om.verify(om.MatrixMechanism.from_csv(matrix), om.croft(om.count(5), "0.5"))
    row = next(row for row in report.theorems if row.name == "croft-variant-1-count")
    assert not report
    assert row.holds is None  # nothing follows for the theorem
    assert row.difference < -0.1


def test_an_optimal_matrix_of_doubles_attains_the_theorem(written, capsys, tmp_path):
    for name in ("a count", "symmetric noise of a small accuracy", "one distance"):
        question, expected = KNOWN[name]
        matrix, _ = written(question)
        code, out, _ = run(capsys, "verify", matrix, question_file(tmp_path, question), "--json")
        rows = rows_of(json.loads(out))
        assert code == 0
        for theorem, (_, (holds, _)) in expected.items():
            assert rows[theorem]["holds"] is (holds or None)
            assert holds or "nothing follows" in rows[theorem]["text"]


def test_verify_in_python_has_the_rows_and_keeps_its_checks():
    design = om.design(om.croft(om.count(5), "0.5"))
    report = om.verify(design.mechanism, design.problem, certificate=design.certificate)
    row = next(row for row in report.theorems if row.name == "croft-variant-1-count")
    assert row.holds is True
    assert "the lower bound is" in row.text
    assert report.failures == ()
    assert {check.name for check in report.checks} >= {"grid", "distributions", "pure privacy"}
    assert row.name in str(report)
    assert om.verify(design.mechanism, design.problem, theorems=False).theorems == ()


def test_a_certificate_of_another_mechanism_is_refused():
    first, second = (om.design(om.croft(om.count(5), epsilon)) for epsilon in ("0.5", "0.6"))
    for mechanism, problem in ((second.mechanism, first.problem), (first.mechanism, second.problem)):
        with pytest.raises(om.ProblemError, match="`certificate` must be of this mechanism"):
            om.verify(mechanism, problem, certificate=first.certificate)


def test_a_report_says_where_the_proof_is(written, capsys, tmp_path):
    certified = run(capsys, "design", "croft", COUNT, "--explain")[1]
    assert "all 4 checks pass; the exact proof is in the certificate" in certified
    raw = run(capsys, "design", "croft", COUNT, "--raw")[1]
    assert "floating-point checks pass; nothing is proved" in raw
    matrix, _ = written(f"croft {COUNT}")
    question_path = question_file(tmp_path, f"croft {COUNT}")
    out = run(capsys, "verify", matrix, question_path)[1]
    assert "all 3 floating-point checks pass; nothing is proved" in out


def test_a_theorem_whose_value_takes_too_long_is_named():
    problem = om.question(om.count(1000), privacy=om.as_private_as("gaussian", sigma=30))
    assert sentence_without_theorems(problem) == (
        "chain applies to this question, but its value takes longer than a few seconds for this many true "
        "answers"
    )


def test_crosscheck_takes_one_question(capsys, tmp_path):
    code, out, _ = run(capsys, "crosscheck", question_file(tmp_path, f"croft {COUNT}"))
    assert code == 0
    assert "1 problem, 2 comparisons: 2 agrees" in out
    assert "croft-variant-1-count" in out
    code, out, _ = run(capsys, "crosscheck", question_file(tmp_path, PRINTED), "--json")
    verdicts = {row["theorem"]: row["verdict"] for row in json.loads(out)["rows"]}
    assert code == 0
    assert verdicts["sadeghi-theorem-3"] == "false as printed"
    assert verdicts["sadeghi-theorem-3-corrected"] == "agrees"
    code, out, _ = run(capsys, "crosscheck", question_file(tmp_path, f"croft {COUNT}"), "--solver highs")
    assert code == 0
    assert "croft-variant-1-count" in out
    code, out, _ = run(capsys, "crosscheck mean --range 0:2 --records 3 --epsilon 1")
    assert (code, "no theorem applies to this question" in out) == (0, True)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("question.toml --quick", "`--quick` must be an option of optmech crosscheck file"),
        ("question.toml --croft-epsilons 1", "`--croft-epsilons` must be an option of"),
        ("count --range 0:3 --epsilon 1 --counts 2", "`--counts` must be an option of optmech crosscheck co"),
        ("--instance table-3", "`--instance` must be an option of optmech crosscheck grid"),
        ("--range 0:3", "`--range` must be an option of optmech crosscheck grid"),
        ("--counts 2:3", "`counts` must be whole numbers"),
    ],
)
def test_a_grid_and_one_question_are_not_mixed(capsys, tmp_path, monkeypatch, line, sentence):
    monkeypatch.chdir(tmp_path)
    question_file(tmp_path, f"croft {COUNT}")
    code, out, err = run(capsys, "crosscheck", line)
    assert (code, out) == (2, "")
    assert sentence in err
