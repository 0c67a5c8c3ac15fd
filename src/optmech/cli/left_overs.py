"""What commands that were killed left beside a file that is to be written."""

from __future__ import annotations

from pathlib import Path

from optmech.cli.output import warn

__all__ = ["notice_left_overs"]

_LEFT_OVER = ".optmech-*.part"


def notice_left_overs(out: str) -> None:
    """Warn of files and folders that a killed command could not remove: they may hold true data."""
    for path in sorted(Path(out).resolve().parent.glob(_LEFT_OVER)):
        warn(
            f"{path} is of a command that was killed, or that still runs; if none does, delete it",
            privacy=False,
        )
