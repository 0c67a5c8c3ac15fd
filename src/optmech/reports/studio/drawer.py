"""What a visitor takes away: the files of the design, and the command line that makes it again."""

from __future__ import annotations

import asyncio
import shlex
from typing import TYPE_CHECKING

from markupsafe import Markup
from nicegui import ui

from optmech.reports.studio.downloads import FILES, file_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.designs.design import Design
    from optmech.reports.studio.inputs import Inputs

__all__ = ["Drawer"]


class Drawer:
    """Buttons for each file, and the command.

    Parameters
    ----------
    answer : callable
        Returns the latest question with its answer, or ``None`` while there is none.
    """

    def __init__(self, answer: Callable[[], tuple[Inputs, Design] | None]) -> None:
        self._answer = answer
        with ui.element("section").classes("panel"):
            ui.html("Take it with you", tag="h2", sanitize=False)
            with ui.element("div").classes("row-of-buttons"):
                self._matrix, *_ = [self._button(name, words) for name, words in FILES.items()]
            ui.html("The same on the command line:", tag="p", sanitize=False).classes("hint")
            self._command = ui.html(tag="code", sanitize=False).classes("command")
            with ui.element("div").classes("row-of-buttons"):
                ui.button("Copy the command", on_click=self._copy, color=None).props("flat no-caps").classes(
                    "plain"
                )

    def show(self, inputs: Inputs, *, has_matrix: bool) -> None:
        """Show the command line of a question, and the button of the matrix where there is one."""
        self._matrix.set_visibility(has_matrix)
        words = map(shlex.quote, shlex.split(inputs.command()))
        # A browser would break a line within `--range`.
        self._command.set_content(Markup(" ").join(map(Markup("<span>{}</span>").format, words)))

    def _button(self, name: str, words: str) -> ui.button:
        async def take() -> None:
            answer = self._answer()
            if answer is None:
                ui.notify("The latest question has no answer yet.")
                return
            inputs, design = answer
            content = await asyncio.to_thread(file_of, name, design, inputs.command())
            ui.download.content(content, name)

        return ui.button(words, on_click=take, color=None).props("flat no-caps").classes("plain")

    def _copy(self) -> None:
        answer = self._answer()
        if answer is not None:
            ui.clipboard.write(answer[0].command())
            ui.notify("Copied.")
