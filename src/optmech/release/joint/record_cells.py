"""Read the sums of people's records by public groups: of the records themselves, or as `tabulate` wrote them.

A record is the decimal that is typed, rounded to the nearest step and clamped to the range, exactly. Text
that is no number refuses the file, so that whether it is refused depends on the data: check it beforehand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from optmech.base.arguments import items
from optmech.base.errors import FileFormatError, NotAcceptedError, ProblemError, broken_rule
from optmech.mechanisms.tables.table_noise import LatticeNoise, MarginNoise
from optmech.question.tables.margins import subsets
from optmech.question.tables.record_sums import SUM
from optmech.release.joint.joint_cells import ALL, positions
from optmech.release.tables.files import check_column, reader_of
from optmech.release.tables.part import index_of
from optmech.release.tables.person import bound_of
from optmech.release.tabulate.bound import PEOPLE, TOTAL
from optmech.release.tabulate.group_list import listed_groups
from optmech.release.tabulate.group_rules import GroupRules

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction
    from os import PathLike

    from optmech.base.arrays import Integers, Whole
    from optmech.mechanisms.tables.table_certificate import TableCertificate
    from optmech.mechanisms.tables.table_noise import TableNoise
    from optmech.question.tables.margins import Axes
    from optmech.question.tables.record_sums import RecordSums
    from optmech.release.joint.joint_draws import DrawnNoise
    from optmech.release.tables.part import Part
    from optmech.release.tabulate.bound import PersonBound

_MOST = 1 << 60
_NUMBER = re.compile(r"\s*[+-]?(?:[0-9]{1,40}\.?[0-9]{0,40}|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,2})?\s*")


@dataclass(frozen=True, eq=False, kw_only=True)
class RecordCells:
    """The cells that one file of records fills: public groups, and in each the sums.

    `column` has the records; where a bound is beside the file, it has people and clamped totals of groups.
    """

    certificate: TableCertificate
    sums: RecordSums
    table: str | PathLike[str]
    column: str
    by: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    bound: PersonBound | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The axes: columns of groups, and the sums where there are several."""
        return (*self.by, SUM) if self.sums.parts else self.by

    @property
    def categories(self) -> tuple[tuple[str, ...], ...]:
        """The categories of each axis."""
        return (*self.groups, self.sums.parts) if self.sums.parts else self.groups

    @property
    def shape(self) -> tuple[int, ...]:
        """The numbers of categories."""
        return tuple(map(len, self.categories))

    @property
    def variances(self) -> dict[Axes, Fraction]:
        """The variance of each sum."""
        (variance,) = self.certificate.variances.values()
        return {frozenset(range(len(self.shape))): variance}

    @property
    def noise(self) -> TableNoise:
        """The noise of all cells in a row: each has that of one sum, independent of the others."""
        noise, number = self.certificate.noise, prod(self.shape)
        sizes = (number,) if number > 1 else ()
        every = frozenset(range(len(sizes)))
        parameters: set[Fraction] = set()  # those of normal noise on margins are not of one sum
        if isinstance(noise, LatticeNoise | MarginNoise):
            parameters = {*(noise.variances if isinstance(noise, LatticeNoise) else noise.ratios).values()}
        if len(parameters) != 1 or (isinstance(noise, MarginNoise) and noise.bits):
            message = "`mechanism` must have the same noise on each sum of records. Design it again."
            raise NotAcceptedError(message)
        (parameter,) = parameters
        if isinstance(noise, LatticeNoise):
            return LatticeNoise(sizes, dict.fromkeys(subsets(every), parameter))
        return MarginNoise(sizes, {every: parameter}, {(part, every): 1 for part in subsets(every)}, 0)

    def released(self, drawn: DrawnNoise, truths: Integers) -> dict[Axes, Integers]:
        """Return the noisy sums."""
        every = frozenset(range(len(drawn.noise.sizes)))
        found = drawn.released(truths.reshape(drawn.noise.sizes), [every])[every]
        return {frozenset(range(len(self.shape))): found.reshape(self.shape)}

    def read(self) -> tuple[Integers, int]:
        """Return the true sums, and how many records were clamped: both are confidential.

        Raises
        ------
        FileFormatError
            If a record is no number, a group is not listed, or sums would be too large to be exact.
        """
        found = np.zeros((prod(map(len, self.groups)), max(1, len(self.sums.parts))), np.int64)
        known, rows, clamped = _Steps(self.sums), 0, 0
        columns = (PEOPLE, TOTAL) if self.bound is not None else (self.column,)
        with reader_of(self.table, columns[-1], None) as reader:
            check_column(reader)
            indices = [index_of(reader.header, name, reader.path) for name in self.by]
            for part in reader.parts():
                place = np.zeros(len(part.answers), np.int64)
                for index, name, listed in zip(indices, self.by, self.groups, strict=True):
                    place = place * len(listed) + positions(part, index, name, listed, reader.path)
                if self.bound is not None:
                    people = _whole(part.cells(index_of(reader.header, PEOPLE, reader.path)))
                    added = self._of_totals(people, _whole(part.answers))
                    rows += int(people.sum())
                else:
                    steps, beyond = known.of(part, reader.path, self.column)
                    added = self.sums.of_steps(steps)
                    rows, clamped = rows + len(steps), clamped + beyond
                if rows * self.sums.weight > _MOST:
                    message = f"`{self.table}` must have sums of at most 2^60 units, which are exact."
                    raise FileFormatError(message)
                for index, each in enumerate(added):
                    np.add.at(found[:, index], place, each)
        return found.reshape(self.shape), clamped

    def _of_totals(self, people: Integers, totals: Integers) -> tuple[Integers, ...]:
        low, high = (int(end) for end in (self.sums.low, self.sums.high))
        return totals - low * people, high * people - totals


