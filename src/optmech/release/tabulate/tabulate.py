"""Make a table of counts from records of people, with a bound on the counted rows of each person."""

from __future__ import annotations

import os
import tempfile
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from optmech.base.arguments import flag, items, need_path, need_text, optional, takes, whole_number
from optmech.base.errors import ProblemError, unreadable
from optmech.base.whole_files import check_writable, refusals
from optmech.release.tables.frame_in_memory import marked_of_data, package_of
from optmech.release.tabulate.bound import PersonBound
from optmech.release.tabulate.cell_keys import NUM_KEYS, RecordKeys
from optmech.release.tabulate.contribution_bounding import (
    ContributionBounding,
    TwoSpellingsError,
    bounded_counts,
    rule_of,
)
from optmech.release.tabulate.count_table import ENDINGS, CountTable, bound_beside
from optmech.release.tabulate.group_list import RowCheck, listed_groups, occurring_groups
from optmech.release.tabulate.person_ids import PersonIds
from optmech.release.tabulate.person_rows import texts_in_order, texts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

_COUNT = "count"
KEY = "optmech"


@takes(
    person=need_text,
    at_most=whole_number,
    at_most_per_group=optional(whole_number),
    out=optional(need_path),
    groups_from_data=flag,
    drop_others=flag,
    key=need_text,
    ids_as_written=flag,
    record_key=optional(need_text),
    keys=whole_number,
)
def tabulate(
    table: Any,  # noqa: ANN401 - a path, or a frame of one of several packages
    *,
    person: str,
    group: str | Sequence[str],
    groups: Any = None,  # noqa: ANN401 - a path, a frame or a list
    groups_from_data: bool = False,
    at_most: int,
    at_most_per_group: int | None = None,
    out: str | PathLike[str] | None = None,
    drop_others: bool = False,
    key: str = KEY,
    missing: Iterable[str] = (),
    id_may_be: Iterable[str] = (),
    ids_as_written: bool = False,
    record_key: str | None = None,
    keys: int = NUM_KEYS,
) -> CountTable:
    """Count the rows of each group, at most a given number for each person.

    A rule bounds the change of the table by one person, and so their privacy loss in its release. It depends
    only on that person's rows: in each group it keeps the `at_most_per_group` rows with the smallest SHA-256,
    and counts the `at_most` smallest of these. Removing a person with all their rows changes each count by at
    most `at_most_per_group` and all together by at most `at_most`.

    Groups are either public or those of the data. Public groups are listed beforehand, and empty ones have
    the count 0. Groups that occur in the data, as in a GROUP BY, must stay secret until the table is released
    with `drop_zero`, by a mechanism with zero-stays-zero. The bound beside the table says so, and
    `release_table` refuses any other release.

    Parameters
    ----------
    table : path or frame
        ``.csv``, ``.csv.gz`` or ``.parquet``, of any size, or a data frame of pandas, Polars, PyArrow or
        Dask: a row for each visit, purchase or other thing that is counted.
    person : str
        The column with the person of each row: text or integers, in each row. Rows without a person, and an
        id in two spellings, are refused: the bound fails if one person counts as two.
    group : str or sequence of str
        The columns with the group of each row.
    groups : path, frame or list, optional
        All groups of the table: a CSV or Parquet file or a frame with the columns `group`, or a list of texts
        or tuples of texts.
    groups_from_data : bool
        Instead of `groups`: the groups with a counted row, sorted by name, so that their order reveals
        nothing more. The data are read twice. The table carries a mark for `release_frame`, which a frame of
        pandas keeps. A frame of Polars loses it: pass `drop_zero` there.
    at_most : int
        Number of rows of one person that are counted in all.
    at_most_per_group : int, optional
        Number of them in one group; by default the same as `at_most`.
    out : path, optional
        ``.csv`` or ``.parquet``: where the counts are written. Their bound is written beside them, with
        ``.json`` after the name; both are written completely or not at all.
    drop_others : bool
        Leave out rows of groups that are not listed. Otherwise they are refused.
    key : str
        Selects which rows of people with too many are counted. Choose it before you see any counts.
    missing : iterable of str, optional
        Texts in the column of persons that mark nobody, as NA, N/A, nan, NULL, None, <NA>, #N/A, -, . and
        unknown do in any case, with white space around them and characters that are not seen.
    id_may_be : iterable of str, optional
        Marks of `missing` that are ids of people in this table.
    ids_as_written : bool, optional
        Treat two spellings of one id as two people: ids that differ by case, white space around them or
        Unicode variants alone, or are one number, such as 101, 101.0 and 0101. The bound beside the table
        says so, and a release log. Otherwise they are refused.
    record_key : str, optional
        The column of the record keys: a whole number in each row, uniform on 0 to ``keys - 1``, independent
        of all else, and secret. The table then has a column ``cell_key``, their sum in each cell modulo
        `keys`, by which ``release_table(cell_key=...)`` picks noise; it is never released. All rows must be
        counted.
    keys : int, default 256
        The number of record keys.

    Returns
    -------
    CountTable

    Raises
    ------
    FileFormatError, ProblemError
        If an argument breaks its rule, a file cannot be read or written, a row has no person, an id has two
        spellings, or a row has no listed group. Nothing is written then.

    Examples
    --------
    >>> import pyarrow as pa
    >>> visits = pa.table({"patient": ["x", "x", "x", "y"], "ward": ["A", "A", "B", "A"]})
    >>> counts = tabulate(visits, person="patient", group="ward", groups=["A", "B", "C"], at_most=2)
    >>> counts.table.column_names, counts.counted, counts.table["count"][2].as_py()
    (['ward', 'count'], 3, 0)
    >>> print(counts.bound.sentence, "In a cell at 1/2 a person spends", counts.bound.loss("1/2").epsilon)
    At most 2 rows of one person (patient) are counted. In a cell at 1/2 a person spends 1
    >>> keys = tabulate(visits, person="patient", group="ward", groups_from_data=True, at_most=2)
    >>> keys.table["ward"].to_pylist(), keys.bound.is_of_data
    (['A', 'B'], True)
    """
    columns = _columns(person, group)
    record_keys = RecordKeys(record_key, keys)
    record_keys.check(table, (person, *columns))
    _check_groups(groups, groups_from_data=groups_from_data, drop_others=drop_others)
    ids = PersonIds(missing, id_may_be, as_written=ids_as_written)
    per_group = at_most if at_most_per_group is None else at_most_per_group
    bound = PersonBound(
        person=person,
        groups=columns,
        num_groups=None,
        at_most=at_most,
        at_most_per_group=per_group,
        rule=rule_of(at_most, per_group, key),
        ids_as_written=ids.as_written,
        num_marks_as_ids=ids.num_allowed,
        num_keys=record_keys.number,
    )
    if out is not None:
        _check_out(out, table, groups)
    if groups_from_data:
        group_list = occurring_groups(table, columns, _name_of(table))
    else:
        group_list = listed_groups(groups, columns)
        bound = replace(bound, num_groups=len(group_list))
    check = RowCheck(group_list, ids, person=person, drop_others=drop_others, source=_name_of(table))
    if package_of(table) == "dask":
        try:
            counts, rows, left_out = bounded_counts(table, check, bound, key)
        except TwoSpellingsError as refused:
            raise check.two_spellings(refused.args, table) from None
        except ProblemError:
            for texts in texts_in_order(table, (person, *columns)):  # the same, by the row of the whole frame
                check.codes_of(texts)
            raise
    else:
        with ExitStack() as stack:
            folder = _room_beside(out, stack)
            counting = stack.enter_context(ContributionBounding(group_list.names, bound, key, folder=folder))
            for texts in texts_of(table, (person, *columns)):
                counting.add(*check.codes_of(texts))
            two = None if ids_as_written else counting.two_spellings()
            if two is not None:
                raise check.two_spellings(two, table)
            counts, rows, left_out = counting.counts(), check.rows, check.left_out
    whole = group_list.table.append_column(_COUNT, pa.array(counts, pa.int64()))
    whole = record_keys.added(whole, table, group_list, beyond_bound=rows - left_out - int(counts.sum()))
    if groups_from_data:
        whole = marked_of_data(whole.filter(pa.array(counts > 0)))
    count_table = CountTable(
        table=whole,
        bound=bound,
        rows=rows,
        counted=int(counts.sum()),
        left_out=left_out,
    )
    return count_table if out is None else replace(count_table, bound=count_table.write(out))


