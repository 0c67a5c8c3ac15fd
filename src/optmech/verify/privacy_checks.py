"""Checks of privacy: what a certificate proves, else what doubles say of a matrix."""

from __future__ import annotations

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


def privacy_checks(
    mechanism: Mechanism, problem: Problem, certificate: Certificate | None
) -> Iterator[Check]:
    """Yield each privacy of a problem, and what else must be known of it."""
    query, matrix, privacy = problem.query, mechanism.matrix, problem.privacy
    loss = mechanism.privacy_loss(query)
    if certificate is None:
        yield from _recomputed_privacy(mechanism, problem, loss)
    else:
        yield from proved_privacy(certificate, mechanism)
    if not privacy.is_pure:
        if not privacy.is_usual:
            factors = privacy.factors(query.weights)
            whole, at = largest_hockey_stick(matrix, query.pairs, factors).value, privacy.epsilon
            text = f"over all sets of responses delta is {whole:.12g} at epsilon {as_text(at)}"
            yield Check.recomputed("(epsilon, delta)", holds=None, value=whole, text=text)
        text = f"pure privacy would need epsilon {loss.value:.12g}"
        yield Check.recomputed("effective epsilon", holds=None, value=loss.value, text=text)
    if not query.symmetric:
        other = mechanism.privacy_loss(both_ways(query)).value
        text = (
            "one-sided: of two neighbours only one is protected, so this is not differential privacy; "
            f"both ways the effective epsilon is {other:.12g}"
        )
        yield Check.recomputed("neighbours", holds=None, value=other, text=text)


def proved_privacy(certificate: Certificate, mechanism: Mechanism) -> Iterator[Check]:
    """Yield each privacy of a certificate, which whole numbers prove: doubles have no say."""
    problem = certificate.problem
    for privacy, delta in zip(problem.privacies, certificate.deltas, strict=True):
        if privacy.is_pure:
            value = mechanism.effective_epsilon(problem.query)
            text = f"effective epsilon {value:.12g} is within {as_text(privacy.epsilon)}, in whole numbers"
        else:
            value, text = float(delta), _delta_text(privacy, float(delta))
        holds = None if privacy.delta is None else True
        yield Check(name=privacy.criterion, holds=holds, provenance=Provenance.PROVED, value=value, text=text)


def _epsilon_check(privacy: Privacy, value: float, place: str = "") -> Check:
    """Return whether every ratio is kept; the worst is at a place of a matrix."""
    holds = value <= float(privacy.epsilon) + EPSILON_ROUNDING
    if place and isinf(value):
        text = f"{place}: the privacy loss is infinite"
    else:
        relation = "is within" if holds else "exceeds"
        text = f"effective epsilon {value:.12g} {relation} {as_text(privacy.epsilon)}"
        text += "" if holds or not place else f": {place}"
    return Check.recomputed(privacy.criterion, holds=holds, value=value, text=text)


def _delta_check(privacy: Privacy, value: float, place: str = "") -> Check:
    """Return whether no more than delta is spent, by the definition of the privacy."""
    delta = privacy.delta
    holds = None if delta is None else value <= float(delta) + privacy.rounding
    text = _delta_text(privacy, value) + (f", {place}" if place and value > 0 else "")
    return Check.recomputed(privacy.criterion, holds=holds, value=value, text=text)


def _delta_text(privacy: Privacy, value: float) -> str:
    limit = "sought" if privacy.delta is None else f"required {as_text(privacy.delta)}"
    return f"delta {value:.12g} at epsilon {as_text(privacy.epsilon)} ({limit})"


def _recomputed_privacy(mechanism: Mechanism, problem: Problem, loss: Worst) -> Iterator[Check]:
    query = problem.query
    for each in problem.privacies:
        if each.is_pure:
            yield _epsilon_check(each, loss.value, _place(mechanism, loss))
        else:
            worst = each.measure(mechanism.matrix, query.pairs, query.weights)
            yield _delta_check(each, worst.value, _place(mechanism, worst))


def _place(mechanism: Mechanism, worst: Worst) -> str:
    row, left, right = worst.response, worst.truth, worst.neighbour
    if worst.value <= 0:
        return ""
    if row is None:
        return f"truth {left} against {right}"
    big, small = mechanism.matrix[row, left], mechanism.matrix[row, right]
    return f"matrix[{row}, {left}] = {float(big)!r} beside matrix[{row}, {right}] = {float(small)!r}"
