"""Tables of text, written as Markdown: what is printed is what is committed."""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["Table", "figure", "line", "markdown", "rule"]

DIGITS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Cells of text under a title, with what must be known to read them.

    Attributes
    ----------
    title : str
        The content of the table.
    header : tuple of str
        One name for each column.
    rows : tuple of tuple of str
        As many cells each as there are columns.
    notes : tuple of str
        Sentences below the table.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Hold each row to the header."""
        for row in self.rows:
            if len(row) != len(self.header):
                message = f"a row must have {len(self.header)} cells, as the header; got {len(row)}: {row}."
                raise ValueError(message)


def figure(value: float, digits: int = DIGITS) -> str:
    """Return a number with so many significant digits, the same on every machine.

    Examples
    --------
    >>> figure(1.06053719651), figure(0.0), figure(2.5e-9), figure(float("inf"))
    ('1.06054', '0', '2.5e-09', 'inf')
    """
    return "0" if value == 0 else f"{value:.{digits}g}" if math.isfinite(value) else str(value)


def markdown(table: Table) -> str:
    """Return the table as Markdown, aligned for readers of the plain text too.

    Examples
    --------
    >>> print(markdown(Table(title="Sizes", header=("n", "rows"), rows=(("5", "66"),))), end="")
    ### Sizes
    <BLANKLINE>
    | n | rows |
    |---|------|
    | 5 | 66   |
    """
    cells = [table.header, *table.rows]
    widths = [max(len(row[place]) for row in cells) for place in range(len(table.header))]
    lines = [line(row, widths) for row in cells]
    lines.insert(1, rule(widths))
    notes = [f"\n{note}" for note in table.notes]
    return "\n".join([f"### {table.title}\n", *lines, *notes]) + "\n"


def line(row: tuple[str, ...], widths: list[int]) -> str:
    """Return a row of cells, each at least so wide."""
    return "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"


def rule(widths: list[int]) -> str:
    """Return the line between the header and the rows."""
    return "|" + "|".join("-" * (width + 2) for width in widths) + "|"
