"""The question comes first: each has the options that fit it, and a histogram says what it spends."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import optmech as om
from optmech.cli import main
from optmech.cli.commands import GROUPS, build_parser, command_of
from optmech.cli.question_parsers import ALL_QUESTIONS
from optmech.question.privacy import ApproximatePrivacy
from optmech.question.problems.named import named_problem
from tests.each import each
from tests.question_file import question_file
from tests.screen import joined

CHECKER = Path(__file__).parents[2] / "check_certificate.py"
ASKED = {
    "count --range 0:6 --epsilon 1": lambda: om.question(om.count(6), 1),
    "mean --records 4 --range 1:3 --epsilon 1": lambda: om.question(om.mean(4, 3, smallest=1), 1),
    "total --records 4 --range 1:3 --epsilon 1": lambda: om.question(om.total(4, 1, 3), 1),
    "total --records 4 --range 1:3 --epsilon 1 --adjacency add-remove": lambda: om.question(
        om.total(4, 1, 3, adjacency="add-remove"), 1
    ),
    "extremum --range 1:5 --epsilon 1": lambda: om.question(om.extremum(1, 5), 1),
    "categories --of a,b,c --epsilon 1": lambda: om.question(om.categories("abc"), 1, loss="zero-one"),
    "graph --edges 'a,b,1;b,c,2' --epsilon 1": lambda: om.question(
        om.graph([("a", "b", 1), ("b", "c", 2)]), 1, loss="zero-one"
    ),
    "count --range 0:6 --privacy '0.5,1e-3; 1,1e-6'": lambda: om.question(
        om.count(6), privacy=[("0.5", "1e-3"), ("1", "1e-6")]
    ),
}


def run(capsys, line):
    code = main(shlex.split(line))
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("line", ["--version", "--help", "desgin", "--json"])
def test_what_needs_no_command_loads_none(line):
    code = (
        "import contextlib, sys\n"
        "from optmech.cli import main\n"
        "with contextlib.suppress(SystemExit):\n"
        f"    main([{line!r}])\n"
        "print(sorted({'numpy', 'scipy', 'optmech.cli.design', 'optmech.cli.parsers'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_command_is_found_by_its_name():
    for name in (name for group in GROUPS.values() for name in group):
        command = command_of(name)
        assert command.name == name
        assert all(member.summary for member in getattr(command, "members", ()))


@each("line", ASKED, every=2)
def test_a_question_is_the_one_that_python_asks(capsys, tmp_path, line):
    out = tmp_path / "m.csv"
    assert run(capsys, f"design {line} --out {out}")[0] == 0
    certificate = om.read_certificate(tmp_path / "m.certificate.json")
    read, problem = certificate.problem, ASKED[line]()
    assert str(read).removeprefix("certified: ") == str(problem).removeprefix("question: ")
    assert read.privacies == problem.privacies


@each(
    ("question", "has", "lacks"),
    [
        ("count", "--range --structure --half-width --privacy", "--records --of --edges --modulus --variant"),
        ("mean", "--records --range --records-per-person", "--adjacency --structure --of --distances"),
        ("total", "--records --adjacency", "--structure --variant"),
        ("extremum", "--range --worst-case", "--records --records-per-person --structure --variant"),
        ("categories", "--of --distance --loss", "--range --records --structure --modulus"),
        ("histogram", "--range --adjacency --records-per-person --delta", "--least --structure --definition"),
        ("kadam", "--modulus --cost --reading", "--range --worst-case --privacy"),
    ],
)
def test_help_lists_the_options_that_fit(question, has, lacks):
    options = set(build_parser().children()["design"].children()[question].flags)
    assert set(has.split()) <= options
    assert not set(lacks.split()) & options


def test_every_question_is_listed_once_in_the_help_of_design():
    text = build_parser().children()["design"].format_help()
    assert [
        name for name in re.findall(r"^  ([a-z-]+) (?!--)", text, re.MULTILINE) if name in ALL_QUESTIONS
    ] == [*ALL_QUESTIONS]


@pytest.mark.slow
def test_the_total_of_a_certificate_is_checked_and_told_by_who_shares_nothing(capsys, tmp_path):
    for adjacency, text in (("change", "at most 3 apart"), ("add-remove", "at most 2 apart")):
        line = f"design total --records 3 --range -1:2 --epsilon 1 --adjacency {adjacency}"
        proof = tmp_path / f"{adjacency}.certificate.json"
        assert run(capsys, f"{line} --out {tmp_path / adjacency}.csv")[0] == 0
        done = subprocess.run([sys.executable, CHECKER, proof], capture_output=True, text=True, check=True)
        told = " ".join(done.stdout.split())
        assert "total of 3 records -1..2" in told
        assert text in told
        content = json.loads(proof.read_text())
        content["question"]["query"]["parameters"]["records_per_person"] = 2
        proof.write_text(json.dumps(content))
        assert subprocess.run([sys.executable, CHECKER, proof], capture_output=True, check=False).returncode
        assert run(capsys, f"verify {proof}")[0] == 2


@each(
    ("typed", "cell", "text"),
    [
        (
            "--epsilon 1 --adjacency change",
            "0.5",
            "changing one record moves two cells by 1 each: each unit spends epsilon = 0.5",
        ),
        ("--epsilon 1", "1", "removing one record moves one cell by 1 and spends"),
        (
            "--epsilon 1 --adjacency change --records-per-person 3",
            "1/6",
            "changing 3 records moves cells by 6",
        ),
        ("--epsilon 1 --records-per-person 2 --adjacency add-remove", "0.5", "moves cells by 2 in all"),
        (
            "--epsilon 1 --delta 1e-4 --adjacency change",
            "0.5",
            "each unit spends epsilon = 0.5, delta = 0.00005, all of them",
        ),
        (
            "--privacy '1,1e-4; 2,1e-6' --adjacency change",
            "0.5",
            "delta = 0.00005 and epsilon = 1, delta = 0.0000005, all of them",
        ),
        ("--epsilon 'ln 2' --adjacency add-remove", "ln 2", "spends epsilon = ln 2"),
    ],
    every=2,
)
def test_a_histogram_gives_each_cell_its_part(capsys, typed, cell, text):
    line = f"design histogram --range 0:4 {typed}"
    code, out, _ = run(capsys, f"{line} --explain")
    assert code == 0
    assert out.startswith("histogram: one draw for each cell, which share no record; ")
    out = joined(out)
    assert text in out
    assert (f"card and report say, is of one cell: epsilon = {cell}" in out) == ("all of them" in out)
    content = json.loads(run(capsys, f"{line} --json")[1])
    assert content["epsilon"] == cell
    assert content["histogram"]["text"] in out
    assert content["histogram"]["cell"][0][0] == cell


def test_two_cells_that_one_change_moves_lose_no_more_than_the_histogram_says():
    """By definition: the product of two cells, of tables between which one record was changed."""
    choices = {"range": "0:3", "epsilon": "0.8", "adjacency": "change"}
    matrix = om.design(named_problem("histogram", choices)).certificate.matrix
    cell = [[Fraction(entry) for entry in row] for row in matrix.numerators.tolist()]
    worst = max(
        cell[r][f] * cell[s][g] / (cell[r][f + 1] * cell[s][g - 1])
        for r in range(4)
        for s in range(4)
        for f in range(3)
        for g in range(1, 4)
        if cell[r][f + 1] * cell[s][g - 1]
    )
    assert 2.2 < worst <= Fraction("2.22554092849246760457953753140")  # e^0.8, and nearly all of it is spent


def test_the_objective_is_a_mean_first_and_a_sum_where_a_paper_has_it(capsys):
    sum_of_it = run(capsys, "design croft --query count --range 0:5 --epsilon 0.5 --explain")[1]
    mean_of_it = run(capsys, "design count --range 0:5 --epsilon 0.5")[1]
    number = r"^{} +([\d.]+)   proved"
    first, total = (
        float(re.search(number.format(name), sum_of_it, re.MULTILINE)[1]) for name in ("objective", "sum")
    )
    assert total == pytest.approx(6 * first)
    assert first == pytest.approx(float(re.search(number.format("objective"), mean_of_it, re.MULTILINE)[1]))
    assert sum_of_it.index("objective ") < sum_of_it.index("\nsum ")
    assert "\nsum " not in mean_of_it
    content = json.loads(run(capsys, "design croft --query count --range 0:5 --epsilon 0.5 --json")[1])
    assert content["objective"] == pytest.approx(6 * content["objective_per_truth"])


RULE = """
[[question.rules]]
name = "rarely the mirror image"
entries = [[3, 0, 1], [0, 3, "1"]]
sense = "<="
right = "0.01"
"""


def test_a_file_states_a_question_and_a_linear_rule(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = question_file(".", "count --range 0:3 --epsilon 1")
    plain = json.loads(run(capsys, f"design {path} --json")[1])["objective"]
    path.write_text(path.read_text() + RULE)
    code, out, _ = run(capsys, f"design {path} --out m.csv")
    assert code == 0
    assert 'rule "rarely the mirror image"' in out
    certificate = om.read_certificate("m.certificate.json")
    rule = om.LinearRule("rarely the mirror image", {(3, 0): 1, (0, 3): 1}, "<=", "0.01")
    assert certificate.problem.rules == (rule,)
    assert rule.gap(om.MatrixMechanism.from_csv("m.csv").matrix) == 0
    assert float(certificate.objective) > plain
    Path("m.certificate.json").unlink()
    for command in ("verify", "card", "report"):
        assert run(capsys, f"{command} m.csv question.toml")[0] == 0
    run(capsys, "design count --range 0:3 --epsilon 1 --out other.csv")
    code, out, _ = run(capsys, "verify other.csv question.toml")
    assert code == 0 or "rarely the mirror image" in out
    assert code == 1


@each(
    ("text", "sentence"),
    [
        ("rules = 1", "`question.rules` must be a list of tables; got 1."),
        ('[[question.rules]]\nname = "a"', "`question.rules.entries` must be given for a linear rule: "),
        (
            RULE.replace("[3, 0, 1]", "[3, 0]"),
            "a coefficient, each position once, such as [3, 0, 1]; got [3, 0].",
        ),
        (
            RULE.replace('[[3, 0, 1], [0, 3, "1"]]', "{a = 1}"),
            "`question.rules.entries` must be a list of triples: ",
        ),
        (RULE.replace("[3, 0, 1]", '[0, 3, "2"]'), "each position once, such as [3, 0, 1]; got [0, 3, '1']."),
        (RULE.replace("[3, 0, 1]", "[3.0, 0, 1]"), "such as [3, 0, 1]; got [3.0, 0, 1]."),
        (RULE.replace("[3, 0, 1]", "[9, 0, 1]"), "refers to (9, 0). Positions begin at 0."),
        (RULE.replace("<=", "<"), "`sense` must be one of <=, >=, =; got '<'."),
        (RULE.replace('"0.01"', '"much"'), "`question.rules.right` must be a finite number; got 'much'."),
        (
            'privacy = "1"',
            "`question.privacy` must be a table of a `kind`, pure, approximate, per-outcome, probabilistic",
        ),
        ("privacy = [[1]]", "`question.privacy` must be a table of a `kind`"),
        ("privacy = 3", "`question.privacy` must be a table of a `kind`"),
    ],
)
def test_a_file_with_a_wrong_rule_gets_a_sentence(capsys, tmp_path, text, sentence):
    path = tmp_path / "question.toml"
    privacy = "" if "privacy" in text else 'privacy = {kind = "pure", epsilon = "1"}\n'
    query = 'query = {kind = "count", smallest = 0, largest = 3}\n'
    path.write_text(f"[question]\n{query}{privacy}{text}\n")
    code, out, err = run(capsys, f"design {path} --out {tmp_path / 'm.csv'}")
    assert (code, out) == (2, "")
    assert sentence in err
    assert [entry.name for entry in tmp_path.iterdir()] == ["question.toml"]


@pytest.mark.parametrize(
    ("given", "same"),
    [
        (("0.5", "1e-3"), [ApproximatePrivacy("0.5", "1e-3")]),
        (
            [("1", "1e-6"), ("0.5", "1e-3")],
            [ApproximatePrivacy("0.5", "1e-3"), ApproximatePrivacy(1, "1e-6")],
        ),
        (
            [(1, 0.25), ApproximatePrivacy("0.5", "0.5")],
            [ApproximatePrivacy("0.5", "0.5"), ApproximatePrivacy(1, "0.25")],
        ),
    ],
)
def test_pairs_are_definitions(given, same):
    assert om.question(om.count(3), privacy=given).privacies == tuple(same)


@each("given", ["0.5,1e-3", 5, ("0.5",), [1, 2, 3], [("1", "2")], [("1", None)], [], {1: 2}])
def test_what_is_no_pair_is_refused_with_what_to_write(given):
    with pytest.raises(om.ProblemError, match=r"`(privacy|delta)` must .* got"):
        om.question(om.count(3), privacy=given)


def words_of_question(command, formulation):
    """Return the options of a command that say what is asked, in the question of a formulation."""
    parser = build_parser().children()
    for word in command.split():
        parser = parser[word].children()
    listed = parser[formulation].format_help().split("\nquestion:\n")[1].split("\n\n")[0]
    return set(re.findall(r"^  (--[a-z-]+)", listed, re.MULTILINE))


@each("formulation", ["count", "mean", "residues", "categories", "croft", "kadam"])
def test_all_commands_take_the_question_words_of_design(formulation):
    words = words_of_question("design", formulation)
    for command in ("certify", "crosscheck", "compare", "prices", "export-model"):
        assert words_of_question(command, formulation) == words, command
    pairs, epsilon = {"--privacy", "--as-private-as"}, {"--epsilon", "--exp-epsilon"}
    assert words_of_question("frontier", formulation) == words - pairs
    assert words_of_question("find epsilon", formulation) == words - pairs - epsilon
    assert words_of_question("find accuracy", formulation) == words - {"--accuracy"}


def test_help_of_a_command_without_a_question_loads_no_engine():
    for line in ("tabulate --help", "completion --help", "doctor --help"):
        code = (
            "import contextlib, sys\n"
            "from optmech.cli import main\n"
            "with contextlib.suppress(SystemExit):\n"
            f"    main({line.split()!r})\n"
            "print(sorted({'numpy', 'optmech.cli.solving', 'optmech.question'} & sys.modules.keys()))"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.splitlines()[-1] == "[]", line
