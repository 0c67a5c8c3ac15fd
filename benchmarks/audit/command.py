"""``python -m benchmarks audit``: solvers and libraries, examined in exact arithmetic.

Exit codes are those of `optmech`, and 1 where something that was called optimal or private is not.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from optmech.cli.commands import run_words
from optmech.cli.fork import Fork
from optmech.cli.interrupts import working

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.cli.command_parser import CommandParser
    from optmech.cli.parsers import Command

__all__ = ["run"]

AUDITS = {
    "solvers": "check solvers in exact arithmetic",
    "library": "check the privacy that libraries claim",
}


def run(words: Sequence[str]) -> int:
    """Run an audit and return its exit code."""
    with working():
        return run_words(build_parser(), words)


def build_parser() -> Fork:
    """Return the parser of both audits."""
    return Fork(
        "python -m benchmarks audit",
        "Examine what this machine has installed: its solvers, or its libraries of privacy.",
        ("python -m benchmarks audit library opendp",),
        {"audit": {name: (summary, partial(_parser_of, name)) for name, summary in AUDITS.items()}},
        dest="command",
        metavar="AUDIT",
    )


def _parser_of(name: str, program: str) -> CommandParser:
    command: Command = import_module(f"benchmarks.audit.{name}.screen").COMMAND
    return command.parser(program)
