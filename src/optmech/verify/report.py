"""A report on one mechanism: checks, and theorems held against it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from optmech.base.notes import Failure, TextLine
from optmech.base.provenance import Provenance
from optmech.base.rendering import Renderable
from optmech.base.wrapping import wrapped

if TYPE_CHECKING:
    from optmech.base.notes import Note
    from optmech.theorems.consistency import TheoremRow

# The floating-point error allowed: a privacy loss is a difference of two rounded logarithms.
EPSILON_ROUNDING = 1e-9
# Mass, mean and support of bounded noise come out of a solver with its rounding.
STRUCTURE_ROUNDING = 1e-8
# A claimed objective further from the recomputed one, relatively, is another mechanism's.
OBJECTIVE_ROUNDING = 1e-6

KEPT = "kept in whole numbers"
NO_THEOREM = "no theorem applies to this question"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One line of a report.

    Attributes
    ----------
    name : str
        The quantity that is checked.
    holds : bool or None
        The verdict; ``None`` where there is nothing to hold, only a number to know.
    provenance : Provenance
        The standing of the number.
    value : float
        The number.
    text : str
        A sentence with the number, the limit and the worst entries.
    """

    name: str
    holds: bool | None
    provenance: Provenance
    value: float
    text: str

    @classmethod
    def recomputed(cls, name: str, *, holds: bool | None, value: float, text: str) -> Check:
        """Return a check of a number that was computed again, in floating point."""
        return cls(name=name, holds=holds, provenance=Provenance.RECOMPUTED, value=value, text=text)

    @classmethod
    def proved(cls, name: str, *, value: float, text: str) -> Check:
        """Return a check that a certificate proves."""
        return cls(name=name, holds=True, provenance=Provenance.PROVED, value=value, text=text)

    @property
    def line(self) -> TextLine:
        """The check as a line of text."""
        verdict = {True: "holds", False: Failure.FAILS, None: "note"}[self.holds]
        padding = " " * (7 - len(verdict))
        return TextLine(verdict, padding, f"{self.name:20}  {self.text} [", self.provenance, "]")

    def __str__(self) -> str:
        return "\n".join(wrapped([self.line]))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Report(Renderable):
    """All checks of one mechanism, and the theorems that apply to it. Truthy when none of them fails.

    Attributes
    ----------
    checks : tuple of Check
        Results recomputed from the matrix, or proved by a certificate.
    theorems : tuple of TheoremRow
        Each theorem that applies to the question, held against the mechanism. A theorem that is known to be
        false as printed does not make a report fail.
    without_theorems : str
        Why there is no row of a theorem; empty where there is one.
    is_certified : bool
        Whether a certificate proves what is required.
    caution : Note or None
        In words what epsilon and delta allow where that is much, to stand first.
    """

    checks: tuple[Check, ...]
    theorems: tuple[TheoremRow, ...] = ()
    without_theorems: str = ""
    is_certified: bool = False
    caution: Note | None = None

    def __bool__(self) -> bool:
        """Whether no check fails and no theorem is contradicted."""
        return not self.failures

    @property
    def failures(self) -> tuple[Check | TheoremRow, ...]:
        """The checks that fail, then the theorems that are contradicted."""
        return (
            *(check for check in self.checks if check.holds is False),
            *(row for row in self.theorems if row.fails),
        )

    def _line(self) -> str:
        names = ", ".join(check.name for check in self.failures)
        theorems = f", {len(self.theorems)} theorems" if self.theorems else ""
        verdict = f"FAILS: {names}" if names else "none fails"
        return f"{len(self.checks)} checks{theorems}, {verdict}"

    @property
    def lines(self) -> list[str]:
        """Its caution, the checks, and below them the theorems, a line each."""
        theorems: list[str] = [row.line for row in self.theorems]
        theorems = theorems or list(filter(None, [self.without_theorems]))
        caution = [] if self.caution is None else [self.caution]
        return [*caution, *(check.line for check in self.checks), *([""] if theorems else []), *theorems]

    def __str__(self) -> str:
        return "\n".join(wrapped(self.lines))
