"""An interval for the true answer beside each release, with a given probability.

It is computed from the released answer and the public mechanism, so that it spends nothing. `acceptance` has
the model. If rows released as 0 are left out, the probability is conditional on the row being shown. If
answers beyond the range were clamped, an end of the interval at the end of the range is open and written as a
null.

Ends that a type rounds are rounded outward.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from optmech.base.errors import NotAcceptedError, broken_rule
from optmech.base.numbers import as_text, exact
from optmech.release.tables.column_mechanisms import holds_run, need_typed_column, typed_column
from optmech.release.tables.truths import is_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from optmech.base.numbers import Number
    from optmech.release.tables.column_mechanisms import ColumnMechanism

    Positions = NDArray[np.int64]

_MEANING = (
    "Whatever the true answer of a row is, its interval holds it with at least this probability. Intervals "
    "are computed from the released answers and spend nothing."
)
_OF_SHOWN_ROWS = "The probability is that given that the row is shown."
_OPEN_ENDS = (
    "An empty end is open: numbers beyond the range were taken for its nearest end, and the true answer may "
    "be one of them."
)
_OF_COUNTED_ROWS = (
    "The true answer is the count in the table, without the rows beyond the bound of their person."
)


def level_of(interval: Number) -> Fraction:
    """Return the probability that an interval holds the true answer, or raise ProblemError."""
    level = exact(interval, "interval")
    if not 0 < level < 1:
        raise broken_rule("interval", "be a probability between 0 and 1, such as 0.95", as_text(level))
    return level


def columns_of_limits(column: str) -> list[str]:
    """Return the columns of the ends of intervals."""
    return [f"{column}_low", f"{column}_high"]


def interval_in_log(
    level: Fraction, column: str, *, clamp: bool, drop_zero: bool, is_bounded: bool
) -> dict[str, Any]:
    """Return the entry of a log on intervals; `is_bounded` if not all rows of a person may be counted."""
    sentences = {_OF_SHOWN_ROWS: drop_zero, _OPEN_ENDS: clamp, _OF_COUNTED_ROWS: is_bounded}
    return {
        "level": as_text(level),
        "columns": columns_of_limits(column),
        "meaning": " ".join([_MEANING, *(sentence for sentence, applies in sentences.items() if applies)]),
    }


class Limits:
    """The ends of the interval of each response, for true answers that are numbers.

    The interval holds the true answer with probability at least `level`; with `drop_zero`, given that the
    response is not 0. With `clamp` an end of the range is an open end. NotAcceptedError: the answers have no
    order, or no known one.
    """

    def __init__(
        self, column: ColumnMechanism, level: Fraction, *, clamp: bool = False, drop_zero: bool = False
    ) -> None:
        law = column.law
        if law.labels or not law.has_ends:
            reason = (
                "without a certificate nobody knows the order of the answers"
                if law.has_ends is None
                else "answers without an order have no interval"
            )
            message = f"`interval` must be left out: {reason}."
            raise NotAcceptedError(message)
        self._law, self._clamp = law, clamp
        self._ends = column.interval_ends(level, shown_only=drop_zero)

    def of(self, responses: pa.Array, kind: pa.DataType) -> list[pa.Array]:
        """Return the lower and the upper end for each release, in a type that holds all true answers.

        An end that is open is null.
        """
        if pa.types.is_dictionary(responses.type):  # a column from a file, with the answers of all groups
            responses = responses.dictionary_decode()
        encoded = responses.dictionary_encode()
        low, high = self._ends(encoded.dictionary)
        ends = (self._column(low, kind, -math.inf), self._column(high, kind, math.inf))
        return [end.take(encoded.indices) for end in ends]

    def _column(self, positions: Positions, kind: pa.DataType, way: float) -> pa.Array:
        """Return these true answers as a column, rounded in one direction if at all."""
        values = self._law.answers
        farthest = len(values) - 1 if way > 0 else 0
        is_open = (positions == farthest) & self._clamp
        if isinstance(values, range):
            names = need_typed_column([Fraction(values[index]) for index in positions.tolist()], kind)
            return pc.if_else(pa.array(is_open), pa.scalar(None, kind), names)
        # All truths at once, so that the format of a number depends on the mechanism, not on the draws.
        names = need_typed_column(_rounded(values, kind, way), kind)
        return names.take(pa.array(positions, mask=is_open))


def _rounded(values: Sequence[Fraction], kind: pa.DataType, way: float) -> list[Fraction]:
    """Return numbers for a column of doubles, rounded in one direction, or of text, unchanged."""
    is_whole = all(value.denominator == 1 for value in values)
    if not (pa.types.is_float64(kind) or (is_text(kind) and not is_whole)):
        return list(values)
    return [_outward(value, way) for value in values]


def _outward(value: Fraction, way: float) -> Fraction:
    """Return the nearest double that is not on the other side."""
    double = float(value)
    is_beyond = double > value if way < 0 else double < value
    return Fraction(math.nextafter(double, way) if is_beyond else double)


def limits_type(columns: list[ColumnMechanism], kind: pa.DataType) -> pa.DataType:
    """Return the type of the ends of intervals: the released type if it holds all true answers."""
    for column in columns:
        values = column.law.answers
        held = (
            holds_run(values[0], values[-1], kind)
            if isinstance(values, range)
            else typed_column(values, kind) is not None
        )
        if not held:
            return pa.float64()
    return kind
