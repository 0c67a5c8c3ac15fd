"""Charts as SVG without scripts and libraries, for any width of the page.

Coordinates are percentages of the plot, so that letters and strokes keep their size on a phone and on paper;
paths are stretched without their strokes. Colours are those of the style sheet, by class, light or dark;
series differ in dash, pattern or symbol as well. Points, bars and names that are cut have a ``<title>``,
shown when pointed at.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup

from optmech.reports.charts.chart import Axis, Chart, Look, Series, cut, steps
from optmech.reports.charts.looks import ABOVE, AREAS, BELOW, TRUTH, entry_of
from optmech.reports.charts.matrix_view import MOST_ON_A_PHONE, MatrixView
from optmech.reports.markup import asset, render

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# Letters of all names along an axis, on a wide page and on a narrow one; names down a heat map, likewise.
WIDE, _NARROW, _DOWN, _DOWN_NARROW = 88, 36, 24, 16
_LONGEST, _LONGEST_DOWN, _LONGEST_NUMBER = 12, 10, 6
LONGEST_ROW = 20
# The widths of a bar: a share of its slot, and at most a share of the whole width.
_BAR, _WIDEST_BAR = 0.8, 0.08
_MOST_POINTS, _MOST_SYMBOLS = 151, 41
_LEVELS = 64
# From these shades on black letters are read better than those of the page, and those of the paper.
_BLACK, _PAPER = 0.48, 0.72
# A longer number at the end of an axis would leave the page.
_LONGEST_AT_END, _END = 3, 0.97
# Letters beside an axis begin this far to its left on a page.
_LABELS = 60
# The height of a row with a name, in that of its letters.
_ROW = 1.9
# It stands over a bar, or a point.
_TRIANGLE = "M-4.5-9h9l-4.5 7z"


class _Tick(NamedTuple):
    at: str
    text: str
    title: str
    kind: str


def chart_svg(chart: Chart | MatrixView, id_: str) -> Markup:
    """Return a chart as a piece of HTML with an SVG in it, whose `id_` no other element of the page has."""
    template = "heat_map.svg" if isinstance(chart, MatrixView) else "chart.svg"
    rows = 0 if isinstance(chart, MatrixView) else len(chart.y.names)
    frame = f' height="{_ROW * rows:g}em"' if rows else ""
    return render(template, id=id_, **plot_content(chart, frame=frame))


def chart_style() -> Markup:
    """Return the style of charts on a page, which says in variables what its colours are."""
    return asset("chart_frames.css") + asset("charts.css")


def plot_content(
    chart: Chart | MatrixView, *, frame: str = "", room: int | None = None, label_width: int = _LABELS
) -> dict[str, Any]:
    """Return the content of a chart for the templates.

    A chart in its own file has a `frame` of attributes, with `room` for letters across; letters beside its
    axis begin `label_width` to the left.
    """
    frame_of_all = {"chart": chart, "frame": Markup(frame), "label_width": label_width}  # noqa: S704 - numbers
    if isinstance(chart, MatrixView):
        return {**frame_of_all, **_cells(chart, room)}
    heights = chart.y.ticks()
    bottom, top = heights[0], heights[-1]

    def up(value: float) -> float:
        if chart.y.names:
            return (value + 0.5) / len(chart.y.names)
        # There is no zero on a logarithmic axis.
        shown = max(value, bottom) if chart.y.logarithmic else value
        return 1 - _share(shown, bottom, top, logarithmic=chart.y.logarithmic)

    def across(value: float) -> float:
        if chart.x.names:
            return (value + 0.5) / len(chart.x.names)
        return _share(value, chart.x.low, chart.x.high, logarithmic=chart.x.logarithmic)

    entries = [entry_of(chart, each, number) for number, each in enumerate(chart.series)]
    both = list(zip(entries, chart.series, strict=True))
    both.sort(key=lambda one: (one[1].look in ABOVE) - (one[1].look in BELOW))
    spans = chart.bar_spans(_BAR / max(1, len(chart.x.names)), _WIDEST_BAR)
    centres = {number: first + wide / 2 for number, (first, wide) in spans.items()}
    return {
        **frame_of_all,
        "top": top,
        "x_ticks": (_names(chart.x, room) if chart.x.names else _numbers(chart.x.ticks(whole=False), across)),
        "y_ticks": _rows(chart.y) if chart.y.names else _numbers(heights, up),
        "zero": _percent(up(0)) if bottom < 0 < top and not chart.y.names else None,
        "bars": [(one, _bars(chart, each, spans[one.number], up)) for one, each in both if one.bars],
        "lines": [(entry, _line(chart, each, across, up)) for entry, each in both if not entry.bars],
        "intervals": [(entry.kind, _intervals(each, across, up)) for entry, each in both if each.intervals],
        "legend": [
            *(entries[number] for number, _ in chart.legend),
            *([TRUTH] if chart.marks_truths else []),
        ],
        "patterns": [(one.number, one.kind, one.pattern) for one in entries if one.pattern],
        "truths": [
            {
                "x": _percent(across(each.across[each.truth]) + centres.get(entry.number, 0)),
                "y": _percent(up(each.values[each.truth])),
            }
            for entry, each in both
            if each.truth is not None
        ],
        "triangle": _TRIANGLE,
        "mark_at": (None if chart.mark is None or chart.mark.at is None else _percent(across(chart.mark.at))),
        "dot": None if chart.mark is None or chart.mark.height is None else _percent(up(chart.mark.height)),
    }


def _share(value: float, low: float, high: float, *, logarithmic: bool = False) -> float:
    """Return the share of a number between two ends."""
    if logarithmic:
        value, low, high = math.log(value), math.log(low), math.log(high)
    return (value - low) / (high - low) if high > low else 0.5


def _percent(share: float) -> str:
    return f"{100 * share:.5g}%"


def _numbers(ticks: Iterable[float], share_at: Callable[[float], float]) -> list[_Tick]:
    all_ticks = []
    for tick in ticks:
        share, text = share_at(tick), f"{tick:.10g}".replace("-", "\N{MINUS SIGN}")
        is_last = share > _END and len(text) > _LONGEST_AT_END
        all_ticks.append(_Tick(_percent(share), text, "", "last" if is_last else ""))
    return all_ticks


def _names(axis: Axis, room: int | None, *, down: bool = False) -> list[_Tick]:
    """Return the names that have room along an axis, those that have none on a narrow page marked so."""
    number, most = len(axis.names), _LONGEST_DOWN if down else _LONGEST
    longest = min(most, max(map(len, axis.short_names))) + 2
    wide = steps(number, _DOWN if down else (room or WIDE) // longest)
    narrow = wide if room else steps(number, _DOWN_NARROW if down else _NARROW // longest)
    return [
        _Tick(
            _percent((index + 0.5) / number),
            cut(short_name, most),
            name if len(short_name) > most or short_name != name else "",
            "wide" if index % narrow else "",
        )
        for index, (name, short_name) in enumerate(zip(axis.names, axis.short_names, strict=True))
        if index % wide == 0
    ]


def _rows(axis: Axis) -> list[_Tick]:
    """Return all names down an axis: each has a row of its own."""
    number = len(axis.names)
    short_names = [cut(name, LONGEST_ROW) for name in axis.names]
    return [
        _Tick(_percent((index + 0.5) / number), text, "" if text == name else name, "")
        for index, (name, text) in enumerate(zip(axis.names, short_names, strict=True))
    ]


def _intervals(
    series: Series, across: Callable[[float], float], up: Callable[[float], float]
) -> list[dict[str, str]]:
    """Return the bar through each point; a closed end has a stroke, an open one is the end of the plot."""
    return [
        {
            "y": _percent(up(value)),
            "low": _percent(0 if low is None else across(low)),
            "high": _percent(1 if high is None else across(high)),
            "ends": "".join(end for end, at in (("l", low), ("h", high)) if at is not None),
        }
        for value, (low, high) in zip(series.values, series.intervals, strict=True)
    ]


def _row_title(chart: Chart, series: Series, point: int) -> str:
    """Return the text of a point in a row: its name, its number, and its interval."""
    ends = zip(("at least", "at most"), series.intervals[point] if series.intervals else (), strict=False)
    words = [f"{word} {end:.10g}" for word, end in ends if end is not None]
    texts = [f"{series.across[point]:.10g}", *words]
    return f"{chart.y.names[int(series.values[point])]}\n{chart.x.title}: {', '.join(texts)}"


def _title(chart: Chart, series: Series, point: int) -> str:
    """Return the text of a point under the pointer."""
    if chart.y.names:
        return _row_title(chart, series, point)
    at = series.across[point]
    name = chart.x.names[int(at)] if chart.x.names else f"{at:.10g}"
    title = "released answer" if series.unit else chart.x.title
    what = series.name if len(chart.series) > 1 else chart.y.title
    exactly = f"\n{series.unit}: {series.exactly[point]}" if series.exactly else ""
    return f"{title} {name}\n{what}: {series.values[point]:.10g}{exactly}"


def _bars(
    chart: Chart, series: Series, span: tuple[float, float], up: Callable[[float], float]
) -> list[dict[str, str]]:
    size = len(chart.x.names)
    first, width = span
    return [
        {
            "x": _percent((at + 0.5) / size + first),
            "y": _percent(up(value)),
            "width": _percent(width),
            "height": _percent(1 - up(value)),
            "title": _title(chart, series, point),
        }
        for point, (at, value) in enumerate(zip(series.across, series.values, strict=True))
    ]


def _line(
    chart: Chart, series: Series, across: Callable[[float], float], up: Callable[[float], float]
) -> dict[str, Any]:
    corners = [(across(x), up(value)) for x, value in zip(series.across, series.values, strict=True)]
    path = "L".join(f"{1000 * x:.5g} {1000 * y:.5g}" for x, y in corners)
    every = -(-len(corners) // _MOST_POINTS)
    points = [
        {"x": _percent(x), "y": _percent(y), "title": _title(chart, series, point)}
        for point, (x, y) in list(enumerate(corners))[::every]
    ]
    look = series.look
    ends = f"L{1000 * corners[-1][0]:.5g} 1000L{1000 * corners[0][0]:.5g} 1000z"
    return {
        "path": f"M{path}",
        "area": f"M{path}{ends}" if look in AREAS else "",
        "points": [] if look is Look.SHADE else points,
        "symbols": look not in {*AREAS, Look.DOTTED}
        and (look is not Look.LINE or len(corners) <= _MOST_SYMBOLS),
    }


def _cells(chart: MatrixView, room: int | None) -> dict[str, Any]:
    """Return the cells of each shade as one path, and the numbers in them where they can be read."""
    rows, columns = chart.probabilities.shape
    levels: dict[int, list[str]] = defaultdict(list)
    shades = chart.shades().tolist()
    for row, line in enumerate(shades):
        for column, shade in enumerate(line):
            if level := round(shade * _LEVELS):
                levels[level].append(f"M{column} {row}h1v1h-1z")
    has_room = room is None or room >= columns * _LONGEST_NUMBER
    has_room_on_a_phone = room is not None or max(rows, columns) <= MOST_ON_A_PHONE
    numbers = [
        {
            "x": _percent((column + 0.5) / columns),
            "y": _percent((row + 0.5) / rows),
            "text": text,
            "ink": ("low" if shade < _BLACK else "middle" if shade < _PAPER else "high")
            + ("" if has_room_on_a_phone else " wide"),
        }
        for row, (line, strong) in enumerate(zip(chart.numbers() if has_room else [], shades, strict=False))
        for column, (text, shade) in enumerate(zip(line, strong, strict=True))
    ]
    return {
        "rows": rows,
        "columns": columns,
        "levels": [(f"{level / _LEVELS:.3g}", "".join(cells)) for level, cells in sorted(levels.items())],
        "numbers": numbers,
        "legend": [],
        "x_ticks": _names(chart.columns, room),
        "y_ticks": _names(chart.rows, room, down=True),
    }
