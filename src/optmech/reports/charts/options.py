"""Charts and their theme as options of Apache ECharts: plain JSON values, without functions.

No text in them is HTML; ECharts escapes names where it shows them. Series differ in pattern or dash as well
as in colour, and each chart describes itself to screen readers.
"""

from __future__ import annotations

from typing import Any

from optmech.reports.charts.chart import Axis, Chart, Look, Mark, Series, short
from optmech.reports.charts.matrix_view import MatrixView

_DASHES = ("solid", "dashed", "dotted", [12, 4, 2, 4])
_SYMBOLS = ("circle", "rect", "triangle", "diamond")
# More points than these are a line, fewer are points that can be met with the pointer.
_MOST_SYMBOLS = 41
# Numbers stand in cells where they can be read.
_LARGEST_WITH_NUMBERS = 9
# Of more names every second, third, … stands at an axis.
_MOST_NAMES = 27


def chart_option(chart: Chart | MatrixView) -> dict[str, Any]:
    """Return a chart as an option of ECharts."""
    if isinstance(chart, MatrixView):
        return _heat_map(chart)
    bars, several = chart.series[0].look is Look.BARS, len(chart.series) > 1
    option = _frame(chart, patterns=bars and several)
    option["tooltip"] = _tooltip("item" if bars else "axis")
    option["grid"] = {"left": 12, "right": 24, "top": 56 if several else 32, "bottom": 12}
    option["xAxis"] = (
        _names(chart.x) if chart.x.names else _axis(chart.x, min=short(chart.x.low), max=short(chart.x.high))
    )
    option["yAxis"] = _axis(chart.y, **({} if chart.y.logarithmic or chart.y.low else {"min": 0}))
    option["series"] = [
        _bars(each, chart) if each.look is Look.BARS else _line(each, place)
        for place, each in enumerate(chart.series)
    ]
    if several:
        option["legend"] = {"top": 0, "itemWidth": 36}
    if chart.mark is not None and chart.mark.at is not None:
        option["series"][0] |= _mark(chart, chart.mark, chart.mark.at)
    return option


def _frame(chart: Chart | MatrixView, *, patterns: bool) -> dict[str, Any]:
    label = {"description": chart.description}
    return {"animation": False, "aria": {"enabled": True, "label": label, "decal": {"show": patterns}}}


def _axis(axis: Axis, **settings: Any) -> dict[str, Any]:  # noqa: ANN401 - whatever ECharts takes
    kind = "category" if axis.names else "log" if axis.logarithmic else "value"
    return {"type": kind, "name": axis.title, "nameLocation": "middle", "nameGap": 26, **settings}


