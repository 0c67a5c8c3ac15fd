"""The answer to "which value do I need?", with what proves it on both sides."""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING

from optmech.analysis.inversion.evidence import evidence
from optmech.analysis.inversion.search import search
from optmech.base.arguments import Word, brief
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.notes import TextLine
from optmech.base.numbers import as_text, exact
from optmech.base.wrapping import wrapped

if TYPE_CHECKING:
    from optmech.analysis.inversion.evidence import Evidence, Settings
    from optmech.analysis.inversion.parameter import Parameter
    from optmech.base.numbers import Number
    from optmech.designs.design import Design


class Outcome(Word):
    """The way the search for a value ended."""

    PROVED = "proved on both sides"
    EVERYWHERE = "met at every value, down to the hardest on the grid"
    NOWHERE = "met at none of the values tried"
    UNDECIDED = "not decided as closely as asked: bound and mechanism leave room for the target"
    LATE = "the time limit came first; raise it, or accept the two values"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Threshold:
    """The value of a parameter from which on a question can be met.

    Attributes
    ----------
    parameter : str
        ``"epsilon"``, ``"accuracy"`` or ``"half-width"``.
    target : Fraction or None
        The largest objective that will do; ``None`` where any mechanism that keeps all promises does.
    precision : Fraction
        The largest difference of the two values.
    value : Fraction or None
        Where a certified mechanism meets the question, the hardest such value; ``None`` if nowhere.
    beyond : Fraction or None
        Where none does, proved, the easiest such value: so at no harder one either. ``None`` without a proof.
    met, refuted : Evidence or None
        The proof: certificates and the numbers in them.
    undecided : tuple of Evidence
        Values between the two that were tried in vain, or claimed without a proof, from hard to easy.
    law : str
        Why one proof speaks for all harder values.
    outcome : Outcome
        The outcome of the search.
    designs : int
        Number of values that were designed for.
    seconds : float
        Wall time of everything.
    """

    parameter: str
    target: Fraction | None
    precision: Fraction
    value: Fraction | None
    beyond: Fraction | None
    met: Evidence | None
    refuted: Evidence | None
    undecided: tuple[Evidence, ...]
    law: str
    outcome: Outcome
    designs: int
    seconds: float

    @property
    def design(self) -> Design | None:
        """The mechanism at `value`, certified."""
        return None if self.met is None else self.met.design

    @property
    def lines(self) -> list[str]:
        """The values that were decided and what decides them, a line each, and how the search ended."""
        lines: list[str] = [self._line_of(one) for one in (self.met, self.refuted) if one is not None]
        if self.beyond is not None:
            lines.append(f"and so beyond: {self.law}")
        lines += map(self._line_of, self.undecided)
        count = f"{self.designs} design{'' if self.designs == 1 else 's'}"
        return [*lines, f"{self.outcome}; {count}, {self.seconds:.1f} s"]

    def _line_of(self, one: Evidence) -> TextLine:
        return TextLine(f"{self.parameter} = {as_text(one.value)}   ", one.line)

    def __str__(self) -> str:
        return "\n".join(wrapped(self.lines))


def threshold(
    parameter: Parameter,
    target: Fraction | None,
    precision: Fraction,
    settings: Settings,
) -> Threshold:
    """Return the hardest value of a parameter at which its question can be met, see `Threshold`.

    No value is looked at after the deadline; proofs of the last one may take the overtime.
    """
    start = time.perf_counter()

    def look(steps: int) -> Evidence:
        value = parameter.value(steps)
        return evidence(parameter.at(value), value, target, settings)

    convex = parameter.is_convex
    bracket = search(look, parameter.most, parameter.start, settings.deadline, is_convex=convex)
    below, above = bracket.at.get(bracket.first_met), bracket.at.get(bracket.last_refuted)
    if below is None and convex:  # it came as close to the target as any did
        above = min(
            bracket.at.values(), key=lambda one: inf if one.bound is None else one.bound, default=None
        )
    between = tuple(bracket.at[steps] for steps in bracket.open_values)
    apart = abs(parameter.value(bracket.first_met) - parameter.value(bracket.last_refuted))
    if bracket.is_late:
        outcome = Outcome.LATE
    elif below is None:
        outcome = Outcome.UNDECIDED if between else Outcome.NOWHERE
    elif above is None:
        outcome = Outcome.UNDECIDED if between else Outcome.EVERYWHERE
    else:
        outcome = Outcome.PROVED if apart <= precision else Outcome.UNDECIDED
    is_proved = above is not None and (below is not None or not convex)
    return Threshold(
        parameter=parameter.name,
        target=target,
        precision=precision,
        value=None if below is None else below.value,
        beyond=above.value if above is not None and is_proved else None,
        met=below,
        refuted=above,
        undecided=between,
        law=parameter.law,
        outcome=outcome,
        designs=len(bracket.at),
        seconds=time.perf_counter() - start,
    )


_FINEST = Fraction(1, 10**12)


def precise(precision: Number, most: Fraction) -> Fraction:
    """Return a precision exactly as given."""
    value = exact(precision, "precision")
    if not 0 < value <= most:
        message = (
            f"`precision` must be positive and at most {as_text(most)}; got {brief(as_text(value))[1:-1]}. "
            "It is how far apart the two proved values may be: 0.001 is usual."
        )
        raise ProblemError(message)
    if value < _FINEST:
        raise broken_rule("precision", f"be at least {float(_FINEST):g}", brief(precision))
    return value
