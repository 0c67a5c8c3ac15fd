"""Cell keys: the sum of the record keys in each cell, modulo the number of keys.

Model
-----
    r[i]     the key of row i, 0..K - 1: uniform, independent of all other keys and of the data, and secret
    k[c]     sum of r[i] over the rows i in cell c, modulo K; 0 where there is none

The cells of one table have no row in common, so that the keys of those with a row are independent and
uniform: noise picked by them has the distribution of fresh draws. The same cell has the same key in every
table. Cells of different tables may have rows in common, and then their keys depend on each other.

Source: the sum modulo K is that of ONS's program cell-key-perturbation.
"""

from __future__ import annotations

import os
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from optmech.base.errors import ProblemError, broken_rule
from optmech.release.tables.frame_in_memory import package_of
from optmech.release.tables.public_view import CELL_KEY
from optmech.release.tables.truths import Truths
from optmech.release.tabulate.complaints import Complaints, refused
from optmech.release.tabulate.person_rows import NamedColumns, texts_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.release.tabulate.group_list import GroupList
    from optmech.release.tabulate.tabulation import Tabulation

NUM_KEYS = 256
"""The number of keys where none is said, as in the tables that ONS publishes."""
_MOST_KEYS = 2**16


class RecordKeys:
    """The record keys in a column of a table, of which there are `number`; none without a column."""

    def __init__(self, column: str | None, number: int) -> None:
        if not 2 <= number <= _MOST_KEYS:  # noqa: PLR2004 - one key picks nothing
            raise broken_rule("keys", f"be a number of keys from 2 to {_MOST_KEYS:,}", number)
        self._column, self._number = column, number

    @property
    def number(self) -> int | None:
        """The number of keys, ``None`` without a column."""
        return None if self._column is None else self._number

    def name_of_table(self) -> str:
        """Return a random name for a table with cell keys, by which a ledger knows it, or empty text.

        No fact about the records may be in it, for it is in the published log.
        """
        return "" if self._column is None else token_hex(16)

    def check(self, table: Any, request: Tabulation) -> None:  # noqa: ANN401 - as `tabulate` takes it
        """Raise ProblemError where columns of people and groups, or the answers, leave no room for keys."""
        if self._column is None:
            return
        columns = (*request.person, *request.rules.columns)
        if request.counts_pairs or request.rules.drop_empty or not request.rules.columns:
            message = (
                "`record_key` must be left out of sums, means, counts of people, tables without groups and "
                "with --drop-empty: the key of a cell is that of all rows in it."
            )
            raise ProblemError(message)
        if request.where:
            message = (
                "`where` must be left out with `record_key`: keep such rows in a file, and tabulate that."
            )
            raise ProblemError(message)
        if package_of(table) == "dask":
            message = (
                "`record_key` must be left out for a Dask frame. Write it to Parquet, and tabulate that."
            )
            raise ProblemError(message)
        if self._column in columns or CELL_KEY in columns:
            message = (
                "`record_key` must be another column than those of people and groups, none of which may be "
                f"called {CELL_KEY}; got {self._column}."
            )
            raise ProblemError(message)

    def added(self, counts: pa.Table, table: Any, groups: GroupList, *, beyond_bound: int) -> pa.Table:  # noqa: ANN401 - as above
        """Return the counts with the cell key of each group, or as they are without record keys.

        ProblemError: rows are not counted. A choice among keys would not be uniform.
        """
        if self._column is None:
            return counts
        if beyond_bound:
            message = (
                f"`at_most` must be so large that all rows are counted, with `record_key`; {beyond_bound} "
                "are beyond the bound of their person. Raise it, or leave such rows out before."
            )
            raise ProblemError(message)
        sums = self._sums(self._column, table, groups)
        return counts.append_column(CELL_KEY, pa.array(sums))

    def _sums(self, column: str, table: Any, groups: GroupList) -> NDArray[np.int64]:  # noqa: ANN401 - as above
        """Return the cell key of each group, or raise an error for a record key that is none."""
        truths, sums = Truths(range(self._number)), np.zeros(len(groups), np.int64)
        source = os.fspath(table) if isinstance(table, (str, os.PathLike)) else None
        rules = groups.rules
        columns = NamedColumns((*rules.columns, column), rules.bins)
        for rows in texts_of(table, columns):
            *names, keys = rows.texts
            positions = truths.positions_of(keys.fill_null("")).positions
            wrong = np.flatnonzero(positions < 0)
            if wrong.size:
                rule = (
                    f"whole numbers 0..{self._number - 1} in column {column}, in each row; got none or "
                    f"another in {rows.location(int(wrong[0]))}"
                )
                raise refused(source, rule, "Say by --keys how many record keys there are.")
            indices = groups.indices_of(rules.names(rows, names, Complaints(source)), len(rows))
            listed = indices >= 0
            np.add.at(sums, indices[listed], positions[listed])
            sums %= self._number
        return sums
