"""All pairs neighbours: randomized response among representatives, and its fair counterpart."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from benchmarks.papers.croft_properties import (
    column_monotony_gap,
    fairness_gap,
    row_monotony_gap,
    symmetry_gap,
)
from optmech.question import properties
from optmech.question.loss import loss_matrix
from optmech.question.losses import ExpectedLoss
from optmech.question.prior import truth_weights
from optmech.question.privacy import PurePrivacy
from optmech.question.problem import Problem
from optmech.question.properties import VARIANT_2
from optmech.question.queries import count, extremum
from optmech.question.query import Query
from optmech.question.structures import FreeMatrix
from optmech.theorems import extremum_fair as fair
from optmech.theorems import extremum_least as least
from tests.each import each

GOLDEN = json.loads((Path(__file__).parents[1] / "reference" / "croft.json").read_text())
# Golden values are doubles; a few hundred positive terms keep twelve digits.
REL = 1e-12
# A solver in doubles, on small programs.
SOLVER = 1e-7
(FREE,), (FAIR,) = least.THEOREMS, fair.THEOREMS


def representatives_loss(epsilon, costs, chosen):
    """Return the expected loss of randomized response among the chosen responses."""
    cost = np.asarray(costs, dtype=float)[list(chosen)]
    decay, stay = math.exp(-epsilon), -math.expm1(-epsilon)
    return float((decay * cost.sum() + stay * cost.min(axis=0).sum()) / (stay + len(chosen) * decay))


def grid(size):
    steps = np.arange(size, dtype=float)
    return steps, abs(steps[:, None] - steps)


def ask(query, epsilon=1, *, loss="absolute", prior=None, properties=frozenset()):
    objective = ExpectedLoss(loss_matrix(loss, query), truth_weights(prior, query))
    return Problem(
        name="croft",
        query=query,
        structure=FreeMatrix(),
        privacy=PurePrivacy(epsilon),
        properties=properties,
        objective=objective,
    )


def encloses(ball, value, digits):
    return ball.rel_accuracy_bits() >= 3.3 * digits and abs(float(ball) - value) <= REL * abs(value)


@each("row", GOLDEN["max"], every=2)
def test_optima_are_the_known_ones(row):
    epsilon, (steps, cost) = row["eps"], grid(row["k"] + 1)
    for table, known in ((cost, row["V1"]), (cost**2, row["V1_sq_loss"])):
        assert least.least_loss(epsilon, table, steps, steps) == pytest.approx(known, rel=REL)
        assert encloses(least.least_loss_ball(epsilon, table, steps, steps, 25), known, 25)
    chosen = least.representatives(epsilon, cost, steps, steps)
    assert len(chosen) == row["m"]
    # Representatives may be chosen otherwise, mirrored or shifted, at the same loss.
    assert representatives_loss(epsilon, cost, row["reps"]) == pytest.approx(row["V1"], rel=REL)
    assert fair.fair_loss(epsilon, steps) == pytest.approx(row["V2"], rel=REL)
    assert encloses(fair.fair_loss_ball(epsilon, steps.tolist(), 25), row["V2"], 25)
    assert fair.fair_fill(epsilon, steps) == row["t"]


def test_table_2_has_the_optimum_but_is_not_the_only_one():
    table, (steps, cost) = GOLDEN["table2"], grid(5)
    assert fair.fair_loss(1, steps) == pytest.approx(table["opt_objective"], rel=REL)
    assert fair.fair_loss(1, steps) == pytest.approx(
        (40 + 5 * (math.e - 1)) / (5 + 2 * (math.e - 1)), rel=REL
    )
    assert least.least_loss(1, cost, steps, steps) == pytest.approx(
        table["V1_objective_same_instance"], rel=REL
    )
    matrix = fair.fair_matrix(1, steps)
    levels = sorted(table[key] for key in ("low", "mid(2,3)", "high"))
    assert np.unique(matrix.round(12)) == pytest.approx(levels, rel=1e-11)
    high, mid, low = levels[::-1]
    printed = [
        [high, high, low, low, low],
        [high, high, mid, low, low],
        [low, low, high, low, low],
        [low, low, mid, high, high],
        [low, low, low, high, high],
    ]
    assert (cost * printed).sum() == pytest.approx((cost * matrix).sum(), rel=REL)
    assert abs(matrix - printed).max() > 0.09


# eps at which the number of representatives changes, as printed to three digits in the reference.
CHANGES = {
    2: [(math.log(2), 1, 3)],
    4: [(math.log(1.5), 1, 3), (2.02, 3, 5)],
    6: [(0.288, 1, 3), (0.694, 3, 2), (1.099, 2, 3), (1.792, 3, 5), (2.843, 5, 7)],
    9: [(1.307, 2, 3), (2.252, 3, 4), (2.834, 4, 6), (3.108, 6, 8), (3.668, 8, 10)],
}


@each(
    ("largest", "epsilon", "before", "after"),
    [(largest, *change) for largest, changes in CHANGES.items() for change in changes],
)
def test_the_number_of_answers_given_changes_where_known(largest, epsilon, before, after):
    steps, cost = grid(largest + 1)
    margin = 0.005 if epsilon == 2.02 else 0.0015
    numbers = [len(least.representatives(epsilon + side, cost, steps, steps)) for side in (-margin, margin)]
    assert numbers == [before, after]


@each("epsilon", [0.1, 1.0, 4.0])
@each("size", [1, 2, 5, 10])
@each("power", [1, 2])
def test_the_matrix_is_a_private_mechanism_that_attains_the_value(size, epsilon, power):
    steps, cost = grid(size)
    matrix = least.least_loss_matrix(epsilon, cost**power, steps, steps)
    np.testing.assert_allclose(matrix.sum(axis=0), 1, rtol=REL)
    assert (matrix.max(axis=1) <= math.exp(epsilon) * matrix.min(axis=1) * (1 + REL)).all()
    value = least.least_loss(epsilon, cost**power, steps, steps)
    assert (matrix * cost**power).sum() == pytest.approx(value, rel=REL, abs=1e-300)


@each("epsilon", [0.05, 0.5, 1.0, 2.0, 5.0], every=2)
@each("size", range(1, 14))
@each("power", [0, 1, 2, 9])
def test_the_fair_matrix_has_all_four_properties_and_attains_the_value(size, epsilon, power):
    # The last "power" is a loss capped at 3.
    losses = (
        np.minimum(np.arange(size), 3.0)
        if power == 9
        else np.arange(float(size)) ** power * (np.arange(size) > 0)
    )
    query, matrix = Query(range(size), neighbours="all"), fair.fair_matrix(epsilon, losses)
    np.testing.assert_allclose(matrix.sum(axis=0), 1, rtol=REL)
    assert (matrix.max(axis=1) <= math.exp(epsilon) * matrix.min(axis=1) * (1 + REL)).all()
    gaps = column_monotony_gap(matrix, query), row_monotony_gap(matrix, query), symmetry_gap(matrix)
    assert max(*gaps, fairness_gap(matrix, query)) < 1e-15
    steps = np.arange(size)
    value = (matrix * losses[abs(steps[:, None] - steps)]).sum()
    assert value == pytest.approx(fair.fair_loss(epsilon, losses), rel=REL, abs=1e-300)


def solved(cost, epsilon, *, fair=False):
    """The least loss by a program written here: privacy between all pairs, and if fair, (10)-(15)."""
    responses, truths = cost.shape
    cell = np.arange(responses * truths).reshape(responses, truths)
    rows, equal = [], []

    def row(**terms):
        line = np.zeros(cost.size)
        for place, factor in terms.items():
            line[int(place[1:])] += factor
        return line

    for r in range(responses):
        for f in range(truths):
            rows += [
                row(**{f"x{cell[r, f]}": 1, f"x{cell[r, g]}": -math.exp(epsilon)})
                for g in range(truths)
                if g != f
            ]
    sums = [np.where(np.isin(np.arange(cost.size), cell[:, f]), 1.0, 0.0) for f in range(truths)]
    right = [1.0] * truths
    if fair:
        last = truths - 1
        for r in range(truths):
            for f in range(truths):
                if f < last:  # (12), (13)
                    near, far = (f + 1, f) if f + 1 <= r else (f, f + 1)
                    rows.append(row(**{f"x{cell[r, far]}": 1, f"x{cell[r, near]}": -1}))
                if r < last:  # (10), (11)
                    near, far = (r + 1, r) if r < f else (r, r + 1)
                    rows.append(row(**{f"x{cell[far, f]}": 1, f"x{cell[near, f]}": -1}))
                if cell[r, f] < cell[last - r, last - f]:  # (14)
                    equal.append(row(**{f"x{cell[r, f]}": 1, f"x{cell[last - r, last - f]}": -1}))
        equal += [row(**{f"x{cell[f, f]}": 1, f"x{cell[0, 0]}": -1}) for f in range(1, truths)]  # (15)
    answer = linprog(
        cost.ravel(),
        A_ub=np.array(rows),
        b_ub=np.zeros(len(rows)),
        A_eq=np.array(sums + equal),
        b_eq=np.array(right + [0.0] * len(equal)),
    )
    assert answer.status == 0
    return answer.fun


@settings(max_examples=25, deadline=None)
@given(
    truths=st.lists(st.integers(0, 30), min_size=2, max_size=6, unique=True).map(sorted),
    responses=st.lists(st.integers(-5, 35), min_size=1, max_size=6, unique=True).map(sorted),
    weights=st.lists(st.integers(0, 4), min_size=6, max_size=6),
    epsilon=st.floats(0.1, 3),
    power=st.sampled_from([1, 2]),
)
def test_any_truths_responses_and_weights_are_solved(truths, responses, weights, epsilon, power):
    places = np.array(truths, float), np.array(responses, float)
    cost = abs(places[1][:, None] - places[0]) ** power * weights[: len(truths)]
    value = least.least_loss(epsilon, cost, *places)
    assert value == pytest.approx(solved(cost, epsilon), rel=SOLVER, abs=SOLVER)
    ball = least.least_loss_ball(epsilon, cost, *places, 20)
    assert (ball.is_zero() and value == 0) or encloses(ball, value, 20)


# Losses that do not decrease with the distance, one with a price for the truth itself.
LOSSES = {
    "absolute": lambda far: far,
    "squared": lambda far: far**2,
    "zero-one": lambda far: (far > 0) * 1.0,
    "capped": lambda far: np.minimum(far, 3),
    "root": np.sqrt,
    "threshold": lambda far: (far > 2) + 0.25,
}


@each("loss", LOSSES, every=6, slow_every=3)
@each("weigh", ["alike", "apart"])
@each("epsilon", ["0.01", "0.3", "1", "2", "3.5", "6", "30"])
@each(("size", "responses"), [(13, None), (24, None), (14, 25), (16, 5)])
def test_the_search_finds_the_set_that_the_ball_finds_among_all(size, responses, epsilon, weigh, loss):
    random = np.random.default_rng(size)
    truths = np.arange(float(size)) if weigh == "alike" else np.sort(random.choice(60, size, replace=False))
    places = truths if responses is None else np.sort(random.choice(120, responses, replace=False)) / 2
    weights = np.ones(size) if weigh == "alike" else random.integers(0, 9, size) / 8
    cost = LOSSES[loss](abs(places[:, None] - truths)) * weights
    ball = least.least_loss_ball(epsilon, cost, truths, places, 16)
    value = least.least_loss(float(epsilon), cost, truths, places)
    assert value == pytest.approx(float(ball), rel=1e-13, abs=1e-300)
    chosen = least.representatives(float(epsilon), cost, truths, places)
    assert value == pytest.approx(representatives_loss(float(epsilon), cost, chosen), rel=1e-13)


def dynamic_programme(epsilon, cost, totals, between, guess):
    """Dinkelbach's inner problem on a grid in the plainest way, by the last member and all before it."""
    decay, stay, size = math.exp(-epsilon), -math.expm1(-epsilon), len(cost)
    best = [stay * cost[row, :row].sum() + decay * (totals[row] - guess) for row in range(size)]
    for row in range(1, size):
        through = np.array(best[:row]) + stay * between[row - 1 :: -1][:row]
        best[row] = min(best[row], through.min() + decay * (totals[row] - guess))
    return min(best[row] + stay * cost[row, row:].sum() for row in range(size))


