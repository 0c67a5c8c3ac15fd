"""Some rows of a table, whatever file they were read from: what a writer of any file asks of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

__all__ = ["Part"]


class Part(Protocol):
    """Some rows, which are written with released answers in the place of the true ones."""

    @property
    def ends_group(self) -> bool:
        """Whether a row group ends with these rows."""

    def text(self, responses: pa.Array, further: Sequence[pa.Array] = ()) -> pa.Buffer:
        """Return the rows as CSV, with these answers, and with further columns right behind them."""

    def batch(
        self, responses: pa.Array, schema: pa.Schema, further: Sequence[pa.Array] = ()
    ) -> pa.RecordBatch:
        """Return the rows with these answers and further columns."""
