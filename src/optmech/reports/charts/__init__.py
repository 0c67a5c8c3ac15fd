"""Charts of mechanisms as data for Apache ECharts, whose release 6.1.0 lies in `echarts/` as published.

Each function returns the *option* of a chart: a dictionary of plain JSON values, without functions, which a
page hands to ``chart.setOption``. No text in it is HTML; ECharts escapes names where it shows them. Colours
are left to the theme, `theme()` or ``theme(dark=True)``, for ``echarts.init(element, theme)``. Each chart
describes itself to screen readers, and series differ in pattern or dash as well as in colour.
"""

from optmech.reports.charts.curve import privacy_curve_chart
from optmech.reports.charts.drawn import MOST_DRAWN, Drawn, drawn
from optmech.reports.charts.errors import (
    MEASURES,
    error_by_truth,
    error_measures,
    errors_side_by_side,
    probability_of_error,
)
from optmech.reports.charts.heat_map import drawn_heat_map, matrix_heat_map
from optmech.reports.charts.library import ECHARTS_SHA256, ECHARTS_VERSION, echarts_script
from optmech.reports.charts.released import released_column, released_given, released_side_by_side
from optmech.reports.charts.theme import theme

__all__ = [
    "ECHARTS_SHA256",
    "ECHARTS_VERSION",
    "MEASURES",
    "MOST_DRAWN",
    "Drawn",
    "drawn",
    "drawn_heat_map",
    "echarts_script",
    "error_by_truth",
    "error_measures",
    "errors_side_by_side",
    "matrix_heat_map",
    "privacy_curve_chart",
    "probability_of_error",
    "released_column",
    "released_given",
    "released_side_by_side",
    "theme",
]
