"""One backend's answer to one problem, and its exact verdict.

The backend is asked once: no second method, no second solver, no tidying. Its matrix is taken as it is, zeros
beside positive entries included, then repaired, and its own duals are made a proof.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.designs.attempts import solve
from optmech.designs.branch import search
from optmech.designs.closed_form import priced_by_theorem
from optmech.designs.duals import leaf_of_duals
from optmech.designs.repair.repair import repair
from optmech.designs.repair.rounding import BITS
from optmech.models.formulations.assemble import assemble
from optmech.models.solvers.options import SolveOptions
from optmech.proofs.bound import NotAProofError, proved_bound
from optmech.proofs.certificate import relative_gap
from optmech.proofs.enclosure import enclose_exponential
from optmech.proofs.privacy import delta_spent
from optmech.proofs.violation import objective_of
from optmech.question.privacy.loss import largest_leak, largest_privacy_loss
from optmech.rules import compile_rules

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from benchmarks.audit.solvers.ladder import Backend, Rung
    from optmech.base.arrays import Floats
    from optmech.models.formulations.assemble import Formulation
    from optmech.models.solution import Solution
    from optmech.proofs.enclosure import Enclosure
    from optmech.proofs.matrix import ExactMatrix
    from optmech.proofs.multipliers import Tree
    from optmech.question.problem import Problem
    from optmech.rules import Rules


# A claim that falls below a bound by less, relatively, has perhaps only been summed in another order; a sum
# of many columns may be off by more.
_ROUNDING = 1e-12
_UNIT_ROUNDOFF = 2.0**-53
# No probability exceeds another one by this factor, but if the other is zero.
_BEYOND_RATIOS = 1e300


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One problem for one backend."""

    rung: Rung
    backend: Backend
    time_limit: float
    """The time of the solver, in seconds."""
    tolerance: float
    """The solver's tolerance for rows and for signs of reduced costs."""

    @property
    def options(self) -> SolveOptions:
        """Return the settings of the solver; one thread, so that a second run gives the same."""
        return SolveOptions(
            method=self.backend.method,
            time_limit=self.time_limit,
            threads=1,
            feasibility_tolerance=self.tolerance,
            optimality_tolerance=self.tolerance,
        )


def parts(task: Task) -> Iterator[dict[str, Any]]:
    """Yield the fields of a row: the claim, then the repair, then the bound."""
    problem = task.rung.problem()
    formulation, rules = assemble(problem), compile_rules(problem)
    # With its method named, the solver is asked once.
    solution = solve(formulation.model, task.backend.solver, task.options)
    yield _claim(problem, formulation, solution)
    factor = enclose_exponential(problem.privacy.epsilon, 2 * BITS)
    theorem = priced_by_theorem(problem)
    if theorem is not None:
        yield {"theorem_bound": float(proved_bound(rules, theorem, factor))}
    objective = None
    if solution.values is not None:
        matrix = repair(rules, formulation.matrix(solution.values), factor)
        yield {"repaired": matrix is not None}  # the returned matrix breaks no rule, proved
        if matrix is not None:
            objective = objective_of(rules, matrix, factor)
            yield {"objective": float(objective), **_spending(problem).after(rules, matrix, factor)}
    bound = _bound(rules, formulation, solution, objective, factor)
    if bound is not None:
        yield {
            "bound": float(bound),
            "gap": None if objective is None else relative_gap(objective, bound),
        }


def record(task: Task, out: str, log: str) -> None:
    """Write `parts` to the file `out`, a line of JSON each; what else is said goes to the file `log`.

    It takes over the process it runs in.
    """
    if hasattr(os, "setsid"):
        os.setsid()  # so that the parent can end the solver's process with it
    with Path(log).open("w", encoding="utf-8") as log_file:
        for stream in (1, 2):
            os.dup2(log_file.fileno(), stream)
    with Path(out).open("w", encoding="utf-8") as file:
        for part in parts(task):
            file.write(json.dumps(part) + "\n")
            file.flush()


def _claim(problem: Problem, formulation: Formulation, solution: Solution) -> dict[str, Any]:
    claim = {
        "version": solution.solver,
        "method": solution.method,
        "status": solution.status.name,
        "message": solution.message,
        "seconds": solution.seconds,
        "claimed": solution.objective,
        "rounding": max(_ROUNDING, _UNIT_ROUNDOFF * formulation.model.num_columns),
    }
    if solution.values is None:
        return claim
    raw = np.clip(formulation.matrix(solution.values), 0.0, None)
    return {**claim, **_spending(problem).before(problem, raw)}


class _Ratios:
    """A pure privacy: the epsilon that a matrix spends, zeros counted."""

    def before(self, problem: Problem, raw: Floats) -> dict[str, float]:
        """Return the epsilon or delta of a solver's matrix, recomputed."""
        pairs = problem.query.pairs
        return {
            "epsilon_before": largest_privacy_loss(raw, pairs).value,
            "exposed": largest_leak(raw, pairs, _BEYOND_RATIOS).value,
        }

    def after(self, rules: Rules, matrix: ExactMatrix, _: Enclosure) -> dict[str, float]:
        """Return the epsilon of the repaired matrix: the bound is proved, its digits are recomputed."""
        return {"epsilon_after": largest_privacy_loss(matrix.nearest(), rules.pairs).value}


class _Deltas:
    """A privacy with a delta: the delta that a matrix spends."""

    def before(self, problem: Problem, raw: Floats) -> dict[str, float]:
        """Return the epsilon or delta of a solver's matrix, recomputed."""
        query = problem.query
        return {"delta_before": problem.privacy.measure(raw, query.pairs, query.weights).value}

    def after(self, rules: Rules, matrix: ExactMatrix, factor: Enclosure) -> dict[str, float]:
        """Return the delta of the repaired matrix, exactly."""
        return {"delta_after": float(delta_spent(rules, matrix, factor))}


def _spending(problem: Problem) -> _Ratios | _Deltas:
    return _Ratios() if problem.privacy.is_pure else _Deltas()


def _bound(
    rules: Rules,
    formulation: Formulation,
    solution: Solution,
    objective: Fraction | None,
    factor: Enclosure,
) -> Fraction | None:
    """Return the bound of this answer's duals; without duals, that of a search by cases."""
    tree: Tree | None = None
    if formulation.model.is_mixed_integer:
        tree = None if objective is None else search(rules, float(objective)).tree
    elif solution.row_duals is not None and np.isfinite(solution.row_duals).all():
        tree = leaf_of_duals(formulation, solution.row_duals)
    try:
        return None if tree is None else proved_bound(rules, tree, factor)
    except NotAProofError:
        return None
