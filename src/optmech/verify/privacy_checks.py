"""Checks of privacy: proved by a certificate, else recomputed from doubles of a matrix."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import isinf
from typing import TYPE_CHECKING

from optmech.base.numbers import as_text
from optmech.base.provenance import Provenance
from optmech.proofs.privacy import both_ways
from optmech.question.privacy.loss import largest_hockey_stick
from optmech.verify.report import EPSILON_ROUNDING, Check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.mechanisms.mechanism import Mechanism
    from optmech.proofs.certificate import Certificate
    from optmech.question.privacy import Privacy
    from optmech.question.privacy.loss import Worst
    from optmech.question.problem import Problem
    from optmech.question.query import Query


def privacy_checks(
    mechanism: Mechanism, problem: Problem, certificate: Certificate | None
) -> Iterator[Check]:
    """Yield the checks of each privacy of a problem, with further facts."""
    query = problem.query
    if certificate is None:
        for each in problem.privacies:
            yield _criterion(each).recomputed(_Subject(each, mechanism, query))
    else:
        yield from proved_privacy(certificate, mechanism)
    yield from _criterion(problem.privacy).remarks(_Subject(problem.privacy, mechanism, query))
    if not query.symmetric:
        other = mechanism.privacy_loss(both_ways(query)).value
        text = (
            "one-sided: of two neighbours only one is protected, so this is not differential privacy; "
            f"both ways the effective epsilon is {other:.12g}"
        )
        yield Check.recomputed("neighbours", holds=None, value=other, text=text)


def proved_privacy(certificate: Certificate, mechanism: Mechanism) -> Iterator[Check]:
    """Yield the checks of each privacy of a certificate, proved in integers, without doubles."""
    problem = certificate.problem
    for privacy, delta in zip(problem.privacies, certificate.deltas, strict=True):
        subject = _Subject(privacy, mechanism, problem.query)
        value, text = _criterion(privacy).proved(subject, float(delta))
        holds = None if privacy.delta is None else True
        yield Check(name=privacy.criterion, holds=holds, provenance=Provenance.PROVED, value=value, text=text)


@dataclass(frozen=True, eq=False)
class _Subject:
    """A mechanism under one privacy of a query."""

    privacy: Privacy
    mechanism: Mechanism
    query: Query

    @cached_property
    def loss(self) -> Worst:
        """The largest privacy loss between neighbours."""
        return self.mechanism.privacy_loss(self.query)

    def recomputed(self, text: str, value: float, *, holds: bool | None) -> Check:
        return Check.recomputed(self.privacy.criterion, holds=holds, value=value, text=text)


class _RatioCriterion:
    """Every ratio is kept: the effective epsilon is that of the privacy at most."""

    def proved(self, subject: _Subject, _: float) -> tuple[float, str]:
        """Return the effective epsilon of a mechanism that keeps the privacy, and a sentence."""
        value, most = subject.loss.value, as_text(subject.privacy.epsilon)
        return value, f"effective epsilon {value:.12g} is within {most}, in whole numbers"

    def recomputed(self, subject: _Subject) -> Check:
        """Return the check that every ratio is kept, with the worst entries of the matrix."""
        privacy, value, entries = (
            subject.privacy,
            subject.loss.value,
            _entries_of(subject.mechanism, subject.loss),
        )
        holds = value <= float(privacy.epsilon) + EPSILON_ROUNDING
        if entries and isinf(value):
            text = f"{entries}: the privacy loss is infinite"
        else:
            relation = "is within" if holds else "exceeds"
            text = f"effective epsilon {value:.12g} {relation} {as_text(privacy.epsilon)}"
            text += "" if holds or not entries else f": {entries}"
        return subject.recomputed(text, value, holds=holds)

    def remarks(self, _: _Subject) -> Iterator[Check]:
        """Yield no further facts."""
        yield from ()


class _DeltaCriterion:
    """No more than delta is spent, by the definition of the privacy."""

    def proved(self, subject: _Subject, delta: float) -> tuple[float, str]:
        """Return the spent delta, and a sentence."""
        return delta, _delta_text(subject.privacy, delta)

    def recomputed(self, subject: _Subject) -> Check:
        """Return the check that at most delta is spent, with the worst neighbours."""
        privacy, mechanism, query = subject.privacy, subject.mechanism, subject.query
        worst, delta = privacy.measure(mechanism.matrix, query.pairs, query.weights), privacy.delta
        value, entries = worst.value, _entries_of(mechanism, worst)
        holds = None if delta is None else value <= float(delta) + privacy.rounding
        text = _delta_text(privacy, value) + (f", {entries}" if entries and value > 0 else "")
        return subject.recomputed(text, value, holds=holds)

    def remarks(self, subject: _Subject) -> Iterator[Check]:
        """Yield the delta over all sets if another one is asked, and the epsilon of pure privacy."""
        privacy, query = subject.privacy, subject.query
        if not privacy.is_usual:
            factors = privacy.factors(query.weights)
            whole = largest_hockey_stick(subject.mechanism.matrix, query.pairs, factors).value
            text = f"over all sets of responses delta is {whole:.12g} at epsilon {as_text(privacy.epsilon)}"
            yield Check.recomputed("(epsilon, delta)", holds=None, value=whole, text=text)
        value = subject.loss.value
        text = f"pure privacy would need epsilon {value:.12g}"
        yield Check.recomputed("effective epsilon", holds=None, value=value, text=text)


def _criterion(privacy: Privacy) -> _RatioCriterion | _DeltaCriterion:
    return _RatioCriterion() if privacy.is_pure else _DeltaCriterion()


def _delta_text(privacy: Privacy, value: float) -> str:
    limit = "sought" if privacy.delta is None else f"required {as_text(privacy.delta)}"
    return f"delta {value:.12g} at epsilon {as_text(privacy.epsilon)} ({limit})"


def _entries_of(mechanism: Mechanism, worst: Worst) -> str:
    row, left, right = worst.response, worst.truth, worst.neighbour
    if worst.value <= 0:
        return ""
    if row is None:
        return f"truth {left} against {right}"
    big, small = mechanism.matrix[row, left], mechanism.matrix[row, right]
    return f"matrix[{row}, {left}] = {float(big)!r} beside matrix[{row}, {right}] = {float(small)!r}"
