"""Kadam et al. 2024 (55)-(56) and figure 6."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import optmech as om
from benchmarks.baselines.clamped_geometric import clamped_geometric
from optmech.analysis.baselines.discrete_gaussian import clamped_gaussian, discrete_gaussian
from optmech.analysis.baselines.whole_number_noise import TwoSidedGeometric, clamp, lattice_of
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from tests.each import each

FIGURE_6 = json.loads((Path(__file__).parents[2] / "reference" / "kadam.json").read_text())[
    "fig6_clamping_PDP_delta"
]
LAWS = {"geo.7": TwoSidedGeometric(rate=-math.log(0.7)), "dg3.38": discrete_gaussian(3.38)}
# The reference cut unbounded sums off and left 1e-124 there.
ROUNDING = 1e-12


def printed(law):
    """(56) as printed: the last row lacks f(n - q)."""
    query = om.count(8)
    matrix = clamp(law, lattice_of(query).shifts)
    matrix[-1] -= law.pmf(8 - np.arange(9))
    return matrix


def leak(matrix, reach, epsilon):
    pairs = [(f, g) for f in range(9) for g in range(9) if 0 < abs(f - g) <= reach]
    factor = math.exp(epsilon) * (1 + 1e-9)
    return max(matrix[matrix[:, f] > factor * matrix[:, g], f].sum() for f, g in pairs)


@each("key", FIGURE_6)
def test_probabilistic_delta_of_figure_6_is_the_known_one(key):
    law_name, reach, epsilon = key.split("|")
    reach, epsilon = int(reach.removeprefix("maxmu")), epsilon.removeprefix("eps")
    query = om.Query(range(9), neighbours=reach)
    if law_name == "geo.7":
        baseline = clamped_geometric(query, epsilon, "0.7")
    else:
        baseline = clamped_gaussian(query, epsilon, parameter="3.38")
    mechanism = MatrixMechanism(matrix=baseline.matrix, responses=range(9), truths=range(9))
    known = FIGURE_6[key]
    assert mechanism.probabilistic_delta(query, epsilon) == pytest.approx(known["clamped"], abs=ROUNDING)
    law, wide = LAWS[law_name], np.arange(-200, 201)
    factor = math.exp(float(epsilon)) * (1 + 1e-9)
    unclamped = max(
        law.pmf(wide)[law.pmf(wide) > factor * law.pmf(wide + shift)].sum()
        for size in range(1, reach + 1)
        for shift in (size, -size)
    )
    assert unclamped == pytest.approx(known["unclamped"], abs=ROUNDING)
    assert leak(printed(law), reach, float(epsilon)) == pytest.approx(
        known["clamped_printed56"], abs=ROUNDING
    )


@pytest.mark.parametrize(("name", "least"), [("geo.7", 0.8235), ("dg3.38", 0.7830)])
def test_the_last_row_as_printed_loses_mass_and_the_corrected_one_does_not(name, least):
    assert printed(LAWS[name]).sum(axis=0).min() == pytest.approx(least, abs=5e-5)
    corrected = clamp(LAWS[name], lattice_of(om.count(8)).shifts)
    assert np.abs(corrected.sum(axis=0) - 1).max() < 1e-14


def test_true_delta_never_grows_by_clamping():
    # Post-processing: the probabilistic delta of the Gaussian doubles at 0.5, the true one cannot.
    query = om.count(8)
    for epsilon in ("0.2", "0.5", "1", "2"):
        law, steps = LAWS["dg3.38"], np.arange(-90, 91)
        excess = law.pmf(steps) - math.exp(float(epsilon)) * law.pmf(steps - 1)
        clamped_delta = clamped_gaussian(query, epsilon, parameter="3.38").spent_delta
        assert clamped_delta <= np.maximum(excess, 0).sum() + 1e-15


def test_a_grid_of_responses_may_be_wider_than_the_truths():
    query = om.Query(["0.5", "1"], ["0", "0.5", "1", "1.5", "2"], 1)
    matrix = clamp(LAWS["geo.7"], lattice_of(query).shifts)
    law = LAWS["geo.7"]
    assert matrix[:, 0].tolist() == [law.cdf(-1), law.pmf(0), law.pmf(1), law.pmf(2), law.sf(2)]
