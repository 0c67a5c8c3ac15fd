"""The closed forms for bounded noise: by the reference, by their laws, by certificates, by brute force."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import strategies as st
from scipy.optimize import linprog

import optmech as om
from benchmarks.papers import sadeghi_closed_forms as beside
from optmech.base.errors import NotAcceptedError, ProblemError
from optmech.question.losses import ExpectedLoss, LeastDelta
from optmech.question.privacy import PerOutcomePrivacy, ProbabilisticPrivacy
from optmech.question.problem import Problem
from optmech.question.properties import FAIR
from optmech.question.query import Query
from optmech.question.structures import FreeMatrix, SymmetricNoise, ZeroBiasNoise
from optmech.theorems import sadeghi as s
from optmech.theorems import sadeghi_delta as d
from optmech.theorems.sadeghi_general import count_one_chain, count_one_floor
from optmech.theorems.sadeghi_letters import Law
from optmech.theorems.sadeghi_question import noise_matrix
from optmech.theorems.sadeghi_theorems import SINGLE_OUTCOMES as THEOREMS
from optmech.theorems.theorem import Relation, Truth
from tests.each import each
from tests.search import search

REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "sadeghi.json").read_text())
ROWS = REFERENCE["symmetric"]
SYMMETRIC = [pytest.param(row, id=f"{row['eps']}-{row['eta']}-{row['D']}") for row in ROWS]
SINGLE = [row for row in REFERENCE["general_lp"] if row["objective"] == "singular"]
NAMED = {theorem.name: theorem for theorem in THEOREMS}

SCALARS = {
    "delta_paper": s.least_delta_printed,
    "delta_sym_full": s.least_delta,
    "true_delta_def2": beside.true_delta_printed,
    "true_delta_sym_full_mech": beside.true_delta,
    "claimed_dp_delta": d.claimed_true_delta,
    "opt_true_delta_sym": d.least_true_delta,
    "variance_def2": beside.variance_printed,
}
LISTS = {
    "alpha_paper": (s.weights_printed, 20),
    "alpha_sym_full": (s.weights, 20),
    "C_k": (beside.crossovers, 15),
    "delta_k": (beside.singular_bounds, 15),
}
# The least delta of a program solved to this many digits elsewhere.
POLISHED = 1e-15
# A double read from text, and a nearest double, differ by this at most.
TWO_ROUNDINGS = 4e-16


def rational(ball):
    mid = ball.mid().fmpq()
    return Fraction(int(mid.p), int(mid.q))


def agrees(ball, text, digits):
    """Whether the ball rounds to the text, which has so many significant digits or trailing zeros cut."""
    if Fraction(text) == 0:
        return ball.is_zero()
    unit = Fraction(10) ** (Decimal(text).adjusted() - digits + 1)
    return abs(rational(ball) - Fraction(text)) <= unit * Fraction(501, 1000)


def arguments(row):
    return row["eps"], row["eta"], row["D"]


def logs(form, *case):
    """The natural logarithm of each value, however small it is; minus infinity where it is exactly zero."""
    balls = form.ball(*case, digits=18)
    with ctx.workprec(128):
        return [
            -math.inf if ball.is_zero() else float(ball.log())
            for ball in (balls if isinstance(balls, list) else [balls])
        ]


def log(form, *case):
    (value,) = logs(form, *case)
    return value


def law_of(growth, accuracy, half_width):
    """The letters at a rational e^epsilon: every statement is then exact."""
    growth, eta = fmpq(*Fraction(growth).as_integer_ratio()), fmpq(*Fraction(accuracy).as_integer_ratio())
    return Law(growth, 2 * eta / (1 - eta), half_width, (1 - eta) / 2)


def noise(law, weights):
    """Probability of noise z in units of half_error: C at 0, alpha elsewhere, 0 beyond."""
    listed = [law.C, *weights]
    return lambda z: listed[abs(z)] if abs(z) <= law.D else law.C * 0


def leaks(law, weights):
    """Return the excess of each outcome over E times its neighbour's column, in units of half_error."""
    p = noise(law, weights)
    return [p(z) - law.E * p(z - 1) for z in range(-law.D, law.D + 2)]


def hockey_stick(matrix, epsilon):
    """Delta of differential privacy of a matrix: all neighbours, both ways, the worst set of outcomes."""
    growth = math.exp(epsilon)
    both = (np.maximum(p - growth * q, 0).sum() for a, b in pairwise(matrix.T) for p, q in ((a, b), (b, a)))
    return max(both)


