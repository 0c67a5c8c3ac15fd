"""A law without a matrix: some true answers, and what is released near each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.base.numbers import exact
from optmech.base.spelled import percent
from optmech.reports.charts import Drawn

if TYPE_CHECKING:
    from optmech.designs.implicit.mechanism import ImplicitMechanism

__all__ = ["near"]

# Columns are as long as the count is large, and each takes time.
_TRUTHS, _ENTRIES = 41, 20_000_000
_FARTHEST, _FEWEST = 60, 5
# Of the middle truth so little lies outside the chart, where it can be that wide.
_OUTSIDE = 1e-4


def near(law: ImplicitMechanism) -> tuple[Drawn, list[str]]:
    """Return what is released near some true answers, in doubles, and a sentence for each of them.

    Examples
    --------
    >>> from optmech.designs.implicit import implicit_count
    >>> shown, told = near(implicit_count(2000, 1))
    >>> shown.truths[:2], shown.responses[0], shown.probabilities.shape
    (('0', '50'), '-9', (19, 41))
    """
    largest = law.question.largest
    number = max(2, min(_TRUTHS, largest + 1, _ENTRIES // (largest + 1)))
    truths = np.unique(np.round(np.linspace(0, largest, number)).astype(int)).tolist()
    columns = {truth: law.column(truth) for truth in truths}
    middle = truths[len(truths) // 2]
    reach = _FEWEST
    while reach < _FARTHEST and _within(columns[middle], middle, reach) < 1 - _OUTSIDE:
        reach += 1
    offsets = range(-reach, reach + 1)
    entries = np.zeros((len(offsets), len(truths)))
    told = []
    for place, truth in enumerate(truths):
        for row, offset in enumerate(offsets):
            if 0 <= truth + offset <= largest:
                entries[row, place] = columns[truth][truth + offset]
        outside = max(0.0, 1 - _within(columns[truth], truth, reach))
        told.append(
            f"When the true answer is {truth}, the truth itself is released with probability "
            f"{percent(float(columns[truth][truth]))}; what lies more than {reach} away, and is not shown, "
            f"with {percent(outside)}."
        )
    return Drawn(
        truths=tuple(map(str, truths)),
        responses=tuple(f"{offset:+d}" if offset else "0" for offset in offsets),
        values=tuple(exact(truth, "truth") for truth in truths),
        positions=tuple(truths),
        probabilities=entries,
        exactly=tuple(tuple(map(str, line)) for line in entries.tolist()),
        unit="as a double",
        left_out=f"{len(truths)} of {largest + 1:,} true answers are shown, and releases up to {reach} away.",
    ), told


def _within(column: np.ndarray, truth: int, reach: int) -> float:
    return float(column[max(0, truth - reach) : truth + reach + 1].sum())
