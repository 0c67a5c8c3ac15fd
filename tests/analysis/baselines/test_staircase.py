from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad

from benchmarks.baselines.staircase_density import StaircaseDensity

KNOWN = json.loads((Path(__file__).parents[2] / "reference" / "croft.json").read_text())["bellet"]


@pytest.mark.parametrize("epsilon", ["0.5", "1", "2"])
def test_height_and_moments_are_the_known_ones(epsilon):
    known = {name: float(value) for name, value in KNOWN[f"staircase_Delta1_eps{epsilon}"].items()}
    noise = StaircaseDensity(epsilon=float(epsilon), delta_f=1)
    assert noise.gamma == pytest.approx(known["gamma"], rel=1e-15)
    assert noise.height == pytest.approx(known["y"], rel=1e-15)
    assert noise.mean_absolute_error == pytest.approx(known["E_abs"], rel=1e-15)
    # By tails: E|X| = 2 int sf, E X^2 = 4 int x sf; the kinks of sf are at k and k + gamma.
    ends = [edge for k in range(80) for edge in (k, k + noise.gamma)]
    areas = [
        (quad(noise.sf, low, high)[0], quad(lambda x: x * noise.sf(x), low, high)[0])
        for low, high in pairwise(ends)
    ]
    assert 2 * sum(area for area, _ in areas) == pytest.approx(known["E_abs"], rel=1e-12)
    assert 4 * sum(area for _, area in areas) == pytest.approx(known["E_sq(gamma_L1)"], rel=1e-12)


def test_density_follows_the_corrected_recursion_and_the_printed_height():
    epsilon, delta_f = 0.8, 2.5
    noise = StaircaseDensity(epsilon=epsilon, delta_f=delta_f)
    gamma, decay = noise.gamma, np.exp(-epsilon)
    printed = (1 - decay) / (2 * delta_f * (gamma + decay * (1 - gamma)))  # (21)
    assert noise.height == pytest.approx(printed, rel=1e-14)
    places = np.linspace(0.01, 7.4, 200)
    assert noise.pdf(places + delta_f) == pytest.approx(decay * noise.pdf(places))
    assert noise.pdf(-places).tolist() == noise.pdf(places).tolist()
    assert noise.pdf(0.99 * gamma * delta_f) / noise.pdf(1.01 * gamma * delta_f) == pytest.approx(1 / decay)


def test_tails_integrate_the_density_and_stay_positive_far_out():
    noise = StaircaseDensity(epsilon=2, delta_f=1)
    places = np.array([-3.3, -0.2, 0.0, 0.1, 0.7, 2.1])
    step = 1e-6
    slopes = (noise.cdf(places + step) - noise.cdf(places - step)) / (2 * step)
    assert slopes == pytest.approx(noise.pdf(places), rel=1e-6)
    assert noise.cdf(places) + noise.sf(places) == pytest.approx(np.ones(6))
    # Beyond stair k lies e^(-k epsilon) / 2.
    assert noise.sf(np.arange(0.0, 300)) == pytest.approx(np.exp(-2 * np.arange(300.0)) / 2, rel=1e-12)


def test_it_has_less_expected_error_than_laplace_noise():
    staircase, laplace = (StaircaseDensity(epsilon=1, delta_f=1), 1.0)
    assert staircase.mean_absolute_error < laplace
