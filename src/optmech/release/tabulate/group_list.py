"""The groups of a table, listed beforehand or those that occur, and the group of each row.

The set of groups that occur is a fact about people, which must not be revealed; see
`optmech.release.tabulate.bound`. Their order, by name, reveals nothing more.
"""

from __future__ import annotations

import json
import os
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from optmech.base.arguments import items
from optmech.base.errors import FileFormatError, ProblemError, broken_rule
from optmech.base.visible import quote, visible
from optmech.base.wording import shorten
from optmech.release.tables.frame_in_memory import package_of
from optmech.release.tabulate.person_rows import (
    dask_columns,
    frame_texts,
    texts_in_order,
    texts_of,
    texts_of_file,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from optmech.release.tabulate.person_ids import PersonIds

    Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False, kw_only=True)
class GroupList:
    """A list of groups, each once, distinguished by `columns`: `table` has them in their order, as text."""

    columns: tuple[str, ...]
    table: pa.Table
    _keys: pa.Array

    @property
    def names(self) -> pa.Array:
        """Name of each group in a rule: its names as JSON, independent of all other groups."""
        rows = zip(*self.table.to_pydict().values(), strict=True)
        encoder = json.JSONEncoder(ensure_ascii=False)
        return pa.array(map(encoder.encode, rows), pa.string())

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def indices_of(self, texts: Sequence[pa.Array]) -> Indices:
        """Return the index of the group of each row, -1 for rows of no listed group."""
        return _first_indices(_keys_of(texts), self._keys)


def listed_groups(groups: Any, columns: Sequence[str]) -> GroupList:  # noqa: ANN401 - a file, a frame or a list
    """Return the groups of a CSV or Parquet file, a data frame, or a list of texts or tuples of them."""
    texts = _texts_of(groups, columns)
    table = pa.Table.from_arrays(texts, names=list(columns))
    if not table.num_rows:
        raise broken_rule("groups", "list at least one group", "none")
    for name, column in zip(columns, texts, strict=True):
        if _first_without(column) is not None:
            message = f"`groups` must have a name in each row of column {name}; in some there is none."
            raise ProblemError(message)
    return _group_list(table)


def _group_list(table: pa.Table) -> GroupList:
    """Return the groups of a table, each with a name in each column; ProblemError if one is repeated."""
    texts = [column.combine_chunks() for column in table.columns]
    keys = _keys_of(texts)
    twice = np.flatnonzero(_first_indices(keys, keys) < np.arange(len(keys)))
    if twice.size:
        name = ", ".join(str(column[twice[0]]) for column in texts)
        raise broken_rule("groups", "list each group once", f"{name} twice")
    return GroupList(columns=tuple(table.column_names), table=table, _keys=keys)


def _keys_of(texts: Sequence[pa.Array]) -> pa.Array:
    """Return a key for each row, equal only for equal names, and null where a name is missing."""
    if len(texts) == 1:
        return texts[0]
    # A length before each name makes the joined text unambiguous.
    parts = (part for text in texts for part in (pc.binary_length(text).cast(pa.string()), text))
    return pc.binary_join_element_wise(*parts, ":")


def _first_indices(keys: pa.Array, listed: pa.Array) -> Indices:
    """Return the first index of each key in a list, -1 for other keys."""
    indices: Indices = pc.fill_null(pc.index_in(keys, value_set=listed), -1).cast(pa.int64()).to_numpy()
    return indices


def _texts_of(groups: Any, columns: Sequence[str]) -> list[pa.Array]:  # noqa: ANN401 - as above
    if isinstance(groups, (str, os.PathLike)):
        names, parts = texts_of_file(groups, None)
        others = [name for name in names if name not in columns]
        missing = [name for name in columns if names.count(name) != 1]
        if others or missing:
            message = (
                f"`{groups}` must have the columns {', '.join(columns)}, each once, and no others; "
                f"it has {shorten(list(names))}."
            )
            raise ProblemError(message)
        batches = [pa.Table.from_arrays(part, names=list(names)) for part in parts]
        schema = pa.schema([(name, pa.string()) for name in names])
        table = pa.concat_tables([schema.empty_table(), *batches])
        return [table[name].combine_chunks() for name in columns]
    if hasattr(groups, "columns"):
        return frame_texts(groups, columns, "groups")
    listed = items(groups, "groups", "a file, a data frame or a list of groups")
    for row in listed:
        if not isinstance(row, (str, int, tuple, list)):
            raise broken_rule("groups", "have a text, or a tuple of texts, for each group", repr(row))
    rows = [(row,) if isinstance(row, (str, int)) else tuple(row) for row in listed]
    if any(len(row) != len(columns) for row in rows):
        message = f"`groups` must have {len(columns)} names for each group, one for each column of `group`."
        raise ProblemError(message)
    if any(isinstance(name, bool) or not isinstance(name, (str, int)) for row in rows for name in row):
        raise broken_rule("groups", "have texts or whole numbers for names", "something else")
    return [pa.array([str(row[index]) for row in rows], pa.string()) for index in range(len(columns))]