GROWTHS = ("1", "1001/1000", "11/10", "2", "3", "884630625872088/100000000000000", "22026")
ACCURACIES = ("1/1000", "1/100", "1/10", "1/7", "3/10", "1/2", "4/5", "999/1000")
EXACT = [
    law_of(growth, accuracy, half_width)
    for growth in GROWTHS
    for accuracy in ACCURACIES
    for half_width in (1, 2, 3, 4, 5, 8, 13)
]
growths = st.fractions(1, 30, max_denominator=50)
accuracies = st.fractions(Fraction(1, 2000), Fraction(1999, 2000), max_denominator=2000)
half_widths = st.integers(1, 9)


# -- against the reference -------------------------------------------------------------------------------


@each("row", ROWS)
@each("key", SCALARS)
def test_a_ball_has_every_digit_of_the_reference(row, key):
    ball = SCALARS[key].ball(*arguments(row))
    assert ball.rel_accuracy_bits() >= 30 * math.log2(10)
    assert agrees(ball, row[key], 20)


@each("row", ROWS)
@each("key", SCALARS)
def test_a_double_is_the_reference_as_a_double(row, key):
    assert SCALARS[key](*arguments(row)) == pytest.approx(float(row[key]), rel=TWO_ROUNDINGS, abs=0)


@each("row", ROWS)
@each("key", SCALARS)
def test_a_logarithm_reaches_below_the_doubles(row, key):
    with ctx.workprec(200):
        expected = float(arb(row[key]).log())
    assert log(SCALARS[key], *arguments(row)) == pytest.approx(expected, rel=1e-14)


@each("row", SYMMETRIC)
@each("key", LISTS)
def test_lists_have_every_digit_of_the_reference(row, key):
    form, digits = LISTS[key]
    if row[key] is None:
        pytest.skip("the reference lists crossovers and bounds for small half-widths only")
    texts = row["alpha_paper"] if row[key] == "same as alpha_paper" else row[key]
    balls, doubles = form.ball(*arguments(row)), form(*arguments(row))
    assert len(texts) == len(balls) == len(doubles)
    assert all(agrees(ball, text, digits) for ball, text in zip(balls, texts, strict=True))
    rounding = TWO_ROUNDINGS if digits == 20 else 1e-14
    assert doubles == pytest.approx(np.array([float(text) for text in texts]), rel=rounding, abs=0)


@each("row", SYMMETRIC)
def test_verdicts_are_those_of_the_reference(row):
    assert s.theorem_2_index(*arguments(row)) == row["thm2_index"]
    assert s.printed_rows_suffice(*arguments(row)) == row["theorem3_valid"]
    assert s.regime(*arguments(row)) == (row["regime"], row["regime_index"])
    kind, order = d.least_true_shape(*arguments(row))
    if row["regime"] != "III" and (row["eps"], row["D"]) != ("1", 1):
        assert (kind, order) == ({"knee": "knee", "geo": "geometric"}[row["opt_true_tag"][0]], 0)


@each("row", SYMMETRIC)
def test_the_worst_row_of_definition_2_is_that_of_the_reference(row):
    eta = Fraction(row["eta"])
    with ctx.workprec(9000):
        weights = s.weights_printed.ball(*arguments(row), digits=2000)
        odds, half_error = 2 * eta / (1 - eta), (1 - eta) / 2
        law = Law(arb(row["eps"]).exp(), arb(fmpq(*odds.as_integer_ratio())), row["D"], arb(1))
        worst = max(leaks(law, weights), key=lambda leak: leak.mid())
        violation = worst * arb(fmpq(*half_error.as_integer_ratio()))
        assert agrees(violation, row["max_singular_violation_of_def2"], 20)


@each("row", SINGLE)
def test_bounds_and_optima_over_counts_stand_to_the_reference_as_they_say(row):
    problem = ask(row["eps"], row["eta"], row["D"], ZeroBiasNoise, counts=(row["n0"], row["N"]))
    optimum, spoken = float(row["delta"]), 0
    for theorem in THEOREMS:
        if theorem.objection(problem) is not None:
            continue
        spoken += 1
        value = theorem.value(problem)
        if theorem.relation is Relation.AT_MOST:
            assert value <= optimum + POLISHED
        elif theorem.relation is Relation.AT_LEAST:
            assert value >= optimum - POLISHED
        else:
            assert value == pytest.approx(optimum, rel=1e-12)
    assert spoken


