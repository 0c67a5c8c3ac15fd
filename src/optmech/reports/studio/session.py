"""One visitor's designs: the latest question wins, one is solved at a time, and what is outdated is ended."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from optmech.base.errors import OptmechError, ProblemError
from optmech.reports.studio.inputs import Inputs, inputs_of
from optmech.reports.studio.reading import READING, CertificateReading, inputs_for
from optmech.reports.studio.state import Cache, PageState, same
from optmech.reports.studio.theorem_design import engine_of, quick_design
from optmech.reports.studio.view import view_of

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping

    from optmech.designs.design import Design
    from optmech.reports.studio.workers import Workers

    _Result = TypeVar("_Result", Design, CertificateReading)

# Seconds that an outdated solve may still take: most end by then, and a process need not be started again.
_PATIENCE = 0.4
_FIRST = asyncio.FIRST_COMPLETED
_CANCELLED = "cancelled after {:.1f} s; its process has ended. {}."
_FIELDS = ("inputs", "design", "answered_inputs", "file")
_CALM: dict[str, str] = {"refusal": "", "unopened": "", "engine": ""}
_FAILURE = "the studio failed on this question: {}. Change the question, and please report it."


class Session:
    """The designs of one page, from its opening to its closing; each new state goes to `on_change`."""

    def __init__(
        self, workers: Workers, cache: Cache, on_change: Callable[[PageState], None], inputs: Inputs
    ) -> None:
        self.state = PageState(inputs=inputs)
        self._workers, self._cache, self._on_change = workers, cache, on_change
        self._certificate: tuple[str, str] | None = None  # text and name of one that waits to be read
        self._turn = 0  # what was begun at another turn is outdated
        self._new_question, self._ended = asyncio.Event(), asyncio.Event()
        self._new_question.set()
        self._task = asyncio.create_task(self._answer_all())

    def ask(self, values: Mapping[str, object]) -> None:
        """Ask the question that a client sent in place of the one before; what cannot be asked is refused."""
        try:
            inputs = inputs_of(values)
        except ProblemError as no:
            self.refuse(str(no))
        else:
            self._leave_all()
            self.state = replace(self.state, inputs=inputs)
            self._new_question.set()

    def refuse(self, why: str) -> None:
        """Say why a question cannot be asked, in place of the one before."""
        self._leave_all()
        self._new_question.clear()
        self._ended.set()
        self._tell(refusal=why, engine="")

    def _leave_all(self) -> None:
        """Outdate what was begun, and leave a file that was shown or waits."""
        self._turn += 1
        self._certificate = None
        self.state = replace(self.state, file="", unopened="")

    def open(self, content: bytes, name: str) -> None:
        """Show the certificate in a file, once it is proved again; what is none is refused."""
        try:
            self._certificate = content.decode(), name
        except UnicodeDecodeError:
            self.leave_unopened(f"`{name}` must be text in UTF-8, as a certificate is; got other bytes.")
        else:
            self._turn += 1
            self._new_question.set()

    def leave_unopened(self, why: str) -> None:
        """Say why a file cannot be opened; all else goes on."""
        self._tell(unopened=why)

    def show(self, state: PageState) -> None:
        """Show what was shown before, without solving it again."""
        self._turn += 1
        self._ended.set()
        self._new_question.clear()
        self._tell(**{name: getattr(state, name) for name in _FIELDS}, **_CALM)

    def cancel(self) -> None:
        """End what is being solved; its process is gone before anything else is begun."""
        if self.state.engine:
            self._turn += 1
            self._ended.set()
            seconds = time.monotonic() - self.state.since
            if self.state.engine == READING:
                self._tell(unopened=_CANCELLED.format(seconds, "Open the file again"), engine="")
            else:
                self._tell(refusal=_CANCELLED.format(seconds, "Move any control to ask again"), engine="")

    async def close(self) -> None:
        """End everything."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    def _tell(self, **changes: Any) -> None:  # noqa: ANN401 - as many types as fields
        self.state = replace(self.state, **changes)
        self._on_change(self.state)

    async def _answer_all(self) -> None:
        while True:
            await self._new_question.wait()
            self._new_question.clear()
            self._ended.clear()
            turn, inputs, certificate = self._turn, self.state.inputs, self._certificate
            self._certificate = None
            where = "refusal" if certificate is None else "unopened"
            try:
                if certificate is None:
                    design = await self._design(inputs, turn)
                    if design is not None and turn == self._turn:
                        self._tell(design=design, answered_inputs=same(inputs), refusal="", engine="")
                else:
                    await self._open(*certificate, turn)
            except OptmechError as no:
                if turn == self._turn:
                    self._tell(engine="", **{where: str(no)})
            except Exception as bug:  # noqa: BLE001 - it becomes a sentence, and the page lives on
                self._tell(engine="", **{where: _FAILURE.format(type(bug).__name__)})
            if certificate is not None and not self.state.is_current and not self.state.refusal:
                self._new_question.set()  # the question that was left for a file which is not shown

    async def _open(self, text: str, name: str, turn: int) -> None:
        """Show a certificate, unless it was outdated first."""
        self._tell(unopened="", engine=READING, since=time.monotonic())
        reading = await self._solve(self._workers.read(text, name, self.state.inputs.seconds))
        if reading is None:
            return
        inputs = await asyncio.to_thread(inputs_for, reading.problem)
        await asyncio.to_thread(view_of, reading)
        if turn == self._turn:
            answered_inputs = None if inputs is None else same(inputs)
            self._tell(
                design=reading,
                inputs=inputs or self.state.inputs,
                answered_inputs=answered_inputs,
                file=name,
                **_CALM,
            )

    async def _design(self, inputs: Inputs, turn: int) -> Design | None:
        """Return the design; ``None`` where it was outdated first."""
        # A large question takes a second to be made, and nobody else's page must wait for it.
        problem = await asyncio.to_thread(inputs.problem)
        design = self._cache.get(inputs)
        if design is None:
            engine = await asyncio.to_thread(engine_of, problem, inputs.engine)
            design = await asyncio.to_thread(quick_design, problem)
            if design is None and turn == self._turn:
                self._tell(refusal="", engine=engine, since=time.monotonic())
                design = await self._solve(self._workers.design(inputs))
            if design is not None:
                await asyncio.to_thread(view_of, design)
        if design is not None:
            self._cache.keep(inputs, design)
        return design

    async def _solve(self, answer: Coroutine[Any, Any, _Result]) -> _Result | None:
        solving = asyncio.create_task(answer)
        waiting: list[asyncio.Task[Any]] = [
            asyncio.create_task(event.wait()) for event in (self._new_question, self._ended)
        ]
        try:
            await asyncio.wait({solving, *waiting}, return_when=_FIRST)
            if not solving.done() and not self._ended.is_set():
                left = self.state.since + _PATIENCE - time.monotonic()
                await asyncio.wait({solving, waiting[1]}, timeout=max(left, 0), return_when=_FIRST)
            return solving.result() if solving.done() else None
        finally:
            for task in (solving, *waiting):
                task.cancel()
            await asyncio.gather(solving, *waiting, return_exceptions=True)
