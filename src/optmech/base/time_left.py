"""The moment at which a call has to be back, seen by everything that it calls.

`limited_time` sets it. Solvers get at most `seconds_left`, and loops that may take long ask `time_is_up`
between two steps; they then hand over the best there is. Work without which nothing can be handed over may
take the overtime: a tenth, or a second.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from optmech.base.errors import VerificationError

if TYPE_CHECKING:
    from collections.abc import Iterator

# The ends of the time and of the overtime.
_END: ContextVar[tuple[float, float] | None] = ContextVar("optmech_end_of_time", default=None)
# Allowed overtime: a share of the limit, and seconds.
_OVERTIME, _LEAST_OVERTIME = 0.1, 1.0


def with_overtime(limit: float) -> float:
    """Return the seconds after which everything is back that has a limit of so many.

    >>> with_overtime(5), with_overtime(60)
    (6.0, 66.0)
    """
    return limit + max(limit * _OVERTIME, _LEAST_OVERTIME)


@contextmanager
def limited_time(seconds: float | None) -> Iterator[None]:
    """Let everything within end in `seconds`, or sooner where an outer limit says so.

    >>> with limited_time(60), limited_time(None):
    ...     50 < seconds_left() <= 60, time_is_up()
    (True, False)
    >>> seconds_left() is None
    True
    """
    outer, now = _END.get(), time.perf_counter()
    own = None if seconds is None else (now + seconds, now + with_overtime(seconds))
    token = _END.set(min((end for end in (outer, own) if end is not None), default=None))
    try:
        yield
    finally:
        _END.reset(token)


def seconds_left() -> float | None:
    """Return the seconds that are left, at least 0; ``None`` without a limit."""
    end = _END.get()
    return None if end is None else max(end[0] - time.perf_counter(), 0.0)


def time_is_up() -> bool:
    """Whether the moment has passed."""
    return seconds_left() == 0


class Pace:
    """Steps within the time: none is begun that would end after it if it took as long as the one before.

    >>> with limited_time(60):
    ...     Pace().is_over()
    False
    """

    def __init__(self) -> None:
        self._last, self.is_stopped = time.perf_counter(), False

    def is_over(self) -> bool:
        """Whether there is no time for another step."""
        now, left = time.perf_counter(), seconds_left()
        self.is_stopped = left is not None and left <= now - self._last
        self._last = now
        return self.is_stopped


@contextmanager
def overtime() -> Iterator[None]:
    """Let work without which nothing can be handed over take the overtime: time within ends with that.

    >>> with limited_time(1e-9), overtime():
    ...     time_is_up()
    False
    """
    end = _END.get()
    token = _END.set(None if end is None else (end[1], end[1]))
    try:
        yield
    finally:
        _END.reset(token)


def need_time(what: str) -> None:
    """Raise a VerificationError where the moment has passed, in a loop that has nothing to hand over."""
    if time_is_up():
        message = f"`time_limit` must leave time for {what}; it has ended. Raise it, or leave it out."
        raise VerificationError(message)
