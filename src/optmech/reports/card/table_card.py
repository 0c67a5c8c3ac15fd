"""The card of the noise of a whole table as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.question.tables.table_problem import Goal
from optmech.reports.markup import render
from optmech.reports.table_facts import (
    MARGIN_HEAD,
    bound_text,
    margin_rows,
    noise_name,
    objective_text,
    spent_text,
)

if TYPE_CHECKING:
    from optmech.mechanisms.tables.table_certificate import TableCertificate


def table_card(certificate: TableCertificate) -> str:
    """Return the card of a certified table: its person, its errors, and its lower bound.

    >>> from optmech import design, table
    >>> print(table_card(design(table({"sex": ["f", "m"]}, epsilon=1)).certificate).splitlines()[0])
    # Mechanism card: table sex 2
    """
    goal = certificate.problem.goal
    text = render(
        "table_card.md",
        **table_words(certificate),
        problem=certificate.problem,
        goal=goal if isinstance(goal, Goal) else "the sum of variances with weights",
        margin_head=MARGIN_HEAD,
    )
    return f"{text}\n"


def table_words(certificate: TableCertificate) -> dict[str, object]:
    """Return what is proved of the noise of a table, in words for a template."""
    return {
        "title": certificate.problem.title,
        "person": str(certificate.problem.person),
        "spent": spent_text(certificate),
        "noise": noise_name(certificate),
        "objective": objective_text(certificate),
        "margins": margin_rows(certificate),
        "bound": bound_text(certificate),
    }
