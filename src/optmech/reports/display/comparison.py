"""A comparison: what is in use beside the optimum."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.analysis.comparison.sentences import lost, sentences
from optmech.reports.display.markup import note, page, table

if TYPE_CHECKING:
    from optmech.analysis.comparison.held import Comparison
    from optmech.analysis.comparison.row import Row

__all__ = ["html_of"]


def html_of(comparison: Comparison) -> str:
    """Return a row for each mechanism, the optimum first."""
    first, *_ = sentences(comparison)
    head = [
        "mechanism",
        "in",
        "on average",
        "worst truth",
        "loses",
        "effective epsilon",
        "keeps its promise",
        "whose word",
    ]
    return page(
        f"Comparison: {comparison.problem.query.title}, {comparison.problem.privacy}",
        note(first),
        table(
            "Expected loss, in units of the loss; what it loses is a share of the optimum",
            head,
            ((row.name, _cells(row)) for row in (comparison.optimum, *comparison.rows)),
            texts=(0, 1, 6, 7),
        ),
    )


def _cells(row: Row) -> list[str]:
    kept = [
        "yes" if row.private else row.privacy.replace("not private", "NOT PRIVATE"),
        *(f"not {name}" for name in row.lacks),
    ]
    return [
        ", ".join(map(str, row.libraries)),
        f"{row.average:.4g}",
        f"{row.worst_loss:.4g}",
        "" if row.key == "optimum" else lost(row),
        f"{row.spent_epsilon:.6g}",
        ", ".join(kept),
        row.standing,
    ]
