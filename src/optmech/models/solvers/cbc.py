"""CBC, run as a separate program.

The model goes out as our own MPS text and comes back as a binary file, because PuLP rounds to twelve digits
on the way out and to eight on the way back. PuLP is only used to find its CBC. A CBC that does not take an
option did not run: it answers nothing, whatever its code says.

CBC's claims are checked (`claims`, and `_second_thoughts` here). Among 400 random small programs release
2.10.3 called 5 unbounded ones optimal and 14 infeasible; with bounded columns it made no mistake. Its integer
preprocessing is wrong (min x + 2y, 1/2 <= x + y <= 3/2, x and y binary: it says 2) and stays off. Without it,
some infeasible programs crash; only these are solved once more with it.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from optmech.base.errors import SolverMissingError
from optmech.models.solution import Solution, Status
from optmech.models.solvers import cbc_binary, cbc_process
from optmech.models.solvers.cbc_process import claimed_bound, status_of
from optmech.models.solvers.claims import believed, objective_is_bounded
from optmech.models.solvers.options import Method
from optmech.models.solvers.preparation import (
    column_scale,
    duals_of_all_rows,
    has_entries,
    row_scale,
    solve_without_entries,
    with_scaled_columns,
    with_scaled_rows,
)

if TYPE_CHECKING:
    from optmech.base.arrays import Floats
    from optmech.models.linear_model import LinearModel
    from optmech.models.solvers.cbc_binary import CbcBinary
    from optmech.models.solvers.cbc_process import CbcOutcome
    from optmech.models.solvers.options import SolveOptions

_DEFAULT_SEED = 1234567  # CBC's own; 0 would mean the time of day
_LARGEST_SEED = 2**31 - 1
_ACTIONS = {Method.AUTO: "-solve", Method.SIMPLEX: "-dualSimplex", Method.IPM: "-barrier"}
# Some builds after 2.10 turn rows into bounds before they solve, and lose their duals.
_KEEP_ROWS = dict.fromkeys(("singletonBounds", "boundPropLevel", "rowReductions", "preRootLPStr"), "off")


@dataclass(frozen=True, slots=True)
class Cbc:
    """CBC: simplex, barrier with crossover, branch and bound."""

    name = "cbc"
    methods = tuple(_ACTIONS)
    remedy = 'Install it with `pip install "pulp<4"`.'

    def available(self) -> bool:
        """Whether a CBC is found and runs."""
        return self._binary() is not None

    def version(self) -> str:
        """Return the version of CBC."""
        return self._needed_binary().version

    def solve(self, model: LinearModel, options: SolveOptions) -> Solution:
        """Solve `model`; see `Solver.solve`."""
        binary = self._needed_binary()
        title = f"{self.name} {binary.version}"
        if options.method not in self.methods:
            message = (
                f"method {options.method.value!r} is not available in cbc; found: {', '.join(self.methods)}. "
                "Choose one of these, or HiGHS."
            )
            raise SolverMissingError(message)
        if not has_entries(model):
            return solve_without_entries(model, title)
        action = _ACTIONS[Method.AUTO if model.is_mixed_integer else options.method]
        arguments = [binary.path, "model.mps", *binary.words(_settings(options)), action]
        start = time.perf_counter()
        scale = row_scale(model)
        # The offset stays here: as text it would become one more column.
        scaled_model, unit = with_scaled_rows(replace(model, offset=0.0), scale), column_scale(model)
        scaled_model = with_scaled_columns(scaled_model, unit)
        outcome = cbc_process.run(arguments, scaled_model, options.time_limit)
        if model.is_mixed_integer and outcome.is_crashed:
            arguments[-1:] = ["-preprocess", "on", arguments[-1]]
            second = cbc_process.run(arguments, scaled_model, options.time_limit)
            outcome = second if status_of(second.first_line) is Status.INFEASIBLE else outcome
        if outcome.point is not None:
            outcome = replace(outcome, point=replace(outcome.point, values=outcome.point.values * unit))
        seconds = time.perf_counter() - start
        return _read(outcome, model, scale, options, title=title, seconds=seconds)

    def _binary(self) -> CbcBinary | None:
        return cbc_binary.find()

    def _needed_binary(self) -> CbcBinary:
        binary = self._binary()
        if binary is None:
            message = "solver 'cbc' is not available."
            raise SolverMissingError(message, self.remedy)
        return binary


def _settings(options: SolveOptions) -> dict[str, str]:
    seed = str((_DEFAULT_SEED + options.seed) % _LARGEST_SEED or _LARGEST_SEED)
    settings = {
        "presolve": "on" if options.presolve else "off",
        "preprocess": "off",
        "primalTolerance": repr(options.feasibility_tolerance),
        "dualTolerance": repr(options.optimality_tolerance),
        "integerTolerance": repr(options.feasibility_tolerance),
        "ratioGap": repr(options.mip_gap),
        "allowableGap": "1e-12",
        "increment": "1e-12",  # the default of 1e-5 would accept a delta of 1e-6 as optimal
        "randomSeed": seed,
        "randomCbcSeed": seed,
    }
    if options.time_limit is not None:
        settings |= {"timeMode": "elapsed", "seconds": repr(float(options.time_limit))}
    if options.threads is not None:
        settings["threads"] = str(options.threads)
    return settings | _KEEP_ROWS


def _read(
    outcome: CbcOutcome,
    model: LinearModel,
    scale: Floats,
    options: SolveOptions,
    *,
    title: str,
    seconds: float,
) -> Solution:
    """Return CBC's claim; an optimum only where the model does not contradict it."""
    status, message = _second_thoughts(*_claim(outcome), model)
    point, mixed = outcome.point, model.is_mixed_integer
    answer = Solution(
        status=status,
        solver=title,
        method="branch-and-bound" if mixed else _method(options),
        seconds=seconds,
        message=message,
        values=None if point is None else point.values,
        row_duals=None if point is None or mixed else duals_of_all_rows(model, point.row_duals, scale),
    )
    answer = believed(model, answer)
    if answer.values is not None:
        answer = replace(answer, objective=model.objective(answer.values))
    return replace(answer, bound=_mip_bound(outcome, model, answer, options.mip_gap)) if mixed else answer


