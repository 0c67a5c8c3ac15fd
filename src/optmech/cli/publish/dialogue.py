"""Ask one question a screen, in a terminal or from a pipe, and go back where somebody changes their mind."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from optmech.base.errors import OptmechError, ProblemError
from optmech.base.wrapping import wrapped
from optmech.cli.output import tell
from optmech.cli.screen import screen_width

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

BACK, QUIT = "back", "quit"
_ENDED = (
    "the input ended before all questions were answered. Nothing was drawn or written. "
    "`optmech publish --from FILE.toml` asks nothing."
)


class LeftError(Exception):
    """The person left: nothing was drawn or written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """One question.

    Attributes
    ----------
    title : str
        What is asked, in a few words.
    why : str
        One sentence on why only a person can answer.
    asked : str
        What to type.
    options : sequence of str
        Lines between both.
    default : str
        What Enter alone means; empty where something must be typed.
    take : callable
        Takes what was typed; ProblemError if it is no answer.
    show : callable, optional
        Prints what must be seen before; OptmechError where there is nothing to see.
    """

    title: str
    why: str
    asked: str
    take: Callable[[str], None]
    options: Sequence[str] = ()
    default: str = ""
    show: Callable[[], None] | None = None


def ask(screens: Callable[[], Sequence[Screen]]) -> None:
    """Ask each screen until the last is answered; `screens` returns those that the answers so far lead to.

    Raises
    ------
    LeftError
        If the person quits.
    ProblemError
        If the input ends before.
    """
    index = 0
    tell("Enter takes what stands in [brackets]; `back` returns, `back 2` to question 2; `quit` leaves.")
    while index < len(screens()):
        index = _answered(screens()[index], index)


def _answered(screen: Screen, index: int) -> int:
    """Ask one question until it is answered, and return the index of the one that follows."""
    width = screen_width()
    if screen.show is not None:
        tell("")
        _told(screen.show, width)
    lines = wrapped([screen.why, *(f"  {line}" for line in screen.options)], width)
    tell("\n".join(["", f"{index + 1}. {screen.title}", *lines]))
    default = f" [{screen.default}]" if screen.default else ""
    while True:
        typed = _line(f"{screen.asked}{default}: ")
        word, _, number = typed.lower().partition(" ")
        if word == QUIT:
            raise LeftError
        if word == BACK and (not number or number.isdecimal()):
            return max(0, min(index, int(number) if number else index) - 1)
        if _told(partial(screen.take, typed or screen.default), width):
            return index + 1


def _told(work: Callable[[], None], width: int) -> bool:
    """Whether some work was done; else its error is printed."""
    try:
        work()
    except OptmechError as error:
        tell("\n".join(wrapped([str(error)], width)))
        return False
    return True


def _line(prompt: str) -> str:
    """Return what is typed behind a prompt."""
    with suppress(ImportError):
        import readline  # noqa: F401, PLC0415 - the keys of a line, where the system has them
    tell(prompt, end="", flush=True)
    try:
        return input().strip()
    except (EOFError, UnicodeDecodeError):
        tell("")
        raise ProblemError(_ENDED) from None


def chosen(text: str, names: Sequence[str], what: str) -> str:
    """Return one of some names, typed as it is or by its number from 1.

    >>> chosen("2", ["ward", "age"], "column"), chosen("ward", ["ward", "age"], "column")
    ('age', 'ward')
    """
    if text in names:
        return text
    if text.isdecimal() and 1 <= int(text) <= len(names):
        return names[int(text) - 1]
    message = f"`{what}` must be one of 1 to {len(names)}, or its name; got {text!r}."
    raise ProblemError(message)


def several(text: str, names: Sequence[str], what: str) -> list[str]:
    """Return some of the names, each once, typed with commas."""
    if text in names:
        return [text]
    parts = [part.strip() for part in text.split(",") if part.strip()]
    return list(dict.fromkeys(chosen(part, names, what) for part in parts))


def listed(names: Sequence[str]) -> list[str]:
    """Return names with their numbers."""
    return [f"{number}  {name}" for number, name in enumerate(names, 1)]
