"""One column of a data frame released: pandas, Polars, PyArrow, and Dask.

A column is converted to Arrow and back by the package of the frame. A layer such as narwhals has no batches
of PyArrow and no parts of Dask, and would replace only ten lines.

Each part of a Dask frame has its own draws, the same in every computation.

Model
-----
    K is a secret of 32 bytes from the operating system, one for each release
    the bytes for part i with answers f are SHAKE-256(K, i, SHA-256(f), j), for j = 1, 2, ...

A cluster computes a task again when it loses a result or when a graph is evaluated twice. With fresh
randomness the second answers would be a second release that spends epsilon unseen; with these bytes they
equal the first. If the true answers changed in between, the bytes are independent of the first, and it is a
second release. No two parts share bytes, even with the same answers.

With K and the released answers the noise can be undone. K is kept with the true answers, in the graph and on
the workers, and is never shown.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import pyarrow as pa

from optmech.base.arguments import flag, need_text, optional, takes
from optmech.base.errors import NotAcceptedError, ProblemError, broken_rule, warn_caller
from optmech.base.extras import package
from optmech.mechanisms.sampling import NotPrivateWarning
from optmech.mechanisms.sampling.words import seeded_bytes
from optmech.release.tables.drop_zero import SEEN_ROWS, check_keeps_zero, keeps_zero
from optmech.release.tables.frame_in_memory import (
    check_groups_are_public,
    column_of,
    package_of,
    released_frame,
    view_of_frame,
)
from optmech.release.tables.releaser import Releaser
from optmech.release.tables.table import cautions_of, laws_of
from optmech.release.tables.totals_beside_parts import check_no_total_in_frame, columns_that_tell_in_frame
from optmech.release.tables.truths import check_type

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from optmech.mechanisms.sampling.words import Seed
    from optmech.release.tables.column_mechanisms import Laws
    from optmech.release.tables.table import MechanismArgument

Frame = TypeVar("Frame")
_BYTES = 32


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
    """Return a frame with a column of true answers replaced by draws from a mechanism.

    Each call is a release: it spends epsilon again. No log is written; `release_table` writes one. The column
    has the type of the responses: whole numbers, doubles, or text where answers have labels. Other columns
    keep their values. Categories and dictionaries become their values, and metadata is left out.

    A Dask frame is released when it is computed, part by part. Its draws come from a secret of this call.
    Another computation, for instance after the loss of a worker, gives the same draws and spends nothing
    more, while the true answers in each part are the same. Another call draws again.

    Parameters
    ----------
    frame : pandas, Polars or Dask DataFrame, or PyArrow Table or RecordBatch
        It is not changed.
    column : str
        The column of the true answers.
    mechanism, by, clamp, constant_time, seed
        As for `release_table`. A Dask frame takes no seed: each of its parts would draw the same noise.
    drop_zero : bool
        As for `release_table`: leave out rows that are released as 0, and renumber the others. A Dask frame
        refuses it, because its parts reveal rows that were in them.

    Returns
    -------
    frame
        A frame of the same kind.

    Raises
    ------
    ProblemError
        If the frame has another type, lacks the column, or has an answer that is not one of the truths.
    NotAcceptedError
        If `drop_zero` is used with a mechanism without zero-stays-zero, a Dask frame, nested columns, or an
        index other than row numbers; or if it is missing for a table of `tabulate` with the groups of the
        data.

    Warns
    -----
    NotPrivateWarning
        If a mechanism is not differentially private at its epsilon and delta, if there is a seed, or if a
        mechanism has zero-stays-zero but rows released as 0 are shown.

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
    if not drop_zero:
        check_groups_are_public(frame)
    random_bytes = os.urandom if seed is None else seeded_bytes(seed)
    laws = laws_of(mechanism, by=by, constant_time=constant_time, random_bytes=random_bytes)
    for caution in cautions_of(laws):  # these warnings replace the notes of a log
        warn_caller(caution, NotPrivateWarning)
    if is_dask:
        result: Frame = _release_dask(frame, column, laws, by=by, clamp=clamp)
        return result
    tells = columns_that_tell_in_frame(frame, column)
    check_no_total_in_frame(frame, column, by)
    if tells:
        warn_caller(tells, NotPrivateWarning)
    if drop_zero:
        check_keeps_zero(laws)
    elif keeps_zero(laws):
        warn_caller(SEEN_ROWS, NotPrivateWarning)
    result_in_memory: Frame = released_frame(frame, column, laws, by=by, clamp=clamp, drop_zero=drop_zero)
    return result_in_memory


