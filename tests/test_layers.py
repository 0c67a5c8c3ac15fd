"""Each room imports only from the rooms before it; only the command line prints."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.each import each

SOURCE = Path(__file__).parents[1] / "src" / "optmech"

# Each room imports from rooms of a lower number only: two rooms of one number know nothing of each other.
FLOOR = {
    "base": 0,
    "question": 1,
    "theorems": 2,
    "rules": 2,
    "models": 3,
    "proofs": 3,
    "mechanisms": 4,
    "designs": 5,
    "verify": 6,
    "analysis": 7,
    "release": 8,
    "reports": 9,
    "cli": 10,
    "__main__": 11,
}
# What still reaches up; nothing may join it.
REACHING_UP = {
    ("base/looks.py", "reports"),
    ("analysis/frontiers/figure.py", "reports"),
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
def test_a_room_imports_only_from_lower_rooms(path):
    room = room_of(path)
    above = {other for other in imported_rooms(path) - {room} if FLOOR[other] >= FLOOR[room]}
    name = path.relative_to(SOURCE).as_posix()
    assert {(name, other) for other in above} <= REACHING_UP


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
        path.relative_to(SOURCE).parts[:2]
        for path in MODULES
        for loads in ('loaded("{}")', 'import_module("{}")', "import {}", "from {}")
        for name in ("highspy", "pulp")
        if loads.format(name) in path.read_text()
    }
    assert known == {("models", "solvers")}


def test_no_file_outgrows_a_reader():
    lengths = {str(path.relative_to(SOURCE)): len(path.read_text().splitlines()) for path in MODULES}
    assert {name: length for name, length in lengths.items() if length > 320} == {}
