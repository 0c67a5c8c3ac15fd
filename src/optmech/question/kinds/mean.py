"""The mean of a known number of whole numbers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.question.kinds.kind import Kind, evenly_spaced, need_whole, reach_of

if TYPE_CHECKING:
    from optmech.question.answers import Answers

__all__ = ["ANY_WHOLE", "Mean"]

ANY_WHOLE = -(10**18)
"""Of whole numbers that may be negative the least."""


@dataclass(frozen=True, slots=True)
class Mean(Kind):
    """The mean of `records` numbers from `smallest` to `largest`, so many of which one person may replace."""

    word = "mean"
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

    def title(self, query: Answers) -> str:  # noqa: ARG002 - the parameters say all
        """Return ``mean of 10 records 0..4``, and how many records a person has where it is not one."""
        records = self.records_per_person
        group = f", {records} records a person" if records > 1 else ""
        return f"mean of {self.records} records {self.smallest}..{self.largest}{group}"

    def question(self, query: Answers) -> str:  # noqa: ARG002 - as above
        """Return what the mean is of."""
        return (
            f"What is the mean of {self.records} records, each a whole number from {self.smallest} to "
            f"{self.largest}?"
        )

    def protected(self, query: Answers) -> str:  # noqa: ARG002 - as above
        """Return that one person is protected, and that the number of records is public."""
        number = self.records_per_person
        whose = "One person with one record" if number == 1 else f"One person with up to {number} records"
        return (
            f"{whose}, which may be replaced by any other values from {self.smallest} to {self.largest}. "
            f"That there are {self.records} records is public."
        )

    def typed(self, query: Answers) -> dict[str, Any]:  # noqa: ARG002 - as above
        """Return the range of a record, and how many records there are."""
        group = {"records_per_person": self.records_per_person} if self.records_per_person > 1 else {}
        ends = f"{self.smallest}:{self.largest}"
        return {"query": self.word, "range": ends, "records": self.records, **group}

    def contradiction(self, query: Answers) -> str | None:
        """Return where truths are not these means, or neighbours not all that one person can reach."""
        width = self.largest - self.smallest
        number = self.records * width + 1
        if not evenly_spaced(query, self.smallest, Fraction(1, self.records), number):
            span = f"{self.smallest}..{self.largest}"
            return f"its true answers are not the means of {self.records} records {span}"
        if query.is_weighted or reach_of(query) != min(self.records_per_person * width, number - 1):
            return (
                "its neighbours are not all true answers at most "
                f"{Fraction(self.records_per_person * width, self.records)} apart"
            )
        return None
