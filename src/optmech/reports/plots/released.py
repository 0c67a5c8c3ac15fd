"""The law of the answer at a few truths, side by side."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.errors import ProblemError
from optmech.base.numbers import exact
from optmech.reports.figure import HATCHES, MARKERS, axes_for
from optmech.reports.plots.names import name_places, name_standing, response_names, truth_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from optmech.mechanisms.mechanism import Mechanism

__all__ = ["plot_released"]

# More bars than this are thinner than they can be told apart.
_MOST_BARS = 120
_MOST_TRUTHS = len(HATCHES)
_WIDTH = 0.8
# So many markers on a line, however many responses there are.
_MARKED = 20
_LINES = ("-", "--", ":", "-.")


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
    names = truth_names(mechanism)
    number, size = len(places), len(mechanism.responses)
    across = np.arange(size)
    as_bars = number * size <= _MOST_BARS
    for turn, place in enumerate(places):
        heights = mechanism.matrix[:, place]
        label, shift = f"true answer {names[place]}", 0.0
        if as_bars:
            shift = (turn - (number - 1) / 2) * _WIDTH / number
            axes.bar(
                across + shift,
                heights,
                _WIDTH / number,
                color=f"C{turn}",
                edgecolor="black",
                linewidth=0.5,
                hatch=HATCHES[turn],
                alpha=0.8,
                label=label,
            )
        else:
            axes.plot(
                across,
                heights,
                color=f"C{turn}",
                linestyle=_LINES[turn % len(_LINES)],
                marker=MARKERS[turn],
                markevery=(turn, max(10, size // _MARKED)),
                label=label,
            )
        home = [
            row for row, response in enumerate(mechanism.responses) if response == mechanism.truths[place]
        ]
        axes.plot(
            [row + shift for row in home],
            [heights[row] + 0.02 * mechanism.matrix[:, places].max() for row in home],
            color="black",
            marker="v",
            markersize=5,
            linestyle="none",
            label="the truth itself" if turn == number - 1 and home else "_",
        )
    name_places(axes.xaxis, response_names(mechanism))
    axes.set_xlabel("released answer")
    axes.set_ylabel("probability")
    axes.set_ylim(bottom=0)
    which = f"if {names[places[0]]} is true" if number == 1 else "for these truths"
    axes.set_title(
        f"What is released, {which}?\nprobabilities, {name_standing(mechanism)}",
        fontsize="medium",
        parse_math=False,
    )
    axes.legend(fontsize="small")
    return axes


def _places(mechanism: Mechanism, truths: Any) -> list[int]:  # noqa: ANN401 - as `plot_released`
    """Return the positions of the truths asked for, each once."""
    if isinstance(truths, np.ndarray):
        truths = truths.ravel().tolist()
    asked = truths if isinstance(truths, Iterable) and not isinstance(truths, str) else [truths]
    places = list(dict.fromkeys(_place(mechanism, truth) for truth in asked))
    if not 1 <= len(places) <= _MOST_TRUTHS:
        message = (
            f"`truths` must be one to {_MOST_TRUTHS} of the truths; got {len(places)}. "
            "More cannot be told apart: `plot_matrix` draws all."
        )
        raise ProblemError(message)
    return places


def _place(mechanism: Mechanism, truth: Any) -> int:  # noqa: ANN401 - as `plot_released`
    if isinstance(truth, str) and truth in mechanism.labels:
        return mechanism.labels.index(truth)
    value = None if mechanism.labels and isinstance(truth, str) else exact(truth, "truths")
    if value not in mechanism.truths:
        names = truth_names(mechanism)
        known = (
            ", ".join(names) if len(names) <= _MOST_TRUTHS else f"{names[0]}, {names[1]}, ..., {names[-1]}"
        )
        message = f"`truths` must be among the truths of this mechanism, {known}; got {truth!r}."
        raise ProblemError(message)
    return mechanism.truths.index(value)
