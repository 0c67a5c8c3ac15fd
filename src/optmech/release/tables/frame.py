"""One column of a data frame released: pandas, Polars, PyArrow, and Dask.

A column goes to Arrow and comes back by the package of the frame. A layer such as narwhals has no batches of
PyArrow, drops the metadata of a field, and draws nothing part by part for Dask: it would replace ten lines.
"""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, TypeVar

from optmech.base.arguments import flag, need_text, optional, takes
from optmech.base.errors import NotAcceptedError, ProblemError
from optmech.mechanisms.sampling import NotPrivateWarning
from optmech.mechanisms.sampling.words import seeded_bytes
from optmech.release.tables.dask_frame import release_dask
from optmech.release.tables.drop_zero import SEEN_ROWS, check_keeps_zero, keeps_zero
from optmech.release.tables.frame_in_memory import package_of, released_frame
from optmech.release.tables.table import cautions_of, laws_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optmech.mechanisms.sampling.words import Seed
    from optmech.release.tables.table import MechanismArgument

Frame = TypeVar("Frame")


@takes(column=need_text, by=optional(need_text), clamp=flag, drop_zero=flag, constant_time=flag)
def release_frame(
    frame: Frame,
    column: str,
    mechanism: MechanismArgument | Mapping[str | None, MechanismArgument],
    *,
    by: str | None = None,
    clamp: bool = False,
    drop_zero: bool = False,
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
    drop_zero : bool
        As for `release_table`: leave out rows that are released as 0. Rows are numbered anew, categories and
        dictionaries become their values, and metadata is left out. Not of a Dask frame, whose parts tell of
        rows that were in them.

    Returns
    -------
    frame
        Of the same kind.

    Raises
    ------
    ProblemError
        If it is no such frame, has no such column, or an answer is none of the truths.
    NotAcceptedError
        If `drop_zero` is asked of a mechanism that does not say zero-stays-zero, of a Dask frame, or of one
        with nested columns or an index that is more than the numbers of its rows.

    Warns
    -----
    NotPrivateWarning
        If a mechanism is no differential privacy at its epsilon and delta, or if there is a seed, or where a
        mechanism says zero-stays-zero and rows released as 0 are shown all the same.

    Examples
    --------
    >>> import optmech as om
    >>> import pyarrow as pa
    >>> design = om.design(om.croft(om.count(5), epsilon="0.5"))
    >>> table = pa.table({"town": ["Aller", "Beck"], "count": [3, 0]})
    >>> noisy = release_frame(table, "count", design)
    >>> noisy.schema.types, noisy["town"].to_pylist()
    ([DataType(string), DataType(int64)], ['Aller', 'Beck'])
    """
    is_dask = package_of(frame) == "dask"
    if is_dask:
        if seed is not None:
            message = "`seed` must be left out for a Dask frame; each part would draw the same noise."
            raise ProblemError(message)
        if drop_zero:
            message = (
                "`drop_zero` must be left out for a Dask frame, whose parts tell of rows that were in them. "
                "Compute it first."
            )
            raise NotAcceptedError(message)
    random_bytes = os.urandom if seed is None else seeded_bytes(seed)
    laws = laws_of(mechanism, by=by, constant_time=constant_time, random_bytes=random_bytes)
    for caution in cautions_of(laws):  # what a log would say, for here is none
        warnings.warn(caution, NotPrivateWarning, stacklevel=2)
    if is_dask:
        result: Frame = release_dask(frame, column, laws, by=by, clamp=clamp)
        return result
    if drop_zero:
        check_keeps_zero(laws)
    elif keeps_zero(laws):
        warnings.warn(SEEN_ROWS, NotPrivateWarning, stacklevel=2)
    result_in_memory: Frame = released_frame(frame, column, laws, by=by, clamp=clamp, drop_zero=drop_zero)
    return result_in_memory
