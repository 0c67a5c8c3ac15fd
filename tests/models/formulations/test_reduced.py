"""The reduced program has the optimum of the full one, and each of its answers keeps every row of that."""

from __future__ import annotations

import numpy as np
import pytest

import optmech as om
from optmech.models.formulations.reduced import (
    least_ratios_of,
    reach_of_variant_2,
    reduce_variant_2,
    scale_columns,
)
from optmech.models.solution import Status
from optmech.models.solvers.highs import Highs
from optmech.models.solvers.options import SolveOptions
from tests.each import each

# Solvers keep rows to 1e-10; objectives of at most a few hundred differ by their sum.
SOLVER = 1e-8
# Rows are met to 1e-10 times the coefficients of a row.
ROWS = 1e-9

# truths from 2 to 15, reaches from 1 to all pairs
QUERIES = [
    *(om.count(n) for n in (1, 2, 3, 7, 14)),
    *(om.mean(records, 2) for records in (1, 2, 5, 7)),
    *(om.mean(records, 3) for records in (1, 2, 4)),
    *(om.mean(records, 4) for records in (1, 2, 3)),
    om.extremum(0, 6),
]


def optimum(formulation):
    options = SolveOptions(feasibility_tolerance=1e-10, optimality_tolerance=1e-10)
    solution = Highs().solve(formulation.model, options)
    assert solution.status is Status.OPTIMAL
    return solution


def in_probabilities(formulation):
    """The same program with its columns in their own units: the scale suits losses that grow."""
    return scale_columns(formulation, 1 / formulation.layout.entries.max(axis=0).toarray().ravel())


def assert_same_optimum(problem):
    full = om.models.assemble(problem)
    small = in_probabilities(reduce_variant_2(problem).formulation)
    answer = optimum(small)
    assert answer.objective == pytest.approx(optimum(full).objective, rel=SOLVER)
    matrix = small.matrix(answer.values)
    assert full.model.violation(matrix.ravel()) <= ROWS
    assert full.model.objective(matrix.ravel()) == pytest.approx(answer.objective, rel=SOLVER)


@each("query", QUERIES, every=9, slow_every=3)
@each("epsilon", ["0.05", "0.5", "ln 2", "2"])
@each("loss", ["absolute", "squared", "zero-one"])
def test_the_optimum_is_that_of_the_full_program(query, epsilon, loss):
    assert_same_optimum(om.croft(query, epsilon, variant=2, loss=loss))


@each("query", QUERIES, every=9, slow_every=3)
@each("seed", range(6))
def test_no_loss_whatever_tells_the_programs_apart(query, seed):
    """Equal optima of all costs mean equal sets of matrices: no row that is left out was needed."""
    random = np.random.default_rng(seed)
    size = query.num_truths
    loss = random.random((size, size)) ** 3
    prior = random.random(size)
    problem = om.croft(query, float(random.choice([0.1, 0.7, 3.0])), 2, loss, prior / prior.sum())
    assert_same_optimum(problem)


def test_without_one_of_its_rows_the_program_is_another():
    """Each block is needed: without it a random cost goes lower. Otherwise the tests above see nothing."""
    problem = om.croft(om.mean(3, 3), 1, 2, np.random.default_rng(3).random((10, 10)))
    small = in_probabilities(reduce_variant_2(problem).formulation)
    least = optimum(small).objective
    for block in small.model.rows[1:]:
        where = small.model.rows_of(block.name)
        upper = small.model.row_upper.copy()
        upper[where] = np.inf
        without = om.models.LinearModel(
            **{name: getattr(small.model, name) for name in small.model.__slots__ if name != "row_upper"},
            row_upper=upper,
        )
        assert Highs().solve(without, SolveOptions()).objective < least * (1 - SOLVER), block.name


def test_it_has_a_column_for_each_pair_of_mirrored_entries_and_three_rows_for_each():
    model = reduce_variant_2(om.croft(om.mean(40, 4), 1, variant=2)).formulation.model
    assert model.num_columns == 161 * 160 // 2 + 1
    assert model.num_rows < 3 * model.num_columns


def test_privacy_between_neighbours_reads_one_at_most_the_other():
    model = reduce_variant_2(om.croft(om.count(100), "0.3", variant=2)).formulation.model
    privacy = model.matrix[model.rows_of("privacy")]
    assert set(privacy.data.tolist()) == {1.0, -1.0}


@pytest.mark.parametrize(
    "problem",
    [
        om.croft(om.count(5), 1),
        om.croft(om.count(5), 1, properties=["fair", "symmetric"]),
        om.croft(om.residues(5, [1]), 1, variant=2),
        om.croft(om.Query([0, 1, 2, 3], responses=[(0, 2), (2, 3)], neighbours=1), 1, variant=2),
    ],
    ids=str,
)
def test_other_questions_are_not_reduced(problem):
    assert reduce_variant_2(problem) is None


@pytest.mark.parametrize("query", [om.count(6), om.mean(3, 3), om.mean(1, 4)], ids=str)
def test_the_number_of_ratios_is_known_before_the_program_is_made(query):
    problem = om.croft(query, 1, variant=2)
    blocks = {block.name: len(block.indices) for block in reduce_variant_2(problem).formulation.model.rows}
    assert least_ratios_of(problem) == blocks["privacy"]
    assert least_ratios_of(om.croft(query, 1)) == query.num_responses * len(query.pairs)


def test_the_reach_is_that_of_all_pairs_within_it():
    def reach(query):
        return reach_of_variant_2(om.croft(query, 1, variant=2))

    assert reach(om.count(9)) == 1
    assert reach(om.mean(3, 4)) == 4
    assert reach(om.extremum(0, 4)) == 4
    assert reach(om.residues(9, [1, 2])) is None
    assert reach(om.Query(range(3), neighbours=1)) == 1
    # Two truths share a response: the program would take the first three rows for those of the truths.
    assert reach(om.Query(range(3), [(0, 2), 2, 3], neighbours=1)) is None
    # A truth on the end of two categories is in the upper one.
    assert reach(om.Query(range(3), [(-1, 0), (0, 1), (1, 2)], neighbours=1)) is None


def test_other_units_change_neither_optimum_nor_matrix():
    problem = om.croft(om.count(6), 1)
    full = om.models.assemble(problem)
    other = scale_columns(full, np.geomspace(1e-3, 1e2, full.model.num_columns))
    one, two = optimum(full), optimum(other)
    assert two.objective == pytest.approx(one.objective, rel=SOLVER)
    assert full.model.violation(other.matrix(two.values).ravel()) <= ROWS
    assert full.model.dual_bound(two.row_duals * other.row_scale) == pytest.approx(one.objective, rel=SOLVER)
