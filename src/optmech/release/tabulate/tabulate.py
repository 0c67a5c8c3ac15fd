"""Make a table of counts from records of people, with a bound on the counted rows of each person."""

from __future__ import annotations

import os
import tempfile
from contextlib import ExitStack
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from optmech.base.arguments import flag, need_path, need_text, optional, takes, whole_number
from optmech.base.errors import ProblemError, broken_rule, unreadable
from optmech.base.numbers import as_text
from optmech.base.whole_files import check_writable, refusals, resolved
from optmech.release.tables.files import reading_of
from optmech.release.tables.frame_in_memory import marked_of_data, package_of
from optmech.release.tabulate.bound import COUNT, MEAN, PEOPLE, SIZE, TOTAL
from optmech.release.tabulate.cell_keys import NUM_KEYS, RecordKeys
from optmech.release.tabulate.complaints import refused
from optmech.release.tabulate.contribution_bounding import ContributionBounding, GroupSums
from optmech.release.tabulate.count_table import ENDINGS, CountTable, bound_beside
from optmech.release.tabulate.dask_counts import TwoSpellingsError, bounded_counts
from optmech.release.tabulate.group_list import (
    GroupList,
    listed_groups,
    named_totals,
    occurring_groups,
    whole_list,
)
from optmech.release.tabulate.person_ids import PersonIds
from optmech.release.tabulate.person_rows import NamedColumns, texts_in_order
from optmech.release.tabulate.row_check import RowCheck
from optmech.release.tabulate.tabulation import Tabulation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from os import PathLike

    from optmech.release.tabulate.bound import PersonBound

KEY = "optmech"