def _claim(outcome: CbcOutcome) -> tuple[Status, str]:
    """Return status and message of CBC, or of its exit where it wrote none."""
    if outcome.is_killed:
        return Status.LIMIT, "CBC did not stop at its time limit and was killed"
    if outcome.complaint:
        return Status.NOT_RUN, f"CBC did not run: {outcome.complaint}"
    if outcome.is_crashed and outcome.code == 0:
        last = outcome.log.strip().rpartition("\n")[2] or "nothing"
        return Status.NOT_RUN, f"CBC did not run: it ended with code 0, without a solution, and said: {last}"
    if outcome.is_crashed:
        return Status.FAILED, f"CBC ended with code {outcome.code} and without a solution"
    return status_of(outcome.first_line), outcome.first_line


def _second_thoughts(status: Status, message: str, model: LinearModel) -> tuple[Status, str]:
    """Doubt "infeasible" and "unbounded" where CBC is known to confuse the two.

    If the bounds of the columns bound the objective, "infeasible" is accepted. Otherwise the dual simplex
    starts from a point that is not dual feasible and calls unbounded programs infeasible; and for a
    mixed-integer program only the relaxation is known to be unbounded.
    """
    if status not in (Status.INFEASIBLE, Status.UNBOUNDED):
        return status, message
    if objective_is_bounded(model):
        if status is Status.INFEASIBLE:
            return status, message
        return Status.NUMERICAL, f"{message}, but the bounds of the columns bound the objective"
    if status is Status.UNBOUNDED and not model.is_mixed_integer:
        return status, message
    return Status.UNDECIDED, message


def _mip_bound(outcome: CbcOutcome, model: LinearModel, answer: Solution, mip_gap: float) -> float | None:
    """Return the bound that a search of CBC claims, with the offset added."""
    if answer.status not in (Status.OPTIMAL, Status.LIMIT):
        return None
    value = None if answer.objective is None else answer.objective - model.offset
    bound = claimed_bound(outcome.log, value)
    if answer.status is Status.OPTIMAL and value is not None:
        # The log rounds. CBC claims that the gap is closed, or no wider than requested.
        gap = mip_gap * abs(value) if "gap" in outcome.first_line else 0.0
        bound = value - gap if bound is None else max(bound, value - gap)
    return None if bound is None or not math.isfinite(bound) else bound + model.offset


def _method(options: SolveOptions) -> str:
    return Method.IPM.value if options.method is Method.IPM else Method.SIMPLEX.value
