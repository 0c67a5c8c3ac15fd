"""Run a program that the user names, within a time limit, and keep the beginning of what it prints."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_CHUNK = 1 << 16
_PAUSE = 0.2  # seconds after which it is seen that a program has ended whose children hold its streams


@dataclass(frozen=True)
class ProgramOutput:
    """Exit code of a program, None if its time was up, and the beginning of what it printed."""

    code: int | None
    out: bytes
    err: bytes


def output_of(command: Sequence[str], seconds: float, most: int) -> ProgramOutput:
    """Run a program; after so many seconds it is killed. Processes that it started end with it.

    One byte more than `most` is kept of either stream, so that a longer one is recognised. The rest is read
    and dropped.

    Raises
    ------
    OSError, ValueError
        If it does not run.
    """
    with subprocess.Popen(  # noqa: S603 - the user names the program that is to run
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # so that all it starts can be ended with it
    ) as process:
        try:
            kept, in_time = _read(process, time.monotonic() + seconds, most + 1)
        finally:
            _kill(process)
    return ProgramOutput(process.returncode if in_time else None, *map(bytes, kept))


def _read(process: subprocess.Popen[bytes], end: float, most: int) -> tuple[list[bytearray], bool]:
    """Read both streams until the program has ended or the time is up."""
    kept = [bytearray(), bytearray()]
    with selectors.DefaultSelector() as selector:
        for stream, part in zip((process.stdout, process.stderr), kept, strict=True):
            selector.register(stream, selectors.EVENT_READ, part)  # type: ignore[arg-type]
        while selector.get_map():
            left = end - time.monotonic()
            if left <= 0:
                return kept, process.poll() is not None
            has_ended = process.poll() is not None  # asked before: all that it printed is read then
            ready = selector.select(0 if has_ended else min(left, _PAUSE))
            if has_ended and not ready:
                return kept, True
            for key, _ in ready:
                chunk = os.read(key.fd, _CHUNK)
                if not chunk:
                    selector.unregister(key.fileobj)
                key.data.extend(chunk[: max(0, most - len(key.data))])
    with suppress(subprocess.TimeoutExpired):
        process.wait(max(0.0, end - time.monotonic()))
    return kept, process.returncode is not None


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a program with all that it started."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
