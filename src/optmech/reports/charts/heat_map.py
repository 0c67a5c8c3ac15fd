"""The mechanism matrix as a heat map, laid out like the printed table."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from optmech.reports.charts.drawn import drawn
from optmech.reports.charts.frame import exact_dimension, framed, names_axis, short, tooltip

if TYPE_CHECKING:
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.reports.charts.drawn import Drawn

__all__ = ["drawn_heat_map", "matrix_heat_map"]

# Numbers stand in cells where they can be read.
_LARGEST_WITH_NUMBERS = 9


def matrix_heat_map(mechanism: Mechanism) -> dict[str, Any]:
    """Return the heat map of a mechanism matrix: responses down, truths across, as in its CSV file.

    The shade of a cell goes with the square root of its probability, so that rare answers are seen as well.
    Its tooltip shows truth, response, probability, and the certified whole number. Up to 9 by 9 the
    probabilities stand in the cells. Beyond 151 truths or responses the map is thinned, see `drawn`. Best
    on a canvas, ``echarts.init(element, theme, {renderer: "canvas"})``, in a nearly square element.

    Examples
    --------
    >>> from optmech.mechanisms.mechanism import Mechanism
    >>> option = matrix_heat_map(Mechanism(matrix=[[1, 0], [0, 1]], responses=(0, 1), truths=(0, 1)))
    >>> option["series"][0]["data"][0]
    ['0', '0', 1.0, '1.0', '1.000', 1.0]
    """
    return drawn_heat_map(drawn(mechanism))


def drawn_heat_map(shown: Drawn, rows_are: str = "released answer") -> dict[str, Any]:
    """Return the heat map of what is drawn; `rows_are` names its vertical axis."""
    top = float(shown.probabilities.max())
    numbers = max(shown.probabilities.shape) <= _LARGEST_WITH_NUMBERS
    cells = [
        [
            truth,
            response,
            short(entry),
            exactly,
            f"{entry:.3f}" if numbers else f"{entry:.3g}",
            round(math.sqrt(entry / top), 3),
        ]
        for response, line, texts in zip(
            shown.responses, shown.probabilities.tolist(), shown.exactly, strict=True
        )
        for truth, entry, exactly in zip(shown.truths, line, texts, strict=True)
    ]
    rows, columns = shown.probabilities.shape
    return framed(
        f"Heat map of the mechanism matrix: {rows} rows of responses, {columns} columns of true answers. "
        "Darker on a light page, brighter on a dark one, is more probable, by its square root; the largest "
        f"entry is {top:.4g}. "
        f"{shown.left_out}".strip(),
        tooltip=tooltip(),
        grid={"left": 12, "right": 16, "top": 12, "bottom": 64},
        xAxis=names_axis("true answer", shown.truths),
        yAxis=names_axis(rows_are, shown.responses, inverse=True),
        visualMap={
            "type": "continuous",
            "dimension": 5,
            "min": 0,
            "max": 1,
            "precision": 3,
            "calculable": False,
            "hoverLink": False,
            "orient": "horizontal",
            "left": "center",
            "bottom": 0,
            "itemWidth": 10,
            "itemHeight": 160,
            "text": [f"{top:.3g}", "probability 0"],
        },
        series=[
            {
                "type": "heatmap",
                "name": "",
                "dimensions": [
                    "true answer",
                    rows_are,
                    "probability",
                    exact_dimension(shown.unit),
                    "shown",
                    "shade",
                ],
                "encode": {"x": 0, "y": 1, "value": 2, "tooltip": [0, 1, 2, 3], "itemName": 4},
                "data": cells,
                "label": {"show": numbers, "formatter": "{@[4]}"},
                "emphasis": {"itemStyle": {"borderWidth": 2}},
                "progressive": 0,
            }
        ],
    )
