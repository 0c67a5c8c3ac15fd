"""What is proved of a design, and how it was made, in sentences."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from optmech.base.number_format import at_most, percent_at_most
from optmech.base.numbers import as_text
from optmech.reports.card import words_of
from optmech.reports.studio.reading import READING

if TYPE_CHECKING:
    from optmech.proofs.certificate import Certificate
    from optmech.reports.studio.reading import Answer

ENGINES = {
    "closed-form": "the closed form of a theorem",
    "chain": "the theorem of chains",
    "geometric": "geometric noise with the best remap",
    "rays": "column generation over private rows",
    "program": "a linear or mixed-integer program",
}
"""What the engines are called in a sentence."""

ROUNDING = 1e-9
"""A relative gap below this is the rounding of the proof's own whole numbers: it is not told as one."""

_SMALL_GAP = 1e-6
_NOT_PRIVATE = "This is not differential privacy at these numbers."


def verdict(certificate: Certificate) -> str:
    """Return what is proved, in one sentence."""
    private = _private(certificate)
    is_delta, gap = certificate.problem.objective.is_delta, certificate.relative_gap
    if gap is None:
        return f"{private}. How far it is from the optimum is not proved."
    if gap <= ROUNDING:
        less = "a smaller δ" if is_delta else "less error"
        return f"{private}, and optimal: no mechanism of this question has {less}."
    if gap <= _SMALL_GAP:
        return f"{private}, and within {at_most(gap, 1)} of the optimum, relatively."
    if math.isinf(gap):
        return f"{private}. The proved bound is zero: how far it is from the optimum is not known."
    share = percent_at_most(gap)
    less = f"a δ up to {share} smaller" if is_delta else f"up to {share} less error"
    return f"{private}. The best mechanism of this question may have {less}."


def caution(certificate: Certificate) -> str:
    """Return what is said first: that a definition falls short of differential privacy, and what it allows.

    How it falls short stands beside its guarantee.
    """
    unlike = "" if words_of(certificate.problem).is_differential_privacy else _NOT_PRIVATE
    return " ".join(filter(None, (unlike, certificate.caution)))


def _private(certificate: Certificate) -> str:
    """Return what is proved of privacy, a beginning of a sentence."""
    problem, words = certificate.problem, words_of(certificate.problem)
    if problem.privacy.curve is not None:
        return f"Proved in exact arithmetic: {words.definition}"
    pairs = [(problem.privacy.epsilon, at_most(certificate.delta) if certificate.delta else "")]
    pairs += [(also.epsilon, as_text(also.delta) if also.delta else "") for also in problem.further_privacy]
    parts = [f"ε = {as_text(epsilon)}{delta and f', δ = {delta}'}" for epsilon, delta in pairs]
    private = "private at" if words.is_differential_privacy else f"{words.definition}, at"
    return f"Proved in exact arithmetic: {private} {', and at '.join(parts)}"


def origin(design: Answer) -> str:
    """Return who made a design, and in which time."""
    seconds = design.seconds
    took = f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
    if design.engine == READING:
        return f"Read from a certificate, and proved again in {took}."
    return f"Computed by {ENGINES[design.engine]} in {took}."
