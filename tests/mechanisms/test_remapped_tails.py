"""Noise that is all tails, remapped, is one distribution: exactly, as doubles, or as columns."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import optmech as om
from tests.path import distribution

FACTORS = (Fraction(1, 3), Fraction(1), Fraction(10, 9), Fraction(3, 2), Fraction(4))


@pytest.fixture(
    scope="module",
    # Answers that stand for one draw each, for several in the middle, and for many at both ends.
    params=[
        (8, "1", "absolute", None),
        (9, "ln 4", "squared", [0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0]),
        (12, "0.2", "squared", None),
        (12, "0.02", "absolute", None),
        (11, "0.7", "zero-one", [0.3, 0, 0, 0.4, 0, 0, 0, 0, 0, 0.3, 0, 0]),
    ],
)
def both(request):
    """The distribution, and its exact probabilities: rows of responses."""
    law = distribution(*request.param)
    number = len(law.truths)
    exact = [[law.probability(row, truth) for truth in range(number)] for row in range(number)]
    return law, np.array(exact, dtype=object)


def test_columns_sum_to_one_and_are_as_private_as_the_noise(both):
    law, exact = both
    assert (exact.sum(axis=0) == 1).all()
    for here, beside in ((exact[:, :-1], exact[:, 1:]), (exact[:, 1:], exact[:, :-1])):
        assert (here <= law.certificate.factor.lower * beside).all()


def test_doubles_are_the_exact_probabilities(both):
    law, exact = both
    doubles, truths = exact.astype(float), np.arange(len(exact))
    for place in range(-1, len(exact)):
        below, above = law.tails(np.full(len(exact), place), truths)
        np.testing.assert_allclose(below, exact[: place + 1].sum(axis=0).astype(float), rtol=1e-13)
        np.testing.assert_allclose(above, exact[place + 1 :].sum(axis=0).astype(float), rtol=1e-13)
    for each in truths:
        np.testing.assert_allclose(law.column(each), doubles[:, each], rtol=1e-12, atol=1e-300)
        np.testing.assert_allclose(law.row(each), doubles[each], rtol=1e-12, atol=1e-300)


def test_columns_of_neighbours_have_all_that_a_privacy_curve_needs(both):
    law, exact = both
    query = law.certificate.problem.query
    columns, places = law.neighbour_columns(query, 10**6)
    for truth, place in enumerate(places.tolist()):
        pair = [[Fraction(part, sum(column)) for part in column] for column in columns[place]]
        matrix = exact[:, truth], exact[:, truth + 1]
        for factor in FACTORS:
            for way in (1, -1):
                weights, whole = (
                    sum(max(0, p - factor * q) for p, q in zip(*both_columns[::way], strict=True))
                    for both_columns in (pair, matrix)
                )
                assert weights == whole


def test_columns_of_neighbours_are_refused_where_their_numbers_are_too_long():
    """Where one answer stands for several draws they are powers of the decay, with all their bits."""
    law = distribution(11, "0.7", "zero-one", [0.3, 0, 0, 0.4, 0, 0, 0, 0, 0, 0.3, 0, 0])
    query = law.certificate.problem.query
    columns, _ = law.neighbour_columns(query, 10**6)
    entries = sum(sum(column).bit_length() for pair in columns for column in pair) // 64
    assert len(law.neighbour_columns(query, entries)[0]) == len(columns) > 1
    with pytest.raises(om.NotAcceptedError):
        law.neighbour_columns(query, entries // 5)
