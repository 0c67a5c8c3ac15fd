"""The mechanism matrix as a heat map, laid out like the printed table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.reports.charts.chart import Axis, HeatMap
from optmech.reports.charts.matrix_view import matrix_view

if TYPE_CHECKING:
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.reports.charts.matrix_view import MatrixView

__all__ = ["drawn_heat_map", "matrix_heat_map"]


def matrix_heat_map(mechanism: Mechanism) -> HeatMap:
    """Return the heat map of a mechanism matrix: responses down, truths across, as in its CSV file.

    Beyond 151 truths or responses the map is thinned, see `matrix_view`.
    """
    return drawn_heat_map(matrix_view(mechanism))


def drawn_heat_map(view: MatrixView, rows_are: str = "released answer") -> HeatMap:
    """Return the heat map of a part of a matrix; `rows_are` names its vertical axis."""
    rows, columns = view.probabilities.shape
    return HeatMap(
        description=(
            f"Heat map of the mechanism matrix: {rows} rows of responses, {columns} columns of true answers. "
            "Darker on a light page, brighter on a dark one, is more probable, by its square root; the "
            f"largest entry is {view.probabilities.max():.4g}. {view.left_out}"
        ).strip(),
        columns=Axis(title="true answer", names=view.truths, numeric=bool(view.values)),
        rows=Axis(title=rows_are, names=view.responses, numeric=bool(view.values)),
        probabilities=view.probabilities,
        exactly=view.exactly,
        unit=view.unit,
    )
