"""Options of a solve, in words that every solver understands."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from optmech.base.arguments import Word, brief, flag
from optmech.base.errors import ProblemError, broken_rule

_LARGEST_SEED = 2**31 - 1
_LONGEST = 1e8  # three years; timers of the system end a little later
_MOST_THREADS = 256  # HiGHS hangs when asked for a hundred thousand


MethodName = Literal["auto", "simplex", "ipm", "hipo"]
"""Values of `method`, those of `Method`."""


class Method(Word):
    """An algorithm for linear programs. Mixed-integer programs always go to branch and bound."""

    AUTO = "auto"
    SIMPLEX = "simplex"
    IPM = "ipm"
    HIPO = "hipo"


@dataclass(frozen=True, slots=True, kw_only=True)
class SolveOptions:
    """Options for solving a model.

    A solver whose range is smaller takes the value nearest to the one asked for: HiGHS has no tolerance
    below 1e-10.

    Attributes
    ----------
    method : Method
        Algorithm for linear programs: the solver's own choice, the simplex method, an interior-point
        method with crossover, or HiGHS' newer interior-point method.
    time_limit : float or None
        Seconds of wall time; no limit where absent.
    threads : int or None
        Threads; the solver's own choice where absent.
    feasibility_tolerance : float
        The largest absolute violation of a row, a bound or integrality.
    optimality_tolerance : float
        The largest absolute reduced cost of the wrong sign.
    mip_gap : float
        Relative gap between value and bound at which branch and bound may stop.
    seed : int
        Seed of the solver's random numbers. Each seed, 0 included, gives one fixed sequence.
    presolve : bool
        Whether the solver may simplify the model first.

    Raises
    ------
    ProblemError
        If a setting breaks its rule.

    Examples
    --------
    >>> SolveOptions(time_limit=10).time_limit
    10
    >>> SolveOptions(time_limit=-1)
    Traceback (most recent call last):
    ...
    optmech.base.errors.ProblemError: `time_limit` must be positive; got -1. For no limit leave it out.
    """

    method: Method = Method.AUTO
    time_limit: float | None = None
    threads: int | None = None
    feasibility_tolerance: float = 1e-9
    optimality_tolerance: float = 1e-9
    mip_gap: float = 1e-7
    seed: int = 0
    presolve: bool = True

    def __post_init__(self) -> None:
        methods = ", ".join(Method)
        if not isinstance(self.method, str) or self.method not in tuple(Method):
            raise broken_rule("method", f"be one of {methods}", brief(self.method), "If unsure take 'auto'.")
        object.__setattr__(self, "method", Method(self.method))
        need_time(self.time_limit)
        flag(self.presolve, "presolve")
        if self.threads is not None and not (_is_whole(self.threads) and 1 <= self.threads <= _MOST_THREADS):
            message = (
                f"`threads` must be a whole number from 1 to {_MOST_THREADS}; got {self.threads!r}. "
                "To let the solver choose leave it out."
            )
            raise ProblemError(message)
        for name in ("feasibility_tolerance", "optimality_tolerance"):
            value = getattr(self, name)
            if not (_is_number(value) and 0 < value < 1):
                raise broken_rule(name, "lie between 0 and 1", repr(value), "The default is 1e-9.")
        if not (_is_number(self.mip_gap) and 0 <= self.mip_gap < math.inf):
            raise broken_rule("mip_gap", "not be negative", repr(self.mip_gap), "The default is 1e-7.")
        if not (_is_whole(self.seed) and 0 <= self.seed <= _LARGEST_SEED):
            raise broken_rule(
                "seed", f"be a whole number from 0 to {_LARGEST_SEED}", repr(self.seed), "The default is 0."
            )


def need_time(limit: object, name: str = "time_limit") -> None:
    """Raise ProblemError unless a time limit is a positive number of seconds or None."""
    if limit is not None and not (isinstance(limit, (int, float)) and 0 < limit <= _LONGEST):
        raise broken_rule(name, "be positive", brief(limit), "For no limit leave it out.")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
