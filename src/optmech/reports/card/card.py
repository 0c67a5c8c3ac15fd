"""A mechanism card: the facts to approve a mechanism, each number with its provenance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import singledispatch
from typing import TYPE_CHECKING, Any

from optmech.base.arguments import an_instance, optional, takes
from optmech.base.errors import ProblemError
from optmech.base.number_format import plain
from optmech.base.numbers import as_text
from optmech.base.provenance import Provenance
from optmech.base.version import __version__
from optmech.mechanisms.certificates.certificate_text import certificate_sha256
from optmech.mechanisms.noise_mechanism import NoiseMechanism
from optmech.mechanisms.source import MechanismSource, source_of
from optmech.proofs.privacy import both_ways
from optmech.question.epsilon import exact_epsilon
from optmech.question.privacy.loss import largest_hockey_stick
from optmech.question.problem import Problem
from optmech.question.properties import ZERO_STAYS_ZERO
from optmech.question.words import Words, words_of
from optmech.release.tables.changes import ALL_ROWS, NUMBERS_ALONE
from optmech.release.tables.law_of_source import law_of
from optmech.release.tables.person import person_spending
from optmech.release.tabulate.bound import PersonBound
from optmech.reports.card.caveats import caveats_of, caveats_of_person
from optmech.reports.card.errors import Errors, errors_of
from optmech.reports.card.facts import (
    MatrixFacts,
    Origin,
    PersonFacts,
    PrivacyFacts,
    ProofFacts,
    SamplingFacts,
)
from optmech.reports.card.number import Number
from optmech.reports.card.proofs import minimised_of, noise_facts, privacy_facts, proof_facts, truths_summed
from optmech.verify import Report, verify

if TYPE_CHECKING:
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.proofs.certificate import Certificate
    from optmech.reports.card.proofs import Parts

_SAMPLING = SamplingFacts(
    distribution="Drawn from the matrix in whole numbers, without floating point: a draw has exactly the "
    "distribution of its column.",
    randomness="The operating system's. With a seed, which is for experiments, draws are not private.",
    timing="The time of a draw may depend on its result, unless constant time is asked for.",
)

_OF_ALL_ROWS = (
    "All numbers here are of all draws, those that come out as 0 too. Where rows with the answer 0 are left "
    "out, those of the rows that are shown are others; intervals that `apply` writes hold for shown rows."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """The facts about a mechanism.

    Attributes
    ----------
    certified : bool
        Whether privacy and objective are proved. Without that every number is recomputed from doubles.
    words : Words
        The question in plain words.
    query : str
        Name of the query; told.
    question : dict
        The question as `Problem.to_dict` returns it: `Problem.from_dict` gives the problem back.
    privacy, mechanism, errors, proof, sampling, origin
        The facts; see each class.
    person : PersonFacts or None
        The loss of one person in all cells of a table, by its bound; ``None`` without a table.
    failures : tuple of str
        The requirements that it violates, each with the numbers.
    caveats : tuple of str
        The limits of the guarantee, a sentence or two each.

    Examples
    --------
    >>> from optmech import count, croft, design
    >>> card = card_of(design(croft(count(5), "0.5", variant=2)))
    >>> card.privacy.epsilon.exact, str(card.privacy.epsilon.provenance), card.privacy.delta.value
    ('0.5', 'proved', 0.0)
    >>> errors = card.errors
    >>> round(errors.truth_probability.value, 3), round(errors.worst_mean.value, 3), errors.worst_truth
    (0.315, 1.288, '0')
    """

    certified: bool
    words: Words
    query: str
    question: dict[str, Any]
    privacy: PrivacyFacts
    mechanism: MatrixFacts
    errors: Errors
    proof: ProofFacts
    sampling: SamplingFacts
    origin: Origin
    failures: tuple[str, ...]
    caveats: tuple[str, ...]
    person: PersonFacts | None = None


@takes(problem=optional(an_instance(Problem)), bound=optional(an_instance(PersonBound)))
def card_of(
    source: MechanismSource, problem: Problem | None = None, *, bound: PersonBound | None = None
) -> Card:
    """Return the card of a mechanism.

    Parameters
    ----------
    source : Design, Certificate or Mechanism
        A certificate is proved when it is read, and exact numbers computed from it are proved. For a
        mechanism of doubles, and for a raw design, everything is recomputed.
    problem : Problem, optional
        The question that a mechanism of doubles is said to answer. A certificate and a design say it
        themselves.
    bound : PersonBound, optional
        The bound of the table of counts that a certified mechanism is for, from `read_bound`: the card says
        what one person spends there.

    Raises
    ------
    ProblemError
        If a mechanism comes without a problem or with one of another shape, or a certificate with one.
    """
    source_parts = source_of(source, "source")
    if source_parts.problem is not None and problem is not None:
        message = "`problem` must be left out with a certificate or a design, which states the question."
        raise ProblemError(message)
    if source_parts.certificate is not None:
        card = _card_of_certificate(source_parts.mechanism, source_parts.certificate)
        if bound is None:
            return card
        person = _person_facts(source_parts.certificate, bound)
        unit = NUMBERS_ALONE if bound.has_public_sizes else ALL_ROWS
        words = replace(card.words, protected=f"{unit} {bound.sentence}")
        caveats = caveats_of(
            words,
            card.privacy,
            card.mechanism,
            card.errors,
            card.proof,
            is_certified=card.certified,
            larger=law_of(source_parts.mechanism, source_parts.certificate).larger_answers,
        )
        return replace(card, words=words, person=person, caveats=(*caveats, *caveats_of_person(person)))
    question = source_parts.problem or problem
    if question is None:
        message = (
            "`problem` must be given with a mechanism of doubles; its matrix does not state the question."
        )
        raise ProblemError(message)
    if bound is not None:
        message = "`bound` must be left out of a mechanism of doubles, of which nothing is proved."
        raise ProblemError(message)
    return _card_of_doubles(source_parts.mechanism, question)


def _person_facts(certificate: Certificate, bound: PersonBound) -> PersonFacts:
    spending = person_spending(certificate, bound)
    delta = Fraction(spending["delta"])
    return PersonFacts(
        epsilon=Number(
            value=float(exact_epsilon(spending["epsilon"])),
            exact=spending["epsilon"],
            provenance=Provenance.REPORTED,
        ),
        delta=Number(value=float(delta), exact=str(delta), provenance=Provenance.REPORTED),
        steps=spending["steps"],
        bound=bound.sentence,
        file=spending["file"],
        text=spending["text"],
    )


def _card_of_certificate(mechanism: Mechanism, certificate: Certificate) -> Card:
    origin = Origin(
        optmech=__version__,
        certificate_sha256=certificate_sha256(certificate),
        made_by=_plain_texts(certificate.made_by),
        repair=_plain_texts(certificate.repair),
        raw=_plain_texts(certificate.raw),
        claimed_bounds=_plain_texts(certificate.claimed_bounds),
    )
    return _certified_card(mechanism, certificate, origin)


@singledispatch
def _certified_card(mechanism: Mechanism, certificate: Certificate, origin: Origin) -> Card:
    return _card_of_matrix(
        mechanism,
        certificate.problem,
        proof_facts(certificate),
        origin,
        delta=Number.of(certificate.delta, Provenance.PROVED),
        delta_of_sets=Number.of(certificate.delta_of_sets, Provenance.PROVED),
        larger=law_of(mechanism, certificate).larger_answers,
    )


@_certified_card.register(NoiseMechanism)
def _(mechanism: NoiseMechanism, certificate: Certificate, origin: Origin) -> Card:
    problem = certificate.problem
    return _card(problem, words_of(problem), noise_facts(mechanism), origin, is_certified=True)


def _card_of_doubles(mechanism: Mechanism, problem: Problem) -> Card:
    report = verify(mechanism, problem, theorems=False)
    if any(check.name == "grid" and check.holds is False for check in report.checks):
        message = f"`problem` must have the truths and responses of the mechanism; {report.failures[0].text}."
        raise ProblemError(message)
    both, query, privacy = both_ways(problem.query), problem.query, problem.privacy
    whole = largest_hockey_stick(mechanism.matrix, both.pairs, privacy.factors(both.weights)).value
    delta = privacy.measure(mechanism.matrix, query.pairs, query.weights).value
    return _card_of_matrix(
        mechanism,
        problem,
        ProofFacts(
            minimised=minimised_of(problem),
            objective=Number.of(problem.value(mechanism.matrix), Provenance.RECOMPUTED),
            bound=None,
            gap=None,
            relative_gap=None,
            how="Nothing is proved of this mechanism.",
            multipliers=0,
            checker="",
            truths_summed=truths_summed(problem),
        ),
        Origin(optmech=__version__, certificate_sha256="", made_by={}, repair={}, raw={}, claimed_bounds={}),
        delta=Number.of(delta, Provenance.RECOMPUTED),
        delta_of_sets=Number.of(whole, Provenance.RECOMPUTED),
        report=report,
    )


def _card_of_matrix(
    mechanism: Mechanism,
    problem: Problem,
    proof: ProofFacts,
    origin: Origin,
    *,
    delta: Number,
    delta_of_sets: Number,
    report: Report | None = None,
    larger: str = "",
) -> Card:
    """Return the card of a mechanism with a matrix; one with a report is none of a certificate."""
    query, both, is_certified = problem.query, both_ways(problem.query), report is None
    failures = () if report is None else report.failures
    criteria = {each.criterion for each in problem.privacies}
    seeks_delta = delta.exact and problem.least_loss is None
    exactly = Fraction(delta_of_sets.exact) if delta_of_sets.exact else delta_of_sets.value
    words = words_of(problem, Fraction(delta.exact) if seeks_delta else None, exactly)
    required = problem.privacy.delta
    privacy = privacy_facts(
        problem,
        Provenance.PROVED if is_certified else Provenance.RECOMPUTED,
        delta=delta,
        delta_required="" if required is None or problem.privacy.is_pure else as_text(required),
        delta_of_sets=delta_of_sets,
        effective_epsilon=Number(
            value=mechanism.privacy_loss(both).value,
            provenance=Provenance.RECOMPUTED,
        ),
        pairs=len(query.pairs),
        heaviest=query.heaviest,
        both_ways=query.symmetric,
        keeps=all(check.name not in criteria for check in failures),
        holds=not failures,
    )
    exact = mechanism.exact  # of doubles, too, though nobody has proved what they keep
    size = MatrixFacts(
        responses=query.num_responses,
        truths=query.num_truths,
        denominator="" if exact is None else str(exact.denominator),
        sha256="" if exact is None else exact.sha256(),
    )
    errors = errors_of(mechanism, query, circular=query.kind == "residues", is_certified=is_certified)
    return _card(
        problem,
        words,
        (privacy, size, errors, proof, _SAMPLING),
        origin,
        is_certified=is_certified,
        failures=tuple(f"{check.name}: {check.text}" for check in failures),
        larger=larger,
    )


def _card(
    problem: Problem,
    words: Words,
    parts: Parts,
    origin: Origin,
    *,
    is_certified: bool,
    failures: tuple[str, ...] = (),
    larger: str = "",
) -> Card:
    words = replace(words, answers=f"Every count from 0 on. {larger}") if larger else words
    privacy, matrix, errors, proof, sampling = parts
    if larger:
        listed = f"{as_text(problem.query.truths[0])} to {as_text(problem.query.truths[-1])}"
        errors = replace(errors, measure=f"{errors.measure} Means are over the counts {listed} alike.")
    if ZERO_STAYS_ZERO in problem.properties:
        errors = replace(errors, measure=f"{errors.measure} {_OF_ALL_ROWS}")
    return Card(
        certified=is_certified,
        words=words,
        query=problem.query.title,
        question=problem.to_dict(),
        privacy=privacy,
        mechanism=matrix,
        errors=errors,
        proof=proof,
        sampling=sampling,
        origin=origin,
        failures=failures,
        caveats=caveats_of(
            words,
            privacy,
            matrix,
            errors,
            proof,
            is_certified=is_certified,
            failures=failures,
            larger=larger,
        ),
    )


def _plain_texts(by_name: dict[str, str]) -> dict[str, str]:
    """Return a maker's entries as lines of text, for values of any type."""
    return {plain(name): plain(value) for name, value in by_name.items()}
