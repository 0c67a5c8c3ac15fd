"""Fits and ratios of measured seconds, on numbers that are known."""

from __future__ import annotations

import math

import pytest

from benchmarks.cost.measure import fitted, interleaved, ratio


def test_a_power_law_has_its_exponent_and_no_spread():
    growth = fitted([10, 20, 40, 80], [3 * size**2.5 for size in (10, 20, 40, 80)])
    assert growth.exponent == pytest.approx(2.5, rel=1e-12)
    assert growth.spread == pytest.approx(0.0, abs=1e-12)
    assert growth.points == 4


def test_the_spread_is_the_standard_error_of_the_slope():
    # log2 sizes 0, 1, 2 and log2 seconds 0, 2, 2: slope 1, residuals -1/3, 2/3, -1/3, so their squares sum to
    # 2/3 with one degree of freedom, and sizes spread by 2: sqrt(2/3 / 1 / 2).
    growth = fitted([1, 2, 4], [1, 4, 4])
    assert growth.exponent == pytest.approx(1.0)
    assert growth.spread == pytest.approx(math.sqrt(1 / 3))


def test_two_sizes_have_a_slope_without_spread():
    growth = fitted([10, 20], [1, 8])
    assert growth.exponent == pytest.approx(3.0)
    assert math.isnan(growth.spread)
    assert str(growth) == "3.00 (2 sizes)"


@pytest.mark.parametrize(("sizes", "seconds"), [([10], [1]), ([10, 10], [1, 2]), ([10, 20], [1]), ([], [])])
def test_a_slope_needs_two_sizes(sizes, seconds):
    with pytest.raises(ValueError, match="two sizes"):
        fitted(sizes, seconds)


def test_a_slope_needs_positive_seconds():
    with pytest.raises(ValueError, match="positive"):
        fitted([10, 20], [0, 1])


def test_a_stopped_peer_makes_the_ratio_a_lower_bound():
    assert ratio(120, 2, at_least=True) == "> 60"
    assert ratio(3, 2) == "1.5"


@pytest.mark.slow
def test_works_take_turns():
    order = []
    works = {name: lambda name=name: order.append(name) for name in ("ours", "theirs")}
    assert set(interleaved(works, 3)) == {"ours", "theirs"}
    assert order == ["ours", "theirs"] * 3
