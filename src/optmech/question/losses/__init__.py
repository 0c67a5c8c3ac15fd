"""Quantities to minimise or bound: expected losses, worst losses, delta; and their words in a certificate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.errors import broken_rule
from optmech.base.numbers import exact
from optmech.question.loss import loss_matrix, loss_name, noise_cost
from optmech.question.losses.expected import ExpectedLoss, WorstLoss
from optmech.question.losses.least_delta import LeastDelta, LossBound
from optmech.question.losses.objective import Loss, Objective
from optmech.question.structures import ModularNoise

if TYPE_CHECKING:
    from optmech.question.query import Query
    from optmech.question.structures import Structure

__all__ = [
    "OBJECTIVES",
    "ExpectedLoss",
    "LeastDelta",
    "Loss",
    "LossBound",
    "Objective",
    "WorstLoss",
    "bounds_of",
    "objective_of",
]

OBJECTIVES: tuple[type[Objective], ...] = (ExpectedLoss, WorstLoss, LeastDelta)
"""Every objective."""


def objective_of(content: dict[str, Any], query: Query, structure: Structure) -> Objective:
    """Return the objective that a certificate states."""
    worst = bool(content["worst"])
    loss = None if content["loss"] is None else _loss_of(content, query, structure, worst=worst)
    if content["least"] == "delta" and not isinstance(loss, WorstLoss):
        bound = content["at_most"]
        return LeastDelta(loss, None if bound is None else exact(bound, "at_most"))
    if content["least"] != "loss" or loss is None:
        raise broken_rule("objective", "be a loss or delta", repr(content["least"]))
    return loss


def bounds_of(contents: list[dict[str, Any]], query: Query, structure: Structure) -> tuple[LossBound, ...]:
    """Return the bounds on losses that a certificate states."""
    return tuple(
        LossBound(
            _loss_of(bound, query, structure, worst=bool(bound["worst"])), exact(bound["at_most"], "at_most")
        )
        for bound in contents
    )


def _loss_of(
    content: dict[str, Any], query: Query, structure: Structure, *, worst: bool
) -> ExpectedLoss | WorstLoss:
    loss, weights = content["loss"], content["weights"]
    if isinstance(loss, str):
        with np.errstate(over="ignore"):  # of numbers beyond doubles: the exact loss is another matter
            entries = loss_matrix(loss, query)
    elif "noise" in loss:
        noise = noise_cost([_double(cost) for cost in loss["noise"]], len(loss["noise"]))
        shape_of_noise = structure if isinstance(structure, ModularNoise) else ModularNoise()
        entries = noise[shape_of_noise.noise(len(noise))]
    else:
        entries = loss_matrix([[_double(cost) for cost in row] for row in loss["matrix"]], query)
    name = loss_name(loss, query) if isinstance(loss, str) else None
    shape = (query.num_responses, query.num_truths)
    if worst and weights is None and entries.shape == shape:
        return WorstLoss(entries, name)
    expected_loss = ExpectedLoss.under(None if weights == "sum" else weights, query, entries, name)
    if entries.shape != shape:
        raise broken_rule("objective", "have a cost for each entry and a weight for each truth", "others")
    return expected_loss


def _double(text: str) -> float:
    return float(exact(text, "cost"))
