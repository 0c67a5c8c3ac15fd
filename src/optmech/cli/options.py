"""The options and arguments of a command as data, of which argparse makes its own."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias


class Option(NamedTuple):
    """An option such as ``--out``, or an argument such as ``mechanism``, with its settings for argparse."""

    flags: tuple[str, ...]
    settings: dict[str, Any]

    @property
    def is_argument(self) -> bool:
        """Whether its value stands alone."""
        return not self.flags[0].startswith("-")

    @property
    def is_switch(self) -> bool:
        """Whether it has no value."""
        return "action" in self.settings and self.settings["action"] != "append"

    @property
    def is_needed(self) -> bool:
        """Whether it must be typed."""
        can_be_absent = not self.is_argument or self.settings.get("nargs") in ("?", "*")
        return bool(self.settings.get("required", not can_be_absent))

    @property
    def name(self) -> str:
        """The name that a sentence gives it."""
        return (self.settings.get("metavar") or self.flags[0]) if self.is_argument else self.flags[-1]

    @property
    def key(self) -> str:
        """The name that it shares with options that give the same value."""
        return str(self.settings.get("dest", self.flags[-1]))


class Either(NamedTuple):
    """Options of which one may be typed, or must."""

    options: tuple[Option, ...]
    is_needed: bool


class Group(NamedTuple):
    """Options under a title of their own in the help."""

    title: str
    options: tuple[Option | Either, ...]
    about: str | None = None


Part: TypeAlias = Option | Either | Group
"""One of the things that a parser is made of."""
