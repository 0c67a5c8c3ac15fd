"""Two different numbers in a sentence: exact where they are short, else with the digits that differ."""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction

from optmech.base.logarithm import Logarithm
from optmech.base.numbers import as_text

_LONGEST = 20  # characters of a number that is shown exactly
_LEAST_DIGITS, _MOST_DIGITS = 6, 24


def told_apart(its: Fraction | Logarithm | None, own: Fraction | Logarithm | None) -> str:
    """Return the words that follow "its number is", of a number that differs from that of a certificate.

    >>> told_apart(Fraction(1, 2), Fraction(2, 3)), told_apart(None, Logarithm(Fraction(3)))
    ('0.5, that of the certificate 2/3', 'none, that of the certificate ln 3')
    >>> third = Fraction(1, 3)
    >>> told_apart(third + Fraction(1, 10**30), third + Fraction(1, 10**9))
    'about 0.333333333, that of the certificate about 0.333333334'
    >>> told_apart(third + Fraction(1, 10**30), third)
    '1e-30 more than that of the certificate, 1/3'
    """
    exact = _exact(its), _exact(own)
    if all(exact):
        return _beside(*exact)
    if isinstance(its, Logarithm) and isinstance(own, Logarithm):
        return f"ln x, x being {told_apart(its.of, own.of)}"
    if not isinstance(its, Fraction) or not isinstance(own, Fraction):
        return _beside(_short(its), _short(own))
    for digits in range(_LEAST_DIGITS, _MOST_DIGITS + 1):
        rounded, own_rounded = _rounded(its, digits), _rounded(own, digits)
        if rounded != own_rounded:
            return _beside(f"about {rounded}", f"about {own_rounded}")
    apart = _rounded(abs(its - own), 2)
    return f"{apart} {'more' if its > own else 'less'} than that of the certificate, {_short(own)}"


def _beside(its: str, own: str) -> str:
    return f"{its}, that of the certificate {own}"


def _exact(number: Fraction | Logarithm | None) -> str:
    """Return the text of a number where it is short, else no text."""
    if number is None:
        return "none"
    ratio = number.of if isinstance(number, Logarithm) else number
    # Python writes no integer of more than 4,300 digits out, and a short ratio may be a long decimal.
    if _is_long(ratio.numerator) or _is_long(ratio.denominator) or len(str(number)) > _LONGEST:
        return ""
    text = as_text(number)
    return text if len(text) <= _LONGEST else str(number)


def _is_long(number: int) -> bool:
    return number.bit_length() > 4 * _LONGEST  # a digit has less than four bits


def _short(number: Fraction | Logarithm | None) -> str:
    exact = _exact(number)
    if exact or number is None:
        return exact
    return (
        f"ln({_short(number.of)})"
        if isinstance(number, Logarithm)
        else f"about {_rounded(number, _LEAST_DIGITS)}"
    )


def _rounded(number: Fraction, digits: int) -> str:
    """Return a number as a decimal of so many significant digits."""
    quotient = Context(prec=digits).divide(Decimal(number.numerator), Decimal(number.denominator))
    plain = -_LEAST_DIGITS <= quotient.adjusted() < digits
    return f"{quotient.normalize():f}" if plain else f"{quotient.normalize():e}"
