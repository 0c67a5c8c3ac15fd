"""Which problems the theorems on bounded noise speak of, and what they read off them.

All speak of counts one apart and of the least delta, for single outcomes or for all sets of them, and of no
further property.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import NotAcceptedError
from optmech.question.losses import LeastDelta
from optmech.question.privacy import ApproximatePrivacy, PerOutcomePrivacy, SymmetricRows
from optmech.question.structures import SymmetricNoise, ZeroBiasNoise
from optmech.theorems.sadeghi import printed_rows_suffice

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from flint import arb
    from numpy.typing import NDArray

    from optmech.base.logarithm import Logarithm
    from optmech.question.problem import Problem
    from optmech.question.query import Query
    from optmech.theorems.sadeghi_letters import ClosedForm

    Floats = NDArray[np.float64]

__all__ = [
    "ball_at_letters",
    "ball_at_range",
    "letters",
    "noise_matrix",
    "objection_to_counts_from_half_width",
    "objection_to_counts_from_one",
    "objection_to_large_range",
    "objection_to_long_chain",
    "objection_to_printed_rows",
    "objection_to_small_accuracy",
    "objection_to_symmetric",
    "objection_to_symmetric_with_all_rows",
    "objection_to_true_counts_from_half_width",
    "objection_to_true_counts_from_one",
    "objection_to_true_large_range",
    "objection_to_true_symmetric",
    "value_at_letters",
    "value_at_range",
]


def letters(problem: Problem) -> tuple[Fraction | Logarithm, Fraction, int]:
    """Return epsilon, accuracy and half-width of a problem of bounded noise.

    Raises
    ------
    NotAcceptedError
        If the structure is another.
    """
    structure = problem.structure
    if not isinstance(structure, (SymmetricNoise, ZeroBiasNoise)):
        message = f"`structure` must be symmetric or zero-bias noise; got {structure}. Ask `objection` first."
        raise NotAcceptedError(message)
    return problem.privacy.epsilon, structure.accuracy, structure.half_width


def value_at_letters(form: ClosedForm) -> Callable[[Problem], float]:
    """Return the value of a closed form at the letters of a problem."""
    return lambda problem: form(*letters(problem))


def ball_at_letters(form: ClosedForm) -> Callable[[Problem, int], arb]:
    """Return the same as a ball of so many digits."""
    return lambda problem, digits: form.ball(*letters(problem), digits=digits)


def value_at_range(form: ClosedForm) -> Callable[[Problem], float]:
    """Return the value of a closed form at the letters of a problem and its largest count."""
    return lambda problem: form(*letters(problem), int(problem.query.truths[-1]))


def ball_at_range(form: ClosedForm) -> Callable[[Problem, int], arb]:
    """Return the same as a ball of so many digits."""
    return lambda problem, digits: form.ball(*letters(problem), int(problem.query.truths[-1]), digits=digits)


def noise_matrix(query: Query, accuracy: Fraction, weights: Floats) -> Floats:
    """Return the mechanism (16) on the responses of a query, shape (num_responses, num_truths).

    Parameters
    ----------
    query : Query
        Its truths and responses are whole numbers.
    accuracy : Fraction
        Probability of the truth.
    weights : ndarray, shape (half_width,)
        Weights of the noise values 1, …, half_width; they sum to one.
    """
    noise = np.concatenate([[float(accuracy)], float((1 - accuracy) / 2) * weights, [0.0]])
    distance = np.abs(query.response_values[:, None] - query.truth_values[None, :]).astype(int)
    matrix: Floats = noise[np.minimum(distance, len(weights) + 1)]  # (15)
    return matrix


def objection_to_symmetric(problem: Problem) -> str | None:
    """Say why this is not the least delta of symmetric noise, or ``None``."""
    if not isinstance(problem.structure, SymmetricNoise):
        return f"the theorem speaks of symmetric noise; got {problem.structure}"
    return _objection(problem) or _objection_to_low_counts(problem)


def objection_to_symmetric_with_all_rows(problem: Problem) -> str | None:
    """Say why this is not symmetric noise under all rows of (9), or ``None``."""
    return objection_to_symmetric(problem) or _objection_to_rows(problem, SymmetricRows.ALL)


def objection_to_printed_rows(problem: Problem) -> str | None:
    """Say why this is not symmetric noise under rows (17)-(19) only, or ``None``."""
    return objection_to_symmetric(problem) or _objection_to_rows(problem, SymmetricRows.PAPER)


def objection_to_small_accuracy(problem: Problem) -> str | None:
    """Say why this is not symmetric noise accurate enough for Theorem 3 under all rows, or ``None``."""
    found = objection_to_symmetric_with_all_rows(problem)
    if found is None and not printed_rows_suffice(*letters(problem)):
        return "the accuracy is too small: the odds must reach half of S_{D-1} / T_D"
    return found


def objection_to_counts_from_half_width(problem: Problem) -> str | None:
    """Say why this is not zero-bias noise at counts of the half-width or more, or ``None``."""
    return _objection_to_zero_bias(problem) or _objection_to_low_counts(problem)


def objection_to_large_range(problem: Problem) -> str | None:
    """Say why zero-bias noise has not twice the half-width of counts above its own room, or ``None``."""
    return _objection_to_zero_bias(problem) or _objection_to_short_range(problem)


def objection_to_counts_from_one(problem: Problem) -> str | None:
    """Say why this is not zero-bias noise at counts from 1, or ``None``."""
    return _objection_to_zero_bias(problem) or _objection_to_later_counts(problem)


def objection_to_long_chain(problem: Problem) -> str | None:
    """Say why zero-bias noise at counts from 1 does not lose outcome 0 in range, or ``None``."""
    found = objection_to_counts_from_one(problem)
    if found is None and problem.query.truths[-1] <= letters(problem)[2]:
        return f"counts must pass the half-width; got {problem.query.truths[-1]}"
    return found


def objection_to_true_symmetric(problem: Problem) -> str | None:
    """Say why this is not the least delta of symmetric noise over all sets of outcomes, or ``None``."""
    if not isinstance(problem.structure, SymmetricNoise):
        return f"the theorem speaks of symmetric noise; got {problem.structure}"
    return _objection_to_all_sets(problem) or _objection_to_low_counts(problem)


def objection_to_true_counts_from_half_width(problem: Problem) -> str | None:
    """Say why this is not zero-bias noise at counts of the half-width or more, over all sets, or ``None``."""
    return _objection_to_true_zero_bias(problem) or _objection_to_low_counts(problem)


def objection_to_true_large_range(problem: Problem) -> str | None:
    """Say why zero-bias noise has not twice the half-width of counts, over all sets, or ``None``."""
    return _objection_to_true_zero_bias(problem) or _objection_to_short_range(problem)


def objection_to_true_counts_from_one(problem: Problem) -> str | None:
    """Say why this is not zero-bias noise at counts from 1, over all sets of outcomes, or ``None``."""
    return _objection_to_true_zero_bias(problem) or _objection_to_later_counts(problem)


def _objection_to_zero_bias(problem: Problem) -> str | None:
    if not isinstance(problem.structure, ZeroBiasNoise):
        return f"the theorem speaks of zero-bias noise; got {problem.structure}"
    return _objection(problem) or _objection_to_rows(problem, SymmetricRows.ALL)


def _objection_to_true_zero_bias(problem: Problem) -> str | None:
    if not isinstance(problem.structure, ZeroBiasNoise):
        return f"the theorem speaks of zero-bias noise; got {problem.structure}"
    return _objection_to_all_sets(problem)


def _objection_to_short_range(problem: Problem) -> str | None:
    width = letters(problem)[2]
    needed = max(int(problem.query.truths[0]), width) + 2 * width
    last = problem.query.truths[-1]
    return None if last >= needed else f"counts must reach {needed}; got {last}"


def _objection_to_later_counts(problem: Problem) -> str | None:
    first = problem.query.truths[0]
    return None if first == 1 else f"counts must start at 1; got {first}"


def _objection_to_low_counts(problem: Problem) -> str | None:
    first, width = problem.query.truths[0], letters(problem)[2]
    return None if first >= width else f"counts must start at the half-width {width} or above; got {first}"


def _objection_to_rows(problem: Problem, rows: SymmetricRows) -> str | None:
    held = isinstance(problem.privacy, PerOutcomePrivacy) and problem.privacy.rows is rows
    return None if held else f"the theorem speaks of privacy with rows {rows.value!r}"


def _objection(problem: Problem) -> str | None:
    if not isinstance(problem.privacy, PerOutcomePrivacy):
        return f"the theorem bounds single outcomes; got {problem.privacy}"
    return _objection_to_question(problem)


def _objection_to_all_sets(problem: Problem) -> str | None:
    if not isinstance(problem.privacy, ApproximatePrivacy):
        return f"the theorem bounds all sets of outcomes; got {problem.privacy}"
    return _objection_to_question(problem)


def _objection_to_question(problem: Problem) -> str | None:
    if not isinstance(problem.objective, LeastDelta) or problem.objective.cost is not None:
        return f"the theorem gives the least delta at any cost; got {problem.objective}"
    if problem.properties:
        return f"the theorem knows no further property; got {', '.join(sorted(problem.properties))}"
    return _objection_to_query(problem.query, letters(problem)[2])


def _objection_to_query(query: Query, half_width: int) -> str | None:
    first, last = query.truths[0], query.truths[-1]
    if first < 1 or first.denominator != 1 or any(high - low != 1 for low, high in pairwise(query.truths)):
        return "truths must be consecutive whole numbers from 1 or above"
    if query.num_truths == 1:
        return "truths must be two or more; with one there is nothing to protect"
    up = {(low, low + 1) for low in range(query.num_truths - 1)}
    if set(map(tuple, query.pairs.tolist())) != up | {(high, low) for low, high in up}:
        return "neighbours must be the counts one apart, both ways"
    points = {low for low, high in query.responses if low == high and low.denominator == 1 and low >= 0}
    reached = range(max(0, int(first) - half_width), int(last) + half_width + 1)
    if len(points) < query.num_responses or not points.issuperset(reached):
        return f"responses must be whole numbers, {reached[0]} to {reached[-1]} among them, none negative"
    return None
