"""The groups of a table, listed beforehand or those that occur, and the place of each row among them."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from optmech.base.arguments import items
from optmech.base.errors import ProblemError
from optmech.base.wording import shorten
from optmech.release.tabulate.person_rows import frame_texts, texts_of_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Places = NDArray[np.int64]

__all__ = ["GroupList", "group_list", "listed_groups"]

# Codes of all columns together are one whole number of 64 bits.
_MOST_CODES = 2**62


@dataclass(frozen=True, eq=False, kw_only=True)
class GroupList:
    """A list of groups, each once, distinguished by `columns`: `table` has them in their order, as text."""

    columns: tuple[str, ...]
    table: pa.Table
    _values: tuple[pa.Array, ...]
    _codes: Places
    _order: Places

    @property
    def names(self) -> pa.Array:
        """What a rule calls each group: its names as JSON, the same whatever other groups there are."""
        rows = zip(*self.table.to_pydict().values(), strict=True)
        encoder = json.JSONEncoder(ensure_ascii=False)
        return pa.array(map(encoder.encode, rows), pa.string())

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def places(self, texts: Sequence[pa.Array]) -> Places:
        """Return the number of the group of each row, -1 for rows of no listed group."""
        codes = _codes_of(texts, self._values)
        at = np.minimum(np.searchsorted(self._codes, codes), len(self._codes) - 1)
        return np.where(self._codes[at] == codes, self._order[at], -1)


def listed_groups(groups: Any, columns: Sequence[str]) -> GroupList:  # noqa: ANN401 - a file, a frame or a list
    """Return the groups of a CSV or Parquet file, a data frame, or a list of texts or tuples of them."""
    texts = _texts_of(groups, columns)
    table = pa.Table.from_arrays(texts, names=list(columns))
    if not table.num_rows:
        message = "`groups` must list at least one group; got none."
        raise ProblemError(message)
    for name, column in zip(columns, texts, strict=True):
        if column.null_count or pc.any(pc.equal(pc.utf8_trim_whitespace(column), "")).as_py():
            message = f"`groups` must have a name in each row of column {name}; in some there is none."
            raise ProblemError(message)
    return group_list(table)


def group_list(table: pa.Table) -> GroupList:
    """Return the groups of a table, each with a name in each column: ProblemError if one stands twice."""
    texts = [column.combine_chunks() for column in table.columns]
    values = tuple(pc.unique(column) for column in texts)
    if np.prod([float(len(column)) for column in values]) > _MOST_CODES:
        message = (
            f"`groups` must have fewer names in their {len(values)} columns together; join some columns."
        )
        raise ProblemError(message)
    codes = _codes_of(texts, values)
    order = np.argsort(codes, kind="stable")
    twice = np.flatnonzero(np.diff(codes[order]) == 0)
    if twice.size:
        row = int(order[twice[0] + 1])
        name = ", ".join(str(column[row]) for column in texts)
        message = f"`groups` must list each group once; got {name} twice."
        raise ProblemError(message)
    return GroupList(
        columns=tuple(table.column_names), table=table, _values=values, _codes=codes[order], _order=order
    )


def _codes_of(texts: Sequence[pa.Array], values: Sequence[pa.Array]) -> Places:
    """Return one number for each row, the same for the same names, -1 for names that are not listed."""
    codes, mask = np.zeros(len(texts[0]), np.int64), np.ones(len(texts[0]), bool)
    for column, names in zip(texts, values, strict=True):
        places = pc.fill_null(pc.index_in(column, value_set=names), -1).to_numpy(zero_copy_only=False)
        mask &= (places >= 0) & column.is_valid().to_numpy(zero_copy_only=False)
        codes = codes * len(names) + np.maximum(places, 0)
    return np.where(mask, codes, -1)


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
    rows = [(row,) if isinstance(row, (str, int)) else tuple(row) for row in _members(groups)]
    if any(len(row) != len(columns) for row in rows):
        message = f"`groups` must have {len(columns)} names for each group, one for each column of `group`."
        raise ProblemError(message)
    if any(isinstance(name, bool) or not isinstance(name, (str, int)) for row in rows for name in row):
        message = "`groups` must have texts or whole numbers for names; got something else."
        raise ProblemError(message)
    return [pa.array([str(row[place]) for row in rows], pa.string()) for place in range(len(columns))]


def _members(groups: Any) -> list[Any]:  # noqa: ANN401 - whatever was given
    rows = items(groups, "groups", "a file, a data frame or a list of groups")
    for row in rows:
        if not isinstance(row, (str, int, tuple, list)):
            message = f"`groups` must have a text, or a tuple of texts, for each group; got {row!r}."
            raise ProblemError(message)
    return rows
