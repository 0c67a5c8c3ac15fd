"""A chart of `optmech.reports.charts` on the page, light or dark as the visitor's system is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import nicegui.elements.echart  # noqa: F401 - lets the browser find ECharts under the name "nicegui-echart"
from nicegui.element import Element

from optmech.reports.charts import theme

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Chart"]


class Chart(Element, component="chart.js"):
    """A chart, empty at first."""

    def __init__(self) -> None:
        super().__init__()
        self._props["option"] = ""
        self._props["light"], self._props["dark"] = json.dumps(theme()), json.dumps(theme(dark=True))

    def draw(self, option: Mapping[str, Any]) -> None:
        """Draw an option in place of what is there."""
        self._props["option"] = json.dumps(option, separators=(",", ":"))
        self.update()
