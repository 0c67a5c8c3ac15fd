"""A certificate that a visitor opens: proved again, and its question as the page's controls state it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from optmech.base.errors import OptmechError, ProblemError
from optmech.designs.unreleased_answers import unreleased_note
from optmech.mechanisms.certificates.certificate_text import read_certificate_text
from optmech.mechanisms.source import mechanism_of
from optmech.reports.card import words_of
from optmech.reports.studio.inputs import MOST_COUNTS, MOST_TRUTHS, Inputs, inputs_of
from optmech.reports.studio.stated import values_of

if TYPE_CHECKING:
    from optmech.designs.design import Design
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.proofs.certificate import Certificate
    from optmech.question.problem import Problem

    Answer: TypeAlias = "Design | CertificateReading"

READING = "certificate"
"""Text in place of an engine: nothing is solved."""

LARGEST_FILE = 32 * 2**20
"""Bytes of a certificate that the page takes; one of 401 true answers has a third of that."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CertificateReading:
    """The content of a certificate, proved again, with the seconds that took; shown like a `Design`.

    A matrix that is too large for a page is a distribution here.
    """

    certificate: Certificate
    mechanism: Mechanism
    seconds: float
    notes: tuple[str, ...]
    engine: str = READING

    @property
    def problem(self) -> Problem:
        """The question."""
        return self.certificate.problem

    @property
    def objective(self) -> float:
        """The objective, proved; rounded to a double."""
        return float(self.certificate.objective)


def reading_of(text: str, name: str = "certificate") -> CertificateReading:
    """Return the reading of a certificate's text, with everything in it proved again.

    FileFormatError if it is none, VerificationError if something in it does not hold, ProblemError if it has
    too many true answers to be shown.
    """
    start = time.perf_counter()
    certificate = read_certificate_text(text, name)
    size = certificate.problem.query.num_truths
    if size > MOST_COUNTS:
        message = (
            f"`{name}` must have at most {MOST_COUNTS:,} true answers in the studio; got {size:,}. "
            "Use `optmech report`."
        )
        raise ProblemError(message)
    mechanism = shown_mechanism(certificate)
    problem = certificate.problem
    notes = (*words_of(problem).cautions, *filter(None, [unreleased_note(problem, mechanism)]))
    return CertificateReading(
        certificate=certificate, mechanism=mechanism, notes=notes, seconds=time.perf_counter() - start
    )


def shown_mechanism(certificate: Certificate) -> Mechanism:
    """Return the mechanism of a certificate, beyond `MOST_TRUTHS` as a distribution where it is one.

    A matrix of a million entries is too much to hand over; its distribution is some kilobytes.
    """
    return mechanism_of(certificate, most_truths=MOST_TRUTHS)


def inputs_for(problem: Problem) -> Inputs | None:
    """Return the inputs that ask this very question, ``None`` where no controls of the page state it."""
    table = problem.to_dict()
    try:
        inputs = inputs_of(values_of(table))
        return inputs if inputs.problem().to_dict() == table else None
    except (OptmechError, ValueError):  # beyond a bound of the page, or no whole number
        return None
