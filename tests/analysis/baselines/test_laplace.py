from __future__ import annotations

import math

import pytest
from scipy.integrate import quad

import optmech as om
from benchmarks.baselines.calibrated_cells import calibrated_cells
from optmech.analysis.baselines.continuous_noise import (
    calibrated_laplace,
    density_epsilon,
    laplace_noise,
    normalised_laplace,
    snapped_laplace,
)
from optmech.base.errors import ProblemError
from tests.each import each

MEAN = om.mean(10, 4)


def test_unbounded_laplace_noise_has_the_printed_scale_and_moments():
    # Bellet: sensitivity 2, epsilon 0.5: scale 4, E|Y| = 4, E Y^2 = 32, P(|Y| > 3 * 4) = e^-3.
    law = laplace_noise(om.extremum(0, 2), "0.5")
    assert law.expect(abs) == pytest.approx(4, rel=1e-6)
    assert law.var() == pytest.approx(32)
    assert 2 * law.sf(12) == pytest.approx(math.exp(-3))
    assert law.pdf(1.5) == pytest.approx(0.0859111598488715248)


def test_sixty_per_cent_outside_refers_to_the_range_without_half_cells():
    law = laplace_noise(om.extremum(1, 5), 1)
    assert law.cdf(-2) + law.sf(2) == pytest.approx(0.6065306597126334)
    assert law.cdf(-2.5) + law.sf(2.5) == pytest.approx(0.5352614285189902)


@pytest.mark.parametrize(("epsilon", "share"), [(0.1, 0.926), (0.5, 0.867), (1, 0.798), (2, 0.702)])
def test_the_doubled_scale_spends_less_than_asked(epsilon, share):
    assert density_epsilon(MEAN, 2 * 0.4 / epsilon) / epsilon == pytest.approx(share, abs=5e-4)
    assert density_epsilon(om.extremum(0, 9), 2 * 9 / epsilon) == pytest.approx(epsilon / 2)


@pytest.mark.parametrize(("epsilon", "share"), [(0.1, 1.824), (1, 1.405)])
def test_the_plain_scale_overspends_on_means_and_not_on_extremes(epsilon, share):
    plain = 0.4 / epsilon
    assert density_epsilon(MEAN, plain) / epsilon == pytest.approx(share, abs=5e-4)
    overspent = normalised_laplace(MEAN, epsilon, scale=plain)
    assert epsilon < overspent.spent_epsilon < share * epsilon + 1e-3
    assert overspent.spent_delta > 0
    assert density_epsilon(om.extremum(0, 9), 9 / epsilon) == pytest.approx(epsilon, rel=1e-12)
    assert normalised_laplace(om.extremum(0, 9), epsilon, scale=9 / epsilon).spent_delta == 0


def test_the_corrected_sign_makes_the_density_integrate_to_one():
    # Croft (22) at f = 1, range [1, 5], scale 8 (epsilon 1): as printed, the denominator is 2 - 1 - e^(1/2).
    law = laplace_noise(om.Query([1, 5], neighbours=1), "0.5")
    inside = quad(law.pdf, 0, 4)[0]
    assert inside == pytest.approx((2 - 1 - math.exp(-0.5)) / 2)
    assert 2 - 1 - math.exp(0.5) == pytest.approx(-0.6487, abs=5e-5)


@each("epsilon", ["0.1", "1", "4"])
@each("query", [MEAN, om.count(7), om.extremum(0, 4)])
def test_calibration_spends_exactly_epsilon(query, epsilon):
    cells = calibrated_cells(query, epsilon)
    assert cells.spent_epsilon == pytest.approx(float(epsilon), abs=1e-10)
    density = calibrated_laplace(query, epsilon)
    assert density.spent_epsilon <= float(epsilon)
    scale = float(density.says.split("scale ")[1].split()[0])
    assert density_epsilon(query, scale) == pytest.approx(float(epsilon), rel=1e-4)  # the scale is rounded
    assert float(cells.says.split("scale ")[1].split()[0]) <= scale


@pytest.mark.parametrize(("epsilon", "query"), [(0.125467538506, MEAN), (0.956208775706, om.extremum(0, 9))])
def test_uniform_beats_snapped_laplace_below_the_known_epsilon(epsilon, query):
    even = om.loss_matrix("absolute", query).mean()
    for factor, better in ((1 - 1e-9, True), (1 + 1e-9, False)):
        matrix = snapped_laplace(query, epsilon * factor).matrix
        error = (om.loss_matrix("absolute", query) * matrix).sum() / query.num_truths
        assert (even < error) == better


def test_wrong_arguments_are_refused_with_a_remedy():
    with pytest.raises(ProblemError, match=r"`scale` must be positive; got 0\. Larger means more noise\."):
        normalised_laplace(MEAN, 1, scale=0)
    with pytest.raises(ProblemError, match='custom query "query" cannot spend epsilon 1 at any scale'):
        calibrated_cells(om.Query([0, 1], [(0, 2)], 1), 1)
