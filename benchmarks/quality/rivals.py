"""The baselines that answer a question, and their quality.

A rival must be all that the question asks of a mechanism: private, of the structure, with the properties.
One that lacks something may well lose less than the optimum, and is named with what it lacks.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.baselines.discrete_count import discrete_count
from optmech.analysis.baselines.registry import BASELINES
from optmech.base.errors import NotAcceptedError
from optmech.question.losses import ExpectedLoss
from optmech.question.privacy import PerOutcomePrivacy, ProbabilisticPrivacy, PurePrivacy
from optmech.question.privacy.loss import TIE, largest_excess, largest_leak, largest_privacy_loss
from optmech.question.structures import FreeMatrix, ModularNoise, SymmetricNoise, ZeroBiasNoise

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from optmech.question.problem import Problem

    Floats = NDArray[np.float64]

__all__ = ["Rival", "rivals"]

# Entries of baselines are sums of a few doubles.
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """A baseline's value for a question, or the reason why it is no answer to it."""

    name: str
    value: float = float("nan")
    objection: str = ""


def rivals(problem: Problem) -> Iterator[Rival]:
    """Yield every baseline, in the order of the registry."""
    epsilon = problem.privacy.epsilon
    for name, build in BASELINES.items():
        try:
            matrix = build(problem.query, epsilon).matrix
        except NotAcceptedError:
            yield Rival(name=name, objection="not for this grid")
            continue
        yield _rival(name, problem, matrix)
    structure = problem.structure
    if isinstance(structure, (SymmetricNoise, ZeroBiasNoise)):
        steps = np.arange(1, structure.content["half_width"] + 1)
        laws = {
            "equal": np.ones(len(steps)),
            "linear": steps[::-1],
            "geometric": np.exp(-float(epsilon) * steps),
        }
        for name, weights in laws.items():
            noise = discrete_count(
                problem.query,
                epsilon,
                structure.accuracy,
                weights / weights.sum(),
            )
            yield _rival(f"discrete count, {name} weights", problem, noise.matrix)


def _rival(name: str, problem: Problem, matrix: Floats) -> Rival:
    objection = (
        _outside_the_structure(problem, matrix)
        or _without_property(problem, matrix)
        or _leak(problem, matrix)
    )
    return (
        Rival(name=name, objection=objection)
        if objection
        else Rival(name=name, value=_value(problem, matrix))
    )


def _outside_the_structure(problem: Problem, matrix: Floats) -> str:
    structure, query = problem.structure, problem.query
    if isinstance(structure, FreeMatrix):
        return ""
    if isinstance(structure, ModularNoise):
        turned = np.roll(np.roll(matrix, 1, axis=0), 1, axis=1)
        return "" if np.abs(matrix - turned).max() <= ROUNDING else "not modular"
    noise = query.response_values[:, None] - query.truth_values[None, :]
    if (matrix[np.abs(noise) > structure.content["half_width"]] > ROUNDING).any():
        return "too wide"
    if np.abs(matrix[noise == 0] - float(Fraction(structure.content["accuracy"]))).max() > ROUNDING:
        return "another accuracy"
    return "biased" if np.abs((noise * matrix).sum(axis=0)).max() > ROUNDING else ""


def _without_property(problem: Problem, matrix: Floats) -> str:
    gaps = {expected: expected.gap(matrix, problem.query) for expected in sorted(problem.properties)}
    return next((f"not {expected}" for expected, gap in gaps.items() if gap > ROUNDING), "")


def _leak(problem: Problem, matrix: Floats) -> str:
    privacy, pairs = problem.privacy, problem.query.pairs
    match privacy:
        case PurePrivacy():
            spent = largest_privacy_loss(matrix, pairs).value
            return "" if spent <= float(privacy.epsilon) + TIE else "not private"
        case ProbabilisticPrivacy(delta=delta) if delta is not None:
            leak = largest_leak(matrix, pairs, privacy.factor).value
            return "" if leak <= float(delta) + ROUNDING else "not private"
        case _:  # delta is what is sought
            return ""


def _value(problem: Problem, matrix: Floats) -> float:
    if isinstance(problem.objective, ExpectedLoss):
        return problem.objective.value(matrix)
    measure = largest_excess if isinstance(problem.privacy, PerOutcomePrivacy) else largest_leak
    return measure(matrix, problem.query.pairs, problem.privacy.factor).value
