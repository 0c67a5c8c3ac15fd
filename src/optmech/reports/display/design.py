"""A design: the question, its answer, and whose word each number is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.proofs.usual import delta_of_sets
from optmech.question.words import words_of
from optmech.reports.display.certificate import proved_facts
from optmech.reports.display.markup import care, details, facts, note, number, page
from optmech.reports.display.mechanism import matrix_table
from optmech.reports.display.problem import asked

if TYPE_CHECKING:
    from optmech.designs.design import Design

__all__ = ["html_of"]


def html_of(design: Design) -> str:
    """Return the numbers and the matrix; the question is folded away, for who designs has just asked it."""
    certificate = design.certificate
    told = (
        [
            ("objective", number(design.objective, design.objective_standing)),
            ("no mechanism below", number(design.lower_bound, design.lower_bound_standing)),
            (
                "take care",
                "This is the raw answer of an engine, in doubles: nothing is proved, privacy least of all.",
            ),
        ]
        if certificate is None
        else proved_facts(certificate)
    )
    return page(
        f"Design: {design.problem.query.title}, {design.problem.privacy}",
        care(design.caution),
        details(
            "The question in words",
            asked(design.problem)
            if certificate is None
            else asked(design.problem, certificate.delta, delta_of_sets(certificate)),
        ),
        facts(
            ("wanted", words_of(design.problem).objective),
            *told,
            ("found by", f"{design.engine}, in {design.seconds:.2g} seconds"),
        ),
        *(note(text) for text in design.notes),
        matrix_table(design.mechanism),
    )
