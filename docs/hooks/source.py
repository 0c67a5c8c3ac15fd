"""Code beside its formula: ``{{ source optmech.module.function }}``, or a method, on a separate line."""

from __future__ import annotations

import importlib
import inspect
import re
from textwrap import dedent, indent
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.structure.pages import Page

_MARK = re.compile(r"^( *)\{\{ source ([a-z_.]+)\.([A-Z]\w+\.)?(\w+) \}\}$", re.MULTILINE)


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:  # noqa: ARG001 - mkdocs names it
    """Replace each mark by the source of its function, as it is now."""

    def shown(match: re.Match[str]) -> str:
        module = importlib.import_module(match[2])
        owner = getattr(module, match[3].rstrip(".")) if match[3] else module
        source = dedent(inspect.getsource(getattr(owner, match[4]))).rstrip()
        place = f"src/{match[2].replace('.', '/')}.py"
        return indent(f'```py title="{place}"\n{source}\n```', match[1])

    return _MARK.sub(shown, markdown)
