"""Draw charts by Matplotlib into the caller's axes, for PNG, PDF and user's figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.reports.charts.chart import Axis, Chart, Look, Series, cut, steps
from optmech.reports.charts.matrix_view import MatrixView
from optmech.reports.figure import COLOURS, HATCHES, MARKERS

if TYPE_CHECKING:
    from matplotlib import axes, axis

# More names than this overlap; names with this total number of letters fit side by side.
_MOST_NAMES, _LONGEST, _ONE_LINE = 16, 18, 70
_WIDTH, _MOST_MARKERS, _MOST_INSIDE, _DARK = 0.8, 20, 5, 0.6
_DASHES = ("-", "--", ":", "-.")
_DASHED = {
    Look.AREA: "-",
    Look.DASHED: "--",
    Look.DOTTED: ":",
    Look.POINTS: "none",
    Look.CROSSES: "none",
    Look.SHADE: "none",
}
_PLAIN = {Look.AREA, Look.DOTTED, Look.SHADE}


def draw(chart: Chart | MatrixView, ax: axes.Axes) -> axes.Axes:
    """Draw the marks, the axes, the title and the legend of a chart; returns the axes."""
    if isinstance(chart, MatrixView):
        _draw_cells(chart, ax)
    else:
        spans = chart.bar_spans(_WIDTH)
        for number, series in enumerate(chart.series):
            _draw_series(chart, series, number, spans.get(number, (0.0, 0.0)), ax)
        if chart.y.names:
            ax.set_ylim(len(chart.y.names) - 0.5, -0.5)
        else:
            ticks = chart.y.ticks()
            ax.set_yscale("log" if chart.y.logarithmic else "linear")
            ax.set_ylim(ticks[0], ticks[-1])
        ax.grid(visible=True, axis="x" if chart.y.names else "y", linewidth=0.3)
        if chart.mark is not None and chart.mark.at is not None:
            ax.axvline(chart.mark.at, color="gray", linestyle=":", label=chart.mark.text)
        if chart.legend or chart.marks_truths:
            many = len(chart.legend) > _MOST_INSIDE
            below: dict[str, Any] = (
                {"loc": "upper center", "bbox_to_anchor": (0.5, -0.12), "ncols": 3} if many else {}
            )
            ax.legend(fontsize="small", **below)
        _name(ax.xaxis, chart.x)
        if not chart.x.names:
            ax.set_xscale("log" if chart.x.logarithmic else "linear")
            ax.margins(x=0.02)
        _name(ax.yaxis, chart.y)
    ax.set_title(chart.title, fontsize="medium", parse_math=False)
    return ax


def _draw_series(chart: Chart, series: Series, number: int, span: tuple[float, float], ax: axes.Axes) -> None:
    turn = number if series.colour is None else series.colour
    across, colour = np.asarray(series.across, dtype=float), COLOURS[turn % len(COLOURS)]
    style: dict[str, Any] = {"color": colour, "label": series.name or "_"}
    if series.look is Look.BARS:
        hatch = HATCHES[turn % len(HATCHES)]
        ax.bar(
            across + span[0], series.values, span[1], align="edge", hatch=hatch, edgecolor="white", **style
        )
        across = across + span[0] + span[1] / 2
    else:
        every = max(1, len(across) // _MOST_MARKERS) if series.look is Look.LINE else 1
        marker = "x" if series.look is Look.CROSSES else "" if series.look in _PLAIN else MARKERS[turn % 8]
        style["fillstyle"] = "none" if series.look is Look.DASHED else "full"
        style |= {"color": "black"} if series.look is Look.CROSSES else {}
        style["linestyle"] = _DASHED.get(series.look, _DASHES[turn % len(_DASHES)])
        if series.intervals:
            _draw_intervals(series, colour, ax)
        if series.look in {Look.POINTS, Look.CROSSES}:
            style |= {"zorder": 3, "clip_on": False}
        ax.plot(across, series.values, marker=marker, markevery=(turn % every, every), **style)
    if series.look in {Look.AREA, Look.SHADE}:
        ax.fill_between(across, series.values, chart.y.ticks()[0], color=colour, alpha=0.12, linewidth=0)
    if series.truth is not None:
        last = all(each.truth is None for each in chart.series[number + 1 :])
        height = series.values[series.truth] + 0.02 * chart.y.high
        label = "the truth itself" if last else "_"
        ax.plot(across[[series.truth]], [height], "v", color="black", markersize=5, label=label)


def _draw_intervals(series: Series, colour: str, ax: axes.Axes) -> None:
    """Draw the bar through each point; an open end is the end of the plot."""
    for value, at, (low, high) in zip(series.values, series.across, series.intervals, strict=True):
        for end, edge in ((low, 0.0), (high, 1.0)):
            if end is None:
                arrow = {"arrowstyle": "->", "color": colour}
                ax.annotate("", (edge, value), (at, value), ax.get_yaxis_transform(), "data", arrow)
            else:
                ax.plot([at, end], [value, value], marker="|", markevery=[1], color=colour)


def _draw_cells(chart: MatrixView, ax: axes.Axes) -> None:
    from matplotlib.colors import PowerNorm  # noqa: PLC0415 - whoever draws has it

    scale = PowerNorm(0.5, vmin=0.0, vmax=chart.top)
    image = ax.imshow(chart.probabilities, "Blues", scale, aspect="auto", interpolation="nearest")
    numbers, shades = chart.numbers(), chart.shades()
    for index, _ in np.ndenumerate(shades if numbers else ()):
        row, column = index
        colour = "white" if shades[index] > _DARK else "black"
        ax.text(column, row, numbers[row][column], color=colour, fontsize="small", ha="center", va="center")
    if not numbers:
        ax.figure.colorbar(image, ax=ax, label="probability")
    _name(ax.xaxis, chart.columns)
    _name(ax.yaxis, chart.rows)


def _name(along: axis.Axis, described: Axis) -> None:
    """Write the title of an axis, and all of its names or a regular subset."""
    along.set_label_text(described.title)
    if described.names:
        step = steps(len(described.names), _MOST_NAMES)
        names = [cut(name, _LONGEST) for name in described.short_names[::step]]
        along.set_ticks(range(0, len(described.names), step), names, parse_math=False)
        if along is along.axes.xaxis and sum(map(len, names)) > _ONE_LINE:
            along.set_tick_params(rotation=90)
