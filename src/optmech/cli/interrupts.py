"""Handle Ctrl-C and SIGTERM: the program ends at any moment, and never with a traceback.

While it loads, and once all is said, there is nothing to tidy up: the process ends at once. While a command
works, either raises `KeyboardInterrupt`, so that every ``finally`` removes its temporary files and stops its
solver. The command line imports this module before all else, because what follows takes a third of a second.
A program that uses `optmech` as a library never loads it, and keeps its own handlers.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from optmech.base.deferred_interrupt import ENDING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from sys import UnraisableHookArgs
    from types import FrameType

INTERRUPTION = "interrupted; no file is half written. Run the same command again."

_SHELL = 128
_SOON = 0.01  # seconds in which a callback has ended; while a module loads it is looked again as often
_IMPORTS = "<frozen importlib._bootstrap>"
_TAKE_A_VALUE = ("-X", "-W")
# The default handler of each signal.
_USUAL = {**dict.fromkeys(ENDING, signal.SIG_DFL), signal.SIGINT: signal.default_int_handler}
# Signals that were raised as `KeyboardInterrupt` while a command worked, and those sent again to see whether
# that was swallowed.
_raised_signals: list[int] = []
_sent_again: set[int] = set()


class Termination(KeyboardInterrupt):
    """SIGTERM, such as a batch system sends before it kills, or another signal that ends a process."""

    number: int = signal.SIGTERM


def is_program(words: Sequence[str]) -> bool:
    """Whether a process that was started so, as in ``sys.orig_argv``, is the command line itself.

    Examples
    --------
    >>> is_program(["python", "-X", "dev", "-m", "optmech"]), is_program(["python", "/bin/optmech", "design"])
    (True, True)
    >>> is_program(["python", "-m", "pytest", "-m", "optmech"]), is_program(["python", "-c", "..."])
    (False, False)
    """
    rest = iter(words[1:])
    for word in rest:
        if word == "-m":
            return next(rest, "") == "optmech"
        if word in _TAKE_A_VALUE:
            next(rest, "")
        elif not word.startswith("-"):
            return os.path.splitext(os.path.basename(word))[0] == "optmech"  # noqa: PTH119, PTH122 - loads first
        elif word == "-c":
            return False
    return False


def leave_at_once(*, with_sentence: bool = True) -> None:
    """From now on end the process where Ctrl-C or SIGTERM finds it, if it is the command line itself.

    A signal that is already ignored, as under ``nohup`` and ``&``, stays ignored.
    """
    if not is_program(sys.orig_argv):
        return
    for number, handler in _USUAL.items():
        if signal.getsignal(number) in (handler, _raise, _leave, _leave_silently):
            signal.signal(number, _leave if with_sentence else _leave_silently)


@contextmanager
def working() -> Iterator[None]:
    """Raise `KeyboardInterrupt` on Ctrl-C, and on SIGTERM too, until the work is done.

    A library may make another error of it: NumPy, met while it loads, an `ImportError`. It is raised again.
    So is what came within a callback, of the collector of garbage or of `__del__`, which nothing can leave,
    and what a module swallows while it loads, as compiled ones do.
    """
    if is_program(sys.orig_argv):
        sys.unraisablehook = _raise_soon
        for number in ENDING:
            if signal.getsignal(number) is _leave:
                signal.signal(number, _raise)
    try:
        yield
    except Exception:
        if _raised_signals:
            _raise(_raised_signals[-1], None)
        raise
    finally:
        leave_at_once(with_sentence=False)


def exit_code_of(error: KeyboardInterrupt) -> int:
    """Return the exit code of a process that such a signal ended: 130, for SIGTERM 143."""
    return _SHELL + (error.number if isinstance(error, Termination) else signal.SIGINT)


def _raise(number: int, frame: FrameType | None) -> None:
    is_again = number in _sent_again
    _sent_again.clear()
    if _is_loading(frame):
        _send_soon(number)
    if is_again and _is_ending():
        return
    _raised_signals.append(number)
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    termination = Termination()
    termination.number = number
    raise termination


def _raise_soon(lost: UnraisableHookArgs) -> None:
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
        return
    _send_soon(_raised_signals[-1])


def _is_loading(frame: FrameType | None) -> bool:
    """Whether a module is being imported below this frame."""
    while frame is not None:
        if frame.f_code.co_filename == _IMPORTS:
            return True
        frame = frame.f_back
    return False


def _is_ending() -> bool:
    """Whether what is handled now is a `KeyboardInterrupt`, or came of one."""
    error = sys.exc_info()[1]
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return True
        error = error.__context__
    return False


def _send_soon(number: int) -> None:
    timer = threading.Timer(_SOON, _send, [number])
    timer.daemon = True
    timer.start()


def _send(number: int) -> None:
    """Send the main thread a signal, which ends its waiting too where the system has a way to do so."""
    if signal.getsignal(number) is not _raise:  # the command has ended meanwhile
        return
    _sent_again.add(number)
    if sys.platform == "win32":
        signal.raise_signal(number)
    else:
        signal.pthread_kill(threading.main_thread().ident or 0, number)


def _leave(number: int, _: FrameType | None) -> None:
    os.write(2, f"optmech: {INTERRUPTION}\n".encode())
    if "--json" in sys.orig_argv:
        os.write(1, f'{{"error": "{INTERRUPTION}", "exit_code": {_SHELL + number}}}\n'.encode())
    os._exit(_SHELL + number)


def _leave_silently(number: int, _: FrameType | None) -> None:
    os._exit(_SHELL + number)


leave_at_once()
