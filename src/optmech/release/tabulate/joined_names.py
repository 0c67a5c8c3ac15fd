"""Join several texts of a row to one, so that different rows have different texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from collections.abc import Sequence

_END_OF_LENGTH = b":"


def joined(texts: Sequence[pa.Array]) -> pa.Array:
    """Return a text for each row, equal only for equal rows, and null where a text is missing.

    A single column stays as it is. A length in bytes before each of several texts makes them unambiguous.

    >>> joined([pa.array(["a", "a:1"]), pa.array(["b", ""])]).to_pylist()
    ['1:a:1:b', '3:a:1:0:']
    """
    if len(texts) == 1:
        return texts[0]
    parts = (part for text in texts for part in (pc.binary_length(text).cast(pa.string()), text))
    return pc.binary_join_element_wise(*parts, ":")


def parted(text: str) -> list[str]:
    """Return the texts that several columns were joined from.

    >>> parted("3:a:1:0:")
    ['a:1', '']
    """
    rest, parts = text.encode(), []
    while rest:
        length, _, rest = rest.partition(_END_OF_LENGTH)
        parts.append(rest[: int(length)].decode())
        rest = rest[int(length) + 1 :]
    return parts
