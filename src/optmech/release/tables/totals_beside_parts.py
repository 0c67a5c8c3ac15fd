"""Notice rows that look like the sum of other rows: a person in a part is in the total as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow.compute as pc

from optmech.base.visible import quote
from optmech.release.tables.bias import on_sums
from optmech.release.tables.files import reader_of
from optmech.release.tables.truths import is_text

if TYPE_CHECKING:
    from os import PathLike

    from optmech.release.tables.column_mechanisms import Laws

_TOTALS = frozenset(
    {"total", "totals", "grand total", "all", "overall", "sum", "insgesamt", "gesamt", "ensemble", "totale"}
)


def is_total(text: str | None) -> bool:
    """Whether a name is common for the sum of other groups.

    >>> is_total(" Total"), is_total("Totalville"), is_total(None)
    (True, False, False)
    """
    return text is not None and text.strip().lower() in _TOTALS


def total_beside_parts(table: str | PathLike[str], column: str, laws: Laws) -> str:
    """Return sentences on the first total in the first part of a table, empty if there is none.

    To sum the released answers is the advice only where no mechanism is biased. The total is read off the
    columns beside the answers, which are public.
    """
    with reader_of(table, column, None) as reader:
        part = next(iter(reader.parts()), None)
        for index, name in enumerate(reader.header if part is not None else ()):
            cells = part.cells(index) if part is not None else None
            if name == column or cells is None or not is_text(cells.type):
                continue
            names = pc.unique(cells).to_pylist()
            found = next(filter(is_total, names), None)
            if found is not None and len(names) > 1:
                return (
                    f"{quote(found)} in column {name} looks like the sum of other rows: a person in one of "
                    "these is in two rows, and spends for both. Leave it out. "
                    f"{on_sums(column.law.bias for column in laws.values())}"
                )
    return ""
