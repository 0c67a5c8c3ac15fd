"""The verdict on a claim, and a row of the audit.

A claim of epsilon is held against the exact loss, a claim of (epsilon, delta) against the exact delta at that
epsilon. Whether one exceeds the other is decided by balls that do not overlap; where they overlap in all of
their bits the two are equal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from benchmarks.audit.library.law import exact
from optmech.base.arguments import Word

if TYPE_CHECKING:
    from benchmarks.audit.library.case import LibraryCase

ROUNDING = Fraction(1, 10**5)
"""A share of a claim that rounding may take: of probabilities, or in the library's search for its noise."""
NEGLIGIBLE = Fraction(1, 10**12)
"""A delta that the 53 bits of a draw can cause; an epsilon that is exceeded with it alone is rounding."""


class ClaimVerdict(Word):
    """The verdict of the exact loss on a claim."""

    KEEPS = "keeps its promise"
    SPENDS_LESS = "spends less than it claims"
    ROUNDS = "exceeds its claim by rounding alone"
    BREAKS = "breaks its promise"
    UNKNOWN = "could not be examined"


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryRow:
    """One mechanism of an installed library; a number is ``None`` where there is none of its kind."""

    library: str
    version: str
    mechanism: str
    inputs: str = ""
    law: str = ""
    """Name of a `benchmarks.audit.library.case.LawSource`."""
    verdict: str
    """Name of a `ClaimVerdict`."""
    claimed_epsilon: float | None = None
    claimed_delta: float | None = None
    epsilon: float | None = None
    """Effective epsilon on these inputs, zeros counted, rounded to the nearest double; may be infinite.
    ``None`` where delta is claimed."""
    is_least: bool = False
    """Whether `epsilon` is a lower bound, since draws that are hardly ever needed were not followed."""
    delta: float | None = None
    """Exact delta at the claimed epsilon, rounded to the nearest double."""
    remark: str = ""
    """Where a difference comes from, or why a mechanism could not be examined."""


def row_of(library: str, version: str, case: LibraryCase) -> LibraryRow:
    """Return the row of a case, with its verdict, at the precision in which its law was made."""
    delta = case.law.delta(case.epsilon)
    loss = None if case.delta else case.law.epsilon()
    verdict = _of_spending(delta, case.delta) if case.delta else _of_epsilon(loss, case.epsilon, delta)
    is_least = not case.delta and case.law.unlisted > 0
    if is_least and verdict in (ClaimVerdict.KEEPS, ClaimVerdict.SPENDS_LESS):
        verdict = ClaimVerdict.UNKNOWN  # what was not followed may spend more
    return LibraryRow(
        library=library,
        version=version,
        mechanism=case.mechanism,
        inputs=case.inputs,
        law=case.source.name,
        verdict=verdict.name,
        claimed_epsilon=case.epsilon,
        claimed_delta=case.delta,
        epsilon=None if case.delta else math.inf if loss is None else float(loss),
        is_least=is_least,
        delta=max(0.0, float(delta)),
        remark=case.remark,
    )


def _of_epsilon(loss: arb | None, claim: float, delta: arb) -> ClaimVerdict:
    """Hold a claim of pure privacy against the loss; where it is exceeded, delta says by how much."""
    if loss is None:
        return ClaimVerdict.ROUNDS if delta < _of(NEGLIGIBLE) else ClaimVerdict.BREAKS
    verdict = _of_spending(loss, claim)
    return ClaimVerdict.ROUNDS if verdict is ClaimVerdict.BREAKS and delta < _of(NEGLIGIBLE) else verdict


def _of_spending(spent: arb, claim: float) -> ClaimVerdict:
    """Hold a claim against the number that it bounds."""
    if math.isinf(claim) or spent < _of(Fraction(claim) * (1 - ROUNDING)):
        return ClaimVerdict.SPENDS_LESS
    if not spent > _of(claim):
        return ClaimVerdict.KEEPS
    return ClaimVerdict.ROUNDS if spent < _of(Fraction(claim) * (1 + ROUNDING)) else ClaimVerdict.BREAKS


def _of(value: Fraction | float) -> arb:
    return arb(exact(value))
