"""The facts of a distribution, for its card."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.base.logarithm import Logarithm
from optmech.base.numbers import as_text
from optmech.base.provenance import Provenance
from optmech.question.privacy import PurePrivacy
from optmech.reports.card.errors import Errors
from optmech.reports.card.facts import MatrixFacts, PrivacyFacts, ProofFacts, SamplingFacts
from optmech.reports.card.number import Number
from optmech.reports.card.proofs import proof_facts

if TYPE_CHECKING:
    from optmech.proofs.geometric_certificate import GeometricCertificate

    Parts = tuple[PrivacyFacts, MatrixFacts, Errors, ProofFacts, SamplingFacts]

__all__ = ["distribution_facts"]


def distribution_facts(certificate: GeometricCertificate) -> Parts:
    """Return privacy, size, errors, proof and sampling of a distribution."""
    problem = certificate.problem
    epsilon, size = problem.privacy.epsilon, problem.query.num_truths
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
        effective_epsilon=Number(value=-math.log(certificate.decay.value), standing=Provenance.RECOMPUTED),
        pairs=2 * size - 2,
        heaviest=1,
        both_ways=True,
        keeps=True,
        holds=True,
    )
    proof = replace(
        proof_facts(certificate),
        how="Prices of the true answers prove the bound for every private mechanism of the question.",
        multipliers=size,
        checker="",
    )
    sampling = SamplingFacts(
        law="Drawn as geometric noise in whole numbers, clamped, then a change of some answers: the "
        "distribution itself.",
        randomness="The operating system's. With a seed, which is for experiments, draws are not private.",
        timing="How long a draw takes may depend on what is drawn; a distribution has no constant time.",
    )
    matrix = MatrixFacts(responses=size, truths=size, denominator="", sha256="")
    return privacy, matrix, _errors(certificate), proof, sampling


def _errors(certificate: GeometricCertificate) -> Errors:
    """Return the mean error where the objective is one; more would need a matrix."""
    objective, size = certificate.expected_loss, certificate.problem.query.num_truths
    measure = "An error is how far the released answer lies from the true one, in units of the answer."
    if objective.loss_name != "absolute" or objective.weights_name is None:
        return Errors(measure=measure)
    mean = certificate.objective / size if objective.weights_name == "sum" else certificate.objective
    return Errors(measure=measure, mean=Number.of(Fraction(mean), Provenance.PROVED))
