"""A part of the page: its HTML, and the charts that a script draws into it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from optmech.reports.report.html import Html, element

__all__ = ["Part", "chart"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A section and what it needs.

    Attributes
    ----------
    html : Html
        The section.
    charts : dict
        Options of its charts, by the id of their elements.
    """

    html: Html
    charts: dict[str, dict[str, Any]] = field(default_factory=dict)


def chart(id_: str, caption: str, *, square: bool = False) -> Html:
    """Return the place of a chart with its caption; what it shows stands in a table near by as well."""
    return element(
        "figure",
        element("div", id=id_, class_="chart square" if square else "chart"),
        element("figcaption", caption),
    )
