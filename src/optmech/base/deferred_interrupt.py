"""The few moments in which Ctrl-C must wait, or it would leave a file behind, or get lost."""

from __future__ import annotations

import importlib
import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

ENDING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""Signals that end a process, where the system has them: Ctrl-C, a batch system, a closed terminal."""


def load_module(name: str) -> Any:  # noqa: ANN401 - a module, of any types
    """Return a module of another package; Ctrl-C waits until it has loaded.

    PuLP swallows every error that is raised while it loads, and compiled modules make an ImportError of it,
    by which they would seem not to be installed.
    """
    with deferred_interrupt():
        return importlib.import_module(name)


@contextmanager
def deferred_interrupt() -> Iterator[None]:
    """Let Ctrl-C, SIGTERM and SIGHUP wait until the block ends, then do what they do.

    Only signals that Python handles can wait; those come to the main thread alone.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[tuple[int, Any]] = []
    usual = {number: handler for number in ENDING if callable(handler := signal.getsignal(number))}
    for number in usual:
        signal.signal(number, lambda *came_now: came.append(came_now))
    try:
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)
        for number, frame in came:
            usual[signal.Signals(number)](number, frame)
