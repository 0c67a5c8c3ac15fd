"""One column of a data frame released: pandas, Polars, PyArrow, and Dask.

A column goes to Arrow and comes back by the package of the frame. A layer such as narwhals has no batches of
PyArrow, drops the metadata of a field, and draws nothing part by part for Dask: it would replace ten lines.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import pyarrow as pa

from optmech.base.arguments import flag, need_text, optional, takes
from optmech.base.errors import ProblemError
from optmech.mechanisms.sampling import NotPrivateWarning
from optmech.mechanisms.sampling.words import seeded_bytes
from optmech.release.tables.releaser import Releaser, released_type
from optmech.release.tables.table import laws_of
from optmech.release.tables.truths import UnfitAnswerError

if TYPE_CHECKING:
    from optmech.mechanisms.sampling.words import Seed
    from optmech.release.tables.laws import Law
    from optmech.release.tables.table import Asked

__all__ = ["column_of", "release_frame", "with_column"]

Frame = TypeVar("Frame")
_LAZY = "LazyFrame"


@takes(column=need_text, by=optional(need_text), clamp=flag, constant_time=flag)
def release_frame(
    frame: Frame,
    column: str,
    mechanism: Asked | Mapping[str | None, Asked],
    *,
    by: str | None = None,
    clamp: bool = False,
    constant_time: bool = False,
    seed: Seed | None = None,
) -> Frame:
    """Return a frame with draws from a mechanism in the place of a column of true answers.

    Each call is a release: it spends epsilon again. No log is written; `release_table` writes one. The column
    keeps its type where that holds every response, and becomes whole numbers or doubles where not.

    A Dask frame is released as it is computed, part by part. Its draws are made from a secret of this call:
    to compute it again, or anew after a worker was lost, gives the same draws and spends nothing more, as
    long as the true answers in each part are the same. To call this function again draws again.

    Parameters
    ----------
    frame : pandas, Polars or Dask DataFrame, or PyArrow Table or RecordBatch
        It is not changed.
    column : str
        Where the true answers are.
    mechanism, by, clamp, constant_time, seed
        As for `release_table`. A Dask frame takes no seed: each of its parts would draw the same noise.

    Returns
    -------
    frame
        Of the same kind.

    Raises
    ------
    ProblemError
        If it is no such frame, has no such column, or an answer is none of the truths.

    Warns
    -----
    NotPrivateWarning
        If a mechanism is no differential privacy at its epsilon and delta, or if there is a seed.

    Examples
    --------
    >>> import optmech as om
    >>> design = om.design(om.croft(om.count(5), epsilon="0.5"))
    >>> table = pa.table({"town": ["Aller", "Beck"], "count": [3, 0]})
    >>> noisy = release_frame(table, "count", design.certificate)
    >>> noisy.schema.types, noisy["town"].to_pylist()
    ([DataType(string), DataType(int64)], ['Aller', 'Beck'])
    """
    kind = type(frame).__module__.partition(".")[0]
    if kind == "dask":
        from optmech.release.tables.dask_frame import release_dask  # noqa: PLC0415 - only who has Dask waits for it

        if seed is not None:
            message = "`seed` must be left out for a Dask frame; each part would draw the same noise."
            raise ProblemError(message)
        laws = laws_of(mechanism, by=by, constant_time=constant_time)
        _caution(laws)
        made: Frame = release_dask(frame, column, laws, by=by, clamp=clamp)
        return made
    random_bytes = os.urandom if seed is None else seeded_bytes(seed)
    laws = laws_of(mechanism, by=by, constant_time=constant_time, random_bytes=random_bytes)
    _caution(laws)
    released: Frame = released_frame(frame, column, laws, by=by, clamp=clamp)
    return released


def _caution(laws: Law | Mapping[str | None, Law]) -> None:
    """Warn of what a log would say, for here is none."""
    every = laws.values() if isinstance(laws, Mapping) else [laws]
    said = (law.told.get(kind) for kind in ("allows", "caution") for law in every)
    for caution in dict.fromkeys(filter(None, said)):
        warnings.warn(caution, NotPrivateWarning, stacklevel=3)


def released_frame(
    frame: Any,  # noqa: ANN401 - as `column_of`
    column: str,
    laws: Law | Mapping[str | None, Law],
    *,
    by: str | None,
    clamp: bool,
    kind: pa.DataType | None = None,
) -> Any:  # noqa: ANN401
    """Return the frame with draws of these laws, of type `kind` or as `released_type` says."""
    answers = column_of(frame, column)
    groups = None if by is None else column_of(frame, by)
    if kind is None:
        kind = released_type(laws, answers.type)
    try:
        released = Releaser(laws, kind, clamp=clamp).released(answers, groups)
    except UnfitAnswerError as unfit:
        where = by if unfit.what == "groups" else column
        message = (
            f"`frame` must hold {unfit.what} among {unfit.among} in column {where}; got {unfit.got} in row "
            f"{unfit.row}, counted from 0. {unfit.remedy}"
        )
        raise ProblemError(message) from None
    return with_column(frame, column, released)


def column_of(frame: Any, column: str) -> pa.Array:  # noqa: ANN401 - one of several packages
    """Return a column as one Arrow array.

    Raises
    ------
    ProblemError
        If there is none of that name, or more than one, or the frame is of no known kind.
    """
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
        made = frame[column].to_arrow()
    elif kind == "pandas":
        try:
            made = pa.Array.from_pandas(frame[column])
        except (pa.ArrowInvalid, pa.ArrowTypeError) as trouble:
            message = f"`frame` must hold numbers or text in column {column}; got: {trouble}."
            raise ProblemError(message) from None
    else:
        made = frame.column(column)
    return made.combine_chunks() if isinstance(made, pa.ChunkedArray) else made


def with_column(frame: Any, column: str, released: pa.Array) -> Any:  # noqa: ANN401 - as `column_of`
    """Return the frame with another column in the place of one."""
    kind = type(frame).__module__.partition(".")[0]
    if kind == "polars":
        polars = sys.modules["polars"]
        return frame.with_columns(polars.from_arrow(released).alias(column))
    if kind == "pandas":
        series = released.to_pandas()
        series.index = frame.index
        return frame.assign(**{column: series})
    place = frame.schema.get_field_index(column)
    field = frame.schema.field(place).with_type(released.type)
    return frame.set_column(place, field, released)
