"""Draws that take the same time for every truth and every result.

Model
-----
    C_i / T, the cumulative probabilities of a column, with T a power of two, are whole multiples of
    2**-(64 L - 1), where L limbs of 64 bits are enough for every column
    u is a whole number of 64 L - 1 random bits, always all of them
    the draw is the number of i with C_i 2**(64 L - 1) / T <= u; u is compared with every C_i

For all truths and draws these are the same: the number of random bytes, the lines that run, the array
operations with the shapes of their arrays, and the addresses that they read and write. All columns are read
for each draw; a mask of ones keeps the true one and masks of zeros hide the others. The operations are those
of NumPy on whole numbers: and, or, shift, comparison, sum; none branches on what it reads.

The number of draws and the shape of the table are public. This promise does not cover the construction of the
table, effects of the processor and the operating system, or the handling of truths before and responses after
the draw.

A total that is no power of two is refused: no fixed number of random bits has that distribution exactly.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import NotAcceptedError
from optmech.mechanisms.sampling.words import random_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.base.arrays import Integers
    from optmech.mechanisms.sampling.words import RandomBytes

_LIMB_BITS, _LIMB_BYTES = 64, 8
# Words in one block of selected columns, which fit into a processor's cache.
_WORDS_OF_A_BLOCK = 1 << 14


class ConstantTimeTable:
    """The thresholds of all columns, for draws in constant time; each total must be a power of two."""

    def __init__(self, columns: list[list[int]]) -> None:
        totals = [sum(column) for column in columns]
        for position, total in enumerate(totals):
            if total & (total - 1):
                # The message leaves out the total: it may have thousands of digits.
                message = (
                    "constant time must have columns that sum to a power of two; got a total between "
                    f"2**{total.bit_length() - 1} and 2**{total.bit_length()} in column {position}. No fixed "
                    "number of random bits has such a law exactly: draw without constant time, or give "
                    "weights over a power of two."
                )
                raise NotAcceptedError(message)
        # With one spare bit the total itself is a threshold that no draw reaches.
        self._num_limbs = max(total.bit_length() - 1 for total in totals) // _LIMB_BITS + 1
        self._num_responses = len(columns[0])
        length = _LIMB_BYTES * self._num_limbs
        text = bytearray()
        for column, total in zip(columns, totals, strict=True):
            shift = _LIMB_BITS * self._num_limbs - total.bit_length()
            for threshold in accumulate(column):
                text += (threshold << shift).to_bytes(length, "little")
        # [truth, limb * num_responses + response], the lowest limb first
        limbs = np.frombuffer(text, dtype="<u8").reshape(len(columns), self._num_responses, self._num_limbs)
        self._table = np.ascontiguousarray(limbs.transpose(0, 2, 1), np.uint64).reshape(len(columns), -1)

    def draw(self, positions: Integers, random_bytes: RandomBytes) -> Integers:
        """Draw one response for each of `positions`, an array of one axis with all entries in range."""
        responses = np.empty(positions.size, np.int64)
        block = max(1, _WORDS_OF_A_BLOCK // self._table.shape[1])
        for start in range(0, positions.size, block):
            part = positions[start : start + block]
            text = random_text(random_bytes, _LIMB_BYTES * self._num_limbs * part.size)
            words = np.frombuffer(text, dtype="<u8").reshape(self._num_limbs, part.size, 1)
            responses[start : start + block] = self._count(self._select(part), words)
        return responses

    def _select(self, positions: Integers) -> NDArray[np.uint64]:
        """Return the column of each position: all columns under masks, with ones for the selected column."""
        masks = -(np.arange(len(self._table))[:, None, None] == positions[:, None]).astype(np.int64)
        masks = masks.view(np.uint64)
        rows = np.zeros((positions.size, self._table.shape[1]), np.uint64)
        part = np.empty_like(rows)
        for mask, column in zip(masks, self._table, strict=True):
            np.bitwise_and(mask, column, out=part)
            np.bitwise_or(rows, part, out=rows)
        return rows.reshape(positions.size, self._num_limbs, self._num_responses)

    def _count(self, thresholds: NDArray[np.uint64], words: NDArray[np.uint64]) -> Integers:
        """Count the thresholds of each row that are at most the number in the words; all limbs take part."""
        below = np.zeros((words.shape[1], self._num_responses), bool)
        for limb in range(self._num_limbs):
            word, threshold = words[limb], thresholds[:, limb]
            if limb == self._num_limbs - 1:
                word = word >> np.uint64(1)
            below = (word < threshold) | ((word == threshold) & below)
        counts: Integers = self._num_responses - below.sum(axis=1, dtype=np.int64)
        return counts
