"""Read the counts, or sums, of all cells of a table: a column for each axis, and one of numbers.

Categories are public: the certificate lists them, or the table of `tabulate`, whose groups were listed. A
cell that is missing is zero, so that rows which are there tell nothing once all cells are released.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from optmech.base.errors import FileFormatError, NotAcceptedError, ProblemError, broken_rule
from optmech.base.wording import shorten
from optmech.release.tables.files import check_column, reader_of
from optmech.release.tables.totals_beside_parts import is_total
from optmech.release.tables.truths import Truths, UnfitAnswerError
from optmech.release.tabulate.person_rows import names_in_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction
    from os import PathLike

    from optmech.base.arrays import Integers
    from optmech.mechanisms.tables.table_certificate import TableCertificate
    from optmech.mechanisms.tables.table_noise import TableNoise
    from optmech.question.tables.margins import Axes
    from optmech.question.tables.table_problem import TableProblem
    from optmech.release.joint.joint_draws import DrawnNoise
    from optmech.release.tables.part import Part
    from optmech.release.tabulate.bound import PersonBound

ALL = "all"
"""Stands in the axes that a total is summed over."""
_LARGEST, _MOST = 1 << 53, 1 << 60


def column_of_counts(table: str | PathLike[str], names: Sequence[str], column: str | None) -> str:
    """Return the one column beside the axes: that of the numbers."""
    header = names_in_file(table)
    others = [name for name in header if name not in names]
    is_each_once = len(others) + len(names) == len(header)
    if len(others) != 1 or not is_each_once or column not in (None, *others):
        message = (
            f"`{table}` must have a column for each axis, {', '.join(names) or 'here none'}, and one of "
            f"{column or 'counts'}; it has {shorten(list(header))}."
        )
        raise FileFormatError(message)
    return others[0]


def categories_of(
    problem: TableProblem, table: str | PathLike[str], bound: PersonBound | None
) -> tuple[tuple[str, ...], ...]:
    """Return the public categories of each axis: those of the certificate, or the groups that were listed.

    Raises
    ------
    ProblemError, NotAcceptedError
        If they are not public, not as many as the certificate says, or one would be taken for a total.
    """
    listed = [axis.categories for axis in problem.axes]
    if not all(listed):
        if bound is None or bound.is_of_data:
            message = (
                "`mechanism` must list the categories of each axis, for no file beside the table says that "
                "its groups are public. Design with --by 'sex:f,m', or tabulate with --groups."
            )
            raise NotAcceptedError(message)
        there = groups_in(table, problem.names)
        listed = [own or found for own, found in zip(listed, there, strict=True)]
    for axis, categories in zip(problem.axes, listed, strict=True):
        if len(categories) != axis.size:
            message = (
                f"`{table}` must have {axis.size} categories of {axis.name}, as its certificate has; got "
                f"{len(categories)}. Design again by --for."
            )
            raise ProblemError(message)
        if ALL in categories:
            remedy = f"Rename it: {ALL} stands for the sum over an axis."
            raise broken_rule(axis.name, f"have no category {ALL}", ALL, remedy)
    return tuple(map(tuple, listed))


def groups_in(table: str | PathLike[str], names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the groups of a table in order of their first rows."""
    found: list[dict[str, None]] = [{} for _ in names]
    if not names:
        return []
    with reader_of(table, names[0], None) as reader:
        for part in reader.parts():
            for name, seen in zip(names, found, strict=True):
                texts = part.cells(reader.header.index(name)).cast(pa.string())
                seen.update(dict.fromkeys(str(text or "") for text in texts.unique().to_pylist()))
    return [tuple(seen) for seen in found]


