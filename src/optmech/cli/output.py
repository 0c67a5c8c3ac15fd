"""Print answers on stdout, all else on stderr, and colour on a terminal alone.

With ``--json`` stdout always holds one JSON object; for an error it is ``{"error": sentence,
"exit_code": number}``, and the sentence is on stderr as well. A sentence that quotes data is in
``confidential``. With ``--quiet`` nothing is said but errors and what concerns privacy. An answer keeps to a
screen, but for ``--explain``. Answers and sentences wrap to the terminal, and a command in them can be
copied. Where there is none, an answer has 80 columns, and a sentence on stderr is one line: logs are read by
the line.
"""

from __future__ import annotations

import csv
import io
import json as _json
import math
import os
import sys
from contextlib import contextmanager, redirect_stdout, suppress
from contextvars import ContextVar
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from optmech.base.errors import ProblemError
from optmech.base.notes import Failure, Note, NoteKind, TextLine
from optmech.base.visible import visible, visible_lines
from optmech.base.wrapping import wrapped, wrapped_command
from optmech.cli.interrupts import INTERRUPTION
from optmech.cli.screen import LINES, columns_of, first_lines, screen_width

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from os import PathLike


_OF_DATA = "the data break a rule: `confidential` says where, and quotes them"
_QUIET: ContextVar[bool] = ContextVar("_QUIET", default=False)
_JSON: ContextVar[bool] = ContextVar("_JSON", default=False)
_BAD, _CARE, _GOOD, _PLAIN = "\x1b[31m", "\x1b[33m", "\x1b[32m", "\x1b[0m"
_NAME = "optmech:"
# The standing of a number, and a failure, where a line has it as a separate piece.
_COLOURS = {"proved": _GOOD, "claimed": _CARE, Failure.FAIL: _BAD, Failure.FAILS: _BAD}


