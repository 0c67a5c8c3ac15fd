"""One column of a data frame that is in memory: pandas, Polars and PyArrow.

Where rows released as 0 are left out, what is returned follows from the rows that are seen alone. Besides
rows, a frame tells of those that are left out by the numbers of the others, by categories, by metadata, and
by where the pieces end that its columns are kept in: none of these is taken over.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from optmech.base.errors import NotAcceptedError, ProblemError
from optmech.release.tables.drop_zero import is_seen, plain_rows
from optmech.release.tables.part import place_of
from optmech.release.tables.releaser import Releaser, released_type
from optmech.release.tables.schemas import released_schema
from optmech.release.tables.truths import UnfitAnswerError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.release.tables.column_mechanisms import Laws

_LAZY = "LazyFrame"
# Polars hands these to Arrow as something else, or not at all.
_NOT_IN_ARROW = ("Object", "Int128", "UInt128")


def released_frame(
    frame: Any,  # noqa: ANN401 - as `column_of`
    column: str,
    laws: Laws,
    *,
    by: str | None,
    clamp: bool,
    drop_zero: bool = False,
    kind: pa.DataType | None = None,
) -> Any:  # noqa: ANN401
    """Return the frame with draws of these laws, of type `kind` or as `released_type` says."""
    if drop_zero:
        _check_plain(frame)
    answers = column_of(frame, column)
    groups = None if by is None else column_of(frame, by)
    if kind is None:
        kind = released_type(laws, answers.type)
    try:
        responses = Releaser(laws, kind, clamp=clamp).draw(answers, groups)
    except UnfitAnswerError as unfit:
        where = by if unfit.what == "groups" else column
        message = (
            f"`frame` must hold {unfit.what} among {unfit.among} in column {where}; got {unfit.got} in row "
            f"{unfit.row}, counted from 0. {unfit.remedy}"
        )
        raise ProblemError(message) from None
    result = with_column(frame, column, responses)
    return _seen_frame(result, is_seen(responses)) if drop_zero else result


def column_of(frame: Any, column: str) -> pa.Array:  # noqa: ANN401 - one of several packages
    """Return a column as one Arrow array; ProblemError if there is not one of that name."""
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
    place_of(texts, column, "frame", error=ProblemError)
    if kind == "pyarrow":
        array = frame.column(column)
    else:
        try:
            array = frame[column].to_arrow() if kind == "polars" else pa.Array.from_pandas(frame[column])
        except (
            pa.ArrowException,
            OverflowError,
        ) as trouble:  # complex numbers, those beyond 64 bits, objects
            message = f"`frame` must hold numbers or text in column {column}; got: {trouble}."
            raise ProblemError(message) from None
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def package_of(frame: object) -> str:
    """Return the package whose frame this is."""
    return type(frame).__module__.partition(".")[0]


def with_column(frame: Any, column: str, responses: pa.Array) -> Any:  # noqa: ANN401 - as `column_of`
    """Return the frame with another column in the place of one."""
    kind = package_of(frame)
    if kind == "polars":
        polars = sys.modules["polars"]
        return frame.with_columns(polars.from_arrow(responses).alias(column))
    if kind == "pandas":
        series = responses.to_pandas()
        series.index = frame.index
        return frame.assign(**{column: series})
    place = frame.schema.get_field_index(column)
    schema = released_schema(frame.schema, place, {column: responses.type})
    return frame.set_column(place, schema.field(place), responses).replace_schema_metadata(schema.metadata)


def _check_plain(frame: Any) -> None:  # noqa: ANN401 - of one of several packages
    """Refuse a frame with an index or columns that cannot be taken over without what they tell of other rows.

    That is an index of pandas which is more than the numbers of its rows, in any order, or a column of Polars
    of a type that Arrow does not have.
    """
    package = package_of(frame)
    if package == "polars":
        for name, kind in frame.schema.items():
            if str(kind) in _NOT_IN_ARROW:
                message = f"`drop_zero` must come with columns of plain values; got {kind} in column {name}."
                raise NotAcceptedError(message)
    if package != "pandas":
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


def _seen_frame(frame: Any, mask: NDArray[np.bool_]) -> Any:  # noqa: ANN401 - of one of several packages
    """Return the rows of a frame that are seen, categories and dictionaries written out."""
    kind = package_of(frame)
    if kind == "pandas":
        return _seen_of_pandas(frame, mask)
    rows = plain_rows(frame.to_arrow() if kind == "polars" else frame, mask)
    whole = rows.combine_chunks() if isinstance(rows, pa.Table) else rows
    return sys.modules["polars"].from_arrow(whole) if kind == "polars" else whole


def _seen_of_pandas(frame: Any, mask: NDArray[np.bool_]) -> Any:  # noqa: ANN401 - pandas need not be installed
    pandas = sys.modules["pandas"]
    columns = [_seen_series(frame.iloc[:, place], mask, pandas) for place in range(frame.shape[1])]
    result = pandas.concat(columns, axis=1)
    result.columns = frame.columns
    result.attrs = {}
    return result


def _seen_series(column: Any, mask: NDArray[np.bool_], pandas: Any) -> Any:  # noqa: ANN401 - as above
    """Return the rows of a column that are seen, without categories and in one piece."""
    kind = column.dtype
    if isinstance(kind, pandas.ArrowDtype):
        (plain,) = plain_rows(pa.table([column.array.__arrow_array__()], names=[str(column.name)]), mask)
        return pandas.Series(pandas.arrays.ArrowExtensionArray(plain.combine_chunks()))
    rows = column.loc[mask].reset_index(drop=True)
    if isinstance(kind, pandas.CategoricalDtype):
        return rows.astype(object if rows.isna().any() else kind.categories.dtype)
    if isinstance(kind, pandas.StringDtype):
        return pandas.Series(pandas.array(rows.tolist(), dtype=kind))
    return rows
