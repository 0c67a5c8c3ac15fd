"""A column of a Dask frame released: each part has its own draws, the same however often it is computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from optmech.base.errors import ProblemError
from optmech.base.extras import package
from optmech.release.tables.frame_in_memory import column_of, released_frame, with_column
from optmech.release.tables.keyed_randomness import Secret
from optmech.release.tables.releaser import Releaser, released_type
from optmech.release.tables.table import laws_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optmech.release.tables.column_mechanisms import ColumnMechanism

    Laws = ColumnMechanism | Mapping[str | None, ColumnMechanism]

__all__ = ["release_dask"]


def release_dask(frame: Any, column: str, laws: Laws, *, by: str | None, clamp: bool) -> Any:  # noqa: ANN401 - Dask has no types
    """Return the frame with draws in the place of a column, as `release_frame` says."""
    dask = package("dask.dataframe", "cluster", "a Dask frame")
    if not isinstance(frame, dask.DataFrame):
        message = f"`frame` must be a DataFrame of Dask; got {type(frame).__name__}."
        raise ProblemError(message)
    empty = frame._meta  # noqa: SLF001 - what Dask says a part looks like
    for name in filter(None, (column, by)):
        column_of(empty, name)
    kind = released_type(laws, _type_of(empty, column))
    Releaser(laws, kind, clamp=clamp)  # refuses now, not when the frame is computed
    # The number of a part goes with it: Dask counts anew where only some parts are asked for.
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
        kind=kind,
        laws=laws,
        secret=Secret(),
        meta=with_column(empty, column, pa.array([], kind)),
        align_dataframes=False,
    )


def _part(number: int) -> Any:  # noqa: ANN401 - a frame of pandas
    return package("pandas", "cluster", "a Dask frame").DataFrame({"part": [number]})


def _type_of(empty: Any, column: str) -> pa.DataType:  # noqa: ANN401 - a frame of pandas
    kind = column_of(empty, column).type
    return pa.string() if pa.types.is_null(kind) else kind  # a column of objects, which are texts in Dask


def _release(
    part: Any,  # noqa: ANN401 - a frame of pandas
    numbers: Any,  # noqa: ANN401
    *,
    column: str,
    by: str | None,
    clamp: bool,
    kind: pa.DataType,
    laws: Laws,
    secret: Secret,
) -> Any:  # noqa: ANN401
    """Return one part with its draws."""
    answers = [column_of(part, name) for name in (column, by) if name is not None]
    batch = pa.RecordBatch.from_arrays(answers, names=list(map(str, range(len(answers)))))
    random_bytes = secret.random_bytes(int(numbers["part"].iloc[0]), batch.serialize().to_pybytes())
    drawing = laws_of(laws, by=by, random_bytes=random_bytes)
    return released_frame(part, column, drawing, by=by, clamp=clamp, kind=kind)
