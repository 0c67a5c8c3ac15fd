"""Every parser of the command line."""

from __future__ import annotations


def all_parsers(parser):
    """Yield a parser and all that can follow."""
    yield parser
    for child in parser.children().values():
        yield from all_parsers(child)
