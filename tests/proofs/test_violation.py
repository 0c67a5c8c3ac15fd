"""Each rule that a matrix breaks is reported in a sentence, down to one unit in forty digits."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import lcm

import numpy as np
import pytest

import optmech as om
from optmech.proofs.enclosure import Enclosure
from optmech.proofs.matrix import ExactMatrix
from optmech.proofs.privacy import first_excess
from optmech.proofs.violation import objective_of, violation
from optmech.question.losses import ExpectedLoss
from optmech.rules import compile_rules, mismatch
from tests.each import each
from tests.proofs.by_hand import factor_of

HUGE = 10**40


def breach(problem, matrix, factor):
    return violation(compile_rules(problem), matrix, factor)


def changed(certificate, moves):
    """Return the certified matrix with units moved: (from row, to row, column, units)."""
    lines = [list(row) for row in certificate.matrix.numerators.tolist()]
    for low, high, column, units in moves:
        lines[low][column] -= units
        lines[high][column] += units
    return ExactMatrix(numerators=lines, denominator=certificate.matrix.denominator)


@pytest.mark.parametrize(
    ("expected", "moves", "words"),
    [
        # In a 4 x 4 count the home of truth f is response f; one unit is 2**-120.
        ("fair", [(0, 1, 0, 1)], "fair"),  # Croft et al. 2020, (15)
        ("symmetric", [(0, 1, 0, 1)], "symmetric"),  # (14)
        ("column-monotone", [(1, 3, 0, "all")], "column-monotone"),  # (10), (11)
        ("row-monotone", [(3, 0, 3, "all")], "row-monotone"),  # (12), (13)
    ],
)
def test_a_broken_property_is_named(expected, moves, words):
    certificate = om.design(om.croft(om.count(3), 1, properties=[expected])).certificate
    lines = certificate.matrix.numerators.tolist()
    moves = [(low, high, f, lines[low][f] if units == "all" else units) for low, high, f, units in moves]
    loose = replace(certificate.problem, privacy=om.croft(om.count(3), 700).privacy)
    matrix = changed(certificate, moves)
    assert breach(certificate.problem, certificate.matrix, certificate.factor) is None
    assert words in breach(loose, matrix, factor_of(loose))


def test_one_unit_too_much_between_neighbours_is_named_with_its_place():
    """(3/4, 1/4) against (1/4, 3/4) at ln 3 is kept to the last digit; one unit more is not."""
    problem = om.croft(om.count(1), "ln 3")
    good = ExactMatrix(numerators=[[3 * HUGE, HUGE], [HUGE, 3 * HUGE]], denominator=4 * HUGE)
    bad = ExactMatrix(numerators=[[3 * HUGE + 1, HUGE], [HUGE - 1, 3 * HUGE]], denominator=4 * HUGE)
    assert breach(problem, good, factor_of(problem)) is None
    assert "matrix[0, 0]" in breach(problem, bad, factor_of(problem))
    assert "e^epsilon times" in breach(problem, bad, factor_of(problem))


def test_another_shape_is_no_mechanism_of_the_question():
    problem = om.croft(om.count(2), 1)
    matrix = ExactMatrix(numerators=[[1, 1], [1, 1]], denominator=2)
    assert "shape (2, 2)" in breach(problem, matrix, factor_of(problem))


@each(
    ("problem", "moves", "words"),
    [
        (om.sadeghi(1, "0.5", 2, counts=(1, 3)), [(5, 0, 2, 0), (4, 5, 2, 1)], "mean error"),
        (om.sadeghi(1, "0.5", 2, counts=(1, 3)), [(1, 2, 0, 1)], "probability 0.5"),
        (om.sadeghi(1, "0.5", 2, counts=(1, 3)), [(1, 5, 0, 1)], "beyond 2"),
        (om.sadeghi_symmetric(1, "0.5", 2), [(0, 1, 0, 1), (4, 3, 0, 1)], "differs"),
        (om.kadam(om.residues(4, [1]), 1, "0.2"), [(0, 1, 0, 1)], "turns of one"),
    ],
)
def test_broken_noise_is_named(problem, moves, words):
    certificate = om.design(problem).certificate
    assert words in breach(problem, changed(certificate, moves), certificate.factor)


def test_one_unit_more_than_delta_is_too_much():
    """Noise (5, 2, 1, 2) over 10 at ln 2, distance 1: 5 > 2 * 2 leaks 1/2; 2 > 2 * 1 does not."""
    noise = [5 * HUGE, 2 * HUGE, HUGE, 2 * HUGE]
    for delta, kept in (("0.5", True), (Fraction(1, 2) - Fraction(1, 10**50), False)):
        problem = om.kadam(om.residues(4, [1]), "ln 2", delta)
        lines = [[noise[(r - f) % 4] for f in range(4)] for r in range(4)]
        matrix = ExactMatrix(numerators=lines, denominator=10 * HUGE)
        result = breach(problem, matrix, factor_of(problem))
        assert (result is None) is kept
        assert kept or "more than" in result


def test_a_cost_bound_is_held_exactly():
    """The error rate of (5, 2, 1, 2) / 10 is 1/2."""
    lines = [[[5, 2, 1, 2][(r - f) % 4] for f in range(4)] for r in range(4)]
    matrix = ExactMatrix(numerators=lines, denominator=10)
    for bound, kept in (("0.5", True), ("0.4999999999999999999", False)):
        problem = om.kadam_least_delta(om.residues(4, [1]), "ln 2", at_most=bound)
        result = breach(problem, matrix, factor_of(problem))
        assert (result is None) is kept
        assert kept or "expected cost exceeds" in result
    assert objective_of(compile_rules(problem), matrix, factor_of(problem)) == Fraction(1, 2)


def test_a_structure_that_does_not_fit_its_query_keeps_nothing():
    """Symmetric noise is looked at in its first two counts: too little where neighbours are two apart."""
    problem = om.sadeghi_symmetric(1, "0.5", 2)
    certificate = om.design(problem).certificate
    query = problem.query
    points = [part.lower for part in query.responses]
    for wrong in (
        om.Query(query.truths, points, 2),
        om.Query(query.truths, points, 1, symmetric=False),
        om.Query([truth + Fraction(1, 2) for truth in query.truths], points, 1),
        om.Query([2 * truth for truth in query.truths], points, 1),
        om.Query(query.truths, points, [(0, f) for f in range(1, query.num_truths)]),
    ):
        assert "noise within 2" in breach(
            replace(problem, query=wrong), certificate.matrix, certificate.factor
        )
    early = om.Query(
        range(1, 4), range(6), 1
    )  # zero-bias noise within 2 fits from 1 on, symmetric noise from 2
    assert "noise within 2" in mismatch(replace(problem, query=early))
    zero_bias = om.sadeghi(1, "0.5", 2, counts=(1, 3))
    assert mismatch(replace(zero_bias, query=early)) is None
    assert "noise within 2" in mismatch(replace(zero_bias, query=om.Query(range(3), range(5), 1)))
    circular = om.kadam(om.residues(4, [1]), 1, "0.2")
    certificate = om.design(circular).certificate
    line = replace(circular, query=om.Query(range(4), neighbours=1))
    assert "same neighbours" in breach(line, certificate.matrix, certificate.factor)
    lost = replace(circular, objective=om.croft(om.count(2), 1).objective)
    assert "the loss must have shape (4, 4)" in breach(lost, certificate.matrix, certificate.factor)
    loss, weights = circular.objective.loss, circular.objective.weights
    for other in (ExpectedLoss(loss[1:], weights), ExpectedLoss(loss, weights[1:])):
        assert "shape (4, 4), and a weight for each truth" in mismatch(replace(circular, objective=other))


@each(
    ("problem", "weight", "delta"),
    [
        (om.croft(om.count(1), 1), 1, 0),
        (om.question(om.Query(range(2), neighbours=[(0, 1, 2)]), 1), 2, 0),
        (om.question(om.count(1), 1, delta="1/10"), 1, Fraction(1, 10)),
        (om.question(om.count(1), 1, delta="1/10", definition="per-outcome"), 1, Fraction(1, 10)),
        (om.kadam(om.residues(2, [1]), 1, "1/10"), 1, 0),
    ],
)
def test_what_only_the_upper_end_of_the_factor_allows_is_not_proved_private(problem, weight, delta):
    """Any number between the ends may be e^epsilon: what is kept must be kept with the lower one."""
    for factor, kept in ((Fraction(2), True), (Fraction(5, 2), False), (Fraction(3), False)):
        # Two probabilities that sum to one, the larger as large as the other times the factor and delta.
        large, small = factor**weight + delta, 1 - delta
        parts = [part / (large + small) for part in (large, small)]
        whole = lcm(*(part.denominator for part in parts))
        one, other = (int(part * whole) for part in parts)
        matrix = ExactMatrix(numerators=[[one, other], [other, one]], denominator=whole)
        assert (breach(problem, matrix, Enclosure(Fraction(2), Fraction(3))) is None) is kept


def test_gaps_of_numbers_beyond_all_doubles_are_still_seen():
    """Two entries of 400 digits that differ by one are not fair."""
    problem = om.croft(om.count(1), 700, properties=["fair"])
    big = 10**400
    for more, kept in ((0, True), (1, False)):
        lines = [[big + more, big], [big - more, big]]
        result = breach(
            problem, ExactMatrix(numerators=lines, denominator=2 * big), Enclosure(Fraction(2), 3)
        )
        assert (result is None) is kept


def test_a_program_that_a_paper_prints_fits_no_certificate():
    for problem, program in (
        (om.kadam(om.residues(4, [1]), 1, "0.1", reading="printed"), "Definition 2"),
        (om.sadeghi_symmetric(1, "0.5", 2, rows="paper"), "of the definition"),
    ):
        assert program in mismatch(problem)
        assert mismatch(problem.by_definition) is None


def test_the_place_that_is_named_is_the_one_that_breaks():
    entries = [[3, 3, 3], [2, 2, 2], [1, 9, 1], [9, 1, 9]]
    matrix = ExactMatrix(numerators=np.array(entries, dtype=object), denominator=15)
    problem = om.croft(om.Query(range(3), range(4), neighbours="all"), "ln 4")
    rules = compile_rules(problem)
    assert first_excess(rules, matrix, Fraction(4)) == (2, 1, 0)
    assert "matrix[2, 1] = 9 exceeds" in violation(rules, matrix, Enclosure(Fraction(4), Fraction(4)))


def test_limits_hold_where_responses_are_fewer_than_truths():
    query = om.Query(range(3), [(0, 2), (2, 3)], neighbours=1)
    certificate = om.design(om.question(query, 1, properties=["accuracy >= 0.6"])).certificate
    assert certificate.relative_gap < 1e-9
    assert min(certificate.matrix.nearest()[query.home, range(3)]) >= 0.6
