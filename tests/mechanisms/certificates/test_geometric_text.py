"""A file proves everything again when it is read, and nothing that was changed in it."""

from __future__ import annotations

import json

import numpy as np
import pytest

import optmech as om
from optmech.base.errors import FileFormatError, VerificationError
from optmech.mechanisms.certificates.certificate_text import certificate_text, read_certificate_text
from optmech.mechanisms.source import mechanism_of
from tests.each import each
from tests.path import distribution


def made(n=40, **choices):
    return distribution(n, "0.5", **choices).certificate


@pytest.mark.parametrize(
    "choices",
    [
        {},
        {"loss": "squared", "prior": "uniform"},
        {"loss": [0, 0.3, 2]},
        {"loss": "beyond 2"},
        {"prior": np.random.default_rng(0).dirichlet(np.ones(41))},
        {"prior": np.repeat([0.5, 0, 0.5], [1, 39, 1])},
    ],
)
def test_writing_and_reading_is_the_identity(tmp_path, choices):
    mechanism = made(**choices)
    om.write_certificate(mechanism, tmp_path / "m.json")
    again = om.read_certificate(tmp_path / "m.json")
    assert certificate_text(again) == certificate_text(mechanism) == (tmp_path / "m.json").read_text()
    assert (again.objective, again.bound) == (mechanism.objective, mechanism.bound)
    assert (mechanism_of(again).column(7) == mechanism_of(mechanism).column(7)).all()


@pytest.mark.slow
def test_the_text_says_what_it_is_and_is_short():
    text = certificate_text(distribution(100_000, "1").certificate)
    assert len(text) < 5000
    content = json.loads(text)
    assert (content["format"], content["version"]) == ("optmech certificate", 1)
    assert "distribution" in content
    assert "matrix" not in content


def test_a_question_of_another_kind_and_a_count_from_elsewhere_come_back():
    two = om.count(1, records_per_person=3)
    for query in (om.Query(range(3, 9), name="mine"), om.count(8, smallest=3), two, om.total(4, 0, 1)):
        proved = om.design(om.question(query, "ln 3", loss="squared"), engine="geometric").certificate
        again = read_certificate_text(certificate_text(proved)).problem
        assert (again.query.title, again.query.truths) == (query.title, query.truths)
        assert again.privacy == proved.problem.privacy


def test_whoever_asks_for_the_matrix_is_told_that_there_is_none():
    proved = made()
    with pytest.raises(om.NotAcceptedError, match=r"count 0\.\.40 is a distribution without one"):
        _ = proved.matrix


def changed(text, *path, to):
    content = json.loads(text)
    inner = content
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = to(inner[path[-1]])
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in content.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def more(text):
    return str(int(text) + 1)


def less(text):
    return str(int(text) - 1)


@each(
    ("path", "to"),
    [
        (("distribution", "decay", "numerator"), less),  # not private
        (("proof", "floor", "numerator"), more),  # no bound
        (("distribution", "decay", "numerator"), more),  # another objective
        (("question", "epsilon"), lambda _: "0.4999"),
        (("question", "epsilon"), lambda _: "0.5001"),
        (("question", "weights"), lambda _: "uniform"),
        (("question", "loss"), lambda _: "squared"),
        (("objective",), lambda text: text[:-1] + "1"),
        (("bound",), lambda text: "1" + text),
        (("objective",), lambda _: "1e30000000"),  # as a number it would take hours
        (("bound",), lambda _: "-1e-30000000"),
        (("proof", "smoothing"), lambda _: 10),  # another bound
        (("proof", "prices", "extras"), lambda text: "9" + text),
        (("proof", "prices", "extras"), lambda text: "-1" + text),
        (("proof", "prices", "bits"), lambda bits: bits - 1),
        (("distribution", "remap"), lambda text: "0" + text[1:]),
    ],
)
def test_a_changed_file_is_refused_for_what_does_not_hold(path, to):
    text = certificate_text(made())
    wrong = changed(text, *path, to=to)
    assert wrong != text
    with pytest.raises(VerificationError, match=r"Do not use its mechanism\.$"):
        read_certificate_text(wrong)


@each(
    ("path", "to"),
    [
        (("question", "query", "parameters", "largest"), lambda _: 10**12),
        (("question", "query", "parameters", "largest"), lambda _: 41),
        (("question", "query", "parameters", "largest"), lambda _: "40"),
        (("question", "epsilon"), lambda _: "-1"),
        (("question", "loss"), lambda _: ["2", "1"]),
        (("distribution", "remap"), lambda _: "0 1*99999999999"),
        (("distribution", "remap"), lambda _: f"{2**80} 0*40"),
        (("distribution", "remap"), lambda _: ""),
        (("proof", "prices", "extras"), lambda text: text + "*-3"),
        (("proof", "prices", "extras"), lambda text: text.replace(" ", "  ", 1)),
        (("proof", "prices", "bits"), float),
        (("proof", "smoothing"), lambda _: -1),
        (("proof", "smoothing"), lambda _: 10**9),
        (("distribution", "decay", "bits"), lambda _: 10**9),
        (("distribution", "decay", "numerator"), lambda _: "x"),
        (("distribution", "decay"), lambda _: None),
        (("objective",), lambda _: "1/0"),
        (("version",), lambda _: 2),
        (("format",), lambda _: "optmech implicit certificate"),
    ],
)
def test_a_file_that_is_not_as_described_is_refused(path, to):
    with pytest.raises(
        (FileFormatError, VerificationError), match=r"(Nothing in it is proved|Do not use its)"
    ):
        read_certificate_text(changed(certificate_text(made()), *path, to=to))


@each("text", ["", "[]", "{", "null", "[" * 100_000, '{"format": NaN}'])
def test_text_that_is_no_certificate_is_refused(text):
    with pytest.raises(FileFormatError, match=r"Nothing in it is proved"):
        read_certificate_text(text, "m.json")


def test_fields_twice_or_beside_those_described_are_refused():
    text = certificate_text(made())
    for wrong in (
        text.replace("{\n", '{\n"note": "",\n', 1),
        text.replace('"version": 1', '"version": 1,\n"version": 1'),
    ):
        with pytest.raises(FileFormatError, match=r"as described|and no others|has a field twice"):
            read_certificate_text(wrong)
