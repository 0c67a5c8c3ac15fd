"""Charts of a mechanism by Matplotlib: `Mechanism.plot_matrix` and the like draw what `reports` describes.

Each function draws into the axes it is given and returns them. Nothing is shown, or set for other plots.
Without Matplotlib the charts of `optmech.reports` are SVG.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optmech.reports.charts.curve import privacy_chart
from optmech.reports.charts.errors import error_chart
from optmech.reports.charts.matrix_view import matrix_chart
from optmech.reports.charts.pyplot import draw
from optmech.reports.charts.response_distribution import released_chart
from optmech.reports.figure import axes_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from optmech.mechanisms.mechanism import Mechanism
    from optmech.proofs.certificate import Certificate

__all__ = ["plot_error", "plot_matrix", "plot_privacy_curve", "plot_released"]


def plot_matrix(mechanism: Mechanism, ax: Axes | None = None) -> Axes:
    """Draw `optmech.reports.matrix_chart` by Matplotlib.

    Parameters
    ----------
    mechanism : Mechanism
        Any.
    ax : Axes, optional
        The axes to draw into; by default those of a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    ProblemError
        If `ax` is no axes, or Matplotlib is not installed.
    """
    axes = axes_for(ax)
    return draw(matrix_chart(mechanism), axes)


def plot_released(
    mechanism: Mechanism,
    truths: Any,  # noqa: ANN401 - a number, a label, or several of them
    ax: Axes | None = None,
) -> Axes:
    """Draw `optmech.reports.released_chart` by Matplotlib.

    Parameters
    ----------
    mechanism : Mechanism
        Any.
    truths : number or str, or several of them
        Among the mechanism's truths, or their labels.
    ax : Axes, optional
        The axes to draw into; by default those of a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    ProblemError
        If a truth is none of the mechanism's, there are none or too many of them, or `ax` is no axes.
    """
    chart = released_chart(mechanism, truths)
    return draw(chart, axes_for(ax))


def plot_error(mechanism: Mechanism, ax: Axes | None = None) -> Axes:
    """Draw `optmech.reports.error_chart` by Matplotlib.

    Parameters
    ----------
    mechanism : Mechanism
        Any.
    ax : Axes, optional
        The axes to draw into; by default those of a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    ProblemError
        If `ax` is no axes, or Matplotlib is not installed.
    """
    axes = axes_for(ax)
    return draw(error_chart(mechanism), axes)


def plot_privacy_curve(certificate: Certificate, ax: Axes | None = None) -> Axes:
    """Draw `optmech.reports.privacy_chart` by Matplotlib.

    Parameters
    ----------
    certificate : Certificate
        Its query must have neighbours of equal weight.
    ax : Axes, optional
        The axes to draw into; by default those of a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    ProblemError
        If the neighbours have weights, the query has none or too many of them, or `ax` is no axes.
    """
    chart = privacy_chart(certificate)
    return draw(chart, axes_for(ax))
