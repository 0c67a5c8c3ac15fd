"""Large tables a few rows at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# Python integers of this many entries, and what is computed of them, stay in a processor's cache.
_ENTRIES = 2**14


def row_slices(shape: tuple[int, int]) -> Iterator[slice]:
    """Yield the rows of a table, a few at a time, so that no second table of its size is ever needed.

    >>> list(row_slices((3, 10_000)))
    [slice(0, 1, None), slice(1, 2, None), slice(2, 3, None)]
    """
    rows = max(1, _ENTRIES // shape[1])
    yield from (slice(row, min(row + rows, shape[0])) for row in range(0, shape[0], rows))
