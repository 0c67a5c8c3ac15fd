"""Charts of mechanisms, each described once: what is drawn, over which axes, and what it shows in words.

`chart_svg` prints a chart as it stands on a page; `chart_option` is the same one for ECharts, in the studio.
"""

from optmech.reports.charts.chart import Axis, Chart, HeatMap, Series
from optmech.reports.charts.curve import privacy_curve_chart
from optmech.reports.charts.errors import (
    MEASURES,
    error_by_truth,
    error_measures,
    errors_side_by_side,
    probability_of_error,
)
from optmech.reports.charts.matrix_view import (
    MOST_DRAWN,
    MatrixView,
    drawn_heat_map,
    matrix_heat_map,
    matrix_view,
    response_names,
    truth_names,
)
from optmech.reports.charts.options import chart_option, theme
from optmech.reports.charts.response_distribution import response_column, responses_side_by_side
from optmech.reports.charts.svg import chart_svg

__all__ = [
    "MEASURES",
    "MOST_DRAWN",
    "Axis",
    "Chart",
    "HeatMap",
    "MatrixView",
    "Series",
    "chart_option",
    "chart_svg",
    "drawn_heat_map",
    "error_by_truth",
    "error_measures",
    "errors_side_by_side",
    "matrix_heat_map",
    "matrix_view",
    "privacy_curve_chart",
    "probability_of_error",
    "response_column",
    "response_names",
    "responses_side_by_side",
    "theme",
    "truth_names",
]
