"""Comparisons as a page of Markdown: a table for each question, then where the libraries were looked up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.analysis.comparison.libraries import LIBRARIES
from optmech.analysis.comparison.sentences import lost, sentences
from optmech.base.numbers import as_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from optmech.analysis.comparison.held import Comparison
    from optmech.analysis.comparison.row import Row

__all__ = ["page_text"]

_HEAD = """# What library defaults lose

For each question: the loss to expect of each mechanism that a library has, under the question's own loss and
prior, beside the proved optimum. *Loses* is how much more a mechanism costs than the optimum. What a library
releases is clamped to the range of answers and rounded to the nearest one. Losses of mechanisms are
*recomputed* in floating point from their matrices, the optimum is *proved* in exact arithmetic; the effective
ε counts zeros. A call in **bold** is what some query of its library takes by default: see the last table.

This page is written by `{command}`.
"""
_LOOKED_UP = """## Where the libraries were looked up

"""


def page_text(comparisons: Mapping[str, Comparison], command: str) -> str:
    """Return the page.

    Parameters
    ----------
    comparisons : mapping of str to Comparison
        By the title of each question.
    command : str
        What writes this page.
    """
    parts = [_HEAD.format(command=command)]
    parts += [_question(title, comparison) for title, comparison in comparisons.items()]
    return "\n".join([*parts, _LOOKED_UP + _libraries()])


def _question(title: str, comparison: Comparison) -> str:
    far = [] if comparison.beyond is None else [f"P(error > {as_text(comparison.beyond)})"]
    header = [
        "mechanism",
        "library",
        "on average",
        "worst truth",
        *far,
        "loses",
        "effective ε",
        "keeps its promise",
    ]
    rows = [_cells(row) for row in (comparison.optimum, *comparison.defaults)]
    lines = [*_table(header, rows), "", sentences(comparison)[0], ""]
    return f"## {title}\n\n`{comparison.problem}`\n\n" + "\n".join(lines)


def _cells(row: Row) -> list[str]:
    optimum = row.key == "optimum"
    far = [] if row.beyond is None else [f"{row.beyond:.3g}"]
    made = "" if row.made_for_delta is None else f", δ = {float(row.made_for_delta):g}"
    kept = ["yes" if row.private else row.privacy]
    return [
        f"**{row.name}**, {row.standing}" if optimum else f"{row.name}{made}",
        ", ".join(f"**{call}**" if call.default_of else str(call) for call in row.libraries),
        f"{row.average:.4g}",
        f"{row.worst_loss:.4g}",
        *far,
        "" if optimum else lost(row),
        f"{row.spent_epsilon:.4g}",
        "; ".join([*kept, *(f"not {name}" for name in row.lacks)]),
    ]


def _libraries() -> str:
    header = ["library", "version", "call", "default of", "here", "remark"]
    rows = [
        [call.library, call.version, f"`{call.call}`", call.default_of, key, call.remark]
        for key, calls in LIBRARIES.items()
        for call in calls
    ]
    return "\n".join(_table(header, sorted(rows))) + "\n"


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [_line(header), "|" + "---|" * len(header), *map(_line, rows)]


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
