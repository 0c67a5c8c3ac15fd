"""The facts of a law without a matrix, for its card."""

from __future__ import annotations

import math
from fractions import Fraction
from hashlib import sha256
from typing import TYPE_CHECKING

from optmech.base.logarithm import Logarithm
from optmech.base.numbers import as_text
from optmech.base.provenance import Provenance
from optmech.designs.implicit.text import implicit_text
from optmech.question.privacy import PurePrivacy
from optmech.reports.card.errors import Errors
from optmech.reports.card.facts import MatrixFacts, PrivacyFacts, ProofFacts, SamplingFacts
from optmech.reports.card.number import Number

if TYPE_CHECKING:
    from optmech.designs.implicit.mechanism import ImplicitMechanism

    Parts = tuple[PrivacyFacts, MatrixFacts, Errors, ProofFacts, SamplingFacts, str]

__all__ = ["implicit_card_parts"]


def implicit_card_parts(mechanism: ImplicitMechanism) -> Parts:
    """Return privacy, size, errors, proof and sampling of a law, and the SHA-256 of its certificate."""
    question = mechanism.question
    epsilon, size = question.epsilon, question.largest + 1
    nothing = Number(value=0.0, exact="0", standing=Provenance.PROVED)
    privacy = PrivacyFacts(
        epsilon=Number(value=float(epsilon), exact=as_text(epsilon), standing=Provenance.PROVED),
        odds=Number(
            value=PurePrivacy(epsilon).factor,
            exact=str(epsilon.of) if isinstance(epsilon, Logarithm) else "",
            standing=Provenance.RECOMPUTED,
        ),
        delta=nothing,
        delta_asked="",
        delta_of_sets=nothing,
        # The ratio of two neighbours is a or 1/a where nothing is remapped, and never more.
        effective_epsilon=Number(value=-math.log(mechanism.decay.value), standing=Provenance.RECOMPUTED),
        pairs=2 * question.largest,
        heaviest=1,
        both_ways=True,
        keeps=True,
        holds=True,
    )
    summed = question.prior == "sum"
    gap = mechanism.objective - mechanism.bound
    proof = ProofFacts(
        least="sum of the expected losses of all true answers" if summed else "expected loss",
        objective=Number.of(mechanism.objective, Provenance.PROVED),
        bound=Number.of(mechanism.bound, Provenance.PROVED),
        gap=Number.of(gap, Provenance.PROVED),
        relative_gap=Number(value=mechanism.relative_gap, standing=Provenance.PROVED),
        how="Prices of the true answers prove the bound for every private mechanism of the question.",
        multipliers=size,
        checker="",
    )
    sampling = SamplingFacts(
        law="Drawn as geometric noise in whole numbers, clamped, then a change of some answers: the law "
        "itself.",
        randomness="The operating system's. With a seed, which is for experiments, draws are not private.",
        timing="How long a draw takes may depend on what is drawn; there is no constant time for a law.",
    )
    matrix = MatrixFacts(responses=size, truths=size, denominator="", sha256="")
    digest = sha256(implicit_text(mechanism).encode()).hexdigest()
    return privacy, matrix, _errors(mechanism), proof, sampling, digest


def _errors(mechanism: ImplicitMechanism) -> Errors:
    """Return the mean error where the objective is one; more would need a matrix."""
    question = mechanism.question
    measure = "An error is how far the released answer lies from the true one, in units of the answer."
    if question.loss != "absolute" or question.prior not in ("sum", "uniform"):
        return Errors(measure=measure)
    mean = mechanism.objective / (question.largest + 1) if question.prior == "sum" else mechanism.objective
    return Errors(measure=measure, mean=Number.of(Fraction(mean), Provenance.PROVED))
