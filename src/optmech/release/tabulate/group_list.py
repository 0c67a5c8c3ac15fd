"""The groups of a table, listed beforehand or those that occur.

The set of groups that occur is a fact about people, which must not be revealed; see
`optmech.release.tabulate.bound`. Their order, by name, reveals nothing more.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from optmech.base.arguments import brief, items
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.visible import quote
from optmech.base.wording import join_words, shorten
from optmech.release.tables.cell_numbers import number_in
from optmech.release.tables.frame_in_memory import package_of
from optmech.release.tables.totals_beside_parts import is_total
from optmech.release.tabulate.complaints import Complaints, refused
from optmech.release.tabulate.joined_names import joined
from optmech.release.tabulate.person_rows import (
    NamedColumns,
    dask_columns,
    frame_texts,
    names_in_file,
    texts_of,
    texts_of_file,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from optmech.release.tabulate.group_rules import GroupRules

    Indices = NDArray[np.int64]


_MOST_SHOWN = 3


@dataclass(frozen=True, eq=False, kw_only=True)
class GroupList:
    """A list of groups, each once: `table` has them in their order, as text, and further columns behind.

    `rules` says how the cells of a row name one of them.
    """

    rules: GroupRules
    table: pa.Table
    _keys: pa.Array

    @property
    def names(self) -> pa.Array:
        """Name of each group in a rule: its names as JSON, independent of all other groups."""
        columns = [self.table[name].to_pylist() for name in self.rules.columns]
        rows = zip(*columns, strict=True) if columns else [()]
        encoder = json.JSONEncoder(ensure_ascii=False)
        return pa.array(map(encoder.encode, rows), pa.string())

    def __len__(self) -> int:
        return int(self.table.num_rows) if self.rules.columns else 1

    def indices_of(self, texts: Sequence[pa.Array], size: int) -> Indices:
        """Return the index of the group of each of `size` rows, -1 for rows of no listed group."""
        if not texts:
            return np.zeros(size, np.int64)
        indices = _first_indices(joined(texts), self._keys)
        others = np.flatnonzero(indices < 0)
        if others.size:  # 1.0 is 1 where 1 alone is listed
            indices = indices.copy()
            rest = [
                self._as_listed(name, texts[at].take(pa.array(others)))
                for at, name in enumerate(self.rules.columns)
            ]
            indices[others] = _first_indices(joined(rest), self._keys)
        return indices

    def _as_listed(self, name: str, texts: pa.Array) -> pa.Array:
        """Return numbers as they are listed, where one spelling alone is listed of each."""
        spelled = self.rules.spelled(self.table[name].combine_chunks()).unique().to_pylist()
        numbers: dict[Fraction, list[str]] = {}
        for text in spelled:
            if (number := number_in(text)) is not None:
                numbers.setdefault(number, []).append(text)
        encoded = texts.dictionary_encode()
        cells = []
        for text in encoded.dictionary.to_pylist():
            number = None if text in spelled else number_in(text)
            alike = [] if number is None else numbers.get(number, [])
            cells.append(alike[0] if len(alike) == 1 else text)
        return pa.array(cells, pa.string()).take(encoded.indices)

    def remedy_of(self, cells: Sequence[str | None]) -> str:
        """Return the remedy for a row of a group that is not listed: options by which it may be."""
        rules = self.rules
        for trim, fold_case in ((True, False), (False, True), (True, True)) if cells else ():
            other = replace(rules, trim=trim or rules.trim, fold_case=fold_case or rules.fold_case)
            listed = joined([other.spelled(self.table[name].combine_chunks()) for name in rules.columns])
            asked = joined([other.spelled(pa.array([cell], pa.string())) for cell in cells])
            if pc.is_in(asked, value_set=listed)[0].as_py():
                options = " ".join([*(["--trim"] if trim else []), *(["--fold-case"] if fold_case else [])])
                return f"Spaces or capitals alone tell it from a listed group: pass {options}."
        return "List that group, or leave such rows out by --drop-others."


def listed_groups(groups: Any, rules: GroupRules) -> GroupList:  # noqa: ANN401 - a file, a frame or a list
    """Return the groups of a CSV or Parquet file, a data frame, or a list of texts or tuples of them.

    Bins are added to the groups where the list does not name them; without `groups` they are all groups.
    """
    names: Sequence[str] = ()
    texts: list[pa.Array] = []
    for name, bins in rules.bins.items():
        if not bins.is_whole:
            remedy = f"Write --bins {name}=month:2024-01..2024-12, or take the groups from the data."
            raise broken_rule("bins", "state a range of periods, which is public", name, remedy)
    if isinstance(groups, Mapping):
        groups = _product_of(groups, rules)
    if groups is not None:
        names, texts = _texts_of(groups, rules)
    for name, column in zip(names, texts, strict=True):
        if name in rules.columns and first_without(column) is not None:
            message = f"`groups` must have a name in each row of column {name}; in some there is none."
            raise ProblemError(message)
    if groups is not None:
        if not len(texts[0]):
            raise broken_rule("groups", "list at least one group", "none")
        listed = zip(names, texts, strict=True)
        _check_once([rules.spelled(text) for name, text in listed if name in rules.columns])
        _check_bins(dict(zip(names, texts, strict=True)), rules)
    rows = zip(*(column.to_pylist() for column in texts), strict=True) if texts else iter([()])
    expanded = rules.expanded(rows, names)
    further = [name for name in names if name not in rules.columns]
    return _group_list(expanded, [*rules.columns, *further], rules)


def _product_of(groups: Mapping[str, Any], rules: GroupRules) -> list[tuple[Any, ...]]:
    """Return all combinations of the names that a mapping lists for each column of groups."""
    columns = rules.columns if {*groups} == {*rules.columns} else rules.listed_columns
    if {*groups} != {*columns} or not columns:
        rule = f"have a list of names for each of the columns {', '.join(rules.listed_columns) or 'of bins'}"
        raise broken_rule("groups", rule, f"a mapping with {shorten(list(map(str, groups)))}")
    return list(product(*(_ordered(groups[name], "a list of names for each column") for name in columns)))


def _ordered(names: Any, kind: str) -> list[Any]:  # noqa: ANN401 - any argument
    """Return the items of a list; a set, whose order is of no one, is refused, and so is a mapping."""
    if isinstance(names, (str, Mapping, AbstractSet)):
        remedy = (
            "The order of a set changes from run to run: sort it." if isinstance(names, AbstractSet) else ""
        )
        raise broken_rule("groups", f"be {kind}", brief(names), remedy)
    return items(names, "groups", kind)


def whole_list(rules: GroupRules) -> GroupList:
    """Return the list with the one group of all rows, where no column says a group."""
    return _group_list([], [], rules)


def _group_list(rows: Sequence[tuple[str, ...]], names: Sequence[str], rules: GroupRules) -> GroupList:
    """Return the list of groups in rows of these columns."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    arrays = [pa.array(column, pa.string()) for column in columns]
    table = pa.table(arrays, names=list(names))
    keys = [rules.spelled(table[name].combine_chunks()) for name in rules.columns]
    return GroupList(rules=rules, table=table, _keys=joined(keys) if keys else pa.array([], pa.string()))


