"""Code beside its formula: ``{{ source optmech.module.function }}`` on a line of its own."""

from __future__ import annotations

import importlib
import inspect
import re
from textwrap import indent
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.structure.pages import Page

_MARK = re.compile(r"^( *)\{\{ source ([\w.]+)\.(\w+) \}\}$", re.MULTILINE)


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:  # noqa: ARG001 - mkdocs names it
    """Replace each mark by the source of its function, as it is now."""

    def shown(match: re.Match[str]) -> str:
        function = getattr(importlib.import_module(match[2]), match[3])
        source = inspect.getsource(function).rstrip()
        place = f"src/{match[2].replace('.', '/')}.py"
        return indent(f'```py title="{place}"\n{source}\n```', match[1])

    return _MARK.sub(shown, markdown)
