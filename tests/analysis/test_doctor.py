"""Each broken part of a machine is a finding with a remedy, and never an error."""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import tomllib
from pathlib import Path

import numpy as np
import pytest

from optmech.analysis import doctor
from optmech.cli import main
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.models.solvers.cbc import Cbc
from optmech.models.solvers.highs import Highs
from tests.each import each

NEEDED = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]["dependencies"]


def bad(part, name):
    """Return what is found of one thing, which does not work."""
    (found,) = [one for one in doctor.examine() if (one.part, one.name) == (part, name)]
    assert not found.works
    assert found.remedy.endswith((".", "`."))
    return found


@pytest.fixture
def quick(monkeypatch):
    """Leave out the self-test."""
    monkeypatch.setattr(doctor, "_designed", lambda _: "")


def test_a_machine_that_works_is_told_so(capsys):
    assert main(["doctor", "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["works"]
    assert {one["part"] for one in content["findings"]} == {"versions", "solvers", "self-test"}
    names = {one["name"] for one in content["findings"]}
    assert all(any(line.replace("_", "-").startswith(name) for name in names) for line in NEEDED)


@pytest.mark.usefixtures("quick")
def test_a_missing_cbc_is_a_finding_with_the_version_of_pulp_that_brings_it(monkeypatch, capsys):
    monkeypatch.setattr(Cbc, "_binary", lambda _: None)
    assert bad("solvers", "cbc").remedy == 'Install it with `pip install "pulp<4"`.'
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert "FAILS  cbc" in out
    assert 'Install it with `pip install "pulp<4"`.' in " ".join(out.split())
    assert len(out.splitlines()) <= 16


@pytest.mark.usefixtures("quick")
def test_the_release_of_highs_that_is_wrong_is_found_by_its_number(monkeypatch):
    monkeypatch.setattr(Highs, "_version", lambda _: "1.14.0")
    assert "it gives wrong answers to mixed-integer programs" in bad("solvers", "highs").remedy


@pytest.mark.usefixtures("quick")
@each("trouble", [ImportError("libgfortran.so.5: no such file"), OSError("bad ELF"), SystemError()])
def test_a_library_that_does_not_load_is_a_finding(trouble):
    usual = importlib.import_module

    def broken(name, *more):
        if name == "scipy":
            raise trouble
        return usual(name, *more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(importlib, "import_module", broken)
        found = bad("versions", "scipy")
    assert found.text == f"{type(trouble).__name__}: {trouble}".removesuffix(": ")
    assert 'pip install --force-reinstall "scipy>=1.12"' in found.remedy


def test_draws_that_are_not_the_law_are_found(monkeypatch):
    usual = MatrixMechanism.sample

    def leaning(self, truths, **how):
        drawn = np.asarray(usual(self, truths, **how)).copy()
        drawn[: len(drawn) // 100] = 0  # one draw in a hundred
        return drawn

    monkeypatch.setattr(MatrixMechanism, "sample", leaning)
    assert "chi-square" in bad("self-test", "design by highs").text


def test_a_solver_that_answers_wrongly_is_found(monkeypatch):
    monkeypatch.setattr(doctor, "_TABLE_4", 6.9)
    assert "where Table 4 has 6.9" in bad("self-test", "design by highs").text
