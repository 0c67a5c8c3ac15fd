"""Build the parser of each command, and the options that several commands share."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from inspect import signature
from typing import TYPE_CHECKING, Any, TypeAlias

from optmech.cli.command_parser import CommandParser
from optmech.cli.fork import Fork
from optmech.cli.options import Either, Group, Option

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from optmech.cli.options import Part

Arguments: TypeAlias = argparse.Namespace
"""The typed arguments, as the `run` of a command takes them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command: what its help says, what may be typed behind it, and what it does.

    Examples run as they stand. `run` returns the exit code. `family` is the word before the name of one of
    several commands, and `summary` what it does, on one line; of the others the list of all commands says it.
    """

    name: str
    about: str
    examples: Sequence[str]
    run: Callable[[Arguments], int]
    options: Sequence[Part] = ()
    family: str = ""
    summary: str = ""

    @property
    def words(self) -> str:
        """The words that call it, behind ``optmech``."""
        return f"{self.family} {self.name}".strip()

    def parser(self, program: str) -> CommandParser:
        """Return the parser of what follows, `program` such as ``optmech design``."""
        parser = CommandParser(program, self.about, self.examples, self.options)
        parser.set_defaults(run=self.run)
        return parser


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Several commands behind one word, such as ``find epsilon`` and ``find accuracy``."""

    name: str
    about: str
    members: tuple[Command, ...]

    def parser(self, program: str) -> CommandParser:
        """Return the parser of what follows the word."""
        examples = [example for member in self.members for example in member.examples]
        children = {"WHAT": {member.name: (member.summary, member.parser) for member in self.members}}
        return Fork(program, self.about, examples, children, dest=self.name, metavar="WHAT")


def given_to(call: Callable[..., Any], arguments: Arguments, **others: object) -> dict[str, Any]:
    """Return the arguments of a call: what options of the same names give, and others; not what is None."""
    typed = {name: getattr(arguments, name, None) for name in signature(call).parameters} | others
    return {name: value for name, value in typed.items() if value is not None}


def option(flag: str, metavar: str | None = None, sentence: str | None = None, **settings: Any) -> Option:  # noqa: ANN401 - as argparse has it
    """Return an option or an argument: the name of its value, its help, and more for argparse."""
    return Option((flag,), {"metavar": metavar, "help": sentence, **settings})


def switch(flag: str, sentence: str) -> Option:
    """Return an option without a value."""
    return Option((flag,), {"action": "store_true", "help": sentence})


def group(title: str, *options: Option) -> Group:
    """Return options under a separate title in the help."""
    return Group(title, options)


def either(*options: Option, required: bool = False) -> Either:
    """Return options of which one may be typed, or must."""
    return Either(options, required)


def out(
    metavar: str, sentence: str = "write the table there, whole or not at all", *, required: bool = False
) -> Option:
    """Return ``--out``."""
    return option("--out", metavar, sentence, required=required)


MECHANISM = option(
    "mechanism", "CERTIFICATE.json|MECHANISM.csv", "what `design --out` wrote, either of the two"
)
OF_A_MATRIX = "of a matrix without a certificate"
"""The mechanism whose question is typed."""
