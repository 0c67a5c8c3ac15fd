"""The public view of a table: the only input of the writer of a released one.

Model
-----
    public       the names of the other columns, the types they are declared with, and their values in the
                 rows that are written, in order
    drawn        responses and the ends of their intervals, of types that follow from the mechanism
    not in it    the true answers and cell keys, their types and metadata; rows that are left out;
                 dictionaries, metadata, pieces and row groups, compression, ends of lines

A released table is a function of its view, and the view of public facts and draws. So two tables that differ
only in true answers, or in rows that are left out, give the same bytes for the same draws.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from optmech.base.errors import NotAcceptedError, ProblemError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    Mask = NDArray[np.bool_]

CELL_KEY = "cell_key"
"""The column of cell keys in a table of counts, which is never public."""
_PLAIN = {
    pa.string_view(): pa.large_string(),
    pa.binary_view(): pa.large_binary(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicView:
    """The names and types of the columns of a released table, drawn ones between public ones."""

    before: tuple[pa.Field, ...]
    drawn: tuple[pa.Field, ...]
    after: tuple[pa.Field, ...]

    @classmethod
    def of(
        cls, schema: pa.Schema, column: int, drawn: Mapping[str, pa.DataType], *, last: int | None = None
    ) -> PublicView:
        """Return the view of a table with true answers in this column, and other secrets up to `last`."""
        fields = [pa.field(field.name, public_type(field.type)) for field in schema]
        view = cls(
            before=tuple(fields[:column]),
            drawn=tuple(pa.field(*field) for field in drawn.items()),
            after=tuple(fields[(column if last is None else last) + 1 :]),
        )
        check_no_keys(field.name for field in view.public)
        return view

    @property
    def schema(self) -> pa.Schema:
        """The schema of the released table."""
        return pa.schema([*self.before, *self.drawn, *self.after])

    @property
    def public(self) -> tuple[pa.Field, ...]:
        """The public columns."""
        return self.before + self.after


class PublicRows(ABC):
    """Some rows of the public columns, ready to be written with drawn columns among them."""

    @abstractmethod
    def text(self, drawn: Sequence[pa.Array]) -> pa.Buffer:
        """Return the rows as CSV."""

    @abstractmethod
    def batch(self, drawn: Sequence[pa.Array], view: PublicView) -> pa.RecordBatch:
        """Return the rows with the columns of a view."""


def public_type(kind: pa.DataType) -> pa.DataType:
    """Return the type of a column's values without dictionaries, views and metadata, nested or not.

    NotAcceptedError if it is a view of lists.

    >>> public_type(pa.list_(pa.dictionary(pa.int8(), pa.string())))
    ListType(list<item: string>)
    """
    if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        return public_type(kind.value_type)
    if pa.types.is_nested(kind):
        return _public_nested(kind)
    return _PLAIN.get(kind, kind)


def _public_nested(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_struct(kind):
        return pa.struct([_public_field(field) for field in kind])
    if pa.types.is_map(kind):
        return pa.map_(public_type(kind.key_type), public_type(kind.item_type))
    if pa.types.is_fixed_size_list(kind):
        return pa.list_(_public_field(kind.value_field), kind.list_size)
    if pa.types.is_list_view(kind) or pa.types.is_large_list_view(kind):
        message = (
            f"columns must hold lists, for of views of lists Arrow loses values; got {kind}. Cast it first."
        )
        raise NotAcceptedError(message)
    if pa.types.is_large_list(kind):
        return pa.large_list(_public_field(kind.value_field))
    if pa.types.is_list(kind):
        return pa.list_(_public_field(kind.value_field))
    return kind


def _public_field(field: pa.Field) -> pa.Field:
    return pa.field(field.name, public_type(field.type))


def public_column(column: pa.Array | pa.ChunkedArray, mask: Mask | None = None) -> pa.Array | pa.ChunkedArray:
    """Return the values of a column in the rows of a mask, or in all rows.

    NotAcceptedError: they cannot be separated from their dictionaries.
    """
    kind = public_type(column.type)
    try:
        if pa.types.is_run_end_encoded(column.type):
            column = pc.run_end_decode(column)
        if not column.type.equals(kind, check_metadata=True):
            column = column.cast(kind)
        return column if mask is None else column.filter(pa.array(mask))
    except pa.ArrowNotImplementedError:
        message = (
            f"columns must have values that can be written out; got {column.type}. Leave such a column out."
        )
        raise NotAcceptedError(message) from None


def fresh_column(column: pa.Array | pa.ChunkedArray, mask: Mask) -> pa.Array:
    """Return the result of `public_column` in one new block of memory, with nothing behind nulls."""
    rows = public_column(column, mask)
    rows = rows.combine_chunks() if isinstance(rows, pa.ChunkedArray) else rows
    if rows.null_count:
        valid = rows.is_valid().to_numpy(zero_copy_only=False)
        return rows.drop_null().take(pa.array(np.cumsum(valid) - 1, mask=~valid))
    if pa.types.is_nested(rows.type) or isinstance(rows.type, pa.ExtensionType):
        return rows
    # A validity mask without nulls would reveal a null in a row that is left out.
    return pa.Array.from_buffers(rows.type, len(rows), [None, *rows.buffers()[1:]], 0, rows.offset)


def check_no_keys(names: Iterable[str]) -> None:
    """Raise ProblemError if a column would be released that has the name of secret keys."""
    if CELL_KEY in names:
        message = (
            f"column {CELL_KEY} must not be released: `tabulate` writes secret keys there. Release the table "
            "by --cell-key (`release_table` with `cell_key`), or drop or rename that column."
        )
        raise ProblemError(message)


def check_plain(fields: Sequence[pa.Field]) -> None:
    """Raise NotAcceptedError for nested columns, in which rows may share values."""
    for field in fields:
        if pa.types.is_nested(field.type):
            message = (
                f"`drop_zero` must come with columns of plain values; got {field.type} in column "
                f"{field.name}. Leave it out."
            )
            raise NotAcceptedError(message)
