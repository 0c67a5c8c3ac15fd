"""Turning the matrix by half a turn leaves it as it is: Croft et al. 2020 (14).

Model
-----
    M[r,f] - M[r',f'] = 0               symmetric[r,f]         (r',f') the mirror of (r,f)  (14)

Of two mirrored entries only the first gets a row; the one in the centre needs none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.base.blocks import Tie
from optmech.question.properties.property import Property

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats
    from optmech.question.query import Query


__all__ = ["Symmetric"]


class Symmetric(Property):
    """Turning the matrix by half a turn leaves it as it is."""

    __slots__ = ()
    word = "symmetric"
    sentence = "Answers counted from the top are treated as those counted from the bottom."
    phrase = "reads the same from either end"
    of_order = True

    def blocks(self, query: Query) -> Iterator[Tie]:
        """Yield the tie of each entry and its mirror image (14)."""
        size = query.num_responses * query.num_truths
        entry = np.arange(size // 2)
        subscripts = np.column_stack(np.divmod(entry, query.num_truths))
        yield Tie(name="symmetric", subscripts=subscripts, left=entry, right=size - 1 - entry)

    def gap(self, matrix: Floats, query: Query) -> float:  # noqa: ARG002 - the same of any query
        """Return the largest difference between an entry and its mirror image."""
        return float(np.abs(matrix - matrix[::-1, ::-1]).max())

    def envelope(self, matrix: Floats, query: Query) -> None:  # noqa: ARG002 - the same of any query
        """Raise each entry to its mirror image."""
        np.copyto(matrix, np.maximum(matrix, matrix[::-1, ::-1]))
