"""One optimum against one theorem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from optmech.arguments import Word
from optmech.engines.design import solved
from optmech.errors import NoSolutionError
from optmech.problem.privacy import PurePrivacy
from optmech.theorems.registry import THEOREMS
from optmech.theorems.theorem import Relation, Truth

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.crosscheck.grid import Case
    from optmech.problem.problem import Problem
    from optmech.theorems.theorem import Theorem

__all__ = ["Row", "Verdict", "compared", "crosscheck", "optimum_of"]

# A solver keeps rows within 1e-9; an objective moves by that times its dual, seldom more than a hundred.
_ROUNDING = 1e-7
# Where n * epsilon is above 10, entries lie below what a solver resolves; its objective is off by so much.
_STEEP, _STEEP_ROUNDING = 10.0, 1e-5


class Verdict(Word):
    """What a comparison shows."""

    AGREES = "agrees"
    FAILS = "FAILS"
    FALSE_AS_PRINTED = "false as printed"
    NO_ANSWER = "no answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the table.

    Attributes
    ----------
    optimum, closed_form : float
        The model's optimum as *recomputed* from the solver's answer, and the theorem's value. Both NaN
        where no solver had an answer.
    difference : float
        ``optimum - closed_form``.
    """

    family: str
    instance: str
    theorem: str
    optimum: float
    closed_form: float
    difference: float
    relation: Relation
    verdict: Verdict
    note: str = ""


def crosscheck(case: Case, solver: str = "auto") -> Iterator[Row]:
    """Yield a row for each theorem that speaks of the case's problem; none if no theorem does."""
    problem = case.ask()
    speaking = [theorem for theorem in THEOREMS if theorem.objection(problem) is None]
    if not speaking:
        return
    optimum, trouble = optimum_of(problem, solver)
    for theorem in speaking:
        yield compared(case, problem, theorem, optimum, trouble)


def optimum_of(problem: Problem, solver: str = "auto") -> tuple[float, str]:
    """Return the model's optimum and no trouble, or NaN and why no solver had an answer."""
    try:
        return solved(problem, solver=solver).objective, ""
    except NoSolutionError as trouble:
        return float("nan"), str(trouble)


def compared(case: Case, problem: Problem, theorem: Theorem, optimum: float, trouble: str = "") -> Row:
    """Return the row of one theorem that speaks of the problem.

    A closed form that ends in an exception fails, whatever the exception; the row says which it was.
    """
    try:
        value, error = float(theorem.value(problem)), ""
    except Exception as wrong:  # noqa: BLE001 - a table of many rows goes on
        value, error = float("nan"), f"{type(wrong).__name__}: {wrong}"
    if trouble:
        verdict, note = Verdict.NO_ANSWER, trouble
    elif _holds(theorem.relation, optimum - value, _rounding(problem, optimum)):
        verdict, note = Verdict.AGREES, ""
    elif theorem.truth is Truth.FALSE:
        verdict, note = Verdict.FALSE_AS_PRINTED, theorem.counter_example
    else:
        verdict, note = Verdict.FAILS, error
    return Row(
        family=case.family,
        instance=case.instance,
        theorem=theorem.name,
        optimum=optimum,
        closed_form=value,
        difference=optimum - value,
        relation=theorem.relation,
        verdict=verdict,
        note=note,
    )


def _holds(relation: Relation, difference: float, rounding: float) -> bool:
    if relation is Relation.EQUAL:
        return abs(difference) <= rounding
    return difference >= -rounding if relation is Relation.AT_MOST else difference <= rounding


def _rounding(problem: Problem, optimum: float) -> float:
    """Return by how much a solver's optimum may be off."""
    steep = problem.query.num_truths * float(problem.privacy.epsilon) > _STEEP
    relative = _STEEP_ROUNDING if steep and isinstance(problem.privacy, PurePrivacy) else _ROUNDING
    return relative * max(1.0, abs(optimum))
