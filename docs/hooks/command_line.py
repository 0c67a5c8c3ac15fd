"""The page of all commands, from the parsers themselves: what `--help` says, word for word."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

    from optmech.cli.command_parser import CommandParser

_PAGE = "reference/command-line.md"
_LEAD = """\
# Command line

The texts of `optmech --help` and `optmech COMMAND --help`, written here when this site is built. Exit codes:
0 done; 1 the answer is no; 2 bad input. With `--json` a command prints one JSON object, whatever happens.

"""
_COLUMNS = "96"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page."""
    files.append(File.generated(config, _PAGE, content=command_line_page()))
    return files


def command_line_page() -> str:
    """Return the page as Markdown."""
    from optmech.cli.commands import build_parser  # noqa: PLC0415 - other hooks need no command line

    before = {name: os.environ.get(name) for name in ("COLUMNS", "NO_COLOR")}
    os.environ |= {"COLUMNS": _COLUMNS, "NO_COLOR": "1"}
    try:
        return _LEAD + "\n".join(_sections(build_parser(), 2))
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _sections(parser: CommandParser, level: int) -> Iterator[str]:
    """Yield a section for a parser, and each of its commands; none for one whose files may come first."""
    if not getattr(parser, "has_files", False):
        yield f"{'#' * min(level, 4)} {parser.prog}\n\n```text\n{parser.format_help().rstrip()}\n```\n"
    for child in parser.children().values():
        yield from _sections(child, level + 1)
