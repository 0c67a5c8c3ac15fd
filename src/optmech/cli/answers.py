"""What commands share besides options: lists that are typed, files to write, and how an answer looks."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.base.whole_files import check_writable
from optmech.cli.output import say, say_written, tell, warn, warn_unsaid

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from os import PathLike


def answer(
    arguments: argparse.Namespace,
    content: Callable[[], Mapping[str, Any]],
    lines: Callable[[], Iterable[str]],
    *outputs: str | PathLike[str] | None,
    caution: str | None = None,
    follow: Sequence[str] = (),
) -> None:
    """Print an answer: with ``--json`` its content, else its lines, the files written, and what can follow.

    Lines begin with the caution; where they are not said it is a warning.
    """
    if arguments.json:
        tell(json_text(content()))
    else:
        say("\n".join([*filter(None, [caution]), *lines()]))
        say_written(filter(None, outputs), follow)
    warn_unsaid(caution, json=arguments.json)


def check_out(path: str | None, *endings: str, reads: Sequence[str | None] = ()) -> None:
    """Refuse a file to write, where one is named, that is read as well, or cannot be written."""
    if path is not None:
        check_apart(path, *reads)
        check_writable(path, *endings)


def check_apart(out: str, *reads: str | None) -> None:
    """Refuse to write what is read: ProblemError."""
    for path in filter(None, reads):
        if Path(path).resolve() == Path(out).resolve():
            message = f"`--out` must be another file than {path}, which is read."
            raise ProblemError(message)


def comma_list(text: str) -> tuple[str, ...]:
    """Return the parts of a list with commas, such as ``0.5, ln 2``."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def count_text(things: Sequence[object], name: str) -> str:
    """Return how many there are, such as ``2 cells``."""
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
    return json.dumps(_strict(content), indent=2, allow_nan=False)


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
    for path in sorted(Path(out).resolve().parent.glob(_LEFT_OVER)):
        warn(
            f"{path} is of a command that was killed, or that still runs; if none does, delete it",
            privacy=False,
        )
