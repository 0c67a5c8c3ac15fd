"""The columns of groups, and the rules that make the cell of a row the name of a group.

A cell is an answer, the bin of a number, or no answer: it is blank, or one of the texts that mean that.
No answer is the name of a group by choice; otherwise its row is refused, or left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from optmech.base.visible import quote
from optmech.release.tables.cell_numbers import SECOND_NAMES
from optmech.release.tabulate.bins import Bins, Misfit
from optmech.release.tabulate.dates import ISO

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from optmech.release.tabulate.complaints import Complaints
    from optmech.release.tabulate.date_bins import DayBins, PeriodBins
    from optmech.release.tabulate.person_rows import RecordRows


@dataclass(frozen=True, kw_only=True)
class GroupRules:
    """The columns that say the group of a row.

    Attributes
    ----------
    columns : tuple of str
        Their names; without any there is one group, of all rows.
    bins : mapping of str to Bins, PeriodBins or DayBins
        The bins of those that hold numbers or dates.
    empty_as : mapping of str to str
        For a column the name of the group of those who gave no answer there.
    marks : frozenset of str
        Further texts that are no answer.
    drop_empty : bool
        Whether rows without an answer are left out.
    trim, fold_case : bool
        Whether spaces around names, or capitals, tell no groups apart.
    drop_others : bool
        Whether rows beyond all bins are left out.
    """

    columns: tuple[str, ...]
    bins: Mapping[str, Bins | PeriodBins | DayBins] = field(default_factory=dict)
    empty_as: Mapping[str, str] = field(default_factory=dict)
    marks: frozenset[str] = frozenset()
    drop_empty: bool = False
    trim: bool = False
    fold_case: bool = False
    drop_others: bool = False

    @property
    def listed_columns(self) -> tuple[str, ...]:
        """The columns that a list of groups must have: those of bins are known without it."""
        return tuple(name for name in self.columns if name not in self.bins)

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences on how cells become names of groups, where that is not usual."""
        of_bins = (
            f"Dates in {name} are written {bins.form.text}."
            for name, bins in self.bins.items()
            if not isinstance(bins, Bins) and bins.form.text != ISO
        )
        return (
            *(["Spaces around names of groups are left out."] if self.trim else []),
            *(["Names of groups are alike in capitals and small letters."] if self.fold_case else []),
            *of_bins,
        )

    def spelled(self, texts: pa.Array) -> pa.Array:
        """Return names without what does not tell groups apart: spaces around them, or their case."""
        if self.trim:
            texts = pc.utf8_trim_whitespace(texts)
        if self.fold_case:
            encoded = texts.dictionary_encode()
            folded = [text.casefold() for text in encoded.dictionary.to_pylist()]
            texts = pa.array(folded, pa.string()).take(encoded.indices)
        return texts

    def without_answer(self, texts: pa.Array) -> pa.Array:
        """Return for each cell whether it holds no answer."""
        marks = pa.array(["", *self.marks], pa.string())
        return pc.or_(texts.is_null(), pc.is_in(pc.utf8_trim_whitespace(texts), value_set=marks))

    def names(self, rows: RecordRows, texts: Sequence[pa.Array], complaints: Complaints) -> list[pa.Array]:
        """Return the name of the group of each row in each column, null where there is none."""
        return [
            self._names(rows, column, name, complaints)
            for name, column in zip(self.columns, texts, strict=True)
        ]

    def _names(self, rows: RecordRows, texts: pa.Array, column: str, complaints: Complaints) -> pa.Array:
        is_empty = self.without_answer(texts)
        if column in self.bins:
            names = self._bins(rows, pc.if_else(is_empty, None, texts), column, complaints)
        else:
            names = self.spelled(texts)
        return pc.if_else(is_empty, pa.scalar(self.empty_as.get(column), pa.string()), names)

    def _bins(self, rows: RecordRows, texts: pa.Array, column: str, complaints: Complaints) -> pa.Array:
        """Return the bin of each cell that has an answer, null beyond all bins."""
        encoded = texts.dictionary_encode()
        names: list[str | None] = []
        for index, text in enumerate(encoded.dictionary.to_pylist()):
            found = self.bins[column].found(text, rows.decimal)
            names.append(found if isinstance(found, str) else None)
            if isinstance(found, Misfit) and not (found.is_beyond and self.drop_others):
                is_it = pc.equal(encoded.indices, index)
                first = rows.location(int(pc.index(is_it, value=True).as_py()))
                remedy = SECOND_NAMES if text.strip() == column else self.remedy(found.remedy)
                complaints.add(
                    f"{found.rule} in column {column}", quote(text), first, remedy, pc.sum(is_it).as_py()
                )
        return pa.array(names, pa.string()).take(encoded.indices)

    def remedy(self, reason: str) -> str:
        """Return a reason, with the option for cells that hold no answer where that is one."""
        return reason.replace(
            "or leave its row out", "or name it by --empty, with --empty-as or --drop-empty"
        )

    def expanded(self, rows: Iterator[tuple[str, ...]], columns: Sequence[str]) -> list[tuple[str, ...]]:
        """Return listed groups with all bins, and with those who gave no answer, each once.

        `rows` have the names in `columns`: the listed columns and further ones, which are not of groups.
        """
        crossed = [name for name in self.columns if name not in columns]
        labels = list(product(*(self.bins[name].labels for name in crossed)))
        every = {name: place for place, name in enumerate((*columns, *crossed))}
        order = [every[name] for name in self.columns]
        further = [place for name, place in every.items() if name not in self.columns]
        groups: dict[tuple[str, ...], tuple[str, ...]] = {}
        whole = [[(*row, *label)[at] for at in (*order, *further)] for row in rows for label in labels]
        width = len(order)
        for cells in whole:
            groups.setdefault(tuple(cells[:width]), tuple(cells[width:]))
        if self.empty_as:
            for cells in whole:
                for kept in product((True, False), repeat=width):
                    if not all(
                        keep or name in self.empty_as for name, keep in zip(self.columns, kept, strict=True)
                    ):
                        continue
                    names = [
                        cell if keep else self.empty_as[name]
                        for name, cell, keep in zip(self.columns, cells, kept, strict=False)
                    ]
                    groups.setdefault(tuple(names), ("",) * len(further))
        return [(*names, *others) for names, others in groups.items()]
