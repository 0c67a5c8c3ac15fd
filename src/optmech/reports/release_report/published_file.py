"""The numbers of a released file, each with the interval that holds the true answer."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.base.errors import FileFormatError, NotAcceptedError
from optmech.release.tables.column_of_source import column_mechanism
from optmech.release.tables.files import reader_of
from optmech.release.tables.releaser import Releaser
from optmech.release.tabulate.count_table import digest_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optmech.proofs.certificate import Certificate
    from optmech.release.tables.column_mechanisms import ColumnMechanism

_LEVEL = Fraction(95, 100)
_MOST_ROWS, _MOST_COLUMNS = 60, 6
_DIGITS = 6
_OPEN = "no limit"


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedFile:
    """The first rows of a released file for a page; `left_out` is the number of the others.

    `level` is that of the interval in the last two cells, if there is one; an end of it may be open. `plain`
    are all columns of the file that are as they were in the table.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    level: Fraction | None
    left_out: int
    plain: tuple[str, ...]


def published_file(
    log_path: Path, log: Mapping[str, Any], by_digest: Mapping[str, Certificate]
) -> PublishedFile | None:
    """Return the numbers of the released file beside a log, if it is there.

    FileFormatError if it is not the one that the log tells of.
    """
    path = log_path.parent / Path(str(log["output"]["file"])).name
    if not path.is_file():
        return None
    if digest_of(path) != log["output"]["sha256"]:
        message = (
            f"`{path}` must be the file that its log tells of; it was changed, or is another release. "
            "Take the log beside it, or release again."
        )
        raise FileFormatError(message)
    column, by, own = str(log["column"]), log.get("by"), log.get("interval")
    ends = tuple(own["columns"]) if own else ()
    with reader_of(path, column, by) as reader:
        releaser = None if own else _releaser(log, by_digest)
        plain = tuple(name for name in reader.header if name not in (column, *ends))
        others = plain[:_MOST_COLUMNS]
        indices = [list(reader.header).index(name) for name in (*others, column, *ends)]
        num_ends = 2 if releaser is not None else len(ends)
        table: list[tuple[str, ...]] = []
        for part in reader.parts():
            columns = [part.cells(index) for index in indices]
            if releaser is not None:
                columns += releaser.limits(part.answers, part.groups)
            first = [cells.slice(0, _MOST_ROWS).to_pylist() for cells in columns]
            for row in zip(*first, strict=True):
                cells = [_cell(value) for value in row]
                limits = [cell or _OPEN for cell in cells[len(cells) - num_ends :]]
                table.append((*cells[: len(cells) - num_ends], *limits))
            if len(table) >= _MOST_ROWS:
                break
    level = Fraction(own["level"]) if own else _LEVEL if releaser is not None else None
    return PublishedFile(
        head=(*others, column, *(("at least", "at most") if level is not None else ())),
        rows=tuple(table[:_MOST_ROWS]),
        level=level,
        left_out=int(log["output"]["rows"]) - len(table[:_MOST_ROWS]),
        plain=plain,
    )


def _releaser(log: Mapping[str, Any], by_digest: Mapping[str, Certificate]) -> Releaser | None:
    """Return what knows the intervals of all groups, if all certificates are at hand."""
    laws: dict[str | None, ColumnMechanism] = {}
    for entry in log["mechanisms"]:
        certificate = by_digest.get(entry.get("certificate_sha256", ""))
        if certificate is None:
            return None
        laws[entry.get("group")] = column_mechanism(certificate)
    try:
        clamp, drop_zero = log["beyond_the_range"] != "refused", "left_out" in log
        return Releaser(laws, clamp=clamp, drop_zero=drop_zero, level=_LEVEL)
    except NotAcceptedError:
        return None


def _cell(value: Any) -> str:  # noqa: ANN401 - any cell
    if value is None:
        return ""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value)
    text = str(value)
    return text if len(text) <= _DIGITS + 1 else f"{number:.{_DIGITS}g}"
