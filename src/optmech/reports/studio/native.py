"""A chart, a box of text, and the browser's own slider and list, which screen readers know."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from nicegui import ui
from nicegui.element import Element
from nicegui.elements.mixins.value_element import ValueElement

from optmech.reports.charts.matrix_view import MatrixView
from optmech.reports.charts.svg import chart_svg

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from optmech.reports.charts import chart as charts

_SECONDS_BETWEEN = 0.05


def html(text: str = "", tag: str = "p") -> ui.html:
    """Return an element of text, which is HTML."""
    return ui.html(text, tag=tag, sanitize=False)


def button(text: str, on_click: Callable[[], object], look: str = "plain") -> ui.button:
    """Return a button of one of the page's looks."""
    return ui.button(text, on_click=on_click, color=None).props("flat no-caps").classes(look)


@contextmanager
def panel(title: str, *further: str) -> Iterator[Element]:
    """Draw a part of the page under its title, with further classes of its look."""
    with ui.element("section").classes(" ".join(("panel", *further))) as section:
        html(title, "h2")
        yield section


class Slider(ValueElement[Any], component="slider.js"):
    """An ``<input type="range">`` whose steps are read out as `texts`, the first of them `low`.

    Its value is where a visitor moved it, which may be anything that a client sends.
    """

    LOOPBACK = False  # the browser has moved it already

    def __init__(self, label: str, texts: Sequence[str], value: int, low: int = 0) -> None:
        super().__init__(value=value, throttle=_SECONDS_BETWEEN)
        self._props["aria-label"] = label
        self._props["low"], self._props["texts"] = low, list(texts)

    def reach(self, texts: Sequence[str], low: int = 0) -> None:
        """Set its steps; nothing is sent where they are these already, so that nobody's hand is disturbed."""
        if (self._props["low"], self._props["texts"]) != (low, list(texts)):
            self._props["low"], self._props["texts"] = low, list(texts)
            self.update()

    @property
    def texts(self) -> list[str]:
        """Text that a screen reader says at each step."""
        return list(self._props["texts"])


class ChoiceElement(ValueElement[Any], component="choice.js"):
    """A ``<select>`` with its label, of options by name; its value may be anything that a client sends."""

    LOOPBACK = False

    def __init__(self, label: str, options: Mapping[str, str], value: str) -> None:
        super().__init__(value=value)
        self._props["label"], self._props["options"] = label, dict(options)


class TextBox(ValueElement[Any]):
    """An ``<input type="text">`` with its label; its value may be anything that a client sends.

    NiceGUI's own sends a value that the server sets in a second message, and is told it back: for a moment it
    shows the text before beside results of the text now, and what comes back may undo what was done since.
    """

    LOOPBACK = False

    def __init__(self, label: str, value: str) -> None:
        super().__init__(tag="q-input", value=value)
        self._props["label"], self._props["for"], self._props["type"] = label, self.html_id, "text"


class ChartElement(Element, component="chart.js"):
    """A chart, empty at first."""

    def __init__(self) -> None:
        super().__init__()
        self._props["svg"] = self._props["cells"] = ""

    def draw(self, chart: charts.Chart | MatrixView | None) -> None:
        """Draw a chart in place of what is there, or nothing."""
        self._props["svg"] = "" if chart is None else chart_svg(chart, f"chart-{self.id}")
        self._props["cells"] = (
            json.dumps(chart.content(), separators=(",", ":")) if isinstance(chart, MatrixView) else ""
        )
        self.update()
