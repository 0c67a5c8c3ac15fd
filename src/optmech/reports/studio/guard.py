"""Admit a browser on this machine that was given the address, and the studio's own page; nobody else.

Three doors, each for its own danger:

- The **Host** header must name the loopback address and the port: a site whose name was made to point at
  127.0.0.1 ("DNS rebinding") comes under its own name.
- An **Origin** header must be this server's own, and a websocket must have one: any site may open a websocket
  to any port of its visitor's machine.
- The first part of the **path** must be the token of `tokens`: other users of the machine reach the port.
  They also see what a browser is started with, so that it is given an entrance instead, which leads in once.

A request that passes gets headers that keep the page to itself: no other origin is asked for anything, and no
frame may hold the page.
"""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping, Sequence

    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]
    App = Callable[[Message, Receive, Send], Awaitable[None]]

HEADERS = {
    # NiceGUI's page has inline scripts and styles, and Vue compiles templates in the browser.
    "content-security-policy": "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
_SEE_OTHER, _FORBIDDEN, _NOT_FOUND, _MISDIRECTED = 303, 403, 404, 421
_WORDS = {
    _FORBIDDEN: "another page must not speak to the studio",
    _NOT_FOUND: "open the address that the studio printed, with all that follows the port",
    _MISDIRECTED: "the studio answers to its own address alone",
}
_POLICY_VIOLATED = 1008
_BY_PROXIES = b"x-forwarded-"


def objection(scope: Message, port: int, token: str) -> int | None:
    """Return the HTTP status that refuses a request, by its ASGI scope, or ``None`` where it may pass."""
    own = {f"127.0.0.1:{port}", f"localhost:{port}"}
    hosts = _values(scope, b"host")
    if len(hosts) != 1 or hosts[0].lower() not in own:
        return _MISDIRECTED
    origins = _values(scope, b"origin")
    if len(origins) > 1 or any(
        origin.lower() not in {f"http://{name}" for name in own} for origin in origins
    ):
        return _FORBIDDEN
    if scope["type"] == "websocket" and not origins:
        return _FORBIDDEN
    first = scope["path"].split("/")[1:2]
    if not first or not secrets.compare_digest(first[0].encode(), token.encode()):
        return _NOT_FOUND
    return None


class Guard:
    """The ASGI application that stands before another and lets in what `objection` does not object to.

    An `entrance` is a path that leads to the token's, once. `on_admission` is called with the address of a
    client, as ASGI has it, whose request passes.
    """

    def __init__(
        self,
        app: App,
        *,
        port: int,
        token: str,
        entrance: str = "",
        on_admission: Callable[[Sequence[Any] | None], None] | None = None,
    ) -> None:
        self.app, self._port, self._token, self._entrance = app, port, token, entrance
        self._admitted = on_admission

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass, or refuse in a sentence."""
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        status = objection(scope, self._port, self._token)
        if status == _NOT_FOUND and self._entrance and objection(scope, self._port, self._entrance) is None:
            self._entrance = ""
            return await _lead(scope, send, self._token)
        if status is not None:
            return await _refuse(scope, send, status)
        if self._admitted is not None:
            self._admitted(scope.get("client"))
        # There is no proxy before this server, even if a client says so.
        kept_headers = [(name, value) for name, value in scope["headers"] if not name.startswith(_BY_PROXIES)]

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers_added = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*message.get("headers", ()), *headers_added]
            await send(message)

        return await self.app({**scope, "headers": kept_headers}, receive, send_with_headers)


def _values(scope: Message, header: bytes) -> list[str]:
    return [value.decode("latin-1") for name, value in scope["headers"] if name == header]


async def _refuse(scope: Message, send: Send, status: int) -> None:
    if scope["type"] == "websocket":
        # Before it is accepted, which servers answer with 403.
        await send({"type": "websocket.close", "code": _POLICY_VIOLATED})
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"x-content-type-options", b"nosniff")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": f"optmech: {_WORDS[status]}\n".encode()})


async def _lead(scope: Message, send: Send, token: str) -> None:
    if scope["type"] == "websocket":
        return await _refuse(scope, send, _NOT_FOUND)
    headers = [(b"location", f"/{token}/".encode()), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": _SEE_OTHER, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
    return None


MOST_PENDING = 64
_PATIENCE = 10.0  # seconds


class PendingConnections:
    """The connections of a server from which no request has passed, by the addresses that they come from.

    Every user of a machine reaches its loopback ports. A stranger who opens connections and sends nothing, or
    sends letter by letter, must not use up the owner's connections: a stranger that comes when there are many
    pushes out the one that has been silent longest, and whoever is still one after some seconds has to go.
    The owner's browser speaks at once, and is none from its first request on.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], tuple[asyncio.Transport, asyncio.TimerHandle]] = {}

    def come(self, transport: asyncio.Transport) -> None:
        """Keep an eye on a new connection, and end the oldest one where there are many."""
        peer = _peer(transport)
        self.forget(peer)
        timer = asyncio.get_running_loop().call_later(_PATIENCE, self._end, peer)
        self._known[peer] = transport, timer
        if len(self._known) > MOST_PENDING:
            self._end(next(iter(self._known)))

    def forget(self, peer: Sequence[Any] | None) -> None:
        """Take a connection for one that is known, or that has ended."""
        _, timer = self._known.pop(tuple(peer or ()), (None, None))
        if timer is not None:
            timer.cancel()

    def watched(self) -> type[asyncio.Protocol]:
        """Return Uvicorn's protocol, which tells of each connection here."""
        from uvicorn.protocols.http.auto import AutoHTTPProtocol  # noqa: PLC0415 - from the extra

        strangers, base = self, AutoHTTPProtocol

        class Watched(base):  # type: ignore[misc, valid-type] # of two classes whichever is installed
            def connection_made(self, transport: asyncio.Transport) -> None:
                self._peer = _peer(transport)
                strangers.come(transport)
                super().connection_made(transport)

            def connection_lost(self, exc: Exception | None) -> None:
                strangers.forget(self._peer)
                super().connection_lost(exc)

        return Watched

    def _end(self, peer: tuple[Any, ...]) -> None:
        transport, _ = self._known[peer]
        self.forget(peer)
        transport.abort()


def _peer(transport: asyncio.Transport) -> tuple[Any, ...]:
    return tuple((transport.get_extra_info("peername") or ())[:2])
