"""The parser of a command.

argparse reads what is typed, through its public names alone. None of its messages is read: what it refuses
is said from the options and the words.
"""

from __future__ import annotations

import argparse
import re
import shutil
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NoReturn

from optmech.base.wrapping import filled, wrapped_command
from optmech.cli.options import Either, Group, Option
from optmech.cli.usage import UsageError, missing_words, unknown_choice, unknown_word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from _typeshed import SupportsWrite

    from optmech.cli.options import Part

HELP = Option(("-h", "--help"), {"action": "help", "help": "show this help message and exit"})
_JSON_WORDS = "print one JSON object instead of text, of an error too"
_QUIET_WORDS = "print nothing but errors and what concerns privacy"
_EXPLAIN_WORDS = "print all that is known; without it an answer has at most 16 lines"
OUTPUT = (
    Option(("--json",), {"action": "store_true", "help": _JSON_WORDS}),
    Option(("-q", "--quiet"), {"action": "store_true", "help": _QUIET_WORDS}),
    Option(("--explain",), {"action": "store_true", "help": _EXPLAIN_WORDS}),
)
"""The options that all commands take, beside `HELP`."""
_OF_ALL = Group("output", (HELP, *OUTPUT))
FLAG = re.compile(r"--?[A-Za-z][^ ]*$")
"""A word that can be nothing but an option."""
_BEGINS_AS_FLAG = re.compile(r"--?[A-Za-z]")
# Columns of a terminal that stay free, as argparse has it.
_MARGIN = 2
_FORMS = {int: "a whole number", float: "a number"}


