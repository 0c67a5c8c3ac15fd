"""Further demands in the engine of interior points: the optimum of the program, and its proof."""

from __future__ import annotations

import numpy as np
import pytest

import optmech as om
from optmech.designs.engines import interior
from optmech.designs.forced_zeros import forced_zeros
from optmech.designs.interior.demands import Demands
from optmech.designs.interior.multipliers import leaves_of
from optmech.designs.interior.point import Equations
from optmech.designs.interior.row_program import RowProgram
from optmech.designs.interior.search import bound_of, search
from optmech.proofs.bound import proved_bound
from optmech.proofs.enclosure import enclosures_of
from optmech.rules import compile_rules
from tests.each import each
from tests.oracle import compare_with_program, found, need_both_readers

WORDS = ("fair", "column-monotone", "row-monotone", "row-honest", "weakly-honest", "unbiased", "symmetric")


def drawn(seed):
    """A question drawn at random, with some further demands of each kind."""
    dice = np.random.default_rng([31, seed])
    number = int(dice.integers(2, 6))
    query = [
        lambda: om.mean(int(dice.integers(2, 4)), int(dice.integers(1, 4))),
        lambda: om.count(number + 1),
        lambda: om.total(2, 3),
        lambda: om.Query(  # responses on both sides of the truths
            range(2, number + 2),
            responses=range(number + 4),
            neighbours=[(k, k + 1, 1 + k % 2) for k in range(number - 1)],
        ),
    ][seed % 4]()
    asked = {
        "privacy": [(str(dice.choice(["0.3", "0.5", "1", "2"])), str(dice.choice(["0", "1e-3", "0.05"])))],
        "worst_case": bool(dice.random() < 0.4),
    }
    least = om.design(om.question(query, **asked, loss="squared"), engine="program").objective
    asked["loss"] = str(dice.choice(["absolute", "squared", "zero-one"]))
    if not asked["worst_case"] and dice.random() < 0.4:
        weights = dice.random(query.num_truths)
        asked["prior"] = (weights / weights.sum()).tolist()
    kind = seed // 4 % 8
    words = list(map(str, dice.choice(WORDS[: 7 - (seed % 4 == 3)], 1 + (kind > 5), replace=False)))
    demands = {"properties": words if kind > 3 or dice.random() < 0.3 else []}
    if kind < 2:
        demands["bounds"] = [f"{'worst' if asked['worst_case'] else 'mean'} squared <= {1.2 * least:.4f}"]
    elif kind == 2:
        demands["properties"].append(f"accuracy {dice.choice(['>=', '='])} {1.5 / query.num_responses:.4f}")
    elif kind == 3:
        last = (query.num_responses - 1, query.num_truths - 1)
        demands["rules"] = [
            om.LinearRule("alike", {(0, 0): 1, last: -1}, "=", 0),
            om.LinearRule("some", {(0, 0): 2, (1, 0): 3, (1, 1): 1}, ">=", "0.8"),
        ]
    return om.question(query, **asked, **demands)


def is_refused(problem):
    """Whether the program of the question says that nothing is left to design."""
    try:
        interior.program_of(problem)
    except om.NotAcceptedError:
        return True
    return False


@each("seed", range(500), every=150, slow_every=24)
def test_it_finds_what_the_program_finds(seed):
    problem = drawn(seed)
    if is_refused(problem):
        pytest.skip("an end of the answers cannot be right on average")
    compare_with_program(problem, "interior", gap=1e-6, rel=1e-7)


def with_zeros(seed):
    """A question drawn at random of which some answers are never released, or at some truths only."""
    dice = np.random.default_rng([7, seed])
    number, delta = int(dice.integers(3, 8)), str(dice.choice(["0.1", "0.3", "0.5"]))
    query = [
        lambda: om.count(number),
        lambda: om.mean(int(dice.integers(2, 4)), int(dice.integers(1, 4))),
        lambda: om.Query(
            range(2, number + 2),
            responses=range(number + 4),
            neighbours=[(k, k + 1) for k in range(number - 1)],
        ),
        lambda: om.total(2, 3),
    ][seed % 4]()
    never = f"without {query.responses[int(dice.integers(0, query.num_responses))].midpoint}"
    kind = int(dice.integers(0, 4))
    properties = [[f"within {dice.integers(1, 4)}"], [never], ["zero-stays-zero"], [never, "within 4"]][kind]
    properties = ["within 3"] if kind == 2 and seed % 4 == 2 else properties
    if dice.random() < 0.4:
        properties.append(str(dice.choice([*WORDS[1:3], *WORDS[4:]])))
    return om.question(
        query,
        privacy=[(str(dice.choice(["0.5", "1", "2"])), "0" if kind == 1 and number % 2 else delta)],
        loss=str(dice.choice(["absolute", "squared", "zero-one"])),
        worst_case=bool(dice.random() < 0.4),
        properties=properties,
        rules=[om.LinearRule("never", {(1, 0): 1}, "=", 0)] if dice.random() < 0.2 else [],
    )


@each("seed", range(160), every=80, slow_every=16)
def test_entries_that_are_zero_are_taken_out(seed):
    problem = with_zeros(seed)
    whole = found(problem, "program", raw=True)
    if is_refused(problem):
        assert whole is None
        pytest.skip("nothing is left to release at some truth")
    answer = interior.design(problem).answer
    assert (answer is None) == (whole is None)
    if answer is None or whole is None:
        pytest.skip("demands clash")
    assert answer.objective == pytest.approx(whole.objective, rel=1e-7, abs=1e-9)
    assert answer.bound == pytest.approx(whole.objective, rel=1e-7, abs=1e-9)
    ours = found(problem, "interior")
    if ours is not None:  # a delta that every mechanism spends leaves no room for rounding
        assert ours.certificate.relative_gap < 1e-6
        assert ours.lower_bound <= whole.objective + 1e-9


