"""The whole matrix as a table of shades: what is released, for each true answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.reports.figure import axes_for
from optmech.reports.plots.names import name_places, name_standing, response_names, truth_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from optmech.mechanisms.mechanism import Mechanism

__all__ = ["plot_matrix"]

# The numbers of a larger matrix would be too small to read.
_MOST_NUMBERS = 13
# Light to dark in steps that are seen in grey as well.
_SHADES = "Blues"
_DARK = 0.6
_SMALLEST_SHOWN = 0.0005


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
        for response, row in enumerate(matrix.tolist()):
            for truth, value in enumerate(row):
                colour = "white" if value > _DARK * largest else "black"
                axes.text(
                    truth, response, _brief(value), ha="center", va="center", color=colour, fontsize="small"
                )
    else:
        axes.figure.colorbar(shades, ax=axes, label="probability")
    name_places(axes.xaxis, truth_names(mechanism))
    name_places(axes.yaxis, response_names(mechanism))
    axes.set_xlabel("true answer")
    axes.set_ylabel("released answer")
    axes.set_title(
        f"What is released, for each true answer?\nprobabilities, {name_standing(mechanism)}",
        fontsize="medium",
    )
    return axes


def _brief(value: float) -> str:
    """Return three digits, and tell what is impossible from what is unlikely.

    Examples
    --------
    >>> [_brief(value) for value in (0.0, 1e-12, 0.25, 1.0)]
    ['0', '<.001', '.250', '1']
    """
    if value in {0.0, 1.0}:
        return f"{value:.0f}"
    if value < _SMALLEST_SHOWN:
        return "<.001"
    return f"{value:.3f}".removeprefix("0")
