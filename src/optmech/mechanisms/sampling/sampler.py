"""Exact draws from columns of whole numbers.

Model
-----
    column f holds whole numbers w_0 .. w_{R-1} >= 0 with a total T > 0;  C_i = w_0 + ... + w_i
    u is uniform on [0, 1), written in binary, its bits drawn as they are needed
    the draw is the number of i with C_i / T <= u: response r has probability w_r / T, exactly

The first word W of u, of B bits, is compared with floor(2**B C_i / T). If W is larger, u is above C_i / T; if
it is smaller, u is below. If they are equal, about once in 2**B / R draws, further words decide, in integers.
A table indexed by the first bits of W gives the draw directly unless a threshold begins with the same bits.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from operator import index
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import ProblemError, broken_rule
from optmech.mechanisms.sampling.constant_time import ConstantTimeTable
from optmech.mechanisms.sampling.words import random_text, seeded_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from optmech.base.arrays import Floats, Integers, Whole
    from optmech.mechanisms.sampling.words import RandomBytes, Seed
    from optmech.proofs.matrix import ExactMatrix

_WORD_TYPES = {8: "u1", 16: "<u2", 32: "<u4"}
# Draws in one batch, whose arrays fit into a processor's cache.
_BLOCK = 1 << 16
# The table has about 2**5 cells for each response, and 2**21 in all at most.
_CELLS_PER_RESPONSE_BITS, _MOST_CELLS_BITS = 5, 21
# A truth's position and a word share one whole number of 64 bits.
_MOST_TRUTHS = 1 << 31
_SIGNIFICANT_BITS = 53


class Sampler:
    """Draws from columns of whole numbers, each response with probability weight / total exactly.

    The distribution uses no floating point. Randomness comes from the operating system at each call; no state
    is kept between calls, so copies in forked processes draw independently.

    Weights are integers of any size, zero or more, in rows of responses; each column has its own positive
    total. The first word of a draw has 8, 16 or 32 bits. The distribution is the same for all: 32 is fastest,
    and with 8 a test can go through all words. Other sizes raise ProblemError, and so does a source that
    returns the wrong number of random bytes.

    >>> sampler = Sampler([[3, 0], [1, 10**30]])  # odds of 3 to 1, and certainty
    >>> sampler.draw([1, 1, 1])
    array([1, 1, 1])
    """

    def __init__(
        self,
        weights: Sequence[Sequence[int]] | Whole,
        *,
        random_bytes: RandomBytes = os.urandom,
        word_bits: int = 32,
    ) -> None:
        if word_bits not in _WORD_TYPES:
            raise broken_rule("word_bits", "be 8, 16 or 32", repr(word_bits))
        self._columns = _checked_columns(weights)
        self._random_bytes = random_bytes
        self._word_bits = word_bits
        self.num_responses, self.num_truths = len(self._columns[0]), len(self._columns)
        tops = [
            # Sums equal to the total are stored one below the end: there a tie is resolved, and no number
            # below 1 passes them.
            min((threshold << word_bits) // total, (1 << word_bits) - 1) + (truth << word_bits)
            for truth, column in enumerate(self._columns)
            for total in (sum(column),)
            for threshold in accumulate(column)
        ]
        # Increasing: thresholds of truth 0, of truth 1, ...; the truth's position stands before the bits.
        self._tops = np.array(tops, dtype=np.int64)
        cell_bits = min(
            word_bits,
            self.num_responses.bit_length() + _CELLS_PER_RESPONSE_BITS,
            max(0, _MOST_CELLS_BITS - self.num_truths.bit_length()),
        )
        self._cell_shift = word_bits - cell_bits
        inside = np.bincount(self._tops >> self._cell_shift, minlength=self.num_truths << cell_bits)
        offsets = np.cumsum(inside) - inside
        offsets -= np.repeat(np.arange(self.num_truths) * self.num_responses, 1 << cell_bits)
        # `num_responses`, which is no response, marks cells that contain a threshold.
        offsets[inside > 0] = self.num_responses
        self._cells = offsets.astype(np.min_scalar_type(self.num_responses))

    def draw(self, truth_positions: ArrayLike, *, seed: Seed | None = None) -> Integers:
        """Draw one response for each truth: a row for each column, both from 0.

        Draws with a seed can be repeated. They are **not private**.
        """
        positions = self._valid_positions(truth_positions)
        random_bytes = self._random_bytes if seed is None else seeded_bytes(seed)
        flat = positions.ravel()
        responses = np.empty(flat.size, np.int64)
        for start in range(0, flat.size, _BLOCK):
            responses[start : start + _BLOCK] = self._draw_block(flat[start : start + _BLOCK], random_bytes)
        return responses.reshape(positions.shape)

    def draw_constant_time(self, truth_positions: ArrayLike, *, seed: Seed | None = None) -> Integers:
        """Draw from the same distribution as `draw`, in a time that depends on no truth and no draw.

        Every draw takes all bits of the total, rounded up to words of 64, and reads every threshold of every
        column: hundreds of times slower. See `optmech.mechanisms.sampling.constant_time` for the protected
        quantities. A column with a total that is no power of two raises NotAcceptedError.
        """
        positions = self._valid_positions(truth_positions)
        table = self._constant_time_table
        random_bytes = self._random_bytes if seed is None else seeded_bytes(seed)
        return table.draw(positions.ravel(), random_bytes).reshape(positions.shape)

    @cached_property
    def _constant_time_table(self) -> ConstantTimeTable:
        return ConstantTimeTable(self._columns)

    def _valid_positions(self, truth_positions: ArrayLike) -> Integers:
        positions = np.asarray(truth_positions)
        if positions.size == 0:
            return positions.astype(np.int64)
        if positions.dtype.kind not in "iu":
            raise broken_rule("truth_positions", "be whole numbers", positions.dtype, "Pass columns, from 0.")
        for worst in (positions.min(), positions.max()):
            if not 0 <= worst < self.num_truths:
                raise broken_rule("truth_positions", f"be in 0..{self.num_truths - 1}", worst)
        return positions.astype(np.int64, copy=False)

    def _draw_block(self, truths: Integers, random_bytes: RandomBytes) -> Integers:
        bits = self._word_bits
        keys = truths << bits
        keys |= np.frombuffer(random_text(random_bytes, bits // 8 * truths.size), dtype=_WORD_TYPES[bits])
        responses = self._cells.take(keys >> self._cell_shift).astype(np.int64)
        open_cells = np.flatnonzero(responses == self.num_responses)
        if open_cells.size:
            keys = keys[open_cells]
            tops = self._tops.searchsorted(keys, side="right")
            responses[open_cells] = tops - truths[open_cells] * self.num_responses
            # If no threshold is at or below the key, [-1] is the largest of all, which is also above the key.
            for tie in np.flatnonzero(self._tops[tops - 1] == keys).tolist():
                truth, word = divmod(int(keys[tie]), 1 << bits)
                responses[open_cells[tie]] = self._settle(self._columns[truth], word, random_bytes)
        return responses

    def _settle(self, column: list[int], word: int, random_bytes: RandomBytes) -> int:
        """Draw further words until the number that begins with `word` lies between two thresholds."""
        sums = list(accumulate(column))
        total, bits = sums[-1], self._word_bits
        while True:
            # u is in [word, word + 1) / 2**bits, and C / T <= u means C <= u T.
            least = bisect_right(sums, word * total >> bits)
            most = bisect_right(sums, ((word + 1) * total - 1) >> bits)
            if least == most:
                return least
            more = int.from_bytes(random_text(random_bytes, self._word_bits // 8), "little")
            word = word << self._word_bits | more
            bits += self._word_bits


def _checked_columns(weights: Sequence[Sequence[int]] | Whole) -> list[list[int]]:
    """Return the weights as Python integers, a list for each truth."""
    try:
        array = np.array(weights, dtype=object)
    except ValueError:
        array = np.empty(0, dtype=object)
    if array.ndim != 2 or not array.size or array.shape[1] > _MOST_TRUTHS:  # noqa: PLR2004 - rows, columns
        message = "`weights` must have rows of equal length: rows are responses, columns are truths."
        raise ProblemError(message)
    columns = []
    for position, column in enumerate(array.T.tolist()):
        whole = []
        for response, weight in enumerate(column):
            try:
                whole.append(index(weight))
            except TypeError:
                message = (
                    f"`weights` must be whole numbers; got {weight!r} at [{response}, {position}]. "
                    "Multiply by a common denominator."
                )
                raise ProblemError(message) from None
        if min(whole) < 0:
            message = f"`weights` must be zero or more; got less at [{whole.index(min(whole))}, {position}]."
            raise ProblemError(message)
        if not any(whole):
            message = f"each column of `weights` must sum to more than zero; got zeros in column {position}."
            raise ProblemError(message)
        columns.append(whole)
    return columns


def dyadic_weights(matrix: Floats) -> Whole:
    """Scale each column to whole numbers by a power of two.

    A double is a whole number of at most 53 bits times a power of two. The smallest such power of a column
    becomes its unit, so that proportions inside the column are kept exactly.

    The matrix is finite, zero or more; the whole numbers are Python's, of any size. Totals of columns differ
    where the doubles of a column do not sum to one exactly, and by powers of two.
    """
    fraction, exponent = np.frexp(matrix)
    mantissa = np.ldexp(fraction, _SIGNIFICANT_BITS).astype(np.int64)
    positive = mantissa > 0
    lowest_bit = np.where(positive, mantissa & -mantissa, 1)
    trailing = np.frexp(lowest_bit.astype(float))[1] - 1
    mantissa >>= trailing
    exponent = exponent + trailing
    unit = np.where(positive, exponent, np.iinfo(exponent.dtype).max).min(axis=0)
    shift = np.where(positive, exponent - unit, 0)
    weights: Whole = mantissa.astype(object) << shift.astype(object)
    return weights


def whole_weights(matrix: Floats, exact: ExactMatrix | None) -> Whole:
    """Return whole numbers in proportion to each column: those of the exact matrix, else of the doubles."""
    return dyadic_weights(matrix) if exact is None else exact.numerators
