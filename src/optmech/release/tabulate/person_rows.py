"""Read columns of a file or a frame as text, in batches, to compare people and groups."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from optmech.base.errors import FileFormatError, ProblemError, broken_rule, unreadable
from optmech.base.extras import package
from optmech.release.tables.files import is_parquet
from optmech.release.tables.frame_in_memory import column_of, package_of
from optmech.release.tables.part import index_of, readable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from os import PathLike

_ROWS, _BLOCK = 1 << 18, 1 << 24
_READ_AHEAD = 1 << 20
_KINDS_OF_NAMES = (
    *(pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view),
    *(pa.types.is_integer, pa.types.is_boolean, pa.types.is_date, pa.types.is_null),
)


def texts_of(table: Any, columns: Sequence[str]) -> Iterator[list[pa.Array]]:  # noqa: ANN401 - a path or a frame
    """Yield these columns of a file or a frame in memory as text, some rows at a time."""
    if isinstance(table, (str, os.PathLike)):
        return texts_of_file(table, columns)[1]
    arrays = frame_texts(table, columns, "table")
    return ([array.slice(start, _ROWS) for array in arrays] for start in range(0, len(arrays[0]), _ROWS))


def texts_in_order(table: Any, columns: Sequence[str]) -> Iterator[list[pa.Array]]:  # noqa: ANN401 - as above
    """Yield the same, also for a Dask frame, one part after the other."""
    if package_of(table) != "dask":
        yield from texts_of(table, columns)
        return
    for part in dask_columns(table, columns).partitions:
        yield from texts_of(part.compute(), columns)


def frame_texts(frame: Any, columns: Sequence[str], name: str) -> list[pa.Array]:  # noqa: ANN401 - of several packages
    """Return columns of a frame in memory as text."""
    return [_text(column_of(frame, column), name, column) for column in columns]


def texts_of_file(
    path: str | PathLike[str], columns: Sequence[str] | None
) -> tuple[tuple[str, ...], Iterator[list[pa.Array]]]:
    """Return the names of these columns, or of all, and their rows as text. An empty cell of CSV is null."""
    if not (is_parquet(path) or str(path).lower().endswith((".csv", ".csv.gz"))):
        message = f"`{path}` must end in .csv, .csv.gz or .parquet, which says what it is."
        raise FileFormatError(message)
    if not Path(path).is_file():  # keep the operating system's reason
        try:
            Path(path).open("rb").close()
        except (OSError, ValueError) as error:
            raise unreadable(path, error) from None
    with readable(path, "table"), _open(path, {}) as file:
        schema = file.schema_arrow if is_parquet(path) else file.schema
    for column in columns or ():
        index_of(schema.names, column, str(path))
    names = tuple(schema.names if columns is None else columns)
    for name in names if is_parquet(path) else ():
        _check_type(schema.field(name).type, path, name)

    def parts() -> Iterator[list[pa.Array]]:
        with readable(path, "table"), _open(path, dict.fromkeys(names, pa.string())) as file:
            batches = file.iter_batches(batch_size=_ROWS, columns=list(names)) if is_parquet(path) else file
            for batch in batches:
                yield [_text(batch.column(name), path, name) for name in names]

    return names, parts()


def dask_columns(frame: Any, columns: Sequence[str]) -> Any:  # noqa: ANN401 - Dask has no types
    """Return columns of a frame of Dask."""
    dask = package("dask.dataframe", "cluster", "a Dask frame")
    if not isinstance(frame, dask.DataFrame):
        raise broken_rule("table", "be a DataFrame of Dask", type(frame).__name__)
    for name in columns:
        index_of(list(map(str, frame.columns)), name, "table", error=ProblemError)
    return frame[list(columns)]


def _open(path: str | PathLike[str], kinds: dict[str, pa.DataType]) -> Any:  # noqa: ANN401 - of Arrow
    """Open a file; without `kinds` only the header of a CSV file is read."""
    if is_parquet(path):
        return pyarrow.parquet.ParquetFile(path, pre_buffer=False, buffer_size=_READ_AHEAD)
    return pyarrow.csv.open_csv(
        os.fspath(path),
        read_options=pyarrow.csv.ReadOptions(block_size=_BLOCK),
        parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True),
        convert_options=pyarrow.csv.ConvertOptions(
            include_columns=list(kinds), column_types=kinds, null_values=[""], strings_can_be_null=True
        ),
    )


def _text(column: pa.Array, where: object, name: str) -> pa.Array:
    _check_type(column.type, where, name)
    plain = column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
    text = plain.cast(pa.string())
    try:
        text.validate(full=True)
    except pa.ArrowInvalid:
        message = f"`{where}` must have text of UTF-8 in column {name}; got other bytes. Decode it first."
        raise (ProblemError if where in {"table", "groups"} else FileFormatError)(message) from None
    return text


def _check_type(kind: pa.DataType, where: object, name: str) -> None:
    plain = kind.value_type if pa.types.is_dictionary(kind) else kind
    if not any(is_kind(plain) for is_kind in _KINDS_OF_NAMES):
        message = (
            f"`{where}` must have text, whole numbers or dates in column {name}; got {kind}. Cast it first."
        )
        raise (ProblemError if where in {"table", "groups"} else FileFormatError)(message)
