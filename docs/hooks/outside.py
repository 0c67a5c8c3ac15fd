"""Pages of the site from outside `docs/`: the changelog, the algebra, tables, and the checker."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

_ROOT = Path(__file__).parents[2]
# From the project's root to where the site has it.
_PAGES = {
    "CHANGELOG.md": "changelog.md",
    "formulations/README.md": "theory/algebra.md",
    "benchmarks/tables/definitions.md": "theory/definitions.md",
    "benchmarks/tables/scale.csv": "files/scale.csv",
    "coq/README.md": "theory/proved-checker.md",
    "check_certificate.py": "files/check_certificate.py",
    "check_noise.py": "files/check_noise.py",
    "check_laws.py": "files/check_laws.py",
    "check_levels.py": "files/check_levels.py",
    "check_table.py": "files/check_table.py",
}
_LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)]*)?(\))")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages from outside."""
    for source, target in _PAGES.items():
        files.append(File.generated(config, target, content=(_ROOT / source).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Point links that leave `docs/` to where the site has what they mean."""
    here = _source_of(page.file.src_uri)
    folder = posixpath.dirname(page.file.src_uri)

    def pointed(match: re.Match[str]) -> str:
        meant = posixpath.normpath(posixpath.join(posixpath.dirname(here), match[2]))
        target = _PAGES.get(meant, meant.removeprefix("docs/") if meant.startswith("docs/") else None)
        if target is None or "://" in match[2]:
            return match[0]
        return f"{match[1]}{posixpath.relpath(target, folder or '.')}{match[3] or ''}{match[4]}"

    return _LINK.sub(pointed, markdown)


def _source_of(page: str) -> str:
    """Return where in the project a page of the site is written."""
    return next((source for source, target in _PAGES.items() if target == page), f"docs/{page}")
