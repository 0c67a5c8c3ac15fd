"""A problem as plain values that a certificate holds, and back. `docs/certificate.md` describes them."""

from __future__ import annotations

from typing import Any

from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import as_text
from optmech.question.answers import are_points
from optmech.question.graphs import categories
from optmech.question.kinds import Categories, kind_of
from optmech.question.kinds.kind import reach_of
from optmech.question.limits import StatedLimit, limit_of
from optmech.question.linear_rule import LinearRule
from optmech.question.losses import bounds_of, objective_of
from optmech.question.privacy import privacy_of
from optmech.question.problem import Problem
from optmech.question.properties import properties_of
from optmech.question.query import Query
from optmech.question.structures import structure_of


def question_of(problem: Problem) -> dict[str, Any]:
    """Return the problem as JSON values: numbers as text, positions as integers."""
    query, structure = problem.query, problem.structure
    limits = [limit for limit in problem.limits if str(limit) != "without "]
    return {
        "query": {
            "kind": query.kind,
            "parameters": query.parameters,
            "scope": str(query.scope),
            "name": query.given_name,
            "truths": [as_text(truth) for truth in query.truths],
            "responses": None
            if are_points(query.responses, query.truths)
            else [[as_text(part.lower), as_text(part.upper)] for part in query.responses],
            **_neighbours(query),
            "weights": query.weights.tolist() if query.is_weighted else [],
            "labels": list(query.labels),
        },
        "structure": structure.content,
        "privacy": [privacy.content for privacy in problem.privacies],
        "properties": sorted(map(str, problem.properties)),
        "limits": sorted(map(str, limits)),
        "objective": problem.objective.content(query, structure),
        "bounds": [bound.content(query, structure) for bound in problem.bounds],
        "rules": [rule.content for rule in problem.rules],
    }


def problem_of(question: dict[str, Any]) -> Problem:
    """Return the problem that `question_of` wrote."""
    try:
        query, structure = _query(question["query"]), structure_of(question["structure"])
        privacies = list(map(privacy_of, question["privacy"]))
        problem = Problem(
            name="certified",
            query=query,
            structure=structure,
            privacy=privacies[0],
            properties=properties_of(question["properties"]),
            objective=objective_of(question["objective"], query, structure),
            limits=frozenset(map(_limit_of, question["limits"])),
            bounds=bounds_of(question["bounds"], query, structure),
            rules=tuple(map(LinearRule.read, question["rules"])),
            further_privacy=tuple(privacies[1:]),
        )
    except (KeyError, TypeError, AttributeError, IndexError, OverflowError) as error:
        raise broken_rule("question", "have all its parts", f"an error: {error}") from None
    if question_of(problem) != question:
        message = "`question` must be as short as can be, and all its parts must be those of the question."
        raise ProblemError(message)
    return problem


def _neighbours(query: Query) -> dict[str, Any]:
    """Return the neighbours as a reach in both directions where they are one, else as pairs."""
    reach = None if query.is_weighted else reach_of(query)
    return {"reach": 0, "pairs": query.pairs.tolist()} if reach is None else {"reach": reach, "pairs": []}


def _query(content: dict[str, Any]) -> Query:
    reach, labels, weights = content["reach"], content["labels"], content["weights"]
    responses = content["responses"]
    if content["kind"] == Categories.word and 0 < reach == len(labels) - 1:
        return categories(labels)  # what else the content says is compared by the caller
    pairs = [tuple(pair) for pair in content["pairs"]]
    if weights:
        pairs = [(*pair, weight) for pair, weight in zip(pairs, weights, strict=True)]
    return Query(
        content["truths"],
        None if labels or responses is None else [tuple(ends) for ends in responses],
        neighbours=reach or pairs,
        symmetric=bool(reach),
        name=content["name"],
        labels=labels,
        kind=kind_of(content["kind"], content["parameters"]),
        scope=content["scope"],
    )


def _limit_of(text: str) -> StatedLimit:
    """Return the limit that `str` wrote."""
    limit = limit_of(text)
    if limit is None:
        raise broken_rule("limits", "begin with accuracy, within or without", repr(text))
    return limit
