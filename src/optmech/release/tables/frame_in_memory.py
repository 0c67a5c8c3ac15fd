"""One column of a data frame that is in memory: pandas, Polars and PyArrow."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from optmech.base.errors import ProblemError
from optmech.release.tables.drop_zero import is_seen
from optmech.release.tables.drop_zero_frame import check_plain, seen_frame
from optmech.release.tables.releaser import Releaser, released_type
from optmech.release.tables.truths import UnfitAnswerError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optmech.release.tables.column_mechanisms import ColumnMechanism

__all__ = ["column_of", "released_frame", "with_column"]

_LAZY = "LazyFrame"


def released_frame(
    frame: Any,  # noqa: ANN401 - as `column_of`
    column: str,
    laws: ColumnMechanism | Mapping[str | None, ColumnMechanism],
    *,
    by: str | None,
    clamp: bool,
    drop_zero: bool = False,
    kind: pa.DataType | None = None,
) -> Any:  # noqa: ANN401
    """Return the frame with draws of these laws, of type `kind` or as `released_type` says."""
    if drop_zero:
        check_plain(frame)
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
    return seen_frame(result, is_seen(responses)) if drop_zero else result


def column_of(frame: Any, column: str) -> pa.Array:  # noqa: ANN401 - one of several packages
    """Return a column as one Arrow array; ProblemError if there is not one of that name."""
    kind = type(frame).__module__.partition(".")[0]
    is_lazy = type(frame).__name__ == _LAZY
    if is_lazy or kind not in ("pandas", "polars", "pyarrow") or not hasattr(frame, "columns"):
        remedy = " Collect it first: it would draw each time it is collected." if is_lazy else ""
        message = (
            "`frame` must be a DataFrame of pandas, Polars or Dask, or a Table of PyArrow; got "
            f"{type(frame).__name__}.{remedy}"
        )
        raise ProblemError(message)
    names = list(frame.schema.names if kind == "pyarrow" else frame.columns)
    if names.count(column) != 1:
        message = f"`frame` must have one column {column!r}; it has {', '.join(map(str, names))[:60]}."
        raise ProblemError(message)
    if kind == "polars":
        array = frame[column].to_arrow()
    elif kind == "pandas":
        try:
            array = pa.Array.from_pandas(frame[column])
        except (pa.ArrowInvalid, pa.ArrowTypeError) as trouble:
            message = f"`frame` must hold numbers or text in column {column}; got: {trouble}."
            raise ProblemError(message) from None
    else:
        array = frame.column(column)
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def with_column(frame: Any, column: str, responses: pa.Array) -> Any:  # noqa: ANN401 - as `column_of`
    """Return the frame with another column in the place of one."""
    kind = type(frame).__module__.partition(".")[0]
    if kind == "polars":
        polars = sys.modules["polars"]
        return frame.with_columns(polars.from_arrow(responses).alias(column))
    if kind == "pandas":
        series = responses.to_pandas()
        series.index = frame.index
        return frame.assign(**{column: series})
    place = frame.schema.get_field_index(column)
    field = frame.schema.field(place).with_type(responses.type)
    return frame.set_column(place, field, responses)
