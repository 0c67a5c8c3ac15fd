"""Check that each row, in order, has a person, a group and a number, and return them."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from optmech.base.visible import quote, visible
from optmech.base.wording import join_words
from optmech.release.tables.cell_numbers import number_in, reason_of_no_number
from optmech.release.tables.totals_beside_parts import is_total
from optmech.release.tabulate.group_list import NO_ANSWER
from optmech.release.tabulate.group_rules import refused
from optmech.release.tabulate.joined_names import joined, parted
from optmech.release.tabulate.person_rows import NamedColumns, texts_in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from optmech.base.errors import FileFormatError, ProblemError
    from optmech.release.tabulate.group_list import GroupList
    from optmech.release.tabulate.person_ids import PersonIds
    from optmech.release.tabulate.person_rows import RecordRows

_LONGEST_NUMBER = 15
OTHER, DROPPED = -1, -2
"""The index of a row of no listed group, and of a row that has an empty cell: neither counts."""


@dataclass(frozen=True, eq=False, kw_only=True)
class CheckedRows:
    """The person, the group's index and the number of each row; the index is below 0 if it is left out.

    Without columns of persons, or of numbers, they are ``None``.
    """

    people: pa.Array | None
    indices: NDArray[np.int64]
    numbers: NDArray[np.int64] | None


class RowCheck:
    """The rules for rows: each has a person, by the rule `ids`, and a listed group.

    `person` has the columns of the person, none where each row is one, and `value` the column of numbers that
    are added up. With `drop_others`, rows of groups that are not listed are `left_out` of the `rows` counted;
    else they are refused. `dropped` rows have an empty cell. They are read from the file `source`, if any.
    With `index_of` numbers may have fractions, and each is replaced by its index.
    """

    def __init__(
        self,
        groups: GroupList,
        ids: PersonIds,
        *,
        person: tuple[str, ...],
        value: str | None = None,
        drop_others: bool,
        source: str | None,
        index_of: Callable[[Fraction], int] | None = None,
    ) -> None:
        self.groups, self.ids, self.person, self.value = groups, ids, person, value
        self._index_of = index_of
        self._drop_others, self._source = drop_others, source
        self.rows = self.left_out = self.dropped = 0
        rules = groups.rules
        values = () if value is None else (value,)
        self.columns = NamedColumns((*person, *rules.columns, *values), (*rules.bins, *values))

    def checked(self, rows: RecordRows) -> CheckedRows:
        """Return these rows; FileFormatError or ProblemError if one breaks a rule."""
        rules, persons = self.groups.rules, len(self.person)
        first = [column[0].as_py() for column in rows.texts if len(rows) and not self.rows]
        if len(first) > 1 and first == list(self.columns.names):  # a column Tea may hold Tea, or nothing
            rule = f"one row of names; got {', '.join(map(visible, first))} again in {rows.location(0)}"
            raise refused(self._source, rule, "Leave the second one out.")
        people, columns = rows.texts[:persons], rows.texts[persons : persons + len(rules.columns)]
        keep = np.ones(len(rows), bool)
        for name, column in zip(self.person, people, strict=True):
            keep &= self._has_person(rows, column, name)
        names = rules.names(rows, columns, self._source)
        if rules.drop_empty:
            for column in names:
                keep &= column.is_valid().to_numpy(zero_copy_only=False)
        numbers = None
        if self.value is not None:
            numbers, has_number = self._numbers(rows, rows.texts[-1], self.value)
            keep &= has_number
        indices = self.groups.indices_of(names, len(rows))
        others = np.flatnonzero((indices < 0) & keep)
        if others.size and not self._drop_others:
            raise self._of_another_group(rows, columns, names, int(others[0]))
        self.rows += len(rows)
        self.left_out += others.size
        self.dropped += int((~keep).sum())
        indices = np.where(keep, indices, DROPPED)
        return CheckedRows(people=joined(people) if people else None, indices=indices, numbers=numbers)

    def _has_person(self, rows: RecordRows, people: pa.Array, name: str) -> NDArray[np.bool_]:
        is_nobody = self.ids.is_nobody(people)
        if is_nobody is None:
            return np.ones(len(rows), bool)
        if not self.groups.rules.drop_empty:
            row = int(is_nobody.argmax())
            raise self._of_nobody(people[row].as_py(), name, rows.location(row))
        return ~is_nobody

    def _of_another_group(
        self, rows: RecordRows, columns: Sequence[pa.Array], names: Sequence[pa.Array], row: int
    ) -> FileFormatError | ProblemError:
        rules = self.groups.rules
        empty = [name for name, column in zip(rules.columns, names, strict=True) if not column[row].is_valid]
        if empty:
            rule = f"an answer in each row of column {empty[0]}; got none in {rows.location(row)}"
            return refused(self._source, rule, NO_ANSWER)
        pairs = list(zip(rules.columns, (column[row].as_py() for column in columns), strict=True))
        values = ", ".join(f"{name} = {_text(text)}" for name, text in pairs)
        rule = f"listed groups alone; got {values} in {rows.location(row)}"
        remedy = "List that group, or leave such rows out by --drop-others."
        if any(is_total(text) for _, text in pairs):
            remedy = "That looks like a total beside its parts, and is no person: leave it out."
        return refused(self._source, rule, remedy)

    def _numbers(
        self, rows: RecordRows, texts: pa.Array, name: str
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return the whole number of each row, 0 where there is none, and where there is one."""
        rules = self.groups.rules
        is_empty = rules.without_answer(texts).to_numpy(zero_copy_only=False)
        if is_empty.any() and not rules.drop_empty:
            rule = (
                f"a number in each row of column {name}; got none in {rows.location(int(is_empty.argmax()))}"
            )
            raise refused(self._source, rule, "Leave such rows out by --drop-empty, or write the number.")
        encoded = pc.if_else(pa.array(is_empty), None, texts).dictionary_encode()
        values = [self._whole(rows, texts, text, name) for text in encoded.dictionary.to_pylist()]
        numbers = pa.array(values, pa.int64()).take(encoded.indices).fill_null(0)
        return numbers.to_numpy(), ~is_empty

    def _whole(self, rows: RecordRows, texts: pa.Array, text: str, name: str) -> int:
        number = number_in(text, rows.decimal) if len(text.strip()) <= _LONGEST_NUMBER else None
        if number is not None and self._index_of is not None:
            return self._index_of(number)
        if number is not None and number.denominator == 1 and abs(number) < 10**_LONGEST_NUMBER:
            return int(number)
        row = int(pc.index(texts, value=text).as_py())
        where = f"in column {name}; got {quote(text)} in {rows.location(row)}"
        remedy = self.groups.rules.remedy(reason_of_no_number(text, name, rows.decimal))
        kind = "whole numbers" if self._index_of is None else "numbers"
        if re.fullmatch(r"[+-]?[\d.]+(e[+-]?\d+)?", text.strip().lower()):
            remedy = f"Write {kind} of at most {_LONGEST_NUMBER} digits, in a smaller or larger unit."
        raise refused(self._source, f"{kind} {where}", remedy)

    def _of_nobody(self, text: str | None, name: str, where: str) -> FileFormatError | ProblemError:
        remedy = "Nobody knows whose that row is: find out, or leave such rows out by --drop-empty."
        mark = "none"
        if text is not None and text.strip():
            mark = f"{quote(text)}, which marks nobody,"
            if self.ids.is_usual_mark(text):
                remedy += f" If it is the id of a person, pass --id-may-be {shlex.quote(text.strip())}."
        rule = f"a person in each row of column {name}; got {mark} in {where}"
        return refused(self._source, rule, remedy)

    def two_spellings(self, two: Sequence[str], table: Any) -> FileFormatError | ProblemError:  # noqa: ANN401 - a path or a frame
        """Return the error of two texts that are one id, with the first row of each in the table."""
        places: dict[str, tuple[int, str]] = {}
        for rows in texts_in_order(table, NamedColumns(self.person)):
            people = joined(rows.texts)
            for text in two:
                row = pc.index(people, value=text).as_py()
                if row >= 0 and text not in places:
                    places[text] = rows.first + row, rows.location(row)
        first, second = sorted(places, key=lambda text: places[text][0])
        rule = (
            f"each id in one spelling in column {join_words(self.person)}; got {self._quoted(first)} in "
            f"{places[first][1]} and {self._quoted(second)} in {places[second][1]}"
        )
        remedy = (
            "They would count as two people: write them alike, or, if they are two, pass --ids-as-written."
        )
        return refused(self._source, rule, remedy)

    def _quoted(self, person: str) -> str:
        return quote(person) if len(self.person) == 1 else ", ".join(map(quote, parted(person)))


def _text(name: str | None) -> str:
    return visible(name) if name is not None and name.strip() else "nothing"