def test_the_count_one_floor_is_attained_where_the_reference_says():
    for epsilon, largest, optimum in (("1", 20, "0.03824115216996856"), ("1.1", 12, "0.01858695016285014")):
        assert count_one_floor(epsilon, "0.5", 4, largest) == pytest.approx(float(optimum), rel=1e-15)
    assert count_one_floor("1", "0.3", 8, 50) == count_one_floor("1", "0.5", 4, 1) == 0
    assert count_one_chain("1", "0.5", 1) == 0.25


@search(100, growths, accuracies, half_widths, st.integers(2, 12))
def test_the_count_one_floor_is_the_largest_of_its_bounds(growth, accuracy, half_width, largest):
    law, bounds = law_of(growth, accuracy, half_width), [fmpq(0)]
    for k in range(1, min(half_width, largest - 1) + 1):
        forced = sum((z + 1) / law.E**z for z in range(1, k + 1))
        price = sum((z + 1) * law.S[z] / law.E**z for z in range(1, k + 1))
        bounds.append((law.C / 2 * forced - 1) * 2 / price)
    assert count_one_floor.formula(law, largest) == law.half_error * max(bounds)


# -- the paper's own letters -----------------------------------------------------------------------------


@each("law", EXACT)
def test_bounds_and_crossovers_are_the_printed_ones(law):
    e, c, width, big = law.E, law.C, law.D, 1 / law.half_error
    ones = [
        (c * sum(e**j for j in range(k)) - e**k) / (big * sum(e**j * (j + 1) for j in range(k)))  # (23)
        for k in range(1, width + 1)
    ]
    two = 1 / (big * sum(e**j * (width - j) for j in range(width)))  # (32)
    assert beside.singular_bounds.formula(law) == [*ones, two]
    crossings = [
        sum(e**j for j in range(k + 1)) / sum(e**j * (k - j) for j in range(k))  # (34)
        for k in range(1, width + 1)
    ]
    assert beside.crossovers.formula(law) == crossings
    assert all(low < high for high, low in pairwise(crossings))  # Lemma 4
    bounds = [*ones, two]
    for k in range(width):
        assert (bounds[k] >= bounds[k + 1]) == (crossings[k] <= c)  # Lemma 3
    assert s.least_delta_printed.formula(law) == max(bounds)  # Theorems 1 and 2
    assert s.type_one_bound.formula(law) == max(ones)
    assert s.type_two_bound.formula(law) == two
    index = s.theorem_2_index.formula(law)
    assert (crossings[index - 1] if index <= width else 0) < c
    assert index == 1 or crossings[index - 2] >= c


@each("law", EXACT)
def test_weights_of_definition_2_are_the_printed_ones(law):
    b, index = s.least_delta_printed.formula(law) / law.half_error, s.theorem_2_index.formula(law)
    if index == law.D + 1:
        expected = [b]  # (37)
        while len(expected) < law.D:
            expected.insert(0, law.E * expected[0] + b)  # (38)
    else:
        expected = [(law.C - b) / law.E]  # (39)
        while len(expected) < index:
            expected.append((expected[-1] - b) / law.E)
        expected += [fmpq(0)] * (law.D - index)
    assert s.weights_printed.formula(law) == expected


# -- primal and dual certificates, exactly ---------------------------------------------------------------


@each("law", EXACT)
def test_corrected_weights_meet_every_row_and_a_dual_solution_meets_them(law):
    delta, weights = s.least_delta.formula(law), s.weights.formula(law)
    b = delta / law.half_error
    assert sum(weights) == 1
    assert min(weights) >= 0
    assert max(leaks(law, weights)) == b

    # Rows as (coefficients of alpha_1..alpha_D, constant): constant + coefficients . alpha <= b.
    kind, order = s.regime.formula(law)
    prices = {}
    if kind == "I":
        prices = {(i, i + 1): law.E**i * law.S[order - i] for i in range(order)}
    else:
        prices = {(i, i - 1): law.S[order - i + 1] for i in range(1, order + 1)}
        prices |= {(j, j + 1): law.S[j - order] for j in range(order + 1, law.D + 1)}
    assert min(prices.values()) >= 0
    total = [fmpq(0)] * (law.D + 2)
    for (left, right), price in prices.items():
        total[left] += price
        total[right] -= law.E * price
    # sum of rows: total[0] C + sum total[i] alpha_i <= b sum(prices); with sum alpha = 1 and alpha >= 0
    assert total[law.D + 1] <= 0  # alpha_{D+1} = 0
    least = min(total[1 : law.D + 1])
    assert (total[0] * law.C + least) / sum(prices.values()) == b


