"""A certificate: what exact arithmetic confirmed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.spelled import at_least, at_most
from optmech.mechanisms.mechanism import Mechanism
from optmech.proofs.certificate import reported_facts
from optmech.reports.display.markup import care, details, facts, number, page
from optmech.reports.display.mechanism import matrix_table
from optmech.reports.display.problem import asked

if TYPE_CHECKING:
    from optmech.proofs.certificate import Certificate

__all__ = ["html_of", "proved_facts"]

_PROVED = "proved"
_DIGITS = 10


def html_of(certificate: Certificate) -> str:
    """Return the question, what is proved of its answer, and the matrix folded away."""
    return page(
        f"Certificate: {certificate.problem.query.title}, {certificate.problem.privacy}",
        care(certificate.caution),
        asked(certificate.problem, certificate.delta, certificate.delta_of_sets),
        facts(*proved_facts(certificate)),
        details("The matrix", matrix_table(Mechanism.certified(certificate))),
    )


def proved_facts(certificate: Certificate) -> list[tuple[str, str]]:
    """Return what is proved, and below it what the certificate only reports."""
    bound = certificate.bound
    gap = certificate.relative_gap
    return [
        ("objective", number(float(certificate.objective), _PROVED)),
        ("delta spent, at most", f"{at_most(certificate.delta, _DIGITS)} [{_PROVED}]"),
        (
            "no mechanism below",
            "no bound is proved" if bound is None else f"{at_least(bound, _DIGITS)} [{_PROVED}]",
        ),
        ("gap, at most", "" if gap is None else f"{at_most(gap, 2)} of the objective [{_PROVED}]"),
        ("SHA-256 of the matrix", certificate.matrix.sha256()),
        *((name, f"{told} [reported]") for name, told in reported_facts(certificate)),
    ]
