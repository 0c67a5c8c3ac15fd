"""The audit of libraries as a user asks for it; its rows are made up where the libraries' own take long."""

from __future__ import annotations

import csv
import importlib.metadata
import json

import pytest

from benchmarks.audit.command import run as main
from benchmarks.audit.library import libraries as audited
from benchmarks.audit.library.verdict import LibraryRow
from optmech.base.wrapping import WIDTH
from optmech.cli.first_screen import LINES
from tests.each import each

VERSIONS = {"opendp": "0.16.0", "diffprivlib": "0.6.6"}


def made_up(verdict, **fields):
    numbers = {"claimed_epsilon": 1.0, "claimed_delta": 0.0, "epsilon": 1.0, "delta": 0.0, **fields}
    return LibraryRow(
        library="opendp",
        version="0.16.0",
        mechanism=f"make_something_of_that_kind(scale={len(verdict)})",
        inputs="scores 0..2 of three candidates",
        law="RECOMPUTED",
        verdict=verdict,
        **numbers,
    )


KEEPS = made_up("KEEPS")
LESS = made_up("SPENDS_LESS", epsilon=0.5)
ROUNDS = made_up("ROUNDS", epsilon=float("inf"), delta=1.2e-16)
BREAKS = made_up("BREAKS", epsilon=2.0, delta=0.25, remark="the same number as for one use")
UNKNOWN = LibraryRow(
    library="opendp",
    version="0.16.0",
    mechanism="does not load",
    verdict="UNKNOWN",
    remark="no \x1b[31m module",
)


@pytest.fixture
def audit(monkeypatch, capsys):
    def version(name):
        if name not in VERSIONS:
            raise importlib.metadata.PackageNotFoundError(name)
        return VERSIONS[name]

    monkeypatch.setattr(importlib.metadata, "version", version)

    def run(rows, *words):
        monkeypatch.setattr(audited, "audit", lambda library: iter(rows if library.name == "opendp" else []))
        code = main(["library", *words])
        out, err = capsys.readouterr()
        return code, out, err

    return run


@each(
    ("rows", "code", "sentence"),
    [
        ([KEEPS, LESS], 0, "no mechanism breaks its promise"),
        ([ROUNDS], 0, "spends infinite; exact δ there 1.3e-16"),
        ([LESS], 0, "claims ε 1, spends 0.5, 0.5 less"),
        ([BREAKS, KEEPS], 1, "FAILS: claims ε 1, spends 1.0e+00 more; exact δ there 0.25"),
        ([UNKNOWN, KEEPS], 0, "not examined: opendp does not load (no \\x1b[31m module)"),
        (
            [made_up("BREAKS", claimed_delta=1e-6, epsilon=None, delta=0.5)],
            1,
            "with δ 1e-06; exact δ there 0.5",
        ),
        ([made_up("ROUNDS", epsilon=3.5, is_least=True)], 0, "spends at least 3.5"),
    ],
)
def test_the_screen_says_what_is_kept_and_what_is_not(audit, rows, code, sentence):
    got, out, _ = audit(rows)
    assert got == code
    assert sentence in " ".join(out.split())
    assert "dp-accounting not installed; `pip install dp-accounting`" in " ".join(out.split())


def test_a_screen_is_a_screen_and_explain_lists_all(audit):
    rows = [*[BREAKS] * 5, ROUNDS, LESS, KEEPS, UNKNOWN]
    _, out, _ = audit(rows)
    lines = out.splitlines()
    assert len(lines) <= LINES, out
    assert max(map(len, lines)) <= WIDTH
    assert "; and 4 more" in out
    _, out, _ = audit(rows, "--explain")
    assert out.count("breaks its promise") == 5
    assert "could not be examined: no" in out
    assert max(map(len, out.splitlines())) <= WIDTH


def test_json_and_a_table_hold_every_row(audit, tmp_path):
    path = tmp_path / "audit.csv"
    code, out, _ = audit([BREAKS, ROUNDS], "opendp", "--json", "--out", str(path))
    content = json.loads(out)
    assert code == content["broken"] == 1
    assert content["libraries"] == [{"name": "opendp", "version": "0.16.0"}]
    assert [row["verdict"] for row in content["rows"]] == ["BREAKS", "ROUNDS"]
    with path.open(newline="") as file:
        assert [row["verdict"] for row in csv.DictReader(file)] == ["BREAKS", "ROUNDS"]


def test_another_version_than_the_one_that_was_read_is_said(audit, monkeypatch):
    assert "were read at" not in audit([KEEPS])[1]
    monkeypatch.setitem(VERSIONS, "opendp", "0.17.0")
    assert "read at opendp 0.16.0;" in audit([KEEPS])[1]


@each(
    ("words", "sentence"),
    [
        (["numpy"], "a library must be one of diffprivlib, dp-accounting, opendp; got 'numpy'"),
        (["dp-accounting"], "dp-accounting is not. Run `pip install dp-accounting`"),
        (["opendp", "--out", "x.json"], ".csv"),
    ],
)
def test_what_cannot_be_audited_is_a_sentence(audit, words, sentence):
    code, out, err = audit([KEEPS], *words)
    assert (code, out) == (2, "")
    assert sentence in err
    assert json.loads(audit([KEEPS], *words, "--json")[1])["exit_code"] == 2
