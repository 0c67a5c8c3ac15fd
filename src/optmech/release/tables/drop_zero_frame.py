"""Rows of a data frame released as 0 left out: what is returned follows from the rows that are seen alone.

Besides rows, a frame tells of those that are left out by the numbers of the others, by categories, by
metadata, and by where the pieces end that its columns are kept in: none of these is taken over.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from optmech.base.errors import NotAcceptedError
from optmech.release.tables.drop_zero import plain_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["check_plain", "seen_frame"]

# Polars hands these to Arrow as something else, or not at all.
_NOT_IN_ARROW = ("Object", "Int128", "UInt128")


def check_plain(frame: Any) -> None:  # noqa: ANN401 - of one of several packages
    """Refuse a frame with an index or columns that cannot be taken over without what they tell of other rows.

    That is an index of pandas which is more than the numbers of its rows, in any order, or a column of Polars
    of a type that Arrow does not have.
    """
    package = type(frame).__module__.partition(".")[0]
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


def seen_frame(frame: Any, mask: NDArray[np.bool_]) -> Any:  # noqa: ANN401 - of one of several packages
    """Return the rows of a frame that are seen, categories and dictionaries written out."""
    kind = type(frame).__module__.partition(".")[0]
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
