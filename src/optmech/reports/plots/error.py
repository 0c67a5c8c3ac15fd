"""How far off the answer is, truth by truth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.analysis.utility import error_quantiles, errors_by_truth
from optmech.reports.figure import axes_for
from optmech.reports.plots.names import name_places, truth_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from optmech.mechanisms.mechanism import Mechanism

__all__ = ["plot_error"]

_LEVEL = 0.95
# So many markers on a line, however many truths there are.
_MARKED = 20


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
    across = np.arange(len(mechanism.truths))
    if mechanism.labels:
        axes.bar(across, 1.0 - np.diag(mechanism.matrix), color="C0", edgecolor="black", hatch="///")
        axes.set_ylabel("probability of a wrong answer")
        axes.set_ylim(0, 1)
    else:
        errors = errors_by_truth(mechanism)
        (within,) = error_quantiles(mechanism, [_LEVEL])
        every = max(1, len(across) // _MARKED)
        for values, told, marker, line in (
            (within, f"{_LEVEL:.0%} of the answers are within", "^", ":"),
            (errors.mean_absolute_error, "average distance from the truth", "o", "-"),
            (errors.bias, "bias: average of answer less truth", "s", "--"),
        ):
            axes.plot(across, values, marker=marker, linestyle=line, markevery=every, label=told)
        axes.axhline(0, color="gray", linewidth=0.8)
        axes.set_ylabel("error, in units of the answer")
        axes.legend(fontsize="small")
    name_places(axes.xaxis, truth_names(mechanism))
    axes.set_xlabel("true answer")
    axes.set_title("How far off is the answer?\nrecomputed in floating point", fontsize="medium")
    return axes