@takes(
    at_most=optional(whole_number),
    at_most_per_group=optional(whole_number),
    out=optional(need_path),
    each_row_a_person=flag,
    people=flag,
    sum_of=optional(need_text),
    mean_of=optional(need_text),
    sizes_are_public=flag,
    dates=optional(need_text),
    trim=flag,
    fold_case=flag,
    drop_empty=flag,
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
    person: str | Sequence[str] | None = None,
    each_row_a_person: bool = False,
    group: str | Sequence[str] = (),
    groups: Any = None,  # noqa: ANN401 - a path, a frame or a list
    groups_from_data: bool = False,
    bins: Mapping[str, Any] | None = None,
    empty_as: str | Mapping[str, str] | None = None,
    empty: Iterable[str] = (),
    drop_empty: bool = False,
    people: bool = False,
    sum_of: str | None = None,
    mean_of: str | None = None,
    between: tuple[int, int] | None = None,
    sizes_are_public: bool = False,
    at_most: int | None = None,
    at_most_per_group: int | None = None,
    out: str | PathLike[str] | None = None,
    drop_others: bool = False,
    key: str = KEY,
    missing: Iterable[str] = (),
    id_may_be: Iterable[str] = (),
    ids_as_written: bool = False,
    record_key: str | None = None,
    keys: int = NUM_KEYS,
    where: str | Iterable[str] = (),
    dates: str | None = None,
    trim: bool = False,
    fold_case: bool = False,
) -> CountTable:
    """Count the rows of each group, at most a given number for each person.

    A rule bounds the change of the table by one person, and so their privacy loss in its release. It depends
    only on that person's rows: in each group it keeps the `at_most_per_group` rows with the smallest SHA-256,
    and counts the `at_most` smallest of these. Removing a person with all their rows changes each count by at
    most `at_most_per_group` and all together by at most `at_most`. With `sum_of` it clamps the sum of each
    person in each group, and keeps at most `at_most` of their groups.

    Groups are either public or those of the data. Public groups are listed beforehand, and empty ones have
    the count 0. Groups that occur in the data, as in a GROUP BY, must stay secret until the table is released
    with `drop_zero`, by a mechanism with zero-stays-zero. The bound beside the table says so, and
    `release_table` refuses any other release.

    Parameters
    ----------
    table : path or frame
        ``.csv``, ``.csv.gz`` or ``.parquet``, of any size, or a data frame of pandas, Polars, PyArrow or
        Dask: a row for each visit, purchase or other thing that is counted.
    person : str or sequence of str, optional
        The column with the person of each row: text or integers, in each row; or several columns, which
        together say whose it is. Rows without a person, and an id in two spellings, are refused: the bound
        fails if one person counts as two.
    each_row_a_person : bool
        In place of `person`: no two rows are of one person. Nobody checks that claim.
    group : str or sequence of str
        The columns with the group of each row; none for all rows together, with `people`, `sum_of` or
        `mean_of`.
    groups : path, frame, list or mapping, optional
        All groups of the table: a CSV or Parquet file or a frame with the columns `group`, or a list of texts
        or tuples of texts. A mapping lists the names of each column, for all combinations. Further columns of
        a file or a frame are copied into the table. Columns of `bins` may be left out, and where all are of
        bins no list is needed.
    groups_from_data : bool
        Instead of `groups`: the groups with a counted row, sorted by name, so that their order reveals
        nothing more. The data are read twice. The table carries a mark for `release_frame`, which a frame of
        pandas keeps. A frame of Polars loses it: pass `drop_zero` there.
    bins : mapping, optional
        For a column of numbers the edges of its bins, as text such as ``"0,18,65"``, or a list of numbers.
        A bin has its lower edge. ``"0,18,65]"`` includes 65, and ``"..,18,65,.."`` all other numbers. For a
        column of dates their edges, or a period and its public range: ``"month:2024-01..2024-12"``, or
        ``year``, ``quarter``, ``week`` of ISO 8601 or ``day``; ``"weekday"`` needs none, and no period does
        with `groups_from_data`.
    empty_as : str or mapping of str to str, optional
        The name of the group of those who gave no answer, or for each column. Otherwise rows with an empty
        cell are refused.
    empty : iterable of str, optional
        Texts that mean no answer in a column of groups or numbers, as an empty cell does.
    drop_empty : bool
        Leave out rows with an empty cell: no person, no number, or no group without `empty_as`.
    people : bool
        Count distinct people: in each group at most one row of a person.
    sum_of, mean_of : str, optional
        The column of whole numbers whose sum in each group is asked for, in place of counts, or their mean
        per person.
    between : tuple of int, optional
        The smallest and the largest sum of one person in a group: theirs is clamped.
    sizes_are_public : bool
        That it is public how many people each group has, which `mean_of` needs: they are written, too.
    at_most : int
        Number of rows of one person that are counted in all; of sums and means, of groups that one person is
        counted in. It may be left out where it can be 1 alone.
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
        Texts in the column of persons that mark nobody, as NA, n.a., nan, NULL, None, (missing), .a, ? and
        other texts without a letter or digit do, in any case and in any spelling.
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
    where : str or iterable of str, optional
        Public conditions on rows, such as ``"vaccinated = yes"`` and ``"age >= 18"``: those for which one
        does not hold are not there.
    dates : str, optional
        How dates are written, such as ``"DD.MM.YYYY"``; by default ``"YYYY-MM-DD"``. They are never guessed.
    trim, fold_case : bool
        Take names of groups that differ by spaces around them, or by capitals, for one.

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
    >>> survey = pa.table({"age": [17, 40, None], "cups": [1, 9, 2]})
    >>> ages = {"each_row_a_person": True, "bins": {"age": "..,18,.."}, "empty_as": "unknown"}
    >>> tabulate(survey, **ages).table.to_pylist()[0], tabulate(survey, **ages).table["count"].to_pylist()
    ({'age': 'under 18', 'count': 1}, [1, 1, 1])
    >>> tabulate(survey, **ages, sum_of="cups", between=(0, 4)).table["total"].to_pylist()
    [1, 4, 2]
    >>> keys = tabulate(visits, person="patient", group="ward", groups_from_data=True, at_most=2)
    >>> keys.table["ward"].to_pylist(), keys.bound.is_of_data
    (['A', 'B'], True)
    """
    request = Tabulation.of(
        person=person,
        each_row_a_person=each_row_a_person,
        group=group,
        bins={} if bins is None else bins,
        empty_as=empty_as,
        empty=empty,
        drop_empty=drop_empty,
        people=people,
        sum_of=sum_of,
        mean_of=mean_of,
        between=between,
        sizes_are_public=sizes_are_public,
        at_most=at_most,
        at_most_per_group=at_most_per_group,
        where=where,
        dates=dates,
        trim=trim,
        fold_case=fold_case,
        drop_others=drop_others,
    )
    record_keys = RecordKeys(record_key, keys)
    record_keys.check(table, request)
    _check_groups(request, groups, groups_from_data=groups_from_data, drop_others=drop_others)
    ids = PersonIds(missing, id_may_be, as_written=ids_as_written)
    if out is not None:
        _check_out(out, table, groups)
    source, rules = _name_of(table), request.rules
    columns = NamedColumns(rules.columns, rules.bins, request.where)
    if not rules.columns:
        group_list = whole_list(rules)
    elif groups_from_data:
        group_list = occurring_groups(table, rules, columns, source)
    else:
        group_list = listed_groups(groups, rules)
    bound = request.bound(None if groups_from_data else len(group_list), ids, key)
    bound = replace(
        bound,
        num_keys=record_keys.number,
        table_id=record_keys.name_of_table(),
        reading=(*(reading_of(table) if source is not None else ()), *request.reading),
    )
    beside = {MEAN: (SIZE,), PEOPLE: (TOTAL,)}.get(bound.column, ())
    for name in (*beside, bound.column):
        if name in group_list.table.column_names:
            raise broken_rule("groups", f"have no column {name}, which is written", f"one in {groups}")
    check = RowCheck(
        group_list, ids, person=request.person, value=request.value, source=source, where=request.where
    )
    with ExitStack() as stack:
        sums = _sums(table, check, request, (bound, key), partial(_room_beside, out, stack))
    whole = _whole_table(group_list, bound, sums, source)
    beyond = check.rows - check.left_out - int(sums.numbers.sum())
    whole = record_keys.added(whole, table, group_list, beyond_bound=beyond)
    if groups_from_data:
        whole = marked_of_data(whole.filter(pa.array(sums.numbers > 0)))
    count_table = CountTable(
        table=whole,
        bound=bound,
        rows=check.rows,
        counted=int(sums.numbers.sum()),
        left_out=check.left_out,
        dropped=check.dropped,
        contributions=sums.contributions if people or bound.between is not None else None,
        clamped=sums.clamped,
        caution=named_totals(group_list),
    )
    return count_table if out is None else replace(count_table, bound=count_table.write(out))


