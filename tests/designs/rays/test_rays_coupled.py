"""Rays with properties that couple rows: as good as the program, and proved."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import optmech as om
from optmech.designs.design import solved_design
from optmech.designs.engines import rays
from optmech.designs.rays import search as searching
from optmech.designs.rays.coupling import COMMON, Coupling, Ties
from optmech.designs.rays.private_rows import PrivateRows, RowRules
from optmech.designs.rays.search import search
from optmech.models.linear_model import Block, LinearModel
from optmech.models.solvers.options import SolveOptions
from optmech.models.solvers.warm import WarmHighs
from optmech.proofs.bound import NotAProofError, proved_bound
from optmech.proofs.enclosure import enclose_exponential
from optmech.question.properties import COLUMN_MONOTONE, ROW_MONOTONE, VARIANT_2
from optmech.rules import compile_rules
from tests.each import each

COMBINATIONS = [
    list(chosen)
    for size in range(1, 5)
    for chosen in itertools.combinations(sorted(VARIANT_2), size)
    if set(chosen) != {ROW_MONOTONE}
]
KINDS = ("plain", "far", "prior", "coarse", "fine", "beyond", "uneven", "all")


def question(number, kind, epsilon, loss, properties):
    rng = np.random.default_rng([number, len(kind), len(loss)])
    truths, responses, prior, neighbours = range(number), None, None, 2
    match kind:
        case "far":
            neighbours = 4
        case "prior":
            prior = rng.random(number)
            prior[number // 2] = 0
            prior /= prior.sum()
        case "coarse":
            responses = [(3 * k - 0.5, 3 * k + 2.5) for k in range((number + 2) // 3)]
        case "fine":
            responses = [k / 2 for k in range(-2, 2 * number + 1)]
        case "beyond":
            responses = list(range(-1, number + 2))
        case "uneven":
            truths = sorted(rng.choice(60, number, replace=False).tolist())
        case "all":
            neighbours = "all"
    query = om.Query(truths, responses, neighbours)
    return om.croft(query, epsilon, loss=loss, prior=prior, properties=properties)


SIZES = ((4, "3", "zero-one"), (6, "0.6", "squared"), (7, "0.05", "absolute"))


@each("sizes", ["one of them", pytest.param("all", marks=pytest.mark.slow)])
@each("properties", COMBINATIONS, every=36, slow_every=24)
@each("kind", KINDS)
def test_every_combination_is_as_good_as_the_program_and_proved(kind, properties, sizes):
    turn = (list(KINDS).index(kind) + list(COMBINATIONS).index(properties)) % 2  # the third takes longest
    for number, epsilon, loss in SIZES if sizes == "all" else SIZES[turn : turn + 1]:
        problem = question(number, kind, epsilon, loss, properties)
        design = om.design(problem, engine="rays")
        assert design.engine == "rays"
        assert design.objective == pytest.approx(solved_design(problem).objective, rel=1e-7)
        assert design.lower_bound_standing == "proved"
        assert design.certificate.relative_gap < 1e-8
        for expected in problem.properties:
            assert expected.gap(design.mechanism.matrix, problem.query) < 1e-12


@each("properties", COMBINATIONS, every=3)
def test_a_mixture_has_its_properties_before_anything_is_repaired(properties):
    problem = om.croft(om.mean(4, 2), "0.5", properties=properties)
    result = search(PrivateRows.of(problem), "auto", SolveOptions())
    assert result.matrix.sum(axis=0) == pytest.approx(1, abs=1e-12)
    for expected in properties:
        assert expected.gap(result.matrix, problem.query) < 1e-11


def test_multipliers_of_ties_that_are_tampered_with_prove_nothing_more():
    """The bound is the exact checker's: each multiplier counts, and none may be negative."""
    problem = om.croft(om.mean(3, 2), 1, properties=["column-monotone"])
    (leaf, *_) = rays.design(problem).leaves()
    factor = enclose_exponential(problem.privacy.epsilon, 200)
    whole = proved_bound(compile_rules(problem), leaf, factor)
    assert float(whole) == pytest.approx(solved_design(problem).objective, rel=1e-9)
    assert len(leaf.rules["order"].weights)
    without = type(leaf)(rules={"privacy": leaf.rules["privacy"]})
    assert proved_bound(compile_rules(problem), without, factor) < whole * 0.999
    leaf.rules["order"].weights[0] *= -1
    with pytest.raises(NotAProofError):
        proved_bound(compile_rules(problem), leaf, factor)


@pytest.mark.slow
def test_a_fair_mean_is_mixed_and_costs_what_the_program_says():
    problem = om.croft(om.mean(10, 4), "0.2", properties=["fair"])
    design = om.design(problem)
    assert design.engine == "rays"
    assert design.objective == pytest.approx(om.design(problem, engine="program").objective, rel=1e-9)
    assert design.certificate.relative_gap < 1e-9


