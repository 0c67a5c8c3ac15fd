"""Keep an answer to one screen: 16 lines, unless all of it was asked for.

Each command says the most important lines first. It never leaves out a line on privacy.
"""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING, TextIO

from optmech.base.notes import NoteKind
from optmech.base.wrapping import WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LINES = 16
"""Lines of a screen."""
_GAP = 2
# A terminal without a width says 0; nobody reads sentences of more columns with ease.
_LEAST, _MOST = 20, 100


def columns_of(stream: TextIO) -> int | None:
    """Return the columns of text on the terminal that a stream is, at most 100; None where it is no terminal.

    ``COLUMNS`` overrides its width, as everywhere.
    """
    if not stream.isatty():
        return None
    try:
        own = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):  # it has no file: a console of an editor
        own = 0
    columns = shutil.get_terminal_size((own or WIDTH, LINES)).columns
    return min(max(_LEAST, columns), _MOST)


def screen_width() -> int:
    """Return the columns of an answer: those of the terminal, or `WIDTH` where there is none."""
    return columns_of(sys.stdout) or WIDTH


def first_lines(lines: Sequence[str], room: int = LINES) -> list[str]:
    """Return lines that fit, the first ones and all loud notes, and last how many more there are.

    Examples
    --------
    >>> first_lines(["one", "two", "three", "four"], 3)
    ['one', 'two', '… 2 more lines: --explain']
    """
    if sum(map(_height, lines)) <= room:
        return list(lines)
    room -= 1 + sum(_height(line) for line in lines if _is_loud(line))
    shown: list[str] = []
    left_out = 0
    for line in lines:
        if _is_loud(line):
            shown.append(line)
        elif _height(line) <= room:
            shown.append(line)
            room -= _height(line)
        else:
            room, left_out = 0, left_out + _height(line)
    while shown and not shown[-1]:
        shown.pop()
    return [*shown, f"… {left_out} more lines: --explain"]


def aligned(rows: Sequence[Sequence[str]], drop: Iterable[int] = (), width: int = WIDTH) -> list[str]:
    """Return rows with their cells below each other, without the columns `drop`, in turn, while too wide.

    Examples
    --------
    >>> aligned([("name", "long words", "n"), ("a", "b", "1")], drop=[1], width=12)
    ['name  n', 'a     1']
    """
    kept = list(range(len(rows[0])))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for column in drop:
        if sum(widths[index] + _GAP for index in kept) - _GAP <= width:
            break
        kept.remove(column)
    return ["  ".join(row[index].ljust(widths[index]) for index in kept).rstrip() for row in rows]


def _height(line: str) -> int:
    return line.count("\n") + 1


def _is_loud(line: str) -> bool:
    return getattr(line, "kind", NoteKind.INFORMATION).is_loud
