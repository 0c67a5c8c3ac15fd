"""All commands and code of the README run."""

from __future__ import annotations

import pytest

from tests.docs.shown import (
    ROOT,
    agrees,
    blocks_of,
    copied_clone,
    lines_of,
    path_with_commands,
    run_block,
    run_line,
)
from tests.each import each

README = ROOT / "README.md"
BLOCKS = blocks_of(README)
SHELL_LINES = [line for block in BLOCKS if block.kind == "sh" for line in lines_of(block)]


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    return copied_clone(tmp_path_factory.mktemp("clone"))


@pytest.fixture(scope="module")
def commands(tmp_path_factory):
    return path_with_commands(tmp_path_factory.mktemp("bin"))


@pytest.mark.slow
@each("line", SHELL_LINES)
def test_every_shell_line_runs(line, clone, commands):
    if "pytest" in line or "benchmarks --smoke" in line:
        pytest.skip("this very run, or a step of its own")
    done = run_line(line, clone, commands)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


def test_every_python_block_runs(tmp_path):
    names, printed = {}, ""
    for block in (block for block in BLOCKS if block.kind == "python"):
        printed += run_block(block, names, tmp_path, {}, "README.md")
    assert names["certificate"].relative_gap < 1e-9
    assert "holds" in printed
    assert (tmp_path / "mechanism.csv").exists()
    assert (tmp_path / "mechanism.certificate.json").exists()


def test_tables_shown_are_tables_printed(clone, commands):
    shown = [block for block in BLOCKS if block.printed is not None]
    assert len(shown) == 2
    for block in shown:
        assert agrees(run_block(block, {}, clone, commands), f"…\n{block.printed}…")


def test_it_has_the_two_commands_that_ci_runs():
    lines = [line for line in README.read_text().splitlines() if line.startswith("pip install")]
    assert len(lines) == 2
    assert lines[0].startswith("pip install . && optmech design")
    assert lines[1] == 'pip install ".[test]" && pytest -n auto --dist worksteal'
