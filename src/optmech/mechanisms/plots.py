"""The pictures of a mechanism by name; `optmech.base.rendering` registers the functions that draw them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optmech.base.rendering import view

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Plots:
    """Pictures of a mechanism; ``pip install "optmech[figures]"`` brings Matplotlib."""

    __slots__ = ()

    def plot_matrix(self, ax: Axes | None = None) -> Axes:
        """Draw the matrix as shades, with numbers where it is small; see `reports.plots.plot_matrix`."""
        axes: Axes = view("plot_matrix", self, ax)
        return axes

    def plot_released(self, truths: Any, ax: Axes | None = None) -> Axes:  # noqa: ANN401 - one or several
        """Draw the distribution of the answer at some truths; see `optmech.reports.plots.plot_released`."""
        axes: Axes = view("plot_released", self, truths, ax)
        return axes

    def plot_error(self, ax: Axes | None = None) -> Axes:
        """Draw the error of the answer at each truth; see `optmech.reports.plots.plot_error`."""
        axes: Axes = view("plot_error", self, ax)
        return axes
