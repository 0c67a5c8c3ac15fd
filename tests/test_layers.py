"""Each room imports only from the rooms before it; only the command line prints."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "optmech"

# room -> the rooms it may import from (besides errors, version and itself)
MAY_IMPORT = {
    "errors": {"solution"},  # for a type only
    "version": set(),
    "notation": set(),
    "problem": set(),
    "model_text": {"model"},  # for a type only
    "model": {"model_text"},
    "solution": set(),
    "formulations": {"problem", "model"},
    "solvers": {"model", "solution", "model_text"},
    "privacy_loss": set(),
    "property_gaps": {"problem"},
    "files": {"problem", "exact"},
    "theorems": {"problem"},
    "exact": {"problem", "property_gaps"},
    "sampling": set(),
    "release": {"problem", "sampling"},
    "mechanism": {"problem", "privacy_loss", "property_gaps", "files", "sampling", "release", "exact"},
    "verify": {"problem", "mechanism", "privacy_loss", "property_gaps", "solution"},
    "engines": {
        "problem",
        "formulations",
        "model",
        "solution",
        "solvers",
        "theorems",
        "exact",
        "mechanism",
        "privacy_loss",
        "property_gaps",
    },
    "crosscheck": {"problem", "formulations", "engines", "theorems"},
    "audit": {"problem", "formulations", "engines", "exact", "solvers", "solution", "privacy_loss"},
    "baselines": {"problem", "privacy_loss"},
    "utility": {"problem", "mechanism"},
    "reproduce": {
        "problem",
        "formulations",
        "engines",
        "mechanism",
        "theorems",
        "baselines",
        "utility",
        "figure",
    },
    "implicit": {"problem", "exact", "files", "sampling"},
    "sweep": {"problem", "formulations", "engines", "solvers", "exact", "files"},
    "figure": set(),
    "inversion": {"problem", "formulations", "engines", "solution", "solvers"},
    "frontiers": {"problem", "inversion", "baselines", "privacy_loss", "figure", "files"},
    "comparison": {"problem", "engines", "exact", "mechanism", "baselines", "utility", "verify"},
    "composition": {"problem", "exact", "files", "sampling", "mechanism"},
    "cli": {
        "problem",
        "formulations",
        "solvers",
        "engines",
        "exact",
        "mechanism",
        "verify",
        "files",
        "crosscheck",
        "audit",
        "composition",
        "implicit",
        "inversion",
        "frontiers",
        "comparison",
        "reproduce",
        "sweep",
    },
    "__main__": {"cli"},
}
# The public face gathers from every room.
MODULES = sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module == "optmech":
            rooms |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("optmech."):
            rooms.add(node.module.split(".")[1])
        elif isinstance(node, ast.Import):
            rooms |= {name.name.split(".")[1] for name in node.names if name.name.startswith("optmech.")}
    return rooms


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_room_imports_only_from_the_rooms_before_it(path):
    room = room_of(path)
    allowed = MAY_IMPORT[room] | {room, "errors", "version"}
    assert imported_rooms(path) <= allowed


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_only_the_command_line_prints(path):
    calls = [
        node.func.id
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]
    assert room_of(path) == "cli" or "print" not in calls


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_only_the_solvers_know_a_solver_library(path):
    text = path.read_text()
    known = [name for name in ("highspy", "pulp") if f"import {name}" in text or f"from {name}" in text]
    assert room_of(path) == "solvers" or not known


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_file_outgrows_a_reader(path):
    assert len(path.read_text().splitlines()) <= 320
