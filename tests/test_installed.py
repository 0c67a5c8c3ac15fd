"""What somebody has who installed the package and has no clone."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import optmech as om
from optmech import check
from tests.docs.shown import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
INCLUDED = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]


def test_the_wheel_has_every_checker():
    names = {path.name for path in ROOT.glob("check_*.py")}
    assert {name: f"optmech/checkers/{name}" for name in names} == INCLUDED


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificates")
    paths = [folder / "matrix.json", folder / "noise.json"]
    for path, problem in zip(paths, (om.croft(om.count(3), 1), om.question(om.count(9), 1)), strict=True):
        om.write_certificate(om.design(problem), path)
    return paths


def run(*words):
    command = [sys.executable, "-m", "optmech.check", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_checker_runs_as_a_part_of_the_package(certificates, tmp_path):
    for path in certificates:
        done = run(path)
        assert (done.returncode, done.stderr) == (0, "")
        assert "epsilon = 1" in done.stdout or "epsilon 1" in done.stdout
    forged = tmp_path / "forged.json"
    forged.write_text(certificates[0].read_text().replace('"epsilon": "1"', '"epsilon": "0.9"'))
    assert forged.read_text() != certificates[0].read_text()
    done = run("--json", forged)
    assert done.returncode == 1
    assert '"refused"' in done.stdout


def test_the_checker_reads_nothing_of_the_package():
    for path in check.checkers().glob("check_*.py"):
        imports = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom)]
        assert not [node for node in imports if (node.module or "").startswith("optmech")]


def texts_of(path):
    """Yield every text of a file that is no docstring, and no source of a theorem."""
    tree = ast.parse(path.read_text())
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    sources = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg == "source"
    }
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and id(node) not in docstrings | sources:
            yield node.value


def test_no_message_sends_anybody_to_a_file_that_is_not_installed():
    for path in sorted(Path(om.__file__).parent.rglob("*.py")):
        for text in texts_of(path):
            assert "docs/" not in text, path


@pytest.mark.slow
@pytest.mark.parametrize("how", [["."], ["--editable", "."]], ids=["wheel", "editable"])
def test_the_checkers_command_is_there_however_it_was_installed(how, certificates, tmp_path):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    place = tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    pip = [sys.executable, "-m", "pip", "--python", place / "python", "install", "--quiet", "--no-deps"]
    subprocess.run([*pip, "lazy_loader", "packaging"], check=True)
    subprocess.run([*pip, *how], check=True, cwd=ROOT)
    for path in certificates:
        done = subprocess.run(
            [place / "optmech-check-certificate", path],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
        )
        assert (done.returncode, done.stderr) == (0, "")
