"""A certificate on its way from the visitor's disk to a session: chosen or dropped, and held to a size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui.element import Element
from starlette.responses import Response

from optmech.base.visible import visible
from optmech.reports.studio.reading import LARGEST_FILE

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    Open = Callable[[bytes, str], None]

_ACCEPTED, _NOT_FOUND, _TOO_LARGE = 202, 404, 413
_LONGEST_NAME = 80


class Opener(Element, component="opener.js"):
    """A button that opens a file, and a page on which one may be dropped; a refusal is told in a sentence."""

    def __init__(self, page: str, on_refusal: Callable[[str], None]) -> None:
        super().__init__()
        self._props["label"], self._props["page"] = "Open a certificate …", page
        self._props["most"] = LARGEST_FILE
        self.on("refused", lambda event: on_refusal(_why_not(event.args)))


class Openers:
    """The receivers of files, by page."""

    def __init__(self) -> None:
        self._pages: dict[str, Open] = {}

    def __contains__(self, page: str) -> bool:
        """Whether a browser came back for a page, so that it takes files."""
        return page in self._pages

    def add(self, page: str, take: Open) -> None:
        """Hand the files of a page to `take`, with their names."""
        self._pages[page] = take

    def remove(self, page: str) -> None:
        """Take no more files of a page."""
        self._pages.pop(page, None)

    async def receive(self, request: Request) -> Response:
        """Answer a request that brings a file; what is too large is not read to its end."""
        take = self._pages.get(request.path_params["page"])
        if take is None:
            return Response(status_code=_NOT_FOUND)
        content = bytearray()
        async for part in request.stream():
            content += part
            if len(content) > LARGEST_FILE:
                return Response(status_code=_TOO_LARGE)
        take(bytes(content), file_name(request.query_params.get("name")))
        return Response(status_code=_ACCEPTED)


def file_name(argument: object) -> str:
    """Return the name of a file for a sentence, from any name that a client gives.

    >>> file_name("a.certificate.json"), file_name(None), len(file_name("x" * 10**6))
    ('a.certificate.json', 'certificate', 80)
    """
    name = visible(argument[:_LONGEST_NAME]).replace("`", "'").strip() if isinstance(argument, str) else ""
    return name[:_LONGEST_NAME] or "certificate"


def _why_not(message: Any) -> str:  # noqa: ANN401 - any message of a client
    name, size = (message.get("name"), message.get("size")) if isinstance(message, dict) else (None, None)
    if isinstance(size, (int, float)) and size > LARGEST_FILE:
        return (
            f"`{file_name(name)}` must have at most {LARGEST_FILE // 2**20} MiB in the studio; "
            f"got {size / 2**20:.4g} MiB. Use `optmech verify` and `optmech report`."
        )
    return f"`{file_name(name)}` must be a file that the browser can read and send; it did not. Try again."
