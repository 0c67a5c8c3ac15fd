"""``optmech solvers``: the solvers that are installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.cli.answers import answer
from optmech.cli.parsers import Command
from optmech.models.solvers import installed

if TYPE_CHECKING:
    import argparse

__all__ = ["COMMAND"]


def _run(arguments: argparse.Namespace) -> int:
    found = [
        {"name": solver.name, "version": solver.version(), "methods": list(map(str, solver.methods))}
        for solver in installed()
    ]
    lines = [f"{one['name']:8}{one['version']:12}{', '.join(one['methods'])}" for one in found]
    answer(arguments, lambda: {"solvers": found}, lambda: "\n".join(lines))
    return 0 if found else 1


COMMAND = Command(
    name="solvers",
    summary="list the solvers",
    about="List the solvers that are installed, with versions and methods.",
    examples=("optmech solvers",),
    run=_run,
)
