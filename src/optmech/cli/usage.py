"""Explain a command line that is not understood: the error, a likely correction, and the help to read."""

from __future__ import annotations

import argparse
import re
from contextlib import contextmanager
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    Later = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 - argparse has no public type for it

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
_OUTPUT = {
    ("--json",): "print one JSON object instead of text, of an error too",
    ("-q", "--quiet"): "print nothing but errors and what concerns privacy",
}
_OUTPUT_FLAGS = [flag for flags in _OUTPUT for flag in flags]
_ALIKE = 0.6
# Fewer letters are the beginning of too much: `-e`, `--r`.
_SHORTEST = 4
_FEW = 4


class UsageError(Exception):
    """The command line cannot be parsed."""


class CommandParser(argparse.ArgumentParser):
    """A parser that raises `UsageError` with a sentence, where others print their usage and exit.

    `usual` is the word that is meant where none of those that can follow is typed: where an option comes
    first, and with `has_files` where a file does, or somebody asks for help.
    """

    usual = ""
    has_files = False

    def error(self, message: str) -> NoReturn:
        """Raise `UsageError`; what argparse says becomes a sentence with a remedy."""
        text = f"{_sentence(self, message)} See `{self.prog} --help`."
        raise UsageError(text)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:  # noqa: ANN401 - as argparse has it
        """Parse, and refuse here what this parser does not know: here its own options are at hand."""
        if args is not None:
            names = _names_after(self)
            args = _with_file(args) if "file" in names else args
            args = self._with_usual(args, names) if self.usual else args
            self._need_each_once(args)
        result, rest = super().parse_known_args(args, namespace)
        if rest:
            self.error(_UNKNOWN + " ".join(rest))
        return result, rest

    def _with_usual(self, words: Sequence[str], names: Sequence[str]) -> Sequence[str]:
        """Return the words that follow with the one that is meant, where none of `names` comes first."""
        from optmech.question.problems.named import FORMULATIONS  # noqa: PLC0415 - questions take a moment to load

        first = next((word for word in words if word not in _OUTPUT_FLAGS), "-")
        asks_for_help = any(word in ("-h", "--help") for word in words)
        is_meant = first.startswith("-") and not asks_for_help
        if self.has_files:
            is_meant = first not in (*names, *FORMULATIONS)
        return [self.usual, *words] if is_meant else words

    def _need_each_once(self, words: Sequence[str]) -> None:
        """Refuse an option with a value that is typed twice, of which the last one would count."""
        known = self._option_string_actions
        values: dict[str, str] = {}
        options = words[: words.index("--")] if "--" in words else words
        for place, word in enumerate(options):
            flag, _, value = word.partition("=")
            action = known.get(flag)
            if not isinstance(action, argparse._StoreAction):  # noqa: SLF001 - argparse has no public type for it
                continue
            value = value or " ".join(words[place + 1 : place + 2])
            if action.dest in values:
                first = values[action.dest]
                self.error(f"`{flag}` must be given once; got {first} and {value}.")
            values[action.dest] = value


def _with_file(words: Sequence[str]) -> Sequence[str]:
    """Return what follows a command that takes a question, ``FILE.toml`` as ``file FILE.toml``."""
    place = next((n for n, word in enumerate(words) if word.lower().endswith(".toml")), None)
    if place is None:
        return words
    from optmech.question.problems.named import FORMULATIONS  # noqa: PLC0415 - most command lines name no file

    before = words[:place]
    if any(word in (*FORMULATIONS, "file") for word in before):
        return words
    return ["file", words[place], *before, *words[place + 1 :]]


