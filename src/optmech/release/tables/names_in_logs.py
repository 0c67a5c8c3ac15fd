"""Check that a new release uses the names of data and parts in the logs of a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.errors import FileFormatError, ProblemError, broken_rule
from optmech.base.same_name import key_of_name
from optmech.release.tables.log import logs_in, read_log
from optmech.release.tables.log_entries import entries_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from optmech.release.tables.log_entries import Entry


def check_names(folder: Path, table: str, data: str | None, part: str | None) -> None:
    """Refuse a name of data, or of a part, that is another spelling of one in the folder's logs.

    Raises
    ------
    ProblemError
        If a name has no visible character, a part is named without `data`, or a log spells a name
        differently.
    """
    for argument, name in (("data", data), ("part", part)):
        if name is not None and not key_of_name(name):
            raise broken_rule(argument, "be a name with a visible character", repr(name))
    if part is not None and data is None:
        message = "`data` must be named where `part` is: parts are parts of the same data. Pass --data NAME."
        raise ProblemError(message)
    own = table if data is None else data
    if not folder.is_dir():
        return
    entries = [entry for _, entry in _entries(folder)]
    _check_known("data", own, [entry.data for entry in entries if entry.data is not None])
    if part is not None:
        parts = [entry.part for entry in entries if entry.data == own and entry.part is not None]
        _check_known("part", part, parts)


def logs_of_column(folder: Path, table: str, column: str) -> list[Path]:
    """Return the logs in a folder with releases of a column of a table with that name."""
    paths = [path for path, entry in _entries(folder) if (entry.table, entry.column) == (table, column)]
    return list(dict.fromkeys(paths))


def _entries(folder: Path) -> Iterator[tuple[Path, Entry]]:
    """Yield the draws of all logs that can be read."""
    for path in logs_in(folder):
        try:
            yield from ((path, entry) for entry in entries_in(path, read_log(path)))
        except FileFormatError:
            continue


def _check_known(argument: str, name: str, known: list[str]) -> None:
    if name in known:
        return
    same = next((other for other in known if key_of_name(other) == key_of_name(name)), None)
    if same is not None:
        message = (
            f"`{argument}` must be written as the logs in the folder have it, {same!r}; got {name!r}, which "
            f"differs by case or white space only. Pass --{argument} {same!r}, or another name."
        )
        raise ProblemError(message)
