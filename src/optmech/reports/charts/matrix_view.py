"""The part of a mechanism that a chart shows: of a matrix all, or some truths, and responses in blocks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.arguments import an_instance, takes, whole_number
from optmech.base.errors import broken_rule
from optmech.base.number_format import percent, share_of
from optmech.base.numbers import as_text
from optmech.mechanisms.mechanism import Mechanism
from optmech.mechanisms.noise_errors import beyond
from optmech.reports.charts.chart import Axis, Picture, brief, short

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from optmech.base.arrays import Floats
    from optmech.mechanisms.noise_mechanism import NoiseMechanism


MOST_DRAWN = 151
"""The largest number of truths, and of responses, that are drawn one by one."""
MOST_NUMBERS, MOST_ON_A_PHONE = 13, 9
"""The largest number of truths, and of responses, whose probabilities stand in their cells."""

_LONGEST = 40
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MatrixView(Picture):
    """The part of a matrix that a chart shows: responses down, truths across, as in its CSV file.

    A block of `responses` is called ``"4 … 7"``. `values` are the truths as numbers, none where they have
    labels, and `positions` which truths of the mechanism the columns are. Probabilities are doubles of shape
    (num_rows, num_columns), of a block their sum, so that columns sum to one; shades go with their square
    root. `exactly` are the same as text: numerators where exact arithmetic confirmed them, otherwise the
    shortest decimals that read back to the doubles; `unit` is what they count, such as ``"numerator over
    2¹²⁰"``. `left_out` is a sentence on what is not shown, empty where all is.
    """

    truths: tuple[str, ...]
    responses: tuple[str, ...]
    values: tuple[Fraction, ...]
    positions: tuple[int, ...]
    probabilities: Floats
    exactly: tuple[tuple[str, ...], ...]
    unit: str
    left_out: str
    rows_are: str = "released answer"
    title: str = ""

    @property
    def description(self) -> str:
        """The heat map in words."""
        rows, columns = self.probabilities.shape
        return (
            f"Heat map of the mechanism matrix: {rows} rows of responses, {columns} columns of true answers. "
            "Darker on a light page, brighter on a dark one, is more probable, by its square root; the "
            f"largest entry is {self.top:.4g}. {self.left_out}"
        ).strip()

    @property
    def columns(self) -> Axis:
        """The axis of the truths."""
        return Axis(title="true answer", names=self.truths, numeric=bool(self.values))

    @property
    def rows(self) -> Axis:
        """The axis of the responses."""
        return Axis(title=self.rows_are, names=self.responses, numeric=bool(self.values))

    @property
    def top(self) -> float:
        """The largest probability."""
        return float(self.probabilities.max())

    def shades(self) -> Floats:
        """Return the shade of each cell, from 0 to 1."""
        strength: Floats = (self.probabilities / self.top) ** 0.5
        return strength

    def content(self) -> dict[str, Any]:
        """Return the texts of a cell under the pointer, as JSON values for a script."""
        return {
            "truths": self.truths,
            "responses": self.responses,
            "probabilities": [list(map(short, line)) for line in self.probabilities.tolist()],
            "exactly": self.exactly,
            "unit": self.unit,
        }

    def numbers(self) -> list[list[str]]:
        """Return the text of each cell, where 0 is impossible and <.001 is not; nothing without room."""
        if max(self.probabilities.shape) > MOST_NUMBERS:
            return []
        return [[brief(entry).replace("0.", ".") for entry in line] for line in self.probabilities.tolist()]


@takes(mechanism=an_instance(Mechanism), most=whole_number)
def matrix_chart(mechanism: Mechanism, most: int = MOST_DRAWN) -> MatrixView:
    """Return the matrix as a heat map, like its table: true answers are columns, released answers rows.

    Small matrices have their numbers in the cells, where 0 is impossible and <.001 is not. Beyond `most`
    truths every second, third, … one is shown, always with the first; beyond `most` responses two, three, …
    neighbouring ones form a block, whose probability is the sum of theirs.

    >>> import optmech as om
    >>> half = om.MatrixMechanism(matrix=[[0.5, 0.5], [0.5, 0.5]], responses=(0, 1), truths=(0, 1))
    >>> matrix_chart(half).numbers()
    [['.500', '.500'], ['.500', '.500']]
    """
    if most < 1:
        raise broken_rule("most", "be at least 1", most)
    num_responses, num_truths = mechanism.matrix.shape
    step, size = -(-num_truths // most), -(-num_responses // most)
    positions = np.arange(0, num_truths, step)
    starts = np.arange(0, num_responses, size)
    probabilities = np.add.reduceat(mechanism.matrix[:, positions], starts, axis=0)
    numbers, unit = exact_numbers(mechanism)
    exactly = np.add.reduceat(numbers[:, positions], starts, axis=0)
    truths, responses = truth_names(mechanism), response_names(mechanism)
    return MatrixView(
        truths=tuple(truths[position] for position in positions),
        responses=tuple(_block(responses[start : start + size]) for start in starts.tolist()),
        values=() if mechanism.labels else tuple(mechanism.truths[position] for position in positions),
        positions=tuple(positions.tolist()),
        probabilities=probabilities,
        exactly=tuple(tuple(map(str, line)) for line in exactly.tolist()),
        unit=unit,
        left_out=_left_out(num_responses, num_truths, step, size),
        title=f"Released answers for each true answer\n{provenance(mechanism)}",
    )


def provenance(mechanism: Mechanism) -> str:
    """Return the provenance of the probabilities of a matrix."""
    exactly = "as it stands, in doubles" if mechanism.exact is None else "proved in exact arithmetic"
    return f"probabilities, {exactly}"


def truth_names(mechanism: Mechanism) -> tuple[str, ...]:
    """Return the names of the truths."""
    return mechanism.labels or tuple(map(as_text, mechanism.truths))


def response_names(mechanism: Mechanism) -> tuple[str, ...]:
    """Return the names of the responses: labels, numbers, or midpoints of categories."""
    return mechanism.labels or tuple(map(as_text, mechanism.responses))


def exact_numbers(mechanism: Mechanism) -> tuple[NDArray[Any], str]:
    """Return the exact numbers of a matrix, and their unit, as in `MatrixView`."""
    if mechanism.exact is None:
        return mechanism.matrix, "as a double"
    return mechanism.exact.numerators, f"numerator over {denominator_text(mechanism.exact.denominator)}"


def denominator_text(denominator: int) -> str:
    """Return a denominator, a power of two as such.

    >>> denominator_text(2**120), denominator_text(30)
    ('2¹²⁰', '30')
    """
    twos = (denominator & -denominator).bit_length() - 1
    odd = denominator >> twos
    power = f"2{str(twos).translate(_SUPERSCRIPTS)}"
    if odd == 1 and twos > 1:
        return power
    text = str(denominator)
    return text if len(text) <= _LONGEST else f"the common denominator of {len(text)} digits"


def _block(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} … {names[-1]}"


def _left_out(num_responses: int, num_truths: int, step: int, size: int) -> str:
    sentences = []
    if step > 1:
        sentences.append(f"one in {step} of the {num_truths:,} true answers is shown")
    if size > 1:
        sentences.append(
            f"{size} neighbouring responses of {num_responses:,} are drawn as one, with their total"
        )
    if not sentences:
        return ""
    text = "; ".join(sentences)
    return f"{text[0].upper()}{text[1:]}. The CSV file has every entry."


# Columns are as long as the count is large, and each takes time.
_TRUTHS, _ENTRIES = 41, 20_000_000
_FARTHEST, _FEWEST = 60, 5
# Share of the middle truth's column that lies outside the chart, where it can be that wide.
_OUTSIDE = 1e-4


def near(mechanism: NoiseMechanism) -> tuple[MatrixView, list[str]]:
    """Return the released answers near some true answers, in doubles, and a sentence for each."""
    size, first = len(mechanism.truths), int(mechanism.truths[0])
    number = max(2, min(_TRUTHS, size, _ENTRIES // size))
    indices = np.unique(np.round(np.linspace(0, size - 1, number)).astype(int)).tolist()
    columns = {index: mechanism.column(first + index) for index in indices}
    middle = indices[len(indices) // 2]
    reach = _FEWEST
    while reach < _FARTHEST and _within(columns[middle], middle, reach) < 1 - _OUTSIDE:
        reach += 1
    offsets = range(-reach, reach + 1)
    entries = np.column_stack([_around(column, index, reach) for index, column in columns.items()])
    wrong, outside = beyond(mechanism, 0).tolist(), beyond(mechanism, reach).tolist()
    sentences = [
        f"When the true answer is {first + index}, the truth itself is released with probability "
        f"{percent(share_of(float(column[index]), wrong[index]))}; what lies more than {reach} away, and "
        f"is not shown, with {percent(outside[index])}."
        for index, column in columns.items()
    ]
    return MatrixView(
        truths=tuple(str(first + index) for index in indices),
        responses=tuple(f"{offset:+d}" if offset else "0" for offset in offsets),
        values=tuple(mechanism.truths[index] for index in indices),
        positions=tuple(indices),
        probabilities=entries,
        exactly=tuple(tuple(map(str, line)) for line in entries.tolist()),
        unit="as a double",
        left_out=f"{len(indices)} of {size:,} true answers are shown, and releases up to {reach} away.",
        rows_are="released less true answer",
    ), sentences


def with_truth(view: MatrixView, mechanism: NoiseMechanism, truth: int) -> MatrixView:
    """Return the view of `near` with the column of one more true answer at the end."""
    index = truth - int(mechanism.truths[0])
    column = _around(mechanism.column(truth), index, len(view.responses) // 2)
    return replace(
        view,
        truths=(*view.truths, str(truth)),
        values=(*view.values, mechanism.truths[index]),
        positions=(*view.positions, index),
        probabilities=np.column_stack([view.probabilities, column]),
        exactly=tuple((*line, str(new)) for line, new in zip(view.exactly, column.tolist(), strict=True)),
    )


def _around(column: Floats, index: int, reach: int) -> Floats:
    """Return the entries of a column within a distance, zero where there are none."""
    entries = np.zeros(2 * reach + 1)
    low, high = max(0, index - reach), min(len(column), index + reach + 1)
    entries[low - index + reach : high - index + reach] = column[low:high]
    return entries


def _within(column: Floats, index: int, reach: int) -> float:
    return float(column[max(0, index - reach) : index + reach + 1].sum())
