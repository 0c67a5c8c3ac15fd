"""The facts of a distribution, for its card."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.analysis.distribution_errors import beyond, moments, reach
from optmech.analysis.utility import error_quantiles
from optmech.base.numbers import as_text
from optmech.base.provenance import Provenance
from optmech.mechanisms.certificate_mechanism import distribution_of
from optmech.reports.card.errors import LEVELS, Errors, Quantile
from optmech.reports.card.facts import MatrixFacts, SamplingFacts
from optmech.reports.card.number import Number
from optmech.reports.card.proofs import privacy_facts, proof_facts

if TYPE_CHECKING:
    from optmech.mechanisms.distribution import Distribution
    from optmech.proofs.distribution_certificate import DistributionCertificate
    from optmech.reports.card.facts import PrivacyFacts, ProofFacts

    Parts = tuple[PrivacyFacts, MatrixFacts, Errors, ProofFacts, SamplingFacts]

__all__ = ["distribution_facts"]

_CHECKER = "python check_certificate.py CERTIFICATE.json"
# Of more answers it refuses some certificates, for what they would cost to check.
_MOST_CHECKED = 500_001

# Means, truth by truth, are sums over the distances that are possible: beyond so many seconds pass.
_MOST_SUMS = 50_000_000


def distribution_facts(certificate: DistributionCertificate) -> Parts:
    """Return privacy, size, errors, proof and sampling of a distribution."""
    problem = certificate.problem
    size, mechanism = problem.query.num_truths, distribution_of(certificate)
    effective = mechanism.effective_epsilon(problem.query)
    privacy = privacy_facts(
        problem,
        Provenance.PROVED,
        delta=Number.of(certificate.delta, Provenance.PROVED),
        delta_required=as_text(problem.privacy.delta) if problem.privacy.delta else "",
        delta_of_sets=Number.of(certificate.delta_of_sets, Provenance.PROVED),
        effective_epsilon=Number(value=effective, provenance=Provenance.RECOMPUTED),
        pairs=2 * size - 2,
        heaviest=1,
        both_ways=True,
        keeps=True,
        holds=True,
    )
    proof = replace(
        proof_facts(certificate),
        how=certificate.how,
        multipliers=size,
        checker=_CHECKER if size <= _MOST_CHECKED else "",
    )
    sampling = SamplingFacts(
        distribution=certificate.law,
        randomness="The operating system's. With a seed, which is for experiments, draws are not private.",
        timing="How long a draw takes may depend on what is drawn; a distribution has no constant time.",
    )
    matrix = MatrixFacts(responses=size, truths=size, denominator="", sha256="")
    return privacy, matrix, _errors(certificate, mechanism), proof, sampling


def _errors(certificate: DistributionCertificate, mechanism: Distribution) -> Errors:
    """Return what can be told of errors; the mean is proved where the objective is one."""
    objective, truths = certificate.expected_loss, certificate.problem.query.truths
    right = 1 - beyond(mechanism, 0)
    values = {
        "truth_probability": right.mean(),
        "truth_probability_least": right.min(),
        **(_moments(mechanism) if reach(mechanism) * len(truths) <= _MOST_SUMS else {}),
    }
    numbers = {name: Number.of(float(value), Provenance.RECOMPUTED) for name, value in values.items()}
    if objective.loss_name == "absolute" and objective.weights_name is not None:
        total = objective.weights_name == "sum"
        mean = certificate.objective / len(truths) if total else certificate.objective
        numbers["mean"] = Number.of(Fraction(mean), Provenance.PROVED)
    worst, bias_place = (numbers.pop(name, None) for name in ("worst_place", "biased_place"))
    least = error_quantiles(mechanism, [level / 100 for level in LEVELS]).max(axis=1)
    return Errors(
        measure="An error is how far the released answer lies from the true one, in units of the answer.",
        **numbers,
        worst_truth="" if worst is None else as_text(truths[int(worst.value)]),
        biased_truth="" if bias_place is None else as_text(truths[int(bias_place.value)]),
        quantiles=tuple(
            Quantile(percent=level, error=Number.of(float(error), Provenance.RECOMPUTED))
            for level, error in zip(LEVELS, least.tolist(), strict=True)
        ),
    )


def _moments(mechanism: Distribution) -> dict[str, float]:
    """Return means over all true answers alike, and the largest, with its place."""
    bias, square, mean = moments(mechanism)
    worst, bias_place = int(mean.argmax()), int(np.abs(bias).argmax())
    return {
        "mean": mean.mean(),
        "root_mean_square": np.sqrt(square.mean()),
        "worst_mean": mean[worst],
        "worst_place": worst,
        "bias": bias[bias_place],
        "biased_place": bias_place,
    }
