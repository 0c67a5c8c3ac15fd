"""A repaired matrix is proved private by other arithmetic, and it is cheap; or there is none."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st
from scipy import sparse

import optmech as om
from optmech.base.blocks import Bound, Total
from optmech.designs.design import solved_design
from optmech.designs.repair.pure_matrix import _interior, pure_matrices
from optmech.designs.repair.quantity_rules import QuantityRules
from optmech.designs.repair.repair import empty_interior, repair, repair_general
from optmech.designs.repair.strict_interior import strict_interiors
from optmech.proofs.violation import objective_of
from optmech.question.properties import PROPERTIES, VARIANT_2
from optmech.rules import compile_rules
from tests.each import each
from tests.proofs.by_hand import below_exponential, broken_rule, cost_of, factor_of, fractions_of, problems
from tests.search import search

# A repair may lose a solver's tolerance times the cost of a column, or 1e-5 of the optimum.
RELATIVE, ABSOLUTE = 1e-5, 1e-8


def optimum(problem):
    try:
        return solved_design(problem)
    except om.NotAcceptedError:  # fair and monotone columns need every truth in a response
        assume(condition=False)


def garbage(kind, matrix, rng):
    """Return what a solver might leave, or a program that is broken."""
    shape = matrix.shape
    made = matrix.copy()
    spots = rng.random(shape) < 0.3
    match kind:
        case "zeros beside":
            made[spots] = 0.0
        case "negative":
            made[spots] *= -1
        case "not a number":
            made[spots] = np.nan
        case "infinite":
            made[spots] = np.inf
        case "all zeros":
            made[:] = 0.0
        case "off":
            made *= 1 + 1e-3 * rng.standard_normal(shape)
        case "permuted":
            made = made[rng.permutation(shape[0])][:, rng.permutation(shape[1])]
        case "random":
            made = rng.standard_normal(shape)
        case "huge":
            made = rng.random(shape) * 1e300
        case "tiny":
            made *= 1e-300
    return made


GARBAGE = (
    "zeros beside",
    "negative",
    "not a number",
    "infinite",
    "all zeros",
    "off",
    "permuted",
    "random",
    "huge",
    "tiny",
)


@search(120, problems())
def test_a_solvers_optimum_becomes_a_proved_mechanism_at_almost_no_cost(problem):
    found = optimum(problem)
    matrix = repair(compile_rules(problem), found.mechanism.matrix, factor_of(problem))
    assert matrix is not None
    entries = fractions_of(matrix)
    assert broken_rule(problem, entries) is None
    scale = float(problem.objective.loss.max() * problem.objective.weights.sum())
    least = max(found.objective, found.lower_bound)
    assert float(cost_of(problem, entries)) <= least * (1 + RELATIVE) + ABSOLUTE * scale


@search(150, problems(), st.sampled_from(GARBAGE), st.integers(0, 2**32 - 1))
def test_of_garbage_a_repair_makes_a_proved_mechanism_or_nothing(problem, kind, seed):
    rng = np.random.default_rng(seed)
    query = problem.query
    assume(not (problem.properties & {"fair", "column-monotone"} and (query.home < 0).any()))
    even = rng.dirichlet(np.ones(query.num_responses), query.num_truths).T
    matrix = repair(compile_rules(problem), garbage(kind, even, rng), factor_of(problem))
    if matrix is not None:
        assert broken_rule(problem, fractions_of(matrix)) is None


@search(60, problems(), st.integers(0, 2**32 - 1))
def test_sums_that_a_solver_leaves_a_little_off_are_mended(problem, seed):
    """Any mechanism whatever, with noise of a solver's tolerance, comes back within a few of that."""
    rng = np.random.default_rng(seed)
    query = problem.query
    assume(not (problem.properties & {"fair", "column-monotone"} and (query.home < 0).any()))
    alike = np.repeat(rng.dirichlet(np.ones(query.num_responses))[:, None], query.num_truths, axis=1)
    if problem.properties:
        alike[:] = 1 / query.num_responses
    matrix = repair(
        compile_rules(problem), alike + 1e-9 * rng.standard_normal(alike.shape), factor_of(problem)
    )
    assert matrix is not None
    assert broken_rule(problem, fractions_of(matrix)) is None
    assert np.abs(matrix.nearest() - alike).max() < 1e-5


def test_a_zero_beside_a_positive_entry_is_raised_and_no_more():
    """A count of 0..1 at ln 3: beside 1 there must be 1/3 at least, so (1, 0) becomes (3/4, 1/4) or so."""
    problem = om.croft(om.count(1), "ln 3")
    matrix = repair(compile_rules(problem), np.eye(2), factor_of(problem))
    assert matrix.nearest() == pytest.approx(np.array([[0.75, 0.25], [0.25, 0.75]]), abs=1e-12)


