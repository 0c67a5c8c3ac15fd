"""Making a solver's modular noise probabilistically private to the last digit.

Probabilistic privacy is discontinuous: a ratio that exceeds e^epsilon by 1e-9 turns the whole mass of its
outcome into leak. So the answer of a mixed-integer solver only proposes *which* ratios are violated. Then

1. the linear program with those violations fixed gives the masses;
2. every ratio that is not violated is made to hold: ``f[eta+mu] = max(f[eta+mu], e^-epsilon f[eta])``, until
   nothing changes, and the distribution is divided by its sum (which is one or more, so leaks shrink);
3. of several proposals (the indicators as the solver set them, the ratios as the masses show them) the best
   one whose leak is within delta is taken.

The objective of the result stands beside the solver's bound: if they differ, the answer says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from optmech.designs.tidy import with_sums_of_one
from optmech.models.formulations.assemble import fix_violations
from optmech.models.solution import Status
from optmech.question.privacy.loss import TIE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from optmech.models.formulations.assemble import Formulation
    from optmech.models.formulations.layout import Layout
    from optmech.models.linear_model import LinearModel
    from optmech.models.solution import Solution
    from optmech.question.problem import Problem

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Marks = NDArray[np.bool_]

__all__ = ["PolishedNoise", "polish"]

# A mass below this is a solver's zero: whether its ratio is violated cannot be read off.
_NO_MASS = 1e-8
# By how much a ratio must exceed e^epsilon, relatively, to count as violated in a solver's answer.
_LEAST_EXCESS = 1e-6
_HALF = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class PolishedNoise:
    """Noise that keeps every ratio it does not pay for.

    Attributes
    ----------
    noise : ndarray, shape (modulus,)
        The distribution.
    delta : float
        The delta it spends, as the reading of the problem counts it.
    cost : float
        Its expected cost.
    """

    noise: Floats
    delta: float
    cost: float


def polish(
    problem: Problem,
    formulation: Formulation,
    values: Floats,
    solve: Callable[[LinearModel], Solution],
) -> PolishedNoise:
    """Return the polished noise of a solver's `values`; `solve` solves the linear programs on the way."""
    best: PolishedNoise | None = None
    layout, model = formulation.layout, formulation.model
    nothing = np.zeros(len(layout.comparisons.left), dtype=bool)
    if not model.is_mixed_integer:  # delta = 0: nothing is violated
        return _polished_noise(problem, formulation, with_sums_of_one(values, layout), nothing)
    for violations in _proposals(problem, formulation, values):
        answer = solve(fix_violations(formulation, violations))
        if answer.status is not Status.OPTIMAL or answer.values is None:
            continue
        polished_noise = _polished_noise(
            problem, formulation, with_sums_of_one(answer.values, layout), violations
        )
        if best is None or _rank(problem, polished_noise) < _rank(problem, best):
            best = polished_noise
    if best is None:  # no proposal survives: hand out the solver's noise with every ratio kept
        return _polished_noise(problem, formulation, with_sums_of_one(values, layout), nothing)
    return best


def _proposals(problem: Problem, formulation: Formulation, values: Floats) -> Iterator[Marks]:
    size = formulation.layout.num_columns
    noise = values[:size]
    factor = problem.privacy.factors(formulation.layout.comparisons.weights)
    eta, after = _compared_noise(formulation.layout)
    from_ratios = noise[eta] > factor * noise[after] * (1 + _LEAST_EXCESS)
    from_ratios &= noise[eta] > _NO_MASS
    from_indicators = values[formulation.model.columns_of("u")] > _HALF
    if (
        len(from_indicators) == size
    ):  # one distance, or the printed program, which shares indicators among them
        from_ratios = np.isin(np.arange(size), eta[from_ratios])
    proposals: list[Marks] = []
    for marks in (from_indicators, from_ratios, from_indicators & from_ratios):
        if not any(np.array_equal(marks, other) for other in proposals):
            proposals.append(marks)
            yield marks


def _polished_noise(
    problem: Problem, formulation: Formulation, noise: Floats, violations: Marks
) -> PolishedNoise:
    comparisons, size = formulation.layout.comparisons, formulation.layout.num_columns
    factor = problem.privacy.factors(formulation.layout.comparisons.weights)
    eta, after = _compared_noise(formulation.layout)
    marks = violations if len(violations) == len(eta) else violations[eta]
    noise = _keep_ratios(noise, eta[~marks], after[~marks], factor[~marks])
    leaking = noise[eta] > factor * (1 + TIE) * noise[after]
    if problem.privacy.printed:
        delta = float(noise[np.isin(np.arange(size), eta[leaking])].sum())
    else:
        leaks = np.bincount(comparisons.group, np.where(leaking, noise[eta], 0.0))
        delta = float(leaks.max(initial=0.0))
    loss = problem.loss
    matrix = formulation.layout.matrix(noise)
    return PolishedNoise(noise=noise, delta=delta, cost=0.0 if loss is None else loss.value(matrix))


def _compared_noise(layout: Layout) -> tuple[Integers, Integers]:
    """Return which noise is compared with which, for each comparison: every entry is one column."""
    noise = layout.entries.indices
    return noise[layout.comparisons.left], noise[layout.comparisons.right]


def _keep_ratios(noise: Floats, before: Integers, after: Integers, factor: Floats) -> Floats:
    """Raise masses until ``noise[before] <= factor * noise[after]`` everywhere, then divide by the sum."""
    masses = noise.copy()
    for _ in range(len(noise) + 1):  # a mass travels over each outcome once: factors below one shrink it
        previous = masses.copy()
        np.maximum.at(masses, after, masses[before] / factor)
        if np.array_equal(previous, masses):
            break
    shares: Floats = masses / masses.sum()
    return shares


def _rank(problem: Problem, polished_noise: PolishedNoise) -> tuple[bool, float]:
    """Order proposals: those within the limits first, then by what is to be least."""
    limit, bound = problem.privacy.delta, problem.bounded_cost
    if limit is not None:
        return polished_noise.delta > float(limit) + TIE, polished_noise.cost
    return bound is not None and polished_noise.cost > float(
        bound.at_most
    ) + _LEAST_EXCESS, polished_noise.delta
