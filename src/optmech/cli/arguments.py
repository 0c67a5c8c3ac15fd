"""What can be typed after ``optmech``."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from optmech.base.version import __version__
from optmech.cli import (
    apply,
    audit,
    card,
    certify,
    compare,
    completion,
    compose,
    crosscheck,
    design,
    doctor,
    export,
    find,
    frontier,
    improve,
    ledger,
    model_text,
    prices,
    report,
    studio,
    sweep,
    tabulate,
    verify,
)
from optmech.cli.parsers import Command, Family, command_parser
from optmech.cli.usage import CommandParser, list_by_group
from optmech.question.problems.named import FORMULATIONS

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

__all__ = ["GROUPS", "build_parser", "path_shortcut", "with_joined_values"]


GROUPS: dict[str, tuple[Command | Family, ...]] = {
    "publish": (
        *(tabulate.COMMAND, design.COMMAND, apply.COMMAND, ledger.COMMAND, report.COMMAND, verify.COMMAND),
        *(certify.COMMAND, card.COMMAND, export.COMMAND, studio.COMMAND),
    ),
    "plan": (
        find.FAMILY,
        frontier.COMMAND,
        compare.COMMAND,
        improve.COMMAND,
        prices.COMMAND,
        compose.COMMAND,
    ),
    "lab": (
        *(crosscheck.COMMAND, audit.COMMAND, model_text.COMMAND, sweep.COMMAND),
        *(doctor.COMMAND, completion.COMMAND),
    ),
}
"""All commands by what they are for: a new one is listed here."""
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


# They take a file with instances in the place of a formulation.
_OF_FILES = tuple(
    command.words
    for group in GROUPS.values()
    for each in group
    for command in (each.members if isinstance(each, Family) else (each,))
    if command.formulations
)


@cache
def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser = command_parser(
        CommandParser,
        "Optimal differentially private mechanisms: state a question, get the mechanism matrix.",
        (
            "optmech design count --range 0:5 --epsilon 0.5 --out mechanism.csv",
            "optmech report mechanism.certificate.json --out report.html",
            "optmech apply mechanism.certificate.json table.csv --column count --out released.csv",
        ),
        prog="optmech",
    )
    parser.add_argument("--version", action="version", version=f"optmech {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for group in GROUPS.values():
        for command in group:
            command.add_to(commands)
    list_by_group(parser, commands, {title: [each.name for each in group] for title, group in GROUPS.items()})
    parser.set_defaults(parser=parser)  # of which completion writes a script
    return parser


def path_shortcut(arguments: list[str]) -> list[str]:
    """Return the arguments with ``design FILE.toml`` as ``design file FILE.toml``."""
    places = [n for n, argument in enumerate(arguments) if not argument.startswith("-")]
    command = next((words for words in map(str.split, _OF_FILES) if _words(arguments, places, words)), [])
    start = places[len(command) - 1] + 1 if command else len(arguments)
    rest = arguments[start:]
    place = next((n for n, word in enumerate(rest) if word.lower().endswith(".toml")), None)
    if place is None or any(argument in (*FORMULATIONS, "file") for argument in rest):
        return arguments
    return [*arguments[:start], "file", rest[place], *rest[:place], *rest[place + 1 :]]


def _words(arguments: list[str], places: list[int], words: list[str]) -> bool:
    return [arguments[place] for place in places[: len(words)]] == words
