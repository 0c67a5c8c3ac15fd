"""The steps of the logarithmic sliders, each a number that can be read and typed."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError
from optmech.base.numbers import as_text
from optmech.question.epsilon import exact_epsilon

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["DELTA_STEPS", "EPSILON_STEPS", "nearest_step"]

EPSILON_STEPS = (
    *(
        as_text(Fraction(digits, 10**power))
        for power in (3, 2, 1)
        for digits in (*range(10, 20), *range(20, 50, 2), *range(50, 100, 5))
    ),
    "10",
)
"""From 0.01 to 10, two digits each, steps of some five per cent."""
DELTA_STEPS = (
    "0",
    *(f"{digit}e-{power}" for power in range(12, 3, -1) for digit in (1, 2, 5)),
    *(as_text(Fraction(digit, 10**power)) for power in (3, 2, 1) for digit in (1, 2, 5)),
)
"""Pure privacy, and then from 1e-12 to 0.5 in steps of 1, 2, 5."""


def nearest_step(steps: Sequence[str], text: str) -> int | None:
    """Return which step lies nearest to a number as typed; ``None`` where that is no number."""
    try:
        value = float(exact_epsilon(text))
    except (ProblemError, OverflowError):
        return None
    numbers = [float(Fraction(step)) for step in steps]
    place = bisect_left(numbers, value)
    if place in (0, len(steps)):
        return min(place, len(steps) - 1)
    return place if numbers[place] - value < value - numbers[place - 1] else place - 1
