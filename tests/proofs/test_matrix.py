"""Whole numbers over one denominator."""

from __future__ import annotations

import hashlib
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import optmech as om
from optmech.designs.repair.rounding import rounded_down
from optmech.proofs.matrix import ExactMatrix
from tests.each import each


def test_the_digest_is_of_the_text_that_the_certificate_shows():
    matrix = ExactMatrix(numerators=[[3, 1], [1, 3]], denominator=4)
    assert matrix.rows() == ["3 1", "1 3"]
    assert matrix.sha256() == hashlib.sha256(b"4\n3 1\n1 3").hexdigest()


@given(st.lists(st.integers(0, 2**130), min_size=1, max_size=6).filter(any))
def test_doubles_are_the_nearest_to_each_fraction(column):
    total = sum(column)
    matrix = ExactMatrix(numerators=[[value] for value in column], denominator=total)
    for value, near in zip(column, matrix.nearest().ravel().tolist(), strict=True):
        assert near == float(Fraction(value, total))


@given(st.sampled_from([1, 53, 54, 200, 999, 1000, 1001, 1200]), st.data())
def test_doubles_over_a_power_of_two_are_rounded_once(bits, data):
    value = data.draw(
        st.integers(0, 2**bits) | st.integers(0, min(bits, 60)).map(lambda shift: (1 << shift) - 1)
    )
    matrix = ExactMatrix(numerators=[[value], [2**bits - value]], denominator=2**bits)
    assert matrix.nearest().ravel().tolist() == [value / 2**bits, (2**bits - value) / 2**bits]


@each(
    ("numerators", "denominator", "words"),
    [
        ([[2, -1], [0, 2]], 1, "not negative"),
        ([[0.5, 1], [0.5, 0]], 1, "whole"),
        ([[True, 1], [0, 0]], 1, "whole"),
        ([[Fraction(1), 1], [0, 0]], 1, "whole"),
        ([["1", 1], [0, 0]], 1, "whole"),
        ([[1, 1], [0, 1]], 1, "column 1 does not"),
        ([[1, 0], [0, 1]], 2, "column 0 does not"),
        ([[0, 0], [0, 0]], 0, "sum to the denominator"),
        ([1, 0], 1, "table"),
        ([], 1, "table"),
        ([[]], 1, "table"),
    ],
)
def test_what_is_no_matrix_of_probabilities_is_refused(numerators, denominator, words):
    with pytest.raises(om.ProblemError, match=words):
        ExactMatrix(numerators=numerators, denominator=denominator)


def test_a_matrix_is_its_own_and_stays_as_it_is():
    given_ = np.array([[3, 1], [1, 3]], dtype=object)
    matrix = ExactMatrix(numerators=given_, denominator=4)
    given_[0, 0] = 4
    assert matrix.numerators[0, 0] == 3
    with pytest.raises(ValueError, match="read-only"):
        matrix.numerators[0, 0] = 4


@given(st.floats(0, 1, allow_subnormal=True), st.integers(1, 200))
def test_rounding_down_is_the_floor(value, bits):
    (whole,) = rounded_down(np.array([value]), bits).tolist()
    assert type(whole) is int
    assert whole <= Fraction(value) * 2**bits < whole + 1
