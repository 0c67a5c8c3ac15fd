"""What can be typed after ``optmech``."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from optmech.base.version import __version__
from optmech.cli import (
    apply,
    audit,
    card,
    compare,
    completion,
    compose,
    crosscheck,
    design,
    doctor,
    export,
    frontier,
    inversions,
    model_text,
    prices,
    report,
    solvers,
    studio,
    sweep,
    verify,
)
from optmech.cli.parsers import Command, command_parser
from optmech.cli.questions import choices_of
from optmech.cli.usage import CommandParser
from optmech.question.problems.named import FORMULATIONS

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

__all__ = ["build_parser", "path_shortcut", "with_joined_values"]


class _Added(NamedTuple):
    """A command that adds its own parser."""

    name: str
    add: Callable[[Any], None]
    run: Callable[[argparse.Namespace], int]
    formulations: tuple[str, ...] = ()

    def add_to(self, commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
        self.add(commands)
        commands.choices[self.name].set_defaults(run=self.run)


_REPORT = _Added("report", report.add_report, lambda typed: report.run_report(typed, choices_of(typed)))
# In the order of the work: to a mechanism, from it to a release, what to ask before, what holds us to it.
_COMMANDS: tuple[Command | _Added, ...] = (
    *(design.COMMAND, studio.COMMAND, _REPORT, card.COMMAND, verify.COMMAND),
    *(apply.COMMAND, compose.COMMAND, export.COMMAND),
    *(*inversions.COMMANDS, frontier.COMMAND, prices.COMMAND, compare.COMMAND, sweep.COMMAND),
    *(model_text.COMMAND, crosscheck.COMMAND, audit.COMMAND, solvers.COMMAND, doctor.COMMAND),
    completion.COMMAND,
)
# They take a file with instances in the place of a formulation.
_OF_FILES = tuple(command.name for command in _COMMANDS if command.formulations)
_NEGATIVE = re.compile(r"-[\d.]")


def with_joined_values(arguments: Sequence[str]) -> list[str]:
    """Return the arguments with ``--option -3:3`` as ``--option=-3:3``, which argparse understands."""
    joined: list[str] = []
    for argument in arguments:
        follows_option = joined and joined[-1].startswith("--") and "=" not in joined[-1]
        if follows_option and _NEGATIVE.match(argument):
            joined[-1] += f"={argument}"
        else:
            joined.append(argument)
    return joined


@cache
def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser = command_parser(
        CommandParser,
        "Optimal differentially private mechanisms: state a question, get the mechanism matrix.",
        (
            "optmech design croft --query count --range 0:5 --epsilon 0.5 --out mechanism.csv",
            "optmech report mechanism.certificate.json --out report.html",
            "optmech apply mechanism.certificate.json table.csv --column count --out released.csv",
        ),
        prog="optmech",
    )
    parser.add_argument("--version", action="version", version=f"optmech {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in _COMMANDS:
        command.add_to(commands)
    parser.set_defaults(parser=parser)  # of which completion writes a script
    return parser


def path_shortcut(arguments: list[str]) -> list[str]:
    """Return the arguments with ``design FILE.toml`` as ``design file FILE.toml``."""
    start = next((n for n, word in enumerate(arguments) if not word.startswith("-")), len(arguments))
    before, command, rest = arguments[:start], arguments[start : start + 1], arguments[start + 1 :]
    named = any(argument in (*FORMULATIONS, "file") for argument in rest)
    if command in ([name] for name in _OF_FILES) and not named:
        place = next((n for n, word in enumerate(rest) if word.lower().endswith(".toml")), None)
        if place is not None:
            return [*before, *command, "file", rest[place], *rest[:place], *rest[place + 1 :]]
    return arguments
