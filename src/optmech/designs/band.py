"""Solve a long range near its diagonal, and extend answer and proof outwards.

Beyond a width w the entries are as small as privacy allows. So columns with d > w are tied to the one w steps
from the diagonal in their row and chain, z = z', which is ``M[r,f] = e^(-epsilon) M[r,f-S]``, and the solver
sees a band.

Law: an answer of the band keeps all rows outside. Privacy there is an equality, and it and the orders within
the band give the orders: shifting by S brings two entries of one distance back to a kept row; for two of
distances d and d + 1 one order and one row of privacy at distance w give ``z[r,f] <= z[r,f']``.

Law: its duals prove it best among all matrices if in each tied chain, from the outside inwards, the reduced
cost is not negative: it is then the multiplier of the chain's row of privacy, and adds to the next column.
If one is negative the band was too narrow, and a wider one is tried.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from optmech.designs.attempts import solve
from optmech.models.linear_model import Block
from optmech.models.solution import Status

if TYPE_CHECKING:
    from optmech.base.arrays import Integers
    from optmech.models.formulations.reduced import ReducedProgram
    from optmech.models.linear_model import LinearModel
    from optmech.models.solution import Solution
    from optmech.models.solvers.interface import Solver
    from optmech.models.solvers.options import SolveOptions

# Widths epsilon w to try before the whole range. Counts and means up to 400 have their optimum in the first;
# at width 4 in place of 28 they take a fifth to a twentieth of the time.
_WIDTHS = (4.0, 12.0)
# A reduced cost this far below zero, relative to the costs, is the solver's rounding.
_ROUNDING = 1e-12
# Columns sum to 1024, not to one. At 1e-9 of that a crossover of a mean of 100 records never ends.
_COARSER, _COARSEST = 100.0, 1e-3
# At epsilon = 10 an optimum is a hundredth of the largest loss; the bound adds up errors of all columns.
_FINER = 10.0
# Seconds where nobody set a limit. Only ranges near 400 at an epsilon near 0.01 need more.
_PATIENCE = 300.0
# Seconds for a further band when the time is up.
_LEAST_TIME = 1.0


def solve_by_bands(
    program: ReducedProgram, epsilon: float, solver: str | Solver, options: SolveOptions
) -> Solution:
    """Return the answer of the reduced program, values and duals of all its columns and rows."""
    model = program.formulation.model
    options = replace(
        options,
        feasibility_tolerance=min(options.feasibility_tolerance * _COARSER, _COARSEST),
        optimality_tolerance=options.optimality_tolerance / _FINER,
        time_limit=_PATIENCE if options.time_limit is None else options.time_limit,
    )
    farthest = int(program.distance.max())
    widths = [max(1, int(width / epsilon)) for width in _WIDTHS]
    seconds = 0.0
    for width in [width for width in widths if width < farthest]:
        nearest = _nearest(program, width)
        banded_model, rows = _band(model, nearest)
        solution = solve(banded_model, solver, _within(options, seconds), interior_first=True)
        seconds += solution.seconds
        full_solution, is_proved = _lift(program, solution, nearest, rows)
        if is_proved or solution.status is not Status.OPTIMAL:
            return replace(full_solution, seconds=seconds)
    solution = solve(model, solver, _within(options, seconds), interior_first=True)
    return replace(solution, seconds=seconds + solution.seconds)


def _within(options: SolveOptions, seconds: float) -> SolveOptions:
    """Return the options with what is left of the time limit."""
    return replace(options, time_limit=max((options.time_limit or _PATIENCE) - seconds, _LEAST_TIME))


def _nearest(program: ReducedProgram, width: int) -> Integers:
    """Return the column within the width to which each column is tied, itself if it lies within."""
    nearest = np.arange(len(program.distance))
    for distance in range(width + 1, int(program.distance.max()) + 1):
        ties = np.flatnonzero(program.distance == distance)
        nearest[ties] = nearest[program.inner[ties]]
    return nearest


def _band(model: LinearModel, nearest: Integers) -> tuple[LinearModel, Integers]:
    """Return the program of the columns within the band, and the rows it keeps."""
    size = len(nearest)
    columns, index = np.unique(nearest, return_inverse=True)
    tie = sparse.csr_array((np.ones(size), (np.arange(size), index)), shape=(size, len(columns)))
    ties = np.flatnonzero(nearest != np.arange(size))
    outside = sparse.csr_array((np.ones(len(ties)), (ties, np.zeros(len(ties), int))), shape=(size, 1))
    mask = (abs(model.matrix) @ outside).toarray().ravel() > 0
    equal = model.row_lower == model.row_upper
    rows = np.flatnonzero(equal | ~mask)
    blocks = []
    for block, part in model.placed_rows():  # some rows of each, which state no block of rules any more
        inside = rows[(rows >= part.start) & (rows < part.stop)] - part.start
        blocks.append(Block(name=block.name, indices=block.indices[inside]))
    (column,) = model.columns
    banded_model = replace(
        model,
        columns=(Block(name=column.name, indices=column.indices[columns]),),
        rows=tuple(blocks),
        cost=model.cost @ tie,
        matrix=sparse.csr_array(model.matrix[rows] @ tie),
        row_lower=model.row_lower[rows],
        row_upper=model.row_upper[rows],
        column_lower=model.column_lower[columns],
        column_upper=model.column_upper[columns],
        integer=model.integer[columns],
    )
    return banded_model, rows


def _lift(
    program: ReducedProgram, solution: Solution, nearest: Integers, rows: Integers
) -> tuple[Solution, bool]:
    """Return the band's answer for all columns and rows, and whether its duals prove it best."""
    model = program.formulation.model
    values, duals = solution.values, solution.row_duals
    if values is not None:
        values = values[np.searchsorted(np.unique(nearest), nearest)]
    if duals is None or not np.isfinite(duals).all():
        return replace(solution, values=values, row_duals=None), False
    all_duals = np.zeros(model.num_rows)
    all_duals[rows] = duals
    reduced_costs = model.cost - model.matrix.T @ all_duals
    least = 0.0
    for distance in range(int(program.distance.max()), 0, -1):
        ties = np.flatnonzero((program.distance == distance) & (nearest != np.arange(len(nearest))))
        if len(ties) == 0:
            break
        chain, inner = program.chain[ties], program.inner[ties]
        least = min(least, float(reduced_costs[ties].min()))
        all_duals[chain] = np.minimum(reduced_costs[ties] / model.matrix[chain, ties], 0.0)
        reduced_costs[inner] -= model.matrix[chain, inner] * all_duals[chain]
    is_proved = least >= -_ROUNDING * float(np.abs(model.cost).max(initial=0.0))
    return replace(solution, values=values, row_duals=all_duals), is_proved
