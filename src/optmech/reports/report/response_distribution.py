"""The distribution of the response at a true answer that the reader chooses, by a slider and by its name."""

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
    view: MatrixView,
    sentences: list[str],
    marks: Sequence[int | None],
    axis: str = "released when the true answer is {}",
) -> dict[str, Any]:
    """Return what the page shows for the truth in the middle, and the data for all others.

    There is a sentence for each truth that is shown, and a mark, which response it is, if any. In the name of
    the axis a truth stands for ``{}``.
    """
    first = len(view.truths) // 2
    names = decimal_names(view.truths) if view.values else view.truths
    axes = [axis.replace("{}", cut(truth)) for truth in names]
    rows = zip(view.responses, view.probabilities[:, first].tolist(), view.exactly, strict=True)
    content = {
        "truths": view.truths,
        "values": list(map(float, view.values)),
        "responses": view.responses,
        "probabilities": [list(map(short, line)) for line in view.probabilities.tolist()],
        "exactly": view.exactly,
        "unit": view.unit,
        "told": sentences,
        "marks": marks,
        "axes": axes,
    }
    return {
        "shown": view,
        "first": first,
        "step": _step(view),
        "sentences": sentences,
        "released_chart": chart_svg(
            response_column(view, first, axes[first], marks[first]), "chart-released"
        ),
        "column": [(name, f"{entry:.6g}", exactly[first]) for name, entry, exactly in rows],
        "data": data(content, "content"),
    }


def _step(view: MatrixView) -> str:
    """Return how far truths lie apart, where they are evenly spaced numbers that a box can hold."""
    steps = {high - low for low, high in pairwise(view.values)}
    if len(steps) != 1 or any("/" in as_text(value) for value in (*view.values, *steps)):
        return ""
    return as_text(steps.pop())
