"""The command line: parse, call, print. No mathematics lives here."""

from __future__ import annotations

from optmech.cli.interrupts import exit_code_of_interrupt, working  # Ctrl-C while the rest loads  # isort: skip

import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from optmech.base.errors import reason_of
from optmech.cli.output import report_failure, report_interrupt

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

_NOT_WRITTEN = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 130 where Ctrl-C ended it, 143 where SIGTERM did."""
    try:
        from optmech.cli.commands import run  # noqa: PLC0415 - Ctrl-C may come while it loads, too

        with working():
            _open_streams()
            try:
                code = run(arguments)
            except SystemExit:  # help, or the version, was printed
                if _flush():
                    raise
                return _NOT_WRITTEN
            return code if _flush() else _NOT_WRITTEN
    except KeyboardInterrupt as error:
        return report_interrupt(str(error), exit_code_of_interrupt(), arguments)


def _flush() -> bool:
    """Hand over what was printed and say whether it arrived; from here on Ctrl-C ends the process at once."""
    try:
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the rest goes nowhere
        if isinstance(error, BrokenPipeError):  # the reader, such as `head`, has seen enough
            return True
        report_failure(f"stdout must be writable; got: {reason_of(error)}.", _NOT_WRITTEN)
        return False
    return True


def _open_streams() -> None:
    """Redirect closed streams, as by ``>&-``, and make every character writable."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - to the end
        stream = getattr(sys, name)
        if isinstance(stream, TextIOWrapper):  # what its encoding lacks is escaped, not a traceback
            stream.reconfigure(errors="backslashreplace")
