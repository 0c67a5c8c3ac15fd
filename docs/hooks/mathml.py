"""Formulas become MathML while the site is built: a reader needs no script, and no server but its own."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from latex2mathml.converter import convert
from mkdocs.exceptions import PluginError

if TYPE_CHECKING:
    from mkdocs.structure.pages import Page

# The form that `pymdownx.arithmatex` gives $...$ and $$...$$.
_FORMULA = re.compile(
    r'<(?P<tag>span|div) class="arithmatex">\\[\(\[](?P<latex>.*?)\\[\)\]]</(?P=tag)>', re.DOTALL
)
# A converter that does not know a word lets it through.
_UNKNOWN = re.compile(r"<m[ion]>(?:&|\\[a-zA-Z]+)</m[ion]>|\\[a-zA-Z]")


def on_page_content(content: str, page: Page, **_: object) -> str:
    """Replace each formula by MathML, its LaTeX beside it for who copies it."""

    def rendered(match: re.Match[str]) -> str:
        latex = html.unescape(match["latex"]).strip()
        block = match["tag"] == "div"
        mathml = convert(latex, display="block" if block else "inline")
        if _UNKNOWN.search(mathml):
            message = f"{page.file.src_uri}: a formula has what cannot be shown: {latex}"
            raise PluginError(message)
        return f'<{match["tag"]} class="math">{mathml}</{match["tag"]}>'

    return _FORMULA.sub(rendered, content)
