"""A certificate is refused at once, whatever numbers and lists it holds."""

from __future__ import annotations

import json
import sys
import time

import pytest

import optmech as om
from optmech.cli import main

# Processor seconds of a refusal, in this process: others may be busy.
SECONDS = 2.0
LONG = "9" * 4200


def nested(depth):
    lists = []
    for _ in range(depth):
        lists = [lists]
    return lists


def edited(content, place, value):
    """Return the text of a certificate with another value at a place such as ``question.query.reach``."""
    fields = json.loads(json.dumps(content))
    *before, last = (int(part) if part.isdigit() else part for part in place.split("."))
    part = fields
    for name in before:
        part = part[name]
    part[last] = value
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return "{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in fields.items()) + "\n}\n"
    finally:
        sys.set_int_max_str_digits(digits)


def refusal(tmp_path, text):
    """Return why a certificate is refused, which takes no time."""
    path = tmp_path / "hostile.certificate.json"
    path.write_text(text)
    before = time.process_time()
    with pytest.raises((om.FileFormatError, om.VerificationError)) as trouble:
        om.read_certificate(path)
    assert time.process_time() - before < SECONDS
    assert len(str(trouble.value)) < 600
    return str(trouble.value)


@pytest.fixture(scope="module")
def contents(tmp_path_factory):
    """Certificates of several kinds, as values."""
    problems = {
        "weighted": om.question(om.Query(range(3), neighbours=[(0, 1, 2), (1, 2, 3)]), "0.5", delta="0.01"),
        "noise": om.sadeghi_symmetric(1, "0.5", 2),
        "circle": om.kadam(om.residues(5, [1]), 1, "0.1"),
        "vector": om.question(om.vector([2, 2], [[0, 1], [1, 0]]), 1, structure=om.ModularNoise((2, 2))),
        "limits": om.question(om.count(3), 1, properties=["within 3"], bounds="worst beyond 1 <= 0.9"),
    }
    content = {}
    for name, problem in problems.items():
        path = tmp_path_factory.mktemp(name) / "m.certificate.json"
        om.write_certificate(om.design(problem).certificate, path)
        content[name] = json.loads(path.read_text())
    return content


HOSTILE = [
    ("weighted", "question.query.weights.0", 10**8),
    ("weighted", "question.query.weights.0", int(LONG)),
    ("weighted", "question.query.weights.0", -(10**9)),
    ("weighted", "question.query.weights", [10**8] * 4),
    ("weighted", "question.privacy.0.epsilon", LONG),
    ("weighted", "question.privacy.0.epsilon", "0." + "0" * 4100 + "1"),
    ("weighted", "question.privacy.0.epsilon", f"1/{LONG}"),
    ("weighted", "question.privacy.0.epsilon", f"ln {LONG}"),
    ("weighted", "question.privacy.0.epsilon", "ln 1." + "0" * 3900 + "1"),
    ("weighted", "question.privacy.0.epsilon", "1e999999999"),
    ("weighted", "question.privacy.0.delta", "0." + "9" * 4350),
    ("weighted", "question.privacy.0.delta", "9" * 1_000_000),
    ("weighted", "question.privacy.0.delta", f"{LONG}/{LONG}7"),
    ("weighted", "question.privacy.0.lower", "1." + "0" * 3900 + "1"),
    ("weighted", "question.privacy.0.lower", "9" * 3999 + "/" + "9" * 3998),
    ("weighted", "mechanism.denominator", "9" * 1_000_000),
    ("weighted", "mechanism.rows.0", " ".join(["1"] * 60_000)),
    ("weighted", "mechanism.rows", ["1"] * 60_000),
    ("weighted", "question.query.truths", list(map(str, range(60_000)))),
    ("weighted", "question.query.truths", "9" * 1_000_000),
    ("weighted", "question.query.pairs", [[0, 1]] * 60_000),
    ("weighted", "question.query.responses", [["0", "1"]] * 30_000),
    ("weighted", "question.query.reach", 10**9),
    ("weighted", "question.query.labels", list(map(str, range(60_000)))),
    ("weighted", "question.objective.costs", nested(900)),
    ("weighted", "question.objective.loss", "beyond " + LONG),
    ("weighted", "question.objective.weights", ["1/" + "9" * 3000 + str(part) for part in range(1000, 1003)]),
    ("weighted", "question.objective.weights", ["1"] * 60_000),
    ("weighted", "proof.denominator", "9" * 1_000_000),
    ("weighted", "proof.tree.privacy", [["0 1"]] * 30_000),
    ("weighted", "proof.tree.totals", "9" * 4300),
    ("weighted", "bound", "9" * 1_000_000),
    ("weighted", "delta", "1/" + "9" * 1_000_000),
    ("noise", "question.structure.half_width", 10**9),
    ("noise", "question.structure.half_width", int(LONG)),
    ("noise", "question.structure.accuracy", "0." + "9" * 4100),
    ("circle", "question.query.reach", 10**9),
    ("circle", "question.objective.at_most", LONG),
    ("vector", "question.structure.moduli", [10**9] * 8),
    ("vector", "question.structure.moduli", [2] * 30_000),
    ("vector", "question.structure.moduli", [int(LONG)]),
    ("limits", "question.limits", ["within " + LONG]),
    ("limits", "question.limits", ["without " + " ".join(map(str, range(30_000)))]),
    ("limits", "question.limits", ["accuracy >= 1/" + LONG]),
    ("limits", "question.bounds.0.at_most", LONG),
    ("limits", "question.bounds.0.costs", ["0 0 0 0"] * 30_000),
]


