"""What a response costs at a truth, without rounding.

A loss that has a name is computed anew from the exact grid; entries that were given as doubles stand for the
shortest decimal that reads back to them, as all numbers of a question do.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.problem.numbers import exact

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.problem.objective import ExpectedLoss
    from optmech.problem.query import Query

    Integers = NDArray[Any]

__all__ = ["ExactCosts", "exact_costs", "exact_losses", "exact_weights"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactCosts:
    """Loss times weight of each entry, as whole numbers over one scale.

    Attributes
    ----------
    table : ndarray of int, shape (num_responses, num_truths)
        Python integers.
    scale : int
        ``table / scale`` is the cost.
    """

    table: Integers
    scale: int

    def of(self, numerators: Integers, denominator: int) -> Fraction:
        """Return the objective of the matrix ``numerators / denominator``."""
        return Fraction(int((self.table * numerators).sum()), self.scale * denominator)


def exact_costs(objective: ExpectedLoss, query: Query) -> ExactCosts:
    """Return what `objective` charges for each entry of a mechanism matrix of `query`."""
    losses, loss_scale = _over_one_scale(exact_losses(objective, query))
    weights, weight_scale = _over_one_scale(exact_weights(objective, query))
    return ExactCosts(table=losses * weights[None, :], scale=loss_scale * weight_scale)


def exact_losses(objective: ExpectedLoss, query: Query) -> Integers:
    """Return the loss of each entry as fractions, shape (num_responses, num_truths)."""
    if objective.loss_name is None:
        return _fractions(objective.loss)
    responses = np.array([response.midpoint for response in query.responses], dtype=object)
    distances: Integers = np.abs(responses[:, None] - np.array(query.truths, dtype=object)[None, :])
    match objective.loss_name:
        case "absolute":
            return distances
        case "squared":
            squares: Integers = distances * distances
            return squares
        case _:  # zero-one
            elsewhere = query.home[None, :] != np.arange(query.num_responses)[:, None]
            losses: Integers = elsewhere * Fraction(1)
            return losses


def exact_weights(objective: ExpectedLoss, query: Query) -> Integers:
    """Return the weight of each truth as fractions, shape (num_truths,)."""
    match objective.weights_name:
        case "sum":
            return np.full(query.num_truths, Fraction(1), dtype=object)
        case "uniform":
            return np.full(query.num_truths, Fraction(1, query.num_truths), dtype=object)
        case _:
            return _fractions(objective.weights)


def _fractions(array: NDArray[np.float64]) -> Integers:
    flat = [exact(value, "cost") for value in array.ravel().tolist()]
    made = np.empty(len(flat), dtype=object)
    made[:] = flat
    return made.reshape(array.shape)


def _over_one_scale(fractions: Integers) -> tuple[Integers, int]:
    scale = lcm(*{value.denominator for value in fractions.ravel().tolist()})
    whole = [value.numerator * (scale // value.denominator) for value in fractions.ravel().tolist()]
    made = np.empty(len(whole), dtype=object)
    made[:] = whole
    return made.reshape(fractions.shape), scale