@dataclass(frozen=True, eq=False, kw_only=True)
class JointCells:
    """The cells of a table with its totals, and the file that they are in."""

    certificate: TableCertificate
    table: str | PathLike[str]
    column: str
    categories: tuple[tuple[str, ...], ...]
    bound: PersonBound | None

    @property
    def names(self) -> tuple[str, ...]:
        """The axes."""
        return self.certificate.problem.names

    @property
    def noise(self) -> TableNoise:
        """The noise of all cells and totals."""
        return self.certificate.noise

    @property
    def variances(self) -> Mapping[Axes, Fraction]:
        """At most the variance of one number of each margin."""
        return self.certificate.variances

    def read(self) -> tuple[Integers, int]:
        """Return the true numbers; none is clamped."""
        is_sum = self.certificate.problem.person.is_sum
        return read_cells(self.table, self.names, self.categories, self.column, is_sum=is_sum), 0

    def released(self, drawn: DrawnNoise, truths: Integers) -> dict[Axes, Integers]:
        """Return the noisy numbers of all published margins."""
        return drawn.released(truths, self.certificate.problem.totals)


def read_cells(
    table: str | PathLike[str],
    names: Sequence[str],
    categories: Sequence[Sequence[str]],
    column: str,
    *,
    is_sum: bool,
) -> Integers:
    """Return the number of each cell; those without a row are zero.

    Raises
    ------
    FileFormatError
        If a category is unknown, a cell is there twice, or a number is not whole, or negative for a count.
    """
    sizes = tuple(map(len, categories))
    counts, seen = np.zeros(prod(sizes), np.int64), np.zeros(prod(sizes), dtype=bool)
    numbers = Truths(range(-_LARGEST if is_sum else 0, _LARGEST + 1))
    with reader_of(table, column, None) as reader:
        check_column(reader)
        indices = [reader.header.index(name) for name in names]
        for part in reader.parts():
            place = np.zeros(len(part.answers), np.int64)
            for index, name, known in zip(indices, names, categories, strict=True):
                place = place * len(known) + positions(part, index, name, known, reader.path)
            again = seen[place]
            _, first = np.unique(place, return_index=True)
            again[np.setdiff1d(np.arange(len(place)), first)] = True
            if again.any():
                row = int(np.argmax(again))
                cell = ", ".join(str(part.cells(index)[row]) for index in indices)
                message = (
                    f"`{reader.path}` must have each cell once; got {cell or 'a second row'} again in "
                    f"{part.location(row)}."
                )
                raise FileFormatError(message)
            seen[place] = True
            counts[place] = _whole(part, numbers, reader.path, column, is_sum=is_sum)
    if np.abs(counts).sum(dtype=np.float64) > _MOST:
        message = f"`{table}` must have a total of at most 2^60, so that sums are exact."
        raise FileFormatError(message)
    return counts.reshape(sizes)


def positions(part: Part, index: int, name: str, known: Sequence[str], path: str) -> Integers:
    """Return the place of each row's category among those that are known; FileFormatError for others."""
    cells = part.cells(index).cast(pa.string())
    found = pc.index_in(cells, value_set=pa.array(known, pa.string()))
    if found.null_count:
        row = int(np.argmax(found.is_null().to_numpy(zero_copy_only=False)))
        got = cells[row].as_py()
        remedy = (
            "Leave out rows of totals: they are the sums of released cells."
            if got == ALL or is_total(got)
            else "All that there can be are public, and in the certificate or the list of groups."
        )
        message = (
            f"`{path}` must have categories among {shorten(known)} in column {name}; got {got!r} in "
            f"{part.location(row)}. {remedy}"
        )
        raise FileFormatError(message)
    return np.asarray(found.to_numpy().astype(np.int64))


def _whole(part: Part, numbers: Truths, path: str, column: str, *, is_sum: bool) -> Integers:
    try:
        return numbers.need_positions(part.answers).positions - (_LARGEST if is_sum else 0)
    except UnfitAnswerError as unfit:
        kind = "whole units" if is_sum else "whole counts of zero or more"
        message = (
            f"`{path}` must have {kind} in column {column}; got {unfit.got} in {part.location(unfit.row)}. "
            "A cell that is left out is zero."
        )
        raise FileFormatError(message) from None
