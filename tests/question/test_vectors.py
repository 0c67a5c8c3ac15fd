"""Answers that are vectors: their neighbours, losses and the laws of noise on them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import optmech as om
from optmech.question.loss import loss_matrix, noise_cost
from optmech.question.vectors import joint_pmf, marginal_pmf, vector
from tests.each import each

MODULI = st.lists(st.integers(2, 4), min_size=1, max_size=3).map(tuple)


def neighbours(query):
    return {(query.labels[f], query.labels[g]) for f, g in query.pairs.tolist()}


def label(values):
    return f"({','.join(map(str, values))})"


@st.composite
def asked(draw):
    moduli = draw(MODULI)
    every = [step for step in itertools.product(*map(range, moduli)) if any(step)]
    return moduli, draw(st.lists(st.sampled_from(every), min_size=1, max_size=4))


@given(asked(), st.booleans())
def test_neighbours_are_the_vectors_that_differ_by_a_distance(question, symmetric):
    moduli, distances = question
    query = vector(moduli, distances, symmetric=symmetric)
    truths = list(itertools.product(*map(range, moduli)))
    assert query.labels == tuple(map(label, truths))
    expected = set()
    for truth, step in itertools.product(truths, distances):
        other = tuple((a - b) % m for a, b, m in zip(truth, step, moduli, strict=True))
        expected.add((label(truth), label(other)))
        if symmetric:
            expected.add((label(other), label(truth)))
    assert neighbours(query) == expected


def test_together_is_the_product_of_the_sets_without_zero():
    both = [(a, b) for a in range(3) for b in range(3) if a or b]
    assert neighbours(vector((5, 5), [0, 1, 2], "together")) == neighbours(vector((5, 5), both))
    uneven = [(a, b) for a in (1, 3) for b in (2, 5)]
    asked_for = vector((7, 7), [[1, 3], [2, 5]], "together", symmetric=False)
    assert neighbours(asked_for) == neighbours(vector((7, 7), uneven, symmetric=False))


def test_apart_is_one_coordinate_at_a_time():
    single = [(0, 1), (0, 2), (1, 0), (2, 0)]
    assert neighbours(vector((3, 4), [0, 1, 2], "apart")) == neighbours(vector((3, 4), single))
    assert neighbours(vector((3, 4), [[1], [2]], "apart")) == neighbours(vector((3, 4), [(1, 0), (0, 2)]))


def test_one_coordinate_is_a_circle():
    circle = om.residues(7, [1, 3])
    query = vector((7,), [(1,), (3,)])
    assert np.array_equal(query.pairs, circle.pairs)
    for cost in ("error-rate", "squared", "circular", "wrapped"):
        assert np.array_equal(noise_cost(cost, (7,)), noise_cost(cost, 7))


def test_costs_and_losses_are_sums_over_coordinates():
    moduli = (3, 4)
    truths = list(itertools.product(range(3), range(4)))
    query = vector(moduli, [1], "apart")
    for name, one in (
        ("squared", lambda eta, _: eta**2),
        ("circular", lambda eta, m: min(eta, m - eta) ** 2),
        ("wrapped", lambda eta, m: eta * (m - eta)),
    ):
        sums = [sum(one(eta, m) for eta, m in zip(noise, moduli, strict=True)) for noise in truths]
        assert noise_cost(name, moduli).tolist() == sums
    assert noise_cost("error-rate", moduli).tolist() == [float(any(noise)) for noise in truths]
    assert noise_cost(np.arange(12).reshape(3, 4), moduli).tolist() == list(range(12))
    apart = [[sum(abs(a - b) for a, b in zip(r, f, strict=True)) for f in truths] for r in truths]
    assert loss_matrix("absolute", query).tolist() == apart
    assert loss_matrix("beyond 2.5", query).tolist() == (np.array(apart) > 2.5).astype(float).tolist()
    square = [[sum((a - b) ** 2 for a, b in zip(r, f, strict=True)) for f in truths] for r in truths]
    assert loss_matrix("squared", query).tolist() == square
    assert loss_matrix("zero-one", query).tolist() == (1 - np.eye(12)).tolist()


@pytest.mark.slow
@given(MODULI, st.integers(0, 2**32 - 1))
def test_the_joint_law_of_modular_noise_is_the_same_at_every_truth(moduli, seed):
    size = int(np.prod(moduli))
    masses = np.random.default_rng(seed).dirichlet(np.ones(size))
    matrix = masses[om.ModularNoise(moduli).noise(size)]
    for truth in itertools.product(*map(range, moduli)):
        joint = joint_pmf(matrix, moduli, truth)
        assert np.array_equal(joint, masses.reshape(moduli))
    for coordinate in range(len(moduli)):
        marginal = marginal_pmf(joint, coordinate)
        for value in range(moduli[coordinate]):
            assert marginal[value] == pytest.approx(np.take(joint, value, axis=coordinate).sum())


@each(
    ("ask", "sentence"),
    [
        (lambda: vector((), [(1,)]), "`moduli` must be one or more whole numbers of at least 2; got ()"),
        (lambda: vector((5, 1), [(1, 0)]), "`moduli` must be one or more whole numbers"),
        (lambda: vector(5, [(1,)]), "`moduli` must hold lists of whole numbers; got 5"),
        (
            lambda: vector((5, 5), [(0, 0)]),
            "must be vectors below the moduli (5, 5), not all zero; got (0, 0)",
        ),
        (lambda: vector((5, 5), [(1, 5)]), "got (1, 5)"),
        (lambda: vector((5, 5), [(-1, 0)]), "got (-1, 0). Write -1 as the modulus less 1"),
        (lambda: vector((5, 5), [(1, 0, 0)]), "got (1, 0, 0)"),
        (lambda: vector((5, 5), [1]), "`distances` must hold lists of whole numbers; got 1"),
        (lambda: vector((5, 5), 1), "`distances` must be a list; got 1"),
        (lambda: vector((5, 5), []), "`distances` must name at least one distance"),
        (lambda: vector((5, 5), [0], "apart"), "`distances` must name at least one distance"),
        (lambda: vector((5, 5), [[1], [1], [1]], "apart"), "one for each of 2 moduli; got 3"),
        (lambda: vector((5, 5), [1], "sideways"), "`changes` must be one of vectors, together, apart"),
        (
            lambda: vector((3000, 3000), [(0, 1)]),
            "at most 5,000,000 pairs of neighbours; got about 9,000,000",
        ),
        (
            lambda: joint_pmf(np.eye(3), (2, 2)),
            "`matrix` must have shape (4, 4) for moduli (2, 2); got (3, 3)",
        ),
        (lambda: joint_pmf(np.eye(4), (2, 2), (0, 2)), "`truth` must be a vector below the moduli"),
        (lambda: marginal_pmf([[1.0]], 2), "`coordinate` must be a whole number from 0 to 1; got 2"),
        (
            lambda: om.ModularNoise((2, 3)).noise(4),
            "`moduli` must make one vector for each truth; got 6 for 4",
        ),
    ],
)
def test_what_is_no_vector_query_says_why(ask, sentence):
    with pytest.raises(om.ProblemError) as refusal:
        ask()
    assert sentence in str(refusal.value)
