"""Expectations of a page, which wait: a busy machine makes them later, and never false."""

from __future__ import annotations

MILLISECONDS = 60_000
"""The longest wait for anything in a browser."""


def expect(what):
    """Return Playwright's expectation of a page or of a part of it."""
    # A machine without Playwright collects these tests as well, and skips them.
    from playwright import sync_api  # noqa: PLC0415

    sync_api.expect.set_options(timeout=MILLISECONDS)
    return sync_api.expect(what)
