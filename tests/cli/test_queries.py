"""Queries on the command line: what each kind needs, and how answers that are no numbers are shown."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import optmech as om
from optmech.cli import main
from optmech.question.graphs import categories, graph
from optmech.question.problems.named import named_problem
from optmech.question.vectors import vector
from tests.each import each

ROOT = Path(__file__).parents[2]
COLOURS = "design categories --of red,green,blue --epsilon 1 --loss zero-one"
VECTOR = "design vector --moduli 3,3"


def run(capsys, line):
    code = main(line.split() if isinstance(line, str) else line)
    out, err = capsys.readouterr()
    return code, out, err


@each(
    ("choices", "query"),
    [
        ({"query": "count", "range": "0:4", "records_per_person": 2}, om.count(4, records_per_person=2)),
        (
            {"query": "mean", "range": "0:2", "records": 4, "records_per_person": 3},
            om.mean(4, 2, records_per_person=3),
        ),
        ({"query": "residues", "modulus": 5, "distances": [1]}, om.residues(5, [1])),
        (
            {"query": "vector", "moduli": [3, 3], "distances": [[0, 1], [1, 0]], "symmetric": False},
            vector((3, 3), [(0, 1), (1, 0)], symmetric=False),
        ),
        (
            {"query": "vector", "moduli": [3, 4], "distances": [1], "changes": "apart"},
            vector((3, 4), [1], "apart"),
        ),
        (
            {
                "query": "categories",
                "of": ["a", "b"],
                "distance": [["0", "1.5"], ["1.5", "0"]],
                "unit": "0.5",
            },
            categories("ab", [[0, 1.5], [1.5, 0]], unit="0.5"),
        ),
        (
            {"query": "graph", "edges": [["a", "b", "1"], ["b", "c", "2"]], "shortest_paths": True},
            graph([("a", "b", 1), ("b", "c", 2)], shortest_paths=True),
        ),
    ],
)
def test_choices_make_the_query_that_python_makes(choices, query):
    built_query = named_problem("question", {**choices, "epsilon": "1", "loss": "zero-one"}).query
    assert built_query.name == query.name
    assert built_query.labels == query.labels
    assert built_query.pairs.tolist() == query.pairs.tolist()
    assert built_query.weights.tolist() == query.weights.tolist()


@pytest.mark.parametrize(
    ("choices", "says"),
    [
        ({"query": "categories", "of": "1,2"}, r"`of` must be a list of texts, .*; got '1,2'"),
        (
            {"query": "graph", "edges": [{"from": "a", "to": "b"}]},
            r"`edges` must be \(node, node\).*; got \{'from'",
        ),
        ({"query": "graph", "edges": [{"a", "b"}]}, r"`edges` must be \(node, node\)"),
        ({"query": "count", "range": "0:3", "as_private_as": 2}, "`noise` must be text; got 2"),
    ],
)
def test_choices_of_another_type_get_a_sentence(choices, says):
    epsilon = {} if "as_private_as" in choices else {"epsilon": "1"}
    with pytest.raises(om.ProblemError, match=says):
        named_problem("question", {**choices, **epsilon})


@each(
    "line",
    [
        COLOURS,
        f"{COLOURS} --distance 0,1,2;1,0,2;2,2,0 --property fair",
        "design graph --edges a,b,1;b,c,1/2 --unit 1/2 --epsilon 1 --loss zero-one",
        f"{VECTOR} --distances 0,1;1,0 --epsilon 1",
        f"{VECTOR} --distances 1 --changes apart --epsilon 1 --structure modular --loss error-rate",
        "design kadam --moduli 5,5 --distances 0,1,2 --changes together --one-sided --epsilon 3",
        "design croft --query count --range 0:6 --records-per-person 2 --epsilon 1",
    ],
    every=2,
)
def test_each_kind_is_designed_with_a_proof(capsys, line):
    code, out, err = run(capsys, line)
    assert (code, "warning" in err) == (0, "--one-sided" in line), err
    assert "proved" in out


def test_the_distance_of_categories_may_be_their_loss(capsys):
    line = "design categories --of a,b,c --epsilon 0.2 --json"
    code, out, _ = run(capsys, f"{line} --distance 0,1,4;1,0,4;4,4,0 --loss distance")
    distance = [[0, 1, 4], [1, 0, 4], [4, 4, 0]]
    problem = om.question(categories("abc", distance), "0.2", loss=distance)
    assert code == 0
    assert json.loads(out)["objective"] == pytest.approx(om.design(problem).objective, abs=1e-9)


def test_labels_stand_in_the_table(capsys):
    _, out, _ = run(capsys, f"{COLOURS} --explain")
    lines = out.splitlines()
    assert [line.split() for line in lines if "<- truth" in line] == [
        ["response", "red", "green", "blue", "<-", "truth"]
    ]
    assert [line.split()[0] for line in lines if line.strip().startswith(("red", "green", "blue"))] == [
        "red",
        "green",
        "blue",
    ]
    _, noise, _ = run(capsys, "design kadam --moduli 2,2 --distances 1 --changes apart --epsilon 1 --explain")
    assert [line.split()[0] for line in noise.splitlines() if line.strip().startswith("(")] == [
        "(0,0)",
        "(0,1)",
        "(1,0)",
        "(1,1)",
    ]


def test_labels_leave_with_the_matrix_and_come_back(capsys, tmp_path):
    csv, table, released = (str(tmp_path / name) for name in ("colours.csv", "table.csv", "released.csv"))
    assert run(capsys, f"{COLOURS} --out {csv}")[0] == 0
    assert om.MatrixMechanism.from_csv(csv).labels == ("red", "green", "blue")
    certificate = csv.replace(".csv", ".certificate.json")
    assert run(capsys, f"verify {certificate} {csv}")[0] == 0
    for part in ROOT.glob("check_*.py"):
        shutil.copy(part, tmp_path)
    command = [sys.executable, "check_certificate.py", certificate, csv]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    Path(table).write_text("who,colour\n1,red\n2,blue\n3,red\n")
    assert run(capsys, f"apply {csv} {table} --column colour --out {released}")[0] == 0
    rows = [line.split(",") for line in Path(released).read_text().splitlines()]
    assert rows[0] == ["who", "colour"]
    assert len(rows) == 4
    assert {row[1] for row in rows[1:]} <= {"red", "green", "blue"}
    Path(table).write_text("who,colour\n1,red\n2,pink\n")
    Path(released).unlink()
    code, _, err = run(capsys, f"apply {csv} {table} --column colour --again --out {released}")
    assert (code, Path(released).exists()) == (2, False)
    assert "must hold answers among" in err


@each(
    ("line", "sentence"),
    [
        ("vector --distances 1", "`moduli` must be given for a vector, such as 3,3."),
        ("vector --moduli 3,3", "`distances` must be given for a vector"),
        ("vector --moduli 3,3 --distances 1", "`distances` must hold lists of whole numbers; got 1"),
        (
            "vector --moduli 3,3 --distances 0,1;1,0 --range 0:4",
            "`--range` must be an option of optmech design vector; it is unknown. `optmech design` takes it",
        ),
        ("categories", "`of` must be given for categories, such as red,green,blue."),
        ("categories --of red,red", "`names` must be two or more different texts"),
        ("categories --of a,b --loss absolute", "are no numbers, such as a; got 'absolute'"),
        ("categories --of a,b --loss distance", "`distance` must be given as a matrix"),
        (
            "categories --of a,b --distance 0,x;x,0",
            "`distance` must be a finite number; got 'x'",
        ),
        ("graph", "`edges` must be given for a graph"),
        ("graph --edges a", "`edges` must be (node, node) or (node, node, weight); got ['a']"),
        ("graph --edges a,b,0.5 --loss zero-one", "Give unit='0.5'"),
        (
            "count --range 0:4 --records-per-person 0",
            "`records_per_person` of kind count must be a whole number of at least 1; got 0.",
        ),
        (
            "mean --range 0:4 --records 2 --records-per-person 3",
            "`records_per_person` must be at most 2, as there are records; got 3.",
        ),
        (
            "extremum --range 0:4 --records-per-person 2",
            "`--records-per-person` must be an option of optmech design extremum; it is unknown.",
        ),
        (
            "categories --of a,b --loss zero-one --property column-monotone",
            "must not depend on order or distance",
        ),
    ],
)
def test_what_a_query_lacks_is_said(capsys, line, sentence):
    code, out, err = run(capsys, f"design {line} --epsilon 1")
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


@each(
    "line",
    [
        "design count --range 0:3 --epsilon 1/3 --loss squared",
        "design count --range 0:5000 --epsilon 1",
        "prices count --range 0:3 --epsilon 1 --property fair",
        "compare mean --records 2 --range 0:1 --epsilon 1",
        "find epsilon count --range 0:3 --target 0.5",
        "export-model count --range 0:3 --epsilon 1 --delta 0.1",
    ],
    every=2,
)
def test_json_has_the_question_as_a_table(capsys, line):
    code, out, _ = run(capsys, f"{line} --json")
    assert code == 0
    content = json.loads(out)
    content = content["questions"][0] if "questions" in content else content
    problem = om.Problem.from_dict(content["question"])
    assert str(problem).partition(": ")[2] == content["problem"].partition(": ")[2]