@each("law", EXACT)
def test_theorem_3_fails_exactly_below_its_crossover(law):
    printed, weights = s.least_delta_printed.formula(law), s.weights_printed.formula(law)
    b, width = printed / law.half_error, law.D
    listed = leaks(law, weights)
    assert sum(weights) == 1
    assert min(weights) >= 0
    assert max(listed[: width + 1]) == b  # rows (17)-(19) are noise -D, ..., 0
    holds = max(listed) <= b
    assert holds == (law.S[width - 1] / law.T[width] <= law.C) == s.printed_rows_suffice.formula(law)
    assert holds == (s.least_delta.formula(law) == printed)
    assert holds or s.least_delta.formula(law) > printed


def test_theorem_3_is_never_false_from_accuracy_one_seventh_on():
    for law in (law_of(growth, "1/7", width) for growth in GROWTHS for width in range(1, 20)):
        assert s.printed_rows_suffice.formula(law)


@search(150, growths, accuracies, half_widths)
def test_the_largest_of_all_bounds_is_the_least_delta(growth, accuracy, half_width):
    law = law_of(growth, accuracy, half_width)
    ones = [s.bound_one(law, k) for k in range(1, half_width + 1)]
    inner = [s.bound_inner(law, m) for m in range(half_width + 1)]
    assert s.least_delta.formula(law) == law.half_error * max(ones + inner)
    assert max(leaks(law, s.weights.formula(law))) * law.half_error == s.least_delta.formula(law)


# -- the delta of differential privacy -------------------------------------------------------------------


@search(150, growths, accuracies, half_widths)
def test_true_deltas_are_what_the_noise_leaks_in_all(growth, accuracy, half_width):
    law = law_of(growth, accuracy, half_width)
    for form, delta in (
        (s.weights_printed, beside.true_delta_printed),
        (s.weights, beside.true_delta),
        (d.least_true_weights, d.least_true_delta),
    ):
        listed = form.formula(law)
        assert sum(listed) == 1
        assert min(listed) >= 0
        positive = [leak for leak in leaks(law, listed) if leak > 0]
        assert sum(positive) * law.half_error == delta.formula(law)
        assert len(positive) <= half_width + 1
    assert (
        d.least_true_delta.formula(law) <= beside.true_delta.formula(law) <= d.true_delta_bound.formula(law)
    )
    assert d.least_true_delta.formula(law) <= beside.true_delta_printed.formula(law)


@search(150, growths, accuracies, half_widths)
def test_the_least_true_delta_is_the_largest_of_its_bounds(growth, accuracy, half_width):
    law = law_of(growth, accuracy, half_width)
    half = half_width // 2
    bounds = [law.x, 2 / (law.S[half] + law.S[half_width - half]) - law.C * law.E]
    bounds += [(1 - law.C * law.E * law.S[m]) / law.S[half_width - m] for m in range(half + 1)]
    assert d.least_true_delta.formula(law) == law.half_error * max(bounds)


@search(100, growths, accuracies, st.lists(st.integers(0, 50), min_size=1, max_size=8).filter(any))
def test_no_symmetric_noise_leaks_less(growth, accuracy, raw):
    law = law_of(growth, accuracy, len(raw))
    listed = leaks(law, [fmpq(weight, sum(raw)) for weight in raw])
    assert sum(leak for leak in listed if leak > 0) * law.half_error >= d.least_true_delta.formula(law)
    assert max(listed) * law.half_error >= s.least_delta.formula(law)


