"""Starting the studio: on the loopback address alone, under an address that only its user knows."""

from __future__ import annotations

import os
import socket
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError, broken_rule, reason_of
from optmech.base.extras import package
from optmech.reports.studio.guard import MOST_PENDING, Guard, PendingConnections
from optmech.reports.studio.state import Cache
from optmech.reports.studio.tokens import lasting_token, new_token
from optmech.reports.studio.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable

HOST = "127.0.0.1"
_LARGEST_MESSAGE = 2**20  # bytes that a browser may send at once
_LARGEST_PORT = 65535
_RECONNECT = 10.0  # seconds that a page which lost its connection is kept


def serve(port: int, ready: Callable[[str, str], None], *, same_address: bool = False) -> None:
    """Serve the studio until Ctrl-C, and end its workers; port 0 lets the system choose.

    Once the page answers, `ready` is called with its address and with one that leads there once: it may be
    seen by others, as what a program is started with is. With `same_address` it is that of every run at this
    port, which a bookmark may hold. ProblemError if NiceGUI is not installed, the port is taken or not
    allowed, or its address is no secret.
    """
    if same_address and port == 0:
        message = (
            "`port` must be given where the address is to stay the same; got 0, and the system would choose "
            "another in each run. Add `--port 8123`, or leave out `--same-address`."
        )
        raise ProblemError(message)
    token, entrance = lasting_token(port) if same_address else new_token(), new_token()
    _keep_nothing(token)
    package("nicegui", "studio", "the studio")
    import uvicorn  # noqa: PLC0415 - from the extra, as all that follows
    from fastapi import FastAPI  # noqa: PLC0415
    from nicegui import app as pages  # noqa: PLC0415
    from nicegui import ui  # noqa: PLC0415

    from optmech.reports.studio.opener import Openers  # noqa: PLC0415
    from optmech.reports.studio.page import build  # noqa: PLC0415

    listening = _listening(port)
    port = listening.getsockname()[1]
    workers, cache, openers, strangers = Workers(), Cache(), Openers(), PendingConnections()

    @ui.page("/", title="optmech studio")
    async def _page() -> None:
        await build(workers, cache, openers, dict(ui.context.client.request.query_params))

    pages.add_route("/certificate/{page}", openers.receive, methods=["POST"])
    outer = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    outer.add_middleware(Guard, port=port, token=token, entrance=entrance, on_admission=strangers.forget)
    pages.on_startup(workers.warm_up)
    pages.on_shutdown(workers.close)
    # The bar that Quasar draws over requests of its own has no name for screen readers.
    pages.config.quasar_config["loadingBar"] = {"skipHijack": True}
    ui.run_with(
        outer,
        mount_path=f"/{token}",
        title="optmech studio",
        dark=None,
        language="en-US",
        tailwind=False,
        show_welcome_message=False,
        reconnect_timeout=_RECONNECT,
        binding_refresh_interval=None,
        gzip_middleware_factory=None,
    )

    class Server(uvicorn.Server):
        """The server, which says when it answers."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                ready(*(f"http://{HOST}:{port}/{path}/" for path in (token, entrance)))

    config = uvicorn.Config(
        outer,
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        ws_max_size=_LARGEST_MESSAGE,
        http=strangers.watched(),
        backlog=2 * MOST_PENDING,  # the limit at which others are ended
        timeout_graceful_shutdown=1,
    )
    Server(config).run(sockets=[listening])


def _keep_nothing(token: str) -> None:
    """Let NiceGUI find nothing that others stored, and have nowhere to store: the studio stores nothing."""
    nowhere = Path(tempfile.gettempdir()) / f"optmech-studio-{token}"
    os.environ["NICEGUI_STORAGE_PATH"] = str(nowhere)
    os.environ.pop("NICEGUI_REDIS_URL", None)


def _listening(port: int) -> socket.socket:
    if not 0 <= port <= _LARGEST_PORT:
        raise broken_rule("port", f"lie between 0 and {_LARGEST_PORT}", port, "0 lets the system choose.")
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name == "posix":  # elsewhere it would let two servers share the port
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError as error:
        listening.close()
        reason = reason_of(error)
        message = f"`port` must be free; got {port}: {reason}. Leave it out, and the system chooses one."
        raise ProblemError(message) from None
    return listening