def _check_groups(groups: Any, *, groups_from_data: bool, drop_others: bool) -> None:  # noqa: ANN401 - as above
    if (groups is None) != groups_from_data:
        number = "neither" if groups is None else "both"
        message = (
            "`groups` must list all groups there could be, by --groups, so that they are public, or be those "
            "that occur, by --groups-from-data (`groups_from_data=True`), so that nobody sees which they are "
            f"until they are released; got {number}."
        )
        raise ProblemError(message)
    if groups_from_data and drop_others:
        message = "`drop_others` must be left out with --groups-from-data: all groups that occur are listed."
        raise ProblemError(message)


def _columns(person: str, group: str | Sequence[str]) -> tuple[str, ...]:
    columns = (
        (group,) if isinstance(group, str) else tuple(items(group, "group", "a column, or a list of columns"))
    )
    for name in columns:
        need_text(name, "group")
    if not columns or len({*columns, person, _COUNT}) < len(columns) + 2:
        message = (
            f"`group` must name at least one column, each once, other than {person} and {_COUNT}; got "
            f"{', '.join(columns) or 'none'}."
        )
        raise ProblemError(message)
    return columns


def _check_out(out: str | PathLike[str], *reads: Any) -> None:  # noqa: ANN401 - paths, frames and lists
    check_writable(out, *ENDINGS)
    check_writable(bound_beside(out))
    targets = {Path(out).resolve(), bound_beside(out).resolve()}
    for path in reads:
        try:
            same = isinstance(path, (str, os.PathLike)) and Path(path).resolve() in targets
        except ValueError as error:  # a null byte or half a character in a name
            raise unreadable(path, error) from None
        if same:
            message = f"`out` must be another file than {path}, which is read."
            raise ProblemError(message)


def _room_beside(out: str | PathLike[str] | None, stack: ExitStack) -> Path:
    """Return a folder beside the result for data that does not fit into memory."""
    where = None if out is None else Path(out).resolve().parent
    with refusals(out or "a temporary folder"):
        folder = tempfile.TemporaryDirectory(
            dir=where, prefix=".optmech-", suffix=".part", ignore_cleanup_errors=True
        )
        return Path(stack.enter_context(folder))


def _name_of(table: Any) -> str | None:  # noqa: ANN401 - as above
    return os.fspath(table) if isinstance(table, (str, os.PathLike)) else None
