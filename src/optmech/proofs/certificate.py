"""A mechanism in whole numbers with the proof of what is claimed of it.

A certificate is made from parts that are checked as it is made: what does not verify cannot become one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError, VerificationError
from optmech.base.number_format import at_least, at_most
from optmech.base.rendering import Renderable, view
from optmech.base.visible import quote, visible
from optmech.proofs.bound import NotAProofError, prove_tree
from optmech.proofs.file_limits import beyond_limits, short
from optmech.proofs.privacy import delta_of_sets, delta_spent, short_delta
from optmech.proofs.violation import objective_of, violation
from optmech.question.caution import caution_of
from optmech.rules import compile_rules, misfit

if TYPE_CHECKING:
    from fractions import Fraction

    from matplotlib.axes import Axes

    from optmech.base.notes import Note
    from optmech.proofs.enclosure import Enclosure
    from optmech.proofs.matrix import ExactMatrix
    from optmech.proofs.multipliers import Tree
    from optmech.question.problem import Problem
    from optmech.rules import Rules

_SHOWN = 10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Certificate(Renderable):
    """All that exact arithmetic confirmed of one mechanism.

    Attributes
    ----------
    problem : Problem
        The question.
    factor : Enclosure
        Rationals around ``e^epsilon``.
    matrix : ExactMatrix
        The mechanism. It keeps privacy, structure and properties of the problem, proved.
    proof : Leaf, Split or None
        Multipliers that prove `bound`, where there are any; those of sums and means are written out.
    claimed_bounds, repair, raw, made_by : dict of str
        What solvers claim where nothing is proved; how the matrix came about; what the solver's answer was;
        who made it. *Reported*: no arithmetic confirms any of it.
    rules : Rules
        The question compiled: what the proofs are about.
    delta : Fraction
        What the mechanism spends, exact; where that is no short number, a little more.
    objective : Fraction
        What was to be least, exact; that of a delta is `delta`.
    bound : Fraction or None
        No mechanism of the problem has a smaller objective, proved.

    Raises
    ------
    ProblemError
        If a number is beyond the limits of a certificate.
    VerificationError
        If the matrix breaks anything, or the multipliers are no proof.
    """

    problem: Problem
    factor: Enclosure
    matrix: ExactMatrix
    proof: Tree | None = None
    claimed_bounds: dict[str, str] = field(default_factory=dict)
    repair: dict[str, str] = field(default_factory=dict)
    raw: dict[str, str] = field(default_factory=dict)
    made_by: dict[str, str] = field(default_factory=dict)
    rules: Rules = field(init=False)
    delta: Fraction = field(init=False)
    objective: Fraction = field(init=False)
    bound: Fraction | None = field(init=False)

    def __post_init__(self) -> None:
        if len(self.factor.each) != len(self.problem.privacies):
            message = f"each privacy must have its factor; got {len(self.factor.each)}."
            raise VerificationError(message)
        trouble = beyond_limits(self.problem, self.factor)
        if trouble is not None:
            message = f"{trouble}. It cannot be certified."
            raise ProblemError(message)
        for privacy, factor in zip(self.problem.privacies, self.factor.each, strict=True):
            if not factor.holds(privacy.epsilon):
                message = f"the factor must enclose e^epsilon of {privacy}; it does not."
                raise VerificationError(message)
        trouble = misfit(self.problem)
        rules = None if trouble is not None else compile_rules(self.problem)
        trouble = trouble if rules is None else violation(rules, self.matrix, self.factor)
        if rules is None or trouble is not None:
            message = (
                f"the matrix must keep what {self.problem.name} promises; {trouble}. It cannot be certified."
            )
            raise VerificationError(message)
        try:
            proof, bound = (None, None) if self.proof is None else prove_tree(rules, self.proof, self.factor)
        except NotAProofError as wrong:
            message = f"the multipliers must prove a bound; {wrong}. Nothing follows from them."
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
    def has_matrix(self) -> bool:
        """Whether the mechanism is a matrix; else it is a distribution, too large for one."""
        return True

    @property
    def caution(self) -> Note | None:
        """In words what epsilon and delta allow where that is much, ``None`` where it is not.

        The delta is the one over all sets of responses and both ways between neighbours.
        """
        problem = self.problem
        return caution_of(problem.privacy, heaviest=problem.query.heaviest, spent=self.delta_of_sets)

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

    @property
    def gap(self) -> Fraction | None:
        """The most that the objective may exceed the least one by; ``None`` without a proved bound."""
        return None if self.bound is None else self.objective - self.bound

    @property
    def relative_gap(self) -> float | None:
        """The gap as a share of the objective, as a double; infinite where only that is zero."""
        return None if self.bound is None else relative_gap(self.objective, self.bound)

    def plot_privacy_curve(self, ax: Axes | None = None) -> Axes:
        """Draw which delta goes with each epsilon, proved; see `optmech.reports.plots.plot_privacy_curve`."""
        axes: Axes = view("plot_privacy_curve", self, ax)
        return axes

    def _line(self) -> str:
        bound = "no lower bound" if self.bound is None else f"lower bound {at_least(self.bound, _SHOWN)}"
        return f"{self.problem}; objective {at_most(self.objective, _SHOWN)}, {bound} [proved]"


def relative_gap(objective: Fraction, bound: Fraction) -> float:
    """Return how far a bound lies below an objective as a share of that; infinite where only that is zero."""
    if bound == objective:
        return 0.0
    return inf if objective == 0 else float((objective - bound) / objective)


def reported_facts(certificate: Certificate) -> list[tuple[str, str]]:
    """Return what a certificate reports and nothing confirms: what it is about, and its text, visible."""
    parts = (
        ("made by", certificate.made_by),
        ("repair", certificate.repair),
        ("solver's answer", certificate.raw),
        ("claimed bounds", certificate.claimed_bounds),
    )
    return [
        (name, ", ".join(f"{visible(key)} {quote(text)}" for key, text in sorted(texts.items())))
        for name, texts in parts
        if texts
    ]
