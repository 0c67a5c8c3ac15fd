"""Whether structure, privacy and objective fit the query: else what is checked means something else."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from optmech.problem.objective import WorstLoss
from optmech.problem.privacy import ApproximatePrivacy, Reading
from optmech.problem.structure import FreeMatrix, ModularNoise, SymmetricNoise, ZeroBiasNoise

if TYPE_CHECKING:
    from optmech.problem.problem import Problem
    from optmech.problem.query import Query

__all__ = ["misfit"]


def misfit(problem: Problem) -> str | None:
    """Return which part of the problem does not fit its query, in a sentence, or ``None``."""
    query, loss = problem.query, problem.loss
    shape = (query.num_responses, query.num_truths)
    if loss is not None and (loss.loss.shape != shape or loss.weights.shape != shape[1:]):
        return f"the loss must have shape {shape}, and a weight for each truth"
    if getattr(problem.objective, "at_most", None) is not None and loss is None:
        return "a bound on the cost needs a cost"
    further = isinstance(problem.privacy, ApproximatePrivacy) or isinstance(problem.objective, WorstLoss)
    if further or not problem.is_plain or getattr(problem.structure, "moduli", ()):
        return "such a question can be solved, and cannot be proved yet"
    if not len(query.pairs):
        return "no two truths are neighbours, so that there is nothing to protect"
    return _misfit_of_structure(problem)


def _misfit_of_structure(problem: Problem) -> str | None:
    query, structure = problem.query, problem.structure
    if problem.properties and not isinstance(structure, FreeMatrix):
        return f"only of a free matrix can it be proved that it is {min(problem.properties)}"
    match structure:
        case FreeMatrix():
            printed = getattr(problem.privacy, "reading", None) is Reading.PRINTED
            return "the printed reading needs modular noise" if printed else None
        case ModularNoise():
            size = query.num_truths
            covers = prod(structure.moduli or (size,)) == size
            same = covers and query.distances(structure.noise(size)) is not None
            return None if same else "modular noise needs the same neighbours for each answer"
        case SymmetricNoise(half_width=width):
            fits = query.num_truths > 1 and _holds_noise(query, width, width)
        case ZeroBiasNoise(half_width=width):
            fits = _holds_noise(query, width, 1)
    return None if fits else f"noise within {width} needs counts one apart and all that it makes of them"


def _holds_noise(query: Query, width: int, first: int) -> bool:
    """Whether truths are whole numbers in a row, and responses all that noise can make of them."""
    truths, responses, pairs = query.truths, query.responses, query.pairs
    least = max(truths[0] - width, Fraction(0))
    return (
        truths[0].denominator == 1
        and truths[0] >= first
        and all(truth == truths[0] + f for f, truth in enumerate(truths))
        and len(responses) == truths[-1] + width - least + 1
        and all(part.lower == part.upper == least + r for r, part in enumerate(responses))
        and len(pairs) == 2 * (len(truths) - 1)
        and bool((np.abs(pairs[:, 0] - pairs[:, 1]) == 1).all())
    )
