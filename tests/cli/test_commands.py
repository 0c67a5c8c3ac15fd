"""The command line, as a user types it."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import optmech as om
from optmech.cli import main
from optmech.cli.commands import build_parser
from optmech.models.solvers import installed_solvers
from tests.cli.all_parsers import all_parsers
from tests.each import each
from tests.question_file import question_file
from tests.readers import CHECKER
from tests.screen import joined, unbroken

# It runs until somebody ends it, and is run where it is tested.
SERVERS = ("studio", "publish")  # the second asks questions: tests/cli/test_publish.py
SOLVERS = [solver.name for solver in installed_solvers()]
FORMULATIONS = Path(__file__).parents[2] / "formulations"
TABLE_4 = "design croft --query count --range 0:5 --epsilon 0.5 --variant 2"
SHOWN = [
    TABLE_4,
    "design croft --query mean --records 10 --range 0:4 --epsilon 0.2",
    "design croft --query extremum --range 0:9 --epsilon 0.5",
    "design croft --query count --range 0:5 --epsilon ln(2)",
    "design kadam --modulus 5 --distances 1 --exp-epsilon 3/2 --delta 0.1",
    "design croft --query extremum --range -2:2 --epsilon 1/3 --property fair --property symmetric",
    "design croft --query count --range 0:3 --epsilon 1 --prior 0.4,0.3,0.2,0.1 --loss squared",
    "design sadeghi --epsilon 1 --accuracy 0.5 --half-width 2 --counts 1:3",
    "design sadeghi-symmetric --epsilon 2.18 --accuracy 0.8 --half-width 6",
    "design kadam --modulus 9 --distances 1,2,3 --epsilon 1.5 --delta 0.1238 --cost error-rate --solver cbc",
    "design kadam --modulus 5 --distances 1 --epsilon 1 --at-most 0.4 --cost 0,1,2,2,1",
]


def run(capsys, line):
    code = main(line.split() if isinstance(line, str) else line)
    out, err = capsys.readouterr()
    return code, out, err


@each("line", SHOWN, every=3)
def test_a_design_prints_numbers_with_their_standing(capsys, line):
    code, out, _ = run(capsys, f"{line} --explain")
    assert code == 0
    assert re.search(r"objective +\S+ +proved", out)
    assert re.search(r"lower bound +\S+ +(proved by a dual certificate|claimed)", out)
    assert " checks pass; the exact proof is in the certificate" in out


def test_a_raw_design_says_that_nothing_is_proved(capsys, tmp_path):
    path = tmp_path / "mechanism.csv"
    code, out, _ = run(capsys, f"{TABLE_4} --raw --out {path}")
    assert code == 0
    assert re.search(r"objective +\S+ +recomputed", out)
    assert re.search(r"lower bound +\S+ +recomputed from the solver's dual solution", out)
    assert path.read_text().startswith("# RAW: the unrepaired solution of an engine; nothing of it is proved")
    assert [entry.name for entry in tmp_path.iterdir()] == ["mechanism.csv"]
    assert json.loads(run(capsys, f"{TABLE_4} --raw --json")[1])["raw"] is True


@each("line", SHOWN, every=3)
def test_json_is_one_object_with_the_promised_keys(capsys, line):
    code, out, _ = run(capsys, f"{line} --json")
    content = json.loads(out)
    assert code == 0
    assert {"objective", "lower_bound", "status", "solver", "effective_epsilon", "seconds"} <= content.keys()
    assert content["status"] == "optimal"
    assert content["verified"] is True
    assert float(content["effective_epsilon"]) > 0


@pytest.mark.parametrize("solver", SOLVERS)
def test_table_4_is_printed_and_written(capsys, tmp_path, solver):
    path = tmp_path / "mechanism.csv"
    code, out, err = run(capsys, f"{TABLE_4} --solver {solver} --explain --out {path}")
    assert (code, err) == (0, "")
    assert "0  0.315  0.191  0.116  0.070  0.043  0.026" in out
    assert f"written to {path}" in out
    assert om.MatrixMechanism.from_csv(path).matrix[0, 0] == pytest.approx(0.3152634454833562)
    question = question_file(tmp_path, TABLE_4.removeprefix("design "))
    code, out, _ = run(capsys, f"verify {path} {question}")
    assert code == 0
    assert "all 7 floating-point checks pass; nothing is proved" in out


def test_verify_says_no_with_exit_code_1_and_names_the_place(capsys, tmp_path):
    path = tmp_path / "mechanism.csv"
    path.write_text("response,0,1\n0,1.0,0.0\n1,0.0,1.0\n")
    question = question_file(tmp_path, "count --range 0:1 --epsilon 5")
    code, out, _ = run(capsys, f"verify {path} {question}")
    assert code == 1
    assert "the privacy loss is infinite" in joined(out)
    code, out, _ = run(capsys, f"verify {path} {question} --json")
    assert code == 1
    assert json.loads(out)["verified"] is False


@pytest.mark.parametrize(
    "line",
    [
        "kadam --modulus 9 --distances 1,2,3 --epsilon 1.5 --delta 0.1238",
        "kadam --modulus 9 --distances 1,2,3 --epsilon 1.5 --at-most 0.6",
        "sadeghi --epsilon 1 --accuracy 0.5 --half-width 2 --counts 1:3",
        "sadeghi-symmetric --epsilon 1 --accuracy 0.5 --half-width 2",
    ],
)
def test_every_formulation_can_be_verified_from_its_file(capsys, tmp_path, line):
    path = tmp_path / "m.csv"
    assert run(capsys, f"design {line} --out {path}")[0] == 0
    code, out, _ = run(capsys, f"verify {path} {question_file(tmp_path, line)}")
    assert code == 0, out


@pytest.mark.parametrize("given", [["--epsilon", "ln 2"], ["--epsilon", "LOG(2)"], ["--exp-epsilon", "2"]])
def test_a_logarithm_is_designed_verified_and_shown(capsys, tmp_path, given):
    """Table 3's question at ln 2 has the optimum 43/8."""
    path, question = tmp_path / "m.csv", ["--query", "count", "--range", "0:5", *given]
    code, out, _ = run(capsys, ["design", "croft", *question, "--out", str(path), "--json"])
    content = json.loads(out)
    assert code == 0
    assert content["epsilon"] == "ln 2"
    assert content["objective"] == pytest.approx(5.375)
    asked = question_file(tmp_path, shlex.join(["croft", *question]))
    code, out, _ = run(capsys, f"verify {path} {asked}")
    assert code == 0
    assert "effective epsilon 0.69314718056 is within ln 2" in out


