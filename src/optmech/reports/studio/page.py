"""The page that a visitor sees: controls on the left, results on the right, the question above."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING

from fastapi import HTTPException
from nicegui import Client, ui

from optmech.base.errors import ProblemError
from optmech.reports.charts.svg import chart_style
from optmech.reports.markup import asset
from optmech.reports.studio.address import inputs_at
from optmech.reports.studio.controls import Controls, ControlsFold
from optmech.reports.studio.inputs import Inputs
from optmech.reports.studio.native import html
from optmech.reports.studio.opener import Opener, Openers
from optmech.reports.studio.results import Results
from optmech.reports.studio.session import Session

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optmech.reports.studio.state import Cache, PageState
    from optmech.reports.studio.workers import Workers

MOST_PAGES = 16
"""Pages open at the same time."""
_PATIENCE = 20.0  # seconds for a browser to come back for its page
_UNAVAILABLE = 503
# After a rest: browsers take it amiss when a slider writes the address at each of its steps.
_ADDRESS = """
clearTimeout(window.optmechAddress);
window.optmechAddress = setTimeout(() => {{
    const question = {};
    history.replaceState(history.state, "", location.pathname + (question && "?" + question));
}}, 300);
"""


def _make_room(own: Client, openers: Openers) -> None:
    """Delete the oldest pages that no browser came back for; HTTPException 503 if many others are open."""
    others = [client for client in Client.instances.values() if client is not own]
    open_pages = [client for client in others if client.has_socket_connection or client.id in openers]
    if len(open_pages) >= MOST_PAGES:
        raise HTTPException(_UNAVAILABLE, f"the studio shows {MOST_PAGES} pages at most; close another one")
    waiting = [client for client in others if client not in open_pages]
    for client in waiting[: max(0, len(others) + 1 - MOST_PAGES)]:
        client.delete()


async def build(workers: Workers, cache: Cache, openers: Openers, address: Mapping[str, str]) -> None:
    """Draw the page of one visitor, with a new session; HTTPException 503 if too many are open."""
    client = ui.context.client
    _make_room(client, openers)
    own_style = files("optmech.reports.studio").joinpath("style.css").read_text(encoding="utf-8")
    ui.add_css(str(chart_style()) + own_style)
    ui.add_head_html(f"<script>{asset('tips.js')}</script>")
    with ui.element("header").classes("masthead"):
        with ui.element("div").classes("top") as top:
            html("optmech studio").classes("name")
        question = html("A mechanism for your question", "h1")
        guarantee = html()
    with ui.element("div").classes("studio"):
        left = ui.element("div").classes("controls folded")
        right = ui.element("div").classes("results")
    await client.connected(timeout=_PATIENCE)
    if client.is_deleted:  # it gave way to another
        return

    def show(state: PageState) -> None:
        if not client.is_deleted:
            with client:
                if state.file and state.shown_inputs is not None:
                    controls.show(state.shown_inputs)
                left.classes(**{"add" if state.shown_inputs is None else "remove": "apart"})
                results.show(state)
                if not state.refusal and state.shown_inputs is not None:
                    ui.run_javascript(_ADDRESS.format(json.dumps(state.inputs.address())))

    refusal = ""
    try:
        inputs = inputs_at(address)
    except ProblemError as no:
        inputs, refusal = Inputs(), str(no)
    session = Session(workers, cache, show, inputs)
    client.on_delete(session.close)
    openers.add(client.id, session.open)
    client.on_delete(lambda: openers.remove(client.id))

    def restore(state: PageState) -> None:
        controls.show(state.inputs)
        session.show(state)

    with top:
        Opener(client.id, session.leave_unopened)
    with left:
        ControlsFold(left)
        controls = Controls(session.ask, inputs)
    with right:
        # The session tells its first state when this function has returned to the event loop.
        results = Results(question, guarantee, session.cancel, restore)
    client.on_delete(results.close)
    if refusal:
        session.refuse(refusal)
