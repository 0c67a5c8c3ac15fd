"""Downloads of a visitor: the files of the design, and the command line that makes it again."""

from __future__ import annotations

import asyncio
import shlex
from typing import TYPE_CHECKING

from markupsafe import Markup
from nicegui import ui

from optmech.reports.studio.downloads import FILES, file_of
from optmech.reports.studio.native import button, html, panel

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.reports.studio.reading import Answer
    from optmech.reports.studio.state import PageState


class Drawer:
    """Buttons for each file, and the command; `answer` returns the latest state with its answer, if any."""

    def __init__(self, answer: Callable[[], tuple[PageState, Answer] | None]) -> None:
        self._answer = answer
        with panel("Take it with you"):
            with ui.element("div").classes("row-of-buttons"):
                self._matrix, *_ = [self._button(name, words) for name, words in FILES.items()]
            with ui.element("div") as self._again:
                html("The same on the command line:").classes("hint")
                self._command = html(tag="code").classes("command")
                with ui.element("div").classes("row-of-buttons"):
                    button("Copy the command", self._copy)

    def show(self, command: str, *, has_matrix: bool) -> None:
        """Show the lines that design the same, if there are any, and the button of the matrix as well."""
        self._matrix.set_visibility(has_matrix)
        self._again.set_visibility(bool(command))
        if "\n" in command:
            self._command.set_content(Markup("{}").format(command))
            return
        words = map(shlex.quote, shlex.split(command))
        # A browser would break a line within `--range`.
        self._command.set_content(Markup(" ").join(map(Markup("<span>{}</span>").format, words)))

    def _button(self, name: str, words: str) -> ui.button:
        async def take() -> None:
            answer = self._answer()
            if answer is None:
                ui.notify("The latest question has no answer yet.")
                return
            state, design = answer
            content = await asyncio.to_thread(file_of, name, design, state.command)
            ui.download.content(content, name)

        return button(words, take)

    def _copy(self) -> None:
        answer = self._answer()
        if answer is not None:
            ui.clipboard.write(answer[0].command)
            ui.notify("Copied.")
