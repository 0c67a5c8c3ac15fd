"""``optmech studio``: a local page on which to design mechanisms by hand."""

from __future__ import annotations

import logging
import os
import threading
from contextlib import suppress

from optmech.base.errors import ProblemError
from optmech.cli.output import is_quiet, json_text, tell
from optmech.cli.parsers import Arguments, Command, option, switch


def _run(arguments: Arguments) -> int:
    import webbrowser  # noqa: PLC0415 - as the next

    from optmech.reports.studio.server import serve  # noqa: PLC0415 - only who opens the studio waits for it

    if is_quiet() and arguments.no_browser and not arguments.json:
        message = (
            "`--quiet` must be left out with `--no-browser`; got both, and nothing would show the address. "
            "`--json` prints it alone."
        )
        raise ProblemError(message)
    _log_in_sentences()

    def ready(address: str, entrance: str) -> None:
        if arguments.json:
            tell(json_text({"address": address, "pid": os.getpid()}), flush=True)
        else:
            tell(f"optmech studio: {address}", flush=True)
            tell("The address is for you alone. Ctrl-C ends the studio.", flush=True)
        if not arguments.no_browser:
            # Some browsers are programs in the terminal, and the server must not wait for them.
            threading.Thread(target=webbrowser.open, args=(entrance,), daemon=True).start()

    with suppress(KeyboardInterrupt):
        serve(arguments.port, ready, same_address=arguments.same_address)
    return 0


class _Sentence(logging.Formatter):
    """One line for each record: what went wrong in a page is no reason for a traceback in a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the first line, and of an exception its type."""
        line = (record.getMessage().splitlines() or [""])[0][:200]
        kind = record.exc_info[0] if record.exc_info else None
        return f"optmech studio: {record.levelname.lower()}: {line}{f' ({kind.__name__})' if kind else ''}"


def _log_in_sentences() -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(_Sentence())
    logging.basicConfig(level=logging.ERROR, handlers=[handler])
    # It says that it ends connections when it ends; what it cannot do it raises.
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)


COMMAND = Command(
    name="studio",
    about="""\
Open a page in your browser on which a mechanism is designed with sliders: its matrix, error and privacy
change as they move, two designs stand side by side, and matrix, certificate, report and card can be taken
away. A certificate that is opened there is proved again and shown. The page is served on this machine alone,
at an address that only this run knows, or with --same-address every run of yours at that port; Ctrl-C ends
it.""",
    examples=("optmech studio", "optmech studio --port 8123 --same-address"),
    options=(
        option("--port", "PORT", "default: one that is free", type=int, default=0),
        switch("--same-address", "answer where every run at this port does, for bookmarks"),
        switch("--no-browser", "print the address and open nothing"),
    ),
    run=_run,
)