def test_a_response_that_is_never_given_stays_so():
    problem = om.croft(om.count(2), 1)
    matrix = repair(
        compile_rules(problem), np.array([[0, 0, 0], [1, 1, 1], [0, 0, 0]], float), factor_of(problem)
    )
    assert matrix.numerators.tolist() == [[0] * 3, [matrix.denominator] * 3, [0] * 3]


def test_pure_privacy_is_repaired_where_the_program_over_the_matrix_fails(monkeypatch):
    problem = om.question(om.count(9), "1", loss="beyond 2", worst_case=True)
    raw = solved_design(problem).mechanism.matrix
    monkeypatch.setattr("optmech.designs.repair.repair.repair_general", lambda *_: None)
    made = repair(compile_rules(problem), raw, factor_of(problem))
    assert broken_rule(problem, fractions_of(made)) is None
    assert np.abs(made.nearest() - raw).max() < 1e-6


@pytest.mark.long
def test_the_worst_loss_of_fifty_counts_is_certified():
    design = om.design(om.question(om.count(50), "1", loss="beyond 2", worst_case=True))
    assert design.certificate.relative_gap < 1e-8


def test_nothing_can_be_made_of_nothing():
    problem = om.croft(om.count(2), 1)
    for raw in (np.zeros((3, 3)), np.full((3, 3), np.nan), np.full((3, 3), -1.0)):
        assert repair(compile_rules(problem), raw, factor_of(problem)) is None


def interior(problem, ratio):
    """Return groups of equal entries, and a strictly feasible point, entry by entry."""
    known = QuantityRules.of(compile_rules(problem))
    found = next(strict_interiors(known, [ratio], np.ones(known.comparisons[0].shape, dtype=bool)))
    links = sparse.coo_array((np.ones(len(found.tied)), tuple(found.tied.T)), shape=(known.size, known.size))
    group = sparse.csgraph.connected_components(links, directed=False)[1]
    means = np.bincount(group, found.values) / np.bincount(group)
    assert not found.lacking
    return group[known.names], means[group][known.names]


UNEQUAL = ("unbiased", "zero-stays-zero")


@each("epsilon", ["0.01", "1", "30"], every=2)
@each(
    "wanted",
    [[wanted] for wanted in PROPERTIES if wanted not in ("unbiased", "zero-stays-zero")]
    + [sorted(VARIANT_2)],
)
def test_entries_that_rules_force_to_be_equal_are_found(epsilon, wanted):
    """Truths 0, 1 are in the first cell, 2, 3, 4 in the second, and symmetry mirrors one on the other.

    Row-monotone: along a cell the row may neither fall nor rise, by Croft et al. 2020 (12) and (13) together.
    With all properties at once, the first row is (a, a, b, b, b), the second (1-a, 1-a, 1-b, 1-b, 1-b), and
    symmetry makes entry 2 of the one entry 2 of the other, b = 1 - b; fairness then makes a = b = 1/2.
    """
    query = om.Query([0, 1, 2, 3, 4], [(0, 2), (2, 4)], 1)
    problem = om.croft(query, epsilon, properties=wanted)
    group, values = interior(problem, float(factor_of(problem).lower))
    if "row-monotone" in wanted:
        assert group[0, 0] == group[0, 1]
        assert len(set(group[1, 2:].tolist())) == 1
    if len(wanted) == len(VARIANT_2):
        assert len(np.unique(group)) == 1
        matrix = repair(compile_rules(problem), values, factor_of(problem))
        assert (matrix.numerators * 2 == matrix.denominator).all()


def test_what_no_mechanism_keeps_has_no_interior():
    """The cells' midpoints are 1 and 3, so that no mean is 0."""
    problem = om.croft(om.Query([0, 1, 2, 3, 4], [(0, 2), (2, 4)], 1), 1, properties=["unbiased"])
    assert empty_interior(compile_rules(problem), factor_of(problem)) == "keep all its rules at once"


