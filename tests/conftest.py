"""Set-up of all tests: the same examples in every run, no clock, and a browser to look at pages."""

from __future__ import annotations

import gc
import os
import shutil
import signal
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.browser import MILLISECONDS

try:
    from hypothesis import settings
except ImportError:  # tests of properties are skipped
    pass
else:  # solves take as long as the machine lets them; a failure must come back in the next run
    settings.register_profile("optmech", deadline=None, derandomize=True)
    settings.load_profile("optmech")

# Tests that are collected live as long as the process: by the usual thresholds a tenth of the time goes into
# looking through them for garbage.
gc.set_threshold(200_000, 20, 20)

# A closed network answers nothing that Chromium asks on its own account.
QUIET = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run")


@pytest.fixture(scope="session", autouse=True)
def handled_signals():
    """Restore the handlers of signals that the parent ignored, as a shell does in the background."""
    handlers = {"SIGINT": signal.default_int_handler, "SIGHUP": signal.SIG_DFL, "SIGTERM": signal.SIG_DFL}
    for name, handler in handlers.items():
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)


# Items share what they compute as long as one process runs them: it begins with them, and hands none on.
TOGETHER = ("papers", "baselines")
# Tests of signals, sleeps and clocks, which run alone, and of seconds of the processor, which do not.
CLOCKS = {Path(__file__).parent / name for name in ("alone", "soon")}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Let the first process begin with the tests that compute most; tests of clocks are slow, or long."""
    items.sort(key=lambda item: item.path.parent.name not in TOGETHER)
    for item in items:
        if item.get_closest_marker("long"):
            item.own_markers = [mark for mark in item.own_markers if mark.name != "slow"]
        elif not CLOCKS.isdisjoint(item.path.parents):
            item.add_marker("slow")


@dataclass
class Watched:
    """Errors and requests of a page that it should not make."""

    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


@pytest.fixture(scope="session")
def chromium():
    """Start the system's Chromium without a window; where there is none, skip, or fail if CI asks for one."""
    result = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if result is None:
        (pytest.fail if os.environ.get("OPTMECH_NEEDS_BROWSER") else pytest.skip)("Chromium is not installed")
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        # Containers run as root, where Chromium has no sandbox of its own; the pages are ours.
        browser = playwright.chromium.launch(
            executable_path=result, args=["--no-sandbox", *QUIET], timeout=MILLISECONDS
        )
        yield browser
        browser.close()


@pytest.fixture
def page(chromium):
    """Open an empty page; `page.watched` collects its errors, and its requests but for the first."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(MILLISECONDS)
    opened = context.new_page()
    opened.watched = Watched()
    opened.on("pageerror", lambda trouble: opened.watched.errors.append(str(trouble)))
    opened.on(
        "console", lambda text: text.type in ("error", "warning") and opened.watched.errors.append(text.text)
    )
    opened.on("request", lambda request: opened.watched.requests.append(request.url))
    yield opened
    context.close()
