"""Cost of a response at a truth, without rounding.

A named loss is computed from the exact grid. An entry given as a double stands for the shortest decimal that
reads back to it, as every number of a question does.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.numbers import exact
from optmech.base.slices import row_slices
from optmech.question.homes import short_errors
from optmech.question.loss import beyond, loss_matrix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.base.arrays import Floats, Whole
    from optmech.question.losses.objective import Loss
    from optmech.question.query import Query


# Differences of smaller numbers, squared, are below 2**62, which int64 holds.
_SMALL = 2**30


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactCosts:
    """Loss times weight of each entry, as whole numbers over one scale: ``table / scale``.

    The table, shape (num_responses, num_truths), is of `int64` where all are small, else of Python integers.
    """

    table: Whole
    scale: int

    def of(self, numerators: Whole, denominator: int) -> Fraction:
        """Return the objective of the matrix ``numerators / denominator``."""
        total = sum(
            int((self.table[rows].astype(object) * numerators[rows]).sum())
            for rows in row_slices(numerators.shape)
        )
        return Fraction(total, self.scale * denominator)

    def at_each_truth(self, numerators: Whole, denominator: int) -> list[Fraction]:
        """Return the contribution of each truth to the objective of the matrix."""
        sums = (self.table.astype(object) * numerators).sum(axis=0)
        return [Fraction(int(total), self.scale * denominator) for total in sums]


def exact_costs(objective: Loss, query: Query) -> ExactCosts:
    """Return the cost that `objective` gives each entry of a mechanism matrix of `query`."""
    losses, loss_scale = _whole_losses(objective, query)
    whole, weight_scale = whole_weights(objective, query.num_truths)
    weights = _array(whole)
    if int(np.abs(losses).max()) * int(np.abs(weights).max()) >= _SMALL**2:
        losses = losses.astype(object)
    return ExactCosts(table=losses * weights[None, :], scale=loss_scale * weight_scale)


def exact_losses(objective: Loss, query: Query) -> Whole:
    """Return the loss of each entry as fractions, shape (num_responses, num_truths)."""
    table, scale = _whole_losses(objective, query)
    losses: Whole = np.frompyfunc(lambda loss: Fraction(loss, scale), 1, 1)(table.astype(object))
    return losses


def _whole_losses(objective: Loss, query: Query) -> tuple[Whole, int]:
    """Return the non-negative loss of each entry as integers over the least common scale."""
    if objective.loss_name is None:
        values, index = np.unique(objective.loss, return_inverse=True)
        whole, scale = over_one_unit([exact(value, "cost") for value in values.tolist()])
        return _array(whole)[index].reshape(objective.loss.shape), scale
    if beyond(objective.loss_name) is not None:
        return loss_matrix(objective.loss_name or "", query).astype(np.int64), 1
    if objective.loss_name == "zero-one":
        return 1 * (query.home[None, :] != np.arange(query.num_responses)[:, None]), 1
    errors, scale = short_errors(query)
    table: Whole = np.abs(errors)
    if objective.loss_name == "squared":
        table = table if table.max() < _SMALL else table.astype(object)
        table, scale = table * table, scale * scale
    common = 1 if scale == 1 else gcd(scale, int(np.gcd.reduce(table, axis=None)))
    return table // common, scale // common


def exact_weights(objective: Loss, query: Query) -> Whole:
    """Return the weight of each truth as fractions, shape (num_truths,)."""
    whole, unit = whole_weights(objective, query.num_truths)
    return np.array([Fraction(weight, unit) for weight in whole], dtype=object)


def whole_weights(objective: Loss, number: int) -> tuple[list[int], int]:
    """Return the weights of `number` truths as integers over one unit."""
    if objective.weights_name is not None:
        return [1] * number, number if objective.weights_name == "uniform" else 1
    return over_one_unit(given_weights(objective))


def given_weights(objective: Loss) -> list[Fraction]:
    """Return the weights that were given truth by truth, as fractions."""
    if objective.exactly is not None:
        return list(objective.exactly)
    return exact_doubles(objective.weights)


def exact_doubles(weights: Floats) -> list[Fraction]:
    """Return the decimals that doubles of weights stand for; equal doubles are read once.

    >>> exact_doubles(np.array([0.1, 0.9]))
    [Fraction(1, 10), Fraction(9, 10)]
    """
    listed = weights.tolist()
    once = {weight: exact(weight, "prior") for weight in {*listed}}
    return [once[weight] for weight in listed]


def over_one_unit(values: Sequence[Fraction]) -> tuple[list[int], int]:
    """Return values as integers over the least common unit."""
    unit = lcm(*{value.denominator for value in values})
    return [value.numerator * (unit // value.denominator) for value in values], unit


def _array(whole: list[int]) -> Whole:
    small = max(map(abs, whole)) < _SMALL
    return np.array(whole, dtype=np.int64 if small else object)
