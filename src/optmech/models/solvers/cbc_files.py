"""What CBC leaves behind: a binary solution, one line of status, a log.

The binary file (``-saveSolution``) holds full doubles, where the text rounds to eight digits:

    int32 rows, int32 columns, float64 objective,
    float64 activities[rows], duals[rows], values[columns], reduced costs[columns]

The duals of a linear program have the sign of `Solution`; those of a mixed-integer one belong to its last
relaxation and are not read. Rows without bounds are not in the file: CBC does not read them.

The first line of the text file (``-solution``) is the status, as in ``Stopped on time (no integer solution -
continuous used) - objective value 0.00000000``. The log has the bound of a search that was stopped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from optmech.models.solution import Status

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["STATUSES", "CbcPoint", "claimed_bound", "read_point", "status_of"]

STATUSES = {
    "Optimal": Status.OPTIMAL,
    "Infeasible": Status.INFEASIBLE,
    "Integer infeasible": Status.INFEASIBLE,
    "Unbounded": Status.UNBOUNDED,
    "Stopped on time": Status.LIMIT,
    "Stopped on iterations": Status.LIMIT,
    "Stopped on nodes": Status.LIMIT,
    "Stopped on solutions": Status.LIMIT,
    "Stopped on gap": Status.LIMIT,
    "Stopped on ctrl-c": Status.LIMIT,
    "Stopped on difficulties": Status.NUMERICAL,
    "Status unknown": Status.FAILED,
}
"""What the first words of the solution mean. Words that are not listed are no answer."""

_HEADER = 16
_ENDLESS = 1e30  # CBC prints 1e+50 where it has no bound
# Digits that CBC prints: eight of "best possible" and of a gap, six or three decimals of "Lower bound".
_EIGHT_DIGITS, _SIX_DIGITS, _THREE_DECIMALS = 1e-7, 1e-5, 1e-3
_NUMBER = r"(-?[\d.]+(?:e[+-]?\d+)?)"
_BEST_POSSIBLE = re.compile(r"best possible " + _NUMBER)
_GAP = re.compile(r"Exiting as integer gap of " + _NUMBER)
_LOWER_BOUND = re.compile(r"Lower bound:\s+" + _NUMBER)


@dataclass(frozen=True, slots=True, kw_only=True)
class CbcPoint:
    """The numbers of a binary solution."""

    objective: float
    row_duals: NDArray[np.float64]
    values: NDArray[np.float64]


def read_point(path: Path, num_rows: int, num_columns: int) -> CbcPoint | None:
    """Return what the binary file holds; None if it is missing, cut short or of another model.

    Parameters
    ----------
    path : Path
        The file of ``-saveSolution``.
    num_rows, num_columns : int
        Size of the model that CBC read.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    if len(data) != _HEADER + 16 * (num_rows + num_columns):
        return None
    if tuple(np.frombuffer(data, np.int32, 2).tolist()) != (num_rows, num_columns):
        return None
    numbers = np.frombuffer(data, np.float64, offset=8)
    duals, values = 1 + num_rows, 1 + 2 * num_rows
    return CbcPoint(
        objective=float(numbers[0]),
        row_duals=numbers[duals:values],
        values=numbers[values : values + num_columns],
    )


def status_of(first_line: str) -> Status:
    """Return the status that the first line of a solution claims.

    Examples
    --------
    >>> status_of("Optimal (within gap tolerance) - objective value -0.00013811").name
    'OPTIMAL'
    """
    words = re.split(r" \(| - ", first_line.strip(), maxsplit=1)[0]
    return STATUSES.get(words, Status.FAILED)


def claimed_bound(log: str, objective: float | None) -> float | None:
    """Return the lower bound that the log of a search claims, rounded down by what it may have rounded up.

    Parameters
    ----------
    log : str
        What CBC printed.
    objective : float or None
        The best objective found.

    Examples
    --------
    >>> claimed_bound("Partial search - best objective 10 (best possible 4), took 9 iterations", 10.0)
    3.9999996
    """
    gap = _GAP.search(log)
    if gap and objective is not None:
        return objective - float(gap[1]) * (1 + _EIGHT_DIGITS)
    bounds = []
    if possible := _BEST_POSSIBLE.findall(log):
        bounds.append(float(possible[-1]) - _EIGHT_DIGITS * abs(float(possible[-1])))
    if lower := _LOWER_BOUND.search(log):
        value = float(lower[1])
        rounding = _THREE_DECIMALS if re.fullmatch(r"-?\d+\.\d{3}", lower[1]) else 0.0
        bounds.append(value - max(rounding, _SIX_DIGITS * abs(value)))
    bounds = [bound for bound in bounds if abs(bound) < _ENDLESS]
    return max(bounds, default=None)
