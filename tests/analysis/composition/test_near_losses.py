"""Losses that differ by rounding alone: what stands for them is above, or below, and hardly apart."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

import optmech as om
from optmech.analysis.composition.curve import curve_of
from optmech.analysis.composition.losses import Losses, envelope, envelope_of_columns, losses_of, product
from optmech.analysis.composition.near_losses import merged_up, near_losses_of, with_common_numbers
from optmech.analysis.composition.pairs import neighbours_of
from tests.search import search

SCALE = 2**140
# A share by which two uses may differ; the module derives it.
HARDLY = Fraction(2**93 + 2, 2**93)
columns = st.lists(st.integers(0, 9), min_size=5, max_size=5).filter(any)
offsets = st.lists(st.integers(0, 40), min_size=5, max_size=5)


def rounded(column, offset):
    """Return multiples of a large number, each off by a few."""
    return [value and value * SCALE + few for value, few in zip(column, offset, strict=True)]


def assert_hardly_below(low, high):
    corners = {Fraction(0), Fraction(1), *low.ratios, *high.ratios}
    middles = {(first + second) / 2 for first, second in pairwise(sorted(corners))}
    for factor in corners | middles | {ratio * HARDLY for ratio in corners}:
        assert low.hockey_stick(factor) <= high.hockey_stick(factor)
        assert high.hockey_stick(factor) <= HARDLY * low.hockey_stick(factor / HARDLY)
    assert low.infinite == high.infinite
    assert low.exact_epsilon(0) == high.exact_epsilon(0)


@search(40, columns, columns, offsets, offsets)
def test_pairs_above_and_below_are_hardly_apart_in_products_too(truth, neighbour, offset, other):
    pair = rounded(truth, offset), rounded(neighbour, other)
    near, exact = near_losses_of(*pair), losses_of(*pair)
    assert len(near.high.finite) <= len(losses_of(truth, neighbour).finite)
    for uses in (1, 2):
        low, middle, high = (curve_of(product([(each, uses)])) for each in (near.low, exact, near.high))
        assert_hardly_below(low, middle)
        assert_hardly_below(middle, high)


@settings(max_examples=40)
@given(columns, columns, offsets, offsets)
def test_ratios_in_common_and_of_hulls_stay_above_and_close(truth, neighbour, offset, other):
    pairs = [
        (rounded(truth, offset), rounded(neighbour, other)),
        (rounded(truth, other), rounded(neighbour, offset)),
        (rounded(neighbour, offset), rounded(truth, other)),
    ]
    common = with_common_numbers([near_losses_of(*pair) for pair in pairs])
    above = merged_up(envelope(near.high for near in common))
    exact = envelope(losses_of(*pair) for pair in pairs)
    assert_hardly_below(curve_of(exact), curve_of(above))
    assert envelope_of_columns(pairs) == exact


def test_next_to_no_mass_joins_the_next_larger_ratio_and_no_smaller_one():
    tiny = fmpq(1, 2**200)
    losses = Losses(fmpq(0), {fmpq(3): tiny, fmpq(2): fmpq(1, 2), fmpq(1): tiny, fmpq(1, 2): fmpq(1, 4)})
    assert merged_up(losses).finite == {fmpq(3): tiny, fmpq(2): fmpq(1, 2) + tiny, fmpq(1, 2): fmpq(1, 4)}


@pytest.mark.parametrize(("size", "epsilon"), [(10, 1), (10, "0.1"), (20, 1)])
def test_counts_have_as_few_losses_as_geometric_noise(size, epsilon):
    certificate = om.design(om.croft(om.count(size), epsilon)).certificate
    neighbours = neighbours_of(certificate)
    assert max(len(losses_of(*pair).finite) for pair in neighbours.columns) > 2
    (worst,) = neighbours.worst()
    assert len(worst.high.finite) == len(neighbours.nearly_dominating.finite) == 2
    assert_hardly_below(curve_of(neighbours.dominating), curve_of(neighbours.nearly_dominating))
    spent = om.compose(certificate, 8)
    assert len(spent.curve.ratios) == 9
    assert spent.epsilon(0) == spent.attained.epsilon(0)
    assert spent.attained.exact_epsilon(0) <= spent.curve.exact_epsilon(0) <= 8 * Fraction(epsilon)
    for at in (0, "1/5", 2, 7):
        assert float(spent.delta(at)) == float(spent.attained.delta(at))


def test_other_matrices_keep_their_losses_as_they_are():
    certificate = om.design(om.croft(om.count(6), 1), engine="closed-form").certificate
    neighbours = neighbours_of(certificate)
    assert all(near.is_exact for near in neighbours.near)
    assert neighbours.nearly_dominating == neighbours.dominating
