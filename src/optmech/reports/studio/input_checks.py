"""The bounds of what a client sends, each refused in a sentence, and the steps of the logarithmic sliders."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import as_text, brief, exact
from optmech.question.epsilon import exact_epsilon
from optmech.question.properties import PROPERTIES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

BOUNDS = {
    "smallest": (-1_000_000, 1_000_000),
    "largest": (-1_000_000, 1_000_000),
    "records": (1, 400),
    "per_person": (1, 100),
    "beyond": (0, 100),
    "seconds": (1, 600),
}
"""The least and the greatest of each whole number."""
BUDGETS = {"epsilon": ("0.01", "10"), "delta": ("1e-12", "0.5")}
_LONGEST_TEXT = 40
LONGEST_LIST = 1000


def check_one_of(name: str, value: object, choices: Mapping[str, str]) -> None:
    """Refuse what is none of the known names."""
    if not isinstance(value, str) or value not in choices:
        raise broken_rule(name, f"be one of {', '.join(choices)}", brief(value), "Choose one of these.")


def whole_number(name: str, value: object) -> int:
    """Return a whole number within `BOUNDS`."""
    low, high = BOUNDS[name]
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if is_number and low <= value <= high and value == int(value):  # type: ignore[operator,call-overload]
        return int(value)  # type: ignore[call-overload,no-any-return]
    raise broken_rule(
        name, f"be a whole number from {low} to {high}", brief(value), "Type one between these."
    )


def short_text(name: str, value: object, longest: int = _LONGEST_TEXT) -> str:
    """Return a text that is not too long, without blanks around it."""
    if not isinstance(value, str) or len(value) > longest:
        example = "a number such as 0.5" if longest == _LONGEST_TEXT else "names such as red, green, blue"
        raise broken_rule(name, f"be text of at most {longest} letters", brief(value), f"Write {example}.")
    return value.strip()


def check_budget(name: str, text: str) -> None:
    """Refuse an epsilon, or a delta other than 0, that is too small or too large for a page."""
    least, most = BUDGETS[name]
    value = exact_epsilon(text) if name == "epsilon" else exact(text, name)
    if name == "delta" and value == 0:
        return
    if not exact(least, name) <= value <= exact(most, name):
        also = "be 0, or " if name == "delta" else ""
        raise broken_rule(
            name, f"{also}lie between {least} and {most} in the studio", text, "`optmech design` takes any."
        )


def property_names(names: object) -> tuple[str, ...]:
    """Return names of properties in order, each once."""
    all_names = list(map(str, PROPERTIES))
    if not isinstance(names, (list, tuple, set, frozenset)) or len(names) > len(all_names):
        raise broken_rule("properties", "be a list of names", brief(names), "Tick boxes of the page.")
    for name in names:
        if not isinstance(name, str) or name not in all_names:
            raise broken_rule(
                "properties", f"be among {', '.join(all_names)}", brief(name), "Tick one of these."
            )
    return tuple(sorted({str(name) for name in names}))


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
    index = bisect_left(numbers, value)
    if index in (0, len(steps)):
        return min(index, len(steps) - 1)
    return index if numbers[index] - value < value - numbers[index - 1] else index - 1
