"""Read tables from files in parts: their groups, a check of the answers, and draws that replace them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from optmech.base.errors import FileFormatError, ProblemError, quoting_data
from optmech.release.tables.cell_law import CellLaw
from optmech.release.tables.cell_numbers import SECOND_NAMES
from optmech.release.tables.column_mechanisms import ColumnMechanism
from optmech.release.tables.csv_file import CsvReader, CsvWriter, WorkbookWriter
from optmech.release.tables.csv_rows import CsvRows
from optmech.release.tables.dialect import CsvFile
from optmech.release.tables.drop_zero import is_seen
from optmech.release.tables.interval import columns_of_limits
from optmech.release.tables.parquet_file import ParquetReader, ParquetWriter
from optmech.release.tables.part import check_no_folder
from optmech.release.tables.public_view import check_plain
from optmech.release.tables.releaser import Releaser
from optmech.release.tables.truths import UnfitAnswerError, check_type
from optmech.release.tables.workbook import is_workbook

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from os import PathLike
    from pathlib import Path

    from optmech.question.query import Query
    from optmech.release.tables.column_mechanisms import Laws

    Reader = CsvReader | ParquetReader


def is_parquet(path: str | PathLike[str]) -> bool:
    """Whether a file is Parquet, by its name."""
    return str(path).lower().endswith((".parquet", ".pq"))


def reader_of(table: str | PathLike[str], column: str, by: str | None, key: str | None = None) -> Reader:
    """Return the reader of a table, or raise FileFormatError."""
    check_no_folder(table)
    CsvFile.of(table).check_text(is_text=not is_parquet(table))
    return ParquetReader(table, column, by, key) if is_parquet(table) else CsvReader(table, column, by, key)


def dialect_of(table: str | PathLike[str]) -> tuple[str, ...]:
    """Return sentences on the dialect that was found in a file, none of what is usual or was asked for."""
    said: list[str] = []
    for part in CsvFile.of(table).parts():
        if not is_parquet(part):
            with CsvRows(part) as rows:
                said += rows.text.said
    return tuple(dict.fromkeys(said))


def reading_of(table: str | PathLike[str]) -> tuple[str, ...]:
    """Return sentences on the dialect of a file, found or asked for, where it is not the usual one."""
    return (*CsvFile.of(table).asked, *dialect_of(table))


def check_column(reader: Reader) -> None:
    """Raise FileFormatError for a column of answers that are neither numbers nor text."""
    try:
        check_type(reader.type)
    except ProblemError as error:
        message = f"`{reader.path}`, column {reader.column}: {error}"
        raise FileFormatError(message) from None


def responses_of(reader: Reader, releaser: Releaser) -> Iterator[tuple[Any, pa.Array]]:
    """Yield each part of a table with the draws for its answers.

    FileFormatError: an answer is not one of the truths, or a group has no mechanism; it has the location.
    """
    for part in reader.parts():
        try:
            yield part, releaser.draw(part.answers, part.groups, part.keys)
        except UnfitAnswerError as unfit:
            column = reader.by if unfit.what == "groups" else reader.column
            remedy = SECOND_NAMES if unfit.got == repr(column) else unfit.remedy
            message = (
                f"`{reader.path}` must hold {unfit.what} among {unfit.among} in column {column}; "
                f"got {unfit.got} in {part.location(unfit.row)}. {remedy}"
            )
            raise quoting_data(FileFormatError(message)) from None


def copy_released(
    reader: Reader,
    releaser: Releaser,
    file: Path,
    out: str | PathLike[str],
    *,
    drop_zero: bool,
    progress: Callable[[int, int], None] | None,
    told: Callable[[memoryview], object] | None = None,
) -> int:
    """Write the table into a file, in the format of `out`'s suffix, and return its number of rows.

    `told` gets the text of the rows with their draws, without intervals, the same for each format.
    """
    kinds = {reader.column: releaser.kind}
    if releaser.has_limits:
        kinds |= dict.fromkeys(columns_of_limits(reader.column), releaser.limits_kind)
    for name in kinds.keys() & set(reader.header) - {reader.column}:
        message = f"`{reader.path}` must have no column {name}, which --interval adds. Rename it."
        raise FileFormatError(message)
    rows = 0
    with _writer(reader, file, out, kinds, drop_zero=drop_zero) as writer:
        for part, answers in responses_of(reader, releaser):
            drawn, seen = [answers], None
            if releaser.has_limits:
                drawn += releaser.limits(answers, part.groups)
            if drop_zero:
                seen = is_seen(answers)
                drawn = [column.filter(pa.array(seen)) for column in drawn]
            public = part.public(seen)
            writer.write(public, drawn)
            if told is not None:
                told(memoryview(public.text(drawn[:1])))
            rows += len(drawn[0])
            if progress is not None:
                progress(reader.position, reader.total)
    return rows


def _writer(
    reader: Reader,
    file: Path,
    out: str | PathLike[str],
    kinds: dict[str, pa.DataType],
    *,
    drop_zero: bool,
) -> CsvWriter | ParquetWriter:
    view = reader.view(kinds)
    if drop_zero:
        check_plain(view.public)
    if is_parquet(out):
        if len(set(view.schema.names)) < len(view.schema):
            message = f"`{reader.path}` must have different names of columns to become Parquet; it has not."
            raise FileFormatError(message)
        return ParquetWriter(file, view)
    for field in view.public:
        kind = field.type
        if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
            message = (
                f"`{reader.path}` must have one text in each cell to become CSV; got {kind} in column "
                f"{field.name}. Write Parquet, or leave the column out."
            )
            raise FileFormatError(message)
    if is_workbook(out):
        return WorkbookWriter(file, view)
    return CsvWriter(file, view, is_packed=str(out).lower().endswith(".gz"))


def groups_of(table: str | PathLike[str], by: str) -> list[str]:
    """Return the groups in a column as text, in the order of their first rows, or raise FileFormatError."""
    groups_seen: dict[str, None] = {}
    with reader_of(table, by, by) as reader:
        for part in reader.parts():
            assert part.groups is not None  # noqa: S101 - the reader has their column
            names = part.groups.unique().to_pylist()
            if None in names or "" in names:
                message = f"`{table}` must have a group in each row, in column {by}; got none in one of them."
                raise FileFormatError(message)
            groups_seen |= dict.fromkeys(map(str, names))
    return list(groups_seen)


def check_answers(
    queries: Mapping[str, Query], table: str | PathLike[str], *, column: str, by: str, clamp: bool
) -> None:
    """Refuse an answer that is not one of the truths of its group, before a design or a draw."""
    laws: Laws = {
        name: ColumnMechanism(
            law=CellLaw(answers=query.truths, has_ends=True), description={"kind": query.kind}
        )
        for name, query in queries.items()
    }
    with reader_of(table, column, by) as reader:
        check_column(reader)
        for _ in responses_of(reader, Releaser(laws, clamp=clamp)):
            pass
