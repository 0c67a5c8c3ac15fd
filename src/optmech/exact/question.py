"""A problem as plain values that a certificate holds, and back. `docs/certificate.md` describes them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.errors import ProblemError
from optmech.exact.costs import exact_costs, exact_losses, exact_weights
from optmech.exact.neighbours import reach_of
from optmech.problem.epsilon import exact_epsilon
from optmech.problem.loss import loss_matrix, truth_weights
from optmech.problem.numbers import as_text, exact
from optmech.problem.objective import ExpectedLoss, LeastDelta
from optmech.problem.privacy import (
    PerOutcomePrivacy,
    ProbabilisticPrivacy,
    PurePrivacy,
    Reading,
    SymmetricRows,
)
from optmech.problem.problem import Problem
from optmech.problem.properties import Property, properties_of
from optmech.problem.query import Query
from optmech.problem.structure import FreeMatrix, ModularNoise, SymmetricNoise, ZeroBiasNoise
from optmech.property_gaps import truths_below_and_above

if TYPE_CHECKING:
    from optmech.problem.privacy import Privacy
    from optmech.problem.structure import Structure

__all__ = ["problem_of", "question_of"]


def question_of(problem: Problem) -> dict[str, Any]:
    """Return the problem as JSON values: numbers as text, positions as integers."""
    query, objective = problem.query, problem.objective
    least_delta = isinstance(objective, LeastDelta)
    bound = objective.at_most if isinstance(objective, LeastDelta) else None
    unit, costs = _costs(problem)
    row_monotone = Property.ROW_MONOTONE in problem.properties
    return {
        "query": {
            "name": query.name,
            "truths": [as_text(truth) for truth in query.truths],
            "responses": [as_text(part.midpoint) for part in query.responses],
            "categories": [[as_text(part.lower), as_text(part.upper)] for part in query.responses],
            "home": [home if home >= 0 else query.num_responses for home in query.home.tolist()],
            "row_ends": [list(ends) for ends in truths_below_and_above(query)] if row_monotone else [],
            **_neighbours(query),
        },
        "structure": _structure(problem.structure),
        "privacy": _privacy(problem.privacy),
        "properties": sorted(map(str, problem.properties)),
        "objective": {
            "least": "delta" if least_delta else "loss",
            "at_most": None if bound is None else as_text(bound),
            "unit": str(unit),
            "costs": [" ".join(map(str, row)) for row in costs],
            **_named(problem),
        },
    }


def problem_of(question: dict[str, Any]) -> Problem:
    """Return the problem that `question_of` wrote.

    Raises
    ------
    ProblemError
        If a part is missing or breaks its rule.
    """
    try:
        query = _query(question["query"])
        problem = Problem(
            name="certified",
            query=query,
            structure=_structure_of(question["structure"]),
            privacy=_privacy_of(question["privacy"]),
            properties=properties_of(question["properties"]),
            objective=_objective_of(question["objective"], query),
        )
    except (KeyError, TypeError, AttributeError, IndexError, OverflowError) as trouble:
        message = f"`question` must have all its parts; got trouble with {trouble}."
        raise ProblemError(message) from None
    if question_of(problem) != question:
        message = "`question` must agree with itself; its places or costs are not what its words say."
        raise ProblemError(message)
    return problem


def _neighbours(query: Query) -> dict[str, Any]:
    """Return the neighbours as a reach in both directions where they are one, else as pairs."""
    reach = reach_of(query)
    return {"reach": 0, "pairs": query.pairs.tolist()} if reach is None else {"reach": reach, "pairs": []}


def _query(given: dict[str, Any]) -> Query:
    reach = given["reach"]
    return Query(
        given["truths"],
        [tuple(ends) for ends in given["categories"]],
        neighbours=reach or [tuple(pair) for pair in given["pairs"]],
        symmetric=bool(reach),
        name=str(given["name"]),
    )


def _structure(structure: Structure) -> dict[str, Any]:
    match structure:
        case FreeMatrix():
            return {"kind": "free", "half_width": 0, "accuracy": "0"}
        case ModularNoise():
            return {"kind": "modular", "half_width": 0, "accuracy": "0"}
        case SymmetricNoise() | ZeroBiasNoise():
            kind = "symmetric" if isinstance(structure, SymmetricNoise) else "zero-bias"
            return {"kind": kind, "half_width": structure.half_width, "accuracy": as_text(structure.accuracy)}


def _structure_of(given: dict[str, Any]) -> Structure:
    match given["kind"]:
        case "free":
            return FreeMatrix()
        case "modular":
            return ModularNoise()
        case "symmetric":
            return SymmetricNoise(given["half_width"], given["accuracy"])
        case "zero-bias":
            return ZeroBiasNoise(given["half_width"], given["accuracy"])
    message = f"`structure.kind` must be free, modular, symmetric or zero-bias; got {given['kind']!r}."
    raise ProblemError(message)


def _privacy(privacy: Privacy) -> dict[str, Any]:
    """Return privacy; probabilistic privacy with nothing to spend is pure privacy."""
    kind, printed = "pure", False
    if isinstance(privacy, PerOutcomePrivacy):
        kind, printed = "per-outcome", privacy.rows is SymmetricRows.PAPER
    elif isinstance(privacy, ProbabilisticPrivacy) and privacy.delta != 0:
        kind, printed = "probabilistic", privacy.reading is Reading.PRINTED
    delta = Fraction(0) if isinstance(privacy, PurePrivacy) else privacy.delta
    return {
        "kind": kind,
        "printed": printed,
        "epsilon": as_text(privacy.epsilon),
        "delta": None if delta is None else as_text(delta),
    }


def _privacy_of(given: dict[str, Any]) -> Privacy:
    epsilon: Any = exact_epsilon(given["epsilon"])
    printed, delta = given["printed"], given["delta"]
    match given["kind"]:
        case "pure":
            return PurePrivacy(epsilon)
        case "per-outcome":
            return PerOutcomePrivacy(epsilon, delta, SymmetricRows.PAPER if printed else SymmetricRows.ALL)
        case "probabilistic":
            return ProbabilisticPrivacy(epsilon, delta, Reading.PRINTED if printed else Reading.DEFINITION)
    message = f"`privacy.kind` must be pure, per-outcome or probabilistic; got {given['kind']!r}."
    raise ProblemError(message)


def _costs(problem: Problem) -> tuple[int, list[list[int]]]:
    loss, shape = problem.loss, (problem.query.num_responses, problem.query.num_truths)
    if loss is None:
        return 1, np.zeros(shape, dtype=int).tolist()
    costs = exact_costs(loss, problem.query)
    return costs.scale, costs.table.tolist()


def _named(problem: Problem) -> dict[str, Any]:
    """Return loss and weights by the names that they have, or entry by entry."""
    loss, query = problem.loss, problem.query
    if loss is None:
        return {"loss": None, "weights": None}
    told: Any = loss.loss_name
    if told is None and isinstance(problem.structure, ModularNoise):
        told = {"noise": list(map(as_text, exact_losses(loss, query)[:, 0]))}
    elif told is None:
        told = {"matrix": [list(map(as_text, row)) for row in exact_losses(loss, query)]}
    weights = loss.weights_name
    return {"loss": told, "weights": weights or list(map(as_text, exact_weights(loss, query)))}


def _objective_of(given: dict[str, Any], query: Query) -> ExpectedLoss | LeastDelta:
    loss = None if given["loss"] is None else _loss_of(given["loss"], given["weights"], query)
    if given["least"] == "delta":
        bound = given["at_most"]
        return LeastDelta(loss, None if bound is None else exact(bound, "at_most"))
    if given["least"] != "loss" or loss is None:
        message = f"`objective` must be a loss or delta; got {given['least']!r}."
        raise ProblemError(message)
    return loss


def _loss_of(loss: Any, weights: Any, query: Query) -> ExpectedLoss:  # noqa: ANN401 - JSON values
    if isinstance(loss, str):
        with np.errstate(over="ignore"):  # of numbers beyond doubles: the exact loss is another matter
            entries = loss_matrix(loss, query)
    elif "noise" in loss:
        noise = np.array([_double(cost) for cost in loss["noise"]])
        size = np.arange(len(noise))
        entries = noise[(size[:, None] - size[None, :]) % len(noise)]
    else:
        entries = loss_matrix([[_double(cost) for cost in row] for row in loss["matrix"]], query)
    named = weights if isinstance(weights, str) else None
    if named is not None:
        counted = truth_weights(None if named == "sum" else named, query)
    else:
        counted = np.array([_double(weight) for weight in weights])
    if entries.shape != (query.num_responses, query.num_truths) or counted.shape != (query.num_truths,):
        message = "`objective` must have a cost for each entry and a weight for each truth; got others."
        raise ProblemError(message)
    return ExpectedLoss(
        entries, counted, loss_name=loss if isinstance(loss, str) else None, weights_name=named
    )


def _double(text: str) -> float:
    return float(exact(text, "cost"))
