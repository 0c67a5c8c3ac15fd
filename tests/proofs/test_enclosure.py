"""The enclosure of e^epsilon holds the number, and is as narrow as asked."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optmech import ProblemError
from optmech.base.logarithm import Logarithm
from optmech.proofs.enclosure import LONGEST_POWER, Enclosure, enclose_exponential, power_above, power_below
from tests.each import each

EPSILONS = ("1e-6", "1e-3", "0.1", "1/3", "0.5", "0.69314718", "1", "2.18", "10", "123.456", "699.99", "700")
BITS = (1, 20, 53, 64, 200, 2000)
# The series is summed to so many bits more than the enclosure, which must not decide the comparison.
MORE_BITS = 128


def series(epsilon, bits):
    """Return integers ``low``, ``high`` with ``low <= 2**bits e^epsilon <= high``: rounded down, and up.

    From the term n >= 2 epsilon - 1 on, each is at most half the one before: the rest is at most the last.
    """
    top, bottom = epsilon.numerator, epsilon.denominator
    low = high = term_low = term_high = 1 << bits
    n = 0
    while term_high > 1 or (n + 1) * bottom < 2 * top:
        n += 1
        term_low = term_low * top // (bottom * n)
        term_high = -(-term_high * top // (bottom * n))
        low, high = low + term_low, high + term_high
    return low, high + term_high


def test_the_series_knows_e():
    low, high = series(Fraction(1), 200)
    digits = "271828182845904523536028747135266249775724709369995"
    assert str(low * 10**50 >> 200) == str(high * 10**50 >> 200) == digits
    assert 0 < high - low < 500


def holds(enclosure, epsilon, bits):
    low, high = series(epsilon, bits + MORE_BITS)
    scale = 2 ** (bits + MORE_BITS)
    return enclosure.lower * scale < low and high < enclosure.upper * scale


@each("bits", BITS)
@each("epsilon", EPSILONS)
def test_the_exponential_lies_strictly_inside(epsilon, bits):
    number = Fraction(epsilon)
    enclosure = enclose_exponential(number, bits)
    assert holds(enclosure, number, bits)
    assert (enclosure.upper - enclosure.lower) * 2**bits <= enclosure.lower
    for end in (enclosure.lower, enclosure.upper):
        assert end.denominator & (end.denominator - 1) == 0


@given(st.fractions(min_value=Fraction(1, 10**6), max_value=700), st.integers(20, 300))
def test_any_rational_is_enclosed(epsilon, bits):
    enclosure = enclose_exponential(epsilon, bits)
    assert holds(enclosure, epsilon, bits)
    assert (enclosure.upper - enclosure.lower) * 2**bits <= enclosure.lower


@given(st.fractions(min_value=1, max_value=10**300), st.integers(1, 300))
def test_of_a_logarithm_both_ends_are_the_rational(of, bits):
    assert enclose_exponential(Logarithm(of), bits) == Enclosure(of, of)


@each("bits", BITS)
def test_at_zero_both_ends_are_one(bits):
    assert enclose_exponential(Fraction(0), bits) == Enclosure(Fraction(1), Fraction(1))


@pytest.mark.parametrize("bits", [0, -5])
def test_bits_are_positive(bits):
    with pytest.raises(ProblemError, match=f"`bits` must be at least 1; got {bits}. It says how narrow"):
        enclose_exponential(Fraction(1), bits)


def test_no_positive_epsilon_has_a_power_below_one():
    """Or else two equal entries would break a ratio."""
    for epsilon in (Fraction(1, 10**300), Fraction(0)):
        factor = enclose_exponential(epsilon, 8)
        assert factor.lower == 1 <= factor.upper
        assert factor.holds(epsilon)


def test_a_power_that_a_certificate_may_hold_is_exact_and_a_longer_one_is_enclosed():
    base = Fraction(4, 3)  # 3 bits, and no multiple of a power of two
    for power in (0, 1, 7, LONGEST_POWER // 3):
        assert power_below(base, power) == power_above(base, power) == base**power
    power = LONGEST_POWER // 3 + 1
    below, above = power_below(base, power), power_above(base, power)
    assert below < base**power < above < below * (1 + Fraction(1, 2**200))
    long = Fraction(2**LONGEST_POWER + 1, 2**LONGEST_POWER)
    assert power_below(long, 1) == power_above(long, 1) == long
