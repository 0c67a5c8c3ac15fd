"""Noise on vectors: Kadam et al. 2024, (57) and Fig. 13, and what must hold of any such noise."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import optmech as om
from optmech.question.vectors import joint_pmf, marginal_pmf, vector

REFERENCE = json.loads((Path(__file__).parents[2] / "reference" / "kadam.json").read_text())
EQUATION_57 = REFERENCE["vector_eq57"]
FIGURE_13B = REFERENCE["fig13b_n6_mu1{1,3}_mu2{2,5}_eps3_delta0"]
# A certified matrix costs about 1e-12 of the objective; the reference is of doubles.
CLOSE = 1e-10


def joint_of(problem):
    design = om.design(problem)
    assert design.certificate.relative_gap < CLOSE
    return joint_pmf(design.mechanism.matrix, problem.query.moduli)


@pytest.fixture(scope="module")
def joint():
    return joint_of(om.kadam(vector((5, 5), [0, 1, 2], "together", symmetric=False), 3))


def test_the_joint_law_of_57_is_reproduced(joint):
    assert joint == pytest.approx(np.array(EQUATION_57["joint"]), abs=CLOSE)
    values, counts = np.unique(np.round(joint, 10), return_counts=True)
    assert dict(zip(values.tolist(), counts.tolist(), strict=True)) == {
        0.6954312896: 1,
        0.0346234852: 8,
        0.0017238018: 16,
    }


def test_the_marginals_of_57_are_reproduced_and_are_not_independent(joint):
    printed = [0.7681, 0.1073, 0.1073, 0.0086, 0.0086]
    first, second = marginal_pmf(joint, 0), marginal_pmf(joint, 1)
    for marginal in (first, second):
        assert marginal == pytest.approx(EQUATION_57["marginal"], abs=CLOSE)
        assert np.round(marginal, 4).tolist() == printed
    assert abs(joint - np.outer(first, second)).max() > 0.05  # Remark 4


def test_noise_for_each_coordinate_by_itself_is_worse(joint):
    alone = om.design(om.kadam(om.residues(5, [1, 2], symmetric=False), "1.5")).mechanism.matrix[:, 0]
    assert alone == pytest.approx(EQUATION_57["per_coordinate_eps1_5"], abs=CLOSE)
    assert alone[0] ** 2 == pytest.approx(EQUATION_57["product_f00"], abs=CLOSE)
    assert joint[0, 0] > alone[0] ** 2 + 0.2


@pytest.mark.parametrize(
    ("distances", "changes", "key"),
    [
        ([0, 1, 2, 3, 4], "together", "alt_symmetric"),
        ([1, 2], "apart", "alt_one_coordinate_at_a_time_one_sided"),
    ],
)
def test_other_readings_of_57_are_those_of_the_reference(distances, changes, key):
    result = joint_of(om.kadam(vector((5, 5), distances, changes, symmetric=False), 3))
    assert result == pytest.approx(np.array(EQUATION_57[key]["joint"]), abs=CLOSE)
    assert marginal_pmf(result, 0) == pytest.approx(EQUATION_57[key]["marginal"], abs=CLOSE)


def test_figure_13b_has_its_levels():
    result = joint_of(om.kadam(vector((7, 7), [[1, 3], [2, 5]], "together", symmetric=False), 3))
    assert result == pytest.approx(np.array(FIGURE_13B["joint"]), abs=CLOSE)
    assert marginal_pmf(result, 0) == pytest.approx(FIGURE_13B["marginal1"], abs=CLOSE)
    assert marginal_pmf(result, 1) == pytest.approx(FIGURE_13B["marginal2"], abs=CLOSE)
    levels, counts = np.unique(np.round(-np.log(result / result[0, 0]) / 3, 6), return_counts=True)
    assert levels.tolist() == [0, 1, 2, 3, 4, 5]
    assert counts.tolist() == [1, 4, 9, 14, 15, 6]


def test_a_question_and_kadam_ask_the_same(joint):
    query = vector((5, 5), [0, 1, 2], "together", symmetric=False)
    for structure in (om.ModularNoise(), om.ModularNoise((5, 5))):
        problem = om.question(query, 3, structure=structure, loss="error-rate")
        assert joint_of(problem) == pytest.approx(joint, abs=CLOSE)


def test_any_matrix_is_as_good_as_noise_where_all_truths_look_alike():
    query = vector((3, 3), [1], "apart")
    noise = om.design(om.question(query, 1, structure=om.ModularNoise(), loss="error-rate"))
    free = om.design(om.question(query, 1, loss="zero-one"))
    assert free.objective == pytest.approx(noise.objective, abs=1e-8)


COPRIME = st.sampled_from([(2, 3), (3, 2), (2, 5), (3, 4)])


@pytest.mark.slow
@settings(max_examples=12)
@given(COPRIME, st.data())
def test_coprime_moduli_are_one_circle(moduli, data):
    """The Chinese remainder theorem: Z_a x Z_b is Z_ab, whatever the distances."""
    size = math.prod(moduli)
    steps = data.draw(st.lists(st.integers(1, size - 1), min_size=1, max_size=2, unique=True))
    symmetric, delta = data.draw(st.booleans()), data.draw(st.sampled_from(["0", "0.05", "0.2"]))
    torus = vector(moduli, [tuple(step % m for m in moduli) for step in steps], symmetric=symmetric)
    circle = om.residues(size, steps, symmetric=symmetric)
    ours, theirs = (om.design(om.kadam(query, "0.7", delta)) for query in (torus, circle))
    assert ours.objective == pytest.approx(theirs.objective, abs=1e-8)
    # Where the noise itself is not unique, its probability of zero still is.
    assert ours.mechanism.matrix[0, 0] == pytest.approx(theirs.mechanism.matrix[0, 0], abs=1e-8)


@pytest.mark.parametrize("cost", ["squared", "circular", "wrapped"])
def test_where_coordinates_change_apart_summed_costs_are_least_for_independent_noise(cost):
    """Each marginal is private by itself, so no joint law beats the best law of each coordinate."""
    whole = om.design(om.kadam(vector((3, 4), [1], "apart"), 1, 0, cost))
    parts = [om.design(om.kadam(om.residues(m, [1]), 1, 0, cost)) for m in (3, 4)]
    assert whole.objective == pytest.approx(sum(part.objective for part in parts), abs=1e-8)


@pytest.mark.parametrize("at_most", ["0.3", "0.45", "0.6"])
def test_the_least_delta_of_noise_on_vectors_is_that_of_one_circle(at_most):
    torus = vector((2, 3), [(1, 1), (0, 2)], symmetric=False)
    circle = om.residues(6, [1, 2], symmetric=False)
    problems = [om.kadam_least_delta(query, 1, at_most=at_most) for query in (torus, circle)]
    ours, theirs = map(om.design, problems)
    assert ours.objective == pytest.approx(theirs.objective, abs=1e-7)


def test_noise_of_other_moduli_does_not_fit():
    with pytest.raises(om.NotAcceptedError, match="looks the same from every answer"):
        om.kadam(om.count(8), 1)
    with pytest.raises(om.ProblemError, match="must make one vector for each truth; got 6 for 25"):
        om.question(vector((5, 5), [1], "apart"), 1, structure=om.ModularNoise((2, 3)), loss="error-rate")
    turned = vector((2, 3), [(0, 1)], symmetric=False)
    problem = om.question(turned, 1, structure=om.ModularNoise((3, 2)), loss="error-rate")
    with pytest.raises(om.NotAcceptedError, match="modulo 3, 2 needs a query that looks the same"):
        om.models.assemble(problem)


def test_the_least_error_rate_is_that_of_shortest_sums_of_distances():
    """Chain (14c) along a shortest way from no noise: the levels are those of a breadth-first search."""
    moduli, steps = (4, 3), [(1, 0), (2, 1)]
    levels, frontier = {(0, 0): 0}, [(0, 0)]
    while frontier:
        here = frontier.pop(0)
        for step in steps:
            there = tuple((a + b) % m for a, b, m in zip(here, step, moduli, strict=True))
            if there not in levels:
                levels[there] = levels[here] + 1
                frontier.append(there)
    masses = np.array([math.exp(-levels[v]) for v in itertools.product(range(4), range(3))]).reshape(moduli)
    result = joint_of(om.kadam(vector(moduli, steps, symmetric=False), 1))
    assert result == pytest.approx(masses / masses.sum(), abs=CLOSE)


def weighted(size, weights):
    """Return a circle where answers `step` apart are ``weights[step]`` times epsilon apart."""
    pairs = [(f, (f + step) % size, weight) for f in range(size) for step, weight in weights.items()]
    return om.Query(range(size), neighbours=pairs)


def test_twice_epsilon_for_two_steps_asks_nothing_new_of_noise():
    ours, theirs = (
        om.design(om.kadam(query, "0.7")) for query in (weighted(7, {1: 1, 2: 2}), om.residues(7, [1]))
    )
    assert ours.objective == pytest.approx(theirs.objective, abs=1e-8)


@pytest.mark.parametrize("delta", ["0", "0.1"])
def test_half_of_epsilon_twice_is_epsilon(delta):
    ours = om.design(om.kadam(weighted(7, {1: 2, 3: 2}), "0.35", delta), raw=True)
    theirs = om.design(om.kadam(om.residues(7, [1, 3]), "0.7", delta), raw=True)
    assert ours.objective == pytest.approx(theirs.objective, abs=1e-8)
    assert ours.mechanism.matrix[0, 0] == pytest.approx(theirs.mechanism.matrix[0, 0], abs=1e-8)
