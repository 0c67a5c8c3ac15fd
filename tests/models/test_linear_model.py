from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy import sparse

from optmech.base.blocks import Bound
from optmech.base.errors import ModelError
from optmech.models.formulations.layout import Rows, stack_rows
from optmech.models.linear_model import Block, LinearModel
from optmech.models.origin import BlockOrigin, BlockPart
from optmech.models.solution import Solution, Status
from tests.each import each
from tests.models.conformance.programs import INF, program

# min x + 2y + 7, x + y >= 1, -1 <= x - y <= 1, 0 <= x <= 5, y >= 0
PARTS = {
    "name": "parts",
    "columns": (Block(name="x", indices=[[]]), Block(name="y", indices=[[3]])),
    "rows": (Block(name="total", indices=[[]]), Block(name="near", indices=[[0, -1]])),
    "cost": [1, 2],
    "offset": 7.0,
    "matrix": [[1, 1], [1, -1]],
    "row_lower": [1, -1],
    "row_upper": [INF, 1],
    "column_lower": [0, 0],
    "column_upper": [5, INF],
    "integer": [False, False],
}
MODEL = LinearModel(**PARTS)
SUM = {
    "subscripts": np.array([[0]]),
    "rows": np.array([0]),
    "entries": np.array([0]),
    "coefficients": np.array([1], dtype=object),
    "scale": 1,
    "right": np.array([1], dtype=object),
}


def test_names_are_block_and_subscripts():
    assert MODEL.column_names() == ["x", "y[3]"]
    assert MODEL.row_names() == ["total", "near[0,-1]"]


def test_a_block_knows_its_place():
    assert (MODEL.columns_of("y"), MODEL.rows_of("total")) == (slice(1, 2), slice(0, 1))
    with pytest.raises(ModelError, match="no block is called 'z'; there are x, y"):
        MODEL.columns_of("z")


def test_blocks_that_share_a_name_stand_together():
    rows = [Block(name=name, indices=[[place]]) for place, name in enumerate("rrsr")]
    parts = {**PARTS, "matrix": np.ones((4, 2)), "row_lower": np.zeros(4), "row_upper": np.ones(4)}
    model = LinearModel(**{**parts, "rows": tuple(rows)})
    assert model.rows_of("s") == slice(2, 3)
    with pytest.raises(ModelError, match="blocks called 'r' stand apart"):
        model.rows_of("r")
    together = LinearModel(**{**parts, "rows": (rows[2], rows[0], rows[1], rows[3])})
    assert together.rows_of("r") == slice(1, 4)


def test_rows_and_columns_are_found_by_what_they_state():
    first, second = (Bound(name="b", **SUM) for _ in range(2))
    rows = tuple(
        Block(name=name, indices=[[0]], origin=BlockOrigin(BlockPart.ROWS, block))
        for name, block in (("r", first), ("s", second))
    )
    columns = (
        Block(name="x", indices=[[0]], origin=BlockOrigin(BlockPart.ENTRIES)),
        Block(name="y", indices=[[0]]),
    )
    model = LinearModel(**{**PARTS, "rows": rows, "columns": columns})
    assert model.rows_from(BlockOrigin(BlockPart.ROWS, second)) == slice(1, 2)
    assert model.columns_from(BlockOrigin(BlockPart.ENTRIES)) == slice(0, 1)
    for origin in (
        BlockOrigin(BlockPart.ROWS),
        BlockOrigin(BlockPart.TOTALS),
        BlockOrigin(BlockPart.PAID, first),
    ):
        with pytest.raises(ModelError, match=f"one block must state {origin.part.name.lower()}.*; 0 do"):
            model.rows_from(origin)


def test_a_model_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        MODEL.offset = 0.0
    matrix = MODEL.matrix.data, MODEL.matrix.indices, MODEL.matrix.indptr
    for array in (MODEL.cost, MODEL.row_lower, MODEL.integer, *matrix, MODEL.columns[0].indices):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_a_model_does_not_share_arrays_with_whoever_built_it():
    cost = np.array([1.0, 2.0])
    model = LinearModel(**{**PARTS, "cost": cost})
    cost[0] = 9
    assert model.cost[0] == 1


def test_stored_zeros_and_duplicates_disappear():
    matrix = sparse.coo_array(([1.0, 2.0, 0.0], ([0, 0, 1], [0, 0, 1])), shape=(2, 2))
    model = LinearModel(**{**PARTS, "matrix": matrix})
    assert model.matrix.nnz == 1
    assert model.matrix.toarray()[0, 0] == 3


