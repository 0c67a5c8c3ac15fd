"""The meaning of epsilon and delta in sentences, for all definitions of privacy.

Below P and Q are the probabilities under two neighbouring true answers, and E is ``e^epsilon``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from optmech.base.logarithm import Logarithm
from optmech.base.number_format import exactly, percent_at_most
from optmech.question.epsilon import exponential

# More than what is rounded off a power of e.
_ABOVE = 1 + 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Guarantee:
    """The promise between neighbours, in sentences.

    `name` is the name of the definition of privacy, and `letters` those of its parameters where the name has
    none. `promise` is the meaning of epsilon and delta. `odds` is the consequence for an attacker, empty
    where no short statement is true. `is_differential_privacy`: (epsilon, delta)-differential privacy follows
    at the stated numbers. `deviation` is the difference from it, empty where there is none.
    """

    name: str
    letters: str
    promise: str
    odds: str
    is_differential_privacy: bool
    deviation: str

    @property
    def definition(self) -> str:
        """The name and the letters."""
        return ", ".join(filter(None, (self.name, self.letters)))


class Promise(NamedTuple):
    """Name and meaning of a definition, its difference from differential privacy, its letters."""

    name: str
    text: str
    deviation: str = ""
    letters: str = ""


def pure_promise(times: str) -> Promise:
    """Return the promise of pure privacy, without a delta."""
    return Promise(
        "pure differential privacy",
        f"The probability of any result is at most {times} what it is under a neighbouring true answer.",
        letters="ε",
    )


def amount_text(delta: Fraction | None, most: str = "") -> str:
    """Return the size of a delta as a phrase, with ``most`` before the number.

    >>> amount_text(Fraction(1, 8)), amount_text(None)
    ('of 0.125', 'that is as small as it can be')
    """
    if delta is None:
        return "as small as it can be" if most else "that is as small as it can be"
    return f"of {most}{exactly(delta, up=True)}"


def factor_above(epsilon: Fraction | Logarithm) -> Fraction | float:
    """Return ``e^epsilon``, or a double above it."""
    if isinstance(epsilon, Logarithm):
        return Fraction(epsilon.of)
    return exponential(epsilon) * _ABOVE if epsilon else Fraction(1)


def odds(factor: Fraction | float, delta: Fraction | None) -> str:
    """Return the largest certainty of an attacker with even prior odds; no delta is pure privacy."""
    before = "Somebody who considers two neighbouring true answers equally likely beforehand"
    most = percent_at_most(certainty(factor, delta or Fraction(0)))
    if not delta:
        return f"{before} is at most {most} sure of either of them afterwards."
    return f"{before} and then guesses which one it was is right with probability at most {most}."


def certainty(factor: Fraction | float, delta: Fraction) -> Fraction:
    """Return the largest probability of a right guess between two neighbours that are equally likely before.

    Without a delta it is the largest posterior probability of either as well. A test that tells them apart
    best is right with probability (1 + TV) / 2, and the total variation is at most
    ``(E - 1 + 2 delta) / (E + 1)``.

    >>> certainty(Fraction(3), Fraction(0)), certainty(math.inf, Fraction(0))
    (Fraction(3, 4), Fraction(1, 1))
    """
    if factor == math.inf:
        return Fraction(1)
    return min(Fraction(1), (Fraction(factor) + delta) / (1 + Fraction(factor)))
