"""Remove a solver's rounding from an answer; from modular noise to the last digit.

A solver keeps rows and bounds within about 1e-10 of what was asked. So a probability may be -4e-14, a
column may sum to 1 + 1e-12, and a ratio may exceed e^epsilon in the last digits; where entries are tiny it
exceeds it by any factor. `tidy` clips, divides by the sums, and where it costs next to nothing mixes in the
uniform mechanism, which has every property and the ratio one. Where that would cost more, the answer stays as
it is and is *not* private: a check of the result says so.

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

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import sparse

from optmech.models.formulations.assemble import fix_violations
from optmech.models.origin import BlockOrigin, BlockPart
from optmech.models.solution import Status
from optmech.question.privacy.loss import TIE, largest_excess, largest_privacy_loss

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from optmech.base.arrays import Floats, Integers, Marks
    from optmech.models.formulations.assemble import Formulation
    from optmech.models.formulations.layout import Layout
    from optmech.models.linear_model import LinearModel
    from optmech.models.solution import Solution
    from optmech.question.problem import Problem

# Mixing may add this share to the objective: less than the solver's own error there.
_LARGEST_COST = 5e-8
# Ratios of doubles and their logarithms are exact up to this much: there is nothing to repair.
_RATIO_ROUNDING = 1e-12
# Mixing by exactly the amount needed would leave ratios a rounding above e^epsilon.
_MARGIN = 1 + 1e-9
# A mass below this is a solver's zero: whether its ratio is violated cannot be read off.
_NO_MASS = 1e-8
# By how much a ratio must exceed e^epsilon, relatively, to count as violated in a solver's answer.
_LEAST_EXCESS = 1e-6
_HALF = 0.5


def _with_sums_of_one(values: Floats, layout: Layout) -> Floats:
    """Return the layout's columns as probabilities: clipped, and each distribution divided by its sum."""
    masses = np.clip(values[: layout.num_columns], 0.0, 1.0)
    (total,) = layout.rows  # each column is part of exactly one distribution
    sums = total.matrix @ masses
    shares: Floats = masses / (total.matrix.T @ sums)
    return shares


def tidy(values: Floats, layout: Layout, problem: Problem) -> Floats:
    """Return the mechanism matrix that a solver's columns stand for, without the solver's rounding."""
    if not problem.structure.is_free:
        return layout.matrix(_with_sums_of_one(values, layout))
    masses = np.clip(layout.matrix(values), 0.0, 1.0)
    matrix: Floats = masses / masses.sum(axis=0)
    loss = problem.least_loss
    if loss is None or problem.asks - {"properties", "delta"} or not problem.privacy.is_pure:
        return matrix
    epsilon, pairs = float(problem.privacy.epsilon), problem.query.pairs
    if largest_privacy_loss(matrix, pairs).value <= epsilon + _RATIO_ROUNDING:
        return matrix
    factor = problem.privacy.factor
    excess = largest_excess(matrix, pairs, factor).value
    uniform = 1.0 / len(matrix)
    # (1-t) P + t u <= E ((1-t) Q + t u)  holds as soon as  t (E-1) u >= (1-t) excess.
    share = excess / (excess + (factor - 1.0) * uniform) * _MARGIN
    before = loss.value(matrix)
    mixture = (1.0 - share) * matrix + share * uniform
    after = loss.value(mixture)
    return mixture if after - before <= _LARGEST_COST * before else matrix


class PolishedNoise(NamedTuple):
    """Noise that keeps every ratio it does not pay for, the delta that it spends, and its cost."""

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
    layout, model = formulation.layout, formulation.model
    polished_noises = []
    # With a delta of 0 nothing is violated.
    for violations in _proposals(problem, formulation, values) if model.is_mixed_integer else ():
        answer = solve(fix_violations(formulation, violations))
        if answer.status is Status.OPTIMAL and answer.values is not None:
            noise = _with_sums_of_one(answer.values, layout)
            polished_noises.append(_polished_noise(problem, formulation, noise, violations))
    if polished_noises:
        return min(polished_noises, key=partial(_rank, problem))
    # No proposal survives: the solver's noise with every ratio kept.
    nothing = np.zeros(len(_indicators(formulation, values)), dtype=bool)
    return _polished_noise(problem, formulation, _with_sums_of_one(values, layout), nothing)


def _proposals(problem: Problem, formulation: Formulation, values: Floats) -> Iterator[Marks]:
    size = formulation.layout.num_columns
    noise = values[:size]
    factor = problem.privacy.factors(formulation.layout.comparisons.weights)
    eta, after = _compared_noise(formulation.layout)
    from_ratios = noise[eta] > factor * noise[after] * (1 + _LEAST_EXCESS)
    from_ratios &= noise[eta] > _NO_MASS
    from_indicators = _indicators(formulation, values) > _HALF
    # One distance, or a program that shares an indicator among them.
    if len(from_indicators) == size:
        from_ratios = np.isin(np.arange(size), eta[from_ratios])
    proposals: list[Marks] = []
    for marks in (from_indicators, from_ratios, from_indicators & from_ratios):
        if not any(np.array_equal(marks, other) for other in proposals):
            proposals.append(marks)
            yield marks


def _polished_noise(
    problem: Problem, formulation: Formulation, noise: Floats, violations: Marks
) -> PolishedNoise:
    factor = problem.privacy.factors(formulation.layout.comparisons.weights)
    eta, after = _compared_noise(formulation.layout)
    choice = eta if len(violations) == formulation.layout.num_columns else np.arange(len(eta))
    marks = violations[choice]
    noise = _keep_ratios(noise, eta[~marks], after[~marks], factor[~marks])
    leaking = noise[eta] > factor * (1 + TIE) * noise[after]
    paid = np.zeros(len(violations))
    np.maximum.at(paid, choice, np.where(leaking, noise[eta], 0.0))
    delta = float((_budgets(formulation) @ paid).max()) if formulation.model.is_mixed_integer else 0.0
    loss = problem.loss
    matrix = formulation.layout.matrix(noise)
    return PolishedNoise(noise=noise, delta=delta, cost=0.0 if loss is None else loss.value(matrix))


def _indicators(formulation: Formulation, values: Floats) -> Floats:
    """Return the values of the indicators; with a delta of 0, which has none, a zero for each comparison."""
    if not formulation.model.is_mixed_integer:
        return np.zeros(len(formulation.layout.comparisons.left))
    block = formulation.rules.privacy[0]
    return values[formulation.model.columns_from(BlockOrigin(BlockPart.INDICATORS, block))]


def _budgets(formulation: Formulation) -> sparse.csr_array:
    """Return the paid masses in the sum of each budget."""
    model, block = formulation.model, formulation.rules.privacy[0]
    budgets, paid = BlockOrigin(BlockPart.BUDGETS, block), BlockOrigin(BlockPart.EXCESSES, block)
    return sparse.csr_array(model.matrix[model.rows_from(budgets)][:, model.columns_from(paid)])


def _compared_noise(layout: Layout) -> tuple[Integers, Integers]:
    """Return the two compared noise values of each comparison: every entry is one column."""
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
    delta, cost = polished_noise.delta, polished_noise.cost
    if limit is not None:
        return delta > float(limit) + TIE, cost
    return bound is not None and cost > float(bound.at_most) + _LEAST_EXCESS, delta
