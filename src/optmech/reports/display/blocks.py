"""Parts of a page in a notebook: paragraphs, facts, tables, folded sections. All of it is text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from optmech.reports.markup import render

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Shade(NamedTuple):
    """A cell of a table: text on a ground as strong as its share, from 0 to 1, says."""

    text: str
    share: float


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; `look` is empty, ``"quiet"`` or ``"care"``."""

    kind: ClassVar[str] = "paragraph"
    text: str
    look: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts by name; those without text are left out."""

    kind: ClassVar[str] = "facts"
    pairs: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Table:
    """A table: names of columns, and the name of each row with its further cells.

    Columns of `texts` are set to the left, as text is; numbers are set to the right.
    """

    kind: ClassVar[str] = "table"
    caption: str
    head: Sequence[str]
    rows: Iterable[tuple[str, Sequence[str | Shade]]]
    texts: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Fold:
    """Blocks that are folded away under a line of text."""

    kind: ClassVar[str] = "folded"
    summary: str
    blocks: Sequence[Block]


Block = Paragraph | Facts | Table | Fold
"""Any of them."""


def page(title: str, *blocks: Block | None) -> str:
    """Return blocks under a title as HTML; ``None`` is left out."""
    return str(render("notebook.html", title=title, blocks=[block for block in blocks if block is not None]))


def care(caution: str | None) -> Paragraph | None:
    """Return a caution as a paragraph with a special look, nothing where there is none."""
    return Paragraph(caution, "care") if caution else None


def number(value: float, whose: str) -> str:
    """Return a number with its provenance, as text, such as ``0.125 [proved]``."""
    return f"{value:.10g} [{whose}]"
