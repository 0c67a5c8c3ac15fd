"""The total of whole numbers, each of which is bounded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.base.numbers import brief
from optmech.base.wording import plural
from optmech.question.kinds.bounded_records import BoundedRecords
from optmech.question.kinds.kind import evenly_spaced, reach_of

if TYPE_CHECKING:
    from optmech.question.answers import Answers

__all__ = ["ADJACENCIES", "Total"]

ADJACENCIES = ("change", "add-remove")
"""What one person may do: change their records, whose number is public, or add and remove them."""


@dataclass(frozen=True, slots=True)
class Total(BoundedRecords):
    """The total of `records` numbers from `smallest` to `largest`, so many of which are one person's.

    A person may ``"change"`` them to other numbers of the range, or ``"add-remove"`` them, and then there are
    at most so many records.
    """

    word = "total"
    adjacency: str = "change"

    def __post_init__(self) -> None:
        """Hold the parameters to their rules."""
        BoundedRecords.__post_init__(self)
        if self.adjacency not in ADJACENCIES:
            message = f"`adjacency` must be one of {', '.join(ADJACENCIES)}; got {brief(self.adjacency)}."
            raise ProblemError(message)

    @property
    def ends(self) -> tuple[int, int]:
        """The smallest and the largest total; of no record at all, where some may be missing, it is 0."""
        low, high = self.records * self.smallest, self.records * self.largest
        return (min(0, low), max(0, high)) if self._may_be_missing else (low, high)

    @property
    def reach(self) -> int:
        """By how much one person may move the total.

        A record changed moves it by at most ``largest - smallest``, a record added or removed by at most the
        size of the end that is further from 0; several records by as many times that.
        """
        of_change, of_addition = self.largest - self.smallest, max(abs(self.smallest), abs(self.largest))
        return self.records_per_person * (of_addition if self._may_be_missing else of_change)

    @property
    def _may_be_missing(self) -> bool:
        return self.adjacency == "add-remove"

    def title(self, query: Answers) -> str:  # noqa: ARG002 - the parameters say all
        """Return ``total of 28 records 1..5``, and what else is not the plain case."""
        number = f"{'up to ' if self._may_be_missing else ''}{plural(self.records, 'record')}"
        return f"total of {number} {self.smallest}..{self.largest}{self.group}"

    def question(self, query: Answers) -> str:  # noqa: ARG002 - as above
        """Return what the total is of."""
        most = "at most " if self._may_be_missing else ""
        return (
            f"What is the total of {most}{plural(self.records, 'record')}, each a whole number from "
            f"{self.smallest} to {self.largest}?"
        )

    def protection(self, query: Answers) -> str:  # noqa: ARG002 - as above
        """Return that one person is protected, and whether the number of records is public."""
        span = f"from {self.smallest} to {self.largest}"
        effect = f"they change the total by at most {self.reach}."
        if self._may_be_missing:
            return f"{self.whose} {span}, which may be added or removed: {effect}"
        return (
            f"{self.whose}, which may be replaced by any other values {span}: {effect} That there are "
            f"{self.records} records is public."
        )

    def choices(self, query: Answers) -> dict[str, Any]:
        """Return the range of a record, how many records there are, and what is not the plain case."""
        by = {"adjacency": self.adjacency} if self._may_be_missing else {}
        return {**BoundedRecords.choices(self, query), **by}

    def contradiction(self, query: Answers) -> str | None:
        """Return where truths are not these totals, or neighbours not all that one person can reach."""
        low, high = self.ends
        if not evenly_spaced(query, low, 1, high - low + 1):
            return f"its true answers are not {low}, …, {high}"
        if query.is_weighted or reach_of(query) != min(self.reach, high - low):
            return f"its neighbours are not all true answers at most {self.reach} apart"
        return None
