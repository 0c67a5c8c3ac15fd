"""Lists and numbers of things as they stand in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MOST_NAMES = 6


def join_words(parts: Iterable[str], word: str = "and") -> str:
    """Return parts as a list in a sentence.

    >>> join_words("abc"), join_words("ab", "or"), join_words("a")
    ('a, b and c', 'a or b', 'a')
    """
    *first, last = parts
    return f"{', '.join(first)} {word} {last}" if first else last


def shorten(values: Sequence[str], most: int = _MOST_NAMES) -> str:
    """Return a list of texts, its middle left out where it is long."""
    return ", ".join(values) if len(values) <= most else f"{', '.join(values[:2])}, …, {values[-1]}"


def plural(count: int, one: str, many: str = "") -> str:
    """Return a number with its noun.

    >>> plural(1, "record"), plural(2_000, "record"), plural(3, "person", "persons")
    ('1 record', '2,000 records', '3 persons')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"
