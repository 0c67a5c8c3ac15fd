"""The solver processes: few, kept warm, and killed when nobody waits for their answer."""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import signal
import sys
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from optmech.base.errors import OptmechError, ProblemError
from optmech.reports.studio.worker import LENGTH_BYTES, grace

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import AsyncIterator

    from optmech.designs.design import Design
    from optmech.reports.studio.inputs import Inputs
    from optmech.reports.studio.reading import CertificateReading

AT_ONCE = 2
"""The number of solves at the same time, over all visitors; further ones wait."""


class RefusedError(OptmechError, ValueError):
    """A worker says in a sentence why there is no mechanism."""


class Workers:
    """Processes of `optmech.reports.studio.worker`.

    A design whose task is cancelled takes its process with it, and the solvers that this one started.
    """

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._slots = asyncio.Semaphore(at_once)
        self._idle: list[Process] = []
        self._all: set[Process] = set()

    @property
    def pids(self) -> list[int]:
        """The processes that are alive."""
        return sorted(process.pid for process in self._all if process.returncode is None)

    async def warm_up(self) -> None:
        """Start a process before it is needed: loading the solvers takes half a second."""
        if not self._idle:
            self._idle.append(await self._started())

    async def design(self, inputs: Inputs) -> Design:
        """Return the design of a question.

        RefusedError if there is none, with the sentence that `design` gives; ProblemError if the time is up,
        or the process ended without an answer.
        """
        request = {"question": inputs.question(), "engine": inputs.engine}
        return await self._answer(request, inputs.seconds)  # type: ignore[no-any-return]

    async def read(self, text: str, name: str, seconds: int) -> CertificateReading:
        """Return the reading of a certificate, proved again within a solve's time; raises as `design`."""
        return await self._answer({"certificate": text, "name": name}, seconds)  # type: ignore[no-any-return]

    async def _answer(self, request: dict[str, Any], seconds: int) -> Any:  # noqa: ANN401 - as was asked
        async with self._slots, self._process() as process:
            line = json.dumps({**request, "seconds": seconds}) + "\n"
            try:
                async with asyncio.timeout(grace(seconds) + 1):
                    kind, result = await _asked(process, line.encode())
            except TimeoutError:
                message = (
                    f"`seconds` must be enough to solve and prove; got {seconds}. "
                    "Give it more time, or ask for a smaller range."
                )
                raise ProblemError(message) from None
            except (EOFError, OSError):  # killed from outside, or out of memory beyond recovery
                message = (
                    "the solve must end with an answer; its process ended without one: its memory or its "
                    "time was up. Ask for a smaller range."
                )
                raise ProblemError(message) from None
        if kind == "refused":
            raise RefusedError(result)
        return result

    @asynccontextmanager
    async def _process(self) -> AsyncIterator[Process]:
        """Lend a process; it comes back when its work is done and is ended otherwise."""
        process = self._idle.pop() if self._idle else await self._started()
        is_done = False
        try:
            yield process
            is_done = True
        finally:
            if is_done and process.returncode is None:
                self._idle.append(process)
            else:
                await asyncio.shield(self._ended(process))

    async def _started(self) -> Process:
        process = await asyncio.create_subprocess_exec(
            # `-P`: a file `random.py` in the folder where somebody starts the studio is none of ours.
            *(sys.executable, "-P", "-m", "optmech.reports.studio.worker"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,  # so that the solvers it starts end with it
        )
        self._all.add(process)
        return process

    async def _ended(self, process: Process) -> None:
        with suppress(ProcessLookupError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        await process.wait()
        self._all.discard(process)

    async def close(self) -> None:
        """End all processes."""
        self._idle.clear()
        await asyncio.gather(*map(self._ended, list(self._all)))


async def _asked(process: Process, line: bytes) -> tuple[str, Any]:
    assert process.stdin is not None  # noqa: S101 - narrows the type for the checker
    assert process.stdout is not None  # noqa: S101 - narrows the type for the checker
    process.stdin.write(line)
    await process.stdin.drain()
    length = int.from_bytes(await process.stdout.readexactly(LENGTH_BYTES), "big")
    content = await process.stdout.readexactly(length)
    # It proves itself again as it is put together, which may take a second.
    answer: tuple[str, Any] = await asyncio.to_thread(pickle.loads, content)
    return answer
