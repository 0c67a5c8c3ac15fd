"""State of a visitor's page, and the designs that are remembered."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from optmech.question.problems.again import lines_again
from optmech.reports.studio.queries import QUERY_INPUTS, inputs_of_query

if TYPE_CHECKING:
    from optmech.designs.design import Design
    from optmech.question.problem import Problem
    from optmech.reports.studio.inputs import Inputs
    from optmech.reports.studio.reading import Answer

MOST_CACHED = 24
"""Designs that are remembered, a few megabytes each at the largest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageState:
    """The state of a visitor's page.

    `inputs` is the latest question, and `design` its answer; while another is solved, that to an earlier one,
    `answered_inputs`, which is ``None`` of a certificate that no inputs ask. `file` is the name of a
    certificate that is shown. Sentences say why the latest question has no answer, `refusal`, or why the
    latest certificate is not shown, `unopened`. `engine` is who works in another process, `since` when by
    `time.monotonic`.
    """

    inputs: Inputs
    design: Answer | None = None
    answered_inputs: Inputs | None = None
    file: str = ""
    refusal: str = ""
    unopened: str = ""
    engine: str = ""
    since: float = 0.0

    @property
    def shown_inputs(self) -> Inputs | None:
        """The inputs that ask for what is shown; ``None`` of a certificate that no inputs ask for."""
        return None if self.file and self.answered_inputs is None else self.inputs

    @property
    def problem(self) -> Problem:
        """The latest question, or that of the latest certificate."""
        return self.design.problem if self.file and self.design is not None else self.inputs.problem()

    @property
    def command(self) -> str:
        """The lines for a shell that design what is shown; empty of a question too long for a page."""
        inputs = self.shown_inputs
        return lines_again(self.problem) if inputs is None else inputs.command()

    @property
    def is_current(self) -> bool:
        """Whether the design answers the latest question, or is that of the latest certificate."""
        return (
            self.design is not None
            and not self.refusal
            and (bool(self.file) or same(self.inputs) == self.answered_inputs)
        )


class Cache:
    """The designs asked for last, of all visitors.

    >>> from optmech.reports.studio.inputs import Inputs
    >>> from optmech.reports.studio.theorem_design import quick_design
    >>> cache, questions = Cache(most=1), [Inputs(largest=3), Inputs(largest=4)]
    >>> for inputs in questions:
    ...     cache.keep(inputs, quick_design(inputs.problem()))
    >>> [cache.get(inputs) is None for inputs in questions]
    [True, False]
    """

    def __init__(self, most: int = MOST_CACHED) -> None:
        self._designs: OrderedDict[Inputs, Design] = OrderedDict()
        self._most = most

    def get(self, inputs: Inputs) -> Design | None:
        """Return the design of a question, if it is remembered."""
        design = self._designs.get(same(inputs))
        if design is not None:
            self._designs.move_to_end(same(inputs))
        return design

    def keep(self, inputs: Inputs, design: Design) -> None:
        """Remember a design, and forget the one that nobody asked for longest."""
        self._designs[same(inputs)] = design
        while len(self._designs) > self._most:
            self._designs.popitem(last=False)


def same(inputs: Inputs) -> Inputs:
    """Return the inputs without what does not change the answer."""
    plain = type(inputs)()
    without: dict[str, Any] = {"seconds": plain.seconds}
    others = set(QUERY_INPUTS).difference(inputs_of_query(inputs.query))
    without |= {name: getattr(plain, name) for name in others}
    if inputs.query == "categories":
        without["loss"] = plain.loss
    if inputs.loss != "beyond":
        without["beyond"] = plain.beyond
    return replace(inputs, **without)
