"""A theorem of one's own: how often a private answer of yes or no must be wrong.

With two answers, 0 and 1, neighbours of each other, and the probability of a wrong answer as loss, the least
average loss is ``1 / (1 + e^epsilon)``: randomised response (Warner 1965).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import optmech as om
from optmech.theorems.theorem import Form, Relation, Theorem, Truth

if TYPE_CHECKING:
    from optmech.question.problem import Problem


def objection(problem: Problem) -> str | None:
    """Say why the theorem does not apply to a problem, ``None`` where it does."""
    loss = problem.least_loss
    two = problem.query.num_truths == problem.query.num_responses == 2  # noqa: PLR2004 - yes and no
    if not two or len(problem.query.pairs) != 2 or not problem.privacy.is_pure:  # noqa: PLR2004
        return "it applies to two answers under pure privacy"
    named = loss is not None and loss.loss_name == "zero-one" and not loss.is_worst
    return None if named and problem.structure.is_free else "it applies to the average probability of error"


def value(problem: Problem) -> float:
    """Return ``1 / (1 + e^epsilon)``."""
    return float(problem.objective.weights.sum()) / (1 + problem.privacy.factor)


RANDOMISED_RESPONSE = Theorem(
    name="randomised-response",
    source="Warner 1965",
    says="the least probability of a wrong answer to a question of yes or no is 1 / (1 + e^epsilon)",
    relation=Relation.EQUAL,
    truth=Truth.PROVED,
    conditions=(objection,),
    form=Form(value),
)


def main() -> None:
    """Hold the mechanism of a question of yes or no against the theorem."""
    design = om.design(om.question(om.count(1), "ln 3", loss="zero-one"))
    report = om.verify(design.mechanism, design.problem, theorems=[RANDOMISED_RESPONSE])
    assert math.isclose(design.objective, 0.25)  # noqa: S101 - what the theorem says
    print(next(row.text for row in report.theorems if row.name == RANDOMISED_RESPONSE.name))


if __name__ == "__main__":
    main()
