"""A chart drawn by Matplotlib, into axes of whoever asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.reports.charts.chart import Axis, Chart, cut, steps
from optmech.reports.charts.matrix_view import response_names, truth_names
from optmech.reports.figure import HATCHES, MARKERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib import axes, axis

    from optmech.mechanisms.mechanism import Mechanism

# More names than this run into each other; names of so many letters in all fit side by side.
_MOST_NAMES, _LONGEST, _ONE_LINE = 16, 18, 70
_WIDTH = 0.8
# So many markers on a line, however many points there are.
_MOST_MARKERS = 20
_LINES = ("-", "--", ":", "-.")


def draw(chart: Chart, ax: axes.Axes, title: str) -> None:
    """Draw bars beside each other, and lines that differ in dashes and markers as well as in colour."""
    number = sum(series.bars for series in chart.series)
    for turn, series in enumerate(chart.series):
        across = np.asarray(series.across, dtype=float)
        every = max(1, len(across) // _MOST_MARKERS)
        if series.bars:
            ax.bar(
                across + (turn - (number - 1) / 2) * _WIDTH / number,
                series.values,
                _WIDTH / number,
                color=f"C{turn}",
                edgecolor="black",
                linewidth=0.5,
                hatch=HATCHES[turn],
                alpha=0.8,
                label=series.name,
            )
        else:
            ax.plot(
                across,
                series.values,
                color=f"C{turn}",
                linestyle=_LINES[turn % len(_LINES)],
                marker="" if series.filled else MARKERS[turn],
                markevery=(turn % every, every),
                label=series.name,
            )
    if chart.x.names:
        name_places(ax.xaxis, chart.x.short_names)
    else:
        ax.set_xlim(chart.x.low, chart.x.high)
    if chart.y.low < 0:
        ax.axhline(0, color="gray", linewidth=0.8)
    else:
        ax.set_yscale("log" if chart.y.logarithmic else "linear")
        ax.set_ylim(bottom=chart.y.low)
    ax.set_xlabel(chart.x.title)
    ax.set_ylabel(chart.y.title)
    ax.set_title(title, fontsize="medium", parse_math=False)


def name_places(along: axis.Axis, names: Sequence[str]) -> None:
    """Name the places 0, 1, ... on an axis: all of them, or every so many."""
    step = steps(len(names), _MOST_NAMES)
    short_names = [cut(name, _LONGEST) for name in names[::step]]
    along.set_ticks(range(0, len(names), step), short_names, parse_math=False)
    if along is along.axes.xaxis and sum(map(len, short_names)) > _ONE_LINE:
        along.set_tick_params(rotation=90)


def truths_of(mechanism: Mechanism) -> Axis:
    """Return the axis of the true answers."""
    return Axis(title="true answer", names=truth_names(mechanism), numeric=not mechanism.labels)


def responses_of(mechanism: Mechanism) -> Axis:
    """Return the axis of the released answers; a category stands at its midpoint."""
    return Axis(title="released answer", names=response_names(mechanism), numeric=not mechanism.labels)


def name_provenance(mechanism: Mechanism) -> str:
    """Return the provenance of the probabilities of a matrix."""
    return "as it stands, in doubles" if mechanism.exact is None else "proved in exact arithmetic"
