"""Plot the releases of a mechanism and their errors: all truths, or a few side by side."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.errors import ProblemError
from optmech.reports.charts.chart import Axis, Chart, Series, brief, cut
from optmech.reports.charts.errors import error_by_truth, error_measures
from optmech.reports.charts.response_distribution import position_of
from optmech.reports.figure import HATCHES, axes_for
from optmech.reports.plots.axes import draw, name_places, name_provenance, responses_of, truths_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from optmech.mechanisms.mechanism import Mechanism

# The numbers of a larger matrix would be too small to read.
_MOST_NUMBERS = 13
# Light to dark in steps that are seen in grey as well.
_SHADES = "Blues"
_DARK = 0.6
# More bars than this are thinner than they can be told apart.
_MOST_BARS = 120
_MOST_TRUTHS = len(HATCHES)
_LONGEST = 18
_ERRORS = {
    "95 % of errors within": "95% of the answers are within",
    "mean error": "average distance from the truth",
    "bias": "bias: average of answer less truth",
}


def plot_matrix(mechanism: Mechanism, ax: Axes | None = None) -> Axes:
    """Draw the matrix like its table: true answers are columns, released answers rows, the first on top.

    The darker a cell, the likelier. Small matrices have their numbers in the cells, where 0 is impossible and
    <.001 is not; large ones a scale beside them.

    Parameters
    ----------
    mechanism : Mechanism
        Any.
    ax : Axes, optional
        Where to draw; left out, a figure of its own.

    Returns
    -------
    Axes

    Raises
    ------
    ProblemError
        If `ax` is no axes, or Matplotlib is not installed.
    """
    axes = axes_for(ax)
    matrix = mechanism.matrix
    largest = float(matrix.max())
    shades = axes.imshow(matrix, cmap=_SHADES, vmin=0.0, vmax=largest, aspect="auto", interpolation="nearest")
    if max(matrix.shape) <= _MOST_NUMBERS:
        for (response, truth), value in np.ndenumerate(matrix):
            colour = "white" if value > _DARK * largest else "black"
            text = brief(float(value)).replace("0.", ".")
            number = axes.text(truth, response, text, color=colour, fontsize="small")
            number.set(ha="center", va="center")
    else:
        axes.figure.colorbar(shades, ax=axes, label="probability")
    across, down = truths_of(mechanism), responses_of(mechanism)
    name_places(axes.xaxis, across.short_names)
    name_places(axes.yaxis, down.short_names)
    axes.set_xlabel(across.title)
    axes.set_ylabel(down.title)
    title = f"What is released, for each true answer?\nprobabilities, {name_provenance(mechanism)}"
    axes.set_title(title, fontsize="medium")
    return axes


def plot_released(
    mechanism: Mechanism,
    truths: Any,  # noqa: ANN401 - a number, a label, or several of them
    ax: Axes | None = None,
) -> Axes:
    """Draw how likely each answer is to be released, for one true answer or up to eight beside each other.

    Bars where they can be told apart, else lines through the same heights. A triangle stands over the truth
    itself, where it can be released.

    Parameters
    ----------
    mechanism : Mechanism
        Any.
    truths : number or str, or several of them
        Among the mechanism's truths, or their labels.
    ax : Axes, optional
        Where to draw; left out, a figure of its own.

    Returns
    -------
    Axes

    Raises
    ------
    ProblemError
        If a truth is none of the mechanism's, there are none or too many of them, or `ax` is no axes.
    """
    places = _places(mechanism, truths)
    axes = axes_for(ax)
    names = [cut(name, _LONGEST) for name in truths_of(mechanism).short_names]
    size = len(mechanism.responses)
    as_bars = len(places) * size <= _MOST_BARS
    series = [
        Series(
            name=f"true answer {names[place]}",
            across=tuple(range(size)),
            values=tuple(mechanism.matrix[:, place].tolist()),
            bars=as_bars,
        )
        for place in places
    ]
    which = f"if {names[places[0]]} is true" if len(places) == 1 else "for these truths"
    title = f"What is released, {which}?"
    y = Axis(title="probability")
    chart = Chart(description=title, x=responses_of(mechanism), y=y, series=tuple(series))
    draw(chart, axes, f"{title}\nprobabilities, {name_provenance(mechanism)}")
    above = 0.02 * float(mechanism.matrix[:, places].max())
    for turn, place in enumerate(places):
        home = [row for row, value in enumerate(mechanism.responses) if value == mechanism.truths[place]]
        bars = axes.containers[turn] if as_bars else None
        axes.plot(
            [row if bars is None else bars[row].get_x() + bars[row].get_width() / 2 for row in home],
            [mechanism.matrix[row, place] + above for row in home],
            color="black",
            marker="v",
            markersize=5,
            linestyle="none",
            label="the truth itself" if place == places[-1] and home else "_",
        )
    axes.legend(fontsize="small")
    return axes


def plot_error(mechanism: Mechanism, ax: Axes | None = None) -> Axes:
    """Draw the error at each true answer, in the units of the answer: recomputed in floating point.

    The average distance from the truth, the bias (the average of answer less truth), and the distance within
    which 95 % of the answers are. Where answers are no numbers, the probability of a wrong one.

    Parameters
    ----------
    mechanism : Mechanism
        Any.
    ax : Axes, optional
        Where to draw; left out, a figure of its own.

    Returns
    -------
    Axes

    Raises
    ------
    ProblemError
        If `ax` is no axes, or Matplotlib is not installed.
    """
    axes = axes_for(ax)
    title = "How far off is the answer?\nrecomputed in floating point"
    if mechanism.labels:
        draw(error_by_truth(mechanism), axes, title)
        axes.set_ylim(0, 1)
        return axes
    measures = error_measures(mechanism)
    across = tuple(range(len(mechanism.truths)))
    series = tuple(
        Series(name=label, across=across, values=tuple(measures[name].tolist()))
        for name, label in _ERRORS.items()
    )
    low = min(0.0, float(measures["bias"].min()))
    y = Axis(title="error, in units of the answer", low=low)
    draw(Chart(description=title, x=truths_of(mechanism), y=y, series=series), axes, title)
    axes.legend(fontsize="small")
    return axes


def _places(mechanism: Mechanism, truths: Any) -> list[int]:  # noqa: ANN401 - as `plot_released`
    """Return the positions of the truths asked for, each once."""
    if isinstance(truths, np.ndarray):
        truths = truths.ravel().tolist()
    members = truths if isinstance(truths, Iterable) and not isinstance(truths, str) else [truths]
    places = list(dict.fromkeys(position_of(mechanism, truth, "truths") for truth in members))
    if not 1 <= len(places) <= _MOST_TRUTHS:
        message = (
            f"`truths` must be one to {_MOST_TRUTHS} of the truths; got {len(places)}. "
            "More cannot be told apart: `plot_matrix` draws all."
        )
        raise ProblemError(message)
    return places
