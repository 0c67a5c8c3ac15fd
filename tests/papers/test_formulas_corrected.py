"""A corrected formula in the place of a printed one agrees with what is computed: nothing else is wrong."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from flint import fmpq
from scipy.stats import laplace

import optmech as om
from benchmarks.baselines.staircase_density import StaircaseDensity
from benchmarks.baselines.unbounded_gaussian import parameter_of_variance
from benchmarks.papers import croft_claims, croft_formulas, sadeghi_formulas
from benchmarks.papers.croft_properties import boundary_snapping, row_monotony_gap, symmetry_gap
from optmech.analysis.baselines.continuous_noise import density_epsilon, snapped_staircase
from optmech.analysis.baselines.discrete_gaussian import discrete_gaussian
from optmech.analysis.utility import utility_measures
from tests.computed import computed
from tests.each import each
from tests.reference.values import load

SADEGHI, CROFT = sadeghi_formulas.ITEMS[0], croft_formulas.ITEMS[0]
SYMMETRIC = {(row["eps"], row["eta"], row["D"]): row for row in load("sadeghi")["symmetric"]}
FIG_1 = SYMMETRIC["2.18", "0.8", 6]
TABLES = load("croft")
# Solvers keep rows within 1e-7; what is computed without one carries the rounding of some products.
SOLVED, CLOSED = 1e-7, 1e-10
E_1 = math.exp(2.18)


def lines(item):
    return computed(item.name).lines


def line(item, start):
    (result,) = [one for one in lines(item) if one.quantity.startswith(start)]
    return result


def said_number(one):
    return float(one.printed.split()[-1])


def comparisons(half_width):
    """Return each pair of noise values that two consecutive columns of (16) compare."""
    noise = {z: abs(z) for z in range(-half_width, half_width + 1)}
    return {(noise[z], noise.get(z + side)) for z in noise for side in (1, -1)}


def answers_of_a_mean(records, largest):
    """Return the means of all data sets."""
    return sorted({Fraction(sum(one), records) for one in product(range(largest + 1), repeat=records)})


@pytest.fixture
def variance():
    """Return the variance of the noise of Fig. 1, from its weights in the reference."""
    return (1 - 0.8) * sum(float(weight) * i**2 for i, weight in enumerate(FIG_1["alpha_paper"], 1))


def excess(parameter, epsilon):
    """Return the hockey stick of the discrete Gaussian and its shift, by brute force."""
    masses = np.exp(-(np.arange(-50, 51) ** 2) / (2 * parameter))
    noise = masses / masses.sum()
    return float(np.maximum(noise[1:] - math.exp(epsilon) * noise[:-1], 0).sum())


def test_rows_of_proposition_4_with_those_it_lacks_are_all_comparisons():
    printed = set(sadeghi_formulas._rows_of_proposition_4(4))
    assert printed < comparisons(4)
    assert comparisons(4) - printed == {(i + 1, i) for i in range(4)}


@pytest.mark.parametrize(("start", "factor", "half_width"), [("2.18", E_1, 6), ("1,", math.e, 2)])
def test_lemma_3_summed_to_the_half_width_is_where_the_bounds_cross(start, factor, half_width):
    text = f"Lemma 3, its last display: C where delta_D = delta_(D+1), epsilon = {start}"
    printed = sadeghi_formulas._crossing_of_lemma_3(factor, half_width, half_width - 1)
    corrected = sadeghi_formulas._crossing_of_lemma_3(factor, half_width, half_width)
    assert said_number(line(SADEGHI, text)) == pytest.approx(printed, rel=1e-5)
    assert line(SADEGHI, text).computed == pytest.approx(corrected, rel=CLOSED)


def test_the_program_turns_where_lemma_3_should_say():
    crossing = line(SADEGHI, "Lemma 3, its last display: C where delta_D = delta_(D+1), epsilon = 1").computed

    def least(odds):
        accuracy = odds / (2 + odds)
        printed = om.sadeghi_symmetric(1, accuracy, 2, rows="paper")
        return 2 / (1 - accuracy) * om.design(printed, raw=True).objective

    flat = 1 / (2 + math.e)  # (32), B delta
    assert least(0.5 * crossing) == pytest.approx(flat, abs=SOLVED)
    assert least(crossing - 0.01) == pytest.approx(flat, abs=SOLVED)
    assert least(crossing + 0.01) > flat + 1e-3


def test_36_is_right_below_the_half_width():
    crossings = [float(one) for one in SYMMETRIC["1", "0.5", 3]["C_k"]]
    differences = [sadeghi_formulas._difference_36(math.e, k) for k in (1, 2)]
    assert differences == pytest.approx(-np.diff(crossings), rel=CLOSED)
    # At the half-width it is the difference to a crossover one further out, which is not the one defined.
    further = (1 + math.e + math.e**2 + math.e**3 + math.e**4) / (4 + 3 * math.e + 2 * math.e**2 + math.e**3)
    assert said_number(line(SADEGHI, "(36)")) == pytest.approx(crossings[-1] - further, rel=1e-5)


def test_both_indices_of_a_tie_are_found_by_closed_inequalities():
    crossings = [fmpq(2, k) for k in range(1, 17)]  # (34) at epsilon = 0
    assert sadeghi_formulas._indices_of_theorem_2(fmpq(2, 9), crossings) == [10]
    assert sadeghi_formulas._indices_of_theorem_2(fmpq(2, 9), crossings, closed=True) == [9, 10]
    beside = fmpq(2, 9) + fmpq(1, 1000)
    assert sadeghi_formulas._indices_of_theorem_2(beside, crossings, closed=True) == [9]


def test_21_for_the_first_weight_bounds_the_second():
    result = line(SADEGHI, "Lemma 1, (25)")
    leak = 10 * float(FIG_1["delta_paper"])
    at = [
        sadeghi_formulas._bound_21(np.array([float(one) for one in FIG_1["alpha_paper"]]), i, leak, E_1)
        for i in (1, 2)
    ]
    assert result.computed == pytest.approx(at[0], abs=SOLVED)
    assert said_number(result) == pytest.approx(at[1], rel=1e-4)


def test_events_with_the_response_0_have_the_whole_excess():
    matrix = om.design(om.sadeghi_symmetric(1, "0.5", 2, counts=(2, 3))).mechanism.matrix
    result = line(SADEGHI, "Remark 2: largest")
    whole = sadeghi_formulas._worst_event(matrix[:, 0], matrix[:, 1], math.e)
    assert result.computed == pytest.approx(whole, abs=CLOSED)
    assert said_number(result) == pytest.approx(
        whole - float(SYMMETRIC["1", "0.5", 2]["delta_paper"]), abs=1e-6
    )


def test_true_delta_is_at_most_half_width_plus_one_deltas_of_single_outcomes():
    assert line(SADEGHI, "Remark 2: true").computed == pytest.approx(2, abs=SOLVED)


def test_45_with_the_parameter_is_the_excess(variance):
    parameter = parameter_of_variance(variance)
    noise = discrete_gaussian(parameter)
    for epsilon in (0.5, 1.8, 3.0, 5.5):
        exact = excess(parameter, epsilon)
        assert sadeghi_formulas._delta_45(noise, parameter, epsilon) == pytest.approx(exact, abs=CLOSED)
        assert sadeghi_formulas._delta_45(noise, variance, epsilon) <= exact + CLOSED


def test_half_open_categories_are_disjoint_and_closed_ones_of_a_tiling_are_not():
    cells = list(om.Query(range(5), [(k, k + 1) for k in range(5)]).responses)
    assert croft_formulas._pairs_against_5(cells) == 4
    assert croft_formulas._pairs_against_5(cells, half_open=True) == 0


def test_2_is_right_for_categories_that_are_not_single_numbers():
    (category,) = om.Query([2], [(Fraction(3, 2), Fraction(5, 2))]).responses
    mass = croft_formulas._probability_2(laplace(scale=2), category, Fraction(2))
    assert mass == pytest.approx(1 - math.exp(-0.25))


def test_text_of_table_3_counts_from_0():
    results = [line(CROFT, f"section 3.4: M_{{{row},5}}") for row in (5, 4)]
    assert [said_number(one) for one in results] == pytest.approx(
        np.array(TABLES["table3"]["matrix"])[[5, 4], 5], abs=5e-4
    )


@each("place", [0.2, 0.7, 1.2, 1.5, 2.1, 3.9])
def test_20_is_right_to_the_right_of_the_answer_and_nowhere_far_to_the_left(place):
    noise = StaircaseDensity(epsilon=1.0, delta_f=1.0)
    (right,), (left,) = (croft_formulas._values_20(noise, side * place) for side in (1, -1))
    assert right == pytest.approx(float(noise.pdf(place)))
    assert left == (right if place <= 1 else 0)


def test_20_has_two_values_where_its_first_cases_meet_and_half_open_ones_leave_the_lower():
    noise = StaircaseDensity(epsilon=1.0, delta_f=1.0)
    low, high = sorted(croft_formulas._values_20(noise, noise.gamma))
    assert high == pytest.approx(math.e * low)
    assert float(noise.pdf(noise.gamma)) == pytest.approx(low)


@pytest.mark.parametrize("truth", [1.0, 2.0, 3.0, 5.0])
def test_22_with_a_minus_sign_is_twice_the_mass(truth):
    mass = laplace.cdf(5, truth, 8) - laplace.cdf(1, truth, 8)
    corrected = croft_formulas._denominator_22(truth, (1.0, 5.0), 8.0, sign=-1.0)
    assert corrected == pytest.approx(2 * mass)
    # Only at the upper end, where the exponent is zero, is the sign without effect.
    assert (croft_formulas._denominator_22(truth, (1.0, 5.0), 8.0) == corrected) == (truth == 5)


def test_answers_of_a_mean_are_one_over_the_records_apart():
    for records, largest in ((2, 3), (3, 4)):
        gaps = {b - a for a, b in pairwise(answers_of_a_mean(records, largest))}
        assert gaps == {Fraction(1, records)} != {croft_formulas._spacing(records, largest)}
    mean = om.mean(10, 4)
    cells = [(truth - Fraction(1, 20), truth + Fraction(1, 20)) for truth in mean.truths]
    noise = laplace(scale=0.4)
    sums = boundary_snapping(om.Query(mean.truths, cells, 4), noise.cdf, noise.sf).sum(axis=0)
    assert sums == pytest.approx(np.ones(41))


def test_categories_that_tile_lose_nothing_and_one_truth_each_keeps_theorem_2():
    assert croft_claims._with_gaps(Fraction(1, 2)).sum(axis=0) == pytest.approx(np.ones(5))
    ends = [Fraction(2 * k - 1, 2) for k in range(7)]
    matrix, query = croft_claims._snapped(range(6), ends, 2.0)
    assert row_monotony_gap(matrix, query) <= CLOSED
    assert symmetry_gap(matrix) <= CLOSED


def test_a_loss_that_increases_strictly_keeps_corollary_1():
    better, flat = np.array(TABLES["table4"]["matrix"]), np.full((6, 6), 1 / 6)
    places = np.arange(6)
    distances = np.abs(places[:, None] - places).astype(float)
    assert croft_claims._not_minimal(np.ones((6, 6)), (better, flat), distances) == 1
    assert croft_claims._not_minimal(distances, (better, flat), distances) == 0


def test_only_queries_as_sensitive_as_their_range_need_no_higher_scale():
    assert density_epsilon(om.extremum(0, 9), 18) == pytest.approx(0.5)
    assert density_epsilon(om.mean(10, 4), 0.4) == pytest.approx(1.405, abs=1e-3)


def test_variant_1_is_best_for_its_own_loss_after_post_processing():
    query = om.extremum(0, 6)
    matrices = (om.design(om.croft(query, 2)).mechanism.matrix, snapped_staircase(query, 2).matrix)
    error, other = (
        utility_measures(
            om.MatrixMechanism(matrix=matrix, responses=query.truths, truths=query.truths)
        ).error_after_guess
        for matrix in matrices
    )
    assert error < other
