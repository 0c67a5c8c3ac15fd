"""Ask for the mean, the spread or the total of people's records, whose number is private."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.arguments import one_of
from optmech.base.errors import broken_rule
from optmech.base.numbers import exact
from optmech.question.tables.budget import budget_of
from optmech.question.tables.record_sums import Asked, RecordSums
from optmech.question.tables.table_problem import of_records

if TYPE_CHECKING:
    from fractions import Fraction

    from optmech.base.numbers import Number
    from optmech.question.tables.table_problem import TableProblem


def sums_of_people(
    between: str | tuple[Number, Number],
    asked: str = Asked.MEAN,
    *,
    zcdp: Number | None = None,
    epsilon: Number | None = None,
    delta: Number | None = None,
    unit: Number = 1,
    at_most: int = 1,
    at_most_per_group: int | None = None,
) -> TableProblem:
    """Ask for the mean of people's records, with their number and their total in one budget; or a total.

    Parameters
    ----------
    between : str or tuple
        The range of one record, ``"0:100"`` or ``(0, 100)``, known without the data. Records outside count
        as the nearest end.
    asked : {"mean", "spread", "total"}
        ``"spread"`` has the standard deviation, too, at a price: people are 1.22 times as noisy, the mean up
        to 1.12. ``"total"`` is a total alone, such as money in cents.
    zcdp, epsilon, delta : str, int, float or Fraction, optional
        As for `table`: what one person spends who comes or goes. One whose record changes spends twice;
        in a total over both signs as two people do.
    unit : str, int, float or Fraction, default 1
        The step of the numbers, such as ``"0.01"`` or 1000; records are rounded to it.
    at_most, at_most_per_group : int
        Records of one person, in all and in one group: the noise grows with them.

    Returns
    -------
    TableProblem
        A question for `design`.

    Examples
    --------
    >>> asked = sums_of_people("0:100", epsilon=1)
    >>> print(asked.title, asked.person.at_most)
    mean of people, each from 0 to 100 100
    """
    low, high = range_of_numbers(between)
    sums = RecordSums(
        low=low,
        high=high,
        unit=exact(unit, "unit"),
        asked=Asked(one_of(asked, Asked, "asked")),
        at_most=at_most,
        at_most_per_group=at_most_per_group,
    )
    return of_records(sums, budget_of(zcdp, epsilon, delta))


def range_of_numbers(between: str | tuple[Number, Number]) -> tuple[Fraction, Fraction]:
    """Return the ends of a range such as ``"0:100"``, exactly.

    >>> range_of_numbers("-1:2.5")[1]
    Fraction(5, 2)
    """
    ends = tuple(between.split(":")) if isinstance(between, str) else between
    if not isinstance(ends, (tuple, list)) or len(ends) != 2:  # noqa: PLR2004 - low and high
        raise broken_rule("range", "be LOW:HIGH, such as 0:100", repr(between))
    low, high = (exact(end.strip() if isinstance(end, str) else end, "range") for end in ends)
    return low, high
