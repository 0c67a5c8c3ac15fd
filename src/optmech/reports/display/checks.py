"""A report of checks and of theorems: what holds and what fails, with whose word it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.reports.display.markup import care, note, page, table

if TYPE_CHECKING:
    from optmech.verify import Report

__all__ = ["html_of"]

_VERDICTS = {True: "holds", False: "FAILS", None: "note"}


def html_of(report: Report) -> str:
    """Return a row for each check, and one for each theorem."""
    return page(
        repr(report)[1:-1],
        care(report.caution),
        table(
            "Looked at in floating point; a certificate proves.",
            ["check", "verdict", "what was found", "whose word"],
            (
                (check.name, [_VERDICTS[check.holds], check.text, str(check.standing)])
                for check in report.checks
            ),
            texts=range(4),
        ),
        *(
            _theorems(report)
            if report.theorems
            else [note(text) for text in [report.without_theorems] if text]
        ),
    )


def _theorems(report: Report) -> list[str]:
    return [
        table(
            "Theorems that speak of this question, held against the objective.",
            ["theorem", "verdict", "value and difference", "source"],
            ((row.name, [row.verdict, row.text, row.source]) for row in report.theorems),
            texts=range(4),
        )
    ]
