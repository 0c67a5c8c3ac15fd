"""A target on the error of an answer, such as ``within 3 with 95 %``."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import as_text, exact
from optmech.question.problems.question import bound

if TYPE_CHECKING:
    from optmech.base.numbers import Number
    from optmech.question.problem import Problem

_FORM = re.compile(
    r"within\s+(?P<distance>\S+)\s+with\s+(?:probability\s+)?(?P<share>[^\s%]+)\s*(?P<percent>%?)"
    r"\s*(?P<mean>on\s+average)?"
)
_REMEDY = (
    "Write such as 'within 3 with 95 %' or 'within 3 with probability 0.95', with 'on average' behind it."
)


def question_within(problem: Problem, target: Number | None) -> tuple[Problem, Number | None]:
    """Return the question whose loss is that of a target ``within 3 with 95 %``, and the target as a number.

    The error is within 3 with that probability at every true answer; with ``on average`` behind it averaged
    as the question averages. Other targets are returned as they are, with the question.

    Raises
    ------
    ProblemError
        If the text has another form, its numbers break their rules, or the question minimises delta.

    Examples
    --------
    >>> from optmech.question.problems.question import question
    >>> from optmech.question.queries import count
    >>> asked, target = question_within(question(count(20), 1), "within 3 with 95 %")
    >>> print(asked.objective, asked.objective.loss_name, target)
    least expected loss at the worst truth beyond 3 1/20
    """
    text = str(target).strip()
    if not text.startswith("within"):
        return problem, target
    match = _FORM.fullmatch(text)
    if match is None:
        raise broken_rule("target", "say a distance and a probability", repr(text), _REMEDY)
    distance = exact(match["distance"], "target")
    share = exact(match["share"], "target") / (100 if match["percent"] else 1)
    if distance < 0 or not 0 < share < 1:
        raise broken_rule(
            "target", "have a distance of zero or more, and a probability above 0 and below 1", repr(text)
        )
    if problem.least_loss is None:
        message = (
            f"`target` must be a number where delta is least; got {text!r}. It is the delta that will do."
        )
        raise ProblemError(message)
    query, miss = problem.query, 1 - share
    is_worst = match["mean"] is None
    larger = bound(
        query, f"beyond {as_text(distance)}", miss, worst_case=is_worst, structure=problem.structure
    ).loss
    averaged = problem.loss
    if is_worst or averaged is None:
        return replace(problem, objective=larger), miss
    mean = replace(averaged, loss=larger.loss, loss_name=larger.loss_name)
    return replace(problem, objective=mean), miss * (query.num_truths if mean.weights_name == "sum" else 1)
