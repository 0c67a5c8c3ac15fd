"""Find the demands of an infeasible question that clash, and the changes that make it feasible.

Method
------
A set of demands is *irreducible* if it is impossible and every part of it is possible. Out of an impossible
set demands are dropped one by one while it stays impossible (a deletion filter, Chinneck and Dravnieks 1991):
the rest is irreducible. Each of its members is then dropped in turn and the rest looked at again, in a tree
(Reiter 1987), until nothing is impossible: that finds every irreducible set, and every least choice of
demands to drop. A solver decides whether demands are possible, by a program without objective: *claimed*.

Privacy is never dropped; the result says which sets clash with it, and which clash under any privacy.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.arguments import an_instance, need_text, takes
from optmech.base.errors import NoSolutionError
from optmech.base.numbers import as_text
from optmech.base.visible import quote
from optmech.base.wording import join_words
from optmech.designs.attempts import Deadline, solve
from optmech.models.formulations.assemble import assemble
from optmech.models.solution import Status
from optmech.models.solvers.options import SolveOptions, need_time
from optmech.question.losses import LeastDelta
from optmech.question.privacy import ApproximatePrivacy
from optmech.question.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.models.solution import Solution
    from optmech.models.solvers.interface import Solver, SolverName

# A larger e^epsilon is too large for a solver.
_LARGEST_EPSILON = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Clash:
    """Why a question has no mechanism, as a solver claims.

    Attributes
    ----------
    sets : tuple of tuple of str
        Demands that cannot hold together: irreducible sets, all of them.
    remedies : tuple of tuple of str
        Least choices of demands without which the question is possible, the shortest first.
    privacy : str
        The privacy that was asked.
    with_privacy : tuple of bool
        Whether each of `sets` would be possible without privacy.
    feasible_from : Fraction or None
        An epsilon from which on the whole question is possible, rounded up; ``None`` where none up to 20 is.
    solver : str
        The solver that claims it.
    """

    sets: tuple[tuple[str, ...], ...]
    remedies: tuple[tuple[str, ...], ...]
    privacy: str
    with_privacy: tuple[bool, ...]
    feasible_from: Fraction | None
    solver: str | Solver

    def __str__(self) -> str:
        sentences = [
            f"{join_words(names)} {'are infeasible together' if len(names) > 1 else 'is infeasible'} "
            + (f"with {self.privacy}" if private else "under any privacy")
            for names, private in zip(self.sets, self.with_privacy, strict=True)
        ]
        text = (
            f"{'; '.join(sentences)}. Feasible without {', or without '.join(map(join_words, self.remedies))}"
        )
        if self.feasible_from is not None:
            text += f"; all of it is feasible from epsilon = {as_text(self.feasible_from)} on"
        elif any(self.with_privacy):
            text += f"; infeasible for every epsilon up to {_LARGEST_EPSILON}"
        return f"{text} (claimed by {self.solver})"


@takes(problem=an_instance(Problem), solver=need_text, time_limit=need_time)
def clash(problem: Problem, *, solver: SolverName = "auto", time_limit: float | None = None) -> Clash | None:
    """Return the demands of a question that clash, ``None`` if it has a mechanism.

    Parameters
    ----------
    problem : Problem
        The question. Its demands are its properties, limits and bounds.
    solver : str
        The solver that decides, as for `design`.
    time_limit : float, optional
        Seconds for all programs.

    Raises
    ------
    NoSolutionError
        If the solver cannot decide, or not in time; or if the question is impossible without any demand.

    Examples
    --------
    >>> import optmech as om
    >>> problem = om.question(om.count(4), 1, properties=["fair", "accuracy >= 0.6", "row-monotone"])
    >>> print(clash(problem))  # doctest: +ELLIPSIS
    accuracy >= 0.6 is infeasible with epsilon = 1. Feasible without accuracy >= 0.6; all of it is feasible \
