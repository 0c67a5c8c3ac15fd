"""One limit on the time of everything that solvers do for a design."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from optmech.models.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.models.linear_model import LinearModel
    from optmech.models.solvers.options import SolveOptions

# What a solver gets where the time is up: enough to say so.
_LEAST_TIME = 0.01


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment to stop at on the clock of `time.perf_counter`, or none.

    >>> Deadline.after(None).seconds_left is None, Deadline.after(0.0).is_up
    (True, True)
    """

    end: float | None

    @classmethod
    def after(cls, seconds: float | None) -> Deadline:
        """Return the moment in so many seconds from now."""
        return cls(None if seconds is None else time.perf_counter() + seconds)

    @property
    def seconds_left(self) -> float | None:
        """Seconds that are left, a moment at least; ``None`` without a limit."""
        return None if self.end is None else max(self.end - time.perf_counter(), _LEAST_TIME)

    @property
    def is_up(self) -> bool:
        """Whether the moment has passed."""
        return self.end is not None and time.perf_counter() >= self.end

    def within(self, options: SolveOptions) -> SolveOptions:
        """Return the settings with the time that is left."""
        return replace(options, time_limit=self.seconds_left)

    def within_deadline(self, solve: Callable[[LinearModel], Solution]) -> Callable[[LinearModel], Solution]:
        """Return `solve`, which from that moment on answers at once that the time is up."""

        def solve_in_time(model: LinearModel) -> Solution:
            if self.is_up:
                message = "no time is left"
                return Solution(
                    status=Status.LIMIT, solver="nobody", method="none", seconds=0.0, message=message
                )
            return solve(model)

        return solve_in_time
