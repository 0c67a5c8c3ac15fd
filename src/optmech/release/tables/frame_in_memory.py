"""One column of a data frame that is in memory: pandas, Polars and PyArrow.

The new frame is made from the public view: the values of other columns in the shown rows, and the draws. Row
numbers, categories, metadata, values behind nulls and the chunks of columns may reveal rows that are left
out, so none of these is copied.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from optmech.base.errors import NotAcceptedError, ProblemError, quoting_data
from optmech.release.tables.column_mechanisms import tell_release
from optmech.release.tables.drop_zero import is_seen
from optmech.release.tables.part import index_of
from optmech.release.tables.public_view import check_no_keys, check_plain, fresh_column
from optmech.release.tables.releaser import Releaser
from optmech.release.tables.truths import UnfitAnswerError, check_type, computable

if TYPE_CHECKING:
    from optmech.release.tables.column_mechanisms import Laws
    from optmech.release.tables.public_view import Mask

_LAZY = "LazyFrame"
_MARK = "optmech: groups that occur in the data"
# Polars converts these to another type of Arrow, or refuses.
_NOT_IN_ARROW = ("Object", "Int128", "UInt128")


def released_frame(
    frame: Any,  # noqa: ANN401 - as `column_of`
    column: str,
    laws: Laws,
    *,
    by: str | None,
    clamp: bool,
    drop_zero: bool = False,
) -> Any:  # noqa: ANN401
    """Return the frame with draws from these mechanisms."""
    answers = column_of(frame, column)
    if len(answers):  # otherwise a column may have no type
        check_type(answers.type)
    groups = None if by is None else column_of(frame, by)
    if drop_zero:
        _check_index(frame)
    try:
        responses = Releaser(laws, clamp=clamp).draw(answers, groups)
    except UnfitAnswerError as unfit:
        where = by if unfit.what == "groups" else column
        message = (
            f"`frame` must hold {unfit.what} among {unfit.among} in column {where}; got {unfit.got} in row "
            f"{unfit.row}, counted from 0. {unfit.remedy}"
        )
        raise quoting_data(ProblemError(message)) from None
    tell_release(laws, column=column, output="a frame", data="a frame")
    return view_of_frame(frame, column, responses, drop_zero=drop_zero)


def column_of(frame: Any, column: str) -> pa.Array:  # noqa: ANN401 - one of several packages
    """Return a column as one Arrow array; ProblemError unless exactly one has that name."""
    kind = package_of(frame)
    is_lazy = type(frame).__name__ == _LAZY
    if is_lazy or kind not in ("pandas", "polars", "pyarrow") or not hasattr(frame, "columns"):
        remedy = " Collect it first: it would draw each time it is collected." if is_lazy else ""
        message = (
            "`frame` must be a DataFrame of pandas, Polars or Dask, or a Table of PyArrow; got "
            f"{type(frame).__name__}.{remedy}"
        )
        raise ProblemError(message)
    names = frame.schema.names if kind == "pyarrow" else frame.columns
    texts = [name for name in names if isinstance(name, str)]  # pandas has other names, too
    index_of(texts, column, "frame", error=ProblemError)
    if kind == "pyarrow":
        array = frame.column(column)
    else:
        try:
            array = frame[column].to_arrow() if kind == "polars" else pa.Array.from_pandas(frame[column])
        except (
            pa.ArrowException,
            OverflowError,
        ) as error:  # complex numbers, those beyond 64 bits, objects
            message = f"`frame` must hold numbers or text in column {column}; got: {error}."
            raise ProblemError(message) from None
    return computable(array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array)


def package_of(frame: object) -> str:
    """Return the package whose frame this is."""
    return type(frame).__module__.partition(".")[0]


def view_of_frame(frame: Any, column: str, responses: pa.Array, *, drop_zero: bool = False) -> Any:  # noqa: ANN401 - as `column_of`
    """Return the public columns of a frame with responses in the place of one column."""
    check_no_keys(frame.schema.names if package_of(frame) == "pyarrow" else frame.columns)
    mask = is_seen(responses) if drop_zero else np.ones(len(responses), bool)
    drawn = fresh_column(responses, mask)
    if package_of(frame) == "pandas":
        return _view_of_pandas(frame, column, drawn, mask, renumber=drop_zero)
    names = list(frame.schema.names) if package_of(frame) == "pyarrow" else frame.columns
    index = names.index(column)
    public = _arrow_table(frame, column)
    if drop_zero:
        check_plain(public.schema)
    columns = [fresh_column(values, mask) for values in public.columns]
    columns.insert(index, drawn)
    if type(frame).__name__ == "RecordBatch":
        return pa.RecordBatch.from_arrays(columns, names=names)
    table = pa.Table.from_arrays(columns, names=names)
    return sys.modules["polars"].from_arrow(table) if package_of(frame) == "polars" else table


def marked_of_data(table: pa.Table) -> pa.Table:
    """Return a table of counts with a mark that its groups are those that occur in the data.

    pandas takes that over into its ``attrs``.
    """
    attributes = {"attributes": {_MARK: True}, "columns": [], "index_columns": []}
    return table.replace_schema_metadata({_MARK: "true", "pandas": json.dumps(attributes)})


def check_groups_are_public(frame: Any) -> None:  # noqa: ANN401 - as `column_of`
    """Raise NotAcceptedError if all rows of a table marked with groups of the data would be shown."""
    package = package_of(frame)
    metadata = frame.schema.metadata if package == "pyarrow" else None
    if _MARK.encode() in (metadata or {}) or (package == "pandas" and _MARK in frame.attrs):
        message = (
            "`drop_zero` must be True: the groups of this table are those that occur in the data, and each "
            "of its rows says that somebody is there. Release it by a mechanism with zero-stays-zero."
        )
        raise NotAcceptedError(message)


def _arrow_table(frame: Any, column: str) -> Any:  # noqa: ANN401 - of Polars or PyArrow
    """Return the public columns of a frame; NotAcceptedError if Arrow lacks the type of one."""
    if package_of(frame) == "pyarrow":
        return frame.drop_columns([column])
    public = frame.drop(column)
    for name, kind in public.schema.items():
        if str(kind) in _NOT_IN_ARROW:
            message = (
                f"`frame` must have columns of plain values; got {kind} in column {name}. Cast it first."
            )
            raise NotAcceptedError(message)
    return public.to_arrow()


def _check_index(frame: Any) -> None:  # noqa: ANN401 - of one of several packages
    """Refuse a frame of pandas with an index other than its row numbers, in any order."""
    if package_of(frame) != "pandas":
        return
    index = frame.index
    if index.nlevels == 1 and index.name is None and index.dtype.kind in "iu":
        numbers = np.sort(index.to_numpy())
        if (numbers == np.arange(numbers.size)).all():
            return
    message = (
        "`drop_zero` must come with a frame whose index is the numbers of its rows, which are counted anew; "
        "got another. Make it a column by reset_index(), or leave it out by reset_index(drop=True)."
    )
    raise NotAcceptedError(message)


def _view_of_pandas(
    frame: Any,  # noqa: ANN401 - pandas need not be installed
    column: str,
    drawn: pa.Array,
    mask: Mask,
    *,
    renumber: bool,
) -> Any:  # noqa: ANN401
    pandas = sys.modules["pandas"]
    names = list(frame.columns)
    index = names.index(column)
    public = frame.drop(columns=column)
    columns = [
        _public_series(public.iloc[:, number], mask, pandas, is_seen_only=renumber)
        for number in range(public.shape[1])
    ]
    columns.insert(index, drawn.to_pandas())
    result = pandas.concat(columns, axis=1)
    result.columns, result.attrs = names, {}
    if not renumber:
        result.index = _public_index(frame.index, pandas)
    return result


def _public_series(column: Any, mask: Mask, pandas: Any, *, is_seen_only: bool) -> Any:  # noqa: ANN401 - as above
    """Return a column in the rows of a mask, in one piece, numbered anew.

    Categories and objects of pandas become objects, and every kind of missing value becomes None.
    """
    kind = column.dtype
    if isinstance(kind, pandas.ArrowDtype):
        values = column.array.__arrow_array__()
        if is_seen_only:
            check_plain([pa.field(str(column.name), values.type)])
        return pandas.Series(pandas.arrays.ArrowExtensionArray(fresh_column(values, mask)))
    rows = column.loc[mask]
    if isinstance(kind, pandas.CategoricalDtype) or pandas.api.types.is_object_dtype(kind):
        values = rows.astype(object).to_numpy(copy=True)
        values[rows.isna().to_numpy()] = None
        return pandas.Series(values, dtype=object)
    if isinstance(kind, pandas.StringDtype):
        return pandas.Series(pandas.array(rows.tolist(), dtype=kind))
    rows = rows.reset_index(drop=True)
    return rows.dropna().reindex(rows.index)  # with nothing behind what is missing


def _public_index(index: Any, pandas: Any) -> Any:  # noqa: ANN401 - as above
    """Return the index of a frame without the categories and levels that no row has."""
    if index.nlevels > 1:
        levels = [_public_index(index.get_level_values(level), pandas) for level in range(index.nlevels)]
        return pandas.MultiIndex.from_arrays(levels, names=index.names)
    if isinstance(index.dtype, pandas.CategoricalDtype):
        return pandas.Index(index.astype(object), name=index.name)
    return index
