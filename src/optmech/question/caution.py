"""Warn of an epsilon or a delta so large that its name alone would mislead."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.base.logarithm import Logarithm
from optmech.base.notes import Note, NoteKind

if TYPE_CHECKING:
    from optmech.question.privacy import Privacy

_NOTHING_PROTECTED = (
    "nothing is protected: delta is 1, so that anything may be released, even the true answer."
)

LARGE_DELTA = Fraction(1, 1000)
"""A mechanism may publish one record of n in full with delta = 1/n: beyond a thousandth that is one person of
a small survey. Dwork and Roth 2014, section 2.3, ask for a delta far below 1/n."""

LARGE_EPSILON = 10
"""Odds may change by more than 22,026: enough to name one person among twenty thousand. NIST SP
800-226 calls epsilons above 5 weak already; above 10 no deployment that it lists relies on epsilon alone."""

# Larger factors are told by their power of ten.
_WRITTEN_OUT = Fraction(10) ** 15
_LARGEST_SAID = 10**300
_DIGITS = 40
_DELTA_DIGITS = 4


def protects_nothing(privacy: Privacy, spent: Fraction | float | None = None) -> bool:
    """Whether delta is 1, which the matrix that always tells the truth has as well.

    `spent` is that of `caution_of`.

    >>> from optmech.question.privacy import ApproximatePrivacy
    >>> protects_nothing(ApproximatePrivacy(1, "0.25")), protects_nothing(ApproximatePrivacy(1, "0.25"), 1)
    (False, True)
    """
    return any(delta is not None and delta >= 1 for delta in (privacy.delta, spent))


def caution_of(privacy: Privacy, *, heaviest: int = 1, spent: Fraction | float | None = None) -> Note | None:
    """Return a sentence on the harm that a privacy allows, ``None`` where it is small.

    `heaviest` is the largest weight between neighbours, in multiples of epsilon. `spent` is the delta of a
    mechanism over all sets of responses in both directions, where it is known. The larger of `spent` and the
    question's delta counts.

    >>> from optmech.question.privacy import ApproximatePrivacy, PurePrivacy
    >>> caution_of(PurePrivacy(1)) is caution_of(ApproximatePrivacy(1, "0.001")) is None
    True
    >>> print(caution_of(ApproximatePrivacy(1, "0.25")))
    Caution: with probability up to 0.25 anything may be released, even the true answer.
    >>> print(caution_of(PurePrivacy("0.1"), heaviest=101))
    Caution: odds between neighbouring true answers may change by a factor of up to 24,344.
    """
    deltas = [delta for delta in (privacy.delta, spent) if delta is not None]
    return caution_at(privacy.epsilon, max(deltas, default=None), heaviest)


def caution_at(
    epsilon: Fraction | Logarithm | float, delta: Fraction | float | None, times: int = 1
) -> Note | None:
    """Return the same sentence for a multiple of epsilon, and a delta where it is known.

    >>> print(caution_at(math.inf, 0))
    Caution: odds between neighbouring true answers may change by any factor.
    """
    if isinstance(delta, float):  # it stands for its shortest decimal: 0.001 is no more than a thousandth
        delta = Fraction(str(delta))
    if delta is not None and delta >= 1:
        return Note(NoteKind.CAUTION, _NOTHING_PROTECTED)
    parts = []
    if delta is not None and delta > LARGE_DELTA:
        most = _rounded_up(delta)
        parts.append(f"with probability up to {most} anything may be released, even the true answer")
    if epsilon > Fraction(LARGE_EPSILON, times):
        factor = _factor(epsilon, times)
        parts.append(f"odds between neighbouring true answers may change by {factor}")
    return Note(NoteKind.CAUTION, f"{', and '.join(parts)}.") if parts else None


def _rounded_up(delta: Fraction) -> str:
    # Not by `number_format`, which loads NumPy: every command has this sentence at hand.
    context = Context(prec=_DELTA_DIGITS, rounding=ROUND_CEILING)
    return f"{context.divide(Decimal(delta.numerator), Decimal(delta.denominator)).normalize():f}"


def _factor(epsilon: Fraction | Logarithm | float, times: int) -> str:
    """Return ``e^(times epsilon)`` as a person reads it, rounded up."""
    # A ratio may be too large for a double.
    exponent = math.inf if epsilon > _LARGEST_SAID else float(epsilon) * times
    if exponent == math.inf:
        return "any factor"
    if exponent > math.log(_WRITTEN_OUT):
        return f"a factor of up to 10^{math.ceil(exponent / math.log(10)):,}"
    if isinstance(epsilon, Logarithm):
        return f"a factor of up to {math.ceil(epsilon.of**times):,}"
    exactly, context = Fraction(epsilon), Context(prec=_DIGITS)
    power = context.divide(Decimal(exactly.numerator * times), Decimal(exactly.denominator))
    return f"a factor of up to {math.ceil(context.exp(power)):,}"