def _release_dask(frame: Any, column: str, laws: Laws, *, by: str | None, clamp: bool) -> Any:  # noqa: ANN401 - Dask has no types
    """Return the Dask frame with a column replaced by draws, see `release_frame`."""
    dask = package("dask.dataframe", "cluster", "a Dask frame")
    if not isinstance(frame, dask.DataFrame):
        raise broken_rule("frame", "be a DataFrame of Dask", type(frame).__name__)
    empty = frame._meta  # noqa: SLF001 - what Dask says a part looks like
    for name in filter(None, (column, by)):
        column_of(empty, name)
    kind = column_of(empty, column).type
    if not pa.types.is_null(kind):  # as a column of objects is, which are texts in Dask
        check_type(kind)
    releaser = Releaser(laws, clamp=clamp)  # refuses now, not when the frame is computed
    # Each part carries its number: Dask renumbers parts when only some are computed.
    pandas = package("pandas", "cluster", "a Dask frame")
    numbers = dask.from_map(
        _part, range(frame.npartitions), meta=pandas.DataFrame({"part": pandas.Series(dtype="int64")})
    )
    return frame.map_partitions(
        _release,
        numbers,
        column=column,
        by=by,
        clamp=clamp,
        laws=laws,
        secret=Secret(),
        meta=view_of_frame(empty, column, pa.array([], releaser.kind)),
        align_dataframes=False,
    )


def _part(number: int) -> Any:  # noqa: ANN401 - a frame of pandas
    return package("pandas", "cluster", "a Dask frame").DataFrame({"part": [number]})


def _release(
    part: Any,  # noqa: ANN401 - a frame of pandas
    numbers: Any,  # noqa: ANN401
    *,
    column: str,
    by: str | None,
    clamp: bool,
    laws: Laws,
    secret: Secret,
) -> Any:  # noqa: ANN401
    answers = [column_of(part, name) for name in (column, by) if name is not None]
    batch = pa.RecordBatch.from_arrays(answers, names=list(map(str, range(len(answers)))))
    random_bytes = secret.random_bytes(int(numbers["part"].iloc[0]), batch.serialize().to_pybytes())
    distinct = {id(law): replace(law, random_bytes=random_bytes) for law in laws.values()}
    drawing = {name: distinct[id(law)] for name, law in laws.items()}
    return released_frame(part, column, drawing, by=by, clamp=clamp)


class Secret:
    """A key that is never printed."""

    __slots__ = ("_key",)

    def __init__(self) -> None:
        self._key = os.urandom(_BYTES)

    def __repr__(self) -> str:
        return "<secret>"

    def __dask_tokenize__(self) -> str:
        """Return the identity of this secret for Dask without revealing it."""
        return hashlib.sha256(b"name of a secret" + self._key).hexdigest()

    def random_bytes(self, part: int, answers: bytes) -> Callable[[int], bytes]:
        """Return a source for one part of a table; `answers` are its true answers in any fixed form."""
        start = self._key + part.to_bytes(8, "little") + hashlib.sha256(answers).digest()
        count = 0

        def more(number: int) -> bytes:
            nonlocal count
            count += 1
            return hashlib.shake_256(start + count.to_bytes(8, "little")).digest(number)

        return more
