"""Code beside its formula: a link to it on a separate line becomes the code itself.

In a clone ``Code: [`Fair.blocks`](../../src/optmech/question/properties/equalities.py)`` is a link. On the
site it is the source of that function or method, as it is now. Where the link has a title, and the name
behind a ``#``, the code is folded below its title; so is a whole file that is no Python.
"""

from __future__ import annotations

import importlib
import inspect
import re
from operator import attrgetter
from pathlib import Path
from textwrap import dedent, indent
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.structure.pages import Page

_ROOT = Path(__file__).parents[2]
_MARK = re.compile(r"^Code: \[(.+)\]\((?:\.\./)+([\w/]+\.(?:py|mod))(?:#([\w.]+))?\)$", re.MULTILINE)


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:  # noqa: ARG001 - mkdocs names it
    """Replace each link by the code that it points to."""
    return _MARK.sub(_shown, markdown)


def _shown(match: re.Match[str]) -> str:
    title, path, name = match.groups()
    if path.endswith(".py"):
        module = importlib.import_module(path.removeprefix("src/").removesuffix(".py").replace("/", "."))
        source = dedent(inspect.getsource(attrgetter(name or title.strip("`"))(module)))
    else:
        source = (_ROOT / path).read_text(encoding="utf-8")
    kind = "py" if path.endswith(".py") else "ampl"
    block = f'```{kind} title="{path}"\n{source.rstrip()}\n```'
    if not name and kind == "py":
        return block
    return f'??? abstract "{title[0].upper()}{title[1:]}"\n\n{indent(block, "    ")}'
