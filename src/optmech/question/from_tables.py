"""Queries that are stated by what tables answer: `Query.from_data` and `Query.on_domain`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optmech.question.query_from_data import everywhere, near

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from os import PathLike
    from typing import Self


class FromTables:
    """What can be asked of tables, one by one."""

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
        """Ask a question of one given table: its answers are those within some changes of the data.

        **This is not differential privacy.** The answers and their neighbours depend on the data, as the sets
        of distances of Kadam et al. 2024 do: tables further away are not protected, and which answers can be
        released tells something of the table. Use `on_domain` for a guarantee that holds for all tables.

        Parameters
        ----------
        table : list of records, data frame or path
            A pandas or Polars data frame, a PyArrow table and a CSV file give one record for each row, a
            dictionary from column to value. Numbers in CSV files are read exactly.
        answer : Callable
            From a list of records to the answer: a number, or anything else that has a text. Whole numbers
            and fractions are compared exactly; two doubles that differ in the last bit are two answers.
        change : {"replace", "remove", "add", "add or remove"} or Callable
            What one person can do to a table: replace one record by any of `domain`, take one away, or add
            one of `domain` at the end. A function returns all tables that a table can be changed into.
        domain : iterable of records
            All records there can be, whether or not they occur: chosen without looking at the data.
        column : str, optional
            Take the values of this column as records.
        steps : int, default 1
            How many changes away from the given table a table may be. Of tables that close, all that are one
            change apart are neighbours.
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
        return near(
            cls, table, answer, change=change, domain=domain, column=column, steps=steps, ordered=ordered
        )

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
        """Ask a question of all tables of a small domain: exactly the answers and neighbours there are.

        Every table is asked, so the guarantee holds for every table with records of `domain` and a number of
        records in `sizes`.

        Parameters
        ----------
        answer, change, ordered
            As in `from_data`.
        domain : iterable of records
            All records there can be.
        sizes : int or (int, int)
            How many records a table has, or the least and the largest number. Where records are added or
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
        return everywhere(cls, answer, domain, sizes, change, ordered=ordered)
