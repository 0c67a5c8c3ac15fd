"""The notebooks are committed without outputs, say why before each cell, and run."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import nbformat
import pytest

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
SECONDS = 300

each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def cells_of(path, kind):
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == kind]


def test_there_are_three():
    assert [path.stem for path in NOTEBOOKS] == [
        "design-and-release",
        "from-accuracy-to-epsilon",
        "reading-the-papers",
    ]


@each_notebook
def test_no_output_is_committed(path):
    assert all(not cell.outputs and cell.execution_count is None for cell in cells_of(path, "code"))


@each_notebook
def test_a_diff_shows_what_changed_and_nothing_else(path):
    """No widget state, no version of whoever ran it last, and one way to write it down."""
    text = path.read_text(encoding="utf-8")
    content = json.loads(text)
    nbformat.validate(content)
    assert content["metadata"] == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    assert all(cell["metadata"] == {} for cell in content["cells"])
    assert text == json.dumps(content, indent=1, ensure_ascii=False) + "\n"


@each_notebook
def test_it_claims_something(path):
    assert sum("assert " in cell.source for cell in cells_of(path, "code")) >= 5


@pytest.mark.slow
@each_notebook
def test_it_runs(path, tmp_path, monkeypatch):
    """Each in a folder of its own, with nothing at hand but what is installed, and no warning on its way."""
    client = pytest.importorskip("nbclient")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    notebook = nbformat.read(path, as_version=4)
    client.NotebookClient(
        notebook, timeout=SECONDS, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.get("name") == "stderr"]
    assert [output for output in outputs if "image/svg+xml" in output.get("data", {})]
    assert [output for output in outputs if "text/html" in output.get("data", {})]
    assert not list(tmp_path.iterdir())
