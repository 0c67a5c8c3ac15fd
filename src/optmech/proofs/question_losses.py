"""What is to be least, and which losses are bounded, as plain values that a certificate holds, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.errors import ProblemError
from optmech.base.numbers import as_text, exact
from optmech.question.costs import exact_costs, exact_losses, exact_weights
from optmech.question.loss import loss_matrix, loss_name, noise_cost, truth_weights
from optmech.question.objective import ExpectedLoss, LeastDelta, LossBound, WorstLoss
from optmech.question.structures import ModularNoise

if TYPE_CHECKING:
    from optmech.question.objective import Objective
    from optmech.question.problem import Problem
    from optmech.question.query import Query
    from optmech.question.structures import Structure

__all__ = ["bounds_of", "bounds_text", "objective_of", "objective_text"]


def objective_text(problem: Problem) -> dict[str, Any]:
    """Return what is to be least as JSON values."""
    objective = problem.objective
    sought = isinstance(objective, LeastDelta)
    bound = objective.at_most if isinstance(objective, LeastDelta) else None
    loss = objective.cost if isinstance(objective, LeastDelta) else objective
    return {
        "least": "delta" if sought else "loss",
        "at_most": None if bound is None else as_text(bound),
        **_loss_text(problem, loss),
        "worst": isinstance(objective, WorstLoss),
    }


def bounds_text(problem: Problem) -> list[dict[str, Any]]:
    """Return the bounded losses as JSON values."""
    return [
        {
            "worst": isinstance(bound.loss, WorstLoss),
            "at_most": as_text(bound.at_most),
            **_loss_text(problem, bound.loss),
        }
        for bound in problem.bounds
    ]


def objective_of(given: dict[str, Any], query: Query, structure: Structure) -> Objective:
    """Return what `objective_text` wrote.

    Raises
    ------
    ProblemError
        If a part is missing or breaks its rule.
    """
    worst = bool(given["worst"])
    loss = None if given["loss"] is None else _loss_of(given, query, structure, worst=worst)
    if given["least"] == "delta" and not isinstance(loss, WorstLoss):
        bound = given["at_most"]
        return LeastDelta(loss, None if bound is None else exact(bound, "at_most"))
    if given["least"] != "loss" or loss is None:
        message = f"`objective` must be a loss or delta; got {given['least']!r}."
        raise ProblemError(message)
    return loss


def bounds_of(given: list[dict[str, Any]], query: Query, structure: Structure) -> tuple[LossBound, ...]:
    """Return what `bounds_text` wrote.

    Raises
    ------
    ProblemError
        As `objective_of`.
    """
    return tuple(
        LossBound(
            _loss_of(bound, query, structure, worst=bool(bound["worst"])), exact(bound["at_most"], "at_most")
        )
        for bound in given
    )


def _loss_text(problem: Problem, loss: ExpectedLoss | WorstLoss | None) -> dict[str, Any]:
    """Return costs as whole numbers, and loss and weights by the names that they have, or entry by entry."""
    query = problem.query
    if loss is None:
        zeros = " ".join(["0"] * query.num_truths)
        return {"unit": "1", "costs": [zeros] * query.num_responses, "loss": None, "weights": None}
    costs, told = exact_costs(loss.at_each_truth(), query), _told(problem, loss)
    return {
        "unit": str(costs.scale),
        "costs": [" ".join(map(str, row)) for row in costs.table.tolist()],
        **told,
    }


def _told(problem: Problem, loss: ExpectedLoss | WorstLoss) -> dict[str, Any]:
    query = problem.query
    each = loss.at_each_truth() if isinstance(loss, WorstLoss) else loss
    told: Any = each.loss_name
    if told is None:
        losses, structure = exact_losses(each, query), problem.structure
        told = {"matrix": [list(map(as_text, row)) for row in losses]}
        # Costs that do not wrap around with the noise are no costs of noise.
        if (
            isinstance(structure, ModularNoise)
            and (losses[structure.noise(query.num_truths), 0] == losses).all()
        ):
            told = {"noise": list(map(as_text, losses[:, 0]))}
    if isinstance(loss, WorstLoss):
        return {"loss": told, "weights": None}
    return {"loss": told, "weights": each.weights_name or list(map(as_text, exact_weights(each, query)))}


def _loss_of(
    given: dict[str, Any], query: Query, structure: Structure, *, worst: bool
) -> ExpectedLoss | WorstLoss:
    loss, weights = given["loss"], given["weights"]
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
    named = weights if isinstance(weights, str) else None
    if named is not None:
        counted = truth_weights(None if named == "sum" else named, query)
    else:
        counted = truth_weights([_double(weight) for weight in weights], query)
    if entries.shape != shape or counted.shape != shape[1:]:
        message = "`objective` must have a cost for each entry and a weight for each truth; got others."
        raise ProblemError(message)
    return ExpectedLoss(entries, counted, loss_name=name, weights_name=named)


def _double(text: str) -> float:
    return float(exact(text, "cost"))
