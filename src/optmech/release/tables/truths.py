"""Map answers to the columns of a mechanism, exactly, for whole Arrow arrays."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from optmech.base.errors import OptmechError, ProblemError
from optmech.base.numbers import as_text, exact
from optmech.release.tables.cell_numbers import reason_of_no_number
from optmech.release.tables.decimals import enough_digits, rounded_from

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Positions = NDArray[np.int64]
    Mask = NDArray[np.bool_]

# Every integer up to here is a double.
_LARGEST_WHOLE_DOUBLE = 2**53
# Integers in usual spelling are looked up all at once, any other text one by one.
_MOST_DIGITS = 18
_MOST_SHOWN = 3
# The least numbers of nines that mark a missing number, below zero and above.
_NINES_BELOW, _NINES = 99, 999
_FIND = "Find the number, or leave its row out."
_NULLS = "No answer is an answer too, and who gave none would show: fill it, or leave its row out."
_LABELS = "Each must be one of these, as text, letter by letter: a number stands for no label."

# Arrow encodes decimals of this many bits, and longer ones.
_ENCODED_BITS = 128


class UnfitAnswerError(OptmechError, ValueError):
    """An answer that a mechanism does not have, in row `row`, counted from 0; callers add the location.

    It has the kind, ``answers`` or ``groups``, the allowed values, the given one, and the remedy.
    """

    quotes_data = True

    def __init__(self, row: int, what: str, among: str, got: str, remedy: str) -> None:
        super().__init__(f"{what} must be among {among}; got {got} in row {row + 1}. {remedy}")
        self.row, self.what, self.among, self.got, self.remedy = row, what, among, got, remedy

    def at_row(self, row: int) -> UnfitAnswerError:
        """Return the same of another row."""
        return UnfitAnswerError(row, self.what, self.among, self.got, self.remedy)


@dataclass(frozen=True, slots=True)
class AnswerPositions:
    """Positions among the truths, -1 for other answers, and a mask of clamped answers."""

    positions: Positions
    clamped: Mask

    def at_rows(self, rows: NDArray[Any]) -> AnswerPositions:
        """Return the positions of these rows."""
        return AnswerPositions(self.positions[rows], self.clamped[rows])


class Truths:
    """The increasing true answers of a mechanism, and the search for them in a column of a table.

    If they are not numbers, `labels` has their names, and an answer is one of these texts, never a number or
    a position. With `clamp`, numbers beyond the ends are replaced by the ends, but no marks of missing ones:
    where truths are counts, such are all negative numbers.
    """

    def __init__(
        self,
        values: Sequence[Fraction] | range,
        labels: Sequence[str] = (),
        *,
        clamp: bool = False,
        is_count: bool = False,
    ) -> None:
        self.values, self.labels = values, tuple(labels)
        self._by_label = {label: index for index, label in enumerate(labels)}
        self._clamp, self._is_count = clamp, is_count
        self._first, self._last = (exact(values[end], "truths") for end in (0, -1))
        is_run = isinstance(values, range) or all(
            value == self._first + index for index, value in enumerate(values)
        )
        fit = max(abs(self._first), abs(self._last)) <= _LARGEST_WHOLE_DOUBLE
        self._run = is_run and fit and self._first.denominator == 1
        if not self._run:
            self._by_value = {value: index for index, value in enumerate(values)}
            self._grid = np.array([float(value) for value in values])

    @property
    def among(self) -> str:
        """The allowed answers, as text."""
        return ", ".join(self.labels) or f"{as_text(self._first)}..{as_text(self._last)}"

    def need_positions(self, answers: pa.Array) -> AnswerPositions:
        """Return the position of each answer; UnfitAnswerError if one is not among the truths."""
        if pa.types.is_dictionary(answers.type) and answers.dictionary.null_count:
            answers = answers.dictionary_decode()
        if answers.null_count:
            row = int(np.argmax(answers.is_null().to_numpy(zero_copy_only=False)))
            raise UnfitAnswerError(row, "answers", self.among, "null", _NULLS)
        answered = self.positions_of(answers)
        wrong = np.flatnonzero(answered.positions < 0)
        if wrong.size:
            row = int(wrong[0])
            answer = answers[row].as_py()
            remedy = self._remedy(answer)
            if isinstance(answer, str) and not answer.strip():
                remedy = _NULLS
            text = repr(answer) if isinstance(answer, str) else str(answer)
            raise UnfitAnswerError(row, "answers", self.among, text, remedy)
        clamped = np.flatnonzero(answered.clamped)
        if clamped.size:
            self._check_clamped(answers, clamped)
        return answered

    def _check_clamped(self, answers: pa.Array, rows: NDArray[np.int64]) -> None:
        """Refuse marks of missing numbers, which no end of the range stands for."""
        clamped = answers.take(pa.array(rows))
        if pa.types.is_dictionary(clamped.type):
            clamped = clamped.dictionary_decode()
        for answer in clamped.unique().to_pylist():
            value = exact(answer.strip() if isinstance(answer, str) else answer, "answer")
            if mark := self._mark(value):
                row = int(rows[clamped.index(answer).as_py()])
                text = repr(answer) if isinstance(answer, str) else str(answer)
                raise UnfitAnswerError(row, "answers", self.among, text, mark)

    def _remedy(self, answer: Any) -> str:  # noqa: ANN401, PLR0911 - any cell; a return for each reason
        """Return the remedy for an answer that is not among the truths."""
        if self.labels:
            return _LABELS
        try:
            value = exact(answer.strip() if isinstance(answer, str) else answer, "answer")
        except ProblemError:
            return reason_of_no_number(str(answer))
        near = self._positions_rounded_to(answer)
        if mark := self._mark(value):
            return mark
        if near:
            text = ", ".join(as_text(Fraction(self.values[index])) for index in near[:_MOST_SHOWN])
            return (
                f"{len(near)} of them are rounded to that, such as {text}: "
                f"{enough_digits(self.values)} digits behind the point tell all of them apart."
            )
        if self._first <= value <= self._last:
            remedy = (
                "round it first." if self._run else "none is rounded to it. Is its group of another size?"
            )
            return f"That lies between two of them: {remedy}"
        clamp = "`--clamp`, in Python `clamp=True`, takes it for the nearest end."
        if value < 0 <= self._first:
            return f"It is beyond the range: is that a mark of a missing number? If not, {clamp}"
        return f"It is beyond the range: {clamp}"

    def _mark(self, value: Fraction) -> str:
        """Return a sentence on a number beyond the range that marks a missing one, empty if it is none.

        A negative number is no count; -99 and 99999 are marks where all truths are far from them.
        """
        if value < 0 <= self._first and self._is_count:
            return f"A negative number is no count: is that a mark of a withheld or missing one? {_FIND}"
        is_nines = value.denominator == 1 and {*str(abs(value))} == {"9"}
        least = max(Fraction(_NINES), 10 * self._last)
        is_far = -value >= _NINES_BELOW if value < 0 <= self._first else value >= least
        if is_nines and is_far and not self._first <= value <= self._last:
            return f"Is that a mark of a withheld or missing number? {_FIND}"
        return ""

    def positions_of(self, answers: pa.Array) -> AnswerPositions:
        """Return the position of each answer, -1 where there is none."""
        kind = answers.type
        if pa.types.is_dictionary(kind):
            return self.positions_of(answers.dictionary).at_rows(answers.indices.to_numpy())
        if self.labels and not is_text(kind):
            return AnswerPositions(np.full(len(answers), -1), np.zeros(len(answers), bool))
        if self._run and pa.types.is_integer(kind) and not pa.types.is_uint64(kind):
            return self._of_whole(answers.cast(pa.int64()).to_numpy())
        if pa.types.is_floating(kind):  # Arrow does not encode every width of these
            distinct, rows = np.unique(answers.to_numpy(), return_inverse=True)
            return self._of_floats(distinct).at_rows(rows)
        if is_text(kind):
            answers = answers.cast(pa.large_string())
        encoded = encode(answers)
        distinct = encoded.dictionary.to_pylist()
        answered = self._of_texts(distinct) if is_text(kind) else self._each(distinct)
        return answered.at_rows(encoded.indices.to_numpy())

    def _of_whole(self, values: Positions) -> AnswerPositions:
        first, last = int(self._first), int(self._last)
        positions = values - first
        outside = (values < first) | (values > last)
        if outside.any():
            positions[outside] = np.where(values[outside] < first, 0, last - first) if self._clamp else -1
        return AnswerPositions(positions, outside & self._clamp)

    def _of_floats(self, floats: NDArray[Any]) -> AnswerPositions:
        doubles = floats.astype(float)
        is_whole = (np.abs(doubles) <= _LARGEST_WHOLE_DOUBLE) & (doubles == np.floor(doubles)) & self._run
        return self._of_numbers(list(floats), is_whole)

    def _of_texts(self, texts: list[str]) -> AnswerPositions:
        if self.labels:
            labels = np.array([self._label(text) for text in texts], dtype=np.int64)
            return AnswerPositions(labels, np.zeros(labels.size, bool))
        texts = [text.strip() for text in texts]
        is_whole = [
            self._run and len(text) <= _MOST_DIGITS and text.isascii() and text.isdecimal() for text in texts
        ]
        return self._of_numbers(texts, np.array(is_whole, bool))

    def _label(self, text: str) -> int:
        """Return the position of a label; spaces around it count only where they distinguish labels."""
        return self._by_label.get(text, self._by_label.get(text.strip(), -1))

    def _of_numbers(self, answers: list[Any], is_whole: Mask) -> AnswerPositions:
        """Look up whole numbers all at once, and all other answers one by one."""
        if not is_whole.any():  # truths may be beyond 64 bits
            return self._each(answers)
        whole, others = ([answers[row] for row in np.flatnonzero(mask)] for mask in (is_whole, ~is_whole))
        positions, is_clamped = np.empty(len(answers), np.int64), np.empty(len(answers), bool)
        positions_of_whole = self._of_whole(np.array([int(answer) for answer in whole], np.int64))
        for where, answered in ((is_whole, positions_of_whole), (~is_whole, self._each(others))):
            positions[where], is_clamped[where] = answered.positions, answered.clamped
        return AnswerPositions(positions, is_clamped)

    def _each(self, answers: list[Any]) -> AnswerPositions:
        """Look the answers up one by one, exactly."""
        positions, is_clamped = np.full(len(answers), -1), np.zeros(len(answers), bool)
        for row, answer in enumerate(answers):
            try:
                value = exact(answer, "answer")
            except ProblemError:
                continue
            positions[row] = self._index_of(value)
            if positions[row] < 0:
                near = self._positions_rounded_to(answer)
                if len(near) == 1:
                    positions[row] = near[0]
                elif self._clamp and not self._first <= value <= self._last:
                    positions[row], is_clamped[row] = 0 if value < self._first else len(self.values) - 1, True
        return AnswerPositions(positions, is_clamped)

    def _positions_rounded_to(self, answer: Any) -> range:  # noqa: ANN401 - any cell
        """Return the positions of the truths that a decimal, or a float shorter than a double, stands for."""
        if self._run:
            return range(0)
        if isinstance(answer, np.floating):
            same = np.flatnonzero(self._grid.astype(answer.dtype) == answer)
            return range(same[0], same[-1] + 1) if same.size else range(0)
        return rounded_from(answer, self.values) if isinstance(answer, (str, Decimal)) else range(0)

    def _index_of(self, value: Fraction) -> int:
        if not self._run:
            return self._by_value.get(value, -1)
        inside = self._first <= value <= self._last and value.denominator == 1
        return math.floor(value - self._first) if inside else -1


def encode(values: pa.Array) -> pa.DictionaryArray:
    """Return distinct values and the index of the value in each row, also for short decimals."""
    kind = values.type
    if pa.types.is_decimal(kind) and kind.bit_width < _ENCODED_BITS:
        values = values.cast(pa.decimal128(kind.precision, kind.scale))
    return values.dictionary_encode()


def check_type(kind: pa.DataType) -> None:
    """Raise ProblemError unless a column of this type can hold answers: numbers or text."""
    values = kind.value_type if pa.types.is_dictionary(kind) else kind
    number = pa.types.is_integer(values) or pa.types.is_floating(values) or pa.types.is_decimal(values)
    if not (number or is_text(values)):
        message = f"a column of answers must hold numbers or text; got {kind}. Cast it first."
        raise ProblemError(message)


def is_text(kind: pa.DataType) -> bool:
    """Whether a column of this type holds text, be it in a dictionary."""
    if pa.types.is_dictionary(kind):
        return is_text(kind.value_type)
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def computable(column: pa.Array) -> pa.Array:
    """Return a column of a type that Arrow computes with: of views of text it cannot take rows."""
    kind = column.type
    if pa.types.is_dictionary(kind) and pa.types.is_string_view(kind.value_type):
        column, kind = column.dictionary_decode(), kind.value_type
    return column.cast(pa.large_string()) if pa.types.is_string_view(kind) else column
