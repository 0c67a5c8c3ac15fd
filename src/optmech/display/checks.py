"""A report of checks: what holds and what fails, with whose word it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.display.line import line_of
from optmech.display.markup import care, page, table

if TYPE_CHECKING:
    from optmech.verify import Report

__all__ = ["html_of"]

_VERDICTS = {True: "holds", False: "FAILS", None: "note"}


def html_of(report: Report) -> str:
    """Return a row for each check."""
    return page(
        line_of(report)[1:-1],
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
    )
