"""A histogram whose cells share no record: a count for each cell, and the privacy of all together.

A person adds or removes k records, as `tabulate` means it, or changes k of them, which takes each from one
cell and puts it into another. So the cells move by k in all, or by 2 k, one step at a time. Cells that are
counts at epsilon' give epsilon = k epsilon' or 2 k epsilon' together, so each cell gets that part of epsilon.

With a delta only one record is shared out: two different cells at (epsilon / 2, delta / 2) compose to
(epsilon, delta), and steps within one cell would cost more.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from optmech.base.arguments import one_of
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.logarithm import Logarithm
from optmech.base.numbers import as_text, brief
from optmech.question.epsilon import one_epsilon
from optmech.question.kinds.bounded_records import ADJACENCIES
from optmech.question.privacy.privacy import valid_delta, valid_epsilon
from optmech.question.problems.named_query import pairs_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_CHANGE, _ADD_REMOVE = ADJACENCIES
HISTOGRAM_ADJACENCY = _ADD_REMOVE
"""Change of a person to the records of a histogram, and of the table that `tabulate` makes."""
_PRIVACY = ("adjacency", "records_per_person", "epsilon", "exp_epsilon", "delta", "privacy")

Pairs = tuple[tuple[Fraction | Logarithm, Fraction], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HistogramShare:
    """Change of one person to a histogram, and the part of the privacy that each of its cells gets.

    `whole` has epsilon and delta of the whole histogram, or several of them at once.
    """

    adjacency: str
    records: int
    whole: Pairs

    @property
    def steps(self) -> int:
        """The number of steps of all cells together, which is the number of parts of the privacy."""
        return self.records * (2 if self.adjacency == _CHANGE else 1)

    @property
    def cell(self) -> Pairs:
        """Epsilon and delta of one cell. A logarithm is refused: it has no exact part."""
        return tuple((self._part(epsilon), delta / self.steps) for epsilon, delta in self.whole)

    def _part(self, epsilon: Fraction | Logarithm) -> Fraction | Logarithm:
        if self.steps == 1:
            return epsilon
        if isinstance(epsilon, Logarithm):
            message = (
                f"`epsilon` must be a number that {self.steps} parts can be made of; got {as_text(epsilon)}. "
                "Write it as a decimal."
            )
            raise ProblemError(message)
        return epsilon / self.steps

    def __str__(self) -> str:
        does = "changing" if self.adjacency == _CHANGE else "adding or removing"
        whose = "one record" if self.records == 1 else f"{self.records} records"
        cells = {1: "one cell by 1", 2: "two cells by 1 each"} if self.records == 1 else {}
        change = cells.get(self.steps, f"cells by {self.steps} in all")
        lead = f"one draw for each cell, which share no record; {does} {whose} moves {change}"
        if self.steps == 1:
            return f"{lead} and spends {pairs_text(self.whole)}"
        return f"{lead}: each unit spends {pairs_text(self.cell)}, all of them {pairs_text(self.whole)}"


def pairs_text(pairs: Pairs) -> str:
    """Return the text of pairs of epsilon and delta in a question.

    >>> pairs_text(((Fraction(1, 2), Fraction(1, 1000)), (Fraction(1), Fraction(0))))
    'epsilon = 0.5, delta = 0.001 and epsilon = 1'
    """
    return " and ".join(
        f"epsilon = {as_text(epsilon)}" + (f", delta = {as_text(delta)}" if delta else "")
        for epsilon, delta in pairs
    )


def share_lines(share: HistogramShare | None) -> list[str]:
    """Return sentences on the spending of all cells together, and of one; none where there are no cells."""
    if share is None:
        return []
    of_cell = f"what is proved, and what apply, card and report say, is of one cell: {pairs_text(share.cell)}"
    return [f"histogram: {share}", *([of_cell] if share.steps > 1 else [])]


def histogram_share(choices: Mapping[str, Any]) -> HistogramShare:
    """Return the part of the privacy of a histogram that each cell gets, or raise ProblemError.

    >>> print(histogram_share({"range": "0:100", "epsilon": "1"}))
    one draw for each cell, which share no record; adding or removing one record moves one cell by 1 and
    spends epsilon = 1
    """
    adjacency, records = choices.get("adjacency", HISTOGRAM_ADJACENCY), choices.get("records_per_person", 1)
    one_of(adjacency, ADJACENCIES, "adjacency")
    if isinstance(records, bool) or not isinstance(records, int) or records < 1:
        raise broken_rule("records_per_person", "be a whole number of at least 1", brief(records))
    whole = _whole(choices)
    if records > 1 and any(delta for _, delta in whole):
        message = (
            "`delta` must be left out where a person has several records, some of which may be in one cell; "
            f"got {pairs_text(whole)}."
        )
        raise ProblemError(message)
    return HistogramShare(adjacency=str(adjacency), records=records, whole=whole)


def _whole(choices: Mapping[str, Any]) -> Pairs:
    if "privacy" in choices:
        for name in ("epsilon", "exp_epsilon", "delta"):
            if name in choices:
                raise broken_rule(name, "be left out with `privacy`, which says it", choices[name])
        pairs = pairs_of(choices["privacy"])
    else:
        epsilon = one_epsilon(choices.get("epsilon"), choices.get("exp_epsilon"))
        pairs = [(epsilon, choices.get("delta", 0))]
    return tuple((valid_epsilon(epsilon, zero_allowed=False), valid_delta(delta)) for epsilon, delta in pairs)


def histogram_cell(choices: Mapping[str, Any]) -> dict[str, Any]:
    """Return the choices of the count in one cell, from those of the histogram.

    >>> histogram_cell({"range": "0:100", "epsilon": "1"})
    {'range': '0:100', 'privacy': [['1', '0']]}
    >>> histogram_cell({"range": "0:100", "epsilon": "1", "adjacency": "change"})
    {'range': '0:100', 'privacy': [['0.5', '0']]}
    """
    pairs = [[as_text(epsilon), as_text(delta)] for epsilon, delta in histogram_share(choices).cell]
    return {**{name: value for name, value in choices.items() if name not in _PRIVACY}, "privacy": pairs}
