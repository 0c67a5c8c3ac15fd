"""The figure of a reproduction, as files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.reports.figure import render_figure

if TYPE_CHECKING:
    from benchmarks.papers.item import Reproduction

__all__ = ["figure_files"]


def figure_files(name: str, result: Reproduction) -> dict[str, bytes]:
    """Return the figure of a reproduction as file names with their content: PNG and SVG, none if it has none.

    Raises
    ------
    FileFormatError
        If Matplotlib is not installed.
    """
    if result.draw is None:
        return {}
    return {
        f"{name}.{ending}": content for ending, content in render_figure(result.draw, ("png", "svg")).items()
    }
