"""The change of a person that one step between neighbours of a release stands for, from its log.

Model
-----
    come or go    data with and without a person are neighbours: one step
    change        a person's records become others: one step in a row, or as many as the kind of question says
    move          a record leaves one row and enters another: two steps, where records come and go

A bound on the rows of a person, which `tabulate` writes, takes the place of the question: with it a person is
there with all their rows or not at all, but for means, where only their numbers change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from optmech.base.errors import ProblemError
from optmech.question.kinds import kind_of
from optmech.release.tabulate.bound import MEAN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_MOVED = 2
ALL_ROWS = "One person is there with all their rows, or not at all."
"""One step in a table with a bound on the rows of a person."""
NUMBERS_ALONE = (
    "The numbers of one person become any others of the range; their groups, and so the sizes of groups, "
    "stay and are public."
)
"""The same of means."""


class PersonChange(NamedTuple):
    """The change of a person in one release, in steps between neighbours."""

    comes_and_goes: bool
    """Whether it is one step that a person is there or not."""
    steps: int | None
    """The most steps that a person takes whose records become others; ``None`` where that is unknown."""

    @property
    def of_a_bound(self) -> str:
        """One step, in a sentence, where a bound on the rows of a person takes the place of the question."""
        return ALL_ROWS if self.comes_and_goes else NUMBERS_ALONE


UNKNOWN = PersonChange(comes_and_goes=False, steps=None)
_NUMBERS_ALONE = PersonChange(comes_and_goes=False, steps=1)
_BOUNDED = PersonChange(comes_and_goes=True, steps=_MOVED)


def change_in(
    mechanisms: Iterable[Mapping[str, Any]], *, column: str, is_bounded: bool, is_one_row: bool
) -> PersonChange:
    """Return the change of a person in a release, by the mechanisms in its log.

    >>> count = {"kind": "count", "parameters": {"smallest": 0, "largest": 5, "records_per_person": 1}}
    >>> change_in([count], column="n", is_bounded=False, is_one_row=False)
    PersonChange(comes_and_goes=True, steps=2)
    >>> change_in([{"kind": "of a later version"}], column="n", is_bounded=False, is_one_row=True)
    PersonChange(comes_and_goes=False, steps=None)
    """
    if is_bounded:
        return _NUMBERS_ALONE if column == MEAN else _BOUNDED
    each = [_change_of(one, is_one_row=is_one_row) for one in mechanisms]
    steps = [one.steps for one in each if one.steps is not None]
    return PersonChange(
        all(one.comes_and_goes for one in each), max(steps) if steps and len(steps) == len(each) else None
    )


def _change_of(entry: Mapping[str, Any], *, is_one_row: bool) -> PersonChange:
    try:
        kind = kind_of(entry.get("kind"), entry.get("parameters"))
    except ProblemError:  # a log of another version
        return UNKNOWN
    steps, moves = kind.steps_of_a_change, kind.comes_and_goes and not is_one_row
    return PersonChange(kind.comes_and_goes, max(steps, _MOVED) if steps is not None and moves else steps)
