"""What was typed and is not understood: a sentence, what may have been meant, and where to look."""

from __future__ import annotations

import argparse
import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NoReturn

from optmech.cli.questions import flag_of
from optmech.question.problems.named import FORMULATIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["CommandParser", "UsageError", "all_parsers", "children_of", "list_by_group", "options_of"]

_CHOICE = re.compile(
    r"argument (?P<what>.+?): invalid choice: (?P<got>'.*?'|\S+) \(choose from (?P<of>.*)\)", re.DOTALL
)
_UNKNOWN = "unrecognized arguments: "
_MISSING = "the following arguments are required: "
_SENTENCES = {
    r"^one of the arguments (\S+) (\S+) is required": r"`\1` or `\2` must be given",
    r"^argument (\S+): not allowed with argument (\S+)": r"`\1` must be left out with `\2`",
    r"^argument ([^:]+): ": r"`\1` ",
    r"invalid int value: (.*)$": r"must be a whole number; got \1",
    r"invalid float value: (.*)$": r"must be a number; got \1",
    r"ignored explicit argument (.*)$": r"must be given without a value; got \1",
    r"expected one argument$": "needs a value; got none",
}
_ALIKE = 0.6
_FEW = 4


class UsageError(Exception):
    """What was typed cannot be parsed."""


class CommandParser(argparse.ArgumentParser):
    """A parser that raises `UsageError` with a sentence, where others print their usage and exit."""

    def error(self, message: str) -> NoReturn:
        """Raise `UsageError`; what argparse says becomes a sentence with a remedy."""
        told = f"{_sentence(self, message)} See `{self.prog} --help`."
        raise UsageError(told)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:  # noqa: ANN401 - as argparse has it
        """Parse, and refuse here what this parser does not know: here its own options are at hand."""
        parsed, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(_UNKNOWN + " ".join(unknown))
        return parsed, unknown


def children_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of what can follow, by name."""
    return {
        name: child
        for action in parser._actions  # noqa: SLF001 - argparse has no public way to its parts
        if isinstance(action, argparse._SubParsersAction)  # noqa: SLF001
        for name, child in action.choices.items()
    }


def list_by_group(
    parser: argparse.ArgumentParser,
    commands: Any,  # noqa: ANN401 - argparse has no public type for it
    groups: Mapping[str, Sequence[str]],
) -> None:
    """Let the help list what can follow, `commands`, under titles in place of one list."""
    lines = {line.dest: line for line in commands._get_subactions()}  # noqa: SLF001 - argparse has no public way
    parser._positionals._group_actions.remove(commands)  # noqa: SLF001
    for place, (title, names) in enumerate(groups.items()):
        group = parser.add_argument_group(title)
        group._group_actions += [lines[name] for name in names]  # noqa: SLF001
        parser._action_groups.insert(place, parser._action_groups.pop())  # noqa: SLF001


def all_parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield a parser and all that can follow."""
    yield parser
    for child in children_of(parser).values():
        yield from all_parsers(child)


def options_of(parser: argparse.ArgumentParser) -> list[str]:
    """Return the options of a parser, such as ``--out``."""
    return [name for name in parser._option_string_actions if name.startswith("--")]  # noqa: SLF001


def _sentence(parser: argparse.ArgumentParser, message: str) -> str:
    if message.startswith(_UNKNOWN):
        typed = message.removeprefix(_UNKNOWN).split(" ")[0].split("=")[0]
        if not typed.startswith("-"):
            return f"`{typed}` must be left out: {parser.prog} takes nothing more."
        meant = _meant(typed, options_of(parser))
        remedy = _elsewhere(parser, typed) or meant
        return f"`{typed}` must be an option of {parser.prog}; it is unknown.{remedy}"
    if message.startswith(_MISSING):
        missing = message.removeprefix(_MISSING)
        follows = list(children_of(parser))
        wanted = f", such as {', '.join(follows[:5])}" if follows else ""
        return f"`{missing}` must follow {parser.prog}{wanted}; it is missing."
    if choice := _CHOICE.fullmatch(message):
        got, of = choice["got"].strip("'"), [one.strip().strip("'") for one in choice["of"].split(",")]
        return f"`{choice['what']}` must be one of {', '.join(of)}; got {got!r}.{_meant(got, of)}"
    for said, sentence in _SENTENCES.items():
        message = re.sub(said, sentence, message)
    return message if message.endswith(".") else f"{message}."


def _elsewhere(parser: argparse.ArgumentParser, typed: str) -> str:
    """Return which questions take an option that a narrower one does not know."""
    *command, formulation = parser.prog.split(" ")
    names = [name for name, (_, *choices) in FORMULATIONS.items() if typed in map(flag_of, sum(choices, ()))]
    names = [name for name in names if name != "question"]
    if formulation not in FORMULATIONS or formulation in names or not names:
        return ""
    more = ", …" if len(names) > _FEW else ""
    return f" `{' '.join(command)}` takes it with {', '.join(names[:_FEW])}{more}."


def _meant(typed: str, known: Sequence[str]) -> str:
    alike = get_close_matches(typed.lower(), known, n=2, cutoff=_ALIKE)
    return f" Did you mean {' or '.join(alike)}?" if alike else ""
