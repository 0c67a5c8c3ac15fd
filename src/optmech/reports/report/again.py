"""How a question may be typed again: candidates, of which who knows the formulations keeps one that fits.

A certificate states its question in full, and not how somebody typed it. So what is found here is a guess
from names and numbers; it stands in a report only where it makes the very same question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optmech.base.numbers import as_text
from optmech.question.kinds import Categories, Count, Extremum, Mean, Residues, Vector
from optmech.question.loss import NOISE_COSTS
from optmech.question.objective import LeastDelta, WorstLoss
from optmech.question.privacy import (
    PerOutcomePrivacy,
    ProbabilisticPrivacy,
    PurePrivacy,
    Reading,
)
from optmech.question.structures import FreeMatrix, ModularNoise, SymmetricNoise

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.question.problem import Problem
    from optmech.question.query import Query

__all__ = ["candidates"]

Choices = dict[str, Any]


def candidates(problem: Problem) -> Iterator[tuple[str, Choices]]:
    """Yield formulations with choices that may make the problem, the plainest first.

    Examples
    --------
    >>> from optmech.question.problems.croft import croft
    >>> from optmech.question.queries import count
    >>> for formulation, choices in candidates(croft(count(5), "0.5", variant=2)):
    ...     print(formulation, choices)
    croft {'query': 'count', 'range': '0:5', 'epsilon': '0.5', 'variant': 2}
    question {'query': 'count', 'range': '0:5', 'epsilon': '0.5', 'properties': ['column-monotone', 'fair',
    'row-monotone', 'symmetric'], 'prior': 'sum'}
    """
    query = _query(problem.query)
    if query is None:
        return
    privacy, structure = _privacy(problem), problem.structure
    if query["query"] in ("residues", "vector"):
        noise = {name: value for name, value in query.items() if name != "query"}
        for cost in _costs(problem):
            yield "kadam", {**noise, **privacy, **cost, **_reading(problem)}
    properties = sorted(map(str, problem.properties))
    loss = _loss(problem)
    if isinstance(structure, FreeMatrix) and set(privacy) == {"epsilon"}:
        mean = {name: value for name, value in loss.items() if name in ("loss", "prior")}
        if mean.get("prior") == "sum":
            del mean["prior"]
        else:
            mean["prior"] = "uniform"
        four = ["column-monotone", "fair", "row-monotone", "symmetric"]
        asked = {"variant": 2} if properties == four else {"properties": properties} if properties else {}
        yield "croft", {**query, **privacy, **asked, **mean}
    noisy: Choices = {}
    if not isinstance(structure, FreeMatrix):
        noisy["structure"] = "modular"
        if not isinstance(structure, ModularNoise):
            noisy = {
                "structure": "symmetric" if isinstance(structure, SymmetricNoise) else "zero-bias",
                "half_width": structure.content["half_width"],
                "accuracy": structure.content["accuracy"],
            }
    wanted = [*properties, *sorted(map(str, problem.limits))]
    further: Choices = {"properties": wanted} if wanted else {}
    if problem.bounds:
        further["bounds"] = list(map(str, problem.bounds))
    yield "question", {**query, **noisy, **privacy, **_definition(problem), **further, **loss}


def _query(query: Query) -> Choices | None:
    """Return how the kind of the query is typed, ``None`` for one that cannot be."""
    match query.meaning:
        case Count(smallest, largest, records) | Mean(_, smallest, largest, records):
            choices: Choices = {"query": query.kind, "range": f"{smallest}:{largest}"}
            choices |= {"records": query.parameters["records"]} if query.kind == "mean" else {}
            return choices | ({"records_per_person": records} if records > 1 else {})
        case Extremum(smallest, largest):
            return {"query": "extremum", "range": f"{smallest}:{largest}"}
        case Residues() | Vector():
            one_sided = {} if query.symmetric else {"symmetric": False}
            return {"query": query.kind, **query.parameters, **_steps(query), **one_sided}
        case Categories() if not query.is_weighted:
            if all("," not in label and label == label.strip() for label in query.labels):
                return {"query": "categories", "categories": list(query.labels)}
    return None


def _steps(query: Query) -> Choices:
    """Return the distances of vectors both ways: one vector alone would be typed like a list of numbers."""
    if not isinstance(query.meaning, Vector):
        return {}
    sizes, steps = query.moduli, {*query.meaning.distances}
    if query.symmetric:
        steps |= {tuple(-by % size for by, size in zip(step, sizes, strict=True)) for step in steps}
    return {"distances": sorted(map(list, steps))}


def _privacy(problem: Problem) -> Choices:
    privacy = problem.privacy
    found: Choices = {"epsilon": as_text(privacy.epsilon)}
    if not isinstance(privacy, PurePrivacy) and privacy.delta:
        found["delta"] = as_text(privacy.delta)
    return found


def _definition(problem: Problem) -> Choices:
    privacy = problem.privacy
    kind = {PerOutcomePrivacy: "per-outcome", ProbabilisticPrivacy: "probabilistic"}.get(type(privacy))
    return {"definition": kind} if kind else {}


def _reading(problem: Problem) -> Choices:
    printed = getattr(problem.privacy, "reading", None) is Reading.PRINTED
    return {"reading": "printed"} if printed else {}


def _costs(problem: Problem) -> Iterator[Choices]:
    objective = problem.objective
    bounded: Choices = {}
    if isinstance(objective, LeastDelta):
        if objective.at_most is None:
            return
        bounded = {"at_most": as_text(objective.at_most)}
    yield bounded
    for name in NOISE_COSTS:
        yield {"cost": name, **bounded}


def _loss(problem: Problem) -> Choices:
    objective = problem.objective
    if isinstance(objective, LeastDelta):
        return {"least": "delta"}
    name = objective.loss_name
    found: Choices = {} if name in (None, "absolute") else {"loss": name}
    if isinstance(objective, WorstLoss):
        return {**found, "worst_case": True}
    return {**found, "prior": "sum"} if objective.weights_name == "sum" else found
