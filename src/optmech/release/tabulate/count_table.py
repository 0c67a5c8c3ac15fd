"""A table of counts with its bound, and the two files that it is written to."""

from __future__ import annotations

import csv
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet

from optmech.base.arguments import need_path, takes
from optmech.base.errors import FileFormatError
from optmech.base.whole_files import refusals, whole_files
from optmech.release.tabulate.bound_file import bound_beside, bound_text, digest_of

if TYPE_CHECKING:
    from os import PathLike

    from optmech.release.tabulate.bound import PersonBound

__all__ = ["ENDINGS", "CountTable"]

ENDINGS = (".csv", ".parquet")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountTable:
    """How many rows are counted in each group: **true counts, not to be published**.

    Attributes
    ----------
    table : pyarrow.Table
        The groups, in the order of their list, and the column ``count``. Groups that occur are sorted by
        their names, and are not to be published either.
    bound : PersonBound
        What one person can change in it.
    rows, counted, left_out : int
        How many rows there were, how many of them are counted, and how many are of no listed group. Facts
        about the data, which nothing protects.
    """

    table: pa.Table
    bound: PersonBound
    rows: int
    counted: int
    left_out: int

    @takes(out=need_path)
    def write(self, out: str | PathLike[str]) -> PersonBound:
        """Write the counts to a file, .csv or .parquet, and their bound beside it, both whole or not at all.

        Returns
        -------
        PersonBound
            As it is written: with the name of the file and its SHA-256.

        Raises
        ------
        FileFormatError
            If a file cannot be written.
        """
        name = str(out).lower()
        if not name.endswith(ENDINGS):
            message = f"`out` must end in {' or '.join(ENDINGS)}, which says what it will be; got {out}."
            raise FileFormatError(message)
        # The bound is renamed first: killed just then, no table is without one.
        with whole_files([bound_beside(out), out]) as (bound_file, file):
            with refusals(out):
                if name.endswith(".csv"):
                    with file.open("w", encoding="utf-8", newline="") as text:
                        rows = csv.writer(text, lineterminator="\n")
                        rows.writerow(self.table.column_names)
                        rows.writerows(zip(*self.table.to_pydict().values(), strict=True))
                else:
                    pyarrow.parquet.write_table(self.table, file)
            bound = replace(self.bound, table=Path(out).name, sha256=digest_of(file))
            with refusals(bound_beside(out)):
                bound_file.write_text(bound_text(bound), encoding="utf-8")
        return bound
