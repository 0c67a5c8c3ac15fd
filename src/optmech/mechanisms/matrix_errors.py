"""Errors of a matrix at each truth: the distance of the response's midpoint from the truth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.question.loss import loss_matrix
from optmech.question.query import Query

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from optmech.base.arrays import Floats
    from optmech.mechanisms.mechanism import Mechanism

# A quantile's level is reached when the summed probabilities miss it by no more than their rounding.
LEVEL_ROUNDING = 1e-12


def moments(mechanism: Mechanism) -> tuple[Floats, Floats, Floats]:
    """Return for each truth the mean of the error, its variance and the mean of its size."""
    errors, matrix = _signed_errors(mechanism), mechanism.matrix
    bias = (errors * matrix).sum(axis=0)
    # around the mean, not E e^2 - bias^2, which cancels when the bias is large
    variance = ((errors - bias) ** 2 * matrix).sum(axis=0)
    return bias, variance, (np.abs(errors) * matrix).sum(axis=0)


def error_quantiles(mechanism: Mechanism, levels: Sequence[float], *, signed: bool) -> Floats:
    """Return the quantiles of the absolute error for each level and truth."""
    errors = _signed_errors(mechanism) if signed else np.abs(_signed_errors(mechanism))
    order = np.argsort(errors, axis=0, kind="stable")
    errors = np.take_along_axis(errors, order, axis=0)
    sums = np.cumsum(np.take_along_axis(mechanism.matrix, order, axis=0), axis=0)
    # A column may sum to a little less than one, and the level may be one.
    reached = np.minimum(np.asarray(levels)[:, None], sums[-1])[:, None, :] - LEVEL_ROUNDING
    first = (sums[None, :, :] < reached).sum(axis=1)
    quantiles: Floats = np.take_along_axis(errors, first, axis=0)
    return quantiles


def probability_within(mechanism: Mechanism, distance: Fraction) -> Floats:
    """Return for each truth the probability of a response within a distance."""
    # Distances and the limit are the nearest doubles of exact numbers, so equal numbers stay equal.
    near = loss_matrix("absolute", _grid(mechanism)) <= float(distance)
    within: Floats = (near * mechanism.matrix).sum(axis=0)
    return within


def probability_beyond(mechanism: Mechanism, distance: Fraction) -> Floats:
    """Return for each truth the probability of a response beyond a distance."""
    # Summed, not subtracted from one, so that a small probability keeps its digits.
    far = loss_matrix("absolute", _grid(mechanism)) > float(distance)
    beyond: Floats = (far * mechanism.matrix).sum(axis=0)
    return beyond


def loss_by_truth(mechanism: Mechanism, losses: Floats) -> Floats:
    """Return for each truth the mean loss, from losses at the integer distances 0, 1, ...."""
    distances = loss_matrix("absolute", _grid(mechanism)).astype(np.int64)
    means: Floats = (losses[distances] * mechanism.matrix).sum(axis=0)
    return means


def _signed_errors(mechanism: Mechanism) -> Floats:
    grid = _grid(mechanism)
    above = np.sign(grid.response_values[:, None] - grid.truth_values[None, :])
    errors: Floats = above * loss_matrix("absolute", grid)
    return errors


def _grid(mechanism: Mechanism) -> Query:
    return Query(mechanism.truths, mechanism.responses, neighbours=())
