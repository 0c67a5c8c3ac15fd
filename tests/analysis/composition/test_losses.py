"""Products and hulls of losses, held to sums over all outcomes."""

from __future__ import annotations

from fractions import Fraction
from itertools import product as outcomes

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from optmech.analysis.composition.curve import curve_of
from optmech.analysis.composition.losses import envelope, losses_of, maximal_pairs, product

FACTORS = [Fraction(0), Fraction(1, 7), Fraction(1), Fraction(5, 4), Fraction(3), Fraction(40)]
columns = st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any)


def hockey_stick(truth, neighbour, uses, factor):
    """Sum over all outcomes of `uses` draws, nothing merged."""
    total, other = Fraction(sum(truth)) ** uses, Fraction(sum(neighbour)) ** uses
    spent = Fraction(0)
    for responses in outcomes(range(len(truth)), repeat=uses):
        p, q = Fraction(1), Fraction(1)
        for response in responses:
            p, q = p * truth[response], q * neighbour[response]
        spent += max(Fraction(0), p / total - factor * q / other)
    return spent


@pytest.mark.slow
@given(columns, columns, st.integers(1, 3))
def test_a_product_is_the_sum_over_all_outcomes(truth, neighbour, uses):
    curve = curve_of(product([(losses_of(truth, neighbour), uses)]))
    for factor in FACTORS:
        assert curve.hockey_stick(factor) == hockey_stick(truth, neighbour, uses, factor)


@given(st.lists(st.tuples(columns, columns), min_size=1, max_size=4))
def test_an_envelope_is_the_largest_of_all_at_every_factor(pairs):
    losses = [losses_of(*pair) for pair in pairs]
    curve = curve_of(envelope(losses))
    for factor in [*FACTORS, *curve.ratios]:
        assert curve.hockey_stick(factor) == max(curve_of(one).hockey_stick(factor) for one in losses)
    assert sum(curve.masses) + curve.infinite == 1
    assert envelope([*losses, envelope(losses)]) == envelope(losses)


@given(columns, columns, columns, columns)
def test_only_what_is_nowhere_above_is_dominated(truth, neighbour, other_truth, other_neighbour):
    first, second = losses_of(truth, neighbour), losses_of(other_truth, other_neighbour)
    low, high = curve_of(first), curve_of(second)
    corners = [Fraction(0), *low.ratios, *high.ratios]
    below = all(low.hockey_stick(factor) <= high.hockey_stick(factor) for factor in corners)
    below = below and low.infinite <= high.infinite
    assert (first not in maximal_pairs([first, second])) == below or first == second


def test_domination_lasts_in_products():
    weak, strong = losses_of([2, 1], [1, 2]), losses_of([3, 1], [1, 3])
    other = losses_of([5, 2, 1], [1, 1, 6])
    assert maximal_pairs([weak, strong]) == [strong]
    low, high = product([(weak, 2), (other, 1)]), product([(strong, 2), (other, 1)])
    assert maximal_pairs([low, high]) == [high]


def test_powers_of_one_ratio_stay_few_and_unrelated_ratios_are_not_listed():
    related = losses_of([4, 2, 1], [1, 2, 4])
    assert set(product([(related, 60)]).finite) == {fmpq(4) ** power for power in range(-60, 61)}
    unrelated = losses_of([3, 5, 7, 11, 13, 17, 19], [19, 17, 2, 23, 29, 3, 5])
    assert product([(unrelated, 20)]) is None