def occurring_groups(table: Any, columns: Sequence[str], source: str | None) -> GroupList:  # noqa: ANN401 - a path or a frame
    """Return the groups of all rows of a table, sorted; `source` is its file."""
    groups: set[tuple[str, ...]] = set()
    rows, is_ordered = 0, package_of(table) != "dask"
    for texts in texts_of(
        table if is_ordered else dask_columns(table, columns).drop_duplicates().compute(), columns
    ):
        for name, column in zip(columns, texts, strict=True):
            row = _first_without(column)
            if row is not None:
                where = f"row {rows + row + 1}" if is_ordered else "some"
                rule = f"a name in each row of column {name}; got none in {where}"
                remedy = "Give such rows another name, or leave them out before you tabulate."
                raise _refusal(source, rule, remedy)
        rows += len(texts[0])
        names = list(map(str, range(len(texts))))
        each = pa.table(texts, names=names).group_by(names).aggregate([])
        groups.update(zip(*(each[name].to_pylist() for name in names), strict=True))
    if not groups:
        raise _refusal(source, "at least one row: groups that occur were asked for; got none")
    sorted_columns = [pa.array(column, pa.string()) for column in zip(*sorted(groups), strict=True)]
    return _group_list(pa.table(sorted_columns, names=list(columns)))


class RowCheck:
    """Check that each row, in order, has a person, by the rule `ids`, and a listed group.

    With `drop_others`, rows of groups that are not listed are `left_out` of the `rows` counted; else they are
    refused. They are read from the file `source`, if any.
    """

    def __init__(
        self, groups: GroupList, ids: PersonIds, *, person: str, drop_others: bool, source: str | None
    ) -> None:
        self.groups, self.ids, self.person = groups, ids, person
        self._drop_others, self._source = drop_others, source
        self.rows = self.left_out = 0

    def codes_of(self, texts: Sequence[pa.Array]) -> tuple[pa.Array, NDArray[np.int64]]:
        """Return the persons of these rows and the indices of their groups, -1 for rows left out."""
        people, *columns = texts
        row = self.ids.first_nobody(people)
        if row is not None:
            raise self._of_nobody(people[row].as_py(), self.rows + row + 1)
        indices = self.groups.indices_of(columns)
        others = np.flatnonzero(indices < 0)
        if others.size and not self._drop_others:
            row = int(others[0])
            names = zip(self.groups.columns, columns, strict=True)
            values = ", ".join(f"{name} = {_text(column[row].as_py())}" for name, column in names)
            rule = f"listed groups alone; got {values} in row {self.rows + row + 1}"
            raise _refusal(self._source, rule, "List that group, or leave such rows out by --drop-others.")
        self.rows += len(people)
        self.left_out += others.size
        return people, indices

    def _of_nobody(self, text: str | None, row: int) -> FileFormatError | ProblemError:
        remedy = "Nobody knows whose that row is: find out, or leave it out before you tabulate."
        mark = "none"
        if text is not None and text.strip():
            mark = f"{quote(text)}, which marks nobody,"
            if self.ids.is_usual_mark(text):
                remedy += f" If it is the id of a person, pass --id-may-be {shlex.quote(text.strip())}."
        rule = f"a person in each row of column {self.person}; got {mark} in row {row}"
        return _refusal(self._source, rule, remedy)

    def two_spellings(self, two: Sequence[str], table: Any) -> FileFormatError | ProblemError:  # noqa: ANN401 - a path or a frame
        """Return the error of two texts that are one id, with the first row of each in the table."""
        rows = dict.fromkeys(two, 0)
        read = 0
        for (people,) in texts_in_order(table, [self.person]):
            for text in two:
                row = pc.index(people, value=text).as_py()
                if row >= 0 and not rows[text]:
                    rows[text] = read + row + 1
            read += len(people)
        (row, text), (other_row, other) = sorted((row, text) for text, row in rows.items())
        rule = (
            f"each id in one spelling in column {self.person}; got {quote(text)} in row {row} and "
            f"{quote(other)} in row {other_row}"
        )
        remedy = (
            "They would count as two people: write them alike, or, if they are two, pass --ids-as-written."
        )
        return _refusal(self._source, rule, remedy)


def _first_without(names: pa.Array) -> int | None:
    """Return the first row without a name, ``None`` if each has one."""
    is_empty = pc.fill_null(pc.equal(pc.utf8_trim_whitespace(names), ""), fill_value=True)
    row = pc.index(is_empty, value=True).as_py()
    return None if row < 0 else int(row)


def _refusal(source: str | None, rule: str, remedy: str = "") -> FileFormatError | ProblemError:
    """Return the error of rows that break a rule, in a file or in a frame in memory."""
    kind = ProblemError if source is None else FileFormatError
    return kind(f"`{source or 'table'}` must have {rule}. {remedy}".rstrip())


def _text(name: str | None) -> str:
    return "nothing" if name is None else visible(name)
