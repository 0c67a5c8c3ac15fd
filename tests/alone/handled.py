"""When a process of the command line handles signals itself: before that there is the interpreter alone."""

from __future__ import annotations

import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess

LAST = signal.SIGHUP  # of those that are handled


def wait_until_handled(process: subprocess.Popen) -> None:
    """Return when the process handles SIGHUP, or has ended. Linux alone tells."""
    status = Path(f"/proc/{process.pid}/status")
    while process.poll() is None:
        fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
        if int(fields.get("SigCgt", "0"), 16) >> (LAST - 1) & 1:
            return
        time.sleep(0.002)