BROKEN = {
    "cost": ([1], "model parts: cost has shape (1,), the matrix (2, 2)"),
    "integer": ([True], "model parts: integer has shape (1,), the matrix (2, 2)"),
    "row_lower": ([2, 2], "model parts: a lower bound lies above its upper bound"),
    "column_upper": ([np.nan, 1], "model parts: a lower bound lies above its upper bound"),
    "offset": (np.inf, "model parts: a coefficient is not finite"),
    "matrix": ([[1, np.nan], [0, 0]], "model parts: a coefficient is not finite"),
    "columns": ((Block(name="x", indices=[[]]),), "model parts: 1 names for 2 columns"),
    "rows": (
        (Block(name="r", indices=[[1]]), Block(name="r", indices=[[1]])),
        "model parts: two rows share a name in blocks called r",
    ),
}


@each("part", BROKEN)
def test_a_builder_that_breaks_a_law_is_told_which(part):
    value, sentence = BROKEN[part]
    with pytest.raises(ModelError) as refusal:
        LinearModel(**{**PARTS, part: value})
    assert str(refusal.value) == sentence


def test_a_block_needs_a_table_of_subscripts():
    with pytest.raises(ModelError, match="block x needs a table of subscripts; got 1 axes"):
        Block(name="x", indices=[1, 2])


def test_rows_hold_their_bounds_for_each_member():
    block = Block(name="r", indices=[[0], [1]])
    rows = Rows(block=block, matrix=sparse.csr_array(np.eye(2)), lower=-INF, upper=1.0)
    assert rows.lower.tolist() == [-INF, -INF]
    assert rows.upper.tolist() == [1, 1]
    with pytest.raises(ModelError, match="rows r: 2 names for 3 rows"):
        Rows(block=block, matrix=sparse.csr_array(np.eye(3)), lower=0.0, upper=1.0)
    assert stack_rows([rows, rows], 2).shape == (4, 2)
    assert stack_rows([], 2).shape == (0, 2)


def test_objective_has_the_offset():
    assert MODEL.objective([1, 1]) == 10


@each(
    ("point", "violation"),
    [
        ([1, 0.5], 0),
        ([0.25, 0.25], 0.5),  # x + y >= 1
        ([3, 1], 1),  # x - y <= 1
        ([0, 3], 2),  # x - y >= -1
        ([-0.5, 1.5], 1),  # x - y >= -1 again; x >= 0 by half
        ([6, 5], 1),  # x <= 5
        ([np.nan, 0], INF),
    ],
)
def test_violation_is_the_largest_miss_of_a_row_or_bound(point, violation):
    assert MODEL.violation(point) == violation


def test_a_fraction_violates_an_integer_column():
    model = program([1, 1], [([1, 1], 1, INF)], integer=[True, False])
    assert model.violation([0.75, 1]) == 0.25
    assert model.violation([1, 0.75]) == 0
    assert model.is_mixed_integer


def test_duals_give_a_bound_that_no_point_beats():
    # The optimum is x = 1, y = 0: 8. The dual 1 of the first row proves it, half of it 7.5, none 7.
    assert [MODEL.dual_bound([dual, 0]) for dual in (1, 0.5, 0)] == [8, 7.5, 7]
    # More than the cost of a column without upper bound proves nothing.
    assert MODEL.dual_bound([3, 0]) == -INF


def test_a_dual_of_a_side_that_a_row_does_not_have_is_dropped():
    assert MODEL.dual_bound([-1e-12, 0]) == MODEL.dual_bound([0, 0])


def test_random_duals_never_beat_a_random_point():
    numbers = np.random.default_rng(0)
    model = program(
        numbers.normal(size=4),
        [(numbers.normal(size=4), -2, 3), (numbers.normal(size=4), -INF, 5)],
        [(-1, 1)] * 4,
        offset=1.5,
    )
    points = [point for point in numbers.uniform(-1, 1, (300, 4)) if model.violation(point) == 0]
    bounds = [model.dual_bound(duals) for duals in numbers.normal(size=(300, 2))]
    assert max(bounds) <= min(model.objective(point) for point in points)


def test_a_solution_owns_read_only_arrays():
    values = np.array([1.0])
    solution = Solution(
        status=Status.OPTIMAL, solver="s 1", method="m", seconds=0.0, message="", values=values
    )
    values[0] = 2
    assert solution.values.tolist() == [1]
    with pytest.raises(ValueError, match="read-only"):
        solution.values[0] = 3
    assert solution.row_duals is None
