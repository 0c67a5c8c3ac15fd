"""One visitor's designs: the latest question wins, one is solved at a time, and what is outdated is ended."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from optmech.base.errors import OptmechError, ProblemError
from optmech.reports.studio.inputs import PER_PERSON, inputs_of
from optmech.reports.studio.quick import engine_of, quick_design
from optmech.reports.studio.view import view_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from optmech.designs.design import Design
    from optmech.reports.studio.inputs import Inputs
    from optmech.reports.studio.workers import Workers

__all__ = ["MOST_CACHED", "Cache", "Session", "State"]

MOST_CACHED = 24
"""Designs that are remembered, a few megabytes each at the largest."""
# Seconds that an outdated solve may still take: most end by then, and a process need not be started again.
_PATIENCE = 0.4
_FIRST = asyncio.FIRST_COMPLETED
_CANCELLED = "cancelled after {:.1f} s; its process has ended. Move any control to ask again."
_FAILED = "the studio failed on this question: {}. Change the question, and please report it."


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What a visitor's page shows.

    Attributes
    ----------
    inputs : Inputs
        The latest question.
    design : Design or None
        Its answer; while another is solved, the answer to an earlier one.
    answered : Inputs or None
        The question that `design` answers.
    refusal : str
        Why the latest question has no answer, a sentence; else empty.
    engine : str
        Who works on the latest question in another process; else empty.
    since : float
        When that began, by `time.monotonic`.
    """

    inputs: Inputs
    design: Design | None = None
    answered: Inputs | None = None
    refusal: str = ""
    engine: str = ""
    since: float = 0.0

    @property
    def is_current(self) -> bool:
        """Whether the design answers the latest question."""
        return self.design is not None and not self.refusal and _same(self.inputs) == self.answered


class Cache:
    """The designs asked for last, of all visitors.

    Examples
    --------
    >>> from optmech.reports.studio.inputs import Inputs
    >>> from optmech.reports.studio.quick import quick_design
    >>> cache, asked = Cache(most=1), [Inputs(largest=3), Inputs(largest=4)]
    >>> for inputs in asked:
    ...     cache.keep(inputs, quick_design(inputs.problem()))
    >>> [cache.get(inputs) is None for inputs in asked]
    [True, False]
    """

    def __init__(self, most: int = MOST_CACHED) -> None:
        self._designs: OrderedDict[Inputs, Design] = OrderedDict()
        self._most = most

    def get(self, inputs: Inputs) -> Design | None:
        """Return the design of a question, if it is remembered."""
        found = self._designs.get(_same(inputs))
        if found is not None:
            self._designs.move_to_end(_same(inputs))
        return found

    def keep(self, inputs: Inputs, found: Design) -> None:
        """Remember a design, and forget the one that nobody asked for longest."""
        self._designs[_same(inputs)] = found
        while len(self._designs) > self._most:
            self._designs.popitem(last=False)


class Session:
    """The designs of one page, from its opening to its closing.

    Parameters
    ----------
    workers : Workers
        Who solves what no theorem writes down.
    cache : Cache
        What was designed before.
    changed : callable
        Called with each new `State`, in the event loop.
    inputs : Inputs
        The first question.
    """

    def __init__(
        self, workers: Workers, cache: Cache, changed: Callable[[State], None], inputs: Inputs
    ) -> None:
        self.state = State(inputs=inputs)
        self._workers, self._cache, self._changed = workers, cache, changed
        self._turn = 0  # what was begun at another turn is outdated
        self._asked, self._ended = asyncio.Event(), asyncio.Event()
        self._asked.set()
        self._task = asyncio.create_task(self._answer_all())

    def ask(self, values: Mapping[str, object]) -> None:
        """Ask the question that a client sent in place of the one before; what cannot be asked is refused."""
        self._turn += 1
        try:
            self.state = replace(self.state, inputs=inputs_of(values))
        except ProblemError as no:
            self._asked.clear()
            self._ended.set()
            self._tell(refusal=str(no), engine="")
        else:
            self._asked.set()

    def cancel(self) -> None:
        """End what is being solved; its process is gone before anything else is begun."""
        if self.state.engine:
            self._turn += 1
            self._ended.set()
            seconds = time.monotonic() - self.state.since
            self._tell(refusal=_CANCELLED.format(seconds), engine="")

    async def close(self) -> None:
        """End everything."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    def _tell(self, **changes: Any) -> None:  # noqa: ANN401 - as many types as fields
        self.state = replace(self.state, **changes)
        self._changed(self.state)

    async def _answer_all(self) -> None:
        while True:
            await self._asked.wait()
            self._asked.clear()
            self._ended.clear()
            turn, inputs = self._turn, self.state.inputs
            try:
                found = await self._designed(inputs, turn)
                if found is not None and turn == self._turn:
                    self._tell(design=found, answered=_same(inputs), refusal="", engine="")
            except OptmechError as no:
                if turn == self._turn:
                    self._tell(refusal=str(no), engine="")
            except Exception as bug:  # noqa: BLE001 - it becomes a sentence, and the page lives on
                self._tell(refusal=_FAILED.format(type(bug).__name__), engine="")

    async def _designed(self, inputs: Inputs, turn: int) -> Design | None:
        """Return the design; ``None`` where it was outdated first."""
        # A large question takes a second to be made, and nobody else's page must wait for it.
        problem = await asyncio.to_thread(inputs.problem)
        found = self._cache.get(inputs)
        if found is None:
            engine = await asyncio.to_thread(engine_of, problem, inputs.engine)
            found = await asyncio.to_thread(quick_design, problem)
            if found is None and turn == self._turn:
                self._tell(refusal="", engine=engine, since=time.monotonic())
                found = await self._solved(inputs)
            if found is not None:
                await asyncio.to_thread(view_of, found)
        if found is not None:
            self._cache.keep(inputs, found)
        return found

    async def _solved(self, inputs: Inputs) -> Design | None:
        solving = asyncio.create_task(self._workers.design(inputs))
        waiting = [asyncio.create_task(event.wait()) for event in (self._asked, self._ended)]
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


def _same(inputs: Inputs) -> Inputs:
    """Return the inputs without what does not change the answer."""
    plain = type(inputs)()
    without: dict[str, Any] = {"seconds": plain.seconds}
    if inputs.query != "mean":
        without["records"] = plain.records
    if inputs.query not in PER_PERSON:
        without["per_person"] = plain.per_person
    if inputs.query == "categories":
        without |= {"smallest": plain.smallest, "largest": plain.largest, "loss": plain.loss}
    else:
        without["categories"] = plain.categories
    if inputs.loss != "beyond":
        without["beyond"] = plain.beyond
    return replace(inputs, **without)