@each("half_width", [1, 2, 5, 6], every=2)
@each("accuracy", [0.01, 0.04, 0.1, 0.2, 0.5, 0.8])
@each("epsilon", [0, 0.1, 0.5, 1])
def test_the_least_true_delta_is_that_of_a_program(epsilon, accuracy, half_width):
    growth, odds = math.exp(epsilon), 2 * accuracy / (1 - accuracy)
    slacks = 2 * half_width + 2
    rows, right = np.zeros((slacks, half_width + slacks)), np.zeros(slacks)
    for row, z in enumerate(range(-half_width, half_width + 2)):
        rows[row, half_width + row] = -1
        for place, factor in ((z, 1.0), (z - 1, -growth)):
            if place == 0:
                right[row] -= factor * odds
            elif abs(place) <= half_width:
                rows[row, abs(place) - 1] += factor
    total = np.concatenate([np.ones(half_width), np.zeros(slacks)])
    solution = linprog(1 - total, A_ub=rows, b_ub=right, A_eq=total[None, :], b_eq=[1.0])
    assert solution.status == 0
    least = d.least_true_delta(epsilon, accuracy, half_width)
    assert solution.fun * (1 - accuracy) / 2 == pytest.approx(least, abs=1e-8)


@each("row", SYMMETRIC)
def test_true_delta_is_the_hockey_stick_of_the_matrix(row):
    epsilon, accuracy, half_width = arguments(row)
    if float(epsilon) * half_width > 20:
        pytest.skip("the differences of doubles are rounding alone")
    query = ask(*arguments(row), SymmetricNoise, counts=(half_width, half_width + 3)).query
    for form, delta in (
        (s.weights_printed, beside.true_delta_printed),
        (d.least_true_weights, d.least_true_delta),
    ):
        masses = float((1 - Fraction(accuracy)) / 2) * form(*arguments(row))
        matrix = noise_matrix(query, [float(accuracy), *masses, 0.0])
        expected = delta(*arguments(row))
        assert hockey_stick(matrix, float(epsilon)) == pytest.approx(expected, rel=1e-10, abs=1e-14)


def test_true_delta_of_geometric_noise_needs_a_third_for_half_width_one():
    # The reference says 1/5 at any half-width. At half-width 1, 1/E <= C fails below a third.
    assert d.least_true_delta("0.1", "0.25", 1) > max(0.375, 0.375 * (2 / 3 - math.expm1(0.1))) + 0.01
    assert d.least_true_shape("0.1", "0.25", 1) == ("balanced", 0)
    for growth in GROWTHS:
        assert d.least_true_shape.formula(law_of(growth, "1/3", 1)).kind != "balanced"
        for width in range(2, 12):
            assert d.least_true_shape.formula(law_of(growth, "1/5", width)).order == 0


def test_remark_2_is_false_at_a_small_accuracy():
    case = ("1", "0.01", 4)
    assert beside.true_delta_printed(*case) > 3.6 * d.claimed_true_delta(*case)
    assert beside.true_delta(*case) <= d.true_delta_bound(*case)


def test_one_more_than_the_half_width_is_attained():
    assert beside.true_delta(0, "0.5", 1) == d.true_delta_bound(0, "0.5", 1) == 0.5


# -- stable in doubles -----------------------------------------------------------------------------------


@pytest.mark.parametrize("case", [(5, "0.5", 1000), (5, "0.001", 1000), (50, "0.99", 100), (700, "0.3", 8)])
def test_nothing_overflows(case):
    for form in (*SCALARS.values(), s.type_two_bound, d.true_delta_bound):
        assert 0 <= form(*case) <= 1 + (form is beside.variance_printed)
        assert math.isfinite(log(form, *case))
    for form in (s.weights_printed, s.weights, d.least_true_weights):
        assert math.fsum(form(*case)) == pytest.approx(1, abs=1e-13)
        assert np.isfinite(logs(form, *case)).all()
    assert np.isfinite(beside.singular_bounds(*case)).all()


def test_a_knee_costs_no_digits():
    with ctx.workprec(400):
        knee = (arb(1) / 2).tanh()
        accuracy = rational(knee) + Fraction(1, 10**50)  # past the knee by far less than a double resolves
        odds = arb(fmpq(*(2 * accuracy / (1 - accuracy)).as_integer_ratio()))
        excess = odds - (arb(1).exp() - 1)
        expected = float(excess * arb(fmpq(*((1 - accuracy) / 2).as_integer_ratio())))
    assert 1e-51 < expected < 1e-49
    assert s.regime(1, accuracy, 150).kind == "I"
    assert d.least_true_delta(1, accuracy, 150) == pytest.approx(expected, rel=TWO_ROUNDINGS)
    assert s.least_delta(1, accuracy, 150) == float(s.least_delta.ball(1, accuracy, 150, digits=60))


