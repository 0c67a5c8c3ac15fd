"""The total of bounded records."""

from __future__ import annotations

from optmech.base.errors import ProblemError
from optmech.question.kinds import Total
from optmech.question.query import Query
from optmech.question.ranges import ends_of, need_few, need_records, records_of_one

__all__ = ["total"]


def total(
    records: int,
    *ends: int,
    smallest: int = 0,
    largest: int | None = None,
    records_per_person: int = 1,
    adjacency: str = "change",
) -> Query:
    """Ask for the total of 28 records: of 0, …, 5 by ``total(28, 5)``, of 1, …, 5 by ``total(28, 1, 5)``.

    Neighbours are all totals that are at most as far apart as one person can move them.

    Parameters
    ----------
    records : int
        How many there are, or with ``adjacency="add-remove"`` how many there are at most.
    *ends, smallest, largest : int
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
    records = need_records(records)
    smallest, largest = ends_of("total", ends, smallest, largest)
    if largest <= smallest:
        message = (
            "the range must hold at least two values of a record, smallest first; "
            f"got {smallest}..{largest}. With one value the total is the number of records: ask for a count."
        )
        raise ProblemError(message)
    person = records_of_one(records_per_person, records)
    kind = Total(records, smallest, largest, person, adjacency)
    low, high = kind.ends
    need_few(high - low + 1)
    return Query(range(low, high + 1), neighbours=kind.reach, kind=kind)
