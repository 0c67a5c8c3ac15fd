"""Whether structure, privacy and objective fit the query: else what is checked means something else."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import ProblemError
from optmech.proofs.papers import is_of_the_papers
from optmech.proofs.privacy import is_printed
from optmech.question.limits import entry_limits
from optmech.question.privacy import SymmetricRows
from optmech.question.properties import OF_HOMES
from optmech.question.structure import FreeMatrix, ModularNoise, SymmetricNoise, ZeroBiasNoise

if TYPE_CHECKING:
    from optmech.question.problem import Problem
    from optmech.question.query import Query

__all__ = ["misfit"]


def misfit(problem: Problem) -> str | None:
    """Return which part of the problem does not fit its query, in a sentence, or ``None``."""
    query, loss = problem.query, problem.loss
    shape = (query.num_responses, query.num_truths)
    if loss is not None and (loss.loss.shape != shape or loss.weights.shape != shape[1:]):
        return f"the loss must have shape {shape}, and a weight for each truth"
    further = [bound.loss for bound in problem.bounds]
    if any(part.loss.shape != shape for part in (problem.objective, *further) if hasattr(part, "loss")):
        return f"each loss must have shape {shape}"
    if any(getattr(part, "weights", np.empty(shape[1])).shape != shape[1:] for part in further):
        return "each expected loss must have a weight for each truth"
    if getattr(problem.objective, "at_most", None) is not None and loss is None:
        return "a bound on the cost needs a cost"
    if not len(query.pairs):
        return "no two truths are neighbours, so that there is nothing to protect"
    return _misfit_of_weights(problem) or _misfit_of_structure(problem) or _misfit_of_properties(problem)


def _misfit_of_weights(problem: Problem) -> str | None:
    try:
        problem.privacy.factors(problem.query.weights)  # before anything is raised to a power of millions
    except ProblemError as wrong:
        return str(wrong).removesuffix(".")
    return None


def _misfit_of_structure(problem: Problem) -> str | None:
    query, structure = problem.query, problem.structure
    if is_printed(problem) and not (isinstance(structure, ModularNoise) and is_of_the_papers(problem)):
        return "the printed reading needs modular noise, and nothing that is not printed"
    rows = getattr(problem.privacy, "rows", SymmetricRows.ALL)
    if rows is not SymmetricRows.ALL and not isinstance(structure, SymmetricNoise):
        return "the printed rows are those of symmetric noise"
    match structure:
        case FreeMatrix():
            return None
        case ModularNoise():
            size = query.num_truths
            covers = prod(structure.moduli or (size,)) == size
            same = covers and query.distances(structure.noise(size)) is not None
            return None if same else "modular noise needs the same neighbours for each answer"
        case SymmetricNoise(half_width=width):
            fits = query.num_truths > 1 and not query.is_weighted and _holds_noise(query, width, width)
        case ZeroBiasNoise(half_width=width):
            fits = _holds_noise(query, width, 1)
    return None if fits else f"noise within {width} needs counts one apart and all that it makes of them"


def _misfit_of_properties(problem: Problem) -> str | None:
    homely = problem.properties & OF_HOMES
    if homely and (problem.query.home < 0).any():
        return f"only where every truth is inside a response can a mechanism be {min(homely)}"
    try:
        entry_limits(problem.limits, problem.properties, problem.query)
    except ProblemError as wrong:
        return str(wrong).removesuffix(".")
    return None


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
