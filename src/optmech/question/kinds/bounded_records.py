"""What means and totals share: records that are whole numbers of a range, so many of them one person's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.question.kinds.kind import Kind, need_whole

if TYPE_CHECKING:
    from optmech.question.answers import Answers

__all__ = ["ANY_WHOLE", "BoundedRecords"]

ANY_WHOLE = -(10**18)
"""Of whole numbers that may be negative the least."""


@dataclass(frozen=True, slots=True)
class BoundedRecords(Kind):
    """Something of `records` numbers from `smallest` to `largest`."""

    records: int
    smallest: int
    largest: int
    records_per_person: int = 1

    def __post_init__(self) -> None:
        """Hold the parameters to their rules."""
        need_whole(self.word, 1, records=self.records, records_per_person=self.records_per_person)
        need_whole(self.word, ANY_WHOLE, smallest=self.smallest)
        need_whole(self.word, self.smallest + 1, largest=self.largest)
        if self.records_per_person > self.records:
            message = (
                f"`records_per_person` must be at most {self.records}, as there are records; "
                f"got {self.records_per_person}."
            )
            raise ProblemError(message)

    @property
    def group(self) -> str:
        """``, 3 records a person``, or nothing where it is one."""
        return f", {self.records_per_person} records a person" if self.records_per_person > 1 else ""

    @property
    def whose(self) -> str:
        """Who is protected, the beginning of a sentence."""
        number = self.records_per_person
        return "One person with one record" if number == 1 else f"One person with up to {number} records"

    def choices(self, query: Answers) -> dict[str, Any]:  # noqa: ARG002 - the parameters say all
        """Return the range of a record, how many records there are, and how many a person has if not one."""
        group = {"records_per_person": self.records_per_person} if self.records_per_person > 1 else {}
        ends = f"{self.smallest}:{self.largest}"
        return {"query": self.word, "range": ends, "records": self.records, **group}
