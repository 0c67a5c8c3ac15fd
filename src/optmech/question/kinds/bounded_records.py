"""Means and totals of integers from a range, of which one person has several."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.base.arguments import one_of
from optmech.base.errors import ProblemError
from optmech.base.wording import plural
from optmech.question.keys import WHOLE, Key, needed, word_of
from optmech.question.kinds.kind import Kind, evenly_spaced, need_whole, reach_of

if TYPE_CHECKING:
    from optmech.question.answers import Answers

ANY_WHOLE = -(10**18)
"""The least of whole numbers that may be negative."""


RECORDS_PER_PERSON = Key(
    name="records_per_person",
    form=WHOLE,
    about="how many records one person has, all protected together",
    default=1,
)
"""A key of numbers that grow by one with each record."""
_OF_A_RECORD = (
    needed("smallest", WHOLE, "the smallest value of a record"),
    needed("largest", WHOLE, "the largest value of a record"),
    RECORDS_PER_PERSON,
)


@dataclass(frozen=True, slots=True)
class BoundedRecords(Kind):
    """A statistic of `records` numbers from `smallest` to `largest`."""

    ranged = "value of a record"
    records: int
    smallest: int
    largest: int
    records_per_person: int = 1

    def __post_init__(self) -> None:
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
    def steps_of_a_change(self) -> int:
        """The records of a person become any others: one step."""
        return 1

    @property
    def group(self) -> str:
        """Text such as ``, 3 records a person``, or nothing where it is one."""
        return f", {self.records_per_person} records a person" if self.records_per_person > 1 else ""

    @property
    def whose(self) -> str:
        """The protected person, the beginning of a sentence."""
        number = self.records_per_person
        return "One person with one record" if number == 1 else f"One person with up to {number} records"


@dataclass(frozen=True, slots=True)
class Mean(BoundedRecords):
    """The mean of `records` numbers from `smallest` to `largest`; one person may replace their records."""

    word = "mean"
    keys = (needed("records", WHOLE, "how many records there are"), *_OF_A_RECORD)

    def title(self, query: Answers) -> str:  # noqa: ARG002 - the parameters say all
        """Return ``mean of 10 records 0..4``, and how many records a person has where it is not one."""
        return f"mean of {self.records} records {self.smallest}..{self.largest}{self.group}"

    def question(self, query: Answers) -> str:  # noqa: ARG002 - as above
        """Return the question that the mean answers."""
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
        """Return how truths differ from these means, or neighbours from all that one person can reach."""
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


ADJACENCIES = ("change", "add-remove")
"""Change of one person: of their records, whose number is public, or adding and removing them."""


@dataclass(frozen=True, slots=True)
class RecordTotal(BoundedRecords):
    """The total of `records` numbers from `smallest` to `largest`; one person has some of them.

    A person may ``"change"`` their records to other numbers of the range, or ``"add-remove"`` them. With
    ``"add-remove"``, `records` is the largest number of records.
    """

    word = "total"
    keys = (
        needed("records", WHOLE, "how many records there are, with add-remove at most"),
        *_OF_A_RECORD,
        Key(
            name="adjacency",
            form=word_of(ADJACENCIES),
            about="what one person may do with their records",
            default="change",
        ),
    )
    adjacency: str = "change"

    def __post_init__(self) -> None:
        BoundedRecords.__post_init__(self)
        one_of(self.adjacency, ADJACENCIES, "adjacency")

    @property
    def ends(self) -> tuple[int, int]:
        """The smallest and the largest total; of no record at all, where some may be missing, it is 0."""
        low, high = self.records * self.smallest, self.records * self.largest
        return (min(0, low), max(0, high)) if self._may_be_missing else (low, high)

    @property
    def reach(self) -> int:
        """The largest change of the total by one person.

        A record changed moves it by at most ``largest - smallest``, a record added or removed by at most the
        size of the end that is further from 0; several records by as many times that.
        """
        of_change, of_addition = self.largest - self.smallest, max(abs(self.smallest), abs(self.largest))
        return self.records_per_person * (of_addition if self._may_be_missing else of_change)

    @property
    def _may_be_missing(self) -> bool:
        return self.adjacency == "add-remove"

    @property
    def comes_and_goes(self) -> bool:
        """A record may be there or not where the number of records is not public."""
        return self._may_be_missing

    @property
    def steps_of_a_change(self) -> int:
        """The change of a total by a record that becomes any other, in steps of its reach."""
        return -(-self.records_per_person * (self.largest - self.smallest) // self.reach)

    def title(self, query: Answers) -> str:  # noqa: ARG002 - the parameters say all
        """Return ``total of 28 records 1..5``, and what else is not the plain case."""
        number = f"{'up to ' if self._may_be_missing else ''}{plural(self.records, 'record')}"
        return f"total of {number} {self.smallest}..{self.largest}{self.group}"

    def question(self, query: Answers) -> str:  # noqa: ARG002 - as above
        """Return the question that the total answers."""
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

    def contradiction(self, query: Answers) -> str | None:
        """Return how truths differ from these totals, or neighbours from all that one person can reach."""
        low, high = self.ends
        if not evenly_spaced(query, low, 1, high - low + 1):
            return f"its true answers are not {low}, …, {high}"
        if query.is_weighted or reach_of(query) != min(self.reach, high - low):
            return f"its neighbours are not all true answers at most {self.reach} apart"
        return None