def test_a_file_may_give_a_logarithm(capsys, tmp_path):
    path = tmp_path / "problem.toml"
    for epsilon in ("ln 2", "log(2)"):
        path.write_text(
            '[[instance]]\n[instance.question]\nquery = {kind = "count", smallest = 1, largest = 3}\n'
            f'privacy = {{kind = "per-outcome", epsilon = "{epsilon}"}}\n'
            'structure = {kind = "zero-bias", accuracy = "0.5", half_width = 2}\nobjective.least = "delta"\n'
        )
        code, out, _ = run(capsys, f"design {path} --json")
        assert (code, json.loads(out)["epsilon"]) == (0, "ln 2")


def test_a_file_of_instances_is_designed(capsys):
    path = FORMULATIONS / "croft_variant_2.toml"
    code, out, _ = run(capsys, f"design {path} --json")
    assert code == 0
    assert json.loads(out)["objective"] == pytest.approx(6.828620090658517)
    code, out, _ = run(capsys, f"design {path} --instance table-2 --json")
    assert json.loads(out)["objective"] == pytest.approx(5.759620992422625)


@pytest.mark.parametrize("form", ["mps", "lp"])
def test_a_model_is_exported(capsys, tmp_path, form):
    line = f"export-model croft --query count --range 0:2 --epsilon 1 --format {form}"
    code, out, _ = run(capsys, line)
    assert code == 0
    assert "privacy" in out
    path = tmp_path / f"model.{form}"
    code, output, _ = run(capsys, f"{line} --out {path}")
    assert path.read_text() == out
    assert joined(output) == f"9 columns and 15 rows written to {path}"