@pytest.mark.parametrize(
    ("kind", "place", "value"), HOSTILE, ids=[f"{k}-{p}-{i}" for i, (k, p, _) in enumerate(HOSTILE)]
)
def test_a_certificate_of_any_size_is_refused_at_once(contents, tmp_path, kind, place, value):
    refusal(tmp_path, edited(contents[kind], place, value))


@pytest.mark.parametrize("depth", [2000, 200_000])
@pytest.mark.parametrize("place", ["question", "proof", "reported"])
def test_a_nest_of_any_depth_is_refused_at_once(contents, tmp_path, place, depth):
    text = edited(contents["weighted"], place, "here").replace('"here"', "[" * depth + "]" * depth)
    refusal(tmp_path, text)


@pytest.mark.parametrize("field", ["weights", "epsilon"])
def test_a_number_too_large_is_named_by_its_rule(contents, tmp_path, field):
    if field == "weights":
        text = edited(contents["weighted"], "question.query.weights", [10**8] * 4)
        assert "epsilon times the largest weight of neighbours must be at most 700" in refusal(tmp_path, text)
    else:
        text = edited(contents["weighted"], "question.privacy.0.epsilon", LONG)
        assert "must hold numbers of at most 4,000 digits" in refusal(tmp_path, text)


def test_a_small_epsilon_does_not_make_a_heavy_edge_light(contents, tmp_path):
    """The exponent is small, and the power is a ratio of billions of digits."""
    content = json.loads(edited(contents["weighted"], "question.privacy.0.epsilon", "1e-9"))
    refusal(tmp_path, edited(content, "question.query.weights", [10**8] * 4))


@pytest.mark.parametrize(
    "command",
    [
        "verify {}",
        "card {}",
        "report {} --out r.html",
        "apply {} t.csv --column n --out r.csv",
        "estimate t.csv --column n --mechanism {}",
        "compose {} --epsilon 1",
        "export {} --format c",
    ],
)
def test_every_command_refuses_it_with_a_sentence(contents, tmp_path, monkeypatch, capsys, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("n\n1\n")
    (tmp_path / "m.json").write_text(edited(contents["weighted"], "question.query.weights", [10**8] * 4))
    before = time.process_time()
    assert main(command.format("m.json").split()) == 2
    assert time.process_time() - before < SECONDS
    out, err = capsys.readouterr()
    assert "at most 700" in err
    assert "Traceback" not in out + err
    assert {path.name for path in tmp_path.iterdir()} == {"t.csv", "m.json"}


def test_what_is_as_large_as_it_may_be_is_read(contents, tmp_path):
    for content in contents.values():
        path = tmp_path / "m.json"
        path.write_text(edited(content, "version", content["version"]))
        om.read_certificate(path)
