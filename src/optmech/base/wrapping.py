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
_NAMED = re.compile(r"\s*\S.*?\s{2,}(?=\S)|\s+")
# A row of a table has five cells or more: broken, they would stand below the wrong titles.
_ROW = re.compile(r"\s*(\S+( \S+)*\s{2,}){4}\S")
# A command or a rule, to be copied as one: what is between backticks breaks nowhere if a line holds it.
_QUOTED = re.compile(r"`[^`]*`")
# Stands for a blank that may not break: a line to be wrapped has no such character, for nobody would see it.
_GLUE = "\0"
_CONTINUED = " \\"
_DEEPEST = 6


def wrapped(lines: Iterable[str], width: int = WIDTH) -> list[str]:
    r"""Return lines of at most `width` columns, but for longer words and the rows of tables.

    The rest of a named line stands below its text, that of others two columns in. A note stays one, with
    breaks in it; the pieces of a line of text, such as the standing of a number, stay pieces. Words between
    backticks stay together.

    Examples
    --------
    >>> print(*wrapped(["protected     true answers at most 1 apart are neighbours"], 40), sep="\n")
    protected     true answers at most 1
                  apart are neighbours
    """
    return [part for line in lines for part in (_parts(line, width) if _is_wide(line, width) else [line])]


def wrapped_command(line: str, lead: str, width: int = WIDTH) -> list[str]:
    r"""Return a command behind a lead, on several lines where it is wide: a shell reads them as one.

    Examples
    --------
    >>> print(*wrapped_command("optmech design count --range 0:20 --epsilon 1", "next: ", 40), sep="\n")
    next: optmech design count --range \
          0:20 --epsilon 1
    """
    if len(lead) + len(line) <= width:
        return [f"{lead}{line}"]
    # Blanks in quotes break nowhere.
    words = re.findall(r"(?:'[^']*'|\"[^\"]*\"|[^\s'\"])+", line)
    further = " " * min(len(lead) + 2, _DEEPEST)
    result = [f"{lead}{words[0]}"]
    for word in words[1:]:
        if len(result[-1]) + 1 + len(word) + len(_CONTINUED) <= width:
            result[-1] += f" {word}"
        else:
            result[-1] += _CONTINUED
            result.append(f"{further}{word}")
    return result


def filled(text: str, width: int) -> str:
    r"""Return paragraphs of a text with lines as wide as there is room; lines that are set in stay.

    Examples
    --------
    >>> print(filled("Print\na script:\n  bash   one", 20))
    Print a script:
      bash   one
    """
    wrapper = TextWrapper(width, break_long_words=False, break_on_hyphens=False)
    paragraphs = re.split(r"(\n\n|\n(?=  ))", text)
    return "".join(part if part.isspace() else _paragraph(part, wrapper) for part in paragraphs)


def _paragraph(text: str, wrapper: TextWrapper) -> str:
    return text if text.startswith("  ") else wrapper.fill(text)


def _is_wide(line: str, width: int) -> bool:
    return len(line) > width and max(map(len, line.split("\n"))) > width


def _parts(line: str, width: int) -> list[str]:
    if _ROW.match(line):
        return [line]
    if "\n" in line and not isinstance(line, Note):
        return wrapped(_lines_of(line), width)
    lead = _NAMED.match(line)
    indent = " " * (len(lead[0]) if lead and len(lead[0]) < width // 2 else 2)
    wrapper = TextWrapper(width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    glued = _QUOTED.sub(lambda span: _glued(span[0], width - len(indent)), line)
    texts = [text.replace(_GLUE, " ") for text in wrapper.wrap(glued)]
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


def _glued(words: str, room: int) -> str:
    return words.replace(" ", _GLUE) if len(words) <= room else words


def _lines_of(text: str) -> list[str]:
    """Return the lines of a text, each with its pieces."""
    if not isinstance(text, TextLine):
        return text.split("\n")
    lines: list[str] = []
    start = 0
    for part in text.split("\n"):
        lines.append(TextLine(*_cut(text, start, start + len(part))))
        start += len(part) + 1
    return lines


def _cut(line: TextLine, start: int, end: int) -> Iterator[str]:
    """Yield the pieces of a line from one character to another; one that is whole stays as it is."""
    at = 0
    for piece in line.pieces:
        part = piece[max(start - at, 0) : max(end - at, 0)]
        yield piece if part == piece else part
        at += len(piece)