BAD = [
    ("design croft --query count --range 0:5 --epsilon -0.5", "`epsilon` must be positive; got -0.5."),
    ("design croft --query count --range 0:5 --epsilon 0", "`epsilon` must be positive; got 0."),
    ("design croft --query count --range 0:5 --epsilon nan", "`epsilon` must be a finite number; got 'nan'."),
    ("design croft --query count --range 0:5 --epsilon inf", "`epsilon` must be a finite number; got 'inf'."),
    ("design croft --query count --range 0:5 --epsilon 701", "`epsilon` must be at most 700; got 701."),
    ("design count --range 0:5 --epsilon 1e400", "`epsilon` must be at most 700; got 1.00e+400. Beyond"),
    ("design croft --query count --range 0:5 --epsilon abc", "got 'abc'"),
    ("design croft --query count --range 0:5 --epsilon ln(1)", "`epsilon` must be positive; got 0."),
    ("design croft --query count --range 0:5 --epsilon ln(1/2)", "`epsilon` must be positive; got ln 1/2."),
    (
        "design croft --query count --range 0:5 --epsilon ln(0)",
        "`epsilon` must be the logarithm of a positive number; got 'ln(0)'.",
    ),
    (
        "design croft --query count --range 0:5 --epsilon log2(8)",
        "`epsilon` must be a number or a natural logarithm; got 'log2(8)'.",
    ),
    (
        "design croft --query count --range 0:5 --epsilon 1 --exp-epsilon 2",
        "`epsilon` and `exp_epsilon` must not both be given; got 1 and 2.",
    ),
    (
        "design sadeghi-symmetric --exp-epsilon 0.5 --accuracy 0.5 --half-width 2",
        "`exp_epsilon` must be at least 1; got 0.5.",
    ),
    ("design kadam --modulus 9 --distances 1 --exp-epsilon 1", "`epsilon` must be positive; got 0."),
    (
        "design sadeghi --epsilon -1 --accuracy 0.5 --half-width 2 --counts 1:3",
        "`epsilon` must be zero or more",
    ),
    ("design croft --query count --range 5:0 --epsilon 1", "smallest first; got 5..0."),
    (
        "design croft --query count --range 5 --epsilon 1",
        "`range` must be SMALLEST:LARGEST, such as 0:5; got '5'.",
    ),
    (
        "design croft --query count --range -3:3 --epsilon 1",
        "`smallest` must be at least 0 for a count; got -3.",
    ),
    (
        "design croft --query sum --range 0:5 --epsilon 1",
        "must be one of count, mean, total, extremum, residues, vector, categories, graph; got 'sum'.",
    ),
    ("design croft --query mean --range 0:5 --epsilon 1", "`records` must be given for a mean"),
    (
        "design croft --query mean --records 0 --range 0:5 --epsilon 1",
        "`records` of kind mean must be a whole number of at least 1; got 0.",
    ),
    (
        "design croft --query count --records 5 --range 0:5 --epsilon 1",
        "`records` must be left out for count",
    ),
    (
        "design croft --query count --range 0:5",
        "`epsilon` must be given for croft. Instead, `exp_epsilon`",
    ),
    ("design croft --query count --range 0:5 --epsilon 1 --variant 3", "`variant` must be 1 or 2; got 3."),
    (
        "design croft --query count --range 0:1 --epsilon 1 --prior 0.5,0.6",
        "`prior` must sum to one; got 1.1.",
    ),
    ("design croft --query count --range 0:5 --epsilon 1 --prior 0.5,0.5", "`prior` must have 6 entries"),
    ("design croft --query count --range 0:5 --epsilon 1 --loss cubic", "`loss` must be one of absolute"),
    ("design croft --query count --range 0:5 --epsilon 1 --property nice", "`properties` must be among"),
    (
        "design croft --query count --range 0:5 --epsilon 1 --solver gurobi",
        "solver 'gurobi' is not available",
    ),
    ("design croft --query count --range 0:5 --epsilon 1 --time-limit -1", "`time_limit` must be positive"),
    ("design croft --query count --range 0:5 --epsilon 1 --threads 0", "`threads` must be"),
    ("design croft --query count --range 0:5 --epsilon 1 --out /no/such/folder/m.csv", "must be writable"),
    ("design croft --query count --range 0:5 --epsilon 1 --out /", "must be a file to write"),
    ("design kadam --modulus 9 --distances 9 --epsilon 1", "`distances` must lie between 1 and 8"),
    (
        "design kadam --modulus 9 --distances 1 --epsilon 1 --delta 1.5",
        "`delta` must be zero or more and below 1; got 1.5.",
    ),
    (
        "design kadam --modulus 9 --distances 1 --epsilon 1 --delta -0.1",
        "`delta` must be zero or more and below 1; got -0.1.",
    ),
    ("design kadam --modulus 9 --distances 1 --epsilon 1 --cost cubic", "`cost` must be one of"),
    ("design kadam --modulus 9 --distances 1 --epsilon 1 --cost 0,1", "`cost` must have 9 entries"),
    (
        "design kadam --modulus 9 --distances 1 --epsilon 1 --reading wild",
        "`reading` must be one of definition, printed",
    ),
    (
        "design kadam --modulus 9 --distances 1 --epsilon 1 --delta 0.1 --at-most 0.1",
        "must not both be given",
    ),
    (
        "design kadam --modulus 9 --distances 1 --epsilon 1 --at-most -1",
        "`at_most` must be zero or more; got -1.",
    ),
    (
        "design sadeghi --epsilon 1 --accuracy 1 --half-width 2 --counts 1:3",
        "`accuracy` must lie strictly between",
    ),
    (
        "design sadeghi --epsilon 1 --accuracy 0 --half-width 2 --counts 1:3",
        "`accuracy` must lie strictly between",
    ),
    (
        "design sadeghi --epsilon 1 --accuracy 0.5 --half-width 0 --counts 1:3",
        "`half_width` must be a whole number of at least 1",
    ),
    (
        "design sadeghi --epsilon 1 --accuracy 0.5 --half-width 2 --counts 0:3",
        "`counts` must start at 1 or above; got 0.",
    ),
    (
        "design sadeghi --epsilon 1 --accuracy 0.5 --half-width 2 --counts 3:1",
        "`counts` must run from small to large",
    ),
    (
        "design sadeghi-symmetric --epsilon 1 --accuracy 0.5 --half-width 2 --counts 1:3",
        "two or more counts from the half-width 2 on",
    ),
    (
        "design sadeghi-symmetric --epsilon 1 --accuracy 0.5 --half-width 2 --rows few",
        "`rows` must be one of all, paper",
    ),
    ("design /no/such/file.toml", "must be a file that can be read; got no such file or directory."),
    (f"design {FORMULATIONS / 'croft_variant_1.toml'} --instance none", "`instance` must be one of table-3"),
    ("verify /no/such/file.csv /no/such/question.toml", "must be a file that can be read"),
    ("verify m.csv question.toml", "`question.toml` must be a file that can be read"),
    ("verify m.csv --instance table-3", "`--instance` must be an option of optmech verify;"),
]


