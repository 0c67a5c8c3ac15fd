"""Answers and neighbours found by evaluating the query on tables, one by one.

Privacy depends on the neighbours among the answers: f and g are neighbours where some table with the answer f
is one change away from some table with the answer g. Over *all* tables of a domain these are the neighbours
of differential privacy. Over the tables near one given table they are what Kadam et al. 2024 call
data-dependent distances, M = {Q(X) - Q(X')}, (6): they protect those tables from each other, and nothing
else.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import permutations
from numbers import Number
from typing import TYPE_CHECKING, Any, TypeVar

from optmech.base.arguments import flag, items
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import brief, exact
from optmech.question.records import records_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from optmech.question.answers import Scope

    Answer = Callable[[list[Any]], Any]
    Change = str | Callable[[tuple[Any, ...]], Iterable[Iterable[Any]]]
    Positions = tuple[int, ...]

AnyQuery = TypeVar("AnyQuery")

TABLE_CHANGES = ("replace", "remove", "add", "add or remove")
"""Change of one person to a table."""

# The query is evaluated on each of them; more take minutes.
_MOST_TABLES = 200_000


def distances_from_data(
    tables: Iterable[Any],
    answer: Answer,
    *,
    change: Change,
    domain: Iterable[Any] = (),
    column: str | None = None,
) -> tuple[Fraction, ...]:
    """Return the distances by which one person moves an answer in tables: M of Kadam et al. 2024.

    A distance is the answer of a table less that of a changed one, Kadam (6), over all changes of all tables.
    For `residues` take them modulo the number of answers. **They depend on the data**: noise for these
    distances protects these tables, and is not differential privacy for other data.

    Parameters
    ----------
    tables : iterable of tables
        Each as in `Query.from_data`.
    answer : Callable
        From a list of records to a number.
    change, domain, column
        As in `Query.from_data`.

    Returns
    -------
    tuple of Fraction
        Increasing, without zero.

    Raises
    ------
    ProblemError
        If an argument breaks its rule, or an answer is no number.

    Examples
    --------
    >>> spread = lambda table: max(table) - min(table)
    >>> [int(step) for step in distances_from_data([[1, 5, 5], [2, 2, 3]], spread, change="remove")]
    [1, 4]
    """
    distances: set[Fraction] = set()
    for table in items(tables, "tables", "a list of tables"):
        data = Tables(answer, change, records_of(table, column), domain, ordered=True)
        here, *others = map(data.answer, (data.start, *data.changes(data.start)))
        if any(isinstance(answer_of_table, str) for answer_of_table in (here, *others)):
            raise broken_rule("answer", "give numbers here, whose distance can be taken", brief(here))
        distances |= {here - other for other in others}
    return tuple(sorted(distances - {Fraction(0)}))


class Tables:
    """Tables as positions in a list of different records, and their answers."""

    def __init__(
        self, answer: Answer, change: Change, table: list[Any], domain: Iterable[Any], *, ordered: bool
    ) -> None:
        flag(ordered, "ordered")
        if not callable(change) and not (isinstance(change, str) and change in TABLE_CHANGES):
            raise broken_rule("change", f"be one of {', '.join(TABLE_CHANGES)}, or a function", brief(change))
        if not callable(answer):
            raise broken_rule("answer", "be a function from a list of records to an answer", brief(answer))
        self._ask, self._change, self._ordered = answer, change, ordered
        self._records: list[Any] = []
        self._indices: dict[Any, int] = {}
        self._answers: dict[Positions, Any] = {}
        self.domain = sorted({self._index_of(record) for record in records_of(domain)})
        self.start = self._table(table)
        if change in ("replace", "add", "add or remove") and not self.domain:
            message = f"`domain` must be given to {change} records: all records there can be, seen or not."
            raise ProblemError(message)

    def changes(self, table: Positions) -> Iterator[Positions]:
        """Yield all tables one change away; some more than once."""
        if callable(self._change):
            yield from self._own_changes(tuple(self._records[index] for index in table))
            return
        if self._change == "replace":
            for at in range(len(table)):
                for index in self.domain:
                    yield self._ordered_table((*table[:at], index, *table[at + 1 :]))
        if "remove" in self._change:
            for at in range(len(table)):
                yield (*table[:at], *table[at + 1 :])
        if "add" in self._change:
            for index in self.domain:
                yield self._ordered_table((*table, index))

    def _own_changes(self, records: tuple[Any, ...]) -> Iterator[Positions]:
        """Yield the neighbours of a table from the user's function."""
        assert callable(self._change)  # noqa: S101 - narrows the type for the checker
        try:
            others = self._change(records)
        except Exception as error:
            message = (
                f"`change` must work on every table; on one of {len(records)} records it failed: "
                f"{type(error).__name__}: {error}."
            )
            raise ProblemError(message) from error
        for other in items(others, "change", "a function that returns tables"):
            yield self._table(items(other, "change", "a function that returns tables"))

    def answer(self, table: Positions) -> Any:  # noqa: ANN401 - a fraction, or whatever has a text
        """Return the answer of a table, numbers exactly."""
        if table in self._answers:
            return self._answers[table]
        records = [self._records[index] for index in table]
        try:
            value = self._ask(records)
        except Exception as error:
            message = (
                f"`answer` must have a value for every table; on one of {len(records)} records it failed: "
                f"{type(error).__name__}: {error}."
            )
            raise ProblemError(message) from error
        try:
            value = exact(value, "answer")
        except ProblemError:
            if isinstance(value, Number) and not isinstance(value, bool):
                raise
            value = str(value)
        self._answers[table] = value
        return value

    def query(
        self, make: Callable[..., AnyQuery], tables: set[Positions], name: str, scope: Scope
    ) -> AnyQuery:
        """Return the query on the answers of tables; tables one change apart give neighbours."""
        pairs = (
            self._pairs_of_replacements(tables)
            if self._change == "replace"
            else self._pairs_of_changes(tables)
        )
        answers = {self.answer(table) for table in tables}
        has_labels = any(isinstance(answer, str) for answer in answers)
        members: list[Any] = sorted(answers, key=str) if has_labels else sorted(answers)
        at = {answer: index for index, answer in enumerate(members)}
        return make(
            range(len(members)) if has_labels else members,
            neighbours=sorted({(at[first], at[second]) for first, second in pairs if first != second}),
            name=name,
            labels=map(str, members) if has_labels else (),
            scope=scope,
        )

    def _pairs_of_changes(self, tables: set[Positions]) -> set[tuple[Any, Any]]:
        """Return the answers of each table and of its neighbours."""
        return {
            (self.answer(here), self.answer(other))
            for here in tables
            for other in self.changes(here)
            if other in tables
        }

    def _pairs_of_replacements(self, tables: set[Positions]) -> set[tuple[Any, Any]]:
        """Return the same for replaced records: both tables agree without that record."""
        alike: dict[tuple[int, Positions], set[Any]] = defaultdict(set)
        for table in tables:
            answer = self.answer(table)
            for at in range(len(table)):
                alike[at if self._ordered else 0, (*table[:at], *table[at + 1 :])].add(answer)
        return {pair for answers in alike.values() for pair in permutations(answers, 2)}

    def _table(self, records: Iterable[Any]) -> Positions:
        return self._ordered_table(tuple(map(self._index_of, records)))

    def _ordered_table(self, table: Positions) -> Positions:
        return table if self._ordered else tuple(sorted(table))

    def _index_of(self, record: Any) -> int:  # noqa: ANN401 - any record
        # 1 and True are two records.
        key = (type(record), tuple(record.items()) if isinstance(record, dict) else record)
        try:
            hash(key)
        except TypeError:
            message = f"records must be numbers, texts, tuples or rows of these; got {brief(record)}."
            raise ProblemError(message) from None
        index = self._indices.setdefault(key, len(self._records))
        if index == len(self._records):
            self._records.append(record)
        return index


def need_few(number: int) -> None:
    """Refuse too many tables."""
    if number > _MOST_TABLES:
        message = (
            f"at most {_MOST_TABLES:,} tables can be asked; got {number:,}. Take a smaller domain, fewer "
            "records or fewer steps, or say ordered=False where the order of the records does not matter."
        )
        raise ProblemError(message)
