"""The ranges of questions: their ends, as they may be typed, and how many answers they have."""

from __future__ import annotations

from optmech.base.arguments import brief, whole_number
from optmech.base.errors import ProblemError, broken_rule

MOST_ANSWERS = 200_000


def ends_of(who: str, arguments: tuple[int, ...], smallest: int, largest: int | None) -> tuple[int, int]:
    """Return the smallest and the largest value of a range, typed as in Python's `range` or named.

    >>> ends_of("count", (100,), 0, None), ends_of("count", (3, 100), 0, None)
    ((0, 100), (3, 100))
    """
    ends = [*arguments, *([] if largest is None else [largest])]
    if len(ends) == 1:
        ends.insert(0, smallest)
    elif len(ends) != 2 or whole_number(smallest, "smallest") != 0:  # noqa: PLR2004 - smallest and largest
        message = (
            f"`{who}` must be given the largest value, or the smallest and the largest; got "
            f"{brief([*ends, smallest] if whole_number(smallest, 'smallest') else ends)}."
        )
        raise ProblemError(message)
    return whole_number(ends[0], "smallest"), whole_number(ends[1], "largest")


def need_records(records: int) -> int:
    """Return how many records there are, at least one."""
    number = whole_number(records, "records")
    if number < 1:
        raise broken_rule("records", "be at least 1", number)
    return number


def records_of_one(records_per_person: int, records: int | None = None) -> int:
    """Return how many records change together, at least one and at most all."""
    number = whole_number(records_per_person, "records_per_person")
    if number < 1 or (records is not None and number > records):
        most = "" if records is None else f" and at most {records}, as there are records"
        raise broken_rule("records_per_person", f"be at least 1{most}", number)
    return number


def need_few(number: int, most: int = MOST_ANSWERS) -> None:
    """Refuse more answers than can be written out."""
    if number > most:
        message = f"a query must have at most {most:,} answers; got {number:,}. Ask for a coarser range."
        raise ProblemError(message)


def need_range(smallest: int, largest: int, most: int = MOST_ANSWERS) -> None:
    """Refuse a range of fewer than two values, or of too many."""
    if largest <= smallest:
        message = (
            f"the range must hold at least two answers, smallest first; got {smallest}..{largest}. "
            "With a single answer there is nothing to protect."
        )
        raise ProblemError(message)
    need_few(largest - smallest + 1, most)
