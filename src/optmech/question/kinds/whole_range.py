"""Questions with the integers of a range as answers: counts and extremes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from optmech.base.wording import plural
from optmech.question.keys import WHOLE, needed
from optmech.question.kinds.bounded_records import ANY_WHOLE, RECORDS_PER_PERSON
from optmech.question.kinds.kind import Kind, evenly_spaced, need_whole, reach_of

if TYPE_CHECKING:
    from optmech.question.answers import Answers


@dataclass(frozen=True, slots=True)
class Count(Kind):
    """A count from `smallest` to `largest`; one person changes it by at most `records_per_person`."""

    word, ranged = "count", "count"
    keys = (
        needed("smallest", WHOLE, "the smallest count, zero or more"),
        needed("largest", WHOLE, "the largest count"),
        RECORDS_PER_PERSON,
    )
    smallest: int
    largest: int
    records_per_person: int = 1

    def __post_init__(self) -> None:
        need_whole(self.word, 0, smallest=self.smallest)
        need_whole(self.word, self.smallest, largest=self.largest)
        need_whole(self.word, 1, records_per_person=self.records_per_person)

    @property
    def comes_and_goes(self) -> bool:
        """A record may be there or not."""
        return True

    @property
    def steps_of_a_change(self) -> int:
        """Another record is counted or not, as the first was: one step."""
        return 1

    def title(self, query: Answers) -> str:  # noqa: ARG002 - the parameters say all
        """Return ``count 0..5``, and how many records a person has where it is not one."""
        records = self.records_per_person
        group = f", {records} records a person" if records > 1 else ""
        return f"count {self.smallest}..{self.largest}{group}"

    def question(self, query: Answers) -> str:  # noqa: ARG002 - as above
        """Return the question, with the ends of the range."""
        return f"How many? A count from {self.smallest} to {self.largest}."

    def protection(self, query: Answers) -> str:  # noqa: ARG002 - as above
        """Return that one person with all their records is protected."""
        if self.records_per_person == 1:
            return (
                "One person with one record, who changes the count by at most 1: whether the record is "
                "there, and what it says."
            )
        return (
            f"One person with up to {plural(self.records_per_person, 'record')}, all together: they change "
            f"the count by at most {self.records_per_person}."
        )

    def contradiction(self, query: Answers) -> str | None:
        """Return how truths differ from this range, or neighbours from all within the records of a person."""
        number = self.largest - self.smallest + 1
        if not evenly_spaced(query, self.smallest, 1, number):
            return f"its true answers are not {self.smallest}, …, {self.largest}"
        reach = min(self.records_per_person, number - 1)
        if query.is_weighted or (reach_of(query) or 0) != reach:
            return f"its neighbours are not all true answers at most {self.records_per_person} apart"
        return None


@dataclass(frozen=True, slots=True)
class Extremum(Kind):
    """An extreme or the median of numbers from `smallest` to `largest`: one person may move it anywhere."""

    word, ranged = "extremum", "value"
    keys = (
        needed("smallest", WHOLE, "the smallest value"),
        needed("largest", WHOLE, "the largest value"),
    )
    smallest: int
    largest: int

    def __post_init__(self) -> None:
        need_whole(self.word, ANY_WHOLE, smallest=self.smallest)
        need_whole(self.word, self.smallest + 1, largest=self.largest)

    @property
    def comes_and_goes(self) -> bool:
        """A record may be there or not."""
        return True

    @property
    def steps_of_a_change(self) -> int:
        """Every two values are neighbours: one step."""
        return 1

    def title(self, query: Answers) -> str:  # noqa: ARG002 - the parameters say all
        """Return ``max, min or median 1..5``."""
        return f"max, min or median {self.smallest}..{self.largest}"

    def question(self, query: Answers) -> str:  # noqa: ARG002 - as above
        """Return the question, with the range of the values."""
        return (
            "What is the largest (or the smallest, or the median: one of them, chosen beforehand) of values "
            f"from {self.smallest} to {self.largest}?"
        )

    def protection(self, query: Answers) -> str:  # noqa: ARG002 - as above
        """Return that one person is protected, however many records they have."""
        return "One person, with however many records: they may move the answer from any value to any other."

    def contradiction(self, query: Answers) -> str | None:
        """Return how truths differ from this range, or that two of them are no neighbours."""
        number = self.largest - self.smallest + 1
        if not evenly_spaced(query, self.smallest, 1, number):
            return f"its true answers are not {self.smallest}, …, {self.largest}"
        if query.is_weighted or reach_of(query) != number - 1:
            return "not every two of its true answers are neighbours"
        return None