@each(("line", "sentence"), BAD)
def test_bad_input_gets_a_sentence_and_exit_code_2(capsys, line, sentence):
    code, out, err = run(capsys, line)
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.startswith("optmech: ")
    assert "Traceback" not in err


@pytest.mark.parametrize(("line", "sentence"), [BAD[0], BAD[13], BAD[20]])
def test_bad_input_writes_nothing(capsys, tmp_path, line, sentence):
    code, _, err = run(capsys, f"{line} --out {tmp_path / 'm.csv'}")
    assert code == 2
    assert sentence in err
    assert not list(tmp_path.iterdir())


@each("line", ["design", "design other", "unknown", "", "design croft --variant two"])
def test_what_cannot_be_parsed_ends_with_exit_code_2_too(capsys, line):
    code, out, err = run(capsys, line)
    assert code == 2
    assert out.count("\n") == (9 if line == "" else 0)  # without a word, a short help
    assert err.startswith("optmech: `" if line else "")
    assert len(err.splitlines()) <= 1


def test_an_impossible_question_says_so_with_exit_code_1(capsys, tmp_path):
    line = "design kadam --modulus 3 --distances 1,2 --epsilon 0.1 --at-most 0 --out"
    # Cost 0 means no noise: everything leaks, delta is one. Where noise 0 costs something, it is impossible.
    code, out, _ = run(capsys, "design kadam --modulus 3 --distances 1 --epsilon 1 --at-most 0 --json")
    assert code == 1
    assert "delta must be below 1" in json.loads(out)["error"]
    code, out, err = run(capsys, f"{line} {tmp_path / 'm.csv'} --cost 1,1,1")
    assert (code, out) == (1, "")
    assert "no mechanism for residues modulo 3" in err
    assert "infeasible" in err.lower()
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_matrix_that_is_not_private_is_marked_in_its_file(capsys, tmp_path):
    path = tmp_path / "m.csv"
    question = "croft --query count --range 0:60 --epsilon 2"
    code, out, err = run(capsys, f"design {question} --raw --out {path}")
    assert code == 0
    assert "effective epsilon  infinite: a zero is beside a positive entry" in out
    assert "do not publish with this matrix" in err
    first, second, _ = path.read_text().split("\n", 2)
    assert first.startswith("# RAW")
    assert second.startswith("# pure privacy FAILS: ")
    asked = question_file(tmp_path, question)
    assert run(capsys, f"verify {path} {asked}")[0] == 1
    code, out, err = run(capsys, f"design {question} --engine program --explain --out {path}")
    assert (code, err) == (0, "")
    verdict, reported = out.split("reported by the certificate, not verified:")
    assert "infinite" not in verdict
    assert 'effective_epsilon "inf"' in reported
    assert run(capsys, f"verify {path} {asked}")[0] == 0
    assert run(capsys, f"verify {path}")[0] == 0


