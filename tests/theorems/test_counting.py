"""Counts: the truncated geometric with remap, its dual certificate, and the fair diagonal."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.papers import counting_fair, counting_proof
from benchmarks.papers.croft_properties import (
    column_monotony_gap,
    fairness_gap,
    row_monotony_gap,
    symmetry_gap,
)
from optmech.designs.design import design
from optmech.question.loss import loss_matrix
from optmech.question.losses import ExpectedLoss
from optmech.question.prior import truth_weights
from optmech.question.privacy import PerOutcomePrivacy, PurePrivacy
from optmech.question.problem import Problem
from optmech.question.problems.croft import croft
from optmech.question.properties import VARIANT_2
from optmech.question.queries import count, extremum, mean, residues
from optmech.question.query import Query
from optmech.question.structures import FreeMatrix, ModularNoise
from optmech.theorems import counting
from optmech.theorems.croft_question import ball_of
from optmech.theorems.powers import enclosure
from tests.each import each

GOLDEN = json.loads((Path(__file__).parents[1] / "reference" / "croft.json").read_text())
# Golden values are doubles; sums of a thousand positive terms keep twelve digits.
REL = 1e-12
# A ratio of two entries, each rounded a few times.
RATIO = 1 + 1e-12
(THEOREM,) = counting.THEOREMS
LOSSES = {
    "absolute": lambda size: list(range(size + 1)),
    "squared": lambda size: [d * d for d in range(size + 1)],
    "zero-one": lambda size: [int(d > 0) for d in range(size + 1)],
    "capped": lambda size: [min(d, 2) for d in range(size + 1)],
    "threshold": lambda size: [int(d > 1) for d in range(size + 1)],
}

growing = st.lists(st.integers(0, 5), min_size=3, max_size=9).map(lambda steps: np.cumsum(steps).tolist())
epsilons = st.fractions(Fraction(1, 50), 6, max_denominator=50)


def ask(query, epsilon="0.5", *, loss="absolute", prior=None, properties=frozenset(), **other):
    choices = {"structure": FreeMatrix(), "privacy": PurePrivacy(epsilon), **other}
    objective = ExpectedLoss(loss_matrix(loss, query), truth_weights(prior, query))
    return Problem(name="croft", query=query, properties=properties, objective=objective, **choices)


def encloses(ball, value, digits=15):
    """Whether a double lies where a ball of at least so many digits says."""
    return ball.rel_accuracy_bits() >= 3.3 * digits and abs(float(ball) - value) <= REL * abs(value)


@each("row", GOLDEN["count_V1"], every=2)
def test_the_least_loss_is_the_known_one(row):
    losses = range(row["n"] + 1)
    assert counting.least_loss(row["eps"], losses) == pytest.approx(row["objective"], rel=REL)
    assert encloses(counting.least_loss_ball(row["eps"], list(losses), 30), row["objective"], 30)
    if row["remap"] is not None:
        assert counting.least_loss_remap(row["eps"], losses).tolist() == row["remap"]
        assert counting_proof.absolute_remap(row["n"], row["eps"]).tolist() == row["remap"]


def test_table_3_is_the_matrix_up_to_its_misprint():
    table = GOLDEN["table3"]
    matrix = counting.least_loss_matrix(0.5, range(6))
    np.testing.assert_allclose(matrix, table["matrix"], rtol=REL)
    least, prices = counting.dual_prices(Fraction(np.exp(-0.5)), [Fraction(d) for d in range(6)])
    np.testing.assert_allclose(np.array(prices, float), table["dual_u"], rtol=REL)
    assert float(least) == pytest.approx(table["opt_objective"], rel=REL)


@each("kind", LOSSES)
@each("epsilon", [0.05, 0.5, 2.0])
@each("size", [1, 2, 7, 12])
def test_the_matrix_is_a_private_mechanism_that_attains_the_value(size, epsilon, kind):
    losses = np.array(LOSSES[kind](size), float)
    matrix = counting.least_loss_matrix(epsilon, losses)
    np.testing.assert_allclose(matrix.sum(axis=0), 1, rtol=REL)
    assert (matrix[:, 1:] <= np.exp(epsilon) * matrix[:, :-1] * RATIO).all()
    assert (matrix[:, :-1] <= np.exp(epsilon) * matrix[:, 1:] * RATIO).all()
    steps = np.arange(size + 1)
    attained = (matrix * losses[abs(steps[:, None] - steps)]).sum()
    assert attained == pytest.approx(counting.least_loss(epsilon, losses), rel=REL)


@each("kind", LOSSES, every=2)
@each("epsilon", ["0.1", "0.5", "1", "4"])
@each("size", [1, 2, 5, 12])
def test_the_prices_prove_the_value_exactly_and_no_other(size, epsilon, kind):
    losses = [Fraction(loss) for loss in LOSSES[kind](size)]
    decay = Fraction(np.exp(-float(epsilon))).limit_denominator(10**6)
    least, prices = counting.dual_prices(decay, losses)
    assert counting_proof.certifies(decay, losses, prices, least)
    crumb = Fraction(1, 10**30)
    assert not counting_proof.certifies(decay, losses, prices, least + crumb)
    # For any addition to a price that reaches the larger value, some response is then too dear.
    for truth in range(size + 1):
        dearer = [price + crumb * (place == truth) for place, price in enumerate(prices)]
        assert not counting_proof.certifies(decay, losses, dearer, least + crumb)
    # The value is that of the formula at this decay.
    assert float(least) == pytest.approx(
        counting.least_loss(-np.log(float(decay)), LOSSES[kind](size)), rel=1e-9
    )


@pytest.mark.parametrize(("size", "epsilon"), [(5, "0.5"), (12, "2"), (30, "0.2")])
def test_rational_ends_with_prices_enclose_the_real_optimum(size, epsilon):
    low, high = counting_proof.certified_interval(epsilon, [Fraction(d) for d in range(size + 1)])
    ball = counting.least_loss_ball(epsilon, list(range(size + 1)), 40)
    with ctx.workprec(300):
        assert ball_of(low) < ball < ball_of(high)
    assert high - low < Fraction(1, 10**15)


def test_prices_refuse_a_loss_that_decreases():
    with pytest.raises(ArithmeticError, match="must not decrease"):
        counting_proof.certified_interval("0.5", [Fraction(loss) for loss in (0, 3, 0, 3)])


@settings(max_examples=40, deadline=None)
@given(losses=growing, epsilon=epsilons)
def test_any_growing_loss_is_certified_and_enclosed(losses, epsilon):
    low, high = counting_proof.certified_interval(epsilon, [Fraction(loss) for loss in losses])
    value = counting.least_loss(float(epsilon), losses)
    assert float(low) * (1 - REL) <= value <= float(high) * (1 + REL)
    ball = counting.least_loss_ball(epsilon, losses, 18)
    with ctx.workprec(300):
        assert not ball < ball_of(low)
        assert not ball > ball_of(high)


@settings(max_examples=40, deadline=None)
@given(size=st.integers(1, 60), epsilon=epsilons)
def test_the_closed_remap_is_the_best_one(size, epsilon):
    remap = counting_proof.absolute_remap(size, float(epsilon))
    steps = np.arange(size + 1)
    kernel = np.exp(-float(epsilon) * abs(steps[:, None] - steps))
    table = kernel @ abs(steps[:, None] - steps)
    np.testing.assert_allclose(table[steps, remap], table.min(axis=1), rtol=REL)


def test_values_stand_where_powers_underflow():
    for size, epsilon in ((1000, 7), (1000, 0.001), (40, 700)):
        value = counting.least_loss(epsilon, range(size + 1))
        ball = counting.least_loss_ball(str(epsilon), list(range(size + 1)), 20) if size < 100 else None
        assert 0 < value < np.inf
        assert ball is None or encloses(ball, value)
    # Each of n - 1 inner truths loses 2a/(1-a^2), but for what is cut off; the two ends half of it each.
    decay = np.exp(-7)
    assert counting.least_loss(7, range(1001)) == pytest.approx(1000 * 2 * decay / (1 - decay**2), rel=1e-5)


@each("row", GOLDEN["count_V2"])
def test_the_fair_diagonal_is_the_explicit_fair_mechanisms(row):
    size, epsilon = row["n"], row["eps"]
    diagonal = counting_fair.fair_diagonal(size, epsilon)
    assert diagonal == pytest.approx(row["EM_diag"], rel=REL)
    assert encloses(counting_fair.fair_diagonal_ball(size, epsilon, 30), row["EM_diag"], 30)
    matrix = counting_fair.explicit_fair(size, epsilon)
    np.testing.assert_allclose(np.diagonal(matrix), diagonal, rtol=REL)
    steps = np.arange(size + 1)
    loss = (matrix * abs(steps[:, None] - steps)).sum()
    assert loss == pytest.approx(row["EM_L1_objective"], rel=REL)
    # Variant 2's objective is another, and lies between the two closed forms.
    assert counting.least_loss(epsilon, steps) < row["objective"] < loss
    # Its diagonal never exceeds this one, and is this one from FAIR_DIAGONAL_FROM on.
    assert row["diag"] <= diagonal * (1 + 1e-9)
    if epsilon >= counting_fair.FAIR_DIAGONAL_FROM:
        assert row["diag"] == pytest.approx(diagonal, rel=1e-9)


def test_the_fair_diagonal_is_missed_by_variant_2_where_it_is_said():
    apart = [
        (row["n"], row["eps"])
        for row in GOLDEN["count_V2"]
        if abs(row["diag"] - counting_fair.fair_diagonal(row["n"], row["eps"])) > 1e-6
    ]
    assert apart == [(n, 0.05) for n in (10, 12, 15, 20)]
    assert {n for n, _ in apart} < counting_fair.FAIR_DIAGONAL_MISSED["0.05"]


def _misses(size, epsilon):
    """Whether the certified optimum of Variant 2 has a smaller diagonal than a fair mechanism can have."""
    diagonal = design(croft(count(size), epsilon, variant=2)).mechanism.matrix[0, 0]
    return 1 - diagonal / counting_fair.fair_diagonal(size, float(epsilon)) > 1e-6


@each(
    ("size", "epsilon"),
    [(8, "0.05"), (9, "0.05"), (25, "0.05"), (26, "0.05"), (27, "0.05"), (51, "0.03"), (52, "0.03")],
    every=3,
)
def test_the_ends_of_what_variant_2_misses_are_the_said_ones(size, epsilon):
    assert _misses(size, epsilon) == (size in counting_fair.FAIR_DIAGONAL_MISSED[epsilon])


@pytest.mark.parametrize(
    ("epsilon", "largest"),
    [
        pytest.param("0.05", 30, marks=pytest.mark.slow),
        pytest.param("0.05", 60, marks=pytest.mark.long),
        pytest.param("0.03", 60, marks=pytest.mark.long),
    ],
)
def test_all_that_variant_2_misses_is_said(epsilon, largest):
    missed = {size for size in range(2, largest + 1) if _misses(size, epsilon)}
    assert missed == counting_fair.FAIR_DIAGONAL_MISSED[epsilon]


def test_table_4_has_the_fair_diagonal():
    table, decay = GOLDEN["table4"], np.exp(-0.5)
    assert counting_fair.fair_diagonal(5, 0.5) == pytest.approx(table["diag"], rel=REL)
    assert table["diag"] == pytest.approx(1 / (1 + 2 * decay + 2 * decay**2 + decay**3), rel=REL)


@each("epsilon", [0.01, 0.5, 3.0])
@each("size", range(1, 16))
def test_the_explicit_fair_mechanism_has_all_four_properties(size, epsilon):
    query, matrix = count(size), counting_fair.explicit_fair(size, epsilon)
    np.testing.assert_allclose(matrix.sum(axis=0), 1, rtol=REL)
    assert (matrix[:, 1:] <= np.exp(epsilon) * matrix[:, :-1] * RATIO).all()
    assert (matrix[:, :-1] <= np.exp(epsilon) * matrix[:, 1:] * RATIO).all()
    gaps = column_monotony_gap(matrix, query), row_monotony_gap(matrix, query), symmetry_gap(matrix)
    assert max(*gaps, fairness_gap(matrix, query)) == 0


@each(("prior", "scale"), [(None, 1), ("uniform", 1 / 6)])
@each("loss", ["absolute", "squared", "zero-one"])
def test_the_theorem_speaks_of_the_objective_of_the_problem(loss, prior, scale):
    problem = ask(count(8, smallest=3), loss=loss, prior=prior)
    assert THEOREM.objection(problem) is None
    value = THEOREM.value(problem)
    assert value == pytest.approx(scale * counting.least_loss(0.5, LOSSES[loss](5)), rel=REL)
    assert problem.objective.value(THEOREM.matrix(problem)) == pytest.approx(value, rel=REL)
    assert encloses(THEOREM.ball(problem, 25), value, 25)


HALVES = Query([0, "1/2", 1, "3/2"], neighbours=1)


@each(
    ("problem", "why"),
    [
        (ask(count(4), properties=VARIANT_2), "properties"),
        (ask(extremum(0, 4)), "neighbours"),
        (ask(mean(2, 2)), "neighbours"),
        (ask(residues(5, [1])), "neighbours"),
        (ask(Query([0, 1, 2], neighbours=1, symmetric=False)), "neighbours"),
        (ask(Query([0, 1, 3], neighbours=1)), "number of steps"),
        (ask(Query([0, 1, 2, 3], [(0, 2), (2, 4)], 1)), "one response for each truth"),
        (ask(count(2), loss=[[0, 2, 1], [2, 0, 2], [1, 2, 0]]), "decreases"),
        (ask(count(2), loss=[[0, 1, 2], [2, 0, 1], [4, 2, 0]]), "number of steps"),
        (ask(count(2), prior=[0.25, 0.5, 0.25]), "count alike"),
        (ask(count(2), privacy=PerOutcomePrivacy("0.5", "0.1")), "not pure"),
        (ask(count(2), structure=ModularNoise()), "not free"),
    ],
)
def test_the_theorem_objects_to_other_problems(problem, why):
    assert why in THEOREM.objection(problem)


def test_the_unit_of_a_count_does_not_matter():
    problem = ask(HALVES)
    assert THEOREM.objection(problem) is None
    assert THEOREM.value(problem) == pytest.approx(counting.least_loss(0.5, range(4)) / 2, rel=REL)


def test_a_ball_that_never_narrows_is_refused():
    with pytest.raises(ArithmeticError, match="no ball of 5 digits"):
        enclosure(lambda: arb(1, 1), 5)
