"""What each row must have: a person, and a group that is listed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow.compute as pc

from optmech.base.errors import FileFormatError, ProblemError
from optmech.base.visible import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

    from optmech.release.tabulate.group_list import GroupList

__all__ = ["RowCheck"]


class RowCheck:
    """Rows taken in order, each with a person and a listed group.

    With `drop_others`, rows of groups that are not listed are `left_out` of the `rows` counted; else they are
    refused. They are read from the file `source`, if any.
    """

    def __init__(self, groups: GroupList, *, person: str, drop_others: bool, source: str | None) -> None:
        self.groups, self.person = groups, person
        self._drop_others, self._source = drop_others, source
        self.rows = self.left_out = 0

    def codes_of(self, texts: Sequence[pa.Array]) -> tuple[pa.Array, NDArray[np.int64]]:
        """Return whose rows these are and their groups by number, -1 for those that are left out."""
        people, *columns = texts
        nobody = pc.fill_null(pc.equal(pc.utf8_trim_whitespace(people), ""), fill_value=True)
        if pc.any(nobody).as_py():
            row = int(nobody.to_numpy(zero_copy_only=False).argmax())
            rule = f"a person in each row of column {self.person}; got none in row {self.rows + row + 1}"
            remedy = "Nobody knows whose that row is: find out, or leave it out before you tabulate."
            raise self._refusal(rule, remedy)
        places = self.groups.places(columns)
        others = np.flatnonzero(places < 0)
        if others.size and not self._drop_others:
            row = int(others[0])
            names = zip(self.groups.columns, columns, strict=True)
            values = ", ".join(f"{name} = {_text(column[row].as_py())}" for name, column in names)
            rule = f"listed groups alone; got {values} in row {self.rows + row + 1}"
            raise self._refusal(rule, "List that group, or leave such rows out by --drop-others.")
        self.rows += len(people)
        self.left_out += others.size
        return people, places

    def _refusal(self, rule: str, remedy: str) -> FileFormatError | ProblemError:
        kind = ProblemError if self._source is None else FileFormatError
        return kind(f"`{self._source or 'table'}` must have {rule}. {remedy}")


def _text(name: str | None) -> str:
    return "nothing" if name is None else visible(name)