def test_one_sided_noise_comes_with_a_warning(capsys):
    _, _, err = run(capsys, "design kadam --modulus 9 --distances 1 --epsilon 1 --one-sided")
    assert "this is not differential privacy" in err


@pytest.mark.slow
def test_a_run_without_a_terminal_shows_no_progress():
    done = subprocess.run(
        [sys.executable, "-m", "optmech", *TABLE_4.split()], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert "\x1b" not in done.stdout


@pytest.mark.slow
def test_a_reader_that_stops_early_is_no_error():
    done = subprocess.run(
        f"{sys.executable} -m optmech export-model croft --query count --range 0:80 --epsilon 1 | head -1",
        shell=True,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""


OF_A_QUESTION = ("certify", "verify", "card", "report")


def parsers():
    """Return every parser; the examples of a sweep take long.

    Cards and reports take the questions that `verify` takes: one of each is enough.
    """
    known = {
        parser.prog: parser
        for parser in all_parsers(build_parser())
        if not re.match(r"optmech (card|report) (?!count|file)", parser.prog)
    }
    long = [name for name in known if name.endswith("sweep")]
    quick = [name for name in known if name not in long][::8]
    slow = [name for name in known if name not in {*long, *quick}][::3]
    marks = dict.fromkeys(quick, ()) | dict.fromkeys(slow, pytest.mark.slow)
    return [
        pytest.param(parser, id=name, marks=marks.get(name, pytest.mark.long))
        for name, parser in known.items()
    ]


@pytest.mark.parametrize("parser", parsers())
def test_every_help_shows_a_line_that_runs(capsys, monkeypatch, tmp_path, filled, parser):
    examples = re.findall(r"^  optmech (.*)$", unbroken(parser.format_help()), re.MULTILINE)
    assert examples
    for number, example in enumerate(examples):
        monkeypatch.chdir(shutil.copytree(filled, tmp_path / str(number)))
        if example.split()[0] in SERVERS:
            assert build_parser().parse_args(example.split())
        else:
            words = shlex.split(example)
            if words[0] in OF_A_QUESTION and len(words) > 2 and words[-1] == "mechanism.csv":
                run(capsys, ["design", *words[1:-1], "--out", words[-1], "-q"])  # it is not there yet
            # A clone has no proved checker before it is built.
            words = [str(CHECKER) if word == "coq/optmech-check" else word for word in words]
            code, _, err = run(capsys, words)
            assert code == 0, f"{example}: {err}"


def test_a_command_waits_for_no_library_that_it_does_not_use():
    """Loading these takes longer than all the rest; a design and its proof need none of them."""
    heavy = ["scipy.stats", "scipy.optimize", "scipy.linalg", "matplotlib"]
    program = f"import sys, optmech.cli.commands; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
