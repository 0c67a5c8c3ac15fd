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

from optmech.base.errors import FileFormatError, ProblemError, quoting_data
from optmech.base.visible import quote
from optmech.release.tables.cell_numbers import number_in, reason_of_no_number
from optmech.release.tables.number_spans import span_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from optmech.release.tabulate.bins import Bins
    from optmech.release.tabulate.person_rows import RecordRows


@dataclass(frozen=True, kw_only=True)
class GroupRules:
    """The columns that say the group of a row.

    Attributes
    ----------
    columns : tuple of str
        Their names; without any there is one group, of all rows.
    bins : mapping of str to Bins
        The bins of those that hold numbers.
    empty_as : str or None
        The name of the group of those who gave no answer.
    marks : frozenset of str
        Further texts that are no answer.
    drop_empty : bool
        Whether rows without an answer are left out.
    """

    columns: tuple[str, ...]
    bins: Mapping[str, Bins] = field(default_factory=dict)
    empty_as: str | None = None
    marks: frozenset[str] = frozenset()
    drop_empty: bool = False

    @property
    def listed_columns(self) -> tuple[str, ...]:
        """The columns that a list of groups must have: those of bins are known without it."""
        return tuple(name for name in self.columns if name not in self.bins)

    def without_answer(self, texts: pa.Array) -> pa.Array:
        """Return for each cell whether it holds no answer."""
        marks = pa.array(["", *self.marks], pa.string())
        return pc.or_(texts.is_null(), pc.is_in(pc.utf8_trim_whitespace(texts), value_set=marks))

    def names(self, rows: RecordRows, texts: Sequence[pa.Array], source: str | None) -> list[pa.Array]:
        """Return the name of the group of each row in each column, null where there is none."""
        return [
            self._names(rows, column, name, source) for name, column in zip(self.columns, texts, strict=True)
        ]

    def _names(self, rows: RecordRows, texts: pa.Array, column: str, source: str | None) -> pa.Array:
        is_empty = self.without_answer(texts)
        names = texts if column not in self.bins else self._bins(rows, texts, is_empty, column, source)
        return pc.if_else(is_empty, pa.scalar(self.empty_as, pa.string()), names)

    def _bins(
        self, rows: RecordRows, texts: pa.Array, is_empty: pa.Array, column: str, source: str | None
    ) -> pa.Array:
        encoded = pc.if_else(is_empty, None, texts).dictionary_encode()
        bins = self.bins[column]
        names = []
        for text in encoded.dictionary.to_pylist():
            number, span = number_in(text, rows.decimal), span_in(text)
            label = bins.label(number) if number is not None else span and bins.label_of_span(span)
            if label is None:
                row = int(pc.index(texts, value=text).as_py())
                where = f"column {column}; got {quote(text)} in {rows.location(row)}"
                if span is not None:
                    rule = f"numbers that are in one bin for certain in {where}"
                    raise refused(source, rule, "Choose edges that do not divide it, or write the number.")
                if number is None:
                    raise refused(
                        source,
                        f"numbers in {where}",
                        self.remedy(reason_of_no_number(text, column, rows.decimal)),
                    )
                remedy = f"Begin or end `--bins {column}=` with .. for a bin of all others."
                if number == bins.edges[-1]:
                    remedy = f"Write {text.strip()}] to include it. {remedy}"
                raise refused(source, f"numbers in bins, {bins.span}, in {where}", remedy)
            names.append(label)
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
        if self.empty_as is not None:
            for cells in whole:
                for kept in product((True, False), repeat=width):
                    names = [name if keep else self.empty_as for name, keep in zip(cells, kept, strict=False)]
                    groups.setdefault(tuple(names), ("",) * len(further))
        return [(*names, *others) for names, others in groups.items()]


def refused(source: str | None, rule: str, remedy: str = "") -> FileFormatError | ProblemError:
    """Return the error of rows that break a rule, in a file or in a frame in memory."""
    kind = ProblemError if source is None else FileFormatError
    return quoting_data(kind(f"`{source or 'table'}` must have {rule}. {remedy}".rstrip()))