@search(60, st.fractions(0, 8, max_denominator=100), accuracies, st.integers(1, 24), st.integers(20, 80))
def test_balls_of_more_digits_lie_within(epsilon, accuracy, half_width, digits):
    for form in (s.least_delta, d.least_true_delta, beside.true_delta):
        ball = form.ball(epsilon, accuracy, half_width, digits=digits)
        assert ball.overlaps(form.ball(epsilon, accuracy, half_width, digits=2 * digits))
        assert ball.rel_accuracy_bits() >= digits * math.log2(10)


@search(60, st.fractions(0, 8, max_denominator=100), accuracies, st.integers(1, 24))
def test_delta_falls_as_epsilon_and_half_width_grow(epsilon, accuracy, half_width):
    for form in (s.least_delta, d.least_true_delta):
        value = log(form, epsilon, accuracy, half_width)
        slack = 1e-12 * (1 + abs(value))
        assert log(form, epsilon + Fraction(1, 3), accuracy, half_width) <= value + slack
        assert log(form, epsilon, accuracy, half_width + 1) <= value + slack


def test_a_zero_weight_has_logarithm_minus_infinity():
    assert logs(s.weights, "2.18", "0.8", 6)[3:] == [-math.inf] * 3


@pytest.mark.parametrize(
    ("case", "text"),
    [
        (("-1", "0.5", 2), "`epsilon` must be zero or more; got -1."),
        (("1", "1", 2), "`accuracy` must lie strictly between 0 and 1; got 1."),
        (("1", "0.5", 0), "`half_width` must be a whole number of at least 1; got 0."),
    ],
)
def test_arguments_are_checked(case, text):
    with pytest.raises(ProblemError) as raised:
        s.least_delta(*case)
    assert text in str(raised.value)


# -- the theorems of a problem ---------------------------------------------------------------------------


def ask(epsilon, accuracy, half_width, kind, counts=None, **changes):
    first, last = counts or (half_width, 2 * half_width + 1)
    reach = range(max(0, first - half_width), last + half_width + 1)
    choices = {
        "name": "sadeghi",
        "query": Query(range(first, last + 1), reach, 1),
        "structure": kind(half_width, accuracy),
        "privacy": PerOutcomePrivacy(epsilon, rows=changes.pop("rows", "all")),
        "properties": frozenset(),
        "objective": LeastDelta(),
    }
    return Problem(**(choices | changes))


def speaking(problem):
    return {name for name, theorem in NAMED.items() if theorem.objection(problem) is None}


def test_names_are_unique_and_only_the_false_has_a_counter_example():
    assert len(NAMED) == len(THEOREMS)
    for theorem in THEOREMS:
        assert (theorem.truth is Truth.FALSE) == bool(theorem.counter_example)
        assert "\n" not in theorem.says


LOWER = {"sadeghi-lemma-1", "sadeghi-lemma-2", "sadeghi-theorem-1"}
OVER_COUNTS = {"sadeghi-symmetric-is-optimal", "sadeghi-small-counts-do-not-help"}
FROM_ONE = {"sadeghi-count-one-floor", "sadeghi-count-one-chain"}