@each("epsilon", [0.05, 1.5, 4, 7, 10, 14, 40], every=2)
@each("power", [1, 2])
def test_a_long_grid_is_solved_to_the_end(epsilon, power):
    # At the least ratio g, and only there, the inner problem has the value g (1 - e^-epsilon).
    steps, cost = grid(300)
    cost = cost**power
    gaps = np.array([np.minimum(cost[0, :gap], cost[0, gap:0:-1]).sum() for gap in range(1, 300)])
    value = least.least_loss(epsilon, cost, steps, steps)
    inner = dynamic_programme(epsilon, cost, cost.sum(axis=1), gaps, value)
    size = len(least.representatives(epsilon, cost, steps, steps))
    # The inner value is a difference of sums of about this size.
    scale = value * (-math.expm1(-epsilon) + size * math.exp(-epsilon))
    assert inner == pytest.approx(value * -math.expm1(-epsilon), abs=1e-12 * scale)


@settings(max_examples=15, deadline=None)
@given(
    steps=st.lists(st.integers(0, 4), min_size=2, max_size=6),
    epsilon=st.floats(0.1, 3),
)
def test_any_growing_loss_is_solved_fairly(steps, epsilon):
    losses = np.cumsum(steps).astype(float)
    places = np.arange(len(losses))
    cost = losses[abs(places[:, None] - places)]
    value = fair.fair_loss(epsilon, losses)
    assert value == pytest.approx(solved(cost, epsilon, fair=True), rel=SOLVER, abs=SOLVER)
    assert encloses(fair.fair_loss_ball(epsilon, losses.tolist(), 20), value, 20) or value == 0


