"""The change of a table by one person."""

from __future__ import annotations

from dataclasses import dataclass

from optmech.base.arguments import flag, whole_number
from optmech.base.errors import broken_rule

_LARGEST = 10**15


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePerson:
    """The rows of one person, or the units by which one person changes sums.

    Attributes
    ----------
    at_most : int, default 1
        Number of rows of one person, or units of all sums together.
    at_most_per_cell : int, optional
        The same in one cell; left out: `at_most`.
    is_sum : bool, default False
        Whether cells are sums, which a person also makes smaller.

    Examples
    --------
    >>> print(TablePerson(at_most=3, at_most_per_cell=1))
    one person: at most 3 rows, at most 1 of them in one cell, added or removed
    """

    at_most: int = 1
    at_most_per_cell: int | None = None
    is_sum: bool = False

    def __post_init__(self) -> None:
        if not 1 <= whole_number(self.at_most, "at_most") <= _LARGEST:
            raise broken_rule("at_most", f"be from 1 to {_LARGEST:,}", self.at_most)
        per_cell = self.at_most if self.at_most_per_cell is None else self.at_most_per_cell
        if not 1 <= whole_number(per_cell, "at_most_per_cell") <= self.at_most:
            raise broken_rule("at_most_per_cell", f"be from 1 to {self.at_most:,}", per_cell)
        flag(self.is_sum, "is_sum")
        object.__setattr__(self, "at_most_per_cell", per_cell)
        object.__setattr__(self, "is_sum", bool(self.is_sum))

    @property
    def step(self) -> int:
        """The largest change of one cell."""
        assert self.at_most_per_cell is not None  # noqa: S101 - set above
        return self.at_most_per_cell

    @property
    def is_heaped(self) -> bool:
        """Whether all rows of one person may lie in one cell."""
        return self.step == self.at_most

    @property
    def squares(self) -> int:
        """The largest sum of squares of the changes of all cells."""
        full, rest = divmod(self.at_most, self.step)
        return full * self.step**2 + rest**2

    def __str__(self) -> str:
        unit = "unit" if self.is_sum else "row"
        text = f"one person: at most {self.at_most:,} {unit}{'' if self.at_most == 1 else 's'}"
        if not self.is_heaped:
            text += f", at most {self.step:,} of them in one cell"
        return f"{text}, added or removed"