@each(
    ("problem", "expected"),
    [
        (
            ask(1, "0.5", 4, SymmetricNoise),
            LOWER | {"sadeghi-theorem-3", "sadeghi-theorem-3-accurate", "sadeghi-theorem-3-corrected"},
        ),
        (ask(1, "0.01", 4, SymmetricNoise), LOWER | {"sadeghi-theorem-3", "sadeghi-theorem-3-corrected"}),
        (ask(1, "0.01", 4, SymmetricNoise, rows="paper"), LOWER | {"sadeghi-theorem-3-printed-rows"}),
        (ask(1, "0.5", 3, ZeroBiasNoise, (3, 9)), OVER_COUNTS | {"sadeghi-symmetric-is-allowed"}),
        (ask(1, "0.5", 3, ZeroBiasNoise, (5, 11)), OVER_COUNTS | {"sadeghi-symmetric-is-allowed"}),
        (ask(1, "0.5", 3, ZeroBiasNoise, (3, 8)), {"sadeghi-symmetric-is-allowed"}),
        (ask(1, "0.5", 3, ZeroBiasNoise, (1, 9)), FROM_ONE | {"sadeghi-small-counts-do-not-help"}),
        (ask(1, "0.5", 3, ZeroBiasNoise, (1, 4)), FROM_ONE),
        (ask(1, "0.5", 3, ZeroBiasNoise, (1, 3)), {"sadeghi-count-one-floor"}),
        (ask(1, "0.5", 3, ZeroBiasNoise, (2, 8)), {"sadeghi-small-counts-do-not-help"}),
        (ask(1, "0.5", 3, ZeroBiasNoise, (2, 7)), set()),
        # Type I with k = 1 needs a range of 2, type m = 2 one of 2 (D - m).
        (ask(1, "0.7", 3, ZeroBiasNoise, (3, 5)), OVER_COUNTS | {"sadeghi-symmetric-is-allowed"}),
        (ask(1, "0.7", 3, ZeroBiasNoise, (3, 4)), {"sadeghi-symmetric-is-allowed"}),
        (ask(1, "0.01", 4, ZeroBiasNoise, (4, 8)), OVER_COUNTS | {"sadeghi-symmetric-is-allowed"}),
        (ask(1, "0.01", 4, ZeroBiasNoise, (4, 7)), {"sadeghi-symmetric-is-allowed"}),
        (ask(1, "0.5", 3, ZeroBiasNoise, (3, 9), rows="paper"), set()),
        (ask(1, "0.5", 3, SymmetricNoise, (2, 8)), set()),
    ],
)
def test_each_theorem_speaks_where_it_should(problem, expected):
    assert speaking(problem) == expected


@each(
    ("changes", "text"),
    [
        ({"structure": FreeMatrix()}, "the theorem applies to symmetric noise; got any matrix"),
        ({"privacy": ProbabilisticPrivacy(1)}, "the theorem bounds single outcomes"),
        ({"properties": frozenset({FAIR})}, "the theorem knows no further property; got fair"),
        ({"query": Query([2, 3, 5], range(8), 1)}, "truths must be consecutive whole numbers"),
        ({"query": Query(["5/2", "7/2"], range(8), 1)}, "truths must be consecutive whole numbers"),
        ({"query": Query([2], range(8), 1)}, "truths must be two or more"),
        ({"query": Query([2, 3, 4], range(8), 2)}, "neighbours must be the counts one apart, both ways"),
        ({"query": Query([2, 3], range(8), 1, symmetric=False)}, "neighbours must be the counts one apart"),
        ({"query": Query([2, 3], range(5), 1)}, "responses must be whole numbers, 0 to 5 among them"),
        ({"query": Query([2, 3], range(-1, 8), 1)}, "responses must be whole numbers"),
        ({"query": Query([2, 3], [(0, 2), (2, 9)], 1)}, "responses must be whole numbers"),
        ({"query": Query([1, 2, 3], range(8), 1)}, "counts must start at the half-width 2 or above; got 1"),
    ],
)
def test_an_objection_says_why(changes, text):
    theorem = NAMED["sadeghi-theorem-3-corrected"]
    assert text in theorem.objection(ask(1, "0.5", 2, SymmetricNoise, **changes))


@each(
    ("name", "problem", "text"),
    [
        (
            "sadeghi-theorem-3-printed-rows",
            ask(1, "0.5", 2, SymmetricNoise),
            "the theorem applies to privacy with rows 'paper'",
        ),
        ("sadeghi-theorem-3-accurate", ask(1, "0.01", 4, SymmetricNoise), "the accuracy is too small"),
        (
            "sadeghi-count-one-floor",
            ask(1, "0.5", 2, SymmetricNoise),
            "the theorem applies to zero-bias noise",
        ),
        ("sadeghi-count-one-floor", ask(1, "0.5", 2, ZeroBiasNoise), "counts must start at 1; got 2"),
        (
            "sadeghi-count-one-chain",
            ask(1, "0.5", 2, ZeroBiasNoise, (1, 2)),
            "counts must pass the half-width; got 2",
        ),
        (
            "sadeghi-symmetric-is-optimal",
            ask(1, "0.5", 2, ZeroBiasNoise, (3, 6)),
            "counts from 3 must reach 7; got 6",
        ),
    ],
)
def test_an_objection_of_one_theorem_says_why(name, problem, text):
    assert text in NAMED[name].objection(problem)


def test_a_delta_under_a_cost_is_objected_to():
    problem = ask(1, "0.5", 2, SymmetricNoise)
    shape = (problem.query.num_responses, problem.query.num_truths)
    cost = ExpectedLoss(np.ones(shape), np.ones(shape[1]))
    bounded = ask(1, "0.5", 2, SymmetricNoise, objective=LeastDelta(cost, Fraction(9)))
    assert "the least delta at any cost" in NAMED["sadeghi-theorem-1"].objection(bounded)


