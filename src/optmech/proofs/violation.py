"""Find the rules that an integer matrix breaks, without rounding; if there are none, it is proved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, assert_never

import numpy as np

from optmech.base.blocks import Bound, Limit, Order, Tie, Total
from optmech.base.numbers import as_text
from optmech.proofs.privacy import delta_spent, first_excess

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from optmech.base.blocks import Demand
    from optmech.proofs.enclosure import Enclosure
    from optmech.proofs.matrix import ExactMatrix
    from optmech.rules import Rules

    Integers = NDArray[Any]


def violation(rules: Rules, matrix: ExactMatrix, factor: Enclosure) -> str | None:
    """Return a sentence on the first demand that the matrix breaks, or ``None``: all hold, proved.

    `ExactMatrix` has checked that columns are distributions.
    """
    if matrix.numerators.shape != rules.shape:
        return f"the matrix has shape {matrix.numerators.shape}, the question {rules.shape}"
    if rules.mismatch is not None:
        return rules.mismatch
    for block in rules.blocks:
        index = _first_violation(block, matrix)
        if index is not None:
            return block.violation or _sentence(block, index, rules.shape[1])
    each = zip(rules.each_privacy, factor.each, strict=True)
    return _losses(rules, matrix) or next(
        filter(None, (_privacy(own, matrix, own_factor) for own, own_factor in each)), None
    )


def objective_of(rules: Rules, matrix: ExactMatrix, factor: Enclosure) -> Fraction:
    """Return the objective computed from the matrix: its loss, or the delta it spends."""
    if rules.objective is None:
        return delta_spent(rules, matrix, factor)
    return rules.objective.of(matrix.numerators, matrix.denominator)


def _first_violation(block: Demand, matrix: ExactMatrix) -> int | None:
    """Return the first violated row of a block, such as Croft et al. 2020 (10)-(15), or ``None``."""
    entries, whole = matrix.numerators.ravel(), matrix.denominator
    match block:
        case Tie():
            violations = entries[block.left] != entries[block.right]
        case Order():
            violations = entries[block.low] > entries[block.high]
        case Limit(least=least, most=most):
            entries_limited = entries[block.entries]
            violations = entries_limited * least.denominator < least.numerator * whole
            violations |= entries_limited * most.denominator > most.numerator * whole
        case Total():
            violations = _sums(block, entries) != block.right * (block.scale * whole)
        case Bound():
            violations = _sums(block, entries) > block.right * (block.scale * whole)
        case _:
            assert_never(block)
    return int(np.argmax(violations)) if violations.any() else None


def _sums(block: Total | Bound, entries: Integers) -> Integers:
    """Return the weighted sum of each row, over the scale of the block times the denominator."""
    sums = np.zeros(len(block.right), dtype=object)
    np.add.at(sums, block.rows, block.coefficients * entries[block.entries])
    return sums


def _sentence(block: Demand, row: int, truths: int) -> str:
    """Return the default sentence on a violation."""
    if isinstance(block, Limit):
        response, truth = divmod(int(block.entries[row]), truths)
        return f"matrix[{response}, {truth}] does not keep {block.name}"
    return f"row {row} of {block.name} is broken"


def _losses(rules: Rules, matrix: ExactMatrix) -> str | None:
    losses = [(f"the loss exceeds {loss.name}", loss) for loss in rules.bounds]
    if rules.cost is not None:
        losses.append((f"the expected cost exceeds {as_text(rules.cost.most)}", rules.cost))
    for sentence, loss in losses:
        excess = loss.of(matrix.numerators, matrix.denominator) - loss.most
        if excess > 0:
            return f"{sentence} by {float(excess):.1e}"
    return None


def _privacy(rules: Rules, matrix: ExactMatrix, factor: Enclosure) -> str | None:
    if rules.is_pure:
        excess = first_excess(rules, matrix, factor.lower)
        if excess is None:
            return None
        row, truth, other = excess
        big, small = matrix.numerators[row, truth], matrix.numerators[row, other]
        return f"matrix[{row}, {truth}] = {big} exceeds e^epsilon times matrix[{row}, {other}] = {small}"
    delta, most = delta_spent(rules, matrix, factor), rules.delta
    if most is not None and delta > most:
        return f"delta is {float(delta):.17g}, more than {as_text(most)} by {float(delta - most):.1e}"
    return None