@pytest.mark.parametrize("epsilon", [0.001, 50, 700])
def test_values_stand_for_tiny_and_huge_epsilon(epsilon):
    steps, cost = grid(7)
    cost, losses = cost / 10, [Fraction(d, 10) for d in range(7)]
    value = least.least_loss(epsilon, cost, steps, steps)
    assert value > 0
    assert encloses(least.least_loss_ball(str(epsilon), cost, steps, steps, 20), value, 20)
    assert encloses(fair.fair_loss_ball(str(epsilon), losses, 20), fair.fair_loss(epsilon, steps / 10), 20)


@each("prior", [None, "uniform", [0.1, 0.2, 0.3, 0.4]])
@each("loss", ["absolute", "squared", "zero-one"])
def test_the_free_theorem_speaks_of_the_objective_of_the_problem(loss, prior):
    for query in (extremum(1, 4), Query([0, 1, 5, 7], [(0, 3), (3, 6), (6, 8)], "all")):
        problem = ask(query, loss=loss, prior=prior)
        assert FREE.objection(problem) is None
        value = FREE.value(problem)
        assert problem.objective.value(FREE.matrix(problem)) == pytest.approx(value, rel=REL)
        assert encloses(FREE.ball(problem, 20), value, 20)


@pytest.mark.parametrize(("prior", "scale"), [(None, 1), ("uniform", 0.2)])
def test_the_fair_theorem_speaks_of_the_objective_of_the_problem(prior, scale):
    problem = ask(extremum(1, 5), prior=prior, properties=VARIANT_2)
    assert FAIR.objection(problem) is None
    value = FAIR.value(problem)
    assert value == pytest.approx(scale * GOLDEN["table2"]["opt_objective"], rel=REL)
    assert problem.objective.value(FAIR.matrix(problem)) == pytest.approx(value, rel=REL)
    assert encloses(FAIR.ball(problem, 20), value, 20)


