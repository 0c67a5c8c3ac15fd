"""The bound of a chain as multipliers of single ratios, for certificates of a matrix.

Law. A line of (E, delta) moves weight from truth to truth because of one of two rows of a threshold,

    a_f - E a_(f+1) <= delta,                    of the responses up to r_j
    (1 - a_(f+1)) - E (1 - a_f) <= delta,        of those beyond it.

Each is a sum of ``M[r,f] - E M[r,g] <= h[r,f,g]`` over these responses and of ``sum_r h[r,f,g] <= delta``. So
the multiplier of a ratio of response r is the sum of those of all thresholds whose responses it is among, and
that of the budget is the sum of all. The two minorants of a threshold are weighted so that slopes cancel.

Where 0 stays 0, ``1 - a_0`` is 0 and may weigh anything: so much that a minorant stays level whose slope
would be positive.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from optmech.base.time_left import need_time
from optmech.proofs.chain.curve import flat_line, steep_line
from optmech.proofs.multipliers import BITS, Leaf, Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from optmech.base.arrays import Whole
    from optmech.proofs.chain.curve import Line, Pair
    from optmech.question.chain_question import ChainQuestion

    Lines = tuple[Line | None, Line | None]
    Sides = tuple[Sequence[Lines], Sequence[Lines]]
    # Keys are privacy, row and step from truth to truth.
    _Weights = dict[tuple[int, int, int], int]

_STEEP, _FLAT = 0, 1


class _Row(NamedTuple):
    """The row, one of two, that makes a line, its privacy, and its E."""

    owner: int
    kind: int
    factor: Fraction


Rows = dict["Line", _Row]
"""The lines of a step from truth to truth, each with the row that makes it."""


def rows_of_step(up: Sequence[Pair], down: Sequence[Pair], bits: int) -> Rows:
    """Return the lines of a step, with `bits` bits.

    `up` protects a truth against the next, `down` the other way. Both are e^epsilon or a little more, and
    delta, of each privacy; empty where nothing does.
    """
    rows: Rows = {}
    for kind, pairs, line_of in ((_STEEP, up, steep_line), (_FLAT, down, flat_line)):
        for owner, (factor, delta) in enumerate(pairs):
            rows.setdefault(line_of(factor, delta, bits), _Row(owner, kind, factor))
    return rows


def leaf_of_chain(
    question: ChainQuestion,
    rows: Sequence[Rows],
    sides: Callable[[int], Sides],
    deltas: Sequence[Fraction],
    prior: tuple[Sequence[int], int] | None = None,
) -> Leaf:
    """Return multipliers that prove the bound of the thresholds, up to rounding.

    Given a step of the responses, `sides` returns for the left of its threshold and for its right which lines
    take weights to the higher truth and to the lower one, at each step from truth to truth. Where a of truth
    k_j is 0 or 1 there is one side alone, which stands for both. For a worst truth `prior` is the least
    favourable one, in whole numbers over two to a power.
    """
    truths = question.num_truths
    most = max((row.factor for step in rows for row in step.values()), default=1)
    bits = BITS + int(most).bit_length()
    table = np.zeros((len(deltas), 2, question.num_steps, truths - 1), dtype=object)
    for step, turn in enumerate(question.signs):
        if turn == truths or (turn == 0 and not question.keeps_zero):
            continue
        need_time("the multipliers of each threshold")
        column = [(cost << bits) // question.unit for cost in question.column(step, 0, truths)]
        for weights, share, whole in _shares(column, turn, sides(step), rows, question.keeps_zero):
            for (owner, kind, edge), weight in weights.items():
                table[owner, kind, step, edge] += weight * share // whole
    rules = [_rules(table[owner], delta) for owner, delta in enumerate(deltas)]
    worst = None
    if prior is not None:
        worst = np.array([part << bits - prior[1] for part in prior[0]], dtype=object)
    return Leaf(rules=rules[0], further=tuple(rules[1:]) or None, worst=worst, denominator=1 << bits)


def _shares(
    column: Sequence[int],
    turn: int,
    sides: Sides,
    rows: Sequence[Rows],
    keeps_zero: bool,  # noqa: FBT001 - as the question says
) -> list[tuple[_Weights, int, int]]:
    """Return the multipliers of one minorant or of both, each with its share."""
    (fall, left), (rise, right) = (_minorant(column, turn, lines, rows) for lines in sides)
    if keeps_zero and turn and fall > 0 < rise:
        extra = _extra(fall, sides[0][:turn])
        if extra is not None:
            fall, left = _minorant([column[0] + extra, *column[1:]], turn, sides[0], rows)
    if fall < 0 < rise:
        return [(left, rise, rise - fall), (right, -fall, rise - fall)]
    return [(left if abs(fall) < abs(rise) else right, 1, 1)]


def _minorant(
    column: Sequence[int], turn: int, lines: Sequence[Lines], rows: Sequence[Rows]
) -> tuple[int, _Weights]:
    """Return the slope of an affine minorant, and the multipliers of the rows that make it."""
    weights: _Weights = {}
    left = right = 0
    for f in range(turn):
        left += column[f]
        line, _ = lines[f]
        if line is None:
            left = 0
            continue
        # The first row bounds a_f, and the second 1 - a_(f+1), E times what they bound of the other truth.
        owner, kind, factor = rows[f][line]
        weights[owner, kind, f] = left if kind == _STEEP else _over(left, factor)
        left = left * line.slope >> line.bits
    for f in range(len(column) - 2, turn - 1, -1):
        right -= column[f + 1]
        _, line = lines[f]
        if line is None:
            right = 0
            continue
        owner, kind, factor = rows[f][line]
        weights[owner, kind, f] = right if kind == _FLAT else _over(right, factor)
        right = (right << line.bits) // line.slope
    return right - column[turn] - left, weights


def _over(weight: int, factor: Fraction) -> int:
    return weight * factor.denominator // factor.numerator


def _extra(slope: int, lines: Sequence[Lines]) -> int | None:
    """Return the addition to the weight of the first truth that lowers a slope by an amount."""
    for line, _ in lines[::-1]:
        if line is None or not line.slope:
            return None
        slope = -((-slope << line.bits) // line.slope)
    return slope


def _rules(table: Whole, delta: Fraction) -> dict[str, Rule]:
    """Return the multipliers of ratios and budgets that those of thresholds add up to."""
    steps, edges = table.shape[1:]
    zero = np.zeros((1, edges), dtype=object)
    lower = np.concatenate([table[_STEEP][::-1].cumsum(axis=0)[::-1], zero])
    upper = np.concatenate([zero, table[_FLAT].cumsum(axis=0)])
    subscripts, weights, budgets, payments = [], [], [], []
    response, edge = np.indices((steps + 1, edges)).reshape(2, -1)
    for ratios, (here, beside) in ((lower, (edge, edge + 1)), (upper, (edge + 1, edge))):
        subscripts.append(np.column_stack([response, here, beside]))
        weights.append(ratios.reshape(-1))
        of_edge = np.arange(edges)
        shift = int(here[0] > beside[0])
        budgets.append(np.column_stack([of_edge + shift, of_edge + 1 - shift]))
        payments.append(ratios.max(axis=0))
    privacy = _positive(np.concatenate(subscripts), np.concatenate(weights))
    if not delta:
        return {"privacy": privacy}
    budget = _positive(np.concatenate(budgets), np.concatenate(payments))
    return {"privacy": privacy, "budget": budget}


def _positive(subscripts: NDArray[np.int64], weights: Whole) -> Rule:
    used = np.flatnonzero(weights > 0)
    return Rule(places=subscripts[used], weights=weights[used])
