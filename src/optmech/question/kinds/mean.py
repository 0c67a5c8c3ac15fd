"""The mean of a known number of whole numbers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.question.kinds.bounded_records import BoundedRecords
from optmech.question.kinds.kind import evenly_spaced, reach_of

if TYPE_CHECKING:
    from optmech.question.answers import Answers

__all__ = ["Mean"]


@dataclass(frozen=True, slots=True)
class Mean(BoundedRecords):
    """The mean of `records` numbers from `smallest` to `largest`, so many of which one person may replace."""

    word = "mean"

    def title(self, query: Answers) -> str:  # noqa: ARG002 - the parameters say all
        """Return ``mean of 10 records 0..4``, and how many records a person has where it is not one."""
        return f"mean of {self.records} records {self.smallest}..{self.largest}{self.group}"

    def question(self, query: Answers) -> str:  # noqa: ARG002 - as above
        """Return what the mean is of."""
        return (
            f"What is the mean of {self.records} records, each a whole number from {self.smallest} to "
            f"{self.largest}?"
        )

    def protection(self, query: Answers) -> str:  # noqa: ARG002 - as above
        """Return that one person is protected, and that the number of records is public."""
        return (
            f"{self.whose}, which may be replaced by any other values from {self.smallest} to "
            f"{self.largest}. That there are {self.records} records is public."
        )

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
