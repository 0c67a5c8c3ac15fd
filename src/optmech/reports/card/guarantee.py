"""What epsilon and delta promise, in sentences, for every definition of privacy.

Below P and Q are the probabilities under two neighbouring true answers, and E is ``e^epsilon``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.base.logarithm import Logarithm
from optmech.base.numbers import as_text
from optmech.base.spelled import at_most, exactly, percent_at_most
from optmech.question.privacy import (
    ApproximatePrivacy,
    PerOutcomePrivacy,
    ProbabilisticPrivacy,
    PurePrivacy,
    SymmetricRows,
)
from optmech.question.protection import ONE_SIDED

if TYPE_CHECKING:
    from optmech.question.privacy import Privacy

__all__ = ["Guarantee", "guarantee_of"]

# More than what is rounded off a power of e.
_ABOVE = 1 + 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Guarantee:
    """What is promised between neighbours.

    Attributes
    ----------
    definition : str
        What the definition of privacy is called.
    promise : str
        What epsilon and delta mean, a sentence.
    odds : str
        What it means for somebody who wants to find out, a sentence; empty where nothing short is true.
    is_differential_privacy : bool
        Whether (epsilon, delta)-differential privacy follows at the stated epsilon and delta.
    unlike_usual : str
        How this definition differs from (epsilon, delta)-differential privacy, a sentence; empty where it
        does not.
    """

    definition: str
    promise: str
    odds: str
    is_differential_privacy: bool
    unlike_usual: str


def guarantee_of(
    privacy: Privacy, *, heaviest: int = 1, both_ways: bool = True, spent: Fraction | None = None
) -> Guarantee:
    """Return what a privacy promises.

    Parameters
    ----------
    privacy : Privacy
        Of the question.
    heaviest : int
        The largest weight between neighbours.
    both_ways : bool
        Whether each of two neighbours is protected against the other.
    spent : Fraction, optional
        The delta that a mechanism spends, where the question seeks the least one.

    Examples
    --------
    >>> print(guarantee_of(PurePrivacy("ln 3")).promise)
    Whatever is released, it is at most 3 times as likely as it would be under a neighbouring true answer.
    >>> print(guarantee_of(PurePrivacy("ln 3")).odds)
    Somebody who holds two neighbouring true answers equally likely beforehand is at most 75 % sure of either
    of them afterwards.
    >>> guarantee_of(PerOutcomePrivacy(1, "0.1")).is_differential_privacy
    False
    """
    factor = _factor(privacy)
    times = f"{at_most(factor)} times" if heaviest == 1 else f"e^({as_text(privacy.epsilon)} w) times"
    delta = None if isinstance(privacy, PurePrivacy) else privacy.delta
    amount = spent if delta is None else delta
    told = "that is as small as it can be" if amount is None else f"of {exactly(amount, up=True)}"
    most = "as small as it can be" if amount is None else f"of at most {exactly(amount, up=True)}"
    match privacy:
        case ApproximatePrivacy() if delta != 0:
            definition = "approximate differential privacy, (ε, δ)"
            promise = (
                "Whatever set of answers one looks at, what is released falls into it with at most "
                f"{times} the "
                f"probability that it has under a neighbouring true answer, plus a delta {told}."
            )
            unlike = ""
        case PerOutcomePrivacy():
            definition = "per-outcome (ε, δ), Sadeghi et al. 2020"
            whose = "Each single answer is"
            if privacy.rows is SymmetricRows.PAPER:
                definition = "per-outcome (ε, δ) of the rows printed in Sadeghi et al. 2020"
                whose = "Each single answer in the rows that the paper prints, and perhaps no other, is"
            promise = (
                f"{whose} released with at most {times} the probability that it has under a "
                f"neighbouring true answer, plus a delta {told}."
            )
            unlike = (
                "This delta is for each single answer. Differential privacy means it for every set of "
                "answers, "
                "over which such deltas may add up: then it holds with a larger delta only."
            )
            if privacy.rows is SymmetricRows.PAPER:
                unlike += " And it is asked of the rows that the paper prints, which are not all."
        case ProbabilisticPrivacy() if delta != 0:
            definition = "probabilistic (ε, δ), Kadam et al. 2024"
            promise = (
                f"Whatever is released, it is at most {times} as likely as under a neighbouring true "
                "answer, but "
                f"for answers that together are released with a probability, delta, {most}."
            )
            unlike = (
                "This is stronger than (ε, δ)-differential privacy, which follows from it at the same "
                "numbers. "
                "But it need not survive what is done to an answer afterwards; what follows from it does."
                if both_ways
                else "Its delta is the probability of answers that may be too likely."
            )
        case PurePrivacy() | ApproximatePrivacy() | ProbabilisticPrivacy():
            definition = "pure differential privacy, ε"
            promise = (
                f"Whatever is released, it is at most {times} as likely as it would be under a "
                "neighbouring true "
                "answer."
            )
            unlike, amount = "", None
        case _:
            message = f"no rule knows {privacy}"
            raise TypeError(message)
    usual = not isinstance(privacy, PerOutcomePrivacy)
    odds = _odds(factor, amount, pure=not amount) if usual and both_ways and heaviest == 1 else ""
    if delta is None and amount is None and not isinstance(privacy, PurePrivacy):
        odds = ""
    if heaviest > 1:
        definition, usual = f"metric privacy: {definition}", False
        weights = f"Neighbours of weight w are protected by w times epsilon only, up to {heaviest} times."
        unlike = f"{weights} {unlike}".rstrip()
    if not both_ways:
        definition, usual = f"one-sided: {definition}", False
        unlike = f"{ONE_SIDED} {unlike}".rstrip()
    return Guarantee(
        definition=definition,
        promise=promise,
        odds=odds,
        is_differential_privacy=usual,
        unlike_usual=unlike,
    )


def _factor(privacy: Privacy) -> Fraction | float:
    """Return ``e^epsilon``, or a double above it."""
    epsilon = privacy.epsilon
    if isinstance(epsilon, Logarithm):
        return Fraction(epsilon.of)
    return privacy.factor * _ABOVE if epsilon else Fraction(1)


def _odds(factor: Fraction | float, delta: Fraction | None, *, pure: bool) -> str:
    """Return how sure somebody can become who holds two neighbours equally likely.

    A test that tells them apart best is right with probability (1 + TV) / 2, and the total variation is at
    most ``(E - 1 + 2 delta) / (E + 1)``.
    """
    before = "Somebody who holds two neighbouring true answers equally likely beforehand"
    if pure:
        most = percent_at_most(_share(factor, Fraction(0)))
        return f"{before} is at most {most} sure of either of them afterwards."
    right = percent_at_most(_share(factor, delta or Fraction(0)))
    return f"{before} and then guesses which one it was is right with probability at most {right}."


def _share(factor: Fraction | float, delta: Fraction) -> Fraction:
    if factor == math.inf:
        return Fraction(1)
    return min(Fraction(1), (Fraction(factor) + delta) / (1 + Fraction(factor)))
