"""A certificate that a visitor opens: proved again, and its question as the page's controls state it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from optmech.base.errors import OptmechError, ProblemError
from optmech.designs.unreleased_answers import unreleased_note
from optmech.mechanisms.certificates.certificate_text import read_certificate_text
from optmech.mechanisms.source import distribution_of, mechanism_of
from optmech.proofs.distribution_certificate import DistributionCertificate
from optmech.reports.card import words_of
from optmech.reports.report.command_candidates import candidates
from optmech.reports.studio.inputs import LOSSES, MOST_COUNTS, MOST_TRUTHS, QUERIES, Inputs, inputs_of

if TYPE_CHECKING:
    from optmech.designs.design import Design
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.proofs.certificate import Certificate
    from optmech.question.problem import Problem

    Answer: TypeAlias = "Design | CertificateReading"

READING = "certificate"
"""What stands in the place of an engine: nobody solves anything."""

LARGEST_FILE = 32 * 2**20
"""Bytes of a certificate that the page takes; one of 401 true answers has a third of that."""
# What a list of choices may say so that a control holds it.
_STATEMENTS = {
    *("range", "records", "records_per_person", "of"),
    *("epsilon", "delta", "loss", "worst_case", "properties"),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CertificateReading:
    """What stands in a certificate, all of it proved again, in so many seconds; it is shown as a `Design` is.

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
        """What was to be least, proved; rounded to a double."""
        return float(self.certificate.objective)


def reading_of(text: str, name: str = "certificate") -> CertificateReading:
    """Return what stands in the text of a certificate, with everything in it proved again.

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
    size = certificate.problem.query.num_truths
    if size > MOST_TRUTHS and isinstance(certificate, DistributionCertificate):
        return distribution_of(certificate)
    return mechanism_of(certificate)


def inputs_for(problem: Problem) -> Inputs | None:
    """Return the inputs that ask this very question, ``None`` where no controls of the page state it."""
    for query, choices in candidates(problem):
        if query not in QUERIES or not choices.keys() <= _STATEMENTS:
            continue
        try:
            inputs = inputs_of(_values(query, choices))
            if _question_of(inputs.problem()) == _question_of(problem):
                return inputs
        except (OptmechError, ValueError):  # beyond a bound of the page, or no whole number
            continue
    return None


def _values(query: str, choices: dict[str, Any]) -> dict[str, object]:
    """Return choices of `named_problem` as values of controls."""
    values: dict[str, object] = {"query": query}
    for name, value in choices.items():
        match name:
            case "range":
                values["smallest"], values["largest"] = map(int, value.rsplit(":", 1))
            case "of":
                values["categories"] = ", ".join(value)
            case "worst_case":
                values["judged"] = "worst"
            case "records_per_person":
                values["per_person"] = value
            case "loss" if value not in LOSSES:
                values["loss"], values["beyond"] = "beyond", int(value.removeprefix("beyond "))
            case _:
                values[name] = value
    return values


def _question_of(problem: Problem) -> tuple[object, ...]:
    """Return all that a question asks, but for numbers that have a name: a table of them may be huge."""
    query, objective = problem.query, problem.objective
    loss = objective.as_loss
    return (
        (query.kind, query.parameters, query.scope, query.symmetric, query.is_weighted),
        (query.truths, query.responses, query.labels),
        problem.structure.content,
        [privacy.content for privacy in problem.privacies],
        (problem.properties, problem.limits, problem.bounds, problem.rules),
        (objective.is_delta, objective.is_worst),
        None if loss is None else (loss.loss_name, loss.weights_name),
    )
