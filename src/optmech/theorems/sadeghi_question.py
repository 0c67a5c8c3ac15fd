"""Recognise the problems that the theorems on bounded noise apply to, with their numbers.

All apply to counts one apart and to the least delta, for single outcomes or for all sets of them, and to no
further property.
"""

from __future__ import annotations

from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.errors import NotAcceptedError
from optmech.question.losses import LeastDelta
from optmech.question.privacy import ApproximatePrivacy, PerOutcomePrivacy, SymmetricRows
from optmech.question.structures import SymmetricNoise, ZeroBiasNoise
from optmech.theorems.sadeghi import counts_followed, printed_rows_suffice
from optmech.theorems.theorem import Form

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from optmech.base.arrays import Floats
    from optmech.base.logarithm import Logarithm
    from optmech.question.problem import Problem
    from optmech.question.query import Query
    from optmech.theorems.sadeghi_letters import ClosedForm
    from optmech.theorems.theorem import Condition


def letters(problem: Problem) -> tuple[Fraction | Logarithm, Fraction, int]:
    """Return epsilon, accuracy and half-width of a problem of bounded noise."""
    structure = problem.structure
    accuracy, half_width = structure.truth_probability, structure.width
    if accuracy is None or half_width is None:
        message = f"`structure` must be symmetric or zero-bias noise; got {structure}. Ask `objection` first."
        raise NotAcceptedError(message)
    return problem.privacy.epsilon, accuracy, half_width


def at_letters(form: ClosedForm) -> Form:
    """Return a closed form at the letters of a problem."""
    return Form(
        lambda problem: form(*letters(problem)),
        lambda problem, digits: form.ball(*letters(problem), digits=digits),
    )


def at_range(form: ClosedForm) -> Form:
    """Return a closed form at the letters of a problem and its largest count."""
    return Form(
        lambda problem: form(*letters(problem), int(problem.query.truths[-1])),
        lambda problem, digits: form.ball(*letters(problem), int(problem.query.truths[-1]), digits=digits),
    )


def matrix_of(weights: ClosedForm) -> Callable[[Problem], Floats]:
    """Return the mechanism of symmetric noise of these weights."""

    def matrix(problem: Problem) -> Floats:
        accuracy = letters(problem)[1]
        masses = float((1 - accuracy) / 2) * weights(*letters(problem))
        return noise_matrix(problem.query, [float(accuracy), *masses, 0.0])

    return matrix


def noise_matrix(query: Query, noise: Sequence[Any]) -> NDArray[Any]:
    """Return the mechanism (16) of a query of whole numbers, shape (num_responses, num_truths).

    `noise` holds the probabilities of 0, …, half_width, of any kind of number, and at the end a zero.
    """
    distance = np.abs(query.response_values[:, None] - query.truth_values[None, :]).astype(int)
    matrix: NDArray[Any] = np.array(noise)[np.minimum(distance, len(noise) - 1)]  # (15)
    return matrix


def _of(part: Callable[[Problem], object], kind: type, says: str, then: Condition | None = None) -> Condition:
    """Return the condition that a part of a problem is of a kind, and what else must hold."""

    def objection(problem: Problem) -> str | None:
        own = part(problem)
        if not isinstance(own, kind):
            return f"the theorem {says}; got {own}"
        return None if then is None else then(problem)

    return objection


def _of_rows(rows: SymmetricRows) -> Condition:
    def objection(problem: Problem) -> str | None:
        holds = isinstance(problem.privacy, PerOutcomePrivacy) and problem.privacy.rows is rows
        return None if holds else f"the theorem applies to privacy with rows {rows.value!r}"

    return objection


def is_accurate(problem: Problem) -> str | None:
    """Say that the accuracy is too small for Theorem 3 under all rows, or return ``None``."""
    enough = printed_rows_suffice(*letters(problem))
    return None if enough else "the accuracy is too small: the odds must reach half of S_{D-1} / T_D"


def from_half_width(problem: Problem) -> str | None:
    """Say that some count is below the half-width, or return ``None``."""
    first, width = problem.query.truths[0], letters(problem)[2]
    return None if first >= width else f"counts must start at the half-width {width} or above; got {first}"


def long_range(problem: Problem) -> str | None:
    """Say that the range is too short to follow outcomes on either side of some count, or return ``None``."""
    first, last = problem.query.truths[0], problem.query.truths[-1]
    length_needed = first + 2 * counts_followed(*letters(problem))
    return None if last >= length_needed else f"counts from {first} must reach {length_needed}; got {last}"


def from_one(problem: Problem) -> str | None:
    """Say that counts do not start at 1, or return ``None``."""
    first = problem.query.truths[0]
    return None if first == 1 else f"counts must start at 1; got {first}"


def past_half_width(problem: Problem) -> str | None:
    """Say that outcome 0 is in range of each count, or return ``None``."""
    last = problem.query.truths[-1]
    return None if last > letters(problem)[2] else f"counts must pass the half-width; got {last}"


def _objection(problem: Problem) -> str | None:
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
    responses = range(max(0, int(first) - half_width), int(last) + half_width + 1)
    if len(points) < query.num_responses or not points.issuperset(responses):
        return f"responses must be whole numbers, {responses[0]} to {responses[-1]} among them, none negative"
    return None


symmetric = _of(attrgetter("structure"), SymmetricNoise, "applies to symmetric noise")
zero_bias = _of(attrgetter("structure"), ZeroBiasNoise, "applies to zero-bias noise")
single_outcomes = _of(attrgetter("privacy"), PerOutcomePrivacy, "bounds single outcomes", _objection)
all_sets = _of(attrgetter("privacy"), ApproximatePrivacy, "bounds all sets of outcomes", _objection)
all_rows, printed_rows = _of_rows(SymmetricRows.ALL), _of_rows(SymmetricRows.PAPER)
"""All rows of (9), and rows (17)-(19) alone."""