class CommandParser(argparse.ArgumentParser):
    """A parser of options and arguments that raises `UsageError`, where others print their usage and exit.

    Help lists the groups `first`, then the arguments and options of `parts`, then their groups.
    """

    def __init__(
        self,
        program: str,
        about: str,
        examples: Sequence[str],
        parts: Sequence[Part] = (),
        first: Sequence[Group] = (),
    ) -> None:
        super().__init__(
            prog=program,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            add_help=False,
            allow_abbrev=False,  # --records of a mean is no --records-per-person of a count
            exit_on_error=False,
        )
        self._abouts: list[tuple[Any, str]] = [(self, about)]
        self._examples = tuple(examples)
        self.options: list[Option] = []
        self._eithers: list[Either] = []
        self._typed: dict[str, str] = {}
        arguments = tuple(part for part in parts if isinstance(part, Option) and part.is_argument)
        plain = tuple(part for part in parts if not isinstance(part, Group) and part not in arguments)
        titled = [part for part in parts if isinstance(part, Group)]
        groups = [*first, Group("positional arguments", arguments), Group("options", plain), _OF_ALL, *titled]
        places = [(self.add_argument_group(group.title), group) for group in groups]
        self._abouts += [(place, group.about) for place, group in places if group.about]
        for place, group in sorted(places, key=lambda each: each[1] is not _OF_ALL):  # first in the usage
            self._add(place, group.options)

    def format_help(self) -> str:
        """Return the help, as wide as the terminal is; a shell reads each example as one line."""
        width = shutil.get_terminal_size().columns - _MARGIN
        for place, about in self._abouts:
            place.description = filled(about, width)
        lines = [part for example in self._examples for part in wrapped_command(example, "  ", width)]
        title = "example:" if len(self._examples) == 1 else "examples:"
        self.epilog = "\n".join([title, *lines])
        return super().format_help()

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Print the help; a full disk is an error here, while argparse says nothing of it."""
        print(self.format_help(), end="", file=file)

    def _add(self, place: Any, options: Sequence[Option | Either]) -> None:  # noqa: ANN401 - a group of argparse
        for option in options:
            if isinstance(option, Either):
                self._eithers.append(option)
                self._add(place.add_mutually_exclusive_group(required=option.is_needed), option.options)
            else:
                self.options.append(option)
                read = {} if option.is_switch else {"type": partial(self._read, option)}
                place.add_argument(*option.flags, **{**option.settings, **read})

    def _read(self, option: Option, text: str) -> Any:  # noqa: ANN401 - an option has a value of its own kind
        """Return the value of what is typed, or raise `UsageError`, which argparse lets pass."""
        choices, kind = option.settings.get("choices", ()), option.settings.get("type", str)
        self._typed[option.key] = text
        if choices and text not in choices:
            raise UsageError(unknown_choice(option.name, text, choices))
        try:
            return kind(text)
        except UsageError as error:
            message = f"`{option.name}` {error}"
        except ValueError:
            message = f"`{option.name}` must be {_FORMS[kind]}; got {text!r}."
        raise UsageError(message) from None

    def error(self, message: str) -> NoReturn:
        """Raise what argparse raises itself of most errors; nobody reads the message."""
        raise argparse.ArgumentError(None, message)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:  # noqa: ANN401 - as argparse has it
        """Parse, and refuse here what this parser does not know: here its own options are at hand."""
        namespace, words = namespace or argparse.Namespace(), list(args or ())
        self._typed.clear()
        try:
            words = self._in_order(words)
            _, rest = super().parse_known_args(words, namespace)
        except argparse.ArgumentError:
            self.refuse(self._absence(words))
        except UsageError as error:
            self.refuse(str(error))
        if rest:
            self.refuse(self.unknown(rest[0]))
        return namespace, []

    def refuse(self, sentence: str) -> NoReturn:
        """Raise `UsageError`, and say where help is."""
        message = f"{sentence} See `{self.prog} --help`."
        raise UsageError(message) from None

    def unknown(self, word: str) -> str:
        """Return why nothing takes a word."""
        return unknown_word(self.prog, word, self.flags)

    @property
    def flags(self) -> list[str]:
        """The options, such as ``--out``."""
        return [flag for option in self.options for flag in option.flags if flag.startswith("--")]

    def children(self) -> dict[str, CommandParser]:
        """Return the parsers of what can follow, by name."""
        return {}

    def _in_order(self, words: Sequence[str]) -> list[str]:
        """Return options first, each one word with its value, such as ``--range=-3:3``, then the arguments.

        argparse takes ``-3:3`` alone for an option, and a second file behind an option for one too many.
        """
        known = {flag: option for option in self.options if not option.is_argument for flag in option.flags}
        ahead, options, arguments = list(words), list[str](), list[str]()
        while ahead and ahead[0] != "--":
            word = ahead.pop(0)
            flag, equals, text = word.partition("=")
            option = known.get(flag)
            if option is None:
                (options if FLAG.match(flag) else arguments).append(word)
                continue
            value = text if equals else None
            has_next = ahead and ahead[0] != "--" and not FLAG.match(ahead[0])
            if value is None and has_next and not option.is_switch:
                value = ahead.pop(0)
            self._note(option, value)
            options.append(flag if value is None else f"{flag}={value}")
        return [*options, *arguments, *ahead]

    def _note(self, option: Option, value: str | None) -> None:
        """Note what is typed for an option; refuse it beside another, and twice: the last would count."""
        others = [other for either in self._eithers if option in either.options for other in either.options]
        beside = [other.name for other in others if other != option and other.key in self._typed]
        rule = ""
        if beside:
            rule = f"must be left out with `{beside[0]}`."
        elif option.is_switch and value is not None:
            rule = f"must be given without a value; got {value!r}."
        elif not option.is_switch and value is None:
            rule = "needs a value; got none."
        elif value == "--":  # argparse drops it
            rule = "needs a value; got --, which ends options."
        elif option.key in self._typed and "action" not in option.settings:
            rule = f"must be given once; got {self._typed[option.key]} and {value}."
        if rule:
            message = f"`{option.name}` {rule}"
            raise UsageError(message)
        self._typed[option.key] = value or ""

    def _absence(self, words: Sequence[str]) -> str:
        """Return what is missing, or which word was meant for it: an option that nobody knows."""
        known = [flag for option in self.options for flag in option.flags]
        for word in takewhile(lambda word: word != "--", words):
            if _BEGINS_AS_FLAG.match(word) and word.partition("=")[0] not in known:
                return self.unknown(word)
        needed = [option for option in self.options if option.is_needed and option.key not in self._typed]
        if needed:
            return missing_words(self.prog, [option.name for option in needed])
        either = next(each for each in self._eithers if each.is_needed)
        return f"{' or '.join(f'`{option.name}`' for option in either.options)} must be given."
