"""Connections that have not yet said anything that the guard lets pass: few, and not for long.

Every user of a machine reaches its loopback ports. Who opens connections and says nothing, or says it letter
by letter, must not use up what the owner needs: a stranger that comes when there are many pushes out the one
that has been silent longest, and whoever is still one after some seconds has to go. The owner's browser
speaks at once, and is none from its first request on.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["MOST_PENDING", "PendingConnections"]

MOST_PENDING = 64
_PATIENCE = 10.0  # seconds


class PendingConnections:
    """The connections of a server from which no request has passed, by the addresses that they come from."""

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
