"""Contribution bounding: count at most B rows of each person, at most C of them in one group.

Rule
----
    the rows of person p in group g are numbered j = 0, 1, ...; they differ in nothing else that is counted
    h(p, g, j) = the first 16 digits of SHA-256("key/p/g/j"),  g the names of the group as JSON
    of each (p, g) the C rows of the smallest h are kept, and of these, for each p, the B of the smallest h

The rows of a person that are counted depend only on that person's own rows: they are the same with and
without other people, and for every order and division of the table. So adding or removing one person changes
the table by rows of that person only, at most C in a cell and at most B in all, for every key that was chosen
without looking at counts. For that reason g is not a number: the number of a group that occurs depends on the
rows of others. If h behaves like a random function, all rows of a person are equally likely to be counted.

Sums
----
    v(p, g) = the sum of the numbers of p in g, clamped to L..H
    of each p the P groups of the smallest h(p, g, 0) are kept, and their v are added up in each group

Removing one person changes at most P sums, each by at most max(|L|, |H|).

DuckDB works on tables larger than memory: data above a limit goes to a folder beside the result. Persons are
processed in parts, by a hash, so that their smallest h fit, too.
"""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from optmech.base.errors import ProblemError
from optmech.base.extras import package
from optmech.base.wording import plural
from optmech.release.tabulate.person_ids import spellings_of_joined

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from optmech.release.tabulate.bound import PersonBound
    from optmech.release.tabulate.row_check import CheckedRows

    Counts = NDArray[np.int64]

_MEMORY, _MOST_THREADS = "1GB", 4
# Rows of people in one part, which is sorted at once.
_PART = 4_000_000
_KEEP = "insert into kept select person, cell, value from rows where cell >= 0"
_COUNTS = """
with cells as (
    select person, cell, count(*) as n from kept where hash(person) % {parts} = {part} group by all
),
rows as (select person, cell, unnest(range(n)) as j from cells),
keyed as (
    select person, cell, ('0x' || left(sha256(concat_ws('/', $key, person, name, j)), 16))::ubigint as h
    from rows join names using (cell)
),
in_group as ({in_group}),
in_all as (select unnest(arg_min(cell, h, {at_most})) as cell from in_group group by person)
select cell, count(*), count(*), 0 from in_all group by cell
"""
_SUMS = """
with cells as (
    select person, cell, sum(value) as total from kept where hash(person) % {parts} = {part} group by all
),
keyed as (
    select person, cell, greatest({low}, least({high}, total)) as v, v != total as clamped,
        ('0x' || left(sha256(concat_ws('/', $key, person, name, 0)), 16))::ubigint as h
    from cells join names using (cell)
),
in_all as (
    select unnest(arg_min({{'cell': cell, 'v': v, 'clamped': clamped}}, h, {most_groups})) as one
    from keyed group by person
)
select one.cell, count(*), sum(one.v), count_if(one.clamped) from in_all group by one.cell
"""
_PAIRS = "select count(*) from (select distinct person, cell from kept)"
_TWO_SPELLINGS = "select min(person), max(person) from ids group by spelling having min(person) < max(person)"
_IN_GROUP = "select person, cell, unnest(min(h, {})) as h from keyed group by person, cell"


def rule_of(at_most: int, at_most_per_group: int, key: str) -> str:
    """Return the rule as sentences for the file beside a table."""
    return (
        "The rows of a person in a group are numbered from 0, and each has the SHA-256 of the text "
        f"{key}/PERSON/GROUP/NUMBER, GROUP being the list of its names as JSON; its first 16 digits count. "
        f"Of each person and group the {at_most_per_group} rows of the smallest SHA-256 are kept, and of "
        f"these the {at_most} of the smallest for each person are counted. Nobody else's rows "
        "have a part in that."
    )