def test_cells_around_the_truths_are_the_truths_to_the_fair_theorem():
    cells = Query([1, 2, 3], [("1/2", "3/2"), ("3/2", "5/2"), ("5/2", "7/2")], "all")
    assert FAIR.objection(ask(cells, properties=VARIANT_2)) is None


@each(
    ("one", "problem", "why"),
    [
        (FREE, ask(count(4)), "not all pairs"),
        (FREE, ask(Query(range(4), neighbours="all", symmetric=False)), "not all pairs"),
        (FREE, ask(extremum(0, 2), properties=VARIANT_2), "properties"),
        (FREE, ask(extremum(0, 2), loss=[[0, 1, 1], [1, 0, 2], [0, 1, 0]]), "decreases"),
        (FREE, ask(extremum(0, 2), loss=[[0, 1, 2], [1, 0, 1], [2, 2, 0]]), "equally far"),
        (FAIR, ask(extremum(0, 2)), "properties"),
        (FAIR, ask(extremum(0, 2), properties={properties.FAIR}), "properties"),
        (FAIR, ask(count(4), properties=VARIANT_2), "not all pairs"),
        (FAIR, ask(Query([0, 1, 3], neighbours="all"), properties=VARIANT_2), "uniform grid"),
        (FAIR, ask(Query([0, 1, 2], [0, 2], "all"), properties=VARIANT_2), "uniform grid"),
        (FAIR, ask(extremum(0, 2), prior=[0.2, 0.4, 0.4], properties=VARIANT_2), "count alike"),
    ],
)
def test_a_theorem_objects_to_other_problems(one, problem, why):
    assert why in one.objection(problem)
