"""Run CBC once, and read its output.

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
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.time_left import seconds_left
from optmech.models.solution import Status
from optmech.models.solvers.preparation import bounded_rows
from optmech.models.text import as_mps

if TYPE_CHECKING:
    from optmech.base.arrays import Floats
    from optmech.models.linear_model import LinearModel

PATIENCE = 10.0
"""Seconds, or the time limit again if that is more, after which a CBC that misses its limit is killed."""

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
"""Meaning of the first words of the solution. Words that are not listed are no answer."""

_HEADER = 16
_ENDLESS = 1e30  # CBC prints 1e+50 where it has no bound
# Digits that CBC prints: eight of "best possible" and of a gap, six or three decimals of "Lower bound".
_EIGHT_DIGITS, _SIX_DIGITS, _THREE_DECIMALS = 1e-7, 1e-5, 1e-3
# An option, or its value, that CBC did not take: with it nothing is solved, or something else than was asked.
_COMPLAINT = re.compile(
    r"^(?:Unrecognized parameter|No match for|Illegal parameter value|Multiple matches for).*"
    r"|^String of .* is illegal for .*",
    re.MULTILINE,
)
_NUMBER = r"(-?[\d.]+(?:e[+-]?\d+)?)"
_BEST_POSSIBLE = re.compile(r"best possible " + _NUMBER)
_GAP = re.compile(r"Exiting as integer gap of " + _NUMBER)
_LOWER_BOUND = re.compile(r"Lower bound:\s+" + _NUMBER)


@dataclass(frozen=True, slots=True, kw_only=True)
class CbcPoint:
    """The numbers of a binary solution."""

    objective: float
    row_duals: Floats
    values: Floats


def read_point(path: Path, num_rows: int, num_columns: int) -> CbcPoint | None:
    """Return the numbers that ``-saveSolution`` wrote; None if missing, cut short or of another model."""
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
    """Return the status that the first line of a solution claims."""
    words = re.split(r" \(| - ", first_line.strip(), maxsplit=1)[0]
    return STATUSES.get(words, Status.FAILED)


def claimed_bound(log: str, objective: float | None) -> float | None:
    """Return the lower bound in the log of a search, less the rounding error of its digits.

    `objective` is the best value found.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class CbcOutcome:
    """The end of a run of CBC."""

    is_killed: bool
    code: int
    log: str
    first_line: str
    point: CbcPoint | None

    @property
    def is_crashed(self) -> bool:
        """Whether CBC ended by itself without a status."""
        return not self.is_killed and not self.first_line

    @property
    def complaint(self) -> str:
        """CBC's words about an option that it did not take, empty where it took all."""
        complaint = _COMPLAINT.search(self.log)
        return "" if complaint is None else complaint[0].strip()


def run(arguments: list[str], model: LinearModel, time_limit: float | None) -> CbcOutcome:
    """Run CBC in a temporary directory, and kill it if an exception interrupts the run."""
    num_rows = int(bounded_rows(model).sum())
    patience = None if time_limit is None else time_limit + max(PATIENCE, time_limit)
    left = seconds_left()
    if left is not None:
        patience = left if patience is None else min(left, patience)
    with tempfile.TemporaryDirectory(prefix="optmech-cbc-") as name:
        folder = Path(name)
        (folder / "model.mps").write_text(as_mps(model), encoding="ascii")
        outputs = ("-printingOptions", "all", "-solution", "solution.txt", "-saveSolution", "solution.bin")
        timed_out = False
        with subprocess.Popen(  # noqa: S603 - see `cbc_binary.ask`
            [*arguments, *outputs, "-quit"],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        ) as process:
            try:
                log, _ = process.communicate(timeout=patience)
            except subprocess.TimeoutExpired:
                timed_out = True
                process.kill()
                log, _ = process.communicate()
            except BaseException:
                process.kill()
                process.wait()
                raise
        text = folder / "solution.txt"
        lines = text.read_text(encoding="utf-8", errors="replace").splitlines() if text.exists() else []
        point = read_point(folder / "solution.bin", num_rows, model.num_columns)
    return CbcOutcome(
        is_killed=timed_out,
        code=process.returncode,
        log=log,
        first_line=lines[0] if lines else "",
        point=point,
    )
