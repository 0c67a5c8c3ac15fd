"""The first value at which a question can be met, among values in the order from hard to easy.

Two ends close in on it: at one no mechanism meets the question, at the other one does, both proved. Where
both have an objective, the next value is where a straight line through the logarithms of the two meets the
target, a little further on as seen from the nearer end, so that the farther end moves; and the middle
wherever that does not halve what is left.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING

from optmech.analysis.inversion.evidence import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.analysis.inversion.evidence import Evidence
    from optmech.designs.attempts import Deadline

_LITTLE = 1 / 8


@dataclass(slots=True)
class SearchBracket:
    """The state of a search, by the number of steps from the hardest value, of `most` values."""

    most: int
    at: dict[int, Evidence] = field(default_factory=dict)
    is_late: bool = False

    @property
    def first_met(self) -> int:
        """The hardest value known to be met, one more than there are while there is none."""
        return min(self._those(Verdict.MET), default=self.most + 1)

    @property
    def last_refuted(self) -> int:
        """The easiest value known not to be met that is harder than what is, 0 while there is none."""
        first = self.first_met
        return max((steps for steps in self._those(Verdict.REFUTED) if steps < first), default=0)

    @property
    def open_values(self) -> list[int]:
        """Values between the two that were looked at in vain, in order."""
        low, high = self.last_refuted, self.first_met
        return sorted(steps for steps in self._those(Verdict.OPEN) if low < steps < high)

    def _those(self, verdict: Verdict) -> list[int]:
        return [steps for steps, evidence in self.at.items() if evidence.verdict is verdict]


def search(
    look: Callable[[int], Evidence], most: int, start: int, deadline: Deadline, *, is_convex: bool = False
) -> SearchBracket:
    """Return the two ends, as close to each other as proofs allow.

    From 1 to `most` steps from the hardest value, the first `start`, `look` returns the evidence, none after
    the deadline. Where `is_convex`, easier values need not meet what harder ones do, but the objective is
    convex.
    """
    bracket = SearchBracket(most)
    steps: int | None = start
    factor, before = 2, most + 1
    while steps is not None and not deadline.is_up:
        bracket.at[steps] = look(steps)
        width = bracket.first_met - bracket.last_refuted
        if width == 1 and not (is_convex and bracket.first_met > most):
            return bracket
        if bracket.last_refuted and bracket.first_met <= most:
            steps = _between(bracket, halve=2 * width > before + 1)
        elif bracket.first_met <= most:
            steps = _open_value(bracket, max(1, min(bracket.at) // factor))
        elif is_convex:
            steps = _towards_the_least(bracket)
        else:
            steps = _open_value(bracket, min(most, max(bracket.at) * factor))
        factor, before = min(factor * factor, most), width
    bracket.is_late = steps is not None
    return bracket


def _between(bracket: SearchBracket, *, halve: bool) -> int | None:
    """Return the next value between the ends, or ``None`` where none is left that could be decided."""
    if bracket.open_values:
        return _gap(bracket)
    low, high = bracket.last_refuted, bracket.first_met
    below, above = bracket.at[low].height, bracket.at[high].height
    if halve or below is None or above is None or below <= above:
        return (low + high) // 2
    root = low + (high - low) * below / (below - above)
    little = max(1.0, min(root - low, high - root) * _LITTLE)
    aim = root + little if root - low < high - root else root - little
    return min(max(round(aim), low + 1), high - 1)


def _open_value(bracket: SearchBracket, steps: int) -> int | None:
    """Return that value, or if it was looked at in vain one that was not."""
    return _gap(bracket) if steps in bracket.at else steps


def _gap(bracket: SearchBracket) -> int | None:
    """Return the middle of the wider gap beside the values that were looked at in vain."""
    inner = bracket.open_values
    first, last = (inner[0], inner[-1]) if inner else (bracket.first_met, bracket.first_met)
    below, above = first - bracket.last_refuted, bracket.first_met - last
    if max(below, above) <= 1:
        return None
    return bracket.last_refuted + below // 2 if below >= above else last + above // 2


def _towards_the_least(bracket: SearchBracket) -> int | None:
    """Return the middle of the wider gap beside the least objective that was seen."""
    values = sorted(bracket.at)
    objectives = (bracket.at[steps].objective for steps in values)
    heights = [inf if objective is None else float(objective) for objective in objectives]
    index = heights.index(min(heights))
    ends = [0, *values, bracket.most + 1][index : index + 3]
    below, above = ends[1] - ends[0], ends[2] - ends[1]
    if max(below, above) <= 1:
        return None
    return ends[1] - below // 2 if below >= above else ends[1] + above // 2
