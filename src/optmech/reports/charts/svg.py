"""Charts as SVG that needs no script and no library, and fits whatever width its page has.

Places are percentages of the plot, so that letters and strokes keep their size on a phone and on paper; paths
are stretched without their strokes. Colours, dashes and margins are those of the page's style sheet, by
class, light or dark. Points, bars and names that are cut have a ``<title>``, shown when pointed at.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from optmech.reports.charts.chart import Axis, Chart, Series, cut, steps
from optmech.reports.charts.matrix_view import MatrixView
from optmech.reports.markup import render

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from markupsafe import Markup


# Letters of all names along an axis, on a wide page and on a narrow one; names down the side of a heat map.
_WIDE, _NARROW, _DOWN = 88, 36, 24
_LONGEST, _LONGEST_DOWN = 12, 10
# Of a bar's own place, and of the whole width at most.
_BAR, _WIDEST_BAR = 0.8, 0.08
_MOST_POINTS, _MOST_SYMBOLS = 151, 41
_LEVELS = 64
_LARGEST_WITH_NUMBERS = 9
# From these shades on black letters are read better than those of the page, and those of the paper.
_BLACK, _PAPER = 0.48, 0.72


# A longer number at the end of an axis would leave the page.
_LONGEST_AT_END, _END = 3, 0.97


class _Tick(NamedTuple):
    at: str
    text: str
    title: str
    kind: str


def chart_svg(chart: Chart | MatrixView, id_: str) -> Markup:
    """Return a chart as a piece of HTML with an SVG in it, whose `id_` no other element of the page has."""
    if isinstance(chart, MatrixView):
        return render("heat_map.svg", chart=chart, id=id_, **_cells(chart))
    heights = chart.y.ticks()
    bottom, top = heights[0], heights[-1]

    def up(value: float) -> float:
        return 1 - _share(value, bottom, top, logarithmic=chart.y.logarithmic)

    def across(place: float) -> float:
        return (
            (place + 0.5) / len(chart.x.names) if chart.x.names else _share(place, chart.x.low, chart.x.high)
        )

    bars = [each for each in chart.series if each.bars]
    return render(
        "chart.svg",
        chart=chart,
        id=id_,
        top=top,
        x_ticks=_names(chart.x) if chart.x.names else _numbers(chart.x.ticks(whole=False), across),
        y_ticks=_numbers(heights, up),
        zero=_percent(up(0)) if bottom < 0 < top else None,
        bars=[_bars(chart, each, place, len(bars), up) for place, each in enumerate(bars)],
        lines=[_line(chart, each, across, up) for each in chart.series if not each.bars],
        mark_at=None if chart.mark is None or chart.mark.at is None else _percent(across(chart.mark.at)),
        dot=None if chart.mark is None or chart.mark.height is None else _percent(up(chart.mark.height)),
    )


def _share(value: float, low: float, high: float, *, logarithmic: bool = False) -> float:
    """Return how far between two ends a number lies."""
    if logarithmic:
        value, low, high = math.log(value), math.log(low), math.log(high)
    return (value - low) / (high - low) if high > low else 0.5


def _percent(share: float) -> str:
    return f"{100 * share:.5g}%"


def _numbers(ticks: Iterable[float], place: Any) -> list[_Tick]:  # noqa: ANN401 - a function of one number
    all_ticks = []
    for tick in ticks:
        share, text = place(tick), f"{tick:.10g}".replace("-", "\N{MINUS SIGN}")
        is_last = share > _END and len(text) > _LONGEST_AT_END
        all_ticks.append(_Tick(_percent(share), text, "", "last" if is_last else ""))
    return all_ticks


def _names(axis: Axis, *, down: bool = False) -> list[_Tick]:
    """Return the names that have room along an axis, those that have none on a narrow page marked so."""
    number, most = len(axis.names), _LONGEST_DOWN if down else _LONGEST
    longest = min(most, max(map(len, axis.short_names))) + 2
    wide = steps(number, _DOWN if down else _WIDE // longest)
    narrow = wide if down else steps(number, _NARROW // longest)
    return [
        _Tick(
            _percent((place + 0.5) / number),
            cut(short_name, most),
            name if len(short_name) > most or short_name != name else "",
            "wide" if place % narrow else "",
        )
        for place, (name, short_name) in enumerate(zip(axis.names, axis.short_names, strict=True))
        if place % wide == 0
    ]


def _title(chart: Chart, series: Series, point: int) -> str:
    """Return what a point says when it is pointed at."""
    at = series.across[point]
    name = chart.x.names[int(at)] if chart.x.names else f"{at:.10g}"
    title = "released answer" if series.unit else chart.x.title
    what = series.name if len(chart.series) > 1 else chart.y.title
    exactly = f"\n{series.unit}: {series.exactly[point]}" if series.exactly else ""
    return f"{title} {name}\n{what}: {series.values[point]:.10g}{exactly}"


def _bars(chart: Chart, series: Series, place: int, number: int, up: Any) -> list[dict[str, str]]:  # noqa: ANN401
    size = len(chart.x.names)
    width = min(_BAR / size, _WIDEST_BAR) / number
    return [
        {
            "x": _percent((at + 0.5) / size + (place - number / 2) * width),
            "y": _percent(up(value)),
            "width": _percent(width),
            "height": _percent(1 - up(value)),
            "title": _title(chart, series, point),
        }
        for point, (at, value) in enumerate(zip(series.across, series.values, strict=True))
    ]


def _line(chart: Chart, series: Series, across: Any, up: Any) -> dict[str, Any]:  # noqa: ANN401
    places = [(across(x), up(value)) for x, value in zip(series.across, series.values, strict=True)]
    path = "L".join(f"{1000 * x:.5g} {1000 * y:.5g}" for x, y in places)
    every = -(-len(places) // _MOST_POINTS)
    points = [
        {"x": _percent(x), "y": _percent(y), "title": _title(chart, series, point)}
        for point, (x, y) in list(enumerate(places))[::every]
    ]
    ends = f"L{1000 * places[-1][0]:.5g} 1000L{1000 * places[0][0]:.5g} 1000z" if series.filled else ""
    return {
        "path": f"M{path}",
        "area": f"M{path}{ends}" if series.filled else "",
        "points": points,
        "symbols": not series.filled and len(places) <= _MOST_SYMBOLS,
    }


def _cells(chart: MatrixView) -> dict[str, Any]:
    """Return the cells of each shade as one path, and the numbers in them where they can be read."""
    rows, columns = chart.probabilities.shape
    levels: dict[int, list[str]] = defaultdict(list)
    shades = chart.shades().tolist()
    for row, line in enumerate(shades):
        for column, shade in enumerate(line):
            if level := round(shade * _LEVELS):
                levels[level].append(f"M{column} {row}h1v1h-1z")
    numbers: Sequence[dict[str, str]] = ()
    if max(rows, columns) <= _LARGEST_WITH_NUMBERS:
        numbers = [
            {
                "x": _percent((column + 0.5) / columns),
                "y": _percent((row + 0.5) / rows),
                "text": f"{entry:.3f}",
                "ink": "low" if shade < _BLACK else "middle" if shade < _PAPER else "high",
            }
            for row, (line, strong) in enumerate(zip(chart.probabilities.tolist(), shades, strict=True))
            for column, (entry, shade) in enumerate(zip(line, strong, strict=True))
        ]
    return {
        "rows": rows,
        "columns": columns,
        "levels": [(f"{level / _LEVELS:.3g}", "".join(cells)) for level, cells in sorted(levels.items())],
        "numbers": numbers,
        "x_ticks": _names(chart.columns),
        "y_ticks": _names(chart.rows, down=True),
    }
