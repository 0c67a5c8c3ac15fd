"""Break long lines at words, and set what follows below what it belongs to."""

from __future__ import annotations

import re
from textwrap import TextWrapper
from typing import TYPE_CHECKING

from optmech.base.notes import Note, TextLine

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

WIDTH = 80
"""Columns of a terminal that nobody made wider."""
# A name, two blanks or more, and what is said of it.
_NAMED = re.compile(r"\S.*?\s{2,}(?=\S)|\s+")


def wrapped(lines: Iterable[str], width: int = WIDTH) -> list[str]:
    r"""Return lines of at most `width` columns, but for words that are longer.

    What follows stands below the text of a named line, else two columns in. A note stays one, with breaks in
    it; the pieces of a line of text, such as the standing of a number, stay pieces.

    Examples
    --------
    >>> print(*wrapped(["protected     true answers at most 1 apart are neighbours"], 40), sep="\n")
    protected     true answers at most 1
                  apart are neighbours
    """
    return [part for line in lines for part in (_parts(line, width) if len(line) > width else [line])]


def _parts(line: str, width: int) -> list[str]:
    lead = _NAMED.match(line)
    indent = " " * (len(lead[0]) if lead and len(lead[0]) < width // 2 else 2)
    wrapper = TextWrapper(width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    texts = wrapper.wrap(line)
    if isinstance(line, Note):
        lead_of_kind = line.removesuffix(line.text)
        return [Note(line.kind, "\n".join(texts).removeprefix(lead_of_kind))]
    if not isinstance(line, TextLine):
        return texts
    result: list[str] = []
    start = 0
    for at, text in enumerate(texts):
        words = text.removeprefix(indent) if at else text
        start = line.index(words, start)
        result.append(TextLine(indent if at else "", *_cut(line, start, start + len(words))))
        start += len(words)
    return result


def _cut(line: TextLine, start: int, end: int) -> Iterator[str]:
    """Yield the pieces of a line from one character to another; one that is whole stays as it is."""
    at = 0
    for piece in line.pieces:
        part = piece[max(start - at, 0) : max(end - at, 0)]
        yield piece if part == piece else part
        at += len(piece)