def rule_of_sums(low: int, high: int, most_groups: int, key: str) -> str:
    """Return the rule of sums as sentences."""
    return (
        f"The numbers of a person in a group are added up, and their sum is clamped to {low}..{high}. Each "
        f"group of a person has the SHA-256 of the text {key}/PERSON/GROUP/0, GROUP being the list of its "
        "names as JSON; its first 16 digits count. A person counts in at most "
        f"{plural(most_groups, 'group')}, those of the smallest SHA-256. "
        "Nobody else's rows have a part in that."
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupSums:
    """For each group the number of people counted, or of their rows, and the sum of their numbers.

    `contributions` is the number of pairs of a person and a group where they have rows, and `clamped` of
    those that were counted with a number that was clamped.
    """

    numbers: Counts
    totals: Counts
    contributions: int = 0
    clamped: int = 0


class ContributionBounding(AbstractContextManager["ContributionBounding"]):
    """Rows of people in groups, added in batches, and counted by the rule above.

    The rule uses the name of each group in `names`. An id has the texts of `num_ids` columns. Rows that do
    not fit into memory go to `folder`; without it all must fit.
    """

    def __init__(
        self, names: pa.Array, bound: PersonBound, key: str, *, num_ids: int = 1, folder: Path | None = None
    ) -> None:
        self._engine = package("duckdb", "tabulate", "a table of counts")
        settings: dict[str, str] = {
            "memory_limit": _MEMORY,
            "threads": str(min(os.cpu_count() or 1, _MOST_THREADS)),
            "preserve_insertion_order": "false",
            "temp_directory": "" if folder is None else str(folder),
            # The engine must not use the network.
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
        }
        database = ":memory:" if folder is None else str(folder / "rows.duckdb")
        self._connection = self._engine.connect(database, config=settings)
        self._connection.execute("create table kept (person varchar, cell bigint, value bigint)")
        self._num_groups = len(names)
        table = pa.table({"cell": np.arange(len(names)), "name": names})
        with self._room():
            self._connection.register("listed", table)
            self._connection.execute("create table names as from listed")
            self._connection.unregister("listed")
        # Integers are literals in the query: the engine is faster with constants.
        per_group = bound.at_most_per_group
        self._bounds: dict[str, object] = {
            "at_most": bound.at_most,
            "in_group": _IN_GROUP.format(per_group) if per_group < bound.at_most else "from keyed",
        }
        if bound.between is not None:
            low, high = bound.between
            self._bounds = {"low": low, "high": high, "most_groups": bound.most_groups}
        self._is_of_sums = bound.between is not None
        self._key, self._num_ids = key, num_ids

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def add(self, rows: CheckedRows) -> None:
        """Add rows: the person and the group's index of each, -1 for rows that do not count."""
        numbers = np.zeros(len(rows.indices), np.int64) if rows.numbers is None else rows.numbers
        table = pa.table({"person": rows.people, "cell": rows.indices, "value": numbers})
        with self._room():
            self._connection.register("rows", table)
            self._connection.execute(_KEEP)
            self._connection.unregister("rows")

    def sums(self) -> GroupSums:
        """Return the number of counted rows, or people, in each group, and their sums."""
        numbers, totals = np.zeros((2, self._num_groups), np.int64)
        clamped = 0
        with self._room():
            ((size,),) = self._connection.execute("select count(*) from kept").fetchall()
            parts = 1 + size // _PART
            for part in range(parts):
                query = _SUMS if self._is_of_sums else _COUNTS
                query = query.format(parts=parts, part=part, **self._bounds)
                for cell, number, total, beyond in self._connection.execute(
                    query, {"key": self._key}
                ).fetchall():
                    numbers[cell] += number
                    totals[cell] += total
                    clamped += beyond
            ((pairs,),) = self._connection.execute(_PAIRS).fetchall()
        return GroupSums(numbers=numbers, totals=totals, contributions=int(pairs), clamped=clamped)

    def two_spellings(self) -> tuple[str, str] | None:
        """Return two spellings of one id among counted rows, ``None`` if there are none."""
        with self._room(), self._connection.cursor() as reading:
            self._connection.execute("create or replace table ids (person varchar, spelling varchar)")
            people = reading.sql("select distinct person from kept")
            for batch in pa.RecordBatchReader.from_stream(people):
                ids = batch.column(0).cast(pa.string())
                spelled = {"person": ids, "spelling": spellings_of_joined(ids, self._num_ids)}
                self._connection.register("spelled", pa.table(spelled))
                self._connection.execute("insert into ids from spelled")
                self._connection.unregister("spelled")
            two: tuple[str, str] | None = self._connection.execute(f"{_TWO_SPELLINGS} limit 1").fetchone()
            return two

    @contextmanager
    def _room(self) -> Iterator[None]:
        try:
            yield
        except self._engine.InterruptException:
            raise KeyboardInterrupt from None
        except RuntimeError as error:
            # The engine raises this if a signal arrives during a query.
            if str(error) == "Query interrupted":
                raise KeyboardInterrupt from None
            raise
        except self._engine.Error as error:
            reason = str(error).partition("\n")[0].rstrip(".")
            message = f"`table` must be one that there is room to count, in memory or on disk; got: {reason}."
            raise ProblemError(message) from None
