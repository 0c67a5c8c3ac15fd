"""Pages of the site from outside `docs/`: the README, the changelog, the algebra, tables, and the checker."""

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
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
    "formulations/README.md": "theory/algebra.md",
    "benchmarks/tables/definitions.md": "theory/definitions.md",
    "benchmarks/tables/scale.csv": "files/scale.csv",
    "coq/README.md": "theory/proved-checker.md",
    "check_certificate.py": "files/check_certificate.py",
    "check_noise.py": "files/check_noise.py",
    "check_quantile.py": "files/check_quantile.py",
    "check_laws.py": "files/check_laws.py",
    "check_levels.py": "files/check_levels.py",
    "check_table.py": "files/check_table.py",
}
_LINK = re.compile(r"\[([^\]]*)\]\(([^)\s#]+)(#[^)]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages from outside."""
    for source, target in _PAGES.items():
        files.append(File.generated(config, target, content=(_ROOT / source).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Point links that leave `docs/` to where the site has what they mean; leave out what it has not."""
    here = _source_of(page.file.src_uri)
    folder = posixpath.dirname(page.file.src_uri)

    def pointed(match: re.Match[str]) -> str:
        text, path, place = match[1], match[2], match[3] or ""
        if "://" in path:
            return match[0]
        meant = posixpath.normpath(posixpath.join(posixpath.dirname(here), path))
        target = _PAGES.get(meant, meant.removeprefix("docs/") if meant.startswith("docs/") else None)
        if target is None:  # the site does not have it; only a page from outside may name it
            return match[0] if here.startswith("docs/") else text
        return f"[{text}]({posixpath.relpath(target, folder or '.')}{place})"

    return _LINK.sub(pointed, markdown)


def _source_of(page: str) -> str:
    """Return where in the project a page of the site is written."""
    return next((source for source, target in _PAGES.items() if target == page), f"docs/{page}")
