"""Each broken part of a machine is a finding with a remedy, and never an error."""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import os
import re
import secrets
import sys
import tempfile
import tomllib
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from optmech.analysis.doctor import Finding, State, examine, packages, questions, self_test
from optmech.base.wrapping import wrapped
from optmech.cli import doctor, main
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.models.solvers import installed_solvers
from optmech.models.solvers.cbc import Cbc
from optmech.models.solvers.highs import Highs

PROJECT = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())["project"]
# A user of optmech needs none of these.
FOR_DEVELOPERS = {"benchmarks", "dev", "docs", "test"}


def asked(part, name):
    """Return what is found of one thing."""
    (question,) = [one for one in questions() if (one.part, one.name) == (part, name)]
    return list(examine([question]))


def bad(part, name):
    (result,) = asked(part, name)
    assert result.state is State.BAD
    assert result.remedy.endswith((".", "`."))
    return result


def test_on_this_machine_all_works():
    result = list(examine(questions()))
    assert [(one.name, one.text) for one in result if one.state is State.BAD] == []
    assert {one.part for one in result} == {"versions", "solvers", "extras", "machine", "self-test"}


def test_what_is_required_is_what_the_project_requires():
    assert {f"{name}{versions}" for name, (_, versions) in packages.REQUIRED.items()} == set(
        PROJECT["dependencies"]
    )


def test_a_remedy_by_pip_brings_no_version_of_pulp_that_brings_no_cbc():
    remedies = [one.remedy for one in questions()] + [one.remedy for one in installed_solvers()]
    named = re.findall(r"pip install (?:--\S+ )*\"?(pulp[^`\"]*)", " ".join(remedies))
    assert named
    assert {name.rpartition("<")[2] for name in named} == {"4"}


def test_the_extras_are_those_of_the_project():
    stated = PROJECT["optional-dependencies"]
    assert packages.EXTRAS.keys() == stated.keys() - FOR_DEVELOPERS
    for name, (_, needed) in packages.EXTRAS.items():
        expected = {re.match(r"[\w-]+", line).group() for line in stated[name]}
        assert {"highspy" if package == "highspy-extras" else package for package in needed} == expected


def test_a_missing_cbc_is_a_finding(monkeypatch):
    monkeypatch.setattr(Cbc, "_binary", lambda _: None)
    result = bad("solvers", "cbc")
    assert result.text == "solver 'cbc' is not available"
    assert result.remedy == 'Install it with `pip install "pulp<4"`.'
    assert "'cbc' is not available" in bad("self-test", "design by cbc").text


def test_the_release_of_highs_that_is_wrong_is_found_by_its_number(monkeypatch):
    monkeypatch.setattr(Highs, "_version", lambda _: "1.14.0")
    assert "it gives wrong answers to mixed-integer programs" in bad("solvers", "highs").remedy
    monkeypatch.setattr(importlib.metadata, "version", lambda _: "1.14.0")
    result = bad("versions", "highspy")
    assert result.text == "1.14.0 gives wrong answers to mixed-integer programs"
    assert result.remedy == 'Run `pip install --upgrade "highspy>=1.13,!=1.14.0,!=1.16.0"`.'


@pytest.mark.parametrize(
    "trouble", [ImportError("libgfortran.so.5: no such file"), OSError("bad ELF"), SystemError()]
)
def test_a_library_that_does_not_load_is_a_finding(monkeypatch, trouble):
    usual = importlib.import_module

    def broken(name, *more):
        if name == "scipy":
            raise trouble
        return usual(name, *more)

    monkeypatch.setattr(importlib, "import_module", broken)
    result = bad("versions", "scipy")
    assert result.text == f"{type(trouble).__name__}: {trouble}".removesuffix(": ")
    assert 'pip install --force-reinstall "scipy>=1.12"' in result.remedy


