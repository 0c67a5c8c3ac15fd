"""A distribution: some true answers, and what is released near each of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.number_format import percent
from optmech.reports.charts import MatrixView

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.mechanisms.distribution import Distribution

    Floats = NDArray[np.float64]

__all__ = ["near", "with_truth"]

# Columns are as long as the count is large, and each takes time.
_TRUTHS, _ENTRIES = 41, 20_000_000
_FARTHEST, _FEWEST = 60, 5
# Of the middle truth so little lies outside the chart, where it can be that wide.
_OUTSIDE = 1e-4


def near(mechanism: Distribution) -> tuple[MatrixView, list[str]]:
    """Return what is released near some true answers, in doubles, and a sentence for each of them."""
    size, first = len(mechanism.truths), int(mechanism.truths[0])
    number = max(2, min(_TRUTHS, size, _ENTRIES // size))
    places = np.unique(np.round(np.linspace(0, size - 1, number)).astype(int)).tolist()
    columns = {place: mechanism.column(first + place) for place in places}
    middle = places[len(places) // 2]
    reach = _FEWEST
    while reach < _FARTHEST and _within(columns[middle], middle, reach) < 1 - _OUTSIDE:
        reach += 1
    offsets = range(-reach, reach + 1)
    entries = np.column_stack([_around(column, place, reach) for place, column in columns.items()])
    sentences = []
    for place, column in columns.items():
        outside = max(0.0, 1 - _within(column, place, reach))
        sentences.append(
            f"When the true answer is {first + place}, the truth itself is released with probability "
            f"{percent(float(column[place]))}; what lies more than {reach} away, and is not shown, "
            f"with {percent(outside)}."
        )
    return MatrixView(
        truths=tuple(str(first + place) for place in places),
        responses=tuple(f"{offset:+d}" if offset else "0" for offset in offsets),
        values=tuple(mechanism.truths[place] for place in places),
        positions=tuple(places),
        probabilities=entries,
        exactly=tuple(tuple(map(str, line)) for line in entries.tolist()),
        unit="as a double",
        left_out=f"{len(places)} of {size:,} true answers are shown, and releases up to {reach} away.",
    ), sentences


def with_truth(view: MatrixView, mechanism: Distribution, truth: int) -> MatrixView:
    """Return what `near` drew with the column of one more true answer, as its last."""
    place = truth - int(mechanism.truths[0])
    column = _around(mechanism.column(truth), place, len(view.responses) // 2)
    return replace(
        view,
        truths=(*view.truths, str(truth)),
        values=(*view.values, mechanism.truths[place]),
        positions=(*view.positions, place),
        probabilities=np.column_stack([view.probabilities, column]),
        exactly=tuple((*line, str(new)) for line, new in zip(view.exactly, column.tolist(), strict=True)),
    )


def _around(column: Floats, place: int, reach: int) -> Floats:
    """Return the entries of a column up to so many places away, zero where there are none."""
    entries = np.zeros(2 * reach + 1)
    low, high = max(0, place - reach), min(len(column), place + reach + 1)
    entries[low - place + reach : high - place + reach] = column[low:high]
    return entries


def _within(column: Floats, place: int, reach: int) -> float:
    return float(column[max(0, place - reach) : place + reach + 1].sum())
