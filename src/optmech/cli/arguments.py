"""What can be typed after ``optmech``; the module of a command is loaded once that command is typed."""

from __future__ import annotations

import re
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING

from optmech.base.version import __version__
from optmech.cli.usage import CommandParser, add_later, command_parser, later_parsers, list_by_group

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.cli.parsers import Command, Family


GROUPS = {
    "publish": {
        "tabulate": "count records by groups",
        "design": "find the optimal mechanism",
        "apply": "release the answers in a table",
        "ledger": "what has been spent on which data",
        "report": "write a page to decide by",
        "verify": "prove a certificate again, or check a matrix",
        "certify": "prove a matrix from anywhere",
        "card": "write the card of a mechanism",
        "export": "write a mechanism as C, Rust or a table",
        "studio": "design by hand, on a local page",
    },
    "plan": {
        "find": "the epsilon, accuracy or width for a target error",
        "frontier": "trace what privacy costs",
        "compare": "what library defaults lose on a question",
        "improve": "the best function of an answer with noise on it",
        "prices": "what each choice of a question costs",
        "compose": "what several uses spend together",
    },
    "lab": {
        "crosscheck": "compare optima with theorems",
        "audit-solvers": "check solvers in exact arithmetic",
        "export-model": "write the program as MPS or LP",
        "sweep": "design a grid of questions",
        "doctor": "say what works on this machine",
        "completion": "complete words in a shell",
    },
}
"""All commands by what they are for, and what each does: a new one is listed here."""
# Modules that are not called as their command is.
_MODULES = {"audit-solvers": "audit", "export-model": "model_text"}
_NEGATIVE = re.compile(r"-[\d.]")


def with_joined_values(arguments: Sequence[str]) -> list[str]:
    """Return the arguments with ``--option -3:3`` as ``--option=-3:3``, which argparse understands."""
    words_joined: list[str] = []
    for argument in arguments:
        follows_option = words_joined and words_joined[-1].startswith("--") and "=" not in words_joined[-1]
        if follows_option and _NEGATIVE.match(argument):
            words_joined[-1] += f"={argument}"
        else:
            words_joined.append(argument)
    return words_joined


def command_of(name: str) -> Command | Family:
    """Return one of the commands in `GROUPS`."""
    command: Command | Family = import_module(f"optmech.cli.{_MODULES.get(name, name)}").COMMAND
    return command


@cache
def build_parser() -> CommandParser:
    """Return the parser of the whole command line."""
    parser = command_parser(
        "optmech",
        "Optimal differentially private mechanisms: state a question, get the mechanism matrix.",
        (
            "optmech design count --range 0:5 --epsilon 0.5 --out mechanism.csv",
            "optmech report mechanism.certificate.json --out report.html",
            "optmech apply mechanism.certificate.json table.csv --column count --out released.csv",
        ),
    )
    parser.add_argument("--version", action="version", version=f"optmech {__version__}")
    commands = later_parsers(parser, dest="command", required=True, metavar="COMMAND")
    for group in GROUPS.values():
        for name, summary in group.items():
            add_later(commands, name, summary, partial(_parser_of, name))
    list_by_group(parser, commands, GROUPS)
    parser.set_defaults(parser=parser)  # of which completion writes a script
    return parser


def _parser_of(name: str, program: str) -> CommandParser:
    return command_of(name).parser(program)


def path_shortcut(arguments: list[str]) -> list[str]:
    """Return the arguments with ``design FILE.toml`` as ``design file FILE.toml``."""
    if not any(word.lower().endswith(".toml") for word in arguments):
        return arguments
    from optmech.question.problems.named import FORMULATIONS  # noqa: PLC0415 - most command lines name no file

    places = [n for n, argument in enumerate(arguments) if not argument.startswith("-")]
    words = _num_command_words([arguments[place] for place in places])
    start = places[words - 1] + 1 if words else len(arguments)
    rest = arguments[start:]
    place = next((n for n, word in enumerate(rest) if word.lower().endswith(".toml")), None)
    if place is None or any(argument in (*FORMULATIONS, "file") for argument in rest):
        return arguments
    return [*arguments[:start], "file", rest[place], *rest[:place], *rest[place + 1 :]]


def _num_command_words(arguments: list[str]) -> int:
    """Return how many words of what was typed name a command that takes a question, 0 where none do."""
    if not arguments or all(arguments[0] not in group for group in GROUPS.values()):
        return 0
    members = command_of(arguments[0]).members
    return next(
        (
            len(words)
            for words, command in ((command.words.split(), command) for command in members)
            if command.formulations and arguments[: len(words)] == words
        ),
        0,
    )
