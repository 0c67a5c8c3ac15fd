"""Facts of privacy, the proof of the objective, and all facts of a distribution."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.analysis.utility import error_quantiles
from optmech.base.errors import ProblemError
from optmech.base.logarithm import Logarithm
from optmech.base.numbers import as_text, exact
from optmech.base.provenance import Provenance
from optmech.mechanisms.noise_errors import beyond, moments, reach
from optmech.proofs.levels.tree import LevelProof
from optmech.proofs.multipliers import Split, TwoMultipliers
from optmech.question.losses.expected import ExpectedLoss
from optmech.release.tables.bias import MOST_SUMS
from optmech.release.tables.law_of_source import law_of
from optmech.reports.card.errors import LEVELS, Errors, Quantile
from optmech.reports.card.facts import MatrixFacts, PrivacyFacts, ProofFacts, SamplingFacts
from optmech.reports.card.number import Number

if TYPE_CHECKING:
    from optmech.mechanisms.noise_mechanism import NoiseMechanism
    from optmech.proofs.certificate import Certificate, Proof
    from optmech.question.problem import Problem

    Parts = tuple[PrivacyFacts, MatrixFacts, Errors, ProofFacts, SamplingFacts]

_CHECKER = "python check_certificate.py CERTIFICATE.json"
_NEARLY_CERTAIN = float(np.nextafter(1, 0))


def privacy_facts(problem: Problem, provenance: Provenance, **facts: Any) -> PrivacyFacts:  # noqa: ANN401 - fields
    """Return facts of privacy: epsilon and odds, which are those of the problem, and all others."""
    epsilon = problem.privacy.epsilon
    odds = str(epsilon.of) if isinstance(epsilon, Logarithm) else ""
    return PrivacyFacts(
        epsilon=Number(value=float(epsilon), exact=as_text(epsilon), provenance=provenance),
        odds=Number(value=problem.privacy.factor, exact=odds, provenance=Provenance.RECOMPUTED),
        **facts,
    )


def proof_facts(certificate: Certificate) -> ProofFacts:
    """Return the proved quality of a mechanism."""
    bound, gap, relative = certificate.bound, certificate.gap, certificate.relative_gap
    claim = _claim(certificate)
    return ProofFacts(
        minimised=minimised_of(certificate.problem),
        objective=Number.of(certificate.objective, Provenance.PROVED),
        bound=claim if bound is None else Number.of(bound, Provenance.PROVED),
        gap=None if gap is None else Number.of(gap, Provenance.PROVED),
        relative_gap=None if relative is None else Number(value=relative, provenance=Provenance.PROVED),
        how=certificate.how,
        multipliers=0 if certificate.proof is None else _multipliers(certificate.proof),
        checker=f"{_CHECKER} MECHANISM.csv",
        truths_summed=truths_summed(certificate.problem),
    )


def minimised_of(problem: Problem) -> str:
    """Return the name of the minimised value."""
    loss = problem.objective.as_loss
    return "delta" if loss is None else loss.minimised


def truths_summed(problem: Problem) -> int:
    """Return the number of true answers whose losses are summed, 1 where they are averaged or the worst."""
    loss = problem.objective.as_loss
    return problem.query.num_truths if isinstance(loss, ExpectedLoss) and loss.weights_name == "sum" else 1


def _claim(certificate: Certificate) -> Number | None:
    """Return the largest numeric bound that a file reports from solvers."""
    claims = []
    for text in certificate.claimed_bounds.values():
        with suppress(ProblemError, OverflowError):
            claims.append(float(exact(text, "bound")))
    return Number(value=max(claims), provenance=Provenance.REPORTED) if claims else None


def _multipliers(proof: Proof) -> int:
    if isinstance(proof, (LevelProof, TwoMultipliers)):
        return proof.num_multipliers
    if isinstance(proof, Split):
        return _multipliers(proof.kept) + _multipliers(proof.violated)
    arrays = [rule.weights for rule in proof.rules.values()]
    arrays += [
        part for part in (proof.worst, proof.totals, proof.means, *(proof.bounds or ())) if part is not None
    ]
    return sum(sum(map(bool, part.tolist())) for part in arrays) + bool(proof.cost)


# With more answers it refuses some certificates, for what they would cost to check.
_MOST_CHECKED = 500_001


def noise_facts(mechanism: NoiseMechanism) -> Parts:
    """Return privacy, size, errors, proof and sampling of noise and thresholds."""
    certificate = mechanism.certificate
    problem = certificate.problem
    size = problem.query.num_truths
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
        multipliers=size,
        checker=_CHECKER if size <= _MOST_CHECKED else "",
    )
    sampling = SamplingFacts(
        distribution=certificate.law,
        randomness="The operating system's. With a seed, which is for experiments, draws are not private.",
        timing="The time of a draw may depend on its result; a distribution has no constant time.",
    )
    matrix = MatrixFacts(responses=size, truths=size, denominator="", sha256="")
    return privacy, matrix, _errors(mechanism), proof, sampling


def _errors(mechanism: NoiseMechanism) -> Errors:
    """Return the known errors; the mean is proved where the objective is one."""
    certificate = mechanism.certificate
    objective, truths = certificate.expected_loss, certificate.problem.query.truths
    wrong = beyond(mechanism, 0)
    values = {
        "truth_probability": _less_than_certain(wrong.mean()),
        "truth_probability_least": _less_than_certain(wrong.max()),
        **(_moments(mechanism) if reach(mechanism) * len(truths) <= MOST_SUMS else {}),
    }
    numbers = {name: Number.of(float(value), Provenance.RECOMPUTED) for name, value in values.items()}
    if objective.loss_name == "absolute" and objective.weights_name is not None:
        total = objective.weights_name == "sum"
        mean = certificate.objective / len(truths) if total else certificate.objective
        numbers["mean"] = Number.of(Fraction(mean), Provenance.PROVED)
    worst, bias = numbers.pop("worst_index", None), law_of(mechanism, certificate).bias
    least = error_quantiles(mechanism, [level / 100 for level in LEVELS]).max(axis=1)
    return Errors(
        measure="An error is how far the released answer lies from the true one, in units of the answer.",
        **numbers,
        worst_truth="" if worst is None else as_text(truths[int(worst.value)]),
        bias=None if bias is None else Number.of(float(bias.largest), Provenance.RECOMPUTED),
        biased_truth="" if bias is None or not bias.largest else as_text(bias.truth),
        quantiles=tuple(
            Quantile(percent=level, error=Number.of(float(error), Provenance.RECOMPUTED))
            for level, error in zip(LEVELS, least.tolist(), strict=True)
        ),
    )


def _less_than_certain(wrong: float) -> float:
    """Return the probability of no error; where an error is possible it is below 1, as a double too.

    >>> _less_than_certain(0.25), _less_than_certain(1e-20) < 1, _less_than_certain(0.0)
    (0.75, True, 1.0)
    """
    return min(1 - wrong, _NEARLY_CERTAIN) if wrong > 0 else 1.0


def _moments(mechanism: NoiseMechanism) -> dict[str, float]:
    """Return means over all true answers with equal weights, and the largest, with its truth."""
    _, square, mean = moments(mechanism)
    worst = int(mean.argmax())
    return {
        "mean": mean.mean(),
        "root_mean_square": np.sqrt(square.mean()),
        "worst_mean": mean[worst],
        "worst_index": worst,
    }
