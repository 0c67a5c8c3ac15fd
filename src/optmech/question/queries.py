"""The most common queries: counts, means, totals, extremes and residues."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.base.arguments import brief, flag, items, whole_number
from optmech.base.errors import ProblemError, broken_rule
from optmech.question.grid import LARGEST_MATRIX, Grid
from optmech.question.kinds import Count, Extremum, Mean, RecordTotal, Residues
from optmech.question.long_path import LongPath
from optmech.question.query import Query

if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST_ANSWERS = 200_000
# Gigabytes of whole numbers in the proof, and minutes.
_MOST_ON_A_PATH = 10_000_001


def count(*ends: int, smallest: int = 0, largest: int | None = None, records_per_person: int = 1) -> Query:
    """Ask for a count: the answers to ``count(100)`` are 0, …, 100, to ``count(3, 100)`` 3, …, 100.

    Ends stand as in Python's `range`, but the largest is an answer as well; they may be named,
    ``count(100, smallest=3)``. One person changes the count by at most `records_per_person`: with several
    records a person, all of them are protected together, which is group privacy. A count of one record a
    person may be as large as ten million, and `design` has mechanisms up to a million: from 300 on under pure
    privacy, and from 2,000 on under any other, these are distributions without a matrix in whole numbers.

    Raises
    ------
    ProblemError
        If the range is empty or reversed, or a number is not whole.

    Examples
    --------
    >>> query = count(5)
    >>> query.num_truths, len(query.pairs)
    (6, 10)
    >>> count(3, 100).title
    'count 3..100'
    """
    smallest, largest = _ends_of("count", ends, smallest, largest)
    if smallest < 0:
        raise broken_rule("smallest", "be at least 0 for a count", smallest)
    reach = whole_number(records_per_person, "records_per_person")
    _need_range(smallest, largest, _MOST_ON_A_PATH if reach == 1 else _MOST_ANSWERS)
    kind, number = Count(smallest, largest, reach), largest - smallest + 1
    if reach == 1 and number**2 > LARGEST_MATRIX:
        return LongPath(Grid(Fraction(smallest), Fraction(1), number), kind)
    return Query(range(smallest, largest + 1), neighbours=reach, kind=kind)


def mean(
    records: int, *ends: int, smallest: int = 0, largest: int | None = None, records_per_person: int = 1
) -> Query:
    """Ask for the mean of 28 whole numbers: of 0, …, 5 by ``mean(28, 5)``, of 1, …, 5 by ``mean(28, 1, 5)``.

    There are ``records * (largest - smallest) + 1`` answers, spaced ``1 / records``. Replacing one record
    moves the sum by anything up to ``largest - smallest``, so neighbours are *all* pairs within that many
    steps, not only those exactly that far apart (which would not be private). Where a person has several
    records, all of them may be replaced at once, and the reach is `records_per_person` times that.

    Raises
    ------
    ProblemError
        If there is no record, or the range is empty or reversed.

    Examples
    --------
    >>> query = mean(10, 4)
    >>> query.num_truths, query.truths[1], len(query.pairs)
    (41, Fraction(1, 10), 308)
    >>> mean(28, 1, 5).title
    'mean of 28 records 1..5'
    """
    records, person = whole_number(records, "records"), whole_number(records_per_person, "records_per_person")
    smallest, largest = _ends_of("mean", ends, smallest, largest)
    _need_range(smallest, largest)
    kind, width = Mean(records, smallest, largest, person), largest - smallest
    _need_few(records * width + 1)
    truths = [smallest + Fraction(step, records) for step in range(records * width + 1)]
    return Query(truths, neighbours=person * width, kind=kind)


def extremum(*ends: int, smallest: int = 0, largest: int | None = None) -> Query:
    """Ask for the largest, smallest or median of records: of 1, …, 7 for ``extremum(1, 7)``.

    The records are of 0, …, 7 for ``extremum(7)``. One record can move each of the three from any value to
    any other: all pairs are neighbours, however many records a person has.

    Raises
    ------
    ProblemError
        If the range is empty or reversed, or an end is not a whole number.

    Examples
    --------
    >>> len(extremum(1, 5).pairs)
    20
    """
    smallest, largest = _ends_of("extremum", ends, smallest, largest)
    _need_range(smallest, largest)
    return Query(range(smallest, largest + 1), neighbours="all", kind=Extremum(smallest, largest))


def residues(modulus: int, distances: Iterable[int], *, symmetric: bool = True) -> Query:
    """Ask for an answer on a circle: 0, …, ``modulus - 1``, taken modulo `modulus`.

    Parameters
    ----------
    modulus : int
        Number of answers, at least 2.
    distances : iterable of int
        Distances by which one person can move the answer, each from 1 to ``modulus - 1``.
    symmetric : bool, default True
        Whether ``-distance`` is protected as well. Kadam et al. 2024 list one direction only
        (``symmetric=False``): then of two neighbouring data sets only one is protected against the other,
        which is *not* differential privacy. Use it to reproduce their numbers, never to publish.

    Raises
    ------
    ProblemError
        If the modulus is below 2, or a distance is missing or outside the modulus.

    Examples
    --------
    >>> residues(5, [1]).pairs.tolist()[:4]
    [[0, 1], [0, 4], [1, 0], [1, 2]]
    >>> residues(5, [1], symmetric=False).pairs.tolist()
    [[0, 4], [1, 0], [2, 1], [3, 2], [4, 3]]
    """
    flag(symmetric, "symmetric")
    members = items(distances, "distances", "a list of whole numbers")
    steps = sorted({whole_number(distance, "distances") for distance in members})
    kind = Residues(whole_number(modulus, "modulus"), tuple(steps))
    _need_few(kind.modulus)
    return Query(range(kind.modulus), neighbours=kind.pairs(), symmetric=symmetric, kind=kind)


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
        Number of records, or with ``adjacency="add-remove"`` the largest number of them.
    *ends, smallest, largest : int
        Between which each record lies. Clamp those that do not.
    records_per_person : int, default 1
        Number of records of one person, all protected together.
    adjacency : {"change", "add-remove"}
        The changes that one person may make. ``"change"``: their records to any others of the range; how many
        records there are is public. ``"add-remove"``: add or remove them; how many there are is protected as
        well.

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
    records, person = whole_number(records, "records"), whole_number(records_per_person, "records_per_person")
    smallest, largest = _ends_of("total", ends, smallest, largest)
    if largest <= smallest:
        message = (
            "the range must hold at least two values of a record, smallest first; "
            f"got {smallest}..{largest}. With one value the total is the number of records: ask for a count."
        )
        raise ProblemError(message)
    kind = RecordTotal(records, smallest, largest, person, adjacency)
    low, high = kind.ends
    _need_few(high - low + 1)
    return Query(range(low, high + 1), neighbours=kind.reach, kind=kind)


def _ends_of(who: str, arguments: tuple[int, ...], smallest: int, largest: int | None) -> tuple[int, int]:
    """Return the smallest and the largest value of a range, typed as in Python's `range` or named."""
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


def _need_few(number: int, most: int = _MOST_ANSWERS) -> None:
    """Refuse more answers than can be written out."""
    if number > most:
        message = f"a query must have at most {most:,} answers; got {number:,}. Ask for a coarser range."
        raise ProblemError(message)


def _need_range(smallest: int, largest: int, most: int = _MOST_ANSWERS) -> None:
    """Refuse a range of fewer than two values, or of too many."""
    if largest <= smallest:
        message = (
            f"the range must hold at least two answers, smallest first; got {smallest}..{largest}. "
            "With a single answer there is nothing to protect."
        )
        raise ProblemError(message)
    _need_few(largest - smallest + 1, most)
