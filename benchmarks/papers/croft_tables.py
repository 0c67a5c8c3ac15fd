"""Tables 1 to 4 of Croft, Sack, Shi 2020, entry by entry, and what the text says of Table 1.

Table 1 is Laplace noise snapped to the boundary; Table 2 is Variant 2 (its caption does not say so) of the
max query; Tables 3 and 4 are Variants 1 and 2 of a count. The optima of Tables 3 and 4 are unique, that of
Table 2 is not: there the printed matrix is shown to be *an* optimum, and not compared with the solver's.
"""

from __future__ import annotations

from dataclasses import replace
from math import exp
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.papers.digits import holds, printed, unprinted
from benchmarks.papers.item import Item, Reproduction, Verdict
from optmech.analysis.baselines.continuous_noise import snapped_laplace
from optmech.base.errors import ModelError
from optmech.designs.design import solved_design
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.question.problems.croft import croft
from optmech.question.queries import count, extremum

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from benchmarks.papers.item import Line
    from optmech.question.query import Query

    Floats = NDArray[np.float64]

__all__ = ["ITEMS"]

_TABLE_1 = """
0.559 0.441 0.344 0.268 0.208
0.098 0.118 0.098 0.076 0.059
0.076 0.098 0.118 0.098 0.076
0.059 0.076 0.098 0.118 0.098
0.208 0.268 0.344 0.441 0.559
"""
_TABLE_2 = """
0.322 0.322 0.119 0.119 0.119
0.322 0.322 0.220 0.119 0.119
0.119 0.119 0.322 0.119 0.119
0.119 0.119 0.220 0.322 0.322
0.119 0.119 0.119 0.322 0.322
"""
_TABLE_3 = """
0     0     0     0     0     0
0.771 0.622 0.378 0.229 0.139 0.084
0.090 0.149 0.245 0.149 0.091 0.055
0.055 0.090 0.149 0.245 0.149 0.090
0.084 0.139 0.229 0.378 0.622 0.771
0     0     0     0     0     0
"""
_TABLE_4 = """
0.315 0.191 0.116 0.070 0.043 0.026
0.315 0.315 0.191 0.116 0.070 0.043
0.231 0.265 0.315 0.191 0.116 0.070
0.070 0.116 0.191 0.315 0.265 0.231
0.043 0.070 0.116 0.191 0.315 0.315
0.026 0.043 0.070 0.116 0.191 0.315
"""

# The error of a solver beyond the rounding of the printed digits.
_SOLVER = 1e-7


def _digits(table: str) -> list[list[str]]:
    return [row.split() for row in table.strip().splitlines()]


def _entries(table: str, matrix: Floats, query: Query, wrong: str = "") -> list[Line]:
    """Return each printed entry beside the computed one; `wrong` is the note where they differ."""
    lines = []
    for row, printed_row in enumerate(_digits(table)):
        for column, digits in enumerate(printed_row):
            computed = float(matrix[row, column])
            quantity = f"P({query.responses[row].midpoint} | {query.truths[column]})"
            # A printed "0" is meant exactly: the text speaks of a probability of zero.
            exact_zero = f"{digits}.000000" if digits == "0" else digits
            line = printed(quantity, exact_zero, computed)
            lines.append(
                replace(line, printed=digits, note=wrong if line.verdict is Verdict.MISPRINT else "")
            )
    return lines


