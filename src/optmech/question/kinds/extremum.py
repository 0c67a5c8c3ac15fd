"""The largest, the smallest or the median of records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optmech.question.kinds.bounded_records import ANY_WHOLE
from optmech.question.kinds.kind import Kind, evenly_spaced, need_whole, reach_of

if TYPE_CHECKING:
    from optmech.question.answers import Answers

__all__ = ["Extremum"]


@dataclass(frozen=True, slots=True)
class Extremum(Kind):
    """An extreme or the median of numbers from `smallest` to `largest`: one person may move it anywhere."""

    word = "extremum"
    smallest: int
    largest: int

    def __post_init__(self) -> None:
        """Hold the parameters to their rules."""
        need_whole(self.word, ANY_WHOLE, smallest=self.smallest)
        need_whole(self.word, self.smallest + 1, largest=self.largest)

    def title(self, query: Answers) -> str:  # noqa: ARG002 - the parameters say all
        """Return ``max, min or median 1..5``."""
        return f"max, min or median {self.smallest}..{self.largest}"

    def question(self, query: Answers) -> str:  # noqa: ARG002 - as above
        """Return of which values."""
        return (
            "What is the largest (or the smallest, or the median: one of them, chosen beforehand) of values "
            f"from {self.smallest} to {self.largest}?"
        )

    def protection(self, query: Answers) -> str:  # noqa: ARG002 - as above
        """Return that one person is protected, however many records they have."""
        return "One person, with however many records: they may move the answer from any value to any other."

    def choices(self, query: Answers) -> dict[str, Any]:  # noqa: ARG002 - as above
        """Return the range."""
        return {"query": self.word, "range": f"{self.smallest}:{self.largest}"}

    def contradiction(self, query: Answers) -> str | None:
        """Return where truths are not this range, or some two are no neighbours."""
        number = self.largest - self.smallest + 1
        if not evenly_spaced(query, self.smallest, 1, number):
            return f"its true answers are not {self.smallest}, …, {self.largest}"
        if query.is_weighted or reach_of(query) != number - 1:
            return "not every two of its true answers are neighbours"
        return None
