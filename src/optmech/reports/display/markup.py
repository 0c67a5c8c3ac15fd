"""Pieces of HTML: escaped, styled in place, and legible on a light or a dark ground.

Styles stand at the elements: a style sheet would reach into the notebook around it, or be taken out.
Colours are half transparent, so that text keeps the colour and the contrast of its surroundings.
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, NamedTuple

from optmech.base.visible import visible_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Shaded", "care", "details", "facts", "note", "number", "page", "table"]

_LINE = "1px solid rgba(128,128,128,.5)"
_CELL = "padding:.15em .6em;border:none;vertical-align:top;text-align:"
_TABLE = "border-collapse:collapse;margin:.4em 0;border:none;font-variant-numeric:tabular-nums"
_QUIET = "opacity:.8"
# Notebooks stripe their tables, and stripes would be taken for shades.
_ROW = '<tr style="background:none">'
# The strongest shade still leaves black and white text a contrast of 9 to 1.
_STRONGEST = 0.5


class Shaded(NamedTuple):
    """A cell of a table: text on a ground as strong as its share, from 0 to 1, says."""

    text: str
    share: float


def page(title: str, *parts: str) -> str:
    """Return parts, which are HTML, under a title, which is text."""
    head = f'<div style="font-weight:600;margin-bottom:.3em">{_text(title)}</div>'
    return f'<div style="line-height:1.4;max-width:60em">{head}{"".join(parts)}</div>'


def note(text: str, *, quiet: bool = False) -> str:
    """Return a paragraph of text.

    Examples
    --------
    >>> note("1 < 2")
    '<p style="margin:.3em 0;">1 &lt; 2</p>'
    """
    return f'<p style="margin:.3em 0;{_QUIET if quiet else ""}">{_text(text)}</p>'


def care(caution: str | None) -> str:
    """Return a caution as a paragraph in amber, nothing where there is none.

    Examples
    --------
    >>> care(None), care("Caution: 1 < 2").partition(">")[2]
    ('', 'Caution: 1 &lt; 2</p>')
    """
    if not caution:
        return ""
    amber = "font-weight:600;border-left:4px solid #d98e00;padding-left:.6em"
    return f'<p style="margin:.3em 0;{amber}">{_text(caution)}</p>'


def number(value: float, whose: str) -> str:
    """Return a number with whose word it is, as text.

    Examples
    --------
    >>> number(0.125, "proved")
    '0.125 [proved]'
    """
    return f"{value:.10g} [{whose}]"


def facts(*told: tuple[str, str]) -> str:
    """Return what is so, by name, all of it text; facts without text are left out."""
    rows = "".join(
        f'{_ROW}<th scope="row" style="{_CELL}left;font-weight:normal;white-space:nowrap;{_QUIET}">'
        f'{_text(name)}</th><td style="{_CELL}left;overflow-wrap:anywhere">{_text(text.strip())}</td></tr>'
        for name, text in told
        if text.strip()
    )
    return f'<table style="{_TABLE}"><tbody>{rows}</tbody></table>'


def table(
    caption: str,
    head: Sequence[str],
    rows: Iterable[tuple[str, Sequence[str | Shaded]]],
    *,
    texts: Sequence[int],
) -> str:
    """Return a table; what it is made of is text.

    Parameters
    ----------
    caption : str
        What stands over the table.
    head : sequence of str
        Names of the columns.
    rows : iterable of (str, sequence of str or Shaded)
        The name of each row, and its further cells.
    texts : sequence of int
        Columns set to the left, as text is; numbers are set to the right.
    """
    sides = ["left" if column in texts else "right" for column in range(len(head))]
    tops = "".join(
        f'<th scope="col" style="{_CELL}{side};border-bottom:{_LINE}">{_text(name)}</th>'
        for name, side in zip(head, sides, strict=True)
    )
    lines = "".join(
        f'{_ROW}<th scope="row" style="{_CELL}{sides[0]};font-weight:600">{_text(name)}</th>'
        f"{_cells(cells, sides)}</tr>"
        for name, cells in rows
    )
    return (
        f'<div style="overflow-x:auto"><table style="{_TABLE}">'
        f'<caption style="caption-side:top;color:inherit;text-align:left;padding:.2em 0;{_QUIET}">'
        f"{_text(caption)}</caption>"
        f"<thead>{_ROW}{tops}</tr></thead><tbody>{lines}</tbody></table></div>"
    )


def details(summary: str, content: str) -> str:
    """Return HTML that is folded away under a line of text."""
    return f'<details style="margin:.3em 0"><summary>{_text(summary)}</summary>{content}</details>'


def _cells(cells: Sequence[str | Shaded], sides: Sequence[str]) -> str:
    made = []
    for cell, side in zip(cells, sides[1:], strict=True):
        text, share = cell if isinstance(cell, Shaded) else (cell, 0.0)
        ground = f";background:rgba(64,132,214,{_STRONGEST * share:.2f})" if share else ""
        wrap = ";white-space:nowrap" if side == "right" else ""
        made.append(f'<td style="{_CELL}{side}{wrap}{ground}">{_text(text)}</td>')
    return "".join(made)


def _text(text: str) -> str:
    return html.escape(visible_lines(text))