def test_general_totals_and_bounds_of_entries_are_repaired():
    """A count of 0..2: 1 is told 4/3 times as often as 0, and 0 is at most 1/50 where the truth is 2."""
    problem = om.question(om.count(2), "2.5")
    rules = compile_rules(problem)
    ends = {"name": "mine", "subscripts": np.zeros((1, 0), dtype=int), "scale": 3}
    total = Total(
        rows=np.zeros(2, dtype=int),
        entries=np.array([4, 0]),
        coefficients=np.array([3, -4], dtype=object),
        right=np.array([Fraction(0)], dtype=object),
        **ends,
    )
    bound = Bound(
        rows=np.zeros(1, dtype=int),
        entries=np.array([2]),
        coefficients=np.array([3], dtype=object),
        right=np.array([Fraction(1, 50)], dtype=object),
        **ends,
    )
    raw = np.array([[0.6, 0.1, 0.02], [0.3, 0.8, 0.18], [0.1, 0.1, 0.8]]) - [[0, 0, 1e-9]]
    made = repair(replace(rules, demands=(total, bound)), raw, factor_of(problem))
    entries = fractions_of(made)
    assert broken_rule(problem, entries) is None
    assert 3 * entries[1][1] == 4 * entries[0][0]
    assert entries[0][2] <= Fraction(1, 50)
    assert np.abs(made.nearest() - raw).max() < 1e-5


def test_an_interior_mechanism_has_room_in_each_rule_that_has_any():
    """Fair counts: privacy has room everywhere, and where columns may fall, they do."""
    problem = om.croft(om.count(4), "ln 2", properties=VARIANT_2)
    _, matrix = interior(problem, 2.0)
    assert matrix.sum(axis=0) == pytest.approx(np.ones(5))
    for f, g in problem.query.pairs.tolist():
        assert (matrix[:, f] < 2.0 * matrix[:, g]).all()
    for f in range(5):
        assert (np.diff(matrix[: f + 1, f]) > 0).all()
        assert (np.diff(matrix[f:, f]) < 0).all()
    assert len(set(np.diag(matrix).tolist())) == 1
    assert (matrix == matrix[::-1, ::-1]).all()


MODULAR = [
    om.kadam(om.residues(5, [1]), "1.5", "0.1"),
    om.kadam(om.residues(7, [1, 2]), "0.5", "0.02", cost="circular"),
    om.kadam(om.residues(6, [1, 2]), "1.5", "0.1"),
    om.kadam(om.residues(6, [1, 4]), "ln 2", 0, cost="wrapped"),
    om.kadam(om.residues(8, [7], symmetric=False), "0.5", "4.19516346749928e-07"),
    om.kadam_least_delta(om.residues(5, [1]), 1, at_most="0.4"),
    om.kadam_least_delta(om.residues(6, [1, 2]), 1, at_most="0.45"),
]
BOUNDED = [
    om.sadeghi(1, "0.5", 2, counts=(1, 3)),
    om.sadeghi(0, "0.3", 3, counts=(2, 4)),
    om.sadeghi("2.18", "1/3", 1, counts=(1, 5)),
    om.sadeghi_symmetric("2.18", "0.8", 6),
    om.sadeghi_symmetric("ln 2", "1/7", 2),
]


def noise_breaks(problem, matrix):  # noqa: PLR0911 - a return for each rule
    """Return what the noise breaks, decided with fractions: structure, and its own delta."""
    query, entries = problem.query, fractions_of(matrix)
    below = below_exponential(problem.privacy.epsilon)
    size = query.num_truths
    if any(sum(row[f] for row in entries) != 1 for f in range(size)):
        return "a sum"
    if hasattr(problem.structure, "half_width"):
        for f, truth in enumerate(query.truths):
            noise = {part.midpoint - truth: entries[r][f] for r, part in enumerate(query.responses)}
            width = problem.structure.half_width
            if noise[0] != problem.structure.accuracy or sum(n * m for n, m in noise.items()) != 0:
                return "accuracy or mean"
            if any(mass for n, mass in noise.items() if abs(n) > width):
                return "width"
        return None
    if any(
        entries[(r + 1) % size][(f + 1) % size] != entries[r][f] for r in range(size) for f in range(size)
    ):
        return "not modular"
    delta = problem.privacy.delta
    for f, g in query.pairs.tolist():
        leak = sum(row[f] for row in entries if row[f] > below * row[g])
        if delta is not None and leak > delta:
            return f"a leak of {float(leak)} from {f} to {g}"
    bound = getattr(problem.objective, "at_most", None)
    if bound is not None:
        costs = problem.objective.cost.loss[:, 0].tolist()
        if sum(Fraction(repr(cost)) * row[0] for cost, row in zip(costs, entries, strict=True)) > bound:
            return "cost"
    return None


@each("problem", MODULAR + BOUNDED, every=3)
def test_noise_is_repaired_at_almost_no_cost(problem):
    found = om.design(problem)
    raw = solved_design(problem)
    matrix = repair(compile_rules(problem), raw.mechanism.matrix, factor_of(problem))
    assert matrix is not None
    assert noise_breaks(problem, matrix) is None
    assert found.objective == pytest.approx(max(raw.objective, raw.lower_bound), rel=RELATIVE, abs=ABSOLUTE)


