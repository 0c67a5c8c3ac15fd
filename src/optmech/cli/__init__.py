"""The command line: parse, call, print. No mathematics lives here."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code, 130 where Ctrl-C ended it."""
    try:
        from optmech.cli.commands import run  # noqa: PLC0415 - Ctrl-C may come while it loads, too

        return run(arguments)
    except KeyboardInterrupt:
        print("optmech: interrupted", file=sys.stderr)
        return _INTERRUPTED
