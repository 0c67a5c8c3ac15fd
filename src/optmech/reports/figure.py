"""Make figures of Matplotlib, for files and for plots.

`render_figure` makes one, writes it and forgets it: that is for commands. `axes_for` gives a plot its axes:
those of the caller, or new ones, which Pyplot keeps only where Pyplot is in use. So a notebook shows them,
and a program that draws a thousand plots does not collect them.
"""

from __future__ import annotations

import importlib
import io
import sys
from typing import TYPE_CHECKING, Any

from optmech.base.errors import FileFormatError, broken_rule
from optmech.base.extras import package

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Settings of each format, without dates and random names, so that bytes are reproducible.
FORMATS: dict[str, dict[str, Any]] = {
    "png": {"dpi": 150},
    "svg": {"metadata": {"Date": None}},
    "pdf": {"metadata": {"CreationDate": None}},
}
# Each series has one of these beside its colour, for readers who print without or cannot see colours.
MARKERS = "os^DvP*X"
# Colours for many series in one chart: the first eight are those of a page on white.
COLOURS = (
    *("#0f6b84", "#b3541e", "#4b5d67", "#7a4a8c", "#3d7a2a", "#9a7b00", "#c2477f", "#2f4fa8"),
    *("#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f"),
    *("#bcbd22", "#17becf", "#0b2c5d", "#7a0f14"),
)
HATCHES = ("", "///", "...", "\\\\\\", "xxx", "---", "ooo", "+++")
_SIZE = (8.0, 5.0)
_SVG = {"svg.hashsalt": "optmech"}


def render_figure(draw: Callable[[Figure], None], formats: Iterable[str]) -> dict[str, bytes]:
    """Return a figure in some of `FORMATS`; FileFormatError if Matplotlib is not installed."""
    try:
        matplotlib = importlib.import_module("matplotlib")
        figure = _new_figure()
    except ImportError:
        message = 'figures need Matplotlib, which is not installed. Run `pip install "optmech[figures]"`.'
        raise FileFormatError(message) from None
    contents = {}
    with matplotlib.rc_context(_SVG):
        draw(figure)
        for name in formats:
            content = io.BytesIO()
            figure.savefig(content, format=name, **FORMATS[name])
            contents[name] = content.getvalue()
    return contents


def axes_for(ax: Axes | None) -> Axes:
    """Return the axes to draw into: `ax` itself, or those of a new figure.

    A new figure is Pyplot's where Pyplot has been imported or IPython is running: then a notebook shows it
    when the cell ends, and ``plt.show()`` elsewhere. Otherwise nobody but the caller knows of it: save it by
    ``ax.figure.savefig(path)``. ProblemError if `ax` is something else, or Matplotlib is not installed.
    """
    kind = package("matplotlib.axes", "figures", "a plot").Axes
    if ax is None:
        axes: Axes = _new_figure(of_pyplot=_pyplot_is_in_use()).add_subplot()
        return axes
    if not issubclass(type(ax), kind):
        raise broken_rule(
            "ax", "be the axes to draw into", type(ax).__name__, "Give one of several, such as ax[0]."
        )
    return ax


def _new_figure(*, of_pyplot: bool = False) -> Figure:
    """Return a figure, Pyplot's or the caller's alone; raises ImportError without Matplotlib."""
    module = importlib.import_module("matplotlib.pyplot" if of_pyplot else "matplotlib.figure")
    figure: Figure = (module.figure if of_pyplot else module.Figure)(figsize=_SIZE, layout="constrained")
    return figure


def _pyplot_is_in_use() -> bool:
    shell = sys.modules.get("IPython")
    return "matplotlib.pyplot" in sys.modules or (shell is not None and shell.get_ipython() is not None)