from epsilon = 1.333 on (claimed by highs ...)
    """
    decider = _Decider(problem, solver, Deadline.after(time_limit))
    everything = frozenset(name for name, _ in decider.demands)
    if decider.is_possible(everything):
        return None
    if not decider.is_possible(frozenset()):
        infeasible = decider.last
        frees = _freeing(decider, frozenset())
        remedy = (
            f"infeasible for every epsilon up to {_LARGEST_EPSILON}; a larger delta may help"
            if frees is None
            else f"feasible from epsilon = {as_text(frees)} on"
        )
        message = (
            f"{problem.structure} on {problem.query.title} is infeasible with {problem.privacy}, "
            f"with any other demands; {remedy} (claimed by {infeasible.solver})"
        )
        raise NoSolutionError(message, infeasible)
    sets, remedies = _sets_and_remedies(everything, decider.is_possible)
    free = replace(decider, problem=_no_privacy(problem))
    with_privacy = tuple(free.is_possible(frozenset(names)) for names in sets)
    return Clash(
        sets=tuple(sets),
        remedies=tuple(remedies),
        privacy=str(problem.privacy),
        with_privacy=with_privacy,
        feasible_from=_freeing(decider, everything) if all(with_privacy) else None,
        solver=decider.last.solver,
    )


def _sets_and_remedies(
    everything: frozenset[str], is_possible: Callable[[frozenset[str]], bool]
) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    sets: list[tuple[str, ...]] = []
    remedies: list[frozenset[str]] = []
    waiting: deque[frozenset[str]] = deque([frozenset()])  # what is dropped; fewer first
    visited = {frozenset[str]()}
    while waiting:
        without = waiting.popleft()
        if any(remedy <= without for remedy in remedies):
            continue
        rest = everything - without
        core = next((names for names in sets if rest.issuperset(names)), None)
        if core is None:
            if is_possible(rest):
                remedies.append(without)
                continue
            core = irreducible(rest, is_possible)
            sets.append(core)
        for name in core:
            more = without | {name}
            if more not in visited:
                visited.add(more)
                waiting.append(more)
    return sets, [tuple(sorted(remedy)) for remedy in remedies]


def irreducible(names: frozenset[str], is_possible: Callable[[frozenset[str]], bool]) -> tuple[str, ...]:
    """Return a part of impossible demands that is impossible, and no part of which is."""
    demands = names
    for name in sorted(names):
        if not is_possible(demands - {name}):
            demands -= {name}
    return tuple(sorted(demands))


@dataclass(slots=True, eq=False)
class _Decider:
    """The claims of a solver about parts of a question, one solve for each."""

    problem: Problem
    solver: str | Solver
    deadline: Deadline
    demands: list[tuple[str, object]] = field(init=False)
    solutions: dict[frozenset[str], Solution] = field(init=False, default_factory=dict)
    last: Solution = field(init=False)

    def __post_init__(self) -> None:
        self.demands = demands_of(self.problem)

    def is_possible(self, names: frozenset[str]) -> bool:
        """Whether the question with these of its demands has a mechanism."""
        if names not in self.solutions:
            dropped = [demand for name, demand in self.demands if name not in names]
            self.solutions[names] = _feasibility(
                without_demands(self.problem, dropped), self.solver, self.deadline
            )
        self.last = self.solutions[names]
        return self.last.status is Status.OPTIMAL


def demands_of(problem: Problem) -> list[tuple[str, object]]:
    """Return each demand with its name, which the rows of one rule share."""
    demands: list[tuple[str, object]] = [(str(each), each) for each in (*problem.properties, *problem.limits)]
    for number, bound in enumerate(problem.bounds, start=1):
        # Losses given as matrices have no names of their own.
        is_new = all(name != str(bound) for name, _ in demands)
        demands.append((str(bound) if is_new else f"{bound} (bound {number})", bound))
    demands += [(f"rule {quote(rule.name)}", rule) for rule in problem.rules]
    if problem.bounded_cost is not None:
        demands.append((f"cost <= {as_text(problem.bounded_cost.at_most)}", problem.objective))
    return demands


def without_demands(problem: Problem, dropped: list[object]) -> Problem:
    """Return the question without some of its demands, compared by identity."""

    def is_kept(demand: object) -> bool:
        return not any(demand is other for other in dropped)

    return replace(
        problem,
        properties=frozenset(filter(is_kept, problem.properties)),
        limits=frozenset(filter(is_kept, problem.limits)),
        bounds=tuple(filter(is_kept, problem.bounds)),
        rules=tuple(filter(is_kept, problem.rules)),
        objective=problem.objective if is_kept(problem.objective) else LeastDelta(),
    )


def _no_privacy(problem: Problem) -> Problem:
    """Return the problem with a privacy that forbids nothing: whichever delta it takes."""
    return replace(
        problem,
        privacy=ApproximatePrivacy(problem.privacy.epsilon),
        further_privacy=(),
        objective=problem.objective if problem.least_loss is None else LeastDelta(),
    )


def _feasibility(problem: Problem, solver: str | Solver, deadline: Deadline) -> Solution:
    """Return the solver's claim on the question's program without an objective."""
    model = assemble(problem).model
    solution = solve(
        replace(model, cost=np.zeros(model.num_columns), offset=0.0), solver, deadline.within(SolveOptions())
    )
    if solution.status not in (Status.OPTIMAL, Status.INFEASIBLE):
        message = f"whether {problem.query.title} has a mechanism is not decided: {solution.status}."
        raise NoSolutionError(message, solution)
    return solution


def _freeing(decider: _Decider, everything: frozenset[str]) -> Fraction | None:
    problem = decider.problem

    def at(epsilon: Fraction) -> bool:
        eased = problem.with_privacy(problem.privacy.at(epsilon))
        return replace(decider, problem=eased).is_possible(everything)

    low, high = Fraction(str(round(float(problem.privacy.epsilon), 6))), Fraction(_LARGEST_EPSILON)
    if low >= high or not at(high):
        return None
    while (middle := Fraction(f"{float(low + high) / 2:.4g}")) not in (low, high):
        low, high = (low, middle) if at(middle) else (middle, high)
    return high