def _table_1() -> Reproduction:
    query = extremum(1, 5)
    matrix = snapped_laplace(query, 1).matrix
    loss = np.abs(query.response_values[:, None] - query.truth_values)
    scale, middle = 4.0, 2.0  # sensitivity over epsilon; from 3 to either end of the range
    return Reproduction(
        lines=(
            *_entries(_TABLE_1, matrix, query),
            holds(
                "unsnapped noise outside 1..5 when the truth is 3",
                "60%",
                100 * exp(-middle / scale),
                "a round figure",
            ),
            unprinted(
                "the same outside the cells of the table, 0.5..5.5, in per cent", 100 * exp(-2.5 / scale)
            ),
            holds(
                "how much likelier 5 is than 2 when the truth is 2",
                "over 2",
                float(matrix[4, 1] / matrix[1, 1]),
            ),
            holds(
                "how much likelier 1 is than 3 when the truth is 3",
                "nearly 3",
                float(matrix[0, 2] / matrix[2, 2]),
            ),
            unprinted("expected absolute error, uniform prior", float((loss * matrix).sum(axis=0).mean())),
        ),
        note="Scale 4 = sensitivity / epsilon; categories of width 1 around 1..5, the outer ones endless.",
    )


def _table_2() -> Reproduction:
    query = extremum(1, 5)
    problem = croft(query, 1, variant=2)
    design = solved_design(problem)
    # An exact optimum that rounds to the printed matrix: the truth and one more answer are e times as likely
    # as the rest, and at the truth 3 that one more is half of each neighbour.
    high = exp(1) / (5 + 2 * (exp(1) - 1))
    values = {"0.322": high, "0.220": (high + high * exp(-1)) / 2, "0.119": high * exp(-1)}
    matrix = np.array([[values[digits] for digits in row] for row in _digits(_TABLE_2)])
    member = MatrixMechanism.answering(query, matrix)
    objective = member.expected_loss("absolute", prior=None)
    is_member = member.effective_epsilon(query) <= 1 + _SOLVER and problem.properties <= member.properties(
        query
    )
    if not is_member or objective > design.lower_bound + _SOLVER:
        message = "the matrix of Table 2 must be an optimum of Variant 2; it is not."
        raise ModelError(message)
    other = np.abs(design.mechanism.matrix - matrix).max()
    return Reproduction(
        lines=(
            *_entries(_TABLE_2, matrix, query),
            unprinted("objective of this matrix, summed over truths", objective),
            unprinted("objective that the solver finds", design.objective),
            unprinted("no mechanism does better than", design.lower_bound),
            unprinted(
                "largest difference from the solver's matrix", float(other), "the optimum is not unique"
            ),
            unprinted(
                "objective of Variant 1, summed over truths",
                solved_design(croft(query, 1)).objective,
                "another matrix, which never answers 1 or 5",
            ),
        ),
        note="Variant 2, which the caption does not say. The optimum is not unique: the computed entries are "
        "those of the optimum that rounds to the printed ones, not of the one a solver happens to return.",
    )


def _design_table(table: str, variant: int, wrong: str = "") -> Reproduction:
    query = count(5)
    design = solved_design(croft(query, "0.5", variant=variant))
    return Reproduction(
        lines=(
            *_entries(table, design.mechanism.matrix, query, wrong=wrong),
            unprinted("objective, summed over truths", design.objective),
            unprinted("no mechanism does better than", design.lower_bound),
        ),
        note="The optimum is unique.",
    )


ITEMS = (
    Item(
        name="croft-table-1",
        source="Croft et al. 2020, Table 1",
        title="boundary-snapped Laplace on 1..5, epsilon = 1",
        compute=_table_1,
    ),
    Item(
        name="croft-table-2",
        source="Croft et al. 2020, Table 2",
        title="linear programming mechanism for max on 1..5, epsilon = 1",
        compute=_table_2,
    ),
    Item(
        name="croft-table-3",
        source="Croft et al. 2020, Table 3",
        title="Variant 1 for a count 0..5, epsilon = 0.5",
        compute=lambda: _design_table(
            _TABLE_3, 1, "its mirror image P(3 | 1) is printed 0.090, and the optimum is symmetric and unique"
        ),
    ),
    Item(
        name="croft-table-4",
        source="Croft et al. 2020, Table 4",
        title="Variant 2 for a count 0..5, epsilon = 0.5",
        compute=lambda: _design_table(_TABLE_4, 2),
    ),
)
