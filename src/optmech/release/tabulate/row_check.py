"""Check that each row, in order, has a person, a group and a number, and return them."""

from __future__ import annotations

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
from optmech.release.tabulate.complaints import Complaints, refused
from optmech.release.tabulate.group_list import no_answer
from optmech.release.tabulate.joined_names import joined, parted
from optmech.release.tabulate.person_rows import NamedColumns, texts_in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from optmech.base.errors import FileFormatError, ProblemError
    from optmech.release.tabulate.conditions import Condition
    from optmech.release.tabulate.group_list import GroupList
    from optmech.release.tabulate.person_ids import PersonIds
    from optmech.release.tabulate.person_rows import RecordRows

_LONGEST_NUMBER = 15
# Groups that are not listed, of so many is looked for a listed one that is nearly alike.
_MOST_LOOKED_AT = 50
_MONEY = "Or release the records with their cents, by `optmech design total --people private --unit 0.01`."
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
        source: str | None,
        where: tuple[Condition, ...] = (),
        index_of: Callable[[Fraction], int] | None = None,
    ) -> None:
        self.groups, self.ids, self.person, self.value = groups, ids, person, value
        self._index_of = index_of
        self.complaints = Complaints(source)
        self.rows = self.left_out = self.dropped = 0
        rules = groups.rules
        values = () if value is None else (value,)
        self.columns = NamedColumns((*person, *rules.columns, *values), (*rules.bins, *values), where)

    def checked(self, rows: RecordRows) -> CheckedRows:
        """Return these rows; those that break a rule do not count and are left to `complaints`."""
        rules, persons = self.groups.rules, len(self.person)
        first = [column[0].as_py() for column in rows.texts if len(rows) and not self.rows]
        if len(first) > 1 and first == list(self.columns.names):  # a column Tea may hold Tea, or nothing
            names_again = f"{', '.join(map(visible, first))} again"
            self.complaints.add(
                "one row of names", names_again, rows.location(0), "Leave the second one out."
            )
            self.complaints.refuse()
        people, columns = rows.texts[:persons], rows.texts[persons : persons + len(rules.columns)]
        keep = np.ones(len(rows), bool)
        for name, column in zip(self.person, people, strict=True):
            keep &= self._has_person(rows, column, name)
        names = rules.names(rows, columns, self.complaints)
        numbers = None
        if self.value is not None:
            numbers, has_number = self._numbers(rows, rows.texts[-1], self.value)
            keep &= has_number
        keep &= self._has_groups(rows, columns, names)
        indices = self.groups.indices_of(names, len(rows))
        others = np.flatnonzero((indices < 0) & keep)
        if others.size and not rules.drop_others:
            self._of_other_groups(rows, columns, names, others)
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
            text, mark = people[row].as_py(), "none"
            remedy = "Nobody knows whose that row is: find out, or leave such rows out by --drop-empty."
            if text is not None and text.strip():
                mark = f"{quote(text)}, which marks nobody,"
                if self.ids.is_usual_mark(text):
                    remedy += f" If it is the id of a person, pass --id-may-be {shlex.quote(text.strip())}."
            rule = f"a person in each row of column {name}"
            self.complaints.add(rule, mark, rows.location(row), remedy, int(is_nobody.sum()))
        return ~is_nobody

    def _has_groups(
        self, rows: RecordRows, columns: Sequence[pa.Array], names: Sequence[pa.Array]
    ) -> NDArray[np.bool_]:
        """Return which rows have an answer in each column of groups, or a group of those without."""
        rules = self.groups.rules
        keep = np.ones(len(rows), bool)
        for name, column, texts in zip(rules.columns, names, columns, strict=True):
            if not column.null_count or (rules.drop_others and not rules.drop_empty):
                continue
            is_empty = rules.without_answer(texts).to_numpy(zero_copy_only=False)
            is_empty &= ~column.is_valid().to_numpy(zero_copy_only=False)
            keep &= ~is_empty
            if is_empty.any() and not rules.drop_empty:
                where = rows.location(int(is_empty.argmax()))
                rule = f"an answer in each row of column {name}"
                self.complaints.add(rule, "none", where, no_answer(name, rules), int(is_empty.sum()))
        return keep

    def _of_other_groups(
        self,
        rows: RecordRows,
        columns: Sequence[pa.Array],
        names: Sequence[pa.Array],
        others: NDArray[np.int64],
    ) -> None:
        """Complain of rows whose group is not listed; those in no bin are complained of already."""
        is_named = [name.is_valid().to_numpy(zero_copy_only=False)[others] for name in names]
        others = others[np.all(is_named, axis=0)]
        keys = joined([column.fill_null("") for column in columns]).take(pa.array(others))
        kinds = np.unique(keys.dictionary_encode().indices, return_index=True, return_counts=True)
        for index, (at, number) in enumerate(zip(*kinds[1:], strict=True)):
            row = int(others[at])
            cells = [column[row].as_py() for column in columns]
            pairs = zip(self.groups.rules.columns, cells, strict=True)
            values = ", ".join(f"{name} = {_text(text)}" for name, text in pairs)
            remedy = self.groups.remedy_of(
                [name[row].as_py() for name in names] if index < _MOST_LOOKED_AT else []
            )
            if any(map(is_total, cells)):
                remedy = "That looks like a total beside its parts, and is no person: leave it out."
            self.complaints.add("listed groups alone", values, rows.location(row), remedy, int(number))

    def _numbers(
        self, rows: RecordRows, texts: pa.Array, name: str
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return the whole number of each row, 0 where there is none, and where there is one."""
        rules = self.groups.rules
        is_empty = rules.without_answer(texts).to_numpy(zero_copy_only=False)
        if is_empty.any() and not rules.drop_empty:
            where = rows.location(int(is_empty.argmax()))
            remedy = "Leave such rows out by --drop-empty, or write the number."
            rule = f"a number in each row of column {name}"
            self.complaints.add(rule, "none", where, remedy, int(is_empty.sum()))
        encoded = pc.if_else(pa.array(is_empty), None, texts).dictionary_encode()
        values: list[int] = []
        kind = "whole numbers" if self._index_of is None else "numbers"
        for index, text in enumerate(encoded.dictionary.to_pylist()):
            number = number_in(text, rows.decimal) if len(text.strip()) <= _LONGEST_NUMBER else None
            value = None if number is None else self._value(number)
            values.append(value or 0)
            if value is None:
                is_it = pc.equal(encoded.indices, index)
                where = rows.location(int(pc.index(is_it, value=True).as_py()))
                remedy = rules.remedy(reason_of_no_number(text, name, rows.decimal))
                if number_in(text, rows.decimal) is not None:
                    remedy = f"Write {kind} of at most {_LONGEST_NUMBER} digits, in another unit."
                    if self._index_of is None:
                        remedy += f" {_MONEY}"
                rule = f"{kind} in column {name}"
                self.complaints.add(rule, quote(text), where, remedy, pc.sum(is_it).as_py())
        numbers = pa.array(values, pa.int64()).take(encoded.indices).fill_null(0)
        return numbers.to_numpy(), ~is_empty

    def _value(self, number: Fraction) -> int | None:
        """Return the place of a number among those that are asked for, or itself where it is whole."""
        if self._index_of is not None:
            return self._index_of(number)
        return int(number) if number.denominator == 1 and abs(number) < 10**_LONGEST_NUMBER else None

    def two_spellings(self, two: Sequence[str], table: Any) -> FileFormatError | ProblemError:  # noqa: ANN401 - a path or a frame
        """Return the error of two texts that are one id, with the first row of each in the table."""
        places: dict[str, tuple[int, str]] = {}
        for rows in texts_in_order(table, NamedColumns(self.person, where=self.columns.where)):
            people = joined(rows.texts)
            for text in two:
                row = pc.index(people, value=text).as_py()
                if row >= 0 and text not in places:
                    places[text] = rows.position(row), rows.location(row)
        first, second = sorted(places, key=lambda text: places[text][0])
        rule = (
            f"each id in one spelling in column {join_words(self.person)}; got {self._quoted(first)} in "
            f"{places[first][1]} and {self._quoted(second)} in {places[second][1]}"
        )
        remedy = (
            "They would count as two people: write them alike, or, if they are two, pass --ids-as-written."
        )
        return refused(self.complaints.source, rule, remedy)

    def _quoted(self, person: str) -> str:
        return quote(person) if len(self.person) == 1 else ", ".join(map(quote, parted(person)))


def _text(name: str | None) -> str:
    return visible(name) if name is not None and name.strip() else "nothing"
