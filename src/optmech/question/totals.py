"""The total of bounded records."""

from __future__ import annotations

from optmech.base.arguments import whole_number
from optmech.base.errors import ProblemError
from optmech.question.kinds import Total
from optmech.question.query import Query

__all__ = ["total"]

_MOST_ANSWERS = 200_000


def total(
    records: int,
    smallest: int,
    largest: int,
    *,
    records_per_person: int = 1,
    adjacency: str = "change",
) -> Query:
    """Ask for the total of `records` whole numbers from `smallest` to `largest`.

    Neighbours are all totals that are at most as far apart as one person can move them.

    Parameters
    ----------
    records : int
        How many there are, or with ``adjacency="add-remove"`` how many there are at most.
    smallest, largest : int
        Between which each record lies. Clamp those that do not.
    records_per_person : int, default 1
        How many of them one person has, all protected together.
    adjacency : {"change", "add-remove"}
        What one person may do. ``"change"``: their records to any others of the range; how many records there
        are is public. ``"add-remove"``: add or remove them; how many there are is protected as well.

    Raises
    ------
    ProblemError
        If there is no record, or the range is empty or reversed.

    Examples
    --------
    >>> query = total(28, 1, 5)
    >>> query.num_truths, query.truths[0], query.meaning.reach
    (113, Fraction(28, 1), 4)
    >>> query = total(28, 1, 5, adjacency="add-remove")
    >>> query.num_truths, query.truths[0], query.meaning.reach
    (141, Fraction(0, 1), 5)
    """
    numbers = {"records": records, "smallest": smallest, "largest": largest}
    whole = {name: whole_number(value, name) for name, value in numbers.items()}
    if whole["records"] < 1:
        message = f"`records` must be at least 1; got {records}."
        raise ProblemError(message)
    if whole["largest"] <= whole["smallest"]:
        message = (
            "the range must hold at least two values of a record, smallest first; "
            f"got {smallest}..{largest}. With one value the total is the number of records: ask for a count."
        )
        raise ProblemError(message)
    person = whole_number(records_per_person, "records_per_person")
    if not 1 <= person <= whole["records"]:
        message = (
            f"`records_per_person` must be at least 1 and at most {records}, as there are records; "
            f"got {person}."
        )
        raise ProblemError(message)
    kind = Total(**whole, records_per_person=person, adjacency=adjacency)
    low, high = kind.ends
    if high - low >= _MOST_ANSWERS:
        message = (
            f"a query must have at most {_MOST_ANSWERS:,} answers; got {high - low + 1:,}. "
            "Ask for fewer records, or in coarser units."
        )
        raise ProblemError(message)
    return Query(range(low, high + 1), neighbours=kind.reach, kind=kind)
