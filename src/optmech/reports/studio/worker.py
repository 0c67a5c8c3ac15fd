"""The process in which one question after another is solved: ``python -m optmech.reports.studio.worker``.

A question comes on standard input as a line of JSON, ``{"question": …, "engine": …, "seconds": …}``, or a
certificate, ``{"certificate": …, "name": …, "seconds": …}``. The answer goes to what was standard output:
eight bytes of length, and a pickle of ``("design", Design)``, ``("reading", Reading)`` or ``("refused",
why)``. Its parent kills it to cancel; it ends by itself when that process is gone or its time is up.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import sys
import threading
from contextlib import contextmanager, suppress
from dataclasses import replace
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, BinaryIO

from optmech.base.errors import OptmechError
from optmech.designs.design import design
from optmech.question.problem import Problem
from optmech.reports.studio.inputs import MOST_TRUTHS
from optmech.reports.studio.reading import reading_of, shown_mechanism

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LENGTH_BYTES = 8
MEMORY = 4 * 2**30
"""Bytes of address space that a solve may take."""
_TOO_LARGE = (
    "the question must fit into the memory of one process, 4 GiB; it does not. Ask for a smaller range."
)


def grace(seconds: float) -> float:
    """Return after how long a solve is ended: a proof may take as long as the solving that was asked for."""
    return 2 * seconds + 10


def answer(line: bytes, solve: Callable[..., Any] = design) -> tuple[str, Any]:
    """Return the answer to one question, or to one certificate."""
    request = json.loads(line)
    try:
        if "certificate" in request:
            return "reading", reading_of(request["certificate"], request["name"])
        result = solve(
            Problem.from_dict(request["question"]),
            engine=request.get("engine", "auto"),
            time_limit=float(request["seconds"]),
            threads=1,
        )
        if result.certificate is not None and len(result.mechanism.truths) > MOST_TRUTHS:
            result = replace(result, mechanism=shown_mechanism(result.certificate))
    except OptmechError as no:
        return "refused", str(no)
    except MemoryError:
        return "refused", _TOO_LARGE
    return "design", result


def serve(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer each line of `questions` on `answers` until there are no more."""
    lines: SimpleQueue[bytes] = SimpleQueue()

    def read() -> None:
        for line in questions:
            lines.put(line)
        # Nobody is left to answer to, and a solve may not look up for minutes.
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    while True:
        line = lines.get()
        with _no_longer_than(grace(json.loads(line)["seconds"])):
            content = pickle.dumps(answer(line))
        answers.write(len(content).to_bytes(LENGTH_BYTES, "big") + content)
        answers.flush()


@contextmanager
def _no_longer_than(seconds: float) -> Iterator[None]:
    """End this process if the block takes longer; where there is no alarm, its parent does."""
    set_alarm = getattr(signal, "setitimer", None)
    if set_alarm is None:
        yield
        return
    set_alarm(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        set_alarm(signal.ITIMER_REAL, 0)


def _main() -> None:
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a solver prints is no answer
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends its workers
    with suppress(ImportError, ValueError, OSError):  # Windows, or less is allowed already
        import resource  # noqa: PLC0415 - not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with suppress(BrokenPipeError):
        serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    _main()
