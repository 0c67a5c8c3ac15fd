"""A file proves everything again when it is read, and nothing that was changed in it."""

from __future__ import annotations

import json

import numpy as np
import pytest

import optmech as om
from optmech.base.errors import FileFormatError, VerificationError
from optmech.designs.implicit.text import (
    implicit_text,
    read_implicit,
    read_implicit_text,
    says_implicit,
    write_implicit,
)


def made(n=40, **choices):
    return om.implicit_count(n, "0.5", **choices)


@pytest.mark.parametrize(
    "choices",
    [
        {},
        {"loss": "squared", "prior": "uniform"},
        {"loss": [0, "1/3", 2]},
        {"prior": np.random.default_rng(0).dirichlet(np.ones(41))},
        {"prior": np.repeat([0.5, 0, 0.5], [1, 39, 1])},
    ],
)
def test_writing_and_reading_is_the_identity(tmp_path, choices):
    mechanism = made(**choices)
    write_implicit(mechanism, tmp_path / "m.json")
    again = read_implicit(tmp_path / "m.json")
    assert implicit_text(again) == implicit_text(mechanism) == (tmp_path / "m.json").read_text()
    assert (again.objective, again.bound) == (mechanism.objective, mechanism.bound)
    assert (again.column(7) == mechanism.column(7)).all()


def test_the_text_says_what_it_is_and_is_short():
    text = implicit_text(om.implicit_count(100_000, "1"))
    assert says_implicit(text)
    assert len(text) < 5000
    assert not says_implicit('{\n"format": "optmech certificate",')


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


@pytest.mark.parametrize(
    ("path", "to"),
    [
        (("decay", "numerator"), less),  # not private
        (("floor", "numerator"), more),  # no bound
        (("decay", "numerator"), more),  # another objective
        (("question", "epsilon"), lambda _: "0.4999"),
        (("question", "epsilon"), lambda _: "0.5001"),
        (("question", "prior"), lambda _: "uniform"),
        (("question", "loss"), lambda _: "squared"),
        (("objective",), lambda text: text[:-1] + "1"),
        (("bound",), lambda text: "1" + text),
        (("objective",), lambda _: "1e30000000"),  # as a number it would take hours
        (("bound",), lambda _: "-1e-30000000"),
        (("smoothing",), lambda _: 10),  # another bound
        (("prices", "extras"), lambda text: "9" + text),
        (("prices", "extras"), lambda text: "-1" + text),
        (("prices", "bits"), lambda bits: bits - 1),
        (("remap",), lambda text: "0" + text[1:]),
    ],
)
def test_a_changed_file_is_refused_for_what_does_not_hold(path, to):
    text = implicit_text(made())
    wrong = changed(text, *path, to=to)
    assert wrong != text
    with pytest.raises(VerificationError, match=r"Do not use its mechanism\.$"):
        read_implicit_text(wrong)


@pytest.mark.parametrize(
    ("path", "to"),
    [
        (("question", "largest"), lambda _: 10**12),
        (("question", "largest"), lambda _: 41),
        (("question", "largest"), lambda _: "40"),
        (("question", "epsilon"), lambda _: "-1"),
        (("question", "loss"), lambda _: ["2", "1"]),
        (("remap",), lambda _: "0 1*99999999999"),
        (("remap",), lambda _: f"{2**80} 0*40"),
        (("remap",), lambda _: ""),
        (("prices", "extras"), lambda text: text + "*-3"),
        (("prices", "extras"), lambda text: text.replace(" ", "  ", 1)),
        (("prices", "bits"), float),
        (("smoothing",), lambda _: -1),
        (("smoothing",), lambda _: 10**9),
        (("decay", "bits"), lambda _: 10**9),
        (("decay", "numerator"), lambda _: "x"),
        (("decay",), lambda _: None),
        (("objective",), lambda _: "1/0"),
        (("version",), lambda _: 2),
        (("format",), lambda _: "optmech certificate"),
    ],
)
def test_a_file_that_is_not_as_described_is_refused(path, to):
    with pytest.raises(
        (FileFormatError, VerificationError), match=r"(Nothing in it is proved|Do not use its)"
    ):
        read_implicit_text(changed(implicit_text(made()), *path, to=to))


@pytest.mark.parametrize("text", ["", "[]", "{", "null", "[" * 100_000, '{"format": NaN}'])
def test_text_that_is_no_certificate_is_refused(text):
    with pytest.raises(FileFormatError, match=r"Nothing in it is proved"):
        read_implicit_text(text, "m.json")


def test_fields_twice_or_beside_those_described_are_refused():
    text = implicit_text(made())
    for wrong in (
        text.replace("{\n", '{\n"note": "",\n', 1),
        text.replace('"version": 1', '"version": 1,\n"version": 1'),
    ):
        with pytest.raises(FileFormatError, match="as described"):
            read_implicit_text(wrong)
