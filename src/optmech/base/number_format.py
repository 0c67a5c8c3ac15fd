"""Numbers and lists as they stand in a sentence: short, and never rounded to a claim that is too good."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

from optmech.base.numbers import as_text

_DIGITS = 4
# A probability nearer than this to 0 or 1, and neither, is called less or more than it.
_SMALL, _HALF = 1e-4, 0.5
# In per cent: what is missing to certainty is told in two digits between the two.
_NEARLY, _HARDLY = Fraction(1), Fraction(1, 10**10)
# Longer exact texts, such as rationals of a proof, are told as doubles.
_LONGEST_EXACT = 12


def number(value: float) -> str:
    """Return a number in at most four digits."""
    return "infinite" if math.isinf(value) else f"{value:.4g}"


def at_most(value: Fraction | float, digits: int = _DIGITS, *, form: str = "g") -> str:
    """Return a number to `digits` digits, rounded up: a limit that is promised must be one.

    With the form ``"e"`` its power of ten is written out.

    >>> at_most(Fraction(1, 3)), at_most(Fraction(1, 3), 2, form="e"), at_most(math.inf)
    ('0.3334', '3.4e-01', 'infinite')
    >>> at_most(Fraction(1, 10**400))  # a double would be 0
    '1e-400'
    >>> at_most(Fraction(0), 2, form="e")
    '0.0e+00'
    """
    if value == math.inf:
        return "infinite"
    above = decimal_above(value, digits)
    decimals = digits if form == "g" else digits - 1
    return f"{above if above and not float(above) else float(above):.{decimals}{form}}"


def at_least(value: Fraction | float, digits: int = _DIGITS) -> str:
    """Return a number to `digits` digits, rounded down: a bound that is proved must not grow in print.

    >>> at_least(1.13786), at_least(-0.33333), at_least(Fraction(2)), at_least(-math.inf)
    ('1.137', '-0.3334', '2', 'infinite')
    """
    return "infinite" if math.isinf(value) else f"{float(_round(value, digits, ROUND_FLOOR)):.{digits}g}"


def percent_at_most(share: Fraction | float) -> str:
    """Return a share in per cent, rounded up, and all of it only where hardly anything is missing.

    >>> percent_at_most(0.7310585), percent_at_most(1 - 4.54e-5), percent_at_most(1.0), percent_at_most(1.5)
    ('73.2 %', '99.9955 %', '100 %', '150 %')
    """
    if share > 1:
        return f"{at_most(100 * share, 3)} %"
    missing = 100 * (1 - Fraction(share))
    if not _HARDLY < missing < _NEARLY:
        return f"{at_most(100 * Fraction(share), 3) if missing >= _NEARLY else '100'} %"
    return f"{(100 - _round(missing, 2, ROUND_FLOOR)).normalize():f} %"


def decimal_above(value: Fraction | float, digits: int) -> Decimal:
    """Return the least decimal of `digits` digits that is not below a number."""
    return _round(value, digits, ROUND_CEILING)


def _round(value: Fraction | float, digits: int, rounding: str) -> Decimal:
    """Return a number to `digits` digits; dividing rounds once, for a fraction of any length."""
    exact = Fraction(value)
    return Context(prec=digits, rounding=rounding).divide(
        Decimal(exact.numerator), Decimal(exact.denominator)
    )


def percent(probability: Fraction | float) -> str:
    """Return a probability in per cent; neither certain nor impossible unless it is.

    >>> percent(0.7310585), percent(1 - 1e-9), percent(1.0), percent(1e-9), percent(0.0)
    ('73.1 %', 'more than 99.99 %', '100 %', 'less than 0.01 %', '0 %')
    >>> percent(1 - Fraction(1, 10**20))
    'more than 99.99 %'
    """
    if _is_nearly_certain_or_not(probability):
        return "more than 99.99 %" if probability > _HALF else "less than 0.01 %"
    return f"{100 * float(probability):.{_digits_of(probability)}g} %"


def percent_at_least(probability: Fraction | float) -> str:
    """Return the same of a probability that is promised at least, rounded down.

    >>> percent_at_least(Fraction(2, 3)), percent_at_least(1 - 1e-9), percent_at_least(1)
    ('66.6 %', 'more than 99.99 %', '100 %')
    """
    if _is_nearly_certain_or_not(probability):
        return percent(probability)
    return f"{at_least(100 * Fraction(probability), _digits_of(probability))} %"


def _is_nearly_certain_or_not(probability: Fraction | float) -> bool:
    return 1 - _SMALL < probability < 1 or 0 < probability < _SMALL


def _digits_of(probability: Fraction | float) -> int:
    return 3 if probability < 1 - 10 * _SMALL else 4


def share_of(part: float, rest: float) -> Fraction:
    """Return the share of a part without rounding: nearly all is all as a double.

    >>> percent(share_of(1.0, 1e-20)), percent(share_of(1e-20, 1.0))
    ('more than 99.99 %', 'less than 0.01 %')
    """
    return Fraction(part) / (Fraction(part) + Fraction(rest))


def plain(text: object) -> str:
    r"""Return a text as one line that every reader and every file can hold.

    >>> plain("a\nb \u202ec")
    'a b c'
    """
    return " ".join("".join(sign if sign.isprintable() else " " for sign in str(text)).split())


def exactly(value: Fraction, *, up: bool = False) -> str:
    """Return an exact number as typed where that is short, else in four digits, rounded up if so asked.

    >>> from fractions import Fraction
    >>> exactly(Fraction(1, 1000)), exactly(Fraction(1, 3)), exactly(Fraction(2**70, 2**70 + 1) / 3)
    ('0.001', '1/3', '0.3333')
    >>> exactly(Fraction(2**70, 2**70 + 1) / 3, up=True)
    '0.3334'
    """
    text = as_text(value)
    if len(text) <= _LONGEST_EXACT:
        return text
    return at_most(value) if up else number(float(value))
