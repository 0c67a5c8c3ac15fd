"""From a solver's noise to whole numbers: noise modulo the number of answers.

As `repair_matrix`, for one distribution in place of a matrix: masses are raised until every ratio that is
kept is kept, a share of interior noise makes room, the rest is rounding. Which ratios are kept and which are
paid for by delta is read off the solver's noise. The interior noise has the largest room in all rules at
once: a small linear program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import scipy
from scipy import sparse

from optmech.designs.repair.rounding import BITS, GUARD, guarded_ratio, rounded_down, shares
from optmech.proofs.breach import violation
from optmech.proofs.matrix import ExactMatrix
from optmech.question.costs import exact_losses
from optmech.question.objective import LeastDelta
from optmech.question.structures import ModularNoise
from optmech.rules import compile_rules

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.proofs.enclosure import Enclosure
    from optmech.question.problem import Problem

    Floats = NDArray[np.float64]
    Marks = NDArray[np.bool_]
    Whole = NDArray[Any]

__all__ = ["repair_modular"]

# A ratio above e^epsilon by more than this, relatively, is one that the solver pays for.
_VIOLATED = 1e-9
# A mass this small is a solver's zero.
_NOTHING = 1e-9


def repair_modular(problem: Problem, raw: Floats, factor: Enclosure) -> ExactMatrix | None:
    """Return the first modular noise of whole numbers on the way that breaks nothing, or ``None``."""
    noise = np.clip(np.nan_to_num(raw[:, 0], nan=0.0, posinf=0.0, neginf=0.0), 0.0, 1.0)
    if not noise.sum() > 0:
        return None
    ratio = guarded_ratio(factor)
    before, after = _comparisons(problem)
    kept = _kept(problem, noise, before, after, ratio)
    raised = _raised(noise, before[kept], after[kept], ratio)
    interior = _interior(problem, before, after, kept, ratio)
    if interior is None:
        return _as_it_stands(problem, noise, factor)
    places = np.flatnonzero(interior > 0)
    for share in shares(0.0):
        whole = rounded_down(raised * ((1 - share - GUARD) / raised.sum()) + share * interior)
        left = 2**BITS - int(whole.sum())
        each, rest = divmod(left, len(places))
        whole[places] += each
        whole[places[:1]] += rest
        matrix = _turned(problem, whole)
        if left >= 0 and violation(compile_rules(problem), matrix, factor) is None:
            return matrix
    return None


def _as_it_stands(problem: Problem, noise: Floats, factor: Enclosure) -> ExactMatrix | None:
    """Return the noise rounded and no more: where no rule has room, as for a cost of 0, it may still hold."""
    whole = rounded_down(np.where(noise > _NOTHING, noise, 0.0) / noise.sum())
    whole[int(noise.argmax())] += 2**BITS - int(whole.sum())
    matrix = _turned(problem, whole)
    return matrix if violation(compile_rules(problem), matrix, factor) is None else None


def _comparisons(problem: Problem) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return which mass may exceed which by e^epsilon at most: noise, and noise seen from the neighbour."""
    size = problem.query.num_truths
    neighbours = problem.query.pairs[problem.query.pairs[:, 0] == 0, 1]
    noise = np.tile(np.arange(size), len(neighbours))
    table = _noise(problem)
    return noise, table[noise, np.repeat(neighbours, size)]


def _kept(
    problem: Problem, noise: Floats, before: NDArray[np.int64], after: NDArray[np.int64], ratio: float
) -> Marks:
    if problem.privacy.is_pure:
        return np.ones(len(before), dtype=bool)
    kept: Marks = noise[before] <= ratio * (1 + _VIOLATED) * noise[after]
    if (
        problem.privacy.has_choices and problem.privacy.printed
    ):  # an outcome is kept or violated for all distances at once
        kept = ~np.isin(before, before[~kept])
    return kept


def _raised(noise: Floats, before: NDArray[np.int64], after: NDArray[np.int64], ratio: float) -> Floats:
    raised = noise.copy()
    for _ in range(len(noise) + 1):
        previous = raised.copy()
        np.maximum.at(raised, after, raised[before] / ratio)
        if np.array_equal(previous, raised):
            break
    return raised


def _interior(
    problem: Problem, before: NDArray[np.int64], after: NDArray[np.int64], kept: Marks, ratio: float
) -> Floats | None:
    """Return noise with the largest room in every rule at once."""
    size = problem.query.num_truths
    if problem.privacy.is_pure:
        return np.full(size, 1 / size)
    rules: list[Floats] = []
    limits: list[float] = []
    rows = np.arange(len(before))
    ratios = sparse.coo_array(
        (
            np.concatenate([np.ones(len(before)), np.full(len(before), -ratio)]),
            (np.concatenate([rows, rows]), np.concatenate([before, after])),
        ),
        shape=(len(before), size),
    ).toarray()
    rules += list(ratios[kept])
    limits += [0.0] * int(kept.sum())
    if problem.privacy.has_choices and problem.privacy.printed:
        rules += list(-ratios[~kept])
        limits += [0.0] * int((~kept).sum())
        groups = [np.isin(np.arange(size), before[~kept])]
    else:
        violated = ~kept.reshape(-1, size)
        groups = [marks for marks in violated if marks.any()]
    delta = problem.privacy.delta
    if delta is not None:
        rules += [np.asarray(marks, dtype=np.float64) for marks in groups]
        limits += [float(delta)] * len(groups)
    objective = problem.objective
    if isinstance(objective, LeastDelta) and objective.cost is not None and objective.at_most is not None:
        rules.append(exact_losses(objective.cost, problem.query)[:, 0].astype(float))
        limits.append(float(objective.at_most))
    room = np.ones((len(rules), 1))
    answer = scipy.optimize.linprog(  # loaded when it is first used
        np.append(np.zeros(size), -1.0),
        A_ub=np.hstack([np.array(rules), room]),
        b_ub=limits,
        A_eq=np.append(np.ones(size), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, 1)] * size + [(0, 1)],
    )
    if answer.x is None or not answer.x[-1] > 0:
        return None
    found: Floats = np.clip(answer.x[:size], 0, 1)
    found /= found.sum()
    return found


def _turned(problem: Problem, noise: Whole) -> ExactMatrix:
    return ExactMatrix(numerators=noise[_noise(problem)], denominator=int(noise.sum()))


def _noise(problem: Problem) -> NDArray[np.int64]:
    """Return which noise turns each truth into each response."""
    structure = problem.structure
    moduli = structure.moduli if isinstance(structure, ModularNoise) else ()
    return ModularNoise(moduli).noise(problem.query.num_truths)
