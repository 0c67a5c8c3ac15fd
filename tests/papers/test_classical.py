"""Bellet's lecture 2: what it claims, what is exact, and where a slide is wrong."""

from __future__ import annotations

import json
from math import exp, expm1, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import laplace, norm

from benchmarks.papers import classical
from optmech.theorems.counting import truncated_geometric
from tests.each import each

GOLDEN = json.loads((Path(__file__).parents[1] / "reference" / "croft.json").read_text())["bellet"]
REL = 1e-12
# A delta of 1e-9 is a difference of tails: a few more digits are lost than in a sum.
TAIL = 1e-10


def golden(row, key, rel=REL):
    return pytest.approx(float(row[key]), rel=rel)


def test_laplace_noise_has_the_moments_and_tail_of_its_scale():
    known = GOLDEN["laplace"]
    scale = classical.laplace_scale(2, 0.5)
    assert scale == golden(known, "scale") == golden(known, "E_abs")
    noise = laplace(scale=scale)
    assert noise.pdf(1.5) == golden(known, "pdf_at_1.5")
    assert noise.var() == golden(known, "E_sq")
    assert 2 * noise.sf(3 * scale) == golden(known, "tail_t3_exact")
    assert classical.laplace_l1_error(5, 2, 0.5) == golden(known, "E_l1_error_K5")


def test_the_laplace_error_bound_holds_and_the_slides_twelve_does_not():
    known = GOLDEN["laplace_linf"]
    names, beta = known["K"], known["beta"]
    bound = classical.laplace_linf_bound(names, beta, 1, 1)
    assert bound == golden(known, "alpha_bound")
    assert classical.laplace_linf_failure(bound, names, 1, 1) == golden(known, "exact_failure_at_alpha")
    assert classical.laplace_linf_failure(12, names, 1, 1) == golden(known, "exact_failure_at_12")
    assert names * exp(-12) == golden(known, "union_bound_at_12")
    quantile = classical.laplace_linf_quantile(names, beta, 1, 1)
    assert quantile == golden(known, "exact_quantile_alpha")
    assert classical.laplace_linf_failure(quantile, names, 1, 1) == pytest.approx(beta, rel=REL)


@pytest.mark.parametrize("row", GOLDEN["gaussian"], ids=lambda row: f"eps{row['eps']}-delta{row['delta']}")
def test_the_slides_sigma_is_private_but_larger_than_needed(row):
    epsilon, delta = float(row["eps"]), float(row["delta"])
    sigma = classical.gaussian_sigma(1, epsilon, delta)
    assert sigma == golden(row, "sigma_classical")
    assert classical.gaussian_delta(sigma, epsilon) == golden(row, "exact_delta_at_sigma", TAIL)
    least = classical.gaussian_sigma_analytic(1, epsilon, delta)
    assert least == golden(row, "sigma_analytic")
    assert classical.gaussian_delta(least, epsilon) == pytest.approx(delta, rel=TAIL)
    assert classical.gaussian_sigma_analytic(3, epsilon, delta) == pytest.approx(3 * least, rel=TAIL)


@each("row", GOLDEN["gaussian_classical_fails_above"])
def test_the_slides_sigma_is_not_private_for_large_epsilon(row):
    delta = float(row["delta"])
    limit = classical.gaussian_classical_limit(delta)
    assert limit == golden(row, "eps_threshold")
    for epsilon, key in ((10, "exact_delta_at_eps10"), (20, "exact_delta_eps20")):
        exact = classical.gaussian_delta(classical.gaussian_sigma(1, epsilon, delta), epsilon)
        assert exact == golden(row, key, TAIL)
        assert exact > delta
    below = 0.99 * limit
    assert classical.gaussian_delta(classical.gaussian_sigma(1, below, delta), below) < delta


@each("sigma", [0.1, 0.7, 3, 20])
@each("epsilon", [0, 0.5, 4])
def test_the_gaussian_delta_is_the_hockey_stick_integral(sigma, epsilon):
    def excess(x):
        return max(0.0, norm.pdf(x, 1, sigma) - exp(epsilon) * norm.pdf(x, 0, sigma))

    start = 0.5 + epsilon * sigma**2
    integral = quad(excess, start, max(start, 1) + 12 * sigma, epsabs=0, limit=200, points=[max(start, 1)])[0]
    assert classical.gaussian_delta(sigma, epsilon) == pytest.approx(integral, rel=1e-7, abs=1e-300)