def command_parser(program: str, about: str, examples: Sequence[str]) -> CommandParser:
    """Return a parser with a description, examples that run, and the options that all commands take."""
    lines = "\n".join(f"  {example}" for example in examples)
    parser = CommandParser(
        prog=program,
        allow_abbrev=False,  # --records of a mean is no --records-per-person of a count
        conflict_handler="resolve",  # a command may say more of its own --json
        description=about,
        epilog=f"example:\n{lines}" if len(examples) == 1 else f"examples:\n{lines}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    # Suppressed: what stands before a command must outlive the defaults of what stands behind it.
    output = parser.add_argument_group("output")
    for flags, sentence in _OUTPUT.items():
        output.add_argument(*flags, action="store_true", default=argparse.SUPPRESS, help=sentence)
    return parser


class _Parsers(dict[str, Any]):
    """Parsers by name; in place of one stands what makes it, until somebody asks for it."""

    def __getitem__(self, name: str) -> argparse.ArgumentParser:
        entry = super().__getitem__(name)
        parser: argparse.ArgumentParser = entry() if isinstance(entry, partial) else entry
        self[name] = parser
        return parser

    def values(self) -> Any:  # noqa: ANN401 - a list, where dict has a view
        return [self[name] for name in self]

    def items(self) -> Any:  # noqa: ANN401
        return [(name, self[name]) for name in self]


def later_parsers(parser: argparse.ArgumentParser, **settings: Any) -> Later:  # noqa: ANN401 - as argparse has it
    """Return what `add_later` takes: a place for parsers of what follows; most are never asked for."""
    places = parser.add_subparsers(**settings)
    places.choices = places._name_parser_map = _Parsers()  # noqa: SLF001 - argparse has no public way
    return places


def add_later(places: Later, name: str, summary: str, make: Callable[[str], argparse.ArgumentParser]) -> None:
    """List a parser with its summary; `make` makes it of how it is called, once it is asked for."""
    line = places._ChoicesPseudoAction(name, (), summary)  # noqa: SLF001
    places._choices_actions.append(line)  # noqa: SLF001
    places._name_parser_map[name] = partial(make, f"{places._prog_prefix} {name}")  # type: ignore[assignment]  # noqa: SLF001


def children_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of what can follow, by name."""
    return {name: child for action in _subparsers(parser) for name, child in action.choices.items()}


def _subparsers(parser: argparse.ArgumentParser) -> list[Later]:
    actions = parser._actions  # noqa: SLF001 - argparse has no public way to its parts
    return [action for action in actions if isinstance(action, argparse._SubParsersAction)]  # noqa: SLF001


def _names_after(parser: argparse.ArgumentParser) -> list[str]:
    return [name for action in _subparsers(parser) for name in action.choices]


def list_by_group(
    parser: argparse.ArgumentParser, commands: Later, groups: Mapping[str, Iterable[str]]
) -> None:
    """Let the help list what can follow, `commands`, under titles in place of one list."""
    parser._positionals._group_actions.remove(commands)  # noqa: SLF001 - argparse has no public way
    for place, (title, names) in enumerate(groups.items()):
        list_in_group(parser.add_argument_group(title), commands, names)
        parser._action_groups.insert(place, parser._action_groups.pop())  # noqa: SLF001


def list_in_group(group: argparse._ArgumentGroup, commands: Later, names: Iterable[str]) -> None:
    """Let the help list the named ones of `commands` in a group."""
    lines = {line.dest: line for line in commands._get_subactions()}  # noqa: SLF001 - argparse has no public way
    group._group_actions += [lines[name] for name in names]  # noqa: SLF001


def all_parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield a parser and all that can follow."""
    yield parser
    for child in children_of(parser).values():
        yield from all_parsers(child)


@contextmanager
def shown_as_usual(parser: argparse.ArgumentParser) -> Iterator[None]:
    """Let commands that take files be, meanwhile, what they are where no question comes first."""
    commands = [action.choices for action in _subparsers(parser)]
    swapped = [
        (choices, name, child)
        for choices in commands
        for name, child in choices.items()
        if isinstance(child, CommandParser) and child.has_files
    ]
    for choices, name, child in swapped:
        choices[name] = children_of(child)[child.usual]
    try:
        yield
    finally:
        for choices, name, child in swapped:
            choices[name] = child


def options_of(parser: argparse.ArgumentParser) -> list[str]:
    """Return the options of a parser, such as ``--out``."""
    return [name for name in parser._option_string_actions if name.startswith("--")]  # noqa: SLF001


def _sentence(parser: argparse.ArgumentParser, message: str) -> str:
    if message.startswith(_UNKNOWN):
        word = message.removeprefix(_UNKNOWN).split(" ")[0].split("=")[0]
        if not word.startswith("-"):
            return f"`{word}` must be left out: {parser.prog} takes nothing more."
        suggestion = _suggestion(word, options_of(parser))
        remedy = _elsewhere(parser, word) or suggestion
        return f"`{word}` must be an option of {parser.prog}; it is unknown.{remedy}"
    if message.startswith(_MISSING):
        missing = message.removeprefix(_MISSING)
        follows = _names_after(parser)
        examples = f", such as {', '.join(follows[:5])}" if follows else ""
        return f"`{missing}` must follow {parser.prog}{examples}; it is missing."
    if choice := _CHOICE.fullmatch(message):
        value, of = choice["got"].strip("'"), [one.strip().strip("'") for one in choice["of"].split(",")]
        remedy = _suggestion(value, of)
        if "." in value and "file" in of:
            remedy = f" The question comes first: {parser.prog} {of[0]} …"
        return f"`{choice['what']}` must be one of {', '.join(of)}; got {value!r}.{remedy}"
    for pattern, sentence in _SENTENCES.items():
        message = re.sub(pattern, sentence, message)
    return message if message.endswith(".") else f"{message}."


def _elsewhere(parser: argparse.ArgumentParser, word: str) -> str:
    """Return which questions take an option that a narrower one does not know."""
    from optmech.question.problems.command_words import flag_of  # noqa: PLC0415 - questions take a moment to load
    from optmech.question.problems.named import FORMULATIONS  # noqa: PLC0415

    *command, formulation = parser.prog.split(" ")
    names = [
        name
        for name, known in FORMULATIONS.items()
        if word in map(flag_of, (*known.required, *known.optional))
    ]
    names = [name for name in names if name != "question"]
    if formulation not in FORMULATIONS or formulation in names or not names:
        return ""
    more = ", …" if len(names) > _FEW else ""
    return f" `{' '.join(command)}` takes it with {', '.join(names[:_FEW])}{more}."


def _suggestion(word: str, names: Sequence[str]) -> str:
    begun = [name for name in names if len(word) >= _SHORTEST and name.startswith(word.lower())]
    alike = begun[:2] or get_close_matches(word.lower(), names, n=2, cutoff=_ALIKE)
    return f" Did you mean {' or '.join(alike)}?" if alike else ""
