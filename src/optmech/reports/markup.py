"""Text with markup, by the templates of this folder: every value of a template is escaped where it stands.

Templates end in .html or .svg, or in .md for Markdown. Only `Markup` passes as it is, and what macros made.
"""

from __future__ import annotations

import json
import re
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Undefined
from markupsafe import Markup, escape

from optmech.base.visible import quote, visible, visible_json, visible_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# A number and its per cent sign stand on one line.
_PER_CENT = re.compile(r"(?<=\d) (?=%)")
# A browser would break a line within `--out`.
_OPTION = re.compile(r"(?<!\S)(-\S+)")

# Characters that begin markup in Markdown, HTML included, or end a cell.
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|#&~$])")
# Characters that would end a script element, or that old JavaScript takes for line ends.
_IN_SCRIPTS = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)
_LOADER = PackageLoader("optmech.reports")


def render(template: str, /, **content: Any) -> Markup:  # noqa: ANN401 - templates take all kinds of things
    """Return a template filled with content."""
    return Markup(_environment(template.rpartition(".")[2]).get_template(template).render(content).strip())  # noqa: S704


def asset(name: str) -> Markup:
    """Return a style sheet or a script, for a page, unescaped."""
    return Markup(_LOADER.get_source(_environment("html"), name)[0])  # noqa: S704 - it is our own


def escape_markdown(text: object) -> Markup:
    r"""Return text that Markdown shows as it is.

    >>> print(escape_markdown("a|b <script> *c*"))
    a\|b \<script\> \*c\*
    """
    return Markup(_MARKDOWN.sub(r"\\\1", visible(" ".join(str(text).split()))))  # noqa: S704 - escaped here


def prose(text: str) -> Markup:
    """Return text with parts between backquotes as code.

    >>> print(prose("Ask `optmech <design>` first."))
    Ask <code>optmech &lt;design&gt;</code> first.
    """
    pieces = [escape(_line(piece)) for piece in text.split("`")]
    if len(pieces) % 2 == 0:  # a single backquote is no mark
        pieces[-2:] = [pieces[-2] + "`" + pieces[-1]]
    code = Markup("<code>{}</code>")
    return Markup("").join(code.format(piece) if index % 2 else piece for index, piece in enumerate(pieces))


def command(text: str) -> Markup:
    """Return a command whose options stay on one line each.

    >>> print(command("optmech card a<b.json --out x"))
    optmech card a&lt;b.json <span>--out</span> x
    """
    pieces = _OPTION.split(visible_lines(text))
    span = Markup("<span>{}</span>")
    return Markup("").join(span.format(piece) if index % 2 else piece for index, piece in enumerate(pieces))


def data(content: Mapping[str, Any], id_: str) -> Markup:
    r"""Return JSON that a script reads; nothing in it can end its element.

    >>> print(data({"name": "</script>"}, "it"))
    <script type="application/json" id="it">{"name":"\u003c/script\u003e"}</script>
    """
    text = visible_json(json.dumps(content, separators=(",", ":"), ensure_ascii=False, allow_nan=False))
    element = Markup('<script type="application/json" id="{}">{}</script>')
    return element.format(id_, Markup(text.translate(_IN_SCRIPTS)))  # noqa: S704 - it holds no markup now


@cache
def _environment(kind: str) -> Environment:
    """Return the template environment of a kind, which escapes all but markup."""
    environment = Environment(
        loader=_LOADER,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        finalize=partial(_escaped, escape_markdown if kind == "md" else _line),
    )
    environment.filters |= {"command": command, "prose": prose, "quoted": quote, "visible": visible}
    return environment


def _escaped(write: Callable[[str], str], value: object) -> object:
    if value is None or isinstance(value, (Markup, Undefined)):
        return "" if value is None else value
    return write(str(value))


def _line(text: str) -> str:
    """Return text as it stands in a page."""
    return _PER_CENT.sub("\N{NO-BREAK SPACE}", visible_lines(text))
