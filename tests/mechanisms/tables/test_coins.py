"""Coins and geometric numbers have the probabilities that they say."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from optmech.mechanisms.tables import coins as drawn
from tests.each import each


def from_words(*numbers):
    """Return a source of these words of 64 bits, one after the other."""
    stream = iter(b"".join(number.to_bytes(8, "little") for number in numbers))
    return lambda count: bytes(itertools.islice(stream, count))


@each(
    "ratio", [Fraction(1, 3), Fraction(9, 10), Fraction(999, 1000), 1 - Fraction(1, 10**9), Fraction(1, 50)]
)
def test_the_bits_of_a_geometric_number_give_its_law(ratio):
    places, more = drawn._bits_of(ratio)
    bits = 256
    chances = [Fraction(sum(chance(bits)), 2 << bits) for chance in (*places, more)]
    assert all(most - least <= 2 for least, most in (chance(bits) for chance in (*places, more)))
    assert chances[-1] <= Fraction(51, 100)
    for number in (0, 1, 2, 5):
        low, high = number % (1 << len(places)), number >> len(places)
        law = (1 - chances[-1]) * chances[-1] ** high
        for place, chance in enumerate(chances[:-1]):
            law *= chance if low >> place & 1 else 1 - chance
        assert law / ((1 - ratio) * ratio**number) == pytest.approx(1, rel=1e-12)


def test_a_coin_asks_for_further_bits_where_a_word_does_not_decide():
    def third(bits):
        return (1 << bits) // 3, -(-(1 << bits) // 3)

    word = (1 << 64) // 3  # 2^64/3 lies within the next 64 bits
    assert drawn.coins(third, 1, from_words(word - 1)).tolist() == [True]
    assert drawn.coins(third, 1, from_words(word + 1)).tolist() == [False]
    assert drawn.coins(third, 1, from_words(word, 0)).tolist() == [True]
    assert drawn.coins(third, 1, from_words(word, (1 << 64) - 1)).tolist() == [False]
    assert drawn.coins(lambda bits: (1 << bits, 1 << bits), 2, from_words()).tolist() == [True, True]


def test_rounding_up_counts_words_of_complete_blocks_alone():
    parts, wholes = np.array([1, 1]), np.array([3, 3])
    last = (1 << 64) - 1  # 2^64 is 1 modulo 3: this word is alone in its block
    up = drawn.rounded_up(parts, wholes, from_words(3, 4, 6))
    assert up.tolist() == [1, 0]
    assert drawn.rounded_up(parts[:1], wholes[:1], from_words(last, 4)).tolist() == [0]
    large = np.array([1 << 70], dtype=object), np.array([3 << 70], dtype=object)
    assert drawn.rounded_up(*large, from_words((1 << 64) // 3 - 1)).tolist() == [1]