def test_a_value_of_another_structure_is_refused():
    with pytest.raises(NotAcceptedError, match="`structure` must be symmetric or zero-bias noise; got any"):
        NAMED["sadeghi-theorem-1"].value(ask(1, "0.5", 2, SymmetricNoise, structure=FreeMatrix()))


@each(
    "problem",
    [
        ask("2.18", "0.8", 6, SymmetricNoise),
        ask(1, "0.01", 4, SymmetricNoise),
        ask("0.5", "0.02", 5, SymmetricNoise, rows="paper"),
        ask("0.5", "0.02", 5, SymmetricNoise, (7, 9)),
        ask("1.1", "0.05", 3, ZeroBiasNoise, (3, 9)),
        ask("1", "0.5", 4, ZeroBiasNoise, (1, 20)),
    ],
)
def test_value_ball_and_matrix_of_a_theorem_are_one(problem):
    spoken = [NAMED[name] for name in speaking(problem)]
    assert spoken
    for theorem in spoken:
        assert theorem.value(problem) == float(theorem.ball(problem, 25))
        if theorem.matrix is None:
            continue
        matrix, growth = theorem.matrix(problem), math.exp(problem.privacy.epsilon)
        assert matrix.shape == (problem.query.num_responses, problem.query.num_truths)
        assert matrix.sum(axis=0) == pytest.approx(1, abs=1e-15)
        assert (matrix >= 0).all()
        offsets = problem.query.response_values[:, None] - problem.query.truth_values
        assert (matrix * offsets).sum(axis=0) == pytest.approx(0, abs=1e-14)
        leak = np.array([matrix[:, f] - growth * matrix[:, g] for f, g in problem.query.pairs])
        if problem.privacy.rows == "paper":
            away = problem.query.pairs[:, 1] - problem.query.pairs[:, 0]
            leak = leak[offsets.T[problem.query.pairs[:, 0]] * away[:, None] <= 0]  # (17)-(19)
        assert leak.max() == pytest.approx(theorem.value(problem), abs=1e-15)


SHORT = list(product(("0.3", "1"), ("0.01", "0.1", "0.5", "0.8"), (2, 3, 4)))


@each(("epsilon", "accuracy", "width"), SHORT, every=8)
def test_on_a_range_just_long_enough_symmetric_noise_is_proved_optimal(epsilon, accuracy, width):
    needed = 2 * s.counts_followed(epsilon, accuracy, width)
    problem = om.sadeghi(epsilon, accuracy=accuracy, half_width=width, counts=(width, width + needed))
    design = om.design(problem)
    assert design.engine == "closed-form"
    assert design.lower_bound_standing == "proved"
    assert design.objective == pytest.approx(design.lower_bound, rel=1e-15)
    program = om.design(problem, engine="program", raw=True).objective
    assert program == pytest.approx(design.objective, abs=1e-8)
    # From a small count on symmetric noise is not allowed, and the bound stays.
    small = om.sadeghi(epsilon, accuracy=accuracy, half_width=width, counts=(1, 1 + needed))
    assert NAMED["sadeghi-small-counts-do-not-help"].objection(small) is None
    assert om.design(small, engine="program", raw=True).objective >= design.objective - 1e-8


@pytest.mark.parametrize(("epsilon", "accuracy", "width"), [("2.18", "0.8", 6), (1, "0.01", 4)])
def test_on_a_range_one_count_shorter_noise_by_count_may_be_better(epsilon, accuracy, width):
    last = width + 2 * s.counts_followed(epsilon, accuracy, width) - 1
    problem = om.sadeghi(epsilon, accuracy=accuracy, half_width=width, counts=(width, last))
    assert om.design(problem).objective < s.least_delta(epsilon, accuracy, width) - 1e-5


def test_a_delta_that_no_double_resolves_is_proved():
    for problem in (
        om.sadeghi(40, accuracy="0.999", half_width=8, counts=(8, 24)),
        om.sadeghi_symmetric(40, "0.999", 8),
    ):
        design = om.design(problem)
        assert 0 < design.objective < 1e-100
        assert design.objective == pytest.approx(design.lower_bound, rel=1e-15)
