"""What is released for a true answer that the reader chooses, by a slider and by its name."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from optmech.base.numbers import as_text
from optmech.reports.charts import chart_svg, response_column
from optmech.reports.charts.chart import cut, decimal_names, short
from optmech.reports.markup import data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.reports.charts import MatrixView

__all__ = ["response_distribution"]


def response_distribution(
    shown: MatrixView,
    sentences: list[str],
    marks: Sequence[int | None],
    axis: str = "released when the true answer is {}",
) -> dict[str, Any]:
    """Return what the page shows for the truth in the middle, and the data for all others.

    Parameters
    ----------
    shown : Drawn
        What of a mechanism is shown.
    sentences : list of str
        One for each truth that is shown.
    marks : sequence of int or None
        Which response each truth is.
    axis : str
        What the axis is called; a truth stands for ``{}``.
    """
    first = len(shown.truths) // 2
    named = decimal_names(shown.truths) if shown.values else shown.truths
    axes = [axis.replace("{}", cut(truth)) for truth in named]
    rows = zip(shown.responses, shown.probabilities[:, first].tolist(), shown.exactly, strict=True)
    content = {
        "truths": shown.truths,
        "values": list(map(float, shown.values)),
        "responses": shown.responses,
        "probabilities": [list(map(short, line)) for line in shown.probabilities.tolist()],
        "exactly": shown.exactly,
        "unit": shown.unit,
        "told": sentences,
        "marks": marks,
        "axes": axes,
    }
    return {
        "shown": shown,
        "first": first,
        "step": _step(shown),
        "sentences": sentences,
        "released_chart": chart_svg(
            response_column(shown, first, axes[first], marks[first]), "chart-released"
        ),
        "column": [(name, f"{entry:.6g}", exactly[first]) for name, entry, exactly in rows],
        "data": data(content, "content"),
    }


def _step(shown: MatrixView) -> str:
    """Return how far truths lie apart, where they are evenly spaced numbers that a box can hold."""
    steps = {high - low for low, high in pairwise(shown.values)}
    if len(steps) != 1 or any("/" in as_text(value) for value in (*shown.values, *steps)):
        return ""
    return as_text(steps.pop())
