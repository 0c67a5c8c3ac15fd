"""Losses in cells: both bounds hold, and they are close where they should be."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from optmech.analysis.composition.curve import curve_of
from optmech.analysis.composition.losses import Losses, losses_of, product
from optmech.analysis.composition.product_bounds import rounded_product

FACTORS = [
    Fraction(0),
    Fraction(1, 30),
    Fraction(1),
    Fraction(3, 2),
    Fraction(6),
    Fraction(50),
    Fraction(9**9),
]
columns = st.lists(st.integers(0, 40), min_size=4, max_size=4).filter(any)


def bounds(parts, cells):
    return [curve_of(rounded_product(parts, up=up, cells=cells)) for up in (False, True)]


@pytest.mark.slow
@given(columns, columns, columns, columns, st.integers(1, 6), st.sampled_from([8, 16, 64]))
def test_the_product_lies_between_its_bounds(truth, neighbour, other, second, uses, cells):
    parts = [(losses_of(truth, neighbour), uses), (losses_of(other, second), 1)]
    exact = curve_of(product(parts))
    low, high = bounds(parts, cells)
    for factor in [*FACTORS, *exact.ratios[:5]]:
        assert low.hockey_stick(factor) <= exact.hockey_stick(factor) <= high.hockey_stick(factor)
    assert low.infinite == exact.infinite == high.infinite


def test_more_cells_are_tighter_by_the_square():
    parts = [(losses_of([40, 30, 17, 12, 6, 3, 1], [1, 4, 9, 16, 20, 30, 41]), 8)]
    gaps = []
    for cells in (64, 256):
        low, high = bounds(parts, cells)
        gaps.append(max(high.hockey_stick(factor) - low.hockey_stick(factor) for factor in FACTORS[2:6]))
    assert 0 < gaps[1] < gaps[0] / 8


def test_nearly_equal_ratios_lose_nothing():
    noise = [10**18 + seven for seven in (0, 7, 31, 77)]
    truth, neighbour = noise + noise, [3 * 10**18 - one for one in noise] + [10**18 // 2] * 4
    parts = [(losses_of(truth, neighbour), 30)]
    low, high = bounds(parts, 512)
    for factor in FACTORS[1:6]:
        # Clusters are 1e-12 wide and the bounds differ by its square, but where a corner is cut.
        assert high.hockey_stick(factor) - low.hockey_stick(factor) <= Fraction(1, 10**10)
    assert high.hockey_stick(Fraction(6)) > 0


@pytest.mark.parametrize("power", [400, 4000])
def test_ratios_and_masses_beyond_doubles_stay_on_the_safe_side(power):
    tiny = fmpq(1, 10**power)
    losses = Losses(fmpq(0), {1 / tiny: tiny, fmpq(1, 2): 1 - 2 * tiny, tiny: tiny})
    exact = curve_of(product([(losses, 2)]))
    low, high = bounds([(losses, 2)], 16)
    for factor in [*FACTORS, Fraction(10**power), Fraction(10 ** (2 * power - 3))]:
        assert low.hockey_stick(factor) <= exact.hockey_stick(factor) <= high.hockey_stick(factor)
    assert high.hockey_stick(Fraction(10 ** (2 * power + 1))) == 0


def test_mass_at_infinity_is_exact():
    parts = [(losses_of([3, 1], [0, 1]), 5)]
    low, high = bounds(parts, 16)
    assert low.infinite == high.infinite == 1 - Fraction(1, 4) ** 5
