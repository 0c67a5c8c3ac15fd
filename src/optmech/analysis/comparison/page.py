"""Comparisons as a page of Markdown: a table for each question, then where the libraries were looked up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.analysis.comparison.libraries import LIBRARIES
from optmech.analysis.comparison.sentences import at_worst, best_default, excess_loss, sentences
from optmech.base.numbers import as_text
from optmech.base.templates import plain_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optmech.analysis.comparison.compare_baselines import Comparison
    from optmech.analysis.comparison.row import Row

__all__ = ["page_text"]


def page_text(comparisons: Mapping[str, Comparison], command: str) -> str:
    """Return the page of comparisons by the title of their questions; `command` is what writes it."""
    libraries = (
        [call.library, call.version, f"`{call.call}`", call.default_of, key, call.remark]
        for key, calls in LIBRARIES.items()
        for call in calls
    )
    content = {
        "command": command,
        "comparisons": comparisons,
        "header": _header,
        "rows": lambda comparison: map(_cells, (comparison.optimum, *comparison.defaults)),
        "sentences": sentences,
        "summary": [_summary(title, comparison) for title, comparison in comparisons.items()],
        "libraries": sorted(libraries),
    }
    return plain_text("optmech.analysis.comparison", "page.md.j2", content)


def _summary(title: str, comparison: Comparison) -> list[str]:
    """Return the best default of a question, and what it loses on average and at the worst truth."""
    best = best_default(comparison)
    if best is None:
        return [title, "none that answers it", "", ""]
    worst = comparison.problem.objective.is_worst
    average = "" if worst else excess_loss(best)
    return [
        title,
        best.name,
        average,
        excess_loss(best) if worst else f"{at_worst(comparison, best)} the optimum",
    ]


def _header(comparison: Comparison) -> list[str]:
    far = [] if comparison.beyond is None else [f"P(error > {as_text(comparison.beyond)})"]
    ends = ["loses", "effective ε", "keeps its promise"]
    return ["mechanism", "library", "on average", "worst truth", *far, *ends]


def _cells(row: Row) -> list[str]:
    optimum = row.key == "optimum"
    far = [] if row.beyond is None else [f"{row.beyond:.3g}"]
    suffix = "" if row.made_for_delta is None else f", δ = {float(row.made_for_delta):g}"
    cells = ["yes" if row.private else row.privacy]
    return [
        f"**{row.name}**, {row.provenance}" if optimum else f"{row.name}{suffix}",
        ", ".join(f"**{call}**" if call.default_of else str(call) for call in row.libraries),
        f"{row.average:.4g}",
        f"{row.worst_loss:.4g}",
        *far,
        "" if optimum else excess_loss(row),
        f"{row.spent_epsilon:.4g}",
        "; ".join([*cells, *(f"not {name}" for name in row.lacks)]),
    ]
