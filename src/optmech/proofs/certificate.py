"""A mechanism with the proof of its claims, as a matrix or as noise.

A certificate checks its parts when it is made: parts that do not verify raise an error.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Any

from optmech.base.number_format import at_least, at_most
from optmech.base.provenance import Provenance
from optmech.base.rendering import Renderable, view
from optmech.base.visible import quote, visible
from optmech.proofs.multipliers import TwoMultipliers
from optmech.question.caution import caution_of
from optmech.question.protection import limited_unit

if TYPE_CHECKING:
    from fractions import Fraction

    from matplotlib.axes import Axes

    from optmech.base.notes import Note
    from optmech.proofs.enclosure import Enclosure
    from optmech.proofs.levels.tree import LevelProof
    from optmech.proofs.matrix import ExactMatrix
    from optmech.proofs.multipliers import Tree
    from optmech.question.problem import Problem
    from optmech.rules import Rules

    Proof = Tree | LevelProof | TwoMultipliers

_SHOWN = 10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Certificate(Renderable, ABC):
    """The facts about one mechanism that exact arithmetic confirmed.

    A `MatrixCertificate` holds every probability, a `NoiseCertificate` a noise and thresholds.

    Attributes
    ----------
    problem : Problem
        The question.
    factor : Enclosure
        Rationals around ``e^epsilon`` of each privacy.
    proof : Leaf, Split, LevelProof, TwoMultipliers or None
        Multipliers that prove `bound`, or None; those of sums and means are included. A `LevelProof` is one
        on the levels of noise values, of modular noise.
    claimed_bounds, repair, raw, made_by : dict of str
        Claims of solvers without a proof; the repair of the matrix; the solver's answer; the maker.
        *Reported*: no arithmetic confirms them.
    delta : Fraction
        The delta of the mechanism, exact, or rounded up where that is a long number.
    objective : Fraction
        The minimised value, exact or rounded up; `delta` where delta is minimised.
    bound : Fraction or None
        No mechanism of the problem has a smaller objective, proved.
    """

    problem: Problem
    factor: Enclosure
    proof: Proof | None = None
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

        NotAcceptedError: the matrix is too large, or its noise has tails.
        """

    @property
    @abstractmethod
    def exact(self) -> ExactMatrix | None:
        """The `matrix` where it is small enough, else ``None``."""

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
        """Whether it answers the same question, however it was built."""

    def __eq__(self, other: object) -> bool:
        """Whether both say the same, to the byte of their files."""
        if not isinstance(other, Certificate):
            return NotImplemented
        if self is other:
            return True
        return hash(self) == hash(other) and bool(
            view("certificate_text", self) == view("certificate_text", other)
        )

    def __hash__(self) -> int:
        return hash((self.problem, self.objective, self.bound, self.delta))

    @property
    def mechanism(self) -> Any:  # noqa: ANN401 - of a room above: an `optmech.Mechanism`
        """The `Mechanism` that it is about, which draws; see `optmech.mechanism`."""
        return view("mechanism", self)

    @property
    def provenance(self) -> Provenance:
        """The standing of a certificate's statement on privacy."""
        return Provenance.PROVED

    @property
    def limited_unit(self) -> str:
        """The unit of epsilon where that is not each person; else empty."""
        query = self.problem.query
        return limited_unit(query.scope, query.directions)

    @property
    def matrix_sha256(self) -> str | None:
        """The SHA-256 of the matrix in whole numbers, where there is one."""
        return None if self.exact is None else self.exact.sha256()

    @property
    def entry_by_entry(self) -> Tree | LevelProof | None:
        """The `proof` of a matrix whose every entry is written out."""
        return None if isinstance(self.proof, TwoMultipliers) else self.proof

    @property
    def lacks_multipliers(self) -> bool:
        """Whether the bound is proved without multipliers of the rules."""
        return self.bound is not None and self.proof is None

    @property
    def caution(self) -> Note | None:
        """The harm that a large epsilon or delta allows, in words; ``None`` where both are small.

        The delta is the one over all sets of responses and both ways between neighbours.
        """
        problem = self.problem
        return caution_of(problem.privacy, heaviest=problem.query.heaviest, spent=self.delta_of_sets)

    @property
    def gap(self) -> Fraction | None:
        """The largest distance of the objective from the optimum; ``None`` without a proved bound."""
        return None if self.bound is None else self.objective - self.bound

    @property
    def relative_gap(self) -> float | None:
        """The gap as a share of the objective, as a double; infinite where only that is zero."""
        return None if self.bound is None else relative_gap(self.objective, self.bound)

    def plot_privacy_curve(self, ax: Axes | None = None) -> Axes:
        """Draw the proved delta at each epsilon; see `optmech.reports.plots.plot_privacy_curve`."""
        axes: Axes = view("plot_privacy_curve", self, ax)
        return axes

    def _line(self) -> str:
        bound = "no lower bound" if self.bound is None else f"lower bound {at_least(self.bound, _SHOWN)}"
        return f"{self.problem}; objective {at_most(self.objective, _SHOWN)}, {bound} [proved]"


def relative_gap(objective: Fraction, bound: Fraction) -> float:
    """Return the gap between objective and bound over the objective; infinite where only that is zero."""
    if bound == objective:
        return 0.0
    return inf if objective == 0 else float((objective - bound) / objective)


def reported_facts(certificate: Certificate) -> list[tuple[str, str]]:
    """Return the unconfirmed reports of a certificate: subjects and texts, in visible characters."""
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
