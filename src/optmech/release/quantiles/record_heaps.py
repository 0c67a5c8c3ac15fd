"""Read records of people by public groups: how many of them have each value of the range.

Of a person with more rows than count, those of the smallest SHA-256 are taken, as `tabulate` does: which they
are depends on that person's rows alone. Here the name in the rule is the group with the index of the value.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from optmech.base.arguments import flag, need_text
from optmech.base.errors import NotAcceptedError, ProblemError
from optmech.base.wording import join_words, plural
from optmech.question.quantiles.quantile_problem import Neighbours
from optmech.release.tabulate.bound import PersonBound
from optmech.release.tabulate.contribution_bounding import ContributionBounding
from optmech.release.tabulate.group_list import listed_groups, whole_list
from optmech.release.tabulate.group_rules import GroupRules
from optmech.release.tabulate.person_ids import PersonIds
from optmech.release.tabulate.person_rows import texts_in_order
from optmech.release.tabulate.row_check import CheckedRows, RowCheck
from optmech.release.tabulate.tabulation import check_persons, columns_named, texts_meant

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from optmech.base.arrays import Integers
    from optmech.question.quantiles.quantile_problem import QuantileProblem

    Heaps = list[tuple[int, int]]
    """Indices of values, increasing, each with the number of its records."""

KEY = "optmech"
QUANTILE = "quantile"
"""The column that says of what part of the people a released value is the quantile."""
_RULE = (
    "The rows of a person with one value in a group are numbered from 0. Each has the SHA-256 of the text "
    "{}/PERSON/GROUP/VALUE/NUMBER, GROUP being the list of its names as JSON and VALUE the place in the "
    "range, from 0; its first 16 digits count. Of each person the {} of the smallest SHA-256 count. Nobody "
    "else's rows have a part in that."
)


@dataclass(frozen=True, kw_only=True)
class PeopleRecords:
    """The columns of persons, groups and values, and what becomes of rows that lack one.

    The arguments are those of `tabulate`.
    """

    column: str
    person: str | Sequence[str] | None = None
    each_row_a_person: bool = False
    group: str | Sequence[str] = ()
    groups: Any = None
    drop_others: bool = False
    empty: Iterable[str] = ()
    drop_empty: bool = False
    missing: Iterable[str] = ()
    id_may_be: Iterable[str] = ()
    ids_as_written: bool = False
    key: str = KEY

    def __post_init__(self) -> None:
        """Hold switches and the key to their rules: ProblemError."""
        for name in ("each_row_a_person", "drop_others", "drop_empty", "ids_as_written"):
            flag(getattr(self, name), name)
        need_text(self.key, "key")

    def request(self, problem: QuantileProblem, table: Any) -> tuple[RowCheck, PersonBound]:  # noqa: ANN401 - a path or a frame
        """Return the rules for rows and the bound of a person, before any record is read.

        Raises
        ------
        ProblemError, FileFormatError, NotAcceptedError
            If an argument breaks its rule, or the list of groups cannot be read.
        """
        persons, columns = columns_named(self.person, "person"), columns_named(self.group, "group")
        check_persons(persons, each_row_a_person=self.each_row_a_person)
        every = (*columns, *persons, self.column)
        if len({*every, QUANTILE}) <= len(every):
            message = (
                f"`column`, `group` and `person` must be different columns, none called {QUANTILE}; got "
                f"{join_words(every)}."
            )
            raise ProblemError(message)
        if bool(columns) != (self.groups is not None):
            message = "`groups` must list all groups, which are public, where `group` names their columns."
            raise ProblemError(message)
        if problem.neighbours is Neighbours.CHANGE and (persons or self.drop_empty):
            message = (
                "`each_row_a_person` must be said without `drop_empty` where numbers of people are public, "
                "as the certificate has it. Design with --adjacency add-remove."
            )
            raise NotAcceptedError(message)
        marks = frozenset(texts_meant(self.empty, "empty"))
        rules = GroupRules(
            columns=columns, marks=marks, drop_empty=self.drop_empty, drop_others=self.drop_others
        )
        groups = listed_groups(self.groups, rules) if columns else whole_list(rules)
        ids = PersonIds(self.missing, self.id_may_be, as_written=self.ids_as_written)
        check = RowCheck(
            groups,
            ids,
            person=persons,
            value=self.column,
            source=str(table) if isinstance(table, (str, Path)) else None,
            index_of=problem.index_of,
        )
        most = problem.at_most
        rule = _RULE.format(self.key, plural(most, "row")) if persons else "Each row is counted once."
        bound = PersonBound(
            person=join_words(persons) if persons else "",
            groups=columns,
            num_groups=len(groups),
            at_most=most,
            at_most_per_group=most,
            rule=rule,
            ids_as_written=ids.as_written,
            num_marks_as_ids=ids.num_allowed,
        )
        return check, bound

    def heaps(self, table: Any, check: RowCheck, bound: PersonBound, size: int) -> list[Heaps]:  # noqa: ANN401 - a path or a frame
        """Return the records of each group among `size` values, which nobody may see.

        Raises
        ------
        ProblemError, FileFormatError
            If a row has no person, no listed group or no number, or an id has two spellings.
        """
        parts = [check.checked(rows) for rows in texts_in_order(table, check.columns)]
        check.complaints.refuse()
        cells = np.concatenate([np.zeros(0, np.int64), *(_cells(part, size) for part in parts)])
        is_counted = cells >= 0
        values, places = np.unique(cells[is_counted], return_inverse=True)
        numbers = np.bincount(places, minlength=len(values))
        if check.person and len(values):
            people = pa.concat_arrays([part.people for part in parts]).filter(pa.array(is_counted))
            listed = check.groups.names.to_pylist()
            names = [f"{listed[cell // size]}/{cell % size}" for cell in values.tolist()]
            rows = CheckedRows(people=people, indices=places, numbers=None)
            with (
                tempfile.TemporaryDirectory(prefix="optmech-") as folder,
                ContributionBounding(
                    pa.array(names, pa.string()),
                    bound,
                    self.key,
                    num_ids=len(check.person),
                    folder=Path(folder),
                ) as counting,
            ):
                counting.add(rows)
                two = None if bound.ids_as_written else counting.two_spellings()
                if two is not None:
                    raise check.two_spellings(two, table)
                numbers = counting.sums().numbers
        ends = np.searchsorted(values, np.arange(len(check.groups) + 1) * size).tolist()
        pairs = [*zip((values % size).tolist(), numbers.tolist(), strict=True)]
        return [[pair for pair in pairs[start:end] if pair[1]] for start, end in pairwise(ends)]


def _cells(part: CheckedRows, size: int) -> Integers:
    assert part.numbers is not None  # noqa: S101 - a column of values was given
    return np.where(part.indices < 0, -1, part.indices * size + part.numbers)
