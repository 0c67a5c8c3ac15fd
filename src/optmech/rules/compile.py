"""Compile a question into blocks of constraints; no other module does it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import groupby
from math import lcm
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.blocks import Bound, Total
from optmech.base.errors import NotAcceptedError
from optmech.question.properties import PROPERTIES
from optmech.rules.quantities import CompiledLoss
from optmech.rules.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.blocks import Demand
    from optmech.question.linear_rule import LinearRule
    from optmech.question.problem import Problem


def compile_rules(problem: Problem) -> Rules:
    """Return the constraints of a problem on the entries of a matrix.

    A ProblemError refuses a program that a paper prints and its definition does not ask.
    """
    problem.need_definition()
    query, loss = problem.query, problem.objective.as_loss
    costs = (
        CompiledLoss(name="expected cost", definition=cost, query=query, at_most=most)
        for cost, most in problem.objective.demands
    )
    return Rules(
        problem=problem,
        name=problem.name,
        shape=(query.num_responses, query.num_truths),
        home=query.home,
        structural=tuple(problem.structure.blocks(query)),
        demands=tuple(_demands(problem)),
        privacy=tuple(
            block for privacy in problem.privacies for block in privacy.blocks(query, problem.structure)
        ),
        objective=None if loss is None else CompiledLoss(name="objective", definition=loss, query=query),
        bounds=tuple(
            CompiledLoss(name=str(bound), definition=bound.loss, query=query, at_most=bound.at_most)
            for bound in problem.bounds
        ),
        cost=next(costs, None),
        envelopes=tuple(
            partial(each.envelope, query=query) for each in PROPERTIES if each in problem.properties
        ),
        columns=partial(problem.structure.columns, query),
    )


def _demands(problem: Problem) -> Iterator[Demand]:
    query = problem.query
    homely = sorted(demand for demand in problem.properties if demand.of_homes)
    if homely and (query.home < 0).any():
        truth = query.truths[int(np.argmax(query.home < 0))]
        message = (
            f"{' and '.join(homely)} needs every truth inside a response; {truth} is in none. "
            "Widen the responses until they cover the truths."
        )
        raise NotAcceptedError(message)
    for each in PROPERTIES:
        if each in problem.properties:
            for block in each.blocks(query):
                yield replace(block, violation=block.violation or f"the matrix is not {each}")
    for limit in sorted(problem.limits, key=str):
        yield from limit.blocks(query)
    runs = groupby(enumerate(problem.rules), key=lambda pair: pair[1].is_equation)
    for is_equation, rules in runs:
        yield _rule_block(list(rules), query.num_truths, is_equation=is_equation)


def _rule_block(rules: list[tuple[int, LinearRule]], num_truths: int, *, is_equation: bool) -> Total | Bound:
    """Return linear rules of one sense, in the order of the question, as one block."""
    rows = [index for index, (_, rule) in enumerate(rules) for _ in rule.entries]
    entries = [row * num_truths + truth for _, rule in rules for row, truth, _ in rule.entries]
    values = [value for _, rule in rules for _, _, value in rule.entries]
    scale = lcm(*(value.denominator for value in values))
    block = Total if is_equation else Bound
    return block(
        name=f"rules_{rules[0][0]}",
        subscripts=np.array([[number] for number, _ in rules]),
        rows=np.array(rows),
        entries=np.array(entries),
        coefficients=np.array([int(value * scale) for value in values], dtype=object),
        scale=scale,
        right=np.array([rule.right for _, rule in rules], dtype=object),
    )