def _check_once(texts: Sequence[pa.Array]) -> None:
    """Refuse a group that is repeated."""
    if not texts:
        return
    keys = joined(texts)
    twice = np.flatnonzero(_first_indices(keys, keys) < np.arange(len(keys)))
    if twice.size:
        name = ", ".join(str(column[twice[0]]) for column in texts)
        raise broken_rule("groups", "list each group once", f"{name} twice")


def _check_bins(listed: dict[str, pa.Array], rules: GroupRules) -> None:
    """Refuse names in a column of bins that are none of these bins."""
    for name, bins in rules.bins.items():
        for text in listed[name].unique().to_pylist() if name in listed else ():
            if text not in (*bins.labels, rules.empty_as.get(name)):
                rule = f"name bins in column {name}, such as {bins.labels[0]!r}"
                raise broken_rule("groups", rule, repr(text), "Leave that column out: bins are known.")


def _first_indices(keys: pa.Array, listed: pa.Array) -> Indices:
    """Return the first index of each key in a list, -1 for other keys."""
    indices: Indices = pc.fill_null(pc.index_in(keys, value_set=listed), -1).cast(pa.int64()).to_numpy()
    return indices


def _texts_of(groups: Any, rules: GroupRules) -> tuple[Sequence[str], list[pa.Array]]:  # noqa: ANN401 - as above
    """Return the names of the columns of a list, and their texts."""
    if isinstance(groups, (str, os.PathLike)):
        names = names_in_file(groups)
        _check_names(groups, names, rules)
        parts = [rows.texts for rows in texts_of_file(groups, NamedColumns(names, names))]
        empty = [pa.array([], pa.string()) for _ in names]
        return names, [pa.concat_arrays(column) for column in zip(empty, *parts, strict=True)]
    if hasattr(groups, "columns"):
        listed = getattr(groups, "column_names", None) or list(groups.columns)
        texts = [name for name in listed if isinstance(name, str)]
        _check_names("groups", texts, rules)
        return texts, frame_texts(groups, NamedColumns(texts, texts), "groups")
    rows = _rows_of_list(groups, len(rules.columns), len(rules.listed_columns))
    columns = rules.columns if rows and len(rows[0]) == len(rules.columns) else rules.listed_columns
    return columns, [
        pa.array([str(row[place]) for row in rows], pa.string()) for place in range(len(columns))
    ]


