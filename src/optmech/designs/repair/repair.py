"""From any solver's matrix to whole numbers that keep the problem's promises, or to nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.designs.repair.repair_bounded import repair_symmetric, repair_zero_bias
from optmech.designs.repair.repair_general import repair_general
from optmech.designs.repair.repair_matrix import repair_matrix
from optmech.designs.repair.repair_noise import repair_modular
from optmech.question.papers import is_of_the_papers
from optmech.question.structures import FreeMatrix, ModularNoise, SymmetricNoise, ZeroBiasNoise

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from optmech.proofs.enclosure import Enclosure
    from optmech.proofs.matrix import ExactMatrix
    from optmech.question.problem import Problem

__all__ = ["repair"]


def repair(problem: Problem, raw: NDArray[np.float64], factor: Enclosure) -> ExactMatrix | None:
    """Return a matrix of whole numbers near `raw` that breaks nothing, proved, or ``None``.

    Parameters
    ----------
    problem : Problem
        The question.
    raw : ndarray, shape (num_responses, num_truths)
        Probabilities as a solver left them: zeros beside positive entries, sums a little off, anything. Or
        rationals of a theorem on symmetric noise.
    factor : Enclosure
        Rationals around ``e^epsilon``.
    """
    if raw.dtype == object:
        return repair_symmetric(problem, raw, factor)
    structure = problem.structure
    modular = isinstance(structure, ModularNoise)
    # The quick ways know pure privacy and the papers' own; of vectors the one of modular noise does as well.
    knows_delta = problem.privacy.is_pure or modular == problem.privacy.has_choices
    if (not is_of_the_papers(problem) and not getattr(structure, "moduli", ())) or not knows_delta:
        made = repair_general(problem, raw, factor)
        # A quick way checks what it makes; of a large matrix it may succeed where a program over it fails.
        quick = problem.privacy.is_pure or is_of_the_papers(problem)
        return made if made is not None or not quick else _quickly(problem, raw, factor)
    made = _quickly(problem, raw, factor)
    if made is None and not isinstance(structure, FreeMatrix):
        made = repair_general(problem, raw, factor)
    return made


def _quickly(problem: Problem, raw: NDArray[np.float64], factor: Enclosure) -> ExactMatrix | None:
    """Return what the way of the structure makes, which knows the papers' questions."""
    match problem.structure:
        case FreeMatrix():
            return repair_matrix(problem, raw, factor)
        case ModularNoise():
            return repair_modular(problem, raw, factor)
        case SymmetricNoise():
            return repair_symmetric(problem, raw, factor)
        case ZeroBiasNoise():
            return repair_zero_bias(problem, raw, factor)
        case _:
            return repair_general(problem, raw, factor)
