"""The releases of one true answer, chosen by a slider or typed."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from markupsafe import Markup
from nicegui import ui

from optmech.base.numbers import brief
from optmech.reports.charts.response_distribution import responses_side_by_side
from optmech.reports.studio.design_summary import column_table, sentence_html
from optmech.reports.studio.native import ChartElement, Slider, html, panel
from optmech.reports.studio.view import View, view_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optmech.reports.studio.reading import Answer


class TruthPanel:
    """The panel of one true answer. A slider goes through those that are drawn; a box takes any number."""

    def __init__(self) -> None:
        self._designs: Mapping[str, Answer] = {}
        self._truth = ""
        self._is_told = True  # whether a change comes from a visitor
        with panel("Released answers for one true answer"):
            self._words = html().classes("hint").props('role="status"')
            self._slider = Slider("True answer", ["0"], 0)
            self._slider.on_value_change(lambda event: self._move(event.value))
            self._box = ui.number("True answer, any of them", step=1)
            self._box.on_value_change(lambda event: self._type(event.value))
            self._box.props('outlined dense inputmode="numeric"')
            self._chart = ChartElement()
            with ui.element("details"):
                html("The same as a table", "summary")
                self._table = html(tag="div").classes("scroll").props('tabindex="0"')

    def show(self, designs: Mapping[str, Answer]) -> None:
        """Show designs by name, the latest of which says what can be true."""
        self._designs = designs
        view = self._view()
        if view is None:
            return
        if self._slider.texts != list(view.truths):  # another range: begin in its middle
            self._slider.reach(view.truths)
            self._truth = view.truths[len(view.truths) // 2]
        self._box.set_visibility(view.ends is not None)
        self._show()

    def _view(self) -> View | None:
        return view_of(list(self._designs.values())[-1]) if self._designs else None

    def _move(self, index: object) -> None:
        view = self._view()
        if self._is_told and view is not None and isinstance(index, int) and 0 <= index < len(view.truths):
            self._truth = view.truths[index]
            self._show()

    def _type(self, value: object) -> None:
        view = self._view()
        if not self._is_told or view is None or view.ends is None:
            return
        is_whole = isinstance(value, (int, float)) and abs(value) <= view.ends[1] and value == int(value)
        text = str(int(value)) if is_whole else ""  # type: ignore[call-overload]
        if view.has(text):
            self._truth = text
            self._show(but_box=True)
        else:
            first, last = view.ends
            rule = f"`true answer` must be a whole number from {first:,} to {last:,}"
            self._words.set_content(sentence_html(f"{rule}; got {brief(value)}."))

    def _show(self, *, but_box: bool = False) -> None:
        view, truth = self._view(), self._truth
        assert view is not None  # noqa: S101 - who calls has looked
        self._is_told = False
        try:
            self._slider.set_value(_nearest(view, truth))
            if view.ends is not None and not but_box:
                self._box.set_value(int(truth))
        finally:
            self._is_told = True
        self._words.set_content(Markup("If the true answer is <strong>{}</strong>").format(truth))
        chart = view.column(truth)
        if chart is None:
            views = [(name, view_of(each)) for name, each in self._designs.items()]
            matrices = {name: each.mechanism for name, each in views if each.is_whole and each.has(truth)}
            chart = responses_side_by_side(matrices, truth)
        self._chart.draw(chart)
        self._table.set_content(column_table(self._designs, truth))


def _nearest(view: View, truth: str) -> int:
    """Return the step of the slider at a true answer, or the one before it."""
    if truth in view.truths:
        return view.truths.index(truth)
    return max(0, bisect_left(list(map(int, view.truths)), int(truth)) - 1)
