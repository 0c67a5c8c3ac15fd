"""The engine of levels, against the program as a whole, both readers, and values from elsewhere."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import optmech as om
from optmech.designs.choice import choose
from optmech.designs.engines import levels
from optmech.designs.engines.engine import Request
from optmech.designs.levels.cuts import counting_cuts
from optmech.mechanisms.certificates.certificate_text import certificate_text
from optmech.models.solution import Status
from optmech.models.solvers.options import SolveOptions
from optmech.question.problems.kadam import kadam, kadam_least_delta
from tests.each import each
from tests.oracle import compare_with_program
from tests.readers import by_checker, by_package


def drawn(seed):
    """A question drawn at random: a small circle or torus, both ways or one, a given delta or the least."""
    dice = np.random.default_rng(seed)
    ways = bool(dice.random() < 0.6)
    if seed % 5 == 4:
        moduli = [(2, 3), (3, 3), (2, 4), (2, 2, 2)][dice.integers(4)]
        vectors = [vector for vector in np.ndindex(*moduli) if any(vector)]
        drawn = dice.choice(len(vectors), size=int(dice.integers(1, 3)), replace=False)
        query = om.vector(moduli, [vectors[each] for each in drawn], symmetric=ways)
    else:
        modulus = int(dice.integers(2, 12))
        number = int(dice.integers(1, min(modulus - 1, 3) + 1))
        distances = dice.choice(np.arange(1, modulus), size=number, replace=False)
        query = om.residues(modulus, sorted(distances.tolist()), symmetric=ways)
    epsilon = str(dice.choice(["0.1", "0.3", "0.5", "1", "1.5", "2", "3", "ln 2"]))
    if seed % 3 == 2:
        pure = om.design(kadam(query, epsilon)).objective
        return kadam_least_delta(query, epsilon, at_most=str(round(pure * dice.uniform(0.7, 0.99), 4)))
    return kadam(query, epsilon, str(dice.choice(["0.01", "0.03", "0.1", "0.2", "0.4"])))


@each("seed", range(500), every=42, slow_every=24)
def test_it_finds_what_the_program_finds(seed):
    assert compare_with_program(drawn(seed), "levels", gap=1e-9, doubles=1e-12, rel=1e-7, abs=1e-10)


KNOWN = [  # both sides proved elsewhere: modulus, distances, epsilon, delta, error rate
    (24, [1, 3], 1, "0.1", 0.704413426845290),
    (96, [1, 3], 1, "0.1", 0.704413426845290),
    (36, [1, 6], 1, "0.1", 0.729822037418982),
    pytest.param(40, [2, 3], "0.7", "0.05", 0.829812447533008, marks=pytest.mark.slow),
    pytest.param(64, [1, 3, 5, 6], "1.5", "0.1", 0.710745280091255, marks=pytest.mark.slow),
    pytest.param(100, [1, 10], 1, "0.1", 0.742187182757230, marks=pytest.mark.long),
    pytest.param(128, [1, 3, 5, 6], "1.5", "0.1", 0.710749887873270, marks=pytest.mark.long),
]


@each("modulus, distances, epsilon, delta, rate", KNOWN)
def test_it_proves_values_from_elsewhere(modulus, distances, epsilon, delta, rate):
    design = om.design(kadam(om.residues(modulus, distances), epsilon, delta))
    assert design.engine == "levels"
    assert design.objective == pytest.approx(rate, abs=1e-14)
    assert design.certificate.relative_gap < 1e-10


@pytest.mark.parametrize(("distances", "delta"), [([1], "0.001"), ([1, 2], "1e-12")])
def test_levels_and_deltas_smaller_than_a_solver_holds_are_left_out_of_its_program(distances, delta):
    problem = kadam(om.residues(30, distances), 6, delta)
    design = om.design(problem, engine="levels")
    assert design.certificate.relative_gap < 1e-7
    assert by_checker(certificate_text(design.certificate)) is None


def test_both_readers_accept_its_proof_and_refuse_one_of_other_privacy():
    text = certificate_text(om.design(kadam(om.residues(24, [1, 3]), 1, "0.1")).certificate)
    assert by_package(text) is None
    assert by_checker(text) is None
    forged = text.replace('"0.1"', '"0.09"', 1)
    assert forged != text
    assert by_package(forged)
    assert by_checker(forged)


def test_where_the_time_is_up_it_hands_over_noise_and_what_open_cases_prove():
    problem = kadam(om.residues(64, [1, 3, 5, 6]), "1.5", "0.1")
    result = levels.design(problem, Request(options=SolveOptions(time_limit=1e-9)))
    assert result.solution.status is Status.LIMIT
    assert 0.69 < result.certificate.bound < 0.710745280091255 < result.certificate.objective < 0.76


def test_the_same_question_has_the_same_answer():
    problem = kadam(om.residues(36, [1, 6]), 1, "0.1")
    one, other = (certificate_text(levels.design(problem).certificate) for _ in range(2))
    assert one == other


def test_a_value_that_nobody_may_know_better_is_told_with_probability_delta():
    design = om.design(kadam(om.residues(9, [1, 2, 3, 4]), "0.1", "0.4"))
    assert design.engine == "levels"
    assert design.objective == pytest.approx(0.6, abs=1e-15)
    assert design.certificate.relative_gap < 1e-12


def test_no_delta_is_needed_where_pure_noise_is_good_enough():
    problem = kadam_least_delta(om.residues(9, [1, 2]), 1, at_most="0.9")
    assert om.design(problem).objective == 0


@pytest.mark.parametrize("ratio", [0.21, 0.37, 0.6])
def test_cuts_hold_for_all_whole_points_and_some_point_is_on_each(ratio):
    for first, most in product((1, 2), (0.3, 0.8, 1.7)):
        cuts = counting_cuts(ratio, first, most, 9)
        assert cuts
        numbers = [range(int(most / ratio**level) + 1) for level in range(first, 4)]
        points = [
            point
            for point in product(*numbers)
            if sum(number * ratio ** (first + place) for place, number in enumerate(point)) <= most
        ]
        for cut in cuts:
            sums = [sum(number * cut.at(first + place) for place, number in enumerate(p)) for p in points]
            assert max(sums) == cut.most


@pytest.mark.parametrize(
    ("problem", "reason"),
    [
        (om.croft(om.count(4), 1), "modular noise"),
        (kadam(om.residues(5, [1]), 1), "pure privacy"),
        (kadam(om.residues(5, [1]), 1, "0.1", reading="printed"), "printed program"),
        (kadam(om.residues(5, [1]), 1, "0.1", cost="squared"), "error rate"),
        (kadam(om.residues(5, [1]), "0.01", "0.1"), "epsilon"),
    ],
)
def test_it_says_why_it_does_not_design(problem, reason):
    assert reason in levels.refusal(problem)
    assert "levels" not in choose(problem).order


def test_tops_far_away_cost_nothing_so_that_a_larger_circle_has_the_same_proof():
    small, large = (levels.design(kadam(om.residues(size, [1, 3]), 1, "0.1")) for size in (72, 90))
    assert small.certificate.bound == large.certificate.bound
    assert small.certificate.objective == large.certificate.objective
