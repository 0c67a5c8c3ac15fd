"""One optimum against one theorem."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.base.arguments import Word
from optmech.base.errors import NoSolutionError
from optmech.designs.chain.theorem import CHAIN
from optmech.designs.design import solved_design
from optmech.models.solution import Status
from optmech.theorems.consistency import Bracket, applicable_theorems, theorem_row
from optmech.theorems.registry import THEOREMS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.models.solvers.interface import SolverName
    from optmech.question.problem import Problem
    from optmech.theorems.theorem import Relation, Theorem
    from optmech.verify.crosscheck.grid import Case

# A solver keeps rows within 1e-9; an objective moves by that times its dual, seldom more than a hundred.
_ROUNDING = 1e-7
# Where n * epsilon is above 10, entries lie below what a solver resolves; its objective is off by so much.
_STEEP, _STEEP_ROUNDING = 10.0, 1e-5


class CrosscheckVerdict(Word):
    """The verdict of a comparison."""

    AGREES = "agrees"
    FAILS = "FAILS"
    FALSE_AS_PRINTED = "false as printed"
    NO_ANSWER = "no answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class CrosscheckRow:
    """One line of the table."""

    family: str
    instance: str
    theorem: str
    optimum: float
    """*Recomputed* from the solver's answer; like the value of the theorem NaN where there was none."""
    closed_form: float
    difference: float
    """``optimum - closed_form``."""
    relation: Relation
    verdict: CrosscheckVerdict
    note: str = ""


def crosscheck(
    case: Case, solver: SolverName = "auto", time_limit: float | None = None
) -> Iterator[CrosscheckRow]:
    """Yield a row for each theorem that applies to the case's problem; none if no theorem does.

    Its program gets `time_limit` seconds, if that is given.
    """
    problem = case.ask()
    speaking = applicable_theorems(problem, (*THEOREMS, CHAIN))
    if not speaking:
        return
    optimum, reason = optimum_of(problem, solver, time_limit)
    for theorem in speaking:
        yield comparison(case, problem, theorem, optimum, reason)


def optimum_of(
    problem: Problem, solver: SolverName = "auto", time_limit: float | None = None
) -> tuple[float, str]:
    """Return the model's optimum and no reason, or NaN and the reason why no solver had an answer."""
    try:
        solved = solved_design(problem, solver=solver, time_limit=time_limit)
    except NoSolutionError as error:
        return float("nan"), str(error)
    if solved.solution.status is Status.LIMIT:
        return float("nan"), "the time limit stopped the solver before an optimum was found. Raise it."
    return solved.objective, ""


def comparison(
    case: Case, problem: Problem, theorem: Theorem, optimum: float, reason: str = ""
) -> CrosscheckRow:
    """Return the row of one theorem that applies to the problem.

    A closed form that ends in an exception fails; the row names the exception.
    """
    optimum_is = Fraction(0) if reason else Fraction(optimum)
    bracket = Bracket(
        upper=optimum_is, lower=optimum_is, rounding=_rounding(problem, optimum_is), reason=reason
    )
    # The solver's optimum is a double: its rounding is wider than that of a formula in doubles.
    row = theorem_row(theorem, problem, bracket, in_doubles=True)
    if reason:
        verdict, note = CrosscheckVerdict.NO_ANSWER, reason
    elif row.holds:
        verdict, note = CrosscheckVerdict.AGREES, ""
    elif row.is_false_as_printed:
        verdict, note = CrosscheckVerdict.FALSE_AS_PRINTED, theorem.counter_example
    else:
        verdict, note = CrosscheckVerdict.FAILS, row.text
    return CrosscheckRow(
        family=case.family,
        instance=case.instance,
        theorem=theorem.name,
        optimum=optimum,
        closed_form=row.number,
        difference=optimum - row.number,
        relation=theorem.relation,
        verdict=verdict,
        note=note,
    )


def _rounding(problem: Problem, optimum: Fraction) -> Fraction:
    """Return the possible error of a solver's optimum."""
    steep = problem.query.num_truths * float(problem.privacy.epsilon) > _STEEP
    relative = _STEEP_ROUNDING if steep and problem.privacy.is_pure else _ROUNDING
    return Fraction(relative) * max(Fraction(1), abs(optimum))