def _sums(
    table: Any,  # noqa: ANN401 - as above
    check: RowCheck,
    request: Tabulation,
    rule: tuple[PersonBound, str],
    room: Callable[[], Path],
) -> GroupSums:
    """Return counts or sums of all groups by a bound and its key; `room` makes a folder for much data."""
    bound, key = rule
    if not check.person:
        return _each_row(table, check, bound)
    if package_of(table) == "dask" and not request.counts_pairs:
        return _of_dask(table, check, bound, key)
    number = len(check.person)
    with ContributionBounding(check.groups.names, bound, key, num_ids=number, folder=room()) as counting:
        for rows in texts_in_order(table, check.columns):
            counting.add(check.checked(rows))
        check.complaints.refuse()
        two = None if bound.ids_as_written else counting.two_spellings()
        if two is not None:
            raise check.two_spellings(two, table)
        return counting.sums()


def _of_dask(table: Any, check: RowCheck, bound: PersonBound, key: str) -> GroupSums:  # noqa: ANN401 - as above
    """Return the counts of a Dask frame."""
    try:
        counts = bounded_counts(table, check, bound, key)
    except TwoSpellingsError as refused:
        raise check.two_spellings(refused.args, table) from None
    except ProblemError:
        for rows in texts_in_order(table, check.columns):  # the same, by the row of the whole frame
            check.checked(rows)
        check.complaints.refuse()
        raise
    return GroupSums(numbers=counts, totals=counts)


