"""Each room imports only from the rooms before it, no two files each other; the command line prints."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from tests.each import each

SOURCE = Path(__file__).parents[1] / "src" / "optmech"

# Each room imports from rooms of a lower number only: two rooms of one number know nothing of each other.
# import-linter holds the same in CI, from pyproject.toml.
FLOOR = {
    "base": 0,
    "question": 1,
    "rules": 2,
    "theorems": 2,
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
# Roots of one variable, SciPy's `brentq`, are no linear program.
SOLVERS = {"highspy", "pulp", "linprog", "milp"}
# The public face gathers from every room.
MODULES = sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


def named(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


KNOWN = {named(path) for path in MODULES}


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


@cache
def imported(path: Path) -> set[str]:
    """Return what a file imports: at its top, late, for types only, or by a name in quotation marks."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "the public names alone are imported relatively, in __init__.pyi"
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= (inner & KNOWN) | ({node.module} if inner - KNOWN else set())
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "load_module")):
            names |= {text.value for text in node.args if isinstance(text, ast.Constant)}
    return names


def circles(imports: dict[str, set[str]]) -> list[list[str]]:
    """Return which modules reach each other by their imports, in the order of their names."""
    names = sorted(imports)
    edges = [(names.index(name), names.index(other)) for name in names for other in imports[name]]
    graph = csr_array(([True] * len(edges), tuple(zip(*edges, strict=True))), shape=(len(names), len(names)))
    _, circle = connected_components(graph, connection="strong")
    results = [
        [name for name, at in zip(names, circle, strict=True) if at == number] for number in set(circle)
    ]
    return sorted(group for group in results if len(group) > 1)


@pytest.mark.slow
@each("path", MODULES)
def test_a_room_imports_only_from_lower_rooms(path):
    room = room_of(path)
    rooms = {name.split(".")[1] for name in imported(path) if name.startswith("optmech.")}
    assert {other for other in rooms - {room} if FLOOR.get(other, -1) >= FLOOR[room]} == set()


def test_no_files_import_each_other_in_a_circle_of_any_length():
    imports = {named(path): (imported(path) & KNOWN) - {named(path)} for path in MODULES}
    assert circles(imports) == []


@pytest.mark.parametrize(
    ("imports", "result"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}, [["a", "b", "c"]]),
    ],
)
def test_a_circle_is_found(imports, result):
    assert circles(imports) == result


def test_only_the_command_line_prints():
    printing = {
        room_of(path)
        for path in MODULES
        if "print" in path.read_text()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    }
    assert printing == {"cli"}


def solvers_in(path: Path) -> set[str]:
    """Return which solver libraries, or functions that solve programs, a file names."""
    text = path.read_text()
    if not any(name in text for name in SOLVERS):
        return set()
    nodes = list(ast.walk(ast.parse(text)))
    names = {name.partition(".")[0] for name in imported(path)}
    names |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    names |= {node.name for node in nodes if isinstance(node, ast.alias)}
    return names & SOLVERS


def test_only_the_solvers_know_a_solver_library():
    using = {path.relative_to(SOURCE).as_posix() for path in MODULES if solvers_in(path)}
    assert using
    assert {name for name in using if not name.startswith("models/solvers/")} == set()
