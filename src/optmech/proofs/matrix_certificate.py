"""A matrix of integers with the proof of its claims."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from optmech.base.arguments import of_form
from optmech.base.errors import NotAcceptedError, ProblemError, VerificationError
from optmech.base.wording import plural
from optmech.proofs.bound import NotAProofError, prove_tree
from optmech.proofs.certificate import Certificate
from optmech.proofs.file_limits import beyond_limits, short
from optmech.proofs.levels.bound import prove_levels
from optmech.proofs.levels.tree import LevelProof
from optmech.proofs.privacy import delta_of_sets, delta_spent, short_delta
from optmech.proofs.violation import objective_of, violation
from optmech.question.content import question_of
from optmech.rules import compile_rules, mismatch

if TYPE_CHECKING:
    from fractions import Fraction

    from optmech.proofs.enclosure import Enclosure
    from optmech.proofs.matrix import ExactMatrix
    from optmech.proofs.multipliers import Tree
    from optmech.question.problem import Problem
    from optmech.rules import Rules

    Proof = Tree | LevelProof | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class MatrixCertificate(Certificate):
    """The facts about one matrix that exact arithmetic confirmed.

    Attributes
    ----------
    matrix : ExactMatrix
        The mechanism. It keeps privacy, structure and properties of the problem, proved.
    rules : Rules
        The compiled question of the proofs.

    Raises
    ------
    ProblemError
        If a number is beyond the limits of a certificate.
    VerificationError
        If the matrix breaks a rule, or the multipliers are no proof.
    """

    matrix: ExactMatrix = field()
    proof: Proof = None
    rules: Rules = field(init=False)

    @of_form("problem", "be a Problem, with its factor, an exact matrix and a proof")
    def __post_init__(self) -> None:
        if len(self.factor.each) != len(self.problem.privacies):
            message = f"each privacy must have its factor; got {len(self.factor.each)}."
            raise VerificationError(message)
        violated = beyond_limits(self.problem, self.factor)
        if violated is not None:
            message = f"{violated}. It cannot be certified."
            raise ProblemError(message)
        for privacy, factor in zip(self.problem.privacies, self.factor.each, strict=True):
            if not factor.holds(privacy.epsilon):
                message = f"the factor must enclose e^epsilon of {privacy}; it does not."
                raise VerificationError(message)
        violated = mismatch(self.problem)
        rules = None if violated is not None else compile_rules(self.problem)
        violated = violated if rules is None else violation(rules, self.matrix, self.factor)
        if rules is None or violated is not None:
            message = (
                f"the matrix must keep what {self.problem.name} promises; {violated}. It cannot be certified."
            )
            raise VerificationError(message)
        try:
            proof, bound = _prove(rules, self.proof, self.factor)
        except (NotAProofError, NotAcceptedError) as wrong:
            told = str(wrong).removesuffix(".")
            message = f"the multipliers must prove a bound; {told}. Nothing follows from them."
            raise VerificationError(message) from None
        delta = short_delta(delta_spent(rules, self.matrix, self.factor), rules.delta)
        if delta >= 1:
            message = "delta must be below 1; with 1 anything may be released. It cannot be certified."
            raise VerificationError(message)
        bound = None if bound is None else short(bound)
        objective = delta if rules.seeks_delta else objective_of(rules, self.matrix, self.factor)
        if bound is not None and bound > objective:
            message = "the bound must not exceed the objective; one of them is not of this problem."
            raise VerificationError(message)
        values = {"rules": rules, "proof": proof, "delta": delta, "objective": objective, "bound": bound}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def exact(self) -> ExactMatrix:
        """The `matrix`: every entry of it is written out."""
        return self.matrix

    @property
    def how(self) -> str:
        """The proof of the bound, described in a sentence."""
        proof = self.proof
        if proof is None:
            return "No bound is proved."
        cases = proof.num_cases
        if cases == 1:
            return "A dual certificate in whole numbers proves the bound for every mechanism of the question."
        return (
            f"A dual certificate in whole numbers proves the bound in each of {plural(cases, 'case')}, "
            "which together cover every mechanism of the question."
        )

    def is_about(self, problem: Problem) -> bool:
        """Whether it answers the same question."""
        return self.problem is problem or question_of(self.problem) == question_of(problem)

    @property
    def deltas(self) -> tuple[Fraction, ...]:
        """The delta spent of each privacy of the question, exact or rounded up as `delta` is."""
        further = zip(self.rules.each_privacy[1:], self.factor.further, strict=True)
        return (
            self.delta,
            *(short_delta(delta_spent(own, self.matrix, factor), own.delta) for own, factor in further),
        )

    @property
    def delta_of_sets(self) -> Fraction:
        """The delta of (epsilon, delta)-differential privacy that the mechanism spends, by any definition.

        Over all sets of responses and both ways between neighbours, at the epsilon of the question, rounded
        up.
        """
        return delta_of_sets(self.rules, self.matrix, self.factor, self.delta)


def _prove(rules: Rules, proof: Proof, factor: Enclosure) -> tuple[Proof, Fraction | None]:
    """Return a proof with all its multipliers, and the bound that it proves."""
    match proof:
        case None:
            return None, None
        case LevelProof():
            return proof, prove_levels(rules, proof, factor)
        case _:
            return prove_tree(rules, proof, factor)
