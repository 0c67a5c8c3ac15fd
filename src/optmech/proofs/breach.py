"""What a matrix of whole numbers breaks of a problem, decided without rounding. Nothing broken: proved."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.numbers import as_text
from optmech.proofs.charges import exact_loss
from optmech.proofs.entries import errors_of_entries, noise_of_entries
from optmech.proofs.privacy import first_excess, is_pure, spent_delta
from optmech.question.properties import UNBIASED, WEAKLY_HONEST
from optmech.question.structures import FreeMatrix, ModularNoise, SymmetricNoise, ZeroBiasNoise
from optmech.rules.fit import misfit
from optmech.rules.quantities import entry_limits

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from optmech.proofs.enclosure import Enclosure
    from optmech.proofs.matrix import ExactMatrix
    from optmech.question.problem import Problem
    from optmech.rules import Rules

    Integers = NDArray[Any]

__all__ = ["breach", "exact_objective", "objective_of", "violation"]


def breach(problem: Problem, matrix: ExactMatrix, factor: Enclosure) -> str | None:
    """Return what the matrix breaks, in a sentence, or ``None``: it is a mechanism of the problem, proved."""
    query = problem.query
    shape = (query.num_responses, query.num_truths)
    if matrix.numerators.shape != shape:
        return f"the matrix has shape {matrix.numerators.shape}, the question {shape}"
    return (
        misfit(problem)
        or _structure(problem, matrix)
        or _properties(problem, matrix)
        or _limits(problem, matrix)
        or _losses(problem, matrix)
        or _privacy(problem, matrix, factor)
    )


def violation(rules: Rules, matrix: ExactMatrix, factor: Enclosure) -> str | None:
    """Return the first demand that the matrix breaks, in a sentence, or ``None``: all are kept, proved."""
    return breach(rules.problem, matrix, factor)


def objective_of(rules: Rules, matrix: ExactMatrix, factor: Enclosure) -> Fraction:
    """Return what was to be least, computed from the matrix: its loss, or the delta it spends."""
    return exact_objective(rules.problem, matrix, factor)


def exact_objective(problem: Problem, matrix: ExactMatrix, factor: Enclosure) -> Fraction:
    """Return what was to be least, computed from the matrix: its expected loss, or the delta it spends."""
    loss = problem.objective.as_loss
    if loss is None:
        return spent_delta(problem, matrix, factor)
    return exact_loss(loss, problem.query, matrix.numerators, matrix.denominator)


def _privacy(problem: Problem, matrix: ExactMatrix, factor: Enclosure) -> str | None:
    if is_pure(problem):
        excess = first_excess(problem.query, matrix, factor.lower)
        if excess is None:
            return None
        row, truth, other = excess
        big, small = matrix.numerators[row, truth], matrix.numerators[row, other]
        return f"matrix[{row}, {truth}] = {big} exceeds e^epsilon times matrix[{row}, {other}] = {small}"
    spent, allowed = spent_delta(problem, matrix, factor), problem.privacy.delta
    if allowed is not None and spent > allowed:
        return f"delta is {float(spent):.17g}, more than {as_text(allowed)} by {float(spent - allowed):.1e}"
    return None


def _losses(problem: Problem, matrix: ExactMatrix) -> str | None:
    bounds = [("loss", str(bound), bound.loss, bound.at_most) for bound in problem.bounds]
    bounds += [("expected cost", as_text(most), cost, most) for cost, most in problem.objective.demands]
    for kind, limit, loss, at_most in bounds:
        excess = exact_loss(loss, problem.query, matrix.numerators, matrix.denominator) - at_most
        if excess > 0:
            return f"the {kind} exceeds {limit} by {float(excess):.1e}"
    return None


def _limits(problem: Problem, matrix: ExactMatrix) -> str | None:
    limited = entry_limits(problem.limits, problem.properties, problem.query)
    if limited is None:
        return None
    for end, broken in zip(limited, (np.less, np.greater), strict=True):
        outside = broken(matrix.numerators, end * matrix.denominator)
        if outside.any():
            row, truth = np.argwhere(outside)[0].tolist()
            wanted = ", ".join([*map(str, problem.limits), *sorted(problem.properties)])
            return f"matrix[{row}, {truth}] does not keep {wanted}"
    return None


def _structure(problem: Problem, matrix: ExactMatrix) -> str | None:
    entries, structure = matrix.numerators, problem.structure
    match structure:
        case FreeMatrix():
            return None
        case ModularNoise():
            turned = (entries == entries[:, 0][structure.noise(entries.shape[1])]).all()
            return None if turned else "columns are not turns of one distribution"
        case SymmetricNoise() | ZeroBiasNoise():
            return _bounded_noise(problem, structure, entries, matrix.denominator)
        case _:
            message = f"no rule knows {problem}"
            raise TypeError(message)


def _bounded_noise(
    problem: Problem, structure: SymmetricNoise | ZeroBiasNoise, entries: Integers, denominator: int
) -> str | None:
    noise = noise_of_entries(problem)
    size = np.abs(noise)
    if entries[size > structure.half_width].any():
        return f"an entry lies beyond {structure.half_width} from the truth"
    if (entries[size == 0] != structure.accuracy * denominator).any():
        return f"the truth does not have probability {as_text(structure.accuracy)}"
    if (entries * noise).sum(axis=0).any():
        return "a column has a mean error other than zero"
    one_noise = not isinstance(structure, SymmetricNoise) or all(
        len(set(entries[size == distance].tolist())) == 1 for distance in range(1, structure.half_width + 1)
    )
    return None if one_noise else "noise of one size differs between sides or counts"


def _properties(problem: Problem, matrix: ExactMatrix) -> str | None:
    if UNBIASED in problem.properties:
        errors, _ = errors_of_entries(problem)
        if (errors * matrix.numerators).sum(axis=0).any():
            return "the matrix is not unbiased"
    for wanted in sorted(problem.properties - {UNBIASED, WEAKLY_HONEST}):
        # Differences of whole numbers are exact, and no positive one becomes zero as a double.
        try:
            gap = wanted.gap(matrix.numerators, problem.query)
        except OverflowError:  # of a positive one that is no double
            gap = inf
        if gap != 0:
            return f"the matrix is not {wanted}"
    return None
