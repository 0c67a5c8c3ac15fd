"""The works of a worker: a design, a model, a mechanism of qif, or nothing but to start."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import optmech as om
from benchmarks.cost import qif_mechanism, scale_work
from benchmarks.cost.models import BUILDERS
from optmech.models.solution import Status
from optmech.question.problems.named import named_problem

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["WORKS"]


def design(
    choices: dict[str, Any],
    engine: str,
    method: str = "auto",
    limit: float | None = None,
    formulation: str = "croft",
) -> dict[str, Any]:
    """Design one mechanism and prove it; a small one before, so that nothing is loaded while time runs."""
    settings = {"engine": engine, "method": method, "time_limit": limit}
    small = {**choices, "range": "0:2"} | ({"records": 2} if "records" in choices else {})
    om.design(named_problem(formulation, small), **settings)  # type: ignore[call-overload]
    problem = named_problem(formulation, choices)
    start = time.perf_counter()
    try:
        result = om.design(problem, **settings)  # type: ignore[call-overload]
    except om.NoSolutionError as nothing:
        return {"limit": time.perf_counter() - start, "said": str(nothing)}
    if result.solution.status is Status.LIMIT:
        return {"limit": result.solution.seconds, "said": result.solution.message}
    gap = None if result.certificate is None else result.certificate.relative_gap
    return {
        "solve": result.solution.seconds,
        "seconds": result.seconds,
        "objective": result.objective,
        "bound": result.lower_bound,
        "gap": None if gap is None else float(gap),
        "engine": result.engine,
    }


def build(library: str, size: int, epsilon: str) -> dict[str, Any]:
    """Build Variant 1 of a count."""
    builder = BUILDERS[library]
    formulation = builder.build(2, epsilon)
    start = time.perf_counter()
    formulation = builder.build(size, epsilon)
    return {"seconds": time.perf_counter() - start, "kept": type(formulation).__name__}


def nothing() -> dict[str, Any]:
    """Start, and import what every job imports."""
    return {}


WORKS: dict[str, Callable[..., dict[str, Any]]] = {
    "design": design,
    "build": build,
    "qif": qif_mechanism.answer,
    "scale": scale_work.answer,
    "nothing": nothing,
}
