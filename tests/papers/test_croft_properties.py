"""Theorems 1-3 and Corollary 1 of Croft et al., with the conditions they need."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import cauchy, laplace, norm

from benchmarks.papers import croft_properties as croft
from optmech.question.losses import LeastDelta
from optmech.question.privacy import ProbabilisticPrivacy
from optmech.question.problem import Problem
from optmech.question.queries import count, extremum
from optmech.question.query import Query
from optmech.question.structures import FreeMatrix
from optmech.theorems import croft_question

GOLDEN = json.loads((Path(__file__).parents[1] / "reference" / "croft.json").read_text())
REL = 1e-12
# Differences of distribution functions carry their rounding.
ROUNDING = 1e-14


def tiled(truths, cells, *, width=1, start=0, neighbours=1):
    ends = [start + width * step for step in range(cells + 1)]
    return Query(truths, list(pairwise(ends)), neighbours)


def snapped(query, noise):
    return croft.boundary_snapping(query, noise.cdf, noise.sf)


def gaps(matrix, query):
    return croft.row_monotony_gap(matrix, query), croft.symmetry_gap(matrix)


def test_table_1_is_snapped_laplace_noise():
    query = tiled(range(1, 6), 5, start=0.5, neighbours="all")
    np.testing.assert_allclose(snapped(query, laplace(scale=4)), GOLDEN["table1"]["matrix"], rtol=REL)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(
    scale=st.floats(0.3, 10),
    cells=st.integers(1, 8),
    width=st.sampled_from([0.5, 1, 1.5, 3]),
    truths=st.lists(st.integers(0, 40), min_size=2, max_size=6, unique=True).map(sorted),
)
def test_theorem_1_snapping_keeps_privacy_where_cells_tile(scale, cells, width, truths):
    last = cells * width
    query = tiled([truth * last / 40 for truth in truths], cells, width=width, neighbours="all")
    assert croft.theorem_1_objection(query) is None
    matrix = snapped(query, laplace(scale=scale))
    np.testing.assert_allclose(matrix.sum(axis=0), 1, rtol=REL)
    spread = (query.truth_values[-1] - query.truth_values[0]) / scale
    assert (matrix.max(axis=1) <= np.exp(spread) * matrix.min(axis=1) * (1 + 1e-9)).all()


def test_theorem_1_needs_cells_without_gaps():
    query = Query([0, 1, 2], [(-0.25, 0.25), (0.75, 1.25), (1.75, 2.25)], 1)
    assert "gap" in croft.theorem_1_objection(query)
    assert snapped(query, laplace(scale=1)).sum(axis=0).max() < 0.9


def test_theorem_1_needs_cells_that_hold_the_truths():
    assert "no category holds the truth 5" in croft.theorem_1_objection(tiled([0, 1, 5], 2))


@settings(max_examples=60, deadline=None)
@given(
    noise=st.sampled_from([laplace, norm, cauchy]),
    scale=st.floats(0.2, 8),
    number=st.integers(2, 9),
    finer=st.integers(1, 3),
)
def test_theorem_2_holds_where_no_category_holds_two_truths(noise, scale, number, finer):
    query = tiled(range(number), number * finer, width=Fraction(1, finer), start=Fraction(-1, 2))
    assert croft.theorem_2_objection(query) is None
    assert max(gaps(snapped(query, noise(scale=scale)), query)) < ROUNDING


def test_theorem_2_fails_where_a_category_holds_two_truths():
    golden = GOLDEN["theorem2_counterexample"]
    query = tiled(range(6), 3, width=2, start=-0.5)
    assert [float(category.midpoint) for category in query.responses] == golden["mid"]
    assert "two truths" in croft.theorem_2_objection(query)
    matrix = snapped(query, laplace(scale=golden["Laplace_b"]))
    np.testing.assert_allclose(matrix[0, :2], golden["M11_M12"], rtol=REL)
    assert croft.row_monotony_gap(matrix, query) > 0.15
    assert croft.symmetry_gap(matrix) < ROUNDING


def test_truths_on_the_border_of_cells_harm_only_at_the_ends():
    # Both ends of an inner cell lie alike to it; those of the first, which reaches to minus infinity, do not.
    inside, outside = tiled([1, 2, 3], 4), tiled([0, 1, 2, 3, 4], 4)
    assert croft.theorem_2_objection(inside) is None
    assert croft.row_monotony_gap(snapped(inside, laplace(scale=1)), inside) < ROUNDING
    assert "two truths" in croft.theorem_2_objection(outside)
    assert croft.row_monotony_gap(snapped(outside, laplace(scale=1)), outside) > 0.1


@pytest.mark.parametrize(
    ("query", "why"),
    [
        (Query([0, 1, 2], [(-0.5, 0.5), (0.5, 1.5), (1.5, 3.5)], 1), "uniformly sized"),
        (tiled([0, 1, 3], 4, start=-0.5), "uniformly spread"),
        (tiled([0, 1, 2], 4, start=-0.5), "centre"),
        (Query([0, 1, 2], [(-0.25, 0.25), (0.75, 1.25), (1.75, 2.25)], 1), "gap"),
    ],
)
def test_theorem_2_says_what_is_missing(query, why):
    assert why in croft.theorem_2_objection(query)


def test_gaps_find_the_property_that_is_broken():
    query = count(2)
    fine = np.array([[0.6, 0.3, 0.1], [0.3, 0.4, 0.3], [0.1, 0.3, 0.6]])
    assert croft.column_monotony_gap(fine, query) == croft.row_monotony_gap(fine, query) == 0
    assert croft.symmetry_gap(fine) == 0
    assert croft.fairness_gap(fine, query) == pytest.approx(0.2)
    assert croft.column_monotony_gap(fine[::-1], query) == pytest.approx(0.3)
    assert croft.row_monotony_gap(fine[:, ::-1], query) == pytest.approx(0.3)
    lopsided = fine + np.array([[0.0, 0, 0.05], [0, 0, 0], [0, 0, -0.05]])
    assert croft.symmetry_gap(lopsided) == pytest.approx(0.05)


def test_table_4_has_every_property_and_table_3_only_symmetry():
    query = count(5)
    both = {name: np.array(GOLDEN[name]["matrix"]) for name in ("table3", "table4")}
    fair = both["table4"]
    assert croft.column_monotony_gap(fair, query) < ROUNDING
    assert max(*gaps(fair, query), croft.fairness_gap(fair, query)) < ROUNDING
    assert croft.symmetry_gap(both["table3"]) < ROUNDING
    assert croft.fairness_gap(both["table3"], query) > 0.2


distributions = (
    st.lists(st.integers(0, 9), min_size=5, max_size=5)
    .filter(any)
    .map(lambda mass: np.array(mass) / sum(mass))
)


@settings(max_examples=80, deadline=None)
@given(
    before=distributions,
    moves=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.floats(0, 1)), max_size=4),
    steps=st.lists(st.integers(0, 3), min_size=5, max_size=5),
    truth=st.integers(0, 4),
)
def test_theorem_3_moving_mass_closer_never_loses_more(before, moves, steps, truth):
    distances = abs(np.arange(5) - truth)
    after = before.copy()
    for source, target, part in moves:
        if distances[target] <= distances[source]:
            mass = part * after[source]
            after[source] -= mass
            after[target] += mass
    assert croft.is_smaller(after, before, distances)
    losses = np.cumsum(steps)
    assert croft_question.theorem_3_objection(losses) is None
    assert losses[distances] @ after <= losses[distances] @ before + ROUNDING * 20


@settings(max_examples=80, deadline=None)
@given(one=distributions, other=distributions, truth=st.integers(0, 4))
def test_the_order_is_that_of_all_growing_losses(one, other, truth):
    distances = abs(np.arange(5) - truth)
    thresholds = [(distances > reach) @ (one - other) for reach in range(5)]
    assert croft.is_smaller(one, other, distances) == (max(thresholds) <= 1e-12)


def test_theorem_3_needs_a_loss_that_does_not_decrease():
    assert "decreases" in croft_question.theorem_3_objection([0, 2, 1])


def test_the_order_is_a_preorder_with_mirror_images():
    left, right, distances = [0.5, 0.5, 0], [0, 0.5, 0.5], [1, 0, 1]
    assert croft.is_smaller(left, right, distances)
    assert croft.is_smaller(right, left, distances)
    assert croft.is_minimal(left, [right], distances)


def test_corollary_1_fails_for_a_constant_loss_and_holds_for_a_strict_one():
    distances = np.abs(np.subtract.outer(np.arange(3), np.arange(3)))
    close, far = np.eye(3), np.full((3, 3), 1 / 3)
    assert croft.is_smaller(close, far, distances)
    # Under a constant loss `far` is a minimiser as good as `close`, yet not minimal.
    constant = np.ones((3, 3))
    assert (constant * far).sum() == pytest.approx((constant * close).sum())
    assert not croft.is_minimal(far, [close], distances)
    assert "strictly" in croft.corollary_1_objection([1, 1, 1])
    assert croft.corollary_1_objection([0, 1, 2]) is None


@settings(max_examples=40, deadline=None)
@given(members=st.lists(distributions, min_size=2, max_size=6), truth=st.integers(0, 4))
def test_corollary_1_a_least_strict_loss_is_minimal(members, truth):
    distances = abs(np.arange(5) - truth)
    best = min(members, key=lambda member: distances @ member)
    assert croft.is_minimal(best, members, distances)


def test_responses_are_the_truths_as_points_or_cells_around_them():
    assert croft_question.responds_with_truths(extremum(1, 5))
    assert croft_question.responds_with_truths(tiled(range(3), 3, start=-0.5))
    assert not croft_question.responds_with_truths(tiled(range(3), 3))
    assert not croft_question.responds_with_truths(Query([0, 1, 2], [0, 1]))


def test_an_objective_that_is_no_expected_loss_is_refused():
    choices = {"name": "other", "query": count(3), "structure": FreeMatrix(), "properties": frozenset()}
    problem = Problem(**choices, privacy=ProbabilisticPrivacy(1), objective=LeastDelta())
    assert croft_question.objection_of_form(problem, frozenset()) == "the privacy is not pure"
