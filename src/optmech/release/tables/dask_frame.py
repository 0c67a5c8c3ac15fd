"""A column of a Dask frame released: each part has its own draws, the same however often it is computed.

Model
-----
    K is a secret of 32 bytes from the operating system, one for each release
    the bytes for part i with answers f are SHAKE-256(K, i, SHA-256(f), j), for j = 1, 2, ...

A cluster computes a task anew when it loses its result or when a graph is asked for twice. Drawn with fresh
randomness, the second answers would be a second release, and spend epsilon again unseen; drawn like this they
are the first ones. If the answers themselves changed in between, the bytes have nothing to do with the first,
and it is a second release as it should be. No two parts share bytes, though their answers may be the same.

Whoever has K and the released answers can undo the noise: K lives where the true answers do, in the graph and
on the workers, and is shown nowhere.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from optmech.base.errors import broken_rule
from optmech.base.extras import package
from optmech.release.tables.frame_in_memory import column_of, released_frame, with_column
from optmech.release.tables.releaser import Releaser, released_type

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.release.tables.column_mechanisms import Laws

_BYTES = 32


def release_dask(frame: Any, column: str, laws: Laws, *, by: str | None, clamp: bool) -> Any:  # noqa: ANN401 - Dask has no types
    """Return the frame with draws in the place of a column, as `release_frame` says."""
    dask = package("dask.dataframe", "cluster", "a Dask frame")
    if not isinstance(frame, dask.DataFrame):
        raise broken_rule("frame", "be a DataFrame of Dask", type(frame).__name__)
    empty = frame._meta  # noqa: SLF001 - what Dask says a part looks like
    for name in filter(None, (column, by)):
        column_of(empty, name)
    kind = column_of(empty, column).type
    if pa.types.is_null(kind):  # a column of objects, which are texts in Dask
        kind = pa.string()
    kind = released_type(laws, kind)
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
    answers = [column_of(part, name) for name in (column, by) if name is not None]
    batch = pa.RecordBatch.from_arrays(answers, names=list(map(str, range(len(answers)))))
    random_bytes = secret.random_bytes(int(numbers["part"].iloc[0]), batch.serialize().to_pybytes())
    distinct = {id(law): replace(law, random_bytes=random_bytes) for law in laws.values()}
    drawing = {name: distinct[id(law)] for name, law in laws.items()}
    return released_frame(part, column, drawing, by=by, clamp=clamp, kind=kind)


class Secret:
    """A key that never shows itself."""

    __slots__ = ("_key",)

    def __init__(self) -> None:
        self._key = os.urandom(_BYTES)

    def __repr__(self) -> str:
        return "<secret>"

    def __dask_tokenize__(self) -> str:
        """Return what tells this secret from others without telling it."""
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
