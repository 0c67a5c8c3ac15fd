"""Each room imports only from the rooms before it; only the command line prints."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.each import each

SOURCE = Path(__file__).parents[1] / "src" / "optmech"

# room -> the rooms it may import from (besides arguments, errors, version, visible and itself)
MAY_IMPORT = {
    "errors": {"solution", "visible"},  # the first for a type only
    "version": set(),
    "arguments": set(),
    "visible": set(),
    "extras": {"undisturbed"},
    "undisturbed": set(),
    "notation": set(),
    "looks": {"display", "plots"},  # when a notebook asks or something is drawn, not before
    "problem": {"looks", "visible"},
    "model_text": {"model"},  # for a type only
    "model": {"model_text"},
    "solution": set(),
    "formulations": {"problem", "model"},
    "solvers": {"model", "solution", "model_text", "undisturbed"},
    "privacy_loss": set(),
    "property_gaps": {"problem"},
    "files": {"problem", "exact", "undisturbed"},
    "theorems": {"problem"},
    "exact": {"problem", "property_gaps", "looks", "visible"},
    "sampling": set(),
    "release": {"problem", "sampling"},
    "mechanism": {
        "problem",
        "privacy_loss",
        "property_gaps",
        "files",
        "sampling",
        "release",
        "exact",
        "looks",
    },
    "verify": {
        "problem",
        "mechanism",
        "privacy_loss",
        "property_gaps",
        "solution",
        "looks",
        "exact",
        "theorems",
    },
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
        "looks",
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
    "implicit": {"problem", "exact", "files", "sampling", "looks"},
    "sweep": {"problem", "formulations", "engines", "solvers", "exact", "files", "extras"},
    "figure": {"extras"},
    "inversion": {"problem", "formulations", "engines", "solution", "solvers"},
    "frontiers": {"problem", "inversion", "baselines", "privacy_loss", "figure", "files", "looks"},
    "comparison": {"problem", "engines", "exact", "mechanism", "baselines", "utility", "verify", "looks"},
    "composition": {"problem", "exact", "files", "sampling", "mechanism", "extras"},
    "card": {"visible", "problem", "exact", "implicit", "mechanism", "sampling", "privacy_loss", "verify"},
    "charts": {"problem", "exact", "mechanism", "composition", "baselines", "utility"},
    "report": {
        "visible",
        "problem",
        "exact",
        "files",
        "mechanism",
        "card",
        "charts",
        "comparison",
        "composition",
        "utility",
        "implicit",
        "verify",
        "theorems",  # for a type only
    },
    "plots": {"problem", "exact", "mechanism", "composition", "utility", "figure"},
    "display": {
        "problem",
        "exact",
        "mechanism",
        "engines",
        "card",
        "implicit",
        "verify",
        "comparison",
        "frontiers",
        "inversion",
    },
    "tables": {"problem", "exact", "files", "mechanism", "implicit", "sampling", "extras", "card"},
    "plugs": {"release", "problem", "exact", "files", "mechanism", "sampling", "composition", "extras"},
    "studio": {
        "problem",
        "formulations",
        "engines",
        "exact",
        "files",
        "mechanism",
        "card",
        "charts",
        "composition",
        "report",
        "verify",
        "utility",
        "extras",
        "solvers",
    },
    "doctor": {
        "problem",
        "formulations",
        "engines",
        "exact",
        "mechanism",
        "solvers",
        "verify",
        "extras",
        "files",
    },
    "cli": {
        "undisturbed",
        "visible",
        "card",
        "charts",
        "report",
        "tables",
        "plugs",
        "studio",
        "doctor",
        "extras",
        "problem",
        "formulations",
        "solvers",
        "engines",
        "exact",
        "mechanism",
        "verify",
        "theorems",
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


@each("path", MODULES)
def test_a_room_imports_only_from_the_rooms_before_it(path):
    room = room_of(path)
    allowed = MAY_IMPORT[room] | {room, "arguments", "errors", "version", "visible"}
    assert imported_rooms(path) <= allowed


def test_only_the_command_line_prints():
    printing = {
        room_of(path)
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    }
    assert printing == {"cli"}


def test_only_the_solvers_know_a_solver_library():
    known = {
        room_of(path)
        for path in MODULES
        for loads in ('loaded("{}")', 'import_module("{}")', "import {}", "from {}")
        for name in ("highspy", "pulp")
        if loads.format(name) in path.read_text()
    }
    assert known == {"solvers"}


def test_no_file_outgrows_a_reader():
    lengths = {str(path.relative_to(SOURCE)): len(path.read_text().splitlines()) for path in MODULES}
    assert {name: length for name, length in lengths.items() if length > 320} == {}
