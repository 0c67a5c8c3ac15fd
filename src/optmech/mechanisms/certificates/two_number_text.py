"""Write and read the parts of a certificate of two numbers; see `docs/certificate.md`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.numbers import as_text, exact
from optmech.proofs.multipliers import TwoMultipliers
from optmech.proofs.two_numbers import TwoNumbers
from optmech.question.content import problem_of, question_of
from optmech.question.distance_loss import by_distance
from optmech.question.loss import loss_matrix
from optmech.question.two_costs import cost_elsewhere

if TYPE_CHECKING:
    from optmech.question.problem import Problem

_ZERO_ONE, _ELSEWHERE = "zero-one", "elsewhere"


def is_of_two_numbers(content: dict[str, Any]) -> bool:
    """Whether the matrix of a certificate is written as two numbers."""
    mechanism = content.get("mechanism")
    return isinstance(mechanism, dict) and _ELSEWHERE in mechanism


def short_question(problem: Problem) -> dict[str, Any]:
    """Return a question of two costs as JSON values, of which a loss has no matrix."""
    objective, query = problem.objective.as_loss, problem.query
    assert objective is not None  # noqa: S101 - delta is not sought
    if objective.loss_name is not None:
        return question_of(problem)
    named = replace(objective, loss=loss_matrix(_ZERO_ONE, query), loss_name=_ZERO_ONE)  # type: ignore[type-var]
    content = question_of(replace(problem, objective=named))
    content["objective"]["loss"] = {_ELSEWHERE: as_text(cost_elsewhere(problem))}  # type: ignore[arg-type]
    return content


def problem_of_two_costs(question: dict[str, Any]) -> Problem:
    """Return the problem that `short_question` wrote."""
    loss = question["objective"]["loss"]
    if not isinstance(loss, dict):
        return problem_of(question)
    (text,) = (loss[name] for name in loss if name == _ELSEWHERE)
    cost = exact(text, "cost")
    named = {**question, "objective": {**question["objective"], "loss": _ZERO_ONE}}
    problem = problem_of(named)
    objective, costs = problem.objective.as_loss, np.array([0.0, float(cost)])
    table = by_distance(costs, problem.query.num_truths)
    return replace(problem, objective=replace(objective, loss=table, loss_name=None))  # type: ignore[type-var,arg-type]


def mechanism_content(matrix: TwoNumbers) -> dict[str, str]:
    """Return the two numbers of a matrix, over their denominator."""
    numbers = {"denominator": matrix.denominator, "diagonal": matrix.home, _ELSEWHERE: matrix.other}
    return {name: str(number) for name, number in numbers.items()}


def proof_content(proof: TwoMultipliers) -> dict[str, str]:
    """Return the two multipliers, over their denominator."""
    numbers = {"denominator": proof.denominator, "privacy": proof.privacy, "total": proof.total}
    return {name: str(number) for name, number in numbers.items()}


def read_two_numbers(content: dict[str, Any], size: int) -> TwoNumbers:
    """Return the matrix that a file holds; its denominator is compared later."""
    return TwoNumbers(size, home=int(content["diagonal"]), other=int(content[_ELSEWHERE]))


def read_two_multipliers(content: dict[str, Any] | None) -> TwoMultipliers | None:
    """Return the proof that a file holds, if any."""
    if content is None:
        return None
    denominator, privacy, total = (int(content[name]) for name in ("denominator", "privacy", "total"))
    return TwoMultipliers(denominator=denominator, privacy=privacy, total=total)
