"""The engine of interior points, against the program as a whole, both readers, and values from elsewhere."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

import optmech as om
from optmech.designs.choice import choose
from optmech.designs.engines import interior
from optmech.designs.engines.engine import Request
from optmech.designs.interior.mixture import matrix_of, with_ratios_kept, with_room
from optmech.designs.interior.multipliers import leaf_of
from optmech.designs.interior.point import Equations
from optmech.designs.interior.row_program import RowProgram
from optmech.designs.interior.search import bound_of, loss_of, search
from optmech.mechanisms.certificates.certificate_text import certificate_text
from optmech.models.formulations.reduced import least_ratios_of
from optmech.models.solution import Status
from optmech.proofs.bound import proved_bound
from optmech.proofs.enclosure import enclosures_of
from optmech.rules import compile_rules
from tests.each import each
from tests.oracle import compare_with_program, need_both_readers
from tests.readers import by_checker, by_package


def drawn(seed):
    """A question drawn at random: a mean, a count, a total or a weighted graph, with one privacy or two."""
    dice = np.random.default_rng(seed)
    number = int(dice.integers(3, 8))
    kind = seed % 4
    if kind == 0:
        query = om.mean(int(dice.integers(2, 5)), int(dice.integers(1, 4)))
    elif kind == 1:
        query = om.count(number)
    elif kind == 2:
        query = om.total(2, 3)
    else:
        edges = [(node, int(dice.integers(0, node)), int(dice.integers(1, 4))) for node in range(1, number)]
        query = om.graph(edges)
    shape = query.num_responses, query.num_truths
    loss = dice.choice(["absolute", "squared", "zero-one"]) if kind != 3 else dice.random(shape).round(3)
    delta = str(dice.choice(["0", "1e-6", "0.01", "0.1"]))
    epsilon = str(dice.choice(["0.2", "0.5", "1", "2", "3"]))
    privacy = [(epsilon, delta)] if dice.random() < 0.7 else [(epsilon, "0.05"), ("3.5", delta)]
    weights = dice.random(query.num_truths)
    average = {"prior": (weights / weights.sum()).tolist() if dice.random() < 0.5 else "uniform"}
    about = {"worst_case": True} if dice.random() < 0.5 else average
    return om.question(query, privacy=privacy, loss=loss, **about)


@each("seed", range(200), every=20, slow_every=8)
def test_it_finds_what_the_program_finds(seed):
    assert compare_with_program(drawn(seed), "interior", gap=1e-6)


@each("seed", range(8), every=3)
def test_both_readers_accept_its_certificates(seed):
    need_both_readers(drawn(seed), "interior")


@each("seed", range(40), every=4)
def test_whatever_the_point_its_bound_is_proved(seed):
    """Multipliers drawn at random prove a bound as those of an optimum do: no step is trusted."""
    problem = drawn(seed)
    program = RowProgram.of(problem)
    equations = Equations(program)
    dice = np.random.default_rng(seed)
    rules, factor = compile_rules(problem), enclosures_of(problem, 240)
    for size in (0.01, 1.0):
        point = {
            name: size * dice.exponential(1.0, values.shape) for name, values in equations.first().items()
        }
        proof = bound_of(equations, point)
        leaf = leaf_of(program, proof, rules)
        proved = float(proved_bound(rules, leaf, factor))
        assert proved >= (proof.bound - 1e-9 * abs(proof.bound)) * program.unit


def test_a_mirrored_program_has_the_optimum_of_the_whole():
    problem = om.question(om.mean(3, 2), "0.5", delta="1e-3", worst_case=True)
    program = RowProgram.of(problem)
    assert program.mirrored
    assert len(program.rows) == 4  # of seven responses
    loss = om.loss_matrix("absolute", problem.query).copy()
    loss[0, 1] += 1e-13  # its image is another
    whole = RowProgram.of(om.question(om.mean(3, 2), "0.5", delta="1e-3", loss=loss, worst_case=True))
    assert not whole.mirrored
    found = [search(each_one, lambda: False).objective * each_one.unit for each_one in (program, whole)]
    assert found[0] == pytest.approx(found[1], rel=1e-8)


def grid(side, at, of):
    """Edges from each node of a grid to those around it, weighted `at` the sides and `of` the corners."""
    nodes = list(product(range(side), repeat=2))
    steps = ((0, 1, at), (1, 0, at), (1, 1, of), (1, -1, of))
    ends = [((i, j), (i + down, j + right), weight) for i, j in nodes for down, right, weight in steps]
    return [(nodes.index(one), nodes.index(other), weight) for one, other, weight in ends if other in nodes]


def euclid(side):
    """Distances between the nodes of a grid, rounded to a thousandth."""
    at = np.array(list(product(range(side), repeat=2)))
    return np.rint(1000 * np.hypot(*(at[:, None] - at).transpose(2, 0, 1)))


@each("seed", range(60), every=12, slow_every=6)
def test_of_graphs_in_many_blocks_it_finds_what_the_program_finds(seed):
    dice = np.random.default_rng(seed)
    if seed % 3:
        edges = [(node, int(dice.integers(max(node - 6, 0), node)), 1) for node in range(1, 40)]
        edges += [(*dice.choice(40, 2, replace=False).tolist(), 2) for _ in range(3 * (seed % 4))]
    else:
        edges = grid(6, 1, int(dice.integers(1, 3)))
    edges += [(right, left, weight) for left, right, weight in edges]
    number = max(max(edge) for edge in edges) + 1
    at = np.sort(dice.choice(number, 4, replace=False)).tolist()
    query = om.Query(range(number), responses=at, neighbours=edges)
    loss = dice.random((4, number)).round(3)
    about = {"epsilon": "0.5", "delta": ("0", "1e-3")[seed % 2], "worst_case": bool(dice.random() < 0.5)}
    problem = om.question(query, loss=loss, **about)
    assert len(RowProgram.of(problem).dissection.blocks) > 3
    assert compare_with_program(problem, "interior", gap=1e-6)


@pytest.mark.parametrize(
    ("side", "epsilon", "value"), [(5, "0.1", 1609.9959637158), (8, "0.05", 2746.644413617)]
)
def test_values_of_grids_from_elsewhere_are_found(side, epsilon, value):
    """Found by a prototype of other hands, both sides proved in exact arithmetic."""
    query = om.Query(
        range(side**2), neighbours=grid(side, 5, 7) + [(g, f, w) for f, g, w in grid(side, 5, 7)]
    )
    answer = search(RowProgram.of(om.question(query, epsilon, loss=euclid(side))), lambda: False)
    unit = RowProgram.of(om.question(query, epsilon, loss=euclid(side))).unit
    assert answer.objective * unit == pytest.approx(value, rel=1e-8)
    assert answer.proof.bound * unit == pytest.approx(value, rel=1e-8)


def test_truths_of_a_graph_stand_in_an_order_of_their_own():
    nodes = np.random.default_rng(1).permutation(30).tolist()
    program = RowProgram.of(om.question(om.graph(pairwise(nodes)), 1, loss="zero-one"))
    assert max(len(block.behind) for block in program.dissection.blocks) == 2
    entries = np.arange(30.0 * len(program.rows)).reshape(30, -1)
    assert (program.unfolded(entries)[: len(program.rows), program.order] == entries.T).all()


def test_room_is_made_for_a_delta_that_is_overspent():
    problem = om.question(om.mean(3, 2), "0.5", delta="1e-3")
    program = RowProgram.of(problem)
    entries = np.random.default_rng(3).random((7, len(program.rows)))
    matrix = with_room(program, matrix_of(program, entries, never=0.0))
    assert matrix.sum(axis=0) == pytest.approx(np.ones(7))
    pairs, factor = problem.query.pairs, np.exp(0.5)
    spent = np.maximum(matrix[:, pairs[:, 0]] - factor * matrix[:, pairs[:, 1]], 0).sum(axis=0)
    assert 0.9e-3 < spent.max() < 1e-3


def test_ratios_without_a_delta_are_kept_whatever_the_entries():
    problem = om.question(om.mean(3, 2), privacy=[("0.5", "0"), ("0.2", "0.1")])
    program = RowProgram.of(problem)
    entries = np.random.default_rng(3).random((7, len(program.rows)))
    matrix = with_room(program, with_ratios_kept(program, matrix_of(program, entries, never=0.0)))
    assert matrix.sum(axis=0) == pytest.approx(np.ones(7))
    left, right = matrix[:, problem.query.pairs].transpose(2, 0, 1)
    assert (left - np.exp(0.5) * right).max() <= 1e-15
    assert np.maximum(left - np.exp(0.2) * right, 0).sum(axis=0).max() < 0.1


def test_a_search_that_ends_early_has_a_private_matrix_far_better_than_none():
    steps = iter(range(7))
    program = RowProgram.of(om.question(om.mean(6, 2), "0.5", delta="1e-6"))
    answer = search(program, lambda: next(steps) == 6)
    assert answer.steps == 6
    ignored = np.full_like(answer.matrix, 1 / len(answer.matrix))
    assert answer.objective < (answer.proof.bound + loss_of(program, ignored)) / 2
    assert answer.objective == pytest.approx(loss_of(program, answer.matrix))


@each(
    ("question", "says"),
    [
        ({"properties": ["column-honest"]}, "not next to each other"),
        ({"properties": ["without 0 0.5", "within 0"]}, "nothing is left"),
        ({"delta": None, "least": "delta"}, "a loss to be least"),
        ({"definition": "per-outcome", "delta": "0.01"}, "sets of responses"),
        ({"epsilon": 13}, "protects nobody"),
    ],
)
def test_it_says_what_it_does_not_know(question, says):
    problem = om.question(om.mean(2, 2), **{"epsilon": 1, **question})
    with pytest.raises((om.ProblemError, om.NotAcceptedError), match=says):
        om.design(problem, engine="interior")


def test_a_question_whose_prices_fill_the_memory_is_refused():
    assert "memory" in interior.refusal(om.question(om.mean(300, 4), 1, delta="1e-3"))


def test_it_is_asked_before_a_program_of_many_ratios_and_after_one_of_few():
    few, many = (om.question(om.mean(number, 4), "0.5", delta="1e-6") for number in (3, 10))
    assert choose(few).order == ("program", "interior")
    assert "a program of few ratios is as quick" in choose(few).reasons["interior"]
    assert choose(many).order == ("interior", "program")
    assert choose(om.question(om.mean(10, 4), "0.5")).order == ("rays", "interior", "program")


def test_it_is_asked_after_the_reduced_program_of_variant_2():
    for query in (om.mean(20, 4), om.mean(40, 4), om.count(299)):
        long = om.croft(query, 1, variant=2)
        choice = choose(long)
        assert choice.order[0] == "program"
        assert "one program quicker" in choice.reasons["interior"] or least_ratios_of(long) < 5_000


def test_without_time_the_search_ends_with_what_it_has():
    problem = om.question(om.mean(3, 2), "0.5", delta="1e-3")
    answer = search(RowProgram.of(problem), lambda: True)
    assert answer.steps == 0
    assert answer.matrix == pytest.approx(1 / 7)
    result = interior.design(problem, Request(options=om.SolveOptions(time_limit=1e-9)))
    assert result.solution.status is Status.LIMIT


VALUES = {  # of a prototype by other hands, both sides proved in exact arithmetic to 1e-8
    "mean of 20, average": (om.question(om.mean(20, 4), "0.5", delta="1e-6"), 0.338769063565),
    "mean of 20, worst": (om.question(om.mean(20, 4), "0.5", delta="1e-6", worst_case=True), 0.350995197832),
    "mean of 20, pure, worst": (om.question(om.mean(20, 4), "0.5", worst_case=True), 0.351000155789),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", VALUES)
def test_the_values_of_a_prototype_are_found(name):
    problem, value = VALUES[name]
    design = om.design(problem, engine="interior")
    assert design.certificate.relative_gap < 1e-7
    assert design.objective == pytest.approx(value, rel=1e-8)


@pytest.mark.long
def test_of_1849_nodes_with_20_responses_both_readers_accept_the_proof():
    side = 43
    edges = grid(side, 5, 7)
    at = np.sort(np.random.default_rng(1).choice(side**2, 20, replace=False))
    query = om.Query(range(side**2), at.tolist(), neighbours=edges + [(g, f, w) for f, g, w in edges])
    design = om.design(om.question(query, "0.1", loss=euclid(side)[at]))
    assert design.engine == "interior"
    assert design.certificate.relative_gap < 1e-8
    text = certificate_text(design.certificate)
    assert by_package(text) is None
    assert by_checker(text) is None
