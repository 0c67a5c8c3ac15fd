"""Waiting for what another process does: a busy machine makes it later, and never false."""

from __future__ import annotations

import time

SECONDS = 60.0
"""The longest wait."""


def wait_until(holds):
    """Wait until something holds; fail if it does not within `SECONDS`."""
    deadline = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < deadline, "it was waited for, and did not come"
        time.sleep(0.01)
