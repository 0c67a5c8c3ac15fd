"""A matrix that misses what is claimed is told its true epsilon or delta, and where it is spent."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import numpy as np
import pytest

import optmech as om
from tests.each import each

PURE = om.question(om.count(2), 1)
SPENT = om.question(om.count(2), 1, delta="1e-6")
OWN = om.design(PURE).mechanism.matrix


def with_entry(value):
    matrix = OWN.copy()
    matrix[1, 0] += matrix[2, 0] - value
    matrix[2, 0] = value
    return matrix


@each(
    "matrix",
    [
        with_entry(1e-13),
        np.round(OWN, 4),
        om.design(om.question(om.count(2), "1.1")),
        om.design(om.question(om.count(2), "1.1")).mechanism.matrix,
        [["3/4", "1/4", "1/8"], ["1/8", "1/2", "1/8"], ["1/8", "1/4", "3/4"]],
    ],
)
def test_the_epsilon_of_a_matrix_is_the_largest_ratio_of_its_columns(matrix):
    certification = om.certify(matrix, PURE)
    given = matrix.mechanism.matrix if isinstance(matrix, om.Design) else matrix
    doubles = np.array([[float(Fraction(entry)) for entry in row] for row in given])
    doubles /= doubles.sum(axis=0)
    ratios = [doubles[:, f] / doubles[:, g] for f, g in PURE.query.pairs.tolist()]
    epsilon = float(re.search(r"effective epsilon (\S+) exceeds 1", certification.violation)[1])
    assert epsilon == pytest.approx(math.log(max(map(np.max, ratios))), rel=1e-9)
    assert re.search(r"matrix\[\d, \d\] = \S+ beside matrix\[", certification.violation)
    assert not certification.is_rounding


@each("problem", [PURE, om.question(om.count(2), 50)])
def test_an_infinite_loss_is_never_called_rounding(problem):
    size = problem.query.num_truths
    nearly = np.eye(size)
    nearly[1, 0] = 1e-300  # and zero below it, beside 1
    for matrix in (np.eye(size), nearly):
        certification = om.certify(matrix, problem)
        assert "the privacy loss is infinite" in certification.violation
        assert "ounding" not in str(certification)


def test_the_delta_of_a_matrix_is_that_of_its_worst_set():
    matrix = om.design(om.question(om.count(2), "1.1")).mechanism.matrix
    for problem in (SPENT, om.question(om.count(2), privacy=[(1, "1e-6"), (2, 0)])):
        text = om.certify(matrix, problem).violation
        delta = float(re.search(r"delta (\S+) at epsilon 1 exceeds 0\.000001", text)[1])
        sets = [
            np.maximum(matrix[:, f] - math.e * matrix[:, g], 0).sum() for f, g in SPENT.query.pairs.tolist()
        ]
        assert delta == pytest.approx(max(sets), rel=1e-9)
        assert text.endswith("response 0 at truth 0 against truth 1")
    text = om.certify(om.design(om.question(om.count(2), 1, delta="1e-5")), SPENT).violation
    assert "delta 1e-05 at epsilon 1 exceeds 0.000001" in text


def test_truths_and_responses_are_called_by_their_names():
    problem = om.question(om.categories(["red", "green"]), 1, delta="1e-3", loss="zero-one")
    text = om.certify([["9/10", "1/10"], ["1/10", "9/10"]], problem).violation
    assert "response red at truth red against truth green" in text


def test_other_definitions_are_told_their_own_delta():
    noise = om.kadam(om.residues(5, [1]), 1, "0.3")
    loose = np.full((5, 5), 0.1) + 0.5 * np.eye(5)
    text = om.certify(loose, noise).violation
    assert "privacy: delta 0.6 at epsilon 1 exceeds 0.3: response 0" in text
    problem, loose_problem = (
        om.question(om.count(2), 1, delta=delta, definition="per-outcome") for delta in ("0.01", "0.05")
    )
    text = om.certify(om.design(loose_problem), problem).violation
    assert re.search(r"delta 0\.0?[45]\S* at epsilon 1 exceeds 0\.01: response", text)


def test_digits_alone_are_said_to_be_no_more():
    certification = om.certify(OWN, PURE)
    assert certification.is_rounding
    assert "misses" not in certification.violation
    assert om.certify(np.full((3, 3), 1 / 3), PURE).is_rounding


@each("asked", [(5, 150), (2, 700), (30, 700), pytest.param((1_000, 2), marks=pytest.mark.long)], every=2)
def test_the_least_itself_is_no_share_above_the_least(asked):
    largest, epsilon = asked
    design = om.design(om.question(om.count(largest), epsilon))
    text = str(om.certify(design, design.problem))
    assert "inf" not in text
    assert "%" not in text
