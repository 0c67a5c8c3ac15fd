"""HiGHS, through highspy.

A solve runs in its own thread. highspy releases the interpreter's lock, so Ctrl-C reaches Python, which asks
HiGHS to stop. HiGHS looks at every simplex or interior-point iteration and every few nodes, so that takes a
moment; `KeyboardInterrupt` is raised once it has stopped. A new thread also lets every solve set the number
of threads, which HiGHS otherwise fixes at the first solve.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.deferred_interrupt import load_module
from optmech.base.errors import SolverMissingError
from optmech.base.reached import teller
from optmech.base.time_left import seconds_left
from optmech.models.solution import Status
from optmech.models.solvers.highs_answer import answer_of
from optmech.models.solvers.options import Method
from optmech.models.solvers.preparation import (
    bounded_rows,
    has_entries,
    row_scale,
    solve_without_entries,
    with_scaled_rows,
)

if TYPE_CHECKING:
    from optmech.base.arrays import Floats
    from optmech.models.linear_model import LinearModel
    from optmech.models.solution import Solution
    from optmech.models.solvers.options import SolveOptions

_BROKEN = {"1.14.0": "it gives wrong answers to mixed-integer programs"}
_SMALLEST_TOLERANCE = 1e-10  # HiGHS refuses smaller values
_SMALLEST_MATRIX_VALUE = 1e-12  # HiGHS drops smaller entries
_ABSOLUTE_MIP_GAP = 1e-10  # the default of 1e-6 would end the search for a delta of 1e-6 at once
_ROW_WISE, _MINIMISE = 2, 1  # MatrixFormat and ObjSense of HiGHS
# With larger entries HiGHS may call a point of cost 1 optimal instead of 1e-12, and feasible programs
# infeasible or unbounded (privacy rows at epsilon = 30). It solves some of them with rows scaled down.
_GENTLE = 2.0**20
_LEAST_TIME = 0.01  # a limit for a solve that begins after the deadline
_GLANCE = 0.1  # seconds between looks at whether Ctrl-C was pressed


@dataclass(frozen=True, slots=True)
class Highs:
    """HiGHS: simplex, interior point, branch and bound."""

    name = "highs"

    @property
    def methods(self) -> tuple[Method, ...]:
        """The methods that this HiGHS can run; HiPO needs the package highspy-extras."""
        own = (Method.AUTO, Method.SIMPLEX, Method.IPM)
        return (*own, Method.HIPO) if _has_hipo() else own

    @property
    def remedy(self) -> str:
        """Remedy where HiGHS is not available."""
        version = self._version()
        if version in _BROKEN:
            return f"highspy {version} is not used: {_BROKEN[version]}. Run `pip install --upgrade highspy`."
        return "Install it with `pip install highspy`."

    def available(self) -> bool:
        """Whether highspy is installed in a version that is not known to be wrong."""
        version = self._version()
        return version is not None and version not in _BROKEN

    def version(self) -> str:
        """Return the version of HiGHS."""
        own = self._version()
        if own is None:
            message = f"solver 'highs' is not available. {self.remedy}"
            raise SolverMissingError(message)
        return own

    def solve(self, model: LinearModel, options: SolveOptions) -> Solution:
        """Solve `model`; see `Solver.solve`."""
        if not self.available():
            message = f"solver 'highs' is not available. {self.remedy}"
            raise SolverMissingError(message)
        if options.method not in self.methods:
            message = (
                f"method {options.method.value!r} is not available in highs; found: "
                f"{', '.join(self.methods)}. Install it with `pip install highspy-extras`."
            )
            raise SolverMissingError(message)
        title = f"{self.name} {self.version()}"
        if not has_entries(model):
            return solve_without_entries(model, title)
        scale, gentler = row_scale(model), row_scale(model, _GENTLE)
        answer = self._attempt(model, options, scale, title)
        if answer.status in (Status.OPTIMAL, Status.LIMIT) or (scale == gentler).all():
            return answer
        if options.time_limit is not None:
            options = replace(options, time_limit=max(options.time_limit - answer.seconds, _GLANCE))
        second = self._attempt(model, options, gentler, title)
        best = second if second.status is Status.OPTIMAL else answer
        return replace(best, seconds=answer.seconds + second.seconds)

    def _attempt(self, model: LinearModel, options: SolveOptions, scale: Floats, title: str) -> Solution:
        start = time.perf_counter()
        highs, refusal = new_highs(with_scaled_rows(model, scale), options)
        crash = run(highs) if refusal is None else None
        seconds = time.perf_counter() - start
        return answer_of(highs, model, scale, refusal=refusal, crash=crash, title=title, seconds=seconds)

    def _version(self) -> str | None:
        try:
            return _version_of(load_module("highspy").Highs)
        except ImportError:
            return None


@cache
def _version_of(highs: Any) -> str:  # noqa: ANN401 - highspy has no types
    """Return the version of HiGHS, cached because each solve asks for it several times."""
    return str(_silent_class(highs)().version())


def silent_highs() -> Any:  # noqa: ANN401 - highspy has no types
    """Return a HiGHS that prints nothing."""
    return _silent_class(load_module("highspy").Highs)()


@cache
def _silent_class(highs: Any) -> Any:  # noqa: ANN401
    """Return the class that prints nothing.

    From 1.16 on HiGHS greets on standard output as soon as callbacks are enabled, which is before anyone
    could ask it not to.
    """

    class Silent(highs):  # type: ignore[misc]
        def enableCallbacks(self) -> None:  # noqa: N802 - its name in highspy
            self.silent()
            super().enableCallbacks()

    return Silent


def _has_hipo() -> bool:
    """Whether HiGHS accepts HiPO: without its libraries the option itself is an error."""
    try:
        highs = silent_highs()
    except ImportError:
        return False
    return bool(highs.setOptionValue("solver", Method.HIPO.value).name == "kOk")


def new_highs(model: LinearModel, options: SolveOptions) -> tuple[Any, str | None]:
    """Return a HiGHS with the model, and a text on the part that it refuses, or ``None``."""
    highs = silent_highs()
    _tell_figures(highs, mixed_integer=model.is_mixed_integer)
    return highs, _set_options(highs, model, options) or _pass_model(highs, model)


def _set_options(highs: Any, model: LinearModel, options: SolveOptions) -> str | None:  # noqa: ANN401
    """Set all options; return a text on the one that HiGHS refuses, or None."""
    feasibility = max(options.feasibility_tolerance, _SMALLEST_TOLERANCE)
    choose = options.method is Method.AUTO or model.is_mixed_integer
    settings: dict[str, Any] = {
        "output_flag": False,
        "solver": "choose" if choose else options.method.value,
        "presolve": "on" if options.presolve else "off",
        "threads": options.threads or 0,
        "time_limit": within_time_left(options.time_limit),
        "random_seed": options.seed,
        "primal_feasibility_tolerance": feasibility,
        "mip_feasibility_tolerance": feasibility,
        "dual_feasibility_tolerance": max(options.optimality_tolerance, _SMALLEST_TOLERANCE),
        "mip_rel_gap": options.mip_gap,
        "mip_abs_gap": _ABSOLUTE_MIP_GAP,
        "small_matrix_value": _SMALLEST_MATRIX_VALUE,
        "infinite_bound": float("inf"),  # by default a bound of 1e20 counts as none
    }
    for name, value in settings.items():
        if highs.setOptionValue(name, value).name != "kOk":
            return f"HiGHS refuses the option {name} = {value}"
    return None


def within_time_left(seconds: float | None) -> float:
    """Return the time limit to set: at most the time left for all attempts, and never 0."""
    limits = (limit for limit in (seconds, seconds_left()) if limit is not None)
    return max(min(limits, default=float("inf")), _LEAST_TIME)


def _pass_model(highs: Any, model: LinearModel) -> str | None:  # noqa: ANN401
    """Pass all arrays at once; return a text if HiGHS refuses them, or None.

    Rows without bounds stay behind: on them HiGHS' interior-point method ends in a "Solve error".
    """
    mask = bounded_rows(model)
    matrix = model.matrix if mask.all() else model.matrix[mask]
    status = highs.passModel(
        model.num_columns,
        int(mask.sum()),
        matrix.nnz,
        _ROW_WISE,
        _MINIMISE,
        model.offset,
        model.cost,
        model.column_lower,
        model.column_upper,
        model.row_lower[mask],
        model.row_upper[mask],
        matrix.indptr.astype(np.int32),
        matrix.indices.astype(np.int32),
        matrix.data,
        model.integer.astype(np.int32),
    )
    return None if status.name in ("kOk", "kWarning") else "HiGHS refuses the model"


def _tell_figures(highs: Any, *, mixed_integer: bool) -> None:  # noqa: ANN401
    """Let HiGHS tell its figures whenever it asks whether to go on.

    They are objective, bound and nodes of a mixed-integer program, and iterations of a linear one. It tells
    nobody what it would print, unless it prints.
    """
    tell = teller()

    def nodes(event: Any) -> None:  # noqa: ANN401 - as highspy has it
        values = event.data_out.mip_primal_bound, event.data_out.mip_dual_bound
        best, bound = (value if abs(value) < float("inf") else None for value in values)
        tell(best, bound, event.data_out.mip_node_count)

    if mixed_integer:
        highs.cbMipInterrupt += nodes
        return
    highs.cbSimplexInterrupt += lambda event: tell(None, None, event.data_out.simplex_iteration_count)
    highs.cbIpmInterrupt += lambda event: tell(None, None, event.data_out.ipm_iteration_count)


def run(highs: Any) -> str | None:  # noqa: ANN401
    """Run HiGHS in its own thread, and stop it on Ctrl-C; return the text of its error, or None."""
    highs.HandleUserInterrupt = True
    finish = threading.Event()  # after Ctrl-C, Thread.join believes that the thread has ended
    crashes = []

    def work() -> None:
        try:
            highs.run()
            highs.resetGlobalScheduler(False)  # noqa: FBT003 - end this thread's helpers, do not wait
        except Exception as error:  # noqa: BLE001 - C++ may throw any exception, such as out of memory
            crashes.append(f"HiGHS ended in {type(error).__name__}: {error}".removesuffix(": "))
        finally:
            finish.set()

    threading.Thread(target=work, name="optmech-highs", daemon=True).start()
    try:
        while not finish.wait(_GLANCE):
            pass
    except BaseException:
        highs.cancelSolve()
        finish.wait()
        raise
    return crashes[0] if crashes else None
