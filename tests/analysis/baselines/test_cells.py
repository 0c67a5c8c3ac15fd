from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import laplace

import optmech as om
from optmech.analysis.baselines.cells import cell_edges, edge_offsets, mass_between, snap
from optmech.analysis.baselines.continuous_noise import snapped_laplace


def edges(*responses):
    return [float(edge) for edge in cell_edges(om.Query([1], responses, neighbours=()))]


def test_points_are_the_middle_of_their_cells_and_borders_lie_halfway():
    assert edges(0, 1, 3) == [-0.5, 0.5, 2, 4]
    assert edges(1) == [0.5, 1.5]


def test_categories_keep_their_ends_and_share_the_gaps():
    assert edges((0, 1), (1, 3)) == [0, 1, 3]
    assert edges((0, 1), (2, 3)) == [0, 1.5, 3]
    assert edges(0, (1, 3)) == [-0.5, 0.5, 3]


def test_offsets_of_equal_distances_are_equal_numbers():
    offsets = edge_offsets(om.mean(10, 4))
    # Edge i and truth j are (2 (i - j) - 1) / 20 apart.
    expected = {shift: float(Fraction(2 * shift - 1, 20)) for shift in range(-40, 42)}
    assert all(offsets[i, j] == expected[i - j] for i in range(42) for j in range(41))


def test_a_single_response_is_certain():
    query = om.Query([0, 1], [(0, 2)], 1)
    assert snapped_laplace(query, 1).matrix.tolist() == [[1.0, 1.0]]
    assert snap(laplace(), edge_offsets(query)).tolist() == [[1.0, 1.0]]


@pytest.mark.parametrize("sign", [1, -1])
def test_far_tails_do_not_cancel(sign):
    # The mass of (60, 61) is (e^-60 - e^-61)/2; a difference of values of cdf is zero there.
    near, far = np.array([60.0]), np.array([61.0])
    noise = laplace()
    lower, upper = (near, far) if sign > 0 else (-far, -near)
    expected = np.exp(-60) * -np.expm1(-1) / 2
    assert mass_between(noise, lower, upper) == pytest.approx(expected, rel=1e-12)
    if sign > 0:
        assert noise.cdf(upper) - noise.cdf(lower) == 0


def test_snapped_noise_stays_private_where_differences_would_be_zero():
    baseline = snapped_laplace(om.count(100), 4)
    assert baseline.spent_epsilon == pytest.approx(4, abs=1e-9)
    assert 0 < baseline.matrix.min() < 1e-170