@each("kind", GARBAGE, every=9, slow_every=3)
@each("problem", MODULAR + BOUNDED)
def test_of_garbage_noise_a_repair_makes_a_proved_mechanism_or_nothing(problem, kind):
    rng = np.random.default_rng(random.Random(kind).randrange(2**32))  # noqa: S311
    even = rng.dirichlet(np.ones(problem.query.num_responses), problem.query.num_truths).T
    matrix = repair(compile_rules(problem), garbage(kind, even, rng), factor_of(problem))
    if matrix is not None:
        assert noise_breaks(problem, matrix) is None


def test_rationals_keep_their_smallest_entry_beside_zeros():
    power = 2**300
    problem = om.croft(om.Query(range(2), range(3), neighbours=1), f"ln {power}")
    likely, unlikely = Fraction(power, power + 1), Fraction(1, power + 1)
    raw = np.array([[likely, unlikely], [unlikely, likely], [Fraction(0), Fraction(0)]], dtype=object)
    entries = fractions_of(repair(compile_rules(problem), raw, factor_of(problem)))
    assert broken_rule(problem, entries) is None
    assert entries[2] == [0, 0]
    assert float(entries[1][0] * power) == pytest.approx(1, rel=RELATIVE)


@each(
    "asked",
    [
        {"properties": ["without 2"]},
        {"properties": ["accuracy >= 0.3"]},
        {"properties": ["accuracy = 0.3"]},
        {"bounds": ["mean zero-one <= 0.6"]},
        {"bounds": ["mean zero-one <= 3/4"]},  # all answers alike meet it exactly
        {"properties": ["column-monotone"]},
        {},
    ],
)
def test_an_interior_mechanism_is_off_both_limits_and_below_each_bound(asked):
    problem = om.question(om.count(3), 1, **asked)
    known = QuantityRules.of(compile_rules(problem))
    found = next(strict_interiors(known, [2.5], np.ones(known.comparisons[0].shape, dtype=bool)))
    assert not found.lacking
    free, values = known.least < known.most, found.values
    assert (known.least[free] < values[free]).all()
    assert (values[free] < known.most[free]).all()
    assert values[~free] == pytest.approx(known.least[~free])
    costs, most = known.bounds
    assert (costs @ values < most - 1e-6).all()
    assert known.sums.doubles @ values == pytest.approx(known.sums.right.astype(float))


@each("query", [om.count(1), om.count(6), om.count(9), om.mean(3, 2), om.extremum(0, 5)])
def test_an_interior_of_a_grid_has_equal_sums_and_half_of_each_ratio(query):
    rules = compile_rules(om.croft(query, 1, properties=["column-monotone"]))
    matrix = _interior(rules, 2.5, np.ones(query.num_responses, dtype=bool))
    assert matrix.sum(axis=0) == pytest.approx(1)
    truths, neighbours = query.pairs.T
    assert (matrix[:, truths] <= 2.5**0.5 * matrix[:, neighbours] * (1 + 1e-12)).all()


@pytest.mark.parametrize(
    ("problem", "digits"),
    [
        (om.croft(om.count(4), "0.1", properties=["fair", "row-monotone", "column-honest"]), (3, 4, 5)),
        (om.croft(om.extremum(0, 4), 1, properties=["fair"]), (3, 4, 5)),
        (om.croft(om.mean(2, 2), 3, properties=["column-monotone", "row-monotone"]), (3, 5)),
    ],
)
def test_of_two_repairs_of_a_rough_matrix_the_cheaper_one_is_taken(problem, digits):
    rules, factor = compile_rules(problem), factor_of(problem)
    optimal = om.design(problem).mechanism.matrix
    for number in digits:
        raw = optimal.round(number)
        _, quick = next(pure_matrices(rules, raw, factor))
        either = (quick, repair_general(rules, raw, factor))
        least = min(objective_of(rules, each, factor) for each in either)
        assert objective_of(rules, repair(rules, raw, factor), factor) == least


@pytest.mark.parametrize("definition", ["approximate", "per-outcome", "probabilistic"])
def test_a_delta_that_can_be_none_is_none_though_the_solver_misses_it(definition):
    query = om.count(3)
    asked = {"least": "delta", "bounds": ["worst zero-one <= 0.9"]}
    if definition == "probabilistic":
        query, asked = om.residues(5, [1]), {"least": "delta", "structure": om.ModularNoise()}
    problem = om.question(query, 1, definition=definition, **asked)
    raw = om.design(om.question(query, "1.0000000001", structure=problem.structure)).mechanism.matrix
    rules, factor = compile_rules(problem), factor_of(problem)
    assert objective_of(rules, repair(rules, raw, factor), factor) == 0
