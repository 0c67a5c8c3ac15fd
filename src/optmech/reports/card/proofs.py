"""Facts of privacy, and what a certificate proves of its objective, by how many numbers."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.base.logarithm import Logarithm
from optmech.base.numbers import as_text, exact
from optmech.base.provenance import Provenance
from optmech.base.wording import plural
from optmech.proofs.distribution_certificate import DistributionCertificate
from optmech.proofs.multipliers import Leaf, Split
from optmech.reports.card.facts import PrivacyFacts, ProofFacts
from optmech.reports.card.number import Number

if TYPE_CHECKING:
    from optmech.proofs.certificate import Certificate
    from optmech.proofs.multipliers import Tree
    from optmech.question.problem import Problem

__all__ = ["minimised_of", "privacy_facts", "proof_facts"]

_CHECKER = "python check_certificate.py CERTIFICATE.json MECHANISM.csv"


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
    """Return what is proved of how good a mechanism is."""
    bound, gap, relative = certificate.bound, certificate.gap, certificate.relative_gap
    claim = _claim(certificate)
    return ProofFacts(
        minimised=minimised_of(certificate.problem),
        objective=Number.of(certificate.objective, Provenance.PROVED),
        bound=claim if bound is None else Number.of(bound, Provenance.PROVED),
        gap=None if gap is None else Number.of(gap, Provenance.PROVED),
        relative_gap=None if relative is None else Number(value=relative, provenance=Provenance.PROVED),
        how=_how(certificate),
        multipliers=0 if certificate.proof is None else _multipliers(certificate.proof),
        checker=_CHECKER,
    )


def minimised_of(problem: Problem) -> str:
    """Return what is minimised, in a word or two."""
    loss = problem.objective.as_loss
    if loss is None:
        return "delta"
    if loss.is_worst:
        return "expected loss at the worst true answer"
    has_sum = loss.weights_name == "sum"
    return "sum of the expected losses of all true answers" if has_sum else "expected loss"


def _claim(certificate: Certificate) -> Number | None:
    """Return the largest bound that a file reports of solvers, of those that are numbers."""
    claims = []
    for text in certificate.claimed_bounds.values():
        with suppress(ProblemError, OverflowError):
            claims.append(float(exact(text, "bound")))
    return Number(value=max(claims), provenance=Provenance.REPORTED) if claims else None


def _how(certificate: Certificate) -> str:
    proof = certificate.proof
    if isinstance(certificate, DistributionCertificate):
        return certificate.how
    if proof is None:
        return "No bound is proved."
    if isinstance(proof, Leaf):
        return "A dual certificate in whole numbers proves the bound for every mechanism of the question."
    return (
        f"A dual certificate in whole numbers proves the bound in each of {plural(_leaves(proof), 'case')}, "
        "which together cover every mechanism of the question."
    )


def _leaves(proof: Tree) -> int:
    return _leaves(proof.kept) + _leaves(proof.violated) if isinstance(proof, Split) else 1


def _multipliers(proof: Tree) -> int:
    if isinstance(proof, Split):
        return _multipliers(proof.kept) + _multipliers(proof.violated)
    arrays = [rule.weights for rule in proof.rules.values()]
    arrays += [
        part for part in (proof.worst, proof.totals, proof.means, *(proof.bounds or ())) if part is not None
    ]
    return sum(sum(map(bool, part.tolist())) for part in arrays) + bool(proof.cost)