@each("seed", range(24), every=12, slow_every=3)
def test_orders_and_sums_on_graphs_in_many_blocks_are_kept(seed):
    """Orders within a row compare entries of truths that are no neighbours, in each row others."""
    dice = np.random.default_rng([5, seed])
    number = 16
    edges = [(node, int(dice.integers(max(node - 5, 0), node)), 1) for node in range(1, number)]
    edges += [(right, left, weight) for left, right, weight in edges]
    query = om.Query(range(number), neighbours=edges)
    problem = om.question(
        query,
        "0.7",
        delta=("0", "1e-2")[seed // 3 % 2],
        loss=dice.random((number, number)).round(3),
        worst_case=bool(dice.random() < 0.5),
        properties=[("row-monotone", "row-honest", "fair")[seed % 3]],
        rules=[om.LinearRule("some", {(0, 1): 2, (3, 15): 1, (3, 4): 1}, ">=", "0.3")],
    )
    if compare_with_program(problem, "interior", gap=1e-6) is not None:
        assert len(RowProgram.of(problem).dissection.blocks) > 1


@each("seed", (1, 9, 13, 18, 23, 30, 43, 49), every=3)
def test_both_readers_accept_its_certificates(seed):
    need_both_readers(drawn(seed), "interior")


@each("seed", range(40), every=8)
def test_whatever_the_point_its_bound_is_proved(seed):
    """Prices drawn at random prove one, as those of an optimum do: no step of the search is trusted."""
    problem = drawn(seed)
    if is_refused(problem):
        pytest.skip("an end of the answers cannot be right on average")
    program, dice = RowProgram.of(problem), np.random.default_rng(seed)
    equations, rules = Equations(program), compile_rules(problem)
    factor = enclosures_of(problem, 240)
    point = {name: 0.1 * dice.exponential(1.0, values.shape) for name, values in equations.first().items()}
    point["w"] *= dice.choice([1.0, -1.0], len(point["w"]))
    proof = bound_of(equations, point)
    proved = max(float(proved_bound(rules, leaf, factor)) for leaf in leaves_of(program, proof, rules))
    assert proved >= (proof.bound - 1e-9 * abs(proof.bound)) * program.unit


@each(
    ("properties", "mirrored"),
    [
        (["fair", "column-monotone"], True),
        (["unbiased"], True),
        (["symmetric"], True),
        (["accuracy >= 0.3"], True),
        (["within 1"], True),
        (["without 1"], False),
    ],
)
def test_a_half_of_the_rows_stands_for_all_where_demands_are_their_own_images(properties, mirrored):
    query = om.Query(range(1, 4), responses=range(5), neighbours=[(0, 1), (1, 2)])
    assert RowProgram.of(om.question(query, 1, properties=properties)).mirrored == mirrored


def test_a_tie_between_an_entry_and_its_image_needs_no_price():
    plain, tied = (RowProgram.of(om.question(om.count(5), 1, properties=own)) for own in ([], ["symmetric"]))
    assert tied.num_prices == plain.num_prices


def test_a_demand_that_is_broken_is_measured():
    problem = om.question(om.count(2), 1, properties=["fair", "column-monotone", "accuracy >= 0.5"])
    demands = Demands.of(forced_zeros(problem))
    assert demands.violation(np.eye(3).ravel()) == 0
    assert demands.violation(np.full(9, 1 / 3)) == pytest.approx(1 / 6)
    assert demands.violation(np.diag([1.0, 0.5, 1.0]).ravel()) == pytest.approx(0.5)
    assert demands.violation(np.array([[1, 0, 0.2], [0, 1, 0], [0, 0, 1.0]]).ravel()) == pytest.approx(0.2)


def test_a_column_of_which_one_entry_is_left_does_not_hold_up_the_search():
    problem = om.question(om.count(30), "0.5", delta="0.01", properties=["zero-stays-zero"])
    answer = search(RowProgram.of(problem), lambda: False)
    assert answer.steps < 40
    assert answer.objective - answer.proof.bound < 1e-8 * answer.objective


def test_demands_that_clash_end_the_search_early():
    problem = om.question(om.count(6), 1, bounds=["mean absolute <= 0.1"])
    answer = search(RowProgram.of(problem), lambda: False)
    assert answer.objective == np.inf
    assert answer.steps < 60
    with pytest.raises(om.NoSolutionError):
        om.design(problem, engine="interior")


VALUES = {  # of the program as a whole by HiGHS, which takes two to twenty times as long
    "column-monotone": (om.croft(om.mean(20, 4), 1, properties=["column-monotone"]), 14.3864846),
    "fair": (om.croft(om.count(150), "0.1", properties=["fair"]), 1372.844259),
    "weakly honest": (om.croft(om.mean(20, 4), 1, properties=["weakly-honest"]), 14.315102),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", VALUES)
def test_large_questions_are_answered_without_a_program(name):
    problem, value = VALUES[name]
    design = om.design(problem)
    assert design.engine == "interior"
    assert design.certificate.relative_gap < 1e-8
    assert design.objective == pytest.approx(value, rel=1e-7)
