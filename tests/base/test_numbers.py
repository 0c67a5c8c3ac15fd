"""Numbers stay exactly as they were given."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from optmech import ProblemError
from optmech.base.numbers import as_text, exact
from tests.each import each


@each(
    ("given_as", "means"),
    [
        ("0.5", Fraction(1, 2)),
        ("1e-5", Fraction(1, 100_000)),
        ("1/3", Fraction(1, 3)),
        (0.1, Fraction(1, 10)),
        (np.float64(0.1), Fraction(1, 10)),
        (3, Fraction(3)),
        (np.int64(3), Fraction(3)),
        (Fraction(22, 7), Fraction(22, 7)),
    ],
)
def test_a_number_means_what_was_typed(given_as, means):
    assert exact(given_as, "epsilon") == means


@each(
    "nonsense",
    ["", "nan", "inf", "1/0", "half", "1e999999999", float("nan"), float("inf"), None, True, [1], 1j],
)
def test_what_is_no_finite_number_is_refused_by_name(nonsense):
    with pytest.raises(ProblemError, match=r"^`delta` must be a finite number; got .* Write a decimal"):
        exact(nonsense, "delta")


@given(st.fractions())
def test_text_of_a_number_reads_back(value):
    assert exact(as_text(value), "epsilon") == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_reads_back_to_the_same_double(value):
    assert float(exact(value, "epsilon")) == value
