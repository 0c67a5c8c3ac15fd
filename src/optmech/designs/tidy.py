"""Taking a solver's rounding out of an answer, and nothing more.

A solver keeps rows and bounds within about 1e-10 of what was asked. So a probability may be -4e-14, a
column may sum to 1 + 1e-12, and a ratio may exceed e^epsilon in the last digits; where entries are tiny it
exceeds it by any factor. `tidy` clips, divides by the sums, and where it costs next to nothing mixes in the
uniform mechanism, which has every property and the ratio one. Where that would cost more, the answer stays as
it is and is *not* private: a check of the result says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.question.privacy.loss import largest_excess, largest_privacy_loss

if TYPE_CHECKING:
    from optmech.base.arrays import Floats
    from optmech.models.formulations.layout import Layout
    from optmech.question.problem import Problem


__all__ = ["tidy", "with_sums_of_one"]

# What mixing may add to the objective, relatively: less than the solver's own error there.
_LARGEST_COST = 5e-8
# Ratios of doubles and their logarithms are exact up to this much: there is nothing to repair.
_RATIO_ROUNDING = 1e-12
# Mixing by exactly the amount needed would leave ratios a rounding above e^epsilon.
_MARGIN = 1 + 1e-9


def with_sums_of_one(values: Floats, layout: Layout) -> Floats:
    """Return the layout's columns as probabilities: clipped, and each distribution divided by its sum."""
    masses = np.clip(values[: layout.num_columns], 0.0, 1.0)
    (total,) = layout.rows  # each column is part of exactly one distribution
    sums = total.matrix @ masses
    shares: Floats = masses / (total.matrix.T @ sums)
    return shares


def tidy(values: Floats, layout: Layout, problem: Problem) -> Floats:
    """Return the mechanism matrix that a solver's columns stand for, without the solver's rounding."""
    if not problem.structure.is_free:
        return layout.matrix(with_sums_of_one(values, layout))
    masses = np.clip(layout.matrix(values), 0.0, 1.0)
    matrix: Floats = masses / masses.sum(axis=0)
    loss = problem.least_loss
    if loss is None or loss.is_worst or not (problem.is_plain and problem.privacy.is_pure):
        return matrix
    epsilon, pairs = float(problem.privacy.epsilon), problem.query.pairs
    if largest_privacy_loss(matrix, pairs).value <= epsilon + _RATIO_ROUNDING:
        return matrix
    factor = problem.privacy.factor
    excess = largest_excess(matrix, pairs, factor).value
    uniform = 1.0 / len(matrix)
    # (1-t) P + t u <= E ((1-t) Q + t u)  holds as soon as  t (E-1) u >= (1-t) excess.
    share = excess / (excess + (factor - 1.0) * uniform) * _MARGIN
    before = loss.value(matrix)
    mixture = (1.0 - share) * matrix + share * uniform
    after = loss.value(mixture)
    return mixture if after - before <= _LARGEST_COST * before else matrix
