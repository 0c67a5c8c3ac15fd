"""Candidates for the command line of a question, of which a formulation keeps one that fits.

A certificate states its question in full, and not how somebody typed it. So a candidate is a guess
from names and numbers; it stands in a report only where it makes the very same question.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from optmech.base.numbers import as_text
from optmech.question.loss import NOISE_COSTS
from optmech.question.properties import VARIANT_2

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.question.problem import Problem

Choices = dict[str, Any]


def candidates(problem: Problem) -> Iterator[tuple[str, Choices]]:
    """Yield formulations with choices that may make the problem, the plainest first.

    >>> from optmech.question.problems.croft import croft
    >>> from optmech.question.queries import count
    >>> for formulation, choices in candidates(croft(count(5), "0.5", variant=2)):
    ...     print(formulation, choices)
    croft {'query': 'count', 'range': '0:5', 'epsilon': '0.5', 'variant': 2}
    count {'range': '0:5', 'epsilon': '0.5', 'properties': ['column-monotone', 'fair', 'row-monotone',
    'symmetric'], 'prior': 'sum'}
    """
    query = problem.query.meaning.choices(problem.query)
    if query is None:
        return
    privacy, structure, loss = _privacy(problem), problem.structure, problem.objective.choices()
    numbers = {name: value for name, value in privacy.items() if name != "definition"}
    if structure.turns:
        noise = {name: value for name, value in query.items() if name != "query"}
        reading = {"reading": "printed"} if problem.privacy.printed else {}
        for cost in _costs(problem):
            yield "kadam", {**noise, **numbers, **cost, **reading}
    properties = sorted(map(str, problem.properties))
    sums, four = loss.get("prior") == "sum", properties == sorted(map(str, VARIANT_2))
    if structure.is_free and set(privacy) == {"epsilon"} and (sums or four):
        mean = {name: value for name, value in loss.items() if name in ("loss", "prior")}
        if sums:
            del mean["prior"]
        else:
            mean["prior"] = "uniform"
        demands = {"variant": 2} if four else {"properties": properties} if properties else {}
        yield "croft", {**query, **numbers, **demands, **mean}
    names = [*properties, *sorted(map(str, problem.limits))]
    further: Choices = {"properties": names} if names else {}
    if problem.bounds:
        further["bounds"] = list(map(str, problem.bounds))
    kind = query.pop("query")
    yield kind, {**query, **structure.choices(), **privacy, **further, **loss}


def _privacy(problem: Problem) -> Choices:
    """Return how privacy is typed; of several definitions those that are pairs of epsilon and delta."""
    if not problem.further_privacy:
        return problem.privacy.choices()
    pairs = [f"{as_text(one.epsilon)},{as_text(one.delta or Fraction(0))}" for one in problem.privacies]
    return {"privacy": "; ".join(pairs)}


def _costs(problem: Problem) -> Iterator[Choices]:
    """Yield what noise may cost: it is known by its entries, not by its name."""
    objective = problem.objective
    if objective.is_delta and not objective.demands:
        return
    bounds: Choices = {}
    for _, most in objective.demands:
        bounds["at_most"] = as_text(most)
    yield bounds
    for name in NOISE_COSTS:
        yield {"cost": name, **bounds}