def test_the_gaussian_error_bound_needs_the_missing_factor():
    known, sigma = GOLDEN["gaussian_linf"], classical.gaussian_sigma(1, 1, 1e-5)
    for number, printed_key, corrected_key in (
        (1, "exact_two_sided_tail", "exact_tail_corrected"),
        (1000, "K=1000: slide fail prob", "K=1000 corrected"),
    ):
        printed = classical.gaussian_linf_bound(number, 0.05, 1, 1, 1e-5, as_printed=True)
        corrected = classical.gaussian_linf_bound(number, 0.05, 1, 1, 1e-5)
        assert corrected == pytest.approx(sqrt(2) * printed, rel=REL)
        fails = classical.gaussian_linf_failure(printed, number, sigma)
        assert fails == golden(known, printed_key)
        assert fails > 0.05
        holds = classical.gaussian_linf_failure(corrected, number, sigma)
        assert holds == golden(known, corrected_key)
        assert holds < 0.05
    slide = classical.gaussian_linf_bound(1, 0.05, 1, 1, 1e-5, as_printed=True) / sigma
    assert slide == golden(known, "slide_t_over_sigma(K=1,beta=.05)")
    correct = classical.gaussian_linf_bound(1, 0.05, 1, 1, 1e-5) / sigma
    assert correct == golden(known, "corrected_t=sqrt(2ln(K/beta))")


def largest_log_ratio(first, second):
    return abs(np.log(first / second)).max()


def test_two_counts_spend_exactly_the_sum():
    first, second = truncated_geometric(6, 0.3), truncated_geometric(6, 0.7)
    joint = [np.outer(first[:, truth], second[:, truth]) for truth in (3, 4)]
    spent = largest_log_ratio(*joint)
    assert spent == golden(GOLDEN["composition"], "sequential eps .3+.7 (count 3->4 both)")
    assert classical.simple_composition([(0.3, 0.0), (0.7, 0.01)]) == pytest.approx((1.0, 0.01))


def test_parts_in_parallel_cost_the_largest_unless_records_move():
    known, parts = GOLDEN["composition"], [(0.3, 0.01), (0.7, 0.0)]
    alone = [classical.parallel_composition([part])[0] for part in parts]
    assert alone[0] == golden(known, "parallel add/remove (only first changes)")
    assert alone[1] == golden(known, "parallel second")
    assert classical.parallel_composition(parts) == (0.7, 0.01)
    assert classical.parallel_composition(parts, replace=True)[0] == golden(
        known, "parallel replacement (one moves)"
    )
    first, second = truncated_geometric(6, 0.3), truncated_geometric(6, 0.7)
    moved = largest_log_ratio(np.outer(first[:, 3], second[:, 4]), np.outer(first[:, 4], second[:, 3]))
    assert moved == pytest.approx(1.0)


def worst_pair(epsilon, delta):
    """The pair of distributions that is no more than (epsilon, delta)-private: all others follow from it."""
    yes, other = (1 - delta) / (1 + exp(-epsilon)), (1 - delta) / (1 + exp(epsilon))
    return np.array([delta, yes, other, 0]), np.array([0, other, yes, delta])


@pytest.mark.parametrize("parts", [[(0.3, 0.1), (0.7, 0.2)], [(0.1, 0.01)] * 3])
def test_the_composed_delta_is_attained_and_below_the_sum(parts):
    one, two = np.ones(1), np.ones(1)
    for part in parts:
        first, second = worst_pair(*part)
        one, two = np.outer(one, first).ravel(), np.outer(two, second).ravel()
    total, summed = classical.simple_composition(parts)
    tight = classical.composed_delta([delta for _, delta in parts])
    assert classical.hockey_stick(one, two, total) == pytest.approx(tight, rel=REL)
    assert tight < summed


@pytest.mark.parametrize("row", GOLDEN["group_gauss_eps.5_sigma3"], ids=lambda row: f"K{row['K']}")
def test_group_bounds_hold_and_the_slides_is_looser(row):
    size, delta = row["K"], classical.gaussian_delta(3, 0.5)
    exact = classical.gaussian_delta(3, size * 0.5, size)
    tight = classical.group_delta(size, 0.5, delta)
    slide = classical.group_delta(size, 0.5, delta, as_printed=True)
    assert exact == golden(row, "exact_delta_K", TAIL)
    assert tight == golden(row, "tight_bound", TAIL)
    assert slide == golden(row, "slide_bound", TAIL)
    assert exact <= tight * (1 + REL) < slide


def test_a_pure_group_costs_exactly_its_size():
    matrix = truncated_geometric(8, 0.3)
    spent = largest_log_ratio(matrix[:, 2], matrix[:, 5])
    assert spent == pytest.approx(float(GOLDEN["group_pure_geometric K=3 eps .3"]), rel=REL)
    assert classical.group_delta(3, 0.0, 0.01) == pytest.approx(0.03)


def test_approximate_privacy_does_not_bound_the_privacy_loss():
    known = GOLDEN["privacy_loss_counterexample"]
    one, other = np.array(known["P"]), np.array(known["Q"])
    assert classical.hockey_stick(one, other, 0) == golden(known, "hockey_stick_0")
    assert one[abs(np.log(one / other)) <= 0].sum() == known["Pr_P[|L|<=0]"]


