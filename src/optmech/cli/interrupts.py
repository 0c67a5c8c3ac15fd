"""Handle Ctrl-C and SIGTERM: the program ends at any moment, and never with a traceback.

While it loads, and once all is said, there is nothing to tidy up: the process ends at once. While a command
works, either raises `KeyboardInterrupt`, so that every ``finally`` removes its temporary files and stops its
solver; it is sent again until the command ends, for a callback or a module that loads may swallow it. The
command line imports this module before all else, because what follows takes a third of a second. A program
that uses `optmech` as a library never loads it, and keeps its own handlers.
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

INTERRUPTION = "interrupted; no file is half written. Run the same command again."

_SHELL = 128
_SOON = 0.01  # seconds in which a callback has ended
_TAKE_A_VALUE = ("-X", "-W")
# The default handler of each signal.
_USUAL = {**dict.fromkeys(ENDING, signal.SIG_DFL), signal.SIGINT: signal.default_int_handler}
_LOADS, _WORKS, _ENDS = "loads", "works", "ends"


class Interruption(KeyboardInterrupt):
    """A signal that ends the command; of the class above Python would note that nobody caught it."""


class _Program:
    """The phase of the process, the signals that came while it worked, and whether the next is one again."""

    phase = _LOADS
    came: tuple[int, ...] = ()
    is_sent_again = False


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


@contextmanager
def working() -> Iterator[None]:
    """Raise `KeyboardInterrupt` on Ctrl-C, and on SIGTERM too, until the work is done.

    A library may make another error of it: NumPy, met while it loads, an `ImportError`. It is raised again.
    """
    _Program.phase, _Program.came = _WORKS, ()
    try:
        yield
    except Exception:
        if _Program.came:
            raise Interruption from None
        raise
    finally:
        _Program.phase = _ENDS


def exit_code_of_interrupt() -> int:
    """Return the exit code of a process that such a signal ended: 130, for SIGTERM 143."""
    return _SHELL + (_Program.came[-1] if _Program.came else signal.SIGINT)


def _handle(number: int, _: object) -> None:
    is_again, _Program.is_sent_again = _Program.is_sent_again, False
    if _Program.phase == _WORKS:
        if not (is_again and _is_ending()):
            _Program.came += (number,)
            timer = threading.Timer(_SOON, _send, [number])
            timer.daemon = True
            timer.start()
            raise Interruption
        return
    if _Program.phase == _LOADS:
        os.write(2, f"optmech: {INTERRUPTION}\n".encode())
        if "--json" in sys.orig_argv:
            os.write(1, f'{{"error": "{INTERRUPTION}", "exit_code": {_SHELL + number}}}\n'.encode())
    os._exit(_SHELL + number)


def _is_ending() -> bool:
    """Whether what is handled now is a `KeyboardInterrupt`, or came of one."""
    error = sys.exc_info()[1]
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


def _send(number: int) -> None:
    """Send the main thread a signal, which ends its waiting too where the system has a way to do so."""
    if _Program.phase != _WORKS:
        return
    _Program.is_sent_again = True
    if sys.platform == "win32":
        signal.raise_signal(number)
    else:
        signal.pthread_kill(threading.main_thread().ident or 0, number)


if is_program(sys.orig_argv):
    for _number, _handler in _USUAL.items():
        if signal.getsignal(_number) is _handler:  # one that is ignored, as under `nohup`, stays so
            signal.signal(_number, _handle)
    # What is lost in a callback is sent again, and needs no message.
    sys.unraisablehook = lambda lost: (
        None if issubclass(lost.exc_type, KeyboardInterrupt) else sys.__unraisablehook__(lost)
    )
