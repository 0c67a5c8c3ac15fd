"""Drawing into files; the only place that makes a Matplotlib figure."""

from __future__ import annotations

import importlib
import io
from typing import TYPE_CHECKING, Any

from optmech.errors import FileFormatError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from matplotlib.figure import Figure

__all__ = ["FORMATS", "drawn"]

# What each format is written with: dates and random names would make its bytes differ from run to run.
FORMATS: dict[str, dict[str, Any]] = {
    "png": {"dpi": 150},
    "svg": {"metadata": {"Date": None}},
    "pdf": {"metadata": {"CreationDate": None}},
}
_WIDTH, _HEIGHT = 8.0, 5.0
_SVG = {"svg.hashsalt": "optmech"}


def drawn(draw: Callable[[Figure], None], formats: Iterable[str]) -> dict[str, bytes]:
    """Return a figure in each of the formats, of `FORMATS`.

    Raises
    ------
    FileFormatError
        If Matplotlib is not installed.
    """
    try:
        figure_module = importlib.import_module("matplotlib.figure")
        matplotlib = importlib.import_module("matplotlib")
    except ImportError:
        message = 'figures need Matplotlib, which is not installed. Run `pip install "optmech[figures]"`.'
        raise FileFormatError(message) from None
    contents = {}
    with matplotlib.rc_context(_SVG):
        figure = figure_module.Figure(figsize=(_WIDTH, _HEIGHT), layout="constrained")
        draw(figure)
        for name in formats:
            content = io.BytesIO()
            figure.savefig(content, format=name, **FORMATS[name])
            contents[name] = content.getvalue()
    return contents
