"""Drawing a reproduction into files; the only place that makes a Matplotlib figure."""

from __future__ import annotations

import importlib
import io
from pathlib import Path
from typing import TYPE_CHECKING

from optmech.errors import FileFormatError

if TYPE_CHECKING:
    from optmech.reproduce.item import Reproduction

__all__ = ["figure_files"]

_WIDTH, _HEIGHT, _DOTS_PER_INCH = 8.0, 5.0, 150
# Element names in an SVG are random otherwise, and its bytes differ from run to run.
_SVG = {"svg.hashsalt": "optmech"}


def figure_files(name: str, found: Reproduction) -> dict[str, bytes]:
    """Return the figure of a reproduction as file names with their content: PNG and SVG, none if it has none.

    Raises
    ------
    FileFormatError
        If Matplotlib is not installed.
    """
    if found.draw is None:
        return {}
    try:
        figure_module = importlib.import_module("matplotlib.figure")
        matplotlib = importlib.import_module("matplotlib")
    except ImportError:
        message = 'figures need Matplotlib, which is not installed. Run `pip install "optmech[figures]"`.'
        raise FileFormatError(message) from None
    files = {}
    with matplotlib.rc_context(_SVG):
        figure = figure_module.Figure(figsize=(_WIDTH, _HEIGHT), layout="constrained")
        found.draw(figure)
        for ending, settings in (("png", {"dpi": _DOTS_PER_INCH}), ("svg", {"metadata": {"Date": None}})):
            content = io.BytesIO()
            figure.savefig(content, format=ending, **settings)
            files[str(Path(f"{name}.{ending}"))] = content.getvalue()
    return files
