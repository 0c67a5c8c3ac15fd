"""The parser of a word such as a command or a question, behind which another parser reads on."""

from __future__ import annotations

import argparse
from functools import cache, partial
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from optmech.base.wrapping import WIDTH
from optmech.cli.command_parser import FLAG, HELP, OUTPUT, CommandParser
from optmech.cli.options import Group, Option
from optmech.cli.usage import missing_words, unknown_choice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

_FEW = 5
# As argparse begins it.
_USAGE = "usage: "
# An argument of which argparse knows for help alone: the word is read before.
_LISTED = {"nargs": "?", "default": argparse.SUPPRESS}


class Fork(CommandParser):
    """The parser of a word, `metavar`, behind which another parser reads on: made once it is asked for.

    `children` has by title and name what each word means, and what makes its parser of how it is called.
    `usual` is the word that is meant where none is typed: where an option comes first, and with `has_files`
    where a file does, or somebody asks for help. Words `elsewhere` are no files: other forks know them.
    A word of `synonyms` is refused with the name that it has here.
    """

    def __init__(
        self,
        program: str,
        about: str,
        examples: Sequence[str],
        children: Mapping[str, Mapping[str, tuple[str, Callable[[str], CommandParser]]]],
        *parts: Option,
        dest: str,
        metavar: str,
        usual: str = "",
        has_files: bool = False,
        elsewhere: Iterable[str] = (),
        synonyms: Mapping[str, str] | None = None,
    ) -> None:
        self._makers, listed = {}, []
        for title, words in children.items():
            for name, (_, make) in words.items():
                self._makers[name] = cache(partial(make, f"{program} {name}"))
            options = [Option((name,), {**_LISTED, "help": summary}) for name, (summary, _) in words.items()]
            listed.append(Group(title, tuple(options)))
        super().__init__(program, about, examples, parts, listed)
        flags = " ".join(f"[{option.flags[0]}]" for option in (HELP, *OUTPUT, *parts))
        fits = len(f"{_USAGE}{program} {flags} {metavar} ...") <= WIDTH
        separator = " " if fits else f"\n{'':{len(_USAGE) + len(program) + 1}}"
        self.usage = f"%(prog)s {flags}{separator}{metavar} ..."
        self.metavar, self.usual, self.has_files = metavar, usual, has_files
        self._synonyms = synonyms or {}
        self._dest, self._known = dest, {*self._makers, *elsewhere, *self._synonyms}

    def child(self, name: str) -> CommandParser:
        """Return the parser of what follows a word."""
        return self._makers[name]()

    def children(self) -> dict[str, CommandParser]:
        """Return all of them by name."""
        return {name: self.child(name) for name in self._makers}

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:  # noqa: ANN401 - as argparse has it
        """Parse the options before the word, and let its parser read what follows."""
        names = list(self._makers)
        words = self._as_meant(args or ())
        before = list(takewhile(FLAG.match, words))
        namespace, _ = super().parse_known_args(before, namespace)
        if before == words:
            self.refuse(missing_words(self.prog, [self.metavar], names[:_FEW]))
        name, *rest = words[len(before) :]
        if name in self._synonyms:
            self.refuse(f"`{name}` is asked as {self._synonyms[name]}.")
        if name not in names:
            self.refuse(unknown_choice(self.metavar, name, names, self.prog))
        typed = next((word for word in rest if f"{name} {word.partition('=')[0]}" in names), None)
        if typed is not None:  # an option that makes another question of it, with options of its own
            flag, equals, value = typed.partition("=")
            at = rest.index(typed)
            rest[at : at + 1] = [value] if equals else []
            name = f"{name} {flag}"
        setattr(namespace, self._dest, name)
        return self.child(name).parse_known_args(rest, namespace)

    def unknown(self, word: str) -> str:
        """Return why nothing takes a word; it may stand before what it belongs behind."""
        sentence = super().unknown(word)
        remedy = f" `{self.metavar}` comes first: {self.prog} {next(iter(self._makers))} …"
        return sentence if sentence.endswith("?") else sentence + remedy

    def _as_meant(self, words: Sequence[str]) -> list[str]:
        """Return the words with ``file`` or the usual one in front, where it is meant and not typed."""
        of_all = [flag for option in OUTPUT for flag in option.flags]
        before = list(takewhile(lambda word: not word.lower().endswith(".toml"), words))
        if "file" in self._makers and len(before) < len(words) and not self._known & {*before}:
            return ["file", words[len(before)], *before, *words[len(before) + 1 :]]
        first = next((word for word in words if word not in of_all), "-")
        is_option = first.startswith("-") and not {*HELP.flags} & {*words}
        is_meant = first not in self._known if self.has_files else is_option
        return [self.usual, *words] if self.usual and is_meant else list(words)