def test_a_version_that_is_too_old_is_a_finding(monkeypatch):
    monkeypatch.setattr(importlib.metadata, "version", lambda _: "1.9.3")
    assert bad("versions", "numpy").text == "1.9.3 is older than 1.26"


def test_an_extra_that_is_not_there_is_no_failure(monkeypatch):
    def missing(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    (result,) = asked("extras", "figures")
    assert result.state is State.ABSENT
    assert result.remedy == 'Run `pip install "optmech[figures]"`.'


def test_a_full_disk_a_missing_folder_and_a_broken_source_of_randomness_are_findings(monkeypatch):
    full = SimpleNamespace(f_bavail=1, f_frsize=4096)
    monkeypatch.setattr(os, "statvfs", lambda _: full, raising=False)
    assert "TMPDIR" in bad("machine", "temporary folder").remedy
    monkeypatch.setattr(tempfile, "gettempdir", lambda: "/no/such/folder")
    monkeypatch.setattr(tempfile, "tempdir", "/no/such/folder")
    assert "FileNotFoundError" in bad("machine", "temporary folder").text
    monkeypatch.setattr(secrets, "token_bytes", bytes)
    assert "can be guessed" in bad("machine", "randomness").remedy


def test_draws_that_are_not_the_law_are_found(monkeypatch):
    usual = MatrixMechanism.sample

    def leaning(self, truths, **how):
        drawn = np.asarray(usual(self, truths, **how)).copy()
        drawn[: len(drawn) // 100] = 0  # one draw in a hundred
        return drawn

    monkeypatch.setattr(MatrixMechanism, "sample", leaning)
    assert "chi-square" in bad("self-test", "draws").text


def test_a_solver_that_answers_wrongly_is_found(monkeypatch):
    monkeypatch.setattr(self_test, "_TABLE_4", 6.9)
    assert "where Table 4 has 6.9" in bad("self-test", "design by highs").text


def test_arithmetic_that_accepts_anything_is_found(monkeypatch):
    monkeypatch.setattr(self_test, "_holds", lambda *_: True)
    assert bad("self-test", "exact arithmetic").text == "a spoiled certificate passes"
    monkeypatch.setattr(self_test, "_holds", lambda *_: False)
    assert "does not hold" in bad("self-test", "exact arithmetic").text


@pytest.mark.slow
def test_the_command_says_what_to_do_and_exits_with_1(monkeypatch, capsys):
    monkeypatch.setattr(Cbc, "_binary", lambda _: None)
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert "FAILS  cbc" in out
    assert "2 of " in out
    assert 'cbc: Install it with `pip install "pulp<4"`.' in out
    assert main(["doctor", "--json"]) == 1
    content = json.loads(capsys.readouterr().out)
    assert content["works"] is False
    states = {(one["part"], one["name"]): one["state"] for one in content["findings"]}
    assert states["solvers", "cbc"] == "bad"
    assert states["solvers", "highs"] == "good"


def test_a_machine_that_works_is_told_so(capsys):
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("all that is needed works\n")
    assert "solvers" in out
    assert len(out.splitlines()) <= 16


def test_however_many_extras_are_absent_the_doctor_prints_16_lines_at_most():
    findings = [
        Finding(part="extras", name=name, state=State.ABSENT, text="for some", remedy="Install it.")
        for name in ("accounting", "cluster", "figures", "notebooks", "opendp", "sweep", "tabulate") * 2
    ]
    lines = wrapped(doctor._counts(findings), 80)
    assert len(lines) <= 10
    assert "accounting, cluster, figures" in " ".join(lines)


def test_an_extra_that_is_installed_and_does_not_load_is_a_failure(monkeypatch, tmp_path):
    (tmp_path / "matplotlib.py").write_text("raise ImportError('undefined symbol')\n")
    monkeypatch.syspath_prepend(tmp_path)
    for module in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, module)
    (result,) = asked("extras", "figures")
    assert result.state is State.BAD
    assert "matplotlib does not load: undefined symbol" in result.text
    assert "--force-reinstall" in result.remedy
