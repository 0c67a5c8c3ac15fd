"""The linear program at a node of a proof by cases, and what its duals propose.

Model
-----
    min   sum_n c_n x_n      (or delta, with  sum_n c_n x_n <= at_most:  cost)
    s.t.  sum_n x_n = 1                                         total
          x_n - E x_(n-g) - s_u <= 0                            ratio, for each noise n and neighbour g
          sum_open s_u + sum_violated x_n <= delta              budget
          x >= 0, s >= 0

u is the decision about the ratio (n, g). Where it is kept there is no s_u; where it is violated there is no
ratio, or in the printed reading the reversed one.

The program states no more than a leaf of the proof can say (docs/certificate.md): the bound that its duals
prove is its optimum, but for rounding. Where it has no solution, the duals of the least violation of its
rows, multiplied up, prove any bound.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from optmech.designs.branch_cases import OPEN, VIOLATED, Cases, Multipliers
from optmech.designs.duals import whole_multipliers
from optmech.models.solvers.dense import SETTINGS, DenseAnswer, least_price

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.base.arrays import Floats, Integers

    Decisions = NDArray[np.int8]

__all__ = ["Answer", "relax"]

# A violation below this may be none.
_ROUNDING = 1e-13


class Answer(NamedTuple):
    """Multipliers allowed at a node, what they prove but for rounding, and the noise of its relaxation.

    That is a solution, or what breaks the rows least.
    """

    multipliers: Multipliers
    bound: float
    noise: Floats


class _Program(NamedTuple):
    """Rows ``matrix @ columns <= limits``: masses, a slack for each open decision, delta where it is sought.

    `ratios` says which ratios have a row, `signs` which of them are reversed. The budgets come next.
    """

    matrix: Floats
    limits: Floats
    ratios: Integers
    signs: Floats


def relax(cases: Cases, decisions: Decisions, goal: float) -> Answer | None:
    """Return the optimum below the decisions, or ``None`` if no attempt finds it.

    Where nothing is possible below them, the bound is above `goal`.
    """
    program, size = _program(cases, decisions), len(cases.cost)
    prices = np.zeros(program.matrix.shape[1])
    if cases.delta is None:
        prices[-1] = 1.0
    else:
        prices[:size] = cases.cost
    # For the least violation of the rows: one more column that eases each of them.
    slack_matrix = np.hstack([program.matrix, np.full((len(program.matrix), 1), -1.0)])
    violation = np.append(np.zeros(len(prices)), 1.0)
    for setting in SETTINGS:
        answer = least_price(prices, program.matrix, program.limits, size, setting)
        if answer.is_optimal:
            return _answer(cases, decisions, program, answer, 1.0)
        if answer.is_infeasible:
            least = least_price(violation, slack_matrix, program.limits, size, setting)
            if least.is_optimal and least.value > _ROUNDING:
                return _answer(cases, decisions, program, least, 2 * (abs(goal) + 1) / least.value)
    return None


def _program(cases: Cases, decisions: Decisions) -> _Program:
    size, seeks_delta, has_bound = len(cases.cost), cases.delta is None, cases.at_most is not None
    mask = decisions[cases.decision] == VIOLATED
    ratios = np.flatnonzero(cases.is_printed | ~mask)
    signs = np.where(mask, -1.0, 1.0)[ratios]
    open_places, violations = np.flatnonzero(decisions == OPEN), np.flatnonzero(decisions == VIOLATED)
    slack = np.full(len(decisions), -1)
    slack[open_places] = size + np.arange(len(open_places))
    start, end = len(ratios), len(ratios) + cases.num_budgets
    matrix = np.zeros((end + has_bound, size + len(open_places) + seeks_delta))
    limits = np.zeros(len(matrix))
    rows = np.arange(start)
    np.add.at(matrix, (rows, cases.noise[ratios]), signs)
    np.add.at(matrix, (rows, cases.after[ratios]), -signs * cases.factor[ratios])
    slacks = slack[cases.decision[ratios]]
    matrix[rows[slacks >= 0], slacks[slacks >= 0]] = -1.0
    matrix[start + cases.budget[open_places], slack[open_places]] = 1.0
    matrix[start + cases.budget[violations], cases.mass[violations]] = 1.0
    if cases.delta is None:
        matrix[start:end, -1] = -1.0
    else:
        limits[start:end] = cases.delta
    if cases.at_most is not None:
        matrix[end, :size], limits[end] = cases.cost, cases.at_most
    return _Program(matrix=matrix, limits=limits, ratios=ratios, signs=signs)


def _answer(
    cases: Cases, decisions: Decisions, program: _Program, optimum: DenseAnswer, slack: float
) -> Answer:
    """Return the duals of `optimum` as multipliers, each `slack` so many times."""
    # What is no number or of the wrong sign is left out: nothing proves nothing, but never too much.
    weights = np.nan_to_num(np.maximum(optimum.multipliers, 0.0) * slack, posinf=0.0)
    start = len(program.ratios)
    end = start + cases.num_budgets
    ratio = np.zeros(len(cases.noise))
    ratio[program.ratios] = weights[:start] * program.signs
    multipliers = Multipliers(
        ratio=whole_multipliers(ratio),
        budget=whole_multipliers(weights[start:end]),
        cost=0 if cases.at_most is None else int(whole_multipliers(weights[end:])[0]),
    )
    clipped_multipliers = cases.clip(decisions, multipliers)
    noise = np.clip(optimum.columns[: len(cases.cost)], 0.0, 1.0)
    return Answer(
        multipliers=clipped_multipliers, bound=cases.bound(decisions, clipped_multipliers), noise=noise
    )