class _Steps:
    """The steps above the low end of each text that was read."""

    def __init__(self, sums: RecordSums) -> None:
        self._span = sums.span
        self._low, self._unit = sums.low.as_integer_ratio(), sums.unit.as_integer_ratio()
        self._known: dict[str | None, tuple[int, bool]] = {}

    def of(self, part: Part, path: str, column: str) -> tuple[Integers, int]:
        """Return the steps of all records of a part, and how many were clamped."""
        texts = part.answers.cast(pa.string()).dictionary_encode(null_encoding="encode")
        found = []
        for text in texts.dictionary.to_pylist():
            if text not in self._known:
                if text is None or not _NUMBER.fullmatch(text):
                    rows = pc.equal(part.answers.cast(pa.string()).fill_null(""), text or "")
                    row = int(np.argmax(rows.to_numpy(zero_copy_only=False)))
                    message = (
                        f"`{path}` must have a number in each row of column {column}; got "
                        f"{'none' if text is None else repr(text)} in {part.location(row)}. "
                        "Leave such rows out."
                    )
                    raise FileFormatError(message)
                self._known[text] = self._step(text)
            found.append(self._known[text])
        steps, beyond = (np.array([pair[k] for pair in found], np.int64) for k in (0, 1))
        at = np.asarray(texts.indices.to_numpy())
        return (steps[at], int(beyond[at].sum())) if len(at) else (np.zeros(0, np.int64), 0)

    def _step(self, text: str) -> tuple[int, bool]:
        """Return the nearest step, half a step up, within the range; and whether it was clamped."""
        number, of = Decimal(text.strip()).as_integer_ratio()
        low, of_low = self._low
        unit, of_unit = self._unit
        above, whole = (number * of_low - low * of) * of_unit, of * of_low * unit
        span = self._span
        step = (2 * above + whole) // (2 * whole)
        return min(max(step, 0), span), above < 0 or above > span * whole


def _whole(cells: pa.Array) -> Integers:
    """Return whole numbers as `tabulate` wrote them."""
    numbers: Whole = cells.cast(pa.string()).cast(pa.int64()).to_numpy(zero_copy_only=False)
    return np.asarray(numbers, np.int64)


def record_cells(
    certificate: TableCertificate,
    table: str | PathLike[str],
    *,
    column: str | None,
    by: Sequence[str],
    groups: Any,  # noqa: ANN401 - as `tabulate` takes it
) -> RecordCells:
    """Return the cells of a file of records, or of what `tabulate` wrote of them, whose bound is beside it.

    Raises
    ------
    ProblemError
        If no column says what is summed, or the groups are not listed.
    NotAcceptedError
        If `tabulate` bounded people otherwise than the certificate protects.
    """
    sums, bound = certificate.problem.records, bound_of(table, None)
    assert sums is not None  # noqa: S101 - asked of certificates of records alone
    if bound is not None:
        _need_bound(sums, bound, column, by)
        listed = listed_groups(table, GroupRules(columns=bound.groups)) if bound.groups else None
        names = bound.groups
    else:
        if column is None:
            message = "`column` must be given, by --column: where the numbers of the records are."
            raise ProblemError(message)
        names = tuple(map(str, items(by, "by", "names of columns")))
        if bool(names) != (groups is not None):
            message = (
                "`groups` must list all groups there could be, by --groups, with the columns that say the "
                "group of a record, by --by: which groups there are is public."
            )
            raise ProblemError(message)
        if len({*names, column, SUM}) < len(names) + 2:
            rule = f"name columns once each, other than {column} and {SUM}"
            raise broken_rule("by", rule, ", ".join(names))
        listed = listed_groups(groups, GroupRules(columns=names)) if names else None
    categories = [] if listed is None else [listed.table[name].unique().to_pylist() for name in names]
    for name, known in zip(names, categories, strict=True):
        if ALL in known:
            raise broken_rule(name, f"have no group {ALL}", ALL, f"Rename it: {ALL} stands for a sum.")
    return RecordCells(
        certificate=certificate,
        sums=sums,
        table=table,
        column=bound.value if bound is not None else str(column),
        by=names,
        groups=tuple(map(tuple, categories)),
        bound=bound,
    )


def _need_bound(sums: RecordSums, bound: PersonBound, column: str | None, by: Sequence[str]) -> None:
    if by or column not in (None, bound.value):
        message = "`column` and `by` must be left out for what `tabulate` wrote: it says both."
        raise ProblemError(message)
    groups = bound.most_groups or 1
    own = (sums.low, sums.high, sums.unit, len(sums.parts))
    told = (*(bound.between or ()), 1, 2)
    if not bound.is_of_people or own != told or groups > sums.at_most:
        message = (
            f"`mechanism` must be a mean of the range and the groups that {bound.table}.json tells of; got "
            f"{sums}, at most {sums.at_most} of one person. Design again with --for {bound.table}.json."
        )
        raise NotAcceptedError(message)
