"""From a solver's proposal to a certificate: whole numbers that are private, and a proved bound."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from optmech.engines.branch import search
from optmech.engines.duals import leaf_of_duals, totals_of_duals
from optmech.engines.path_proof import priced_by_theorem
from optmech.errors import VerificationError
from optmech.exact.bound import NotAProofError, proved_bound
from optmech.exact.breach import exact_objective
from optmech.exact.certificate import Certificate
from optmech.exact.enclosure import enclose_exponential
from optmech.exact.multipliers import Leaf
from optmech.exact.repair import repair
from optmech.exact.rounding import BITS
from optmech.privacy_loss import largest_privacy_loss
from optmech.problem.objective import LeastDelta
from optmech.problem.structure import ModularNoise
from optmech.solution import Status
from optmech.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from fractions import Fraction

    from numpy.typing import NDArray

    from optmech.exact.enclosure import Enclosure
    from optmech.exact.matrix import ExactMatrix
    from optmech.exact.multipliers import Tree
    from optmech.formulations.assemble import Formulation
    from optmech.problem.problem import Problem
    from optmech.solution import Solution

    Floats = NDArray[np.float64]

__all__ = ["certify"]

# The enclosure is so much narrower than a certified ratio can notice.
_ENCLOSURE_BITS = 2 * BITS


def certify(
    problem: Problem,
    formulation: Formulation,
    solution: Solution,
    proposals: Iterable[tuple[str, Floats]],
    others: Callable[[], Iterable[Solution]] = tuple,
) -> Certificate:
    """Return the certificate of the first proposal that can be repaired.

    Parameters
    ----------
    problem, formulation, solution
        The question, its program, and what the solver said: its duals propose the proof.
    proposals : iterable of (str, ndarray)
        Matrices with a word on where each is from, the best first.
    others : callable, optional
        Returns what other solvers say of the program. Asked where nothing can be proved, so that their
        claimed bounds stand side by side.

    Raises
    ------
    VerificationError
        If no proposal can be repaired.
    """
    factor = enclose_exponential(problem.privacy.epsilon, _ENCLOSURE_BITS)
    best = _best(problem, proposals, factor)
    if best is None:
        message = (
            f"no matrix for {problem.query.name} could be made to keep its promises exactly. "
            "Ask for the solver's own answer with `raw`, another solver, or fewer properties."
        )
        raise VerificationError(message)
    if formulation.model.is_mixed_integer:
        best, proof = _by_cases(problem, formulation, best, factor)
    else:
        proof = _by_duals(problem, formulation, solution, factor)
    return Certificate(
        problem=problem,
        factor=factor,
        matrix=best.matrix,
        proof=proof,
        claimed_bounds={} if proof is not None else _claims((solution, *others())),
        repair={"how": f"{best.origin}, repaired", "cost": _cost(best.objective, solution.objective)},
        raw=_raw(problem, formulation, solution),
        made_by={
            "optmech": __version__,
            "solver": solution.solver,
            "method": solution.method,
            "status": solution.status.name.lower(),
        },
    )


class _Repaired(NamedTuple):
    origin: str
    matrix: ExactMatrix
    objective: Fraction


def _best(problem: Problem, proposals: Iterable[tuple[str, Floats]], factor: Enclosure) -> _Repaired | None:
    """Return the first proposal that can be repaired; where delta is sought the one that spends least."""
    best: _Repaired | None = None
    for origin, proposal in proposals:
        matrix = repair(problem, proposal, factor)
        if matrix is None:
            continue
        objective = exact_objective(problem, matrix, factor)
        if best is None or objective < best.objective:
            best = _Repaired(origin, matrix, objective)
        if objective == 0 or not isinstance(problem.objective, LeastDelta):
            break
    return best


def _by_cases(
    problem: Problem, formulation: Formulation, best: _Repaired, factor: Enclosure
) -> tuple[_Repaired, Tree | None]:
    """Return the proof of a mixed-integer program where it stays small, and what it found to be better."""
    if not isinstance(problem.structure, ModularNoise):
        return best, None
    tree, noise = search(problem, float(best.objective))
    if noise is not None:
        proposal = formulation.layout.matrix(noise)
        better = _best(problem, [("noise found while proving the bound", proposal)], factor)
        best = best if better is None or better.objective >= best.objective else better
    return best, tree if tree is not None and _proves(problem, tree, best.objective, factor) else None


def _by_duals(problem: Problem, formulation: Formulation, solution: Solution, factor: Enclosure) -> Tree:
    """Return the multipliers that prove the most."""
    candidates: list[Leaf] = []
    if solution.row_duals is not None and np.isfinite(solution.row_duals).all():
        sought = isinstance(problem.objective, LeastDelta)
        leaf = leaf_of_duals(formulation, solution.row_duals, delta_is_sought=sought)
        totals = totals_of_duals(formulation, solution.row_duals)
        candidates.append(leaf)
        if problem.properties and totals is not None:  # where entries are equal, the best are not read off
            candidates.append(replace(leaf, totals=totals, means=0 * totals))
    if solution.status is not Status.OPTIMAL:
        priced = priced_by_theorem(problem)
        candidates += [] if priced is None else [priced]
    # Without multipliers the least loss of each truth is proved: little, but that.
    return max([*candidates, Leaf()], key=lambda leaf: proved_bound(problem, leaf, factor))


def _proves(problem: Problem, tree: Tree, objective: Fraction, factor: Enclosure) -> bool:
    """Whether the tree is a proof: a search in floating point may have slipped."""
    try:
        return proved_bound(problem, tree, factor) <= objective
    except NotAProofError:
        return False


def _cost(after: Fraction, before: float | None) -> str:
    return "unknown" if before is None else f"{float(after) - before:.6g}"


def _claims(solutions: Iterable[Solution]) -> dict[str, str]:
    return {said.solver: f"{said.bound:.15g}" for said in solutions if said.bound is not None}


def _raw(problem: Problem, formulation: Formulation, solution: Solution) -> dict[str, str]:
    """Return what the solver's own matrix was worth: objective, and the epsilon it needs, zeros counted."""
    if solution.values is None or solution.objective is None or not np.isfinite(solution.values).all():
        return {"objective": "none", "effective_epsilon": "none"}
    matrix = np.clip(formulation.matrix(solution.values), 0.0, None)
    loss = largest_privacy_loss(matrix, problem.query.pairs).value
    return {
        "objective": f"{solution.objective:.15g}",
        "effective_epsilon": "inf" if math.isinf(loss) else f"{loss:.15g}",
    }
