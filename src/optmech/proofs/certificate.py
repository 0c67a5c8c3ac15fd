"""A mechanism with the proof of what is claimed of it, whatever holds the mechanism.

A certificate is made from parts that are checked as it is made: what does not verify cannot become one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING

from optmech.base.number_format import at_least, at_most
from optmech.base.provenance import Provenance
from optmech.base.rendering import Renderable, view
from optmech.base.visible import quote, visible
from optmech.question.caution import caution_of
from optmech.question.protection import limited_unit

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
class Certificate(Renderable, ABC):
    """All that exact arithmetic confirmed of one mechanism.

    A `MatrixCertificate` holds every probability, a `NoiseCertificate` a noise and thresholds.

    Attributes
    ----------
    problem : Problem
        The question.
    factor : Enclosure
        Rationals around ``e^epsilon`` of each privacy.
    proof : Leaf, Split or None
        Multipliers that prove `bound`, where there are any; those of sums and means are written out.
    claimed_bounds, repair, raw, made_by : dict of str
        The claims of solvers where nothing is proved; how the matrix came about; what the solver's answer
        was; who made it. *Reported*: no arithmetic confirms any of it.
    delta : Fraction
        The delta of the mechanism, exact; where that is no short number, a little more.
    objective : Fraction
        The minimised value, exact, or a little more; that of a delta is `delta`.
    bound : Fraction or None
        No mechanism of the problem has a smaller objective, proved.
    """

    problem: Problem
    factor: Enclosure
    proof: Tree | None = None
    claimed_bounds: dict[str, str] = field(default_factory=dict)
    repair: dict[str, str] = field(default_factory=dict)
    raw: dict[str, str] = field(default_factory=dict)
    made_by: dict[str, str] = field(default_factory=dict)
    delta: Fraction = field(init=False)
    objective: Fraction = field(init=False)
    bound: Fraction | None = field(init=False)

    @property
    @abstractmethod
    def matrix(self) -> ExactMatrix:
        """The mechanism in whole numbers, entry by entry.

        A NotAcceptedError says so where it is too large for that, or its noise has tails.
        """

    @property
    @abstractmethod
    def exact(self) -> ExactMatrix | None:
        """The `matrix` where it can be written out, else ``None``."""

    @property
    @abstractmethod
    def rules(self) -> Rules:
        """The question compiled to the rules of a matrix."""

    @property
    @abstractmethod
    def how(self) -> str:
        """The proof of the bound, described in a sentence."""

    @property
    @abstractmethod
    def deltas(self) -> tuple[Fraction, ...]:
        """The delta spent of each privacy of the question, exact or rounded up as `delta` is."""

    @property
    @abstractmethod
    def delta_of_sets(self) -> Fraction:
        """The delta of (epsilon, delta)-differential privacy that the mechanism spends, by any definition.

        Over all sets of responses and both ways between neighbours, at the epsilon of the question, rounded
        up.
        """

    @abstractmethod
    def is_about(self, problem: Problem) -> bool:
        """Whether it answers this very question, however that was put together."""

    @property
    def provenance(self) -> Provenance:
        """The standing of what a certificate says of privacy."""
        return Provenance.PROVED

    @property
    def limited_unit(self) -> str:
        """The unit whose loss epsilon is, where that is not each person; else empty."""
        query = self.problem.query
        return limited_unit(query.scope, query.directions)

    @property
    def matrix_sha256(self) -> str | None:
        """The SHA-256 of the matrix in whole numbers, where there is one."""
        return None if self.exact is None else self.exact.sha256()

    @property
    def lacks_multipliers(self) -> bool:
        """Whether something else than multipliers of the rules proves the bound."""
        return self.bound is not None and self.proof is None

    @property
    def caution(self) -> Note | None:
        """In words what epsilon and delta allow where that is much, ``None`` where it is not.

        The delta is the one over all sets of responses and both ways between neighbours.
        """
        problem = self.problem
        return caution_of(problem.privacy, heaviest=problem.query.heaviest, spent=self.delta_of_sets)

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
