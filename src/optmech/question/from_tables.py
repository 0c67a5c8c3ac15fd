"""Queries stated by the answers of tables: `Query.from_data` and `Query.on_domain`."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from math import comb
from typing import TYPE_CHECKING, Any

from optmech.base.arguments import whole_number
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import brief
from optmech.question.answers import Scope
from optmech.question.query_from_data import TABLE_CHANGES, Tables, need_few
from optmech.question.records import records_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from os import PathLike
    from typing import Self

    from optmech.question.query_from_data import Positions


class FromTables:
    """Queries on single tables."""

    __slots__ = ()

    @classmethod
    def from_data(
        cls,
        table: Iterable[Any] | str | PathLike[str],
        answer: Callable[[list[Any]], Any],
        *,
        change: str | Callable[[tuple[Any, ...]], Iterable[Iterable[Any]]],
        domain: Iterable[Any] = (),
        column: str | None = None,
        steps: int = 1,
        ordered: bool = True,
    ) -> Self:
        """Build a query from one given table: its answers are those within some changes of the data.

        **This is not differential privacy.** The answers and their neighbours depend on the data, as the sets
        of distances of Kadam et al. 2024 do: tables further away are not protected, and the set of possible
        answers reveals something about the table. Use `on_domain` for a guarantee that holds for all tables.

        Parameters
        ----------
        table : list of records, data frame or path
            A pandas or Polars data frame, a PyArrow table and a CSV file give one record for each row, a
            dictionary from column to value. Numbers in CSV files are read exactly.
        answer : Callable
            From a list of records to the answer: a number, or anything else that has a text. Whole numbers
            and fractions are compared exactly; two doubles that differ in the last bit are two answers.
        change : {"replace", "remove", "add", "add or remove"} or Callable
            The changes that one person can make to a table: replace one record by any of `domain`, take one
            away, or add one of `domain` at the end. A function returns all tables that a table can be changed
            into.
        domain : iterable of records
            All records there can be, whether or not they occur: chosen without looking at the data.
        column : str, optional
            Take the values of this column as records.
        steps : int, default 1
            The number of changes by which a table may differ from the given one. All tables that close are
            neighbours if they are one change apart.
        ordered : bool, default True
            Whether the answer depends on the order of the records. ``False`` promises that it does not, and
            then tables with the same records count once.

        Raises
        ------
        ProblemError
            If an argument breaks its rule, there are too many tables, or `answer` fails on one of them.
        FileFormatError
            If a CSV file cannot be read.

        Examples
        --------
        >>> from optmech.question.query import Query
        >>> query = Query.from_data([3, 1, 3], max, change="replace", domain=[0, 1, 2, 3, 4])
        >>> list(map(int, query.truths)), query.pairs.tolist()
        ([3, 4], [[0, 1], [1, 0]])
        >>> query.name
        'answers within 1 change of the given data'
        >>> str(query.scope), str(Query(query.truths, neighbours=query.pairs).scope)
        ('given table', 'given table')
        """
        if whole_number(steps, "steps") < 1:
            raise broken_rule("steps", "be a whole number of at least 1", steps)
        data = Tables(answer, change, records_of(table, column), domain, ordered=ordered)
        frontier, seen_tables = [data.start], {data.start}
        for _ in range(steps):
            next_tables: set[Positions] = set()
            for here in frontier:
                next_tables.update(data.changes(here))
                need_few(len(next_tables) + len(seen_tables))
            frontier = list(next_tables - seen_tables)
            if not frontier:
                break
            seen_tables |= next_tables
        changes = "1 change" if steps == 1 else f"{steps} changes"
        return data.query(cls, seen_tables, f"answers within {changes} of the given data", Scope.GIVEN_TABLE)

    @classmethod
    def on_domain(
        cls,
        answer: Callable[[list[Any]], Any],
        *,
        domain: Iterable[Any],
        sizes: int | tuple[int, int],
        change: str | Callable[[tuple[Any, ...]], Iterable[Iterable[Any]]] = "replace",
        ordered: bool = True,
    ) -> Self:
        """Build a query from all tables of a small domain: exactly their answers and neighbours.

        Every table is asked, so the guarantee holds for every table with records of `domain` and a number of
        records in `sizes`.

        Parameters
        ----------
        answer, change, ordered
            As in `from_data`.
        domain : iterable of records
            All records there can be.
        sizes : int or (int, int)
            Number of records of a table, or the least and the largest number. Where records are added or
            removed it must be a range.

        Raises
        ------
        ProblemError
            If an argument breaks its rule, there are too many tables, or `answer` fails on one of them.

        Examples
        --------
        The median of three, which one record can move by any distance only if the others lie far apart:

        >>> from optmech.question.query import Query
        >>> query = Query.on_domain(lambda table: sorted(table)[1], domain=range(3), sizes=3)
        >>> list(map(int, query.truths)), len(query.pairs)
        ([0, 1, 2], 6)
        """
        smallest, largest = _sizes(sizes)
        data = Tables(answer, change, [], domain, ordered=ordered)
        if not data.domain:
            raise broken_rule("domain", "hold at least one record", "none")
        if smallest == largest and change in TABLE_CHANGES[1:]:
            message = (
                f"`sizes` must be a range where records are added or removed; got {smallest}. "
                f"Give ({max(0, smallest - 1)}, {smallest})."
            )
            raise ProblemError(message)
        kinds, tables = len(data.domain), range(smallest, largest + 1)
        need_few(largest)
        need_few(sum(kinds**size if ordered else comb(kinds + size - 1, size) for size in tables))
        all_tables: set[Positions] = set()
        for size in tables:
            every = (
                product(data.domain, repeat=size)
                if ordered
                else combinations_with_replacement(data.domain, size)
            )
            all_tables.update(every)
        span = f"{smallest}" if smallest == largest else f"{smallest} to {largest}"
        name = f"answers of all tables of {span} records from a domain of {kinds}"
        return data.query(cls, all_tables, name, Scope.EVERY_TABLE)


def _sizes(sizes: int | tuple[int, int]) -> tuple[int, int]:
    try:
        smallest, largest = sizes if isinstance(sizes, (tuple, list)) else (sizes, sizes)
        sound = 0 <= whole_number(smallest, "sizes") <= whole_number(largest, "sizes") and largest >= 1
    except ValueError:  # not two of them, or no whole ones
        sound = False
    if not sound:
        raise broken_rule("sizes", "be a number of records, or the least and the largest", brief(sizes))
    return smallest, largest