def test_halving_needs_homes_that_are_mirrored():
    shared = om.Query(range(4), [(0, 2), (2, 3), (3, 3)], 1)  # truths on common ends are in the upper one
    for properties in ([], ["fair"], ["column-monotone"]):
        whole = om.croft(om.count(5), 1, properties=properties)
        assert PrivateRows.of(whole).mirrored
    skewed = om.croft(shared, 1, properties=["fair"])
    assert not PrivateRows.of(skewed).mirrored
    even = om.Query(range(5), [(0, 2), (2, 4)], 1)
    assert PrivateRows.of(om.croft(even, 1)).mirrored
    assert not PrivateRows.of(om.croft(even, 1, properties=["fair"])).mirrored


def test_symmetry_makes_a_question_its_own_mirror_image():
    problem = om.croft(om.count(2), 1, prior=[0.5, 0.3, 0.2], properties=["symmetric"])
    rows = PrivateRows.of(problem)
    assert rows.mirrored
    assert np.array_equal(rows.costs, rows.costs[::-1, ::-1])


def test_rules_with_their_images_are_the_stricter_ones():
    order = np.array([1, 2]), np.array([0, 1])
    rules = RowRules(order, np.array([[0, 1], [1, 0]]))
    assert not rules.are_mirrored(3)
    both = rules.with_images(3)
    assert both.are_mirrored(3)
    assert [ends.tolist() for ends in both.order] == [[2, 3], [0, 1]]


def test_ties_say_of_a_matrix_what_the_properties_say():
    problem = om.croft(om.count(3), 1, properties=["fair", "column-monotone"])
    coupling = Coupling.of(problem, mirrored=False)
    rng = np.random.default_rng(3)
    matrix = rng.random((4, 4))
    ties = Ties.ordered(coupling, np.ones(len(coupling.ordered), dtype=bool), matrix)
    gap = (ties.table @ matrix.ravel() / ties.scale).max()
    assert gap == pytest.approx(COLUMN_MONOTONE.gap(matrix, problem.query), rel=1e-12)
    assert coupling.violations(matrix).sum() == (ties.table @ matrix.ravel() > 0).sum()
    assert (coupling.fair[:, 1] == COMMON).all()
    assert (Ties.fair(coupling).table @ matrix.ravel()).tolist() == np.diag(matrix).tolist()


def test_one_tie_stands_for_its_mirror_image():
    problem = om.croft(om.count(3), 1, properties=["fair", "column-monotone"])
    halves, whole = (Coupling.of(problem, mirrored=mirrored) for mirrored in (True, False))
    assert len(halves.fair) == len(whole.fair) // 2
    assert len(halves.ordered) == len(whole.ordered) // 2


def test_a_search_that_is_lost_leaves_the_word_to_the_program(monkeypatch):
    """On a grid that forces entries of one row to be equal, in doubles too few rays are found."""
    responses = [(2 * k, 2 * k + 2) for k in range(5)]
    query = om.Query(range(10), responses, 1)
    problem = om.croft(query, 3, loss="squared", properties=["row-monotone"])
    monkeypatch.setattr(searching, "_PATIENCE", 3)
    design = om.design(problem)
    assert design.objective == pytest.approx(solved_design(problem).objective, rel=1e-7)
    assert design.certificate.relative_gap < 1e-6


def test_cbc_mixes_fair_rows_as_well():
    problem = om.croft(om.mean(2, 2), 1, properties=["fair"])
    design = om.design(problem, engine="rays", solver="cbc")
    assert design.solution.solver.startswith("cbc")
    assert design.objective == pytest.approx(solved_design(problem).objective, rel=1e-6)


def test_a_program_grows_by_rows_and_columns_at_once():
    def program(cost, matrix, upper):
        rows, columns = np.shape(matrix)
        return LinearModel(
            name="grows",
            columns=(Block(name="x", indices=np.arange(columns)[:, None]),),
            rows=(Block(name="row", indices=np.arange(rows)[:, None]),),
            cost=cost,
            offset=0.0,
            matrix=np.array(matrix, dtype=float),
            row_lower=np.full(rows, -np.inf),
            row_upper=upper,
            column_lower=np.zeros(columns),
            column_upper=np.full(columns, np.inf),
            integer=np.zeros(columns, dtype=bool),
        )

    growing = WarmHighs(SolveOptions())
    assert growing.solve(program([-1], [[1]], [4])).objective == pytest.approx(-4)
    # x + y <= 4, x <= 1, y <= 2: the best of x + 3 y is 1 + 6
    grown = program([-1, -3], [[1, 1], [1, 0], [0, 1]], [4, 1, 2])
    assert growing.solve(grown).objective == pytest.approx(-7)
