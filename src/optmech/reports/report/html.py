"""HTML that cannot be broken by what stands in it: texts are escaped as elements are made."""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING, Any

from optmech.base.visible import visible_json, visible_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Content", "Html", "data", "digest", "element", "facts", "prose", "table"]

_VOID = frozenset({"br", "hr", "input", "meta"})
# What would end a script element, or is no JavaScript line of old.
_IN_SCRIPTS = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


Content = str | int | None
"""What elements hold: `Html` as it stands, other text escaped, nothing of ``None``."""


def element(name: str, /, *content: Content, **attributes: Content) -> Html:
    """Return an element; text in it and its attributes are escaped.

    Parameters
    ----------
    name : str
        Of the element.
    *content
        What stands in it.
    **attributes
        ``for_`` is ``for``, ``aria_label`` is ``aria-label``; those of ``None`` are left out, and ``""``
        makes an attribute without a value.

    Examples
    --------
    >>> print(element("p", "a < b ", element("b", "!"), class_="quiet"))
    <p class="quiet">a &lt; b <b>!</b></p>
    """
    told = "".join(
        f" {key.rstrip('_').replace('_', '-')}"
        + (f'="{escape(visible_lines(str(value)))}"' if value != "" else "")
        for key, value in attributes.items()
        if value is not None
    )
    if name in _VOID:
        return Html(f"<{name}{told}>")
    return Html(f"<{name}{told}>{''.join(map(_safe, content))}</{name}>")


def table(
    caption: Content, head: Iterable[Content], rows: Iterable[Iterable[Content]], *, id_: str | None = None
) -> Html:
    """Return a table that scrolls by itself where it is wider than the page; the first cell heads its row."""
    lines = [
        element("tr", element("th", first, scope="row"), *(element("td", cell) for cell in rest))
        for first, *rest in rows
    ]
    return element(
        "div",
        element(
            "table",
            element("caption", caption),
            element("thead", element("tr", *(element("th", cell, scope="col") for cell in head))),
            element("tbody", *lines),
            id=id_,
        ),
        class_="scroll",
        tabindex="0",
        role="group",
        aria_label=caption if not isinstance(caption, Html) else None,
    )


def facts(pairs: Iterable[tuple[Content, Content]]) -> Html:
    """Return a list of terms and what is said of them; pairs without the latter are left out."""
    return element(
        "dl",
        *(
            element("div", element("dt", term), element("dd", told))
            for term, told in pairs
            if told is not None and told != ""
        ),
        class_="facts",
    )


def prose(text: str) -> Html:
    """Return text in which what stands between backquotes is code.

    Examples
    --------
    >>> print(prose("Ask `optmech <design>` first."))
    Ask <code>optmech &lt;design&gt;</code> first.
    """
    pieces = text.split("`")
    whole = len(pieces) % 2 == 1  # a single backquote is no mark
    return Html(
        "".join(
            element("code", piece)
            if place % 2 and whole
            else _safe(piece if whole or not place else f"`{piece}")
            for place, piece in enumerate(pieces)
        )
    )


def data(content: Mapping[str, Any], id_: str) -> Html:
    r"""Return JSON that a script reads; nothing in it can end its element.

    Examples
    --------
    >>> print(data({"name": "</script>"}, "it"))
    <script type="application/json" id="it">{"name":"\u003c/script\u003e"}</script>
    """
    text = visible_json(json.dumps(content, separators=(",", ":"), ensure_ascii=False, allow_nan=False))
    return Html(f'<script type="application/json" id="{escape(id_)}">{text.translate(_IN_SCRIPTS)}</script>')


def digest(text: str) -> str:
    """Return what a Content-Security-Policy allows a script or a style by.

    Examples
    --------
    >>> digest("")
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
    """
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _safe(content: Content) -> str:
    if content is None:
        return ""
    return content if isinstance(content, Html) else escape(visible_lines(str(content)))