@contextmanager
def manners(*, quiet: bool, json: bool) -> Iterator[None]:
    """Keep to what was asked for: with `quiet` and not `json`, stdout leads nowhere."""
    tokens = _QUIET.set(quiet), _JSON.set(json)
    try:
        if quiet and not json:
            with Path(os.devnull).open("w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
                yield
        else:
            yield
    finally:
        _QUIET.reset(tokens[0])
        _JSON.reset(tokens[1])


def is_quiet() -> bool:
    """Whether nothing is to be said but errors and what concerns privacy."""
    return _QUIET.get()


def say(*lines: str) -> None:
    """Print an answer, its notes and the provenances of its numbers in colour where a person reads it."""
    show = paint if has_colour(sys.stdout) else visible_lines
    print("\n".join(map(show, lines)))


def tell(text: str, *, end: str = "\n", flush: bool = False) -> None:
    """Print text as it stands, but for what a terminal would obey.

    All that the command line prints goes through this module: line breaks are ours, and of the rest every
    character can be seen. Text from outside is made `visible` where it is put into a line.
    """
    print(visible_lines(text), end=end, flush=flush)


def _written_lines(
    paths: Iterable[str | PathLike[str]], commands: Sequence[str], width: int
) -> Iterator[str]:
    """Yield where an answer was written to, and what can be done now with that."""
    written = [visible(path) for path in paths]
    together = f"written to {' and '.join(written)}"
    yield from (
        [together] if len(together) <= width and written else [f"written to {path}" for path in written]
    )
    for index, command in enumerate(commands):
        yield from wrapped_command(visible(command), f"{'' if index else 'next:':6}", width)


def say_page(text: str, *emphasised: str) -> None:
    """Print a page of Markdown, what is emphasised there in amber where a person reads it."""
    page = visible_lines(text)
    for passage in emphasised if has_colour(sys.stdout) else ():
        strong = f"**{visible_lines(passage)}**"
        page = page.replace(strong, f"{_CARE}{strong}{_PLAIN}")
    print(page)


def warn(sentence: str) -> None:
    """Print what must not be overlooked; with ``--quiet`` only what concerns privacy.

    A sentence that is no `Note` concerns privacy.
    """
    note = sentence if isinstance(sentence, Note) else Note(NoteKind.PRIVACY, sentence)
    if note.kind.is_loud or not is_quiet():
        _tell_aside(f"warning: {note.text}", _CARE)


def tell_aside(sentence: str) -> None:
    """Print on stderr how far some work is; the caller asks `is_quiet`, perhaps in another thread."""
    _tell_aside(sentence, _CARE)


def warn_unsaid(caution: str | None, *, json: bool) -> None:
    """Print on stderr what a text begins with, where the text is JSON or is not said at all."""
    if caution and (json or is_quiet()):
        warn(caution)


def report_failure(sentence: str, code: int, *, json: bool = False, is_confidential: bool = False) -> int:
    """Print why there is no answer, as JSON too where that was asked for, and return the exit code.

    A sentence that quotes data about people is ``confidential`` in JSON.
    """
    with suppress(OSError):  # where nothing can be written, the exit code says it
        _tell_aside(sentence, _BAD)
    if json or _JSON.get():
        with suppress(OSError):
            content: dict[str, object] = {"error": visible(sentence), "exit_code": code}
            if is_confidential:
                content |= {"error": _OF_DATA, "confidential": {"error": visible(sentence)}}
            print(_json.dumps(content, indent=2))
    return code


def report_interrupt(state: str, code: int, words: Sequence[str] | None) -> int:
    """Print that a signal ended the command and what can be done, and return the exit code."""
    command = sys.argv[1:] if words is None else words
    sentence = f"interrupted {state}" if state else INTERRUPTION
    return report_failure(sentence, code, json="--json" in command)


def has_colour(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether what is printed there may have colours.

    ``NO_COLOR`` forbids them in every case, and ``FORCE_COLOR`` asks for them in a pipe, too.
    """
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return stream.isatty() and environment.get("TERM") != "dumb"


def paint(line: str) -> str:
    """Return what can be seen of a line, in amber if it is a note, else its pieces in their colours."""
    if isinstance(line, Note) and line.kind.is_loud:
        return f"{_CARE}{visible_lines(line)}{_PLAIN}"
    return "".join(map(_painted, line.pieces)) if isinstance(line, TextLine) else visible_lines(line)


def _painted(piece: str) -> str:
    colour = _COLOURS.get(piece) if isinstance(piece, Enum) else None
    return visible_lines(piece) if colour is None else f"{colour}{piece}{_PLAIN}"


def _tell_aside(sentence: str, colour: str) -> None:
    line, width = f"{_NAME} {visible(sentence)}", columns_of(sys.stderr)
    text = line if width is None else "\n".join(wrapped([line], width))
    name = f"{colour}{_NAME}{_PLAIN}" if has_colour(sys.stderr) else _NAME
    print(f"{name}{text.removeprefix(_NAME)}", file=sys.stderr)


def answer(
    arguments: argparse.Namespace,
    content: Callable[[], Mapping[str, Any]],
    lines: Callable[[], Iterable[str]],
    *outputs: str | PathLike[str] | None,
    caution: Note | None = None,
    follow: Sequence[str] = (),
) -> None:
    """Print an answer: with ``--json`` its content, else its lines, the files written, and what can follow.

    Lines begin with the caution; where they are not said it is a warning. Without ``--explain`` they are
    those of a screen.
    """
    if arguments.json:
        tell(json_text(content()))
    else:
        width = screen_width()
        after = list(_written_lines(filter(None, outputs), follow, width))
        shown = wrapped([*filter(None, [caution]), *lines()], width)
        say(*(shown if arguments.explain else first_lines(shown, LINES - len(after))), *after)
    warn_unsaid(caution, json=arguments.json)


def check_out(path: str | None, *endings: str, reads: Sequence[str | None] = ()) -> None:
    """Refuse a file to write, where one is named, that is read as well, or cannot be written."""
    from optmech.base.whole_files import check_writable  # noqa: PLC0415 - it needs NumPy, which --help does not

    if path is not None:
        check_apart(path, *reads)
        check_writable(path, *endings)


def check_apart(out: str, *reads: str | None) -> None:
    """Refuse to write what is read: ProblemError."""
    from optmech.base.whole_files import resolved  # noqa: PLC0415 - as above

    for path in filter(None, reads):
        if resolved(path) == resolved(out):
            message = f"`--out` must be another file than {path}, which is read."
            raise ProblemError(message)


def comma_list(text: str) -> tuple[str, ...]:
    """Return the parts of a list with commas, such as ``0.5, ln 2``."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def count_text(things: Sequence[object], name: str) -> str:
    """Return a number with its noun, such as ``2 cells``."""
    return f"{len(things)} {name}{'' if len(things) == 1 else 's'}"


def csv_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows of the same fields as CSV, their names first; without rows there are no fields to name."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def json_text(content: object) -> str:
    """Return JSON that every reader accepts: infinities and the like become text."""
    return _json.dumps(_strict(content), indent=2, allow_nan=False)


def _strict(content: object) -> object:
    if isinstance(content, dict):
        return {key: _strict(value) for key, value in content.items()}
    if isinstance(content, (list, tuple)):
        return [_strict(value) for value in content]
    if isinstance(content, float) and not math.isfinite(content):
        return str(content)
    return content


_LEFT_OVER = ".optmech-*.part"


def notice_left_overs(out: str) -> None:
    """Warn of files and folders that a killed command could not remove: they may hold true data."""
    from optmech.base.whole_files import resolved  # noqa: PLC0415 - as above

    for path in sorted(resolved(out).parent.glob(_LEFT_OVER)):
        text = f"{path} is of a command that was killed, or that still runs; if none does, delete it"
        warn(Note(NoteKind.INFORMATION, text))
