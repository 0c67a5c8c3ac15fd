"""A chart of `optmech.reports.charts` on the page, light or dark as the visitor's system is."""

from __future__ import annotations

import json

import nicegui.elements.echart  # noqa: F401 - lets the browser find ECharts under the name "nicegui-echart"
from nicegui.element import Element

from optmech.reports import charts

__all__ = ["Chart"]


class Chart(Element, component="chart.js"):
    """A chart, empty at first."""

    def __init__(self) -> None:
        super().__init__()
        self._props["option"] = ""
        for name in ("light", "dark"):
            self._props[name] = json.dumps(charts.theme(dark=name == "dark"))

    def draw(self, chart: charts.Chart | charts.HeatMap | None) -> None:
        """Draw a chart in place of what is there, or nothing."""
        option = {"series": []} if chart is None else charts.chart_option(chart)
        self._props["option"] = json.dumps(option, separators=(",", ":"))
        self.update()