def _each_row(table: Any, check: RowCheck, bound: PersonBound) -> GroupSums:  # noqa: ANN401 - as above
    """Return counts and sums where each row is one person, who is in one group."""
    size = len(check.groups)
    numbers, totals = np.zeros((2, size), np.int64)
    clamped = 0
    for rows in texts_in_order(table, check.columns):
        checked = check.checked(rows)
        is_counted = checked.indices >= 0
        indices = checked.indices[is_counted]
        numbers += np.bincount(indices, minlength=size)
        if bound.between is not None and checked.numbers is not None:
            values = checked.numbers[is_counted]
            within = np.clip(values, *bound.between)
            clamped += int((within != values).sum())
            np.add.at(totals, indices, within)
    check.complaints.refuse()
    return GroupSums(numbers=numbers, totals=totals, contributions=int(numbers.sum()), clamped=clamped)


def _whole_table(groups: GroupList, bound: PersonBound, sums: GroupSums, source: str | None) -> pa.Table:
    """Return the groups with their counts, sums or means."""
    answers = {bound.column: pa.array(sums.numbers if bound.column == COUNT else sums.totals, pa.int64())}
    if bound.is_of_people:
        answers = {PEOPLE: pa.array(sums.numbers, pa.int64()), TOTAL: answers[PEOPLE]}
    if bound.column == MEAN:
        empty = np.flatnonzero(sums.numbers == 0)
        if empty.size:
            name = groups.names[int(empty[0])].as_py()
            rule = f"somebody in each group of a mean; got nobody in {name}"
            remedy = "Sizes of groups are public here: leave that group out of the list."
            raise refused(source, rule, remedy)
        pairs = zip(sums.totals.tolist(), sums.numbers.tolist(), strict=True)
        means = [as_text(Fraction(total, number)) for total, number in pairs]
        answers = {SIZE: pa.array(sums.numbers, pa.int64()), MEAN: pa.array(means, pa.string())}
    columns = dict(zip(groups.table.column_names, groups.table.columns, strict=True))
    return pa.table({**columns, **answers})


def _check_groups(request: Tabulation, groups: Any, *, groups_from_data: bool, drop_others: bool) -> None:  # noqa: ANN401 - as above
    """Refuse groups that are not wanted, or missing."""
    rules = request.rules
    if not rules.columns:
        if groups is not None or groups_from_data or drop_others:
            message = (
                "`groups` must be left out where no column says a group, by --group; got a list of groups, "
                "--groups-from-data or --drop-others."
            )
            raise ProblemError(message)
        return
    if request.value is not None and request.column in (MEAN, PEOPLE) and groups_from_data:
        message = "`groups` must list all groups of a mean: which they are is public."
        raise ProblemError(message)
    if groups is None and not groups_from_data and not rules.listed_columns:
        return
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


def _check_out(out: str | PathLike[str], *reads: Any) -> None:  # noqa: ANN401 - paths, frames and lists
    check_writable(out, *ENDINGS)
    check_writable(bound_beside(out))
    targets = {resolved(out), resolved(bound_beside(out))}
    for path in reads:
        try:
            same = isinstance(path, (str, os.PathLike)) and resolved(path) in targets
        except ValueError as error:  # a null byte or half a character in a name
            raise unreadable(path, error) from None
        if same:
            message = f"`out` must be another file than {path}, which is read."
            raise ProblemError(message)


def _room_beside(out: str | PathLike[str] | None, stack: ExitStack) -> Path:
    """Return a folder beside the result for data that does not fit into memory."""
    where = None if out is None else resolved(out).parent
    with refusals(out or "a temporary folder"):
        folder = tempfile.TemporaryDirectory(
            dir=where, prefix=".optmech-", suffix=".part", ignore_cleanup_errors=True
        )
        return Path(stack.enter_context(folder))


def _name_of(table: Any) -> str | None:  # noqa: ANN401 - as above
    return os.fspath(table) if isinstance(table, (str, os.PathLike)) else None
