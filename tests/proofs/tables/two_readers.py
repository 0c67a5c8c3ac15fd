"""The two readers of certificates of tables: the package, and check_table.py, whole or without a rule."""

from __future__ import annotations

import ast
import copy
import json
from decimal import localcontext
from pathlib import Path

import optmech as om
from optmech.mechanisms.certificates.table_text import read_table_text
from optmech.proofs.tables.count_bound import precise

CHECKER = Path(__file__).parents[3] / "check_table.py"
VECTORS = Path(__file__).parents[2] / "vectors" / "tables"
ACCEPTED = sorted((VECTORS / "accept").glob("*.json"))
REFUSED = sorted((VECTORS / "refuse").glob("*.json"))
TREE = ast.parse(CHECKER.read_text())


def proving(tree):
    """Return the function `prove` of a checker."""
    names = {"__name__": "checker"}
    exec(compile(tree, str(CHECKER), "exec"), names)  # noqa: S102 - our own file
    return names["prove"]


WHOLE = proving(TREE)


def by_checker(text, prove=WHOLE):
    """Return what a checker proves, or None."""
    try:
        with localcontext(precise()):
            return prove(text)
    except Exception:  # noqa: BLE001 - whatever goes wrong proves nothing
        return None


def by_package(text):
    """Return what the package proves, or None."""
    try:
        return read_table_text(text)
    except om.OptmechError:
        return None


def rules(tree=TREE):
    """Yield where each rule stands, each part of it that is joined by `and`: a line, and its number."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_need":
            held = node.args[0]
            parts = held.values if isinstance(held, ast.BoolOp) and isinstance(held.op, ast.And) else [held]
            yield from ((node.lineno, number) for number in range(len(parts)))


def without(line, number, tree=TREE):
    """Return the checker without one part of a rule; what the part computes is computed still."""
    tree = copy.deepcopy(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_need" and node.lineno == line:
            held = node.args[0]
            parts = held.values if isinstance(held, ast.BoolOp) and isinstance(held.op, ast.And) else None
            if parts is None:
                node.args[0] = ast.Constant(value=True)
            else:
                parts[number] = ast.Constant(value=True)
    return proving(ast.fix_missing_locations(tree))


def written(content):
    """Return the text of a certificate, as it is written."""
    return (
        "{\n"
        + ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in content.items())
        + "\n}\n"
    )
