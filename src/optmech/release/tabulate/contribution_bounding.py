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

DuckDB works on tables larger than memory: data above a limit goes to a folder beside the result. Persons are
processed in parts, by a hash, so that their smallest h fit, too.
"""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, contextmanager
from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from optmech.base.errors import ProblemError
from optmech.base.extras import package
from optmech.release.tabulate.person_ids import spellings
from optmech.release.tabulate.person_rows import dask_columns, texts_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from optmech.release.tabulate.bound import PersonBound
    from optmech.release.tabulate.group_list import RowCheck

    Counts = NDArray[np.int64]

_MEMORY, _MOST_THREADS = "1GB", 4
# Rows of people in one part, which is sorted at once.
_PART = 4_000_000
_KEEP = "insert into kept select person, cell from rows where cell >= 0"
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
select cell, count(*) as n from in_all group by cell
"""
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


class ContributionBounding(AbstractContextManager["ContributionBounding"]):
    """Rows of people in groups, added in batches, and counted by the rule above.

    The rule uses the name of each group in `names`. Rows that do not fit into memory go to `folder`; without
    it all must fit.
    """

    def __init__(self, names: pa.Array, bound: PersonBound, key: str, *, folder: Path | None = None) -> None:
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
        self._connection.execute("create table kept (person varchar, cell bigint)")
        self._num_groups = len(names)
        table = pa.table({"cell": np.arange(len(names)), "name": names})
        with self._room():
            self._connection.register("listed", table)
            self._connection.execute("create table names as from listed")
            self._connection.unregister("listed")
        # Integers are literals in the query: the engine is faster with constants.
        per_group = bound.at_most_per_group
        self._bounds = {
            "at_most": bound.at_most,
            "in_group": _IN_GROUP.format(per_group) if per_group < bound.at_most else "from keyed",
        }
        self._key = key

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def add(self, people: pa.Array, indices: Counts) -> None:
        """Add rows: the person and the group's index of each, -1 for rows that do not count."""
        rows = pa.table({"person": people, "cell": indices})
        with self._room():
            self._connection.register("rows", rows)
            self._connection.execute(_KEEP)
            self._connection.unregister("rows")

    def counts(self) -> Counts:
        """Return the number of counted rows in each group."""
        by_group = np.zeros(self._num_groups, np.int64)
        with self._room():
            ((size,),) = self._connection.execute("select count(*) from kept").fetchall()
            parts = 1 + size // _PART
            for part in range(parts):
                query = _COUNTS.format(parts=parts, part=part, **self._bounds)
                for cell, number in self._connection.execute(query, {"key": self._key}).fetchall():
                    by_group[cell] += number
        return by_group

    def two_spellings(self) -> tuple[str, str] | None:
        """Return two spellings of one id among counted rows, ``None`` if there are none."""
        with self._room(), self._connection.cursor() as reading:
            self._connection.execute("create or replace table ids (person varchar, spelling varchar)")
            people = reading.sql("select distinct person from kept")
            for batch in pa.RecordBatchReader.from_stream(people):
                ids = batch.column(0).cast(pa.string())
                self._connection.register("spelled", pa.table({"person": ids, "spelling": spellings(ids)}))
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


class TwoSpellingsError(Exception):
    """Two texts in a part of a Dask frame are one id; the caller adds the rows."""


_PERSON, _CELL, _NUMBER, _SPELLING = "person", "cell", "number", "spelling"


def bounded_counts(
    frame: Any,  # noqa: ANN401 - Dask has no types
    check: RowCheck,
    bound: PersonBound,
    key: str,
) -> tuple[NDArray[np.int64], int, int]:
    """Return the counts of all groups, the number of rows, and the number of rows in no listed group.

    Each part of a Dask frame is reduced to pairs of person and group. All rows of a person go to one worker,
    which applies the rule above, so the counts equal those of the same rows in one file. All spellings of an
    id also go to one worker, which raises TwoSpellingsError.
    """
    dask = package("dask.dataframe", "cluster", "a Dask frame")
    pandas = package("pandas", "cluster", "a Dask frame")
    columns = dask_columns(frame, [check.person, *check.groups.columns])
    kinds = {_PERSON: "string", _CELL: "int64", _SPELLING: "string"}
    empty = pandas.DataFrame({name: pandas.Series(dtype=kind) for name, kind in kinds.items()})
    pairs = columns.map_partitions(_pairs, check=check, meta=empty)
    part_counts = pairs.shuffle(on=_SPELLING).map_partitions(
        _count,
        names=check.groups.names,
        bound=bound,
        key=key,
        meta=pandas.DataFrame({_CELL: pandas.Series(dtype="int64"), _NUMBER: pandas.Series(dtype="int64")}),
    )
    rows, left_out, parts = dask.dask.compute(pairs[_CELL].size, (pairs[_CELL] < 0).sum(), part_counts)
    sums = parts.groupby(_CELL)[_NUMBER].sum()
    counts = np.zeros(len(check.groups), np.int64)
    counts[sums.index.to_numpy()] = sums.to_numpy()
    return counts, int(rows), int(left_out)


def _pairs(part: Any, *, check: RowCheck) -> Any:  # noqa: ANN401 - frames of pandas
    """Return the persons of the rows of a part, the indices of their groups, and the spelling of each id."""
    pandas = package("pandas", "cluster", "a Dask frame")
    rows = copy(check)  # workers may share one
    cells = [rows.codes_of(texts) for texts in texts_of(part, [check.person, *check.groups.columns])]
    people = pa.concat_arrays([pa.array([], pa.string()), *(people for people, _ in cells)])
    indices = np.concatenate([np.zeros(0, np.int64), *(indices for _, indices in cells)])
    shared = people if check.ids.as_written else spellings(people)
    person, spelling = (texts.to_pandas().astype("string") for texts in (people, shared))
    return pandas.DataFrame({_PERSON: person, _CELL: indices, _SPELLING: spelling})


def _count(part: Any, *, names: pa.Array, bound: PersonBound, key: str) -> Any:  # noqa: ANN401 - frames of pandas
    """Return the number of counted rows in each group, for the people of a part."""
    pandas = package("pandas", "cluster", "a Dask frame")
    with ContributionBounding(names, bound, key) as counting:
        counting.add(pa.array(part[_PERSON], pa.string()), part[_CELL].to_numpy())
        two = None if bound.ids_as_written else counting.two_spellings()
        if two is not None:
            raise TwoSpellingsError(*two)
        counts = counting.counts()
    cells = np.flatnonzero(counts)
    return pandas.DataFrame({_CELL: cells, _NUMBER: counts[cells]})
