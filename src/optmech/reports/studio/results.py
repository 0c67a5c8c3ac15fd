"""Results on the page: sentences, numbers, charts, and next steps."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from markupsafe import escape
from nicegui import ui

from optmech.analysis.composition import privacy_curve
from optmech.base.errors import OptmechError
from optmech.reports.charts.curve import privacy_curve_chart
from optmech.reports.charts.errors import errors_side_by_side
from optmech.reports.markup import render
from optmech.reports.studio.design_summary import (
    ENGINES,
    design_summary,
    facts_table,
    headline,
    question_words,
    sentence_html,
)
from optmech.reports.studio.drawer import Drawer
from optmech.reports.studio.native import ChartElement, button, html, panel
from optmech.reports.studio.reading import READING
from optmech.reports.studio.truth_panel import TruthPanel
from optmech.reports.studio.view import view_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.proofs.certificate import Certificate
    from optmech.reports.charts import chart as charts
    from optmech.reports.studio.reading import Answer
    from optmech.reports.studio.state import PageState

_CALM = 0.25  # seconds of rest before the curve is drawn, whose exact arithmetic takes as long
_KEPT, _NOW = "A, kept", "B, now"


class Results:
    """The right side of the page, and above both sides the question and its guarantee in plain words.

    `cancel` ends what is being solved, `restore` shows the state of the design that was kept.
    """

    def __init__(
        self,
        question: ui.html,
        guarantee: ui.html,
        cancel: Callable[[], None],
        restore: Callable[[PageState], None],
    ) -> None:
        self._question, self._guarantee, self._restore = question, guarantee, restore
        self._state: PageState | None = None
        self._kept: tuple[PageState, Answer] | None = None
        self._curves: asyncio.Task[None] | None = None
        self._draw_words(cancel)
        with ui.element("div").classes("charts") as self._body:
            self._draw_numbers()
            self._draw_charts()
            self._drawer = Drawer(self._answer)
        self._timer = ui.timer(0.2, self._tick, active=False)

    def show(self, state: PageState) -> None:
        """Show a state of the session."""
        self._state = state
        refusal = state.unopened or state.refusal
        self._refusal.set_visibility(bool(refusal))
        self._refusal_words.set_content(sentence_html(refusal))
        self._working.set_visibility(bool(state.engine))
        self._timer.active = bool(state.engine)
        self._tick()
        for element in (self._verdict, self._body):
            element.classes(**{"remove" if state.is_current else "add": "outdated"})
            element.set_visibility(state.design is not None)
        self._before.set_visibility(not state.is_current)
        if not state.refusal:
            question, guarantee = question_words(state.problem, state.shown_inputs)
            self._question.set_content(escape(question))
            self._guarantee.set_content(escape(guarantee))
        if state.is_current and not state.engine:
            self._show_design()

    def close(self) -> None:
        """End what is still drawn."""
        if self._curves is not None:
            self._curves.cancel()

    def _answer(self) -> tuple[PageState, Answer] | None:
        """Return what answers the latest question, or the latest certificate, with its state."""
        state = self._state
        if state is None or state.design is None or not state.is_current:
            return None
        return state, state.design

    def _draw_words(self, cancel: Callable[[], None]) -> None:
        with ui.element("div").classes("panel refusal").props('role="alert"') as self._refusal:
            self._refusal_words = html()
        with ui.element("div").classes("panel working") as self._working:
            ui.spinner(size="1.5rem", color="primary").props('aria-hidden="true"')
            self._working_words = html()
            button("Cancel", cancel, "stop")
        self._refusal.set_visibility(False)
        self._working.set_visibility(False)
        self._verdict = ui.element("div").classes("panel verdict").props('role="status" aria-live="polite"')
        with self._verdict:
            self._before = html("To the question before:").classes("made")
            self._caution = html().classes("sentence care")
            self._headline = html().classes("headline")
            self._verdict_words = html().classes("sentence")
            self._origin = html().classes("made")
            self._notes = html(tag="div")

    def _draw_numbers(self) -> None:
        with panel("Properties of the design") as self._numbers:
            self._facts = html(tag="div")
            with ui.element("div").classes("row-of-buttons"):
                self._keep_button = button("Keep this design as A", self._keep, "main")
                self._back_button = button("Go back to A", self._go_back)
                self._forget_button = button("Forget A", self._forget)

    def _draw_charts(self) -> None:
        with panel("The matrix of A, kept", "matrix") as self._kept_panel:
            self._kept_map = ChartElement()
        with ui.element("section").classes("panel matrix"):
            self._map_title = html("The matrix", "h2")
            self._map = ChartElement()
        self._released = TruthPanel()
        with panel("Error at each true answer"):
            self._errors = ChartElement()
        with ui.element("section").classes("panel") as self._curve_panel:
            self._curve_title = html("Privacy at every ε", "h2")
            self._curve = ChartElement()
        for element in (self._kept_panel, self._back_button, self._forget_button):
            element.set_visibility(False)

    def _tick(self) -> None:
        state = self._state
        if state is None or not state.engine:
            return
        seconds = time.monotonic() - state.since
        work, limit = "Proving a certificate again", ""
        if state.engine != READING:
            work = f"Solving by {ENGINES[state.engine]}"
            limit = f" It may take {state.inputs.seconds} s, its proof included."
        self._working_words.set_content(f"{work}, in a separate process: {seconds:.0f} s.{limit}")

    def _show_design(self) -> None:
        answer = self._answer()
        if answer is None:
            return
        state, design = answer
        summary = design_summary(design, state.shown_inputs)
        kept = self._kept
        kept_summary = None if kept is None else design_summary(kept[1], kept[0].shown_inputs)
        self._caution.set_content(escape(summary.caution))
        self._caution.set_visibility(bool(summary.caution))
        self._verdict.classes(**{"add" if summary.caution else "remove": "care"})
        self._headline.set_content(headline(summary))
        self._verdict_words.set_content(escape(summary.verdict))
        self._origin.set_content(escape(summary.origin))
        self._notes.set_content(render("notes.html", notes=summary.notes))
        self._facts.set_content(facts_table(summary, kept_summary))
        view = view_of(design)
        self._drawer.show(state.command, has_matrix=view.is_whole)
        self._map.draw(view.matrix)
        designs = self._designs()
        if len(designs) == 1 or not _are_alike(designs):
            self._errors.draw(view.errors)
        else:
            mechanisms = {name: each.mechanism for name, each in designs.items()}
            self._errors.draw(errors_side_by_side(mechanisms))
        self._released.show(designs)
        self.close()
        self._curve_panel.set_visibility(view.is_whole)
        self._curve_panel.classes(add="outdated")
        if design.certificate is not None and view.is_whole:
            self._curves = asyncio.create_task(self._show_curve(design, design.certificate))

    def _designs(self) -> dict[str, Answer]:
        """Return the designs on the page by name: the kept one, if any, and the current one."""
        answer = self._answer()
        designs = {} if self._kept is None else {_KEPT: self._kept[1]}
        return designs if answer is None else {**designs, (_NOW if designs else "released"): answer[1]}

    async def _show_curve(self, design: Answer, certificate: Certificate) -> None:
        await asyncio.sleep(_CALM)
        chart: charts.Chart | None = None
        with suppress(OptmechError):  # a matrix whose privacy losses are too many or too large
            curve = await asyncio.to_thread(privacy_curve, certificate)
            chart = privacy_curve_chart(curve, design.problem.privacy.epsilon)
        answer = self._answer()
        if answer is not None and answer[1] is design:
            self._curve.draw(chart)
            self._curve_panel.classes(remove="outdated")
            self._curve_panel.set_visibility(chart is not None)

    def _keep(self) -> None:
        answer = self._answer()
        if answer is not None:
            self._kept = answer
            self._kept_map.draw(view_of(answer[1]).matrix)
            self._show_kept()

    def _forget(self) -> None:
        self._kept = None
        self._show_kept()

    def _go_back(self) -> None:
        if self._kept is not None:
            self._restore(self._kept[0])

    def _show_kept(self) -> None:
        is_kept = self._kept is not None
        for element in (self._kept_panel, self._back_button, self._forget_button):
            element.set_visibility(is_kept)
        self._numbers.classes(**{"add" if is_kept else "remove": "wide"})
        self._keep_button.set_text("Keep this one as A instead" if is_kept else "Keep this design as A")
        self._map_title.set_content("The matrix of B, now" if is_kept else "The matrix")
        self._curve_title.set_content("Privacy of B at every ε" if is_kept else "Privacy at every ε")
        self._show_design()


def _are_alike(designs: dict[str, Answer]) -> bool:
    """Whether designs stand in one chart: all have matrices, and all or none have names for answers."""
    all_matrices = all(view_of(each).is_whole for each in designs.values())
    return all_matrices and len({bool(each.mechanism.labels) for each in designs.values()}) == 1