chances = (
    st.lists(st.integers(0, 9), min_size=4, max_size=4)
    .filter(any)
    .map(lambda mass: np.array(mass) / sum(mass))
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(one=chances, other=chances, remap=st.lists(chances, min_size=4, max_size=4), epsilon=st.floats(0, 3))
def test_post_processing_never_costs_privacy(one, other, remap, epsilon):
    kernel = np.array(remap).T
    before = classical.hockey_stick(one, other, epsilon)
    assert classical.hockey_stick(kernel @ one, kernel @ other, epsilon) <= before + 1e-14


def test_the_truncated_geometric_is_the_known_one():
    known = GOLDEN["truncated_geometric_n5_eps.5"]
    matrix = truncated_geometric(5, 0.5)
    np.testing.assert_allclose(matrix[:, 0], np.array(known["col0"], float), rtol=REL)
    np.testing.assert_allclose(matrix[:, 2], np.array(known["col2"], float), rtol=REL)
    np.testing.assert_allclose(matrix.sum(axis=0), 1, rtol=REL)
    steps = np.arange(6)
    assert (matrix * abs(steps[:, None] - steps)).sum() / 6 == golden(known, "E|err|_uniform")
    assert classical.geometric_error(0.5) == golden(known, "two_sided_E_abs=2a/(1-a^2)")


@pytest.mark.parametrize("row", GOLDEN["binomial"], ids=lambda row: f"eps{row['eps']}-delta{row['delta']}")
def test_binomial_noise_needs_far_fewer_coins_than_the_rule(row):
    epsilon, delta = float(row["eps"]), float(row["delta"])
    coins = classical.binomial_trials(epsilon, delta)
    assert coins == row["n=ceil(64 ln(2/delta)/eps^2)"]
    # SciPy's binomial probabilities lose a digit or two so far out.
    assert classical.binomial_delta(coins, epsilon) == golden(row, "exact_delta", 1e-11)
    least = classical.binomial_least_trials(epsilon, delta)
    assert least == row["min_n_exact(bisect)"]
    assert classical.binomial_delta(least, epsilon) <= delta < classical.binomial_delta(least - 1, epsilon)


@pytest.mark.parametrize("coins", [1, 2, 16, 47])
def test_binomial_noise_is_never_purely_private(coins):
    assert classical.binomial_delta(coins, 30.0) >= 2.0**-coins * (1 - REL)
    deltas = [classical.binomial_delta(number, 1.0) for number in range(1, coins + 1)]
    assert all(np.diff(deltas) <= 1e-15)


@pytest.mark.parametrize("row", GOLDEN["discrete_gaussian"], ids=lambda row: f"variance{row['sigma2']}")
def test_the_discrete_gaussian_is_the_known_one(row):
    parameter = float(row["sigma2"])
    support, mass = classical.discrete_gaussian(parameter)
    middle = len(mass) // 2
    assert mass[middle] == golden(row, "p0")
    assert 1 / mass[middle] == golden(row, "Z")
    assert mass @ support**2 == golden(row, "variance")
    assert mass @ support**2 <= parameter * (1 + REL)
    assert classical.discrete_gaussian_delta(parameter, 1.0) == golden(row, "delta_at_eps1_shift1")


@each("shift", [1, 2, 3])
@each("epsilon", [0.0, 0.3, 2.0])
def test_the_discrete_gaussian_delta_is_its_hockey_stick(epsilon, shift):
    _, mass = classical.discrete_gaussian(2.0)
    moved = np.concatenate([np.zeros(shift), mass]), np.concatenate([mass, np.zeros(shift)])
    known = classical.hockey_stick(*moved, epsilon)
    assert classical.discrete_gaussian_delta(2.0, epsilon, shift) == pytest.approx(known, rel=1e-10)


def test_sensitivities_of_the_lectures_queries():
    known = GOLDEN["sensitivity_add_remove"]
    kinds = np.array([[1, 0, 1, 0], [1, 1, 0, 0]])  # blond, male; four kinds of person
    assert classical.l1_sensitivity(kinds[:1]) == known["blond"]
    assert classical.l1_sensitivity(kinds) == known["males & blond (2 counts)"]
    assert classical.l1_sensitivity(np.eye(4)) == known["4 hair colours"]
    assert classical.l1_sensitivity(np.eye(4), replace=True) == 2


@pytest.mark.parametrize("epsilon", [0.5, 1, 2])
def test_the_staircase_has_the_known_errors(epsilon):
    known = GOLDEN[f"staircase_Delta1_eps{epsilon}"]
    gamma = 1 / (1 + exp(epsilon / 2))
    assert gamma == golden(known, "gamma")
    assert -expm1(-epsilon) / (2 * (gamma + exp(-epsilon) * (1 - gamma))) == golden(known, "y")
    absolute, squared = classical.staircase_errors(1, epsilon)
    assert absolute == golden(known, "E_abs")
    assert squared == golden(known, "E_sq(gamma_L1)")
    scaled = classical.staircase_errors(3, epsilon)
    assert scaled == pytest.approx((3 * absolute, 9 * squared), rel=REL)


def test_extremes_stay_finite():
    assert 0 <= classical.gaussian_delta(40.0, 1.0) < 1e-300
    assert 0 < classical.gaussian_delta(0.03, 600.0) < 1
    assert classical.laplace_linf_failure(700, 1, 1, 1) == pytest.approx(exp(-700), rel=1e-9)
