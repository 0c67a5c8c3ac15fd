"""A perturbation table applied to a column of counts, of any size, by draws or by cell keys.

Model
-----
    n            the last count of the question; it and all larger ones have the noise of n - 1
    draw of i    that of min(i, n), and i - min(i, n) added to it
    by key k     the least response r with  K P(response <= r | i) > k,  k uniform on 0..K - 1

Each probability is a multiple of 1/K, so that a uniform key gives it exactly. Responses are taken in
increasing order: that is the order of the file which `write_p_table` writes for ONS's program.

Source: docs/howto/cell-keys.md has the method; ONS's program draws in the same order.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from optmech.base.errors import NotAcceptedError
from optmech.release.tables.acceptance import ends_of_matrix
from optmech.release.tables.cell_law import LARGEST_COUNT
from optmech.release.tables.column_mechanisms import MatrixColumn, holds_run

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from optmech.analysis.p_tables.table import PTable

    Positions = NDArray[np.int64]
    Ends = Callable[[pa.Array], tuple[Positions, Positions]]


@dataclass(frozen=True, kw_only=True)
class PTableColumn(MatrixColumn):
    """A perturbation table; with `by_key`, of shape (counts, keys), noise is read from it, else drawn."""

    by_key: Positions | None = field(default=None, repr=False)

    def holds(self, kind: pa.DataType) -> bool:
        """Whether each response is a value of this type."""
        return holds_run(0, LARGEST_COUNT + self.table.reach, kind)

    @property
    def table(self) -> PTable:
        """The noise of each count."""
        assert self.law.table is not None  # noqa: S101 - columns of other laws are of another class
        return self.law.table

    def draw(self, positions: Positions, kind: pa.DataType) -> pa.Array:
        """Draw a response for each count."""
        listed = np.minimum(positions, len(self.mechanism.truths) - 1)
        responses = np.array([int(response) for response in self.mechanism.responses])
        return _counts(responses[self._indices(listed)] + positions - listed, kind)

    def draw_by_key(self, positions: Positions, keys: Positions, kind: pa.DataType) -> pa.Array:
        """Return the response of each count that its cell key picks."""
        assert self.by_key is not None  # noqa: S101 - `with_keys` was asked
        number = self.by_key.shape[1]
        noise = self.by_key[np.minimum(positions, self.table.last), keys % number]
        return _counts(positions + noise, kind)

    def with_keys(self, number: int) -> PTableColumn:
        """Return the same, drawn by cell keys 0..number - 1."""
        used = self.table.num_keys(number)
        if used is None:
            message = (
                f"`cell_key` must come with probabilities that are multiples of one over the number of keys, "
                f"{number}; this table has others. Design it with --keys {number}."
            )
            raise NotAcceptedError(message)
        if not self.table.zero_stays:
            message = (
                "`cell_key` must come with a table that leaves 0 as it is: an empty cell has no record, so "
                "that its key is 0, not random. Design with --zero-stays-zero."
            )
            raise NotAcceptedError(message)
        return replace(self, by_key=np.array(self.table.noise_by_key(used)))

    def interval_ends(self, level: Fraction, *, shown_only: bool) -> Ends:
        """Return a function from responses to the positions of the ends of the interval of each.

        From some response on the interval is the same but for a shift.
        """
        reach, start = self.table.reach, max(self.table.last, self.table.reach)
        # The nearest runs of a response are those of counts at most 2 D away, here all of the same noise.
        last = start + 4 * reach + 2
        low, high = ends_of_matrix(self.law.up_to(last + 2 * reach), level, shown_only=shown_only)

        def ends(responses: pa.Array) -> tuple[Positions, Positions]:
            counts = np.array([int(Fraction(str(value))) for value in responses.to_pylist()], np.int64)
            listed = np.minimum(counts, last)
            shifted = (end[listed] + counts - listed for end in (low, high))
            first, last_held = (np.minimum(end, LARGEST_COUNT) for end in shifted)
            return first, last_held

        return ends


def _counts(counts: Positions, kind: pa.DataType) -> pa.Array:
    return pa.array(counts).cast(kind, safe=False)  # `holds` was asked