def _names(axis: Axis, *, is_across: bool = True, **settings: Any) -> dict[str, Any]:  # noqa: ANN401 - any
    """Return an axis of names, of which the long ones are cut and those without room left out."""
    label: dict[str, Any] = {"overflow": "truncate", "width": 84, "hideOverlap": True}
    if axis.numeric and is_across:
        label = {"interval": "auto"}  # from the first on, as many as there is room for
    elif len(axis.names) > _MOST_NAMES:
        label["interval"] = -(-len(axis.names) // _MOST_NAMES) - 1
    return _axis(axis, data=list(axis.short_names), axisTick={"show": False}, axisLabel=label, **settings)


def _tooltip(trigger: str = "item") -> dict[str, Any]:
    """Return a tooltip that stays on the page and can be read while the pointer rests on it."""
    style = "box-sizing: border-box; max-width: 100%; white-space: normal; overflow-wrap: anywhere"
    stays = {"confine": True, "enterable": True, "transitionDuration": 0}
    return {"trigger": trigger, **stays, "extraCssText": style}


def _line(series: Series, place: int) -> dict[str, Any]:
    line: dict[str, Any] = {
        "type": "line",
        "name": series.name,
        "data": [[short(x), short(value)] for x, value in zip(series.across, series.values, strict=True)],
        "showSymbol": series.look is not Look.AREA and len(series.across) <= _MOST_SYMBOLS,
        "symbol": _SYMBOLS[place % len(_SYMBOLS)],
        "symbolSize": 7,
        "lineStyle": {"type": _DASHES[place % len(_DASHES)], "width": 2},
    }
    return line | ({"areaStyle": {"opacity": 0.12}} if series.look is Look.AREA else {})


def _bars(series: Series, chart: Chart) -> dict[str, Any]:
    names = [chart.x.short_names[int(place)] for place in series.across]
    rows = [names, map(short, series.values), *([series.exactly] if series.exactly else [])]
    return {
        "type": "bar",
        "name": series.name,
        "dimensions": [chart.x.title, chart.y.title, *([_exact(series.unit)] if series.exactly else [])],
        "encode": {"x": 0, "y": 1, "tooltip": [1, 2] if series.exactly else [1], "itemName": 0},
        "data": [list(row) for row in zip(*rows, strict=True)],
        "barMaxWidth": 48,
    }


def _exact(unit: str) -> dict[str, str]:
    """Return a dimension of texts: whole numbers of forty digits are not to be read as doubles."""
    return {"name": unit, "type": "ordinal"}


def _mark(chart: Chart, mark: Mark, place: float) -> dict[str, Any]:
    at = chart.x.short_names[int(place)] if chart.x.names else short(place)
    line = {
        "silent": True,
        "symbol": "none",
        "lineStyle": {"type": "dashed"},
        "label": {"formatter": mark.text, "position": "end"},
        "data": [{"xAxis": at}],
    }
    if mark.height is None:
        return {"markLine": line}
    dot = {"silent": True, "symbol": "circle", "symbolSize": 11, "label": {"show": False}}
    return {"markLine": line, "markPoint": {**dot, "data": [{"coord": [at, short(mark.height)]}]}}


def _heat_map(chart: MatrixView) -> dict[str, Any]:
    numbers = max(chart.probabilities.shape) <= _LARGEST_WITH_NUMBERS
    digits = ".3f" if numbers else ".3g"
    cells = [
        [truth, response, short(entry), exactly, format(entry, digits), round(shade, 3)]
        for response, line, texts, shades in zip(
            chart.rows.short_names,
            chart.probabilities.tolist(),
            chart.exactly,
            chart.shades().tolist(),
            strict=True,
        )
        for truth, entry, exactly, shade in zip(chart.columns.short_names, line, texts, shades, strict=True)
    ]
    dimensions = [chart.columns.title, chart.rows.title, "probability", _exact(chart.unit), "shown", "shade"]
    return {
        **_frame(chart, patterns=False),
        "tooltip": _tooltip(),
        "grid": {"left": 12, "right": 24, "top": 12, "bottom": 64},
        "xAxis": _names(chart.columns),
        "yAxis": _names(chart.rows, is_across=False, inverse=True),
        "visualMap": {
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
            "text": [f"{chart.top:.3g}", "probability 0"],
        },
        "series": [
            {
                "type": "heatmap",
                "name": "",
                "dimensions": dimensions,
                "encode": {"x": 0, "y": 1, "value": 2, "tooltip": [0, 1, 2, 3], "itemName": 4},
                "data": cells,
                "label": {"show": numbers, "formatter": "{@[4]}"},
                "emphasis": {"itemStyle": {"borderWidth": 2}},
                "progressive": 0,
            }
        ],
    }


_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"


# The scale goes from impossible to most probable; its lightness alone tells the order.
_LIGHT = {
    "ink": "#1c2a30",
    "quiet": "#51626a",
    "line": "#dde4e7",
    "paper": "#ffffff",
    "series": ["#0f6b84", "#b3541e", "#4b5d67", "#7a4a8c"],
    "scale": ["#f2f6f7", "#b9dbe3", "#5fa9bd", "#1b7690", "#0a3f50"],
}
_DARK = {
    "ink": "#e6eef1",
    "quiet": "#a3b4bb",
    "line": "#2c3a41",
    "paper": "#1b2529",
    "series": ["#5cc0da", "#eb9a63", "#b4c3ca", "#c79bd8"],
    "scale": ["#1c272c", "#17495a", "#25809a", "#6cc5dc", "#e2f6fb"],
}


def theme(*, dark: bool = False) -> dict[str, Any]:
    """Return the theme of all charts, for ``echarts.init(element, theme)`` or ``chart.setTheme(theme)``.

    The page is behind, dark or not: charts are transparent.
    """
    palette: dict[str, Any] = _DARK if dark else _LIGHT
    ink, quiet = {"color": palette["ink"]}, {"color": palette["quiet"]}
    axis = {
        "axisLine": {"lineStyle": quiet},
        "axisTick": {"lineStyle": quiet},
        "axisLabel": quiet,
        "nameTextStyle": quiet,
        "splitLine": {"lineStyle": {"color": palette["line"]}},
    }
    return {
        "darkMode": dark,
        "color": palette["series"],
        "backgroundColor": "transparent",
        "textStyle": {"fontFamily": _FONT, **ink},
        "categoryAxis": axis,
        "valueAxis": axis,
        "logAxis": axis,
        "legend": {"textStyle": ink},
        "tooltip": {
            "backgroundColor": palette["paper"],
            "borderColor": palette["quiet"],
            "borderWidth": 1,
            "textStyle": ink,
        },
        "visualMap": {"inRange": {"color": palette["scale"]}, "textStyle": quiet},
        "markLine": {"label": ink, "lineStyle": quiet},
    }