def _rows_of_list(groups: Any, *widths: int) -> list[tuple[str | int, ...]]:  # noqa: ANN401 - as above
    listed = _ordered(groups, "a file, a data frame, a list of groups, or a mapping of columns to lists")
    for row in listed:
        if not isinstance(row, (str, int, tuple, list)):
            raise broken_rule("groups", "have a text, or a tuple of texts, for each group", repr(row))
    rows = [(row,) if isinstance(row, (str, int)) else tuple(row) for row in listed]
    if len({*map(len, rows)}) > 1 or any(len(row) not in widths for row in rows):
        message = f"`groups` must have {widths[0]} names for each group, one for each column of `group`."
        raise ProblemError(message)
    if any(isinstance(name, bool) or not isinstance(name, (str, int)) for row in rows for name in row):
        raise broken_rule("groups", "have texts or whole numbers for names", "something else")
    return rows


def _check_names(groups: object, names: Sequence[str], rules: GroupRules) -> None:
    """Refuse a list without the columns of groups, or with a column twice."""
    missing = [name for name in rules.listed_columns if names.count(name) != 1]
    twice = len({*names}) < len(names)
    if missing or twice:
        message = (
            f"`{groups}` must have the columns {', '.join(rules.listed_columns)}, each once; it has "
            f"{shorten(list(names))}."
        )
        raise ProblemError(message)


def occurring_groups(table: Any, rules: GroupRules, columns: NamedColumns, source: str | None) -> GroupList:  # noqa: ANN401 - a path or a frame
    """Return the groups of all rows of a table, sorted; `source` is its file."""
    groups: set[tuple[str, ...]] = set()
    complaints = Complaints(source)  # made again, with all others, when rows are counted
    is_ordered = package_of(table) != "dask"
    frame = table if is_ordered else dask_columns(table, columns.every).drop_duplicates().compute()
    for rows in texts_of(frame, columns):
        texts = rules.names(rows, rows.texts, complaints)
        for name, column in zip(rules.columns, texts, strict=True):
            if column.null_count and not rules.drop_empty:
                where = rows.location(int(pc.index(column.is_null(), value=True).as_py()))
                complaints.add(
                    f"an answer in each row of column {name}", "none", where, no_answer(name, rules)
                )
        names = list(map(str, range(len(texts))))
        each = pa.table(texts, names=names).group_by(names).aggregate([])
        groups.update(zip(*(each[name].to_pylist() for name in names), strict=True))
    groups = {names for names in groups if None not in names}
    if not groups and is_ordered:
        complaints.refuse()
    if not groups:
        raise refused(source, "at least one row: groups that occur were asked for; got none")
    return _group_list(sorted(groups), rules.columns, rules)


def no_answer(name: str, rules: GroupRules) -> str:
    """Return the remedy for rows without an answer in a column of groups."""
    typed = "TEXT" if len(rules.columns) == 1 else f"{name}=TEXT"
    return f"Count such rows as a group, by --empty-as {typed}, or leave them out by --drop-empty."


def first_without(names: pa.Array) -> int | None:
    """Return the first row without a name, ``None`` if each has one."""
    is_empty = pc.fill_null(pc.equal(pc.utf8_trim_whitespace(names), ""), fill_value=True)
    row = pc.index(is_empty, value=True).as_py()
    return None if row < 0 else int(row)


def named_totals(listed: GroupList) -> str:
    """Return a sentence on listed groups that look like the sum of others; empty if there are none."""
    found = {
        text
        for name in listed.rules.columns
        for text in listed.table[name].unique().to_pylist()
        if is_total(text)
    }
    sentences = [_alike(listed)]
    if found and len(listed) > 1:
        sentences.append(
            f"{join_words(sorted(found))} is a group beside others and looks like their sum: only rows that "
            "name it count there. Leave a total out: `optmech estimate` sums released answers without "
            "their bias"
        )
    return ". ".join(filter(None, sentences))


def _alike(listed: GroupList) -> str:
    """Return a sentence on groups that spaces or capitals alone tell apart; empty if there are none."""
    loose = replace(listed.rules, trim=True, fold_case=True)
    for name in listed.rules.columns:
        names = listed.table[name].unique()
        spelled = loose.spelled(names).to_pylist()
        twins = [text for text, one in zip(names.to_pylist(), spelled, strict=True) if spelled.count(one) > 1]
        if twins:
            return (
                f"groups {', '.join(map(quote, twins[:_MOST_SHOWN]))} of column {name} differ by spaces or "
                "capitals alone: --trim and --fold-case make them one"
            )
    return ""
