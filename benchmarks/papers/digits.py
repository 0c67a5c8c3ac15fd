"""Lines of a reproduction whose verdict the printed digits decide."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from benchmarks.papers.item import Line, Verdict, Weight

__all__ = ["holds", "misprint", "not_reproducible", "printed", "unprinted"]

# A decimal that a double misses is no disagreement.
_DOUBLE_ROUNDING = 1e-12


def printed(quantity: str, digits: str, computed: float, note: str = "") -> Line:
    """Return a line that is reproduced if `computed` rounds to the printed `digits`, else a misprint.

    Digits are a decimal such as ``"0.5432"``, equal up to half a unit of the last one, or a ratio such as
    ``"1/4"``, equal but for the rounding of a double.

    Examples
    --------
    >>> printed("f(0)", "0.5432", 0.54319).verdict.value, printed("f(0)", "1/3", 0.333).verdict.value
    ('reproduced', 'misprint')
    """
    unit = Fraction(0) if "/" in digits else Fraction(10) ** int(Decimal(digits).as_tuple().exponent)
    equal = abs(computed - Fraction(digits)) <= unit / 2 + Fraction(_DOUBLE_ROUNDING)
    verdict = Verdict.REPRODUCED if equal else Verdict.MISPRINT
    weight = None if equal else Weight.NUMBER
    return Line(
        quantity=quantity, printed=digits, computed=computed, verdict=verdict, note=note, weight=weight
    )


def holds(quantity: str, claim: str, computed: float, note: str = "") -> Line:
    """Return a line for a printed claim, such as an inequality, that the computed number bears out."""
    return Line(quantity=quantity, printed=claim, computed=computed, verdict=Verdict.REPRODUCED, note=note)


def misprint(
    quantity: str, claim: str, computed: float, note: str, weight: Weight, *, theorem: str = ""
) -> Line:
    """Return a line for a printed claim that the computed number contradicts; the note says how.

    `theorem` names the false theorem that it follows from, if one of `optmech.theorems` is.
    """
    return Line(
        quantity=quantity,
        printed=claim,
        computed=computed,
        verdict=Verdict.MISPRINT,
        note=note,
        weight=weight,
        theorem=theorem,
    )


def not_reproducible(quantity: str, digits: str, computed: float, note: str) -> Line:
    """Return a line for a printed number that no reading tried here gives; the note says which were tried."""
    return Line(
        quantity=quantity, printed=digits, computed=computed, verdict=Verdict.NOT_REPRODUCIBLE, note=note
    )


def unprinted(quantity: str, computed: float, note: str = "") -> Line:
    """Return a line for a number that the paper does not print."""
    return Line(quantity=quantity, printed="", computed=computed, verdict=Verdict.NOT_PRINTED, note=note)
