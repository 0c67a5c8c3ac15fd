"""The groups that occur in records, in the order of their names: which they are is a fact about people.

Of their order nothing is learned: it follows from the names. Whether a group is listed must not be learned
either; how it is released then is said in `optmech.release.tabulate.bound`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from optmech.base.errors import FileFormatError, ProblemError
from optmech.release.tabulate.dask_rows import distinct_rows, is_dask
from optmech.release.tabulate.group_list import GroupList, group_list
from optmech.release.tabulate.person_rows import texts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["occurring_groups"]


def occurring_groups(table: Any, columns: Sequence[str], source: str | None) -> GroupList:  # noqa: ANN401 - a path or a frame
    """Return the groups of all rows of a table, sorted; `source` is the file that it is."""
    kind = ProblemError if source is None else FileFormatError
    groups: set[tuple[str, ...]] = set()
    rows, is_ordered = 0, not is_dask(table)
    for texts in texts_of(table if is_ordered else distinct_rows(table, columns), columns):
        for name, column in zip(columns, texts, strict=True):
            is_empty = pc.fill_null(pc.equal(pc.utf8_trim_whitespace(column), ""), fill_value=True)
            if pc.any(is_empty).as_py():
                row = rows + 1 + int(np.argmax(is_empty.to_numpy(zero_copy_only=False)))
                message = (
                    f"`{source or 'table'}` must have a name in each row of column {name}; got none in "
                    f"{f'row {row}' if is_ordered else 'some'}. Give such rows a name of their own, or leave "
                    "them out before you tabulate."
                )
                raise kind(message)
        rows += len(texts[0])
        names = list(map(str, range(len(texts))))
        each = pa.table(texts, names=names).group_by(names).aggregate([])
        groups.update(zip(*(each[name].to_pylist() for name in names), strict=True))
    if not groups:
        message = (
            f"`{source or 'table'}` must have at least one row: groups that occur were asked for; got none."
        )
        raise kind(message)
    sorted_columns = [pa.array(column, pa.string()) for column in zip(*sorted(groups), strict=True)]
    return group_list(pa.table(sorted_columns, names=list(columns)))
