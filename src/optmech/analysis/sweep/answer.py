"""The answer of one cell as a row: whatever happens while it is designed, there is one."""

from __future__ import annotations

import json
import math
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optmech.analysis.sweep.cell import EXACT
from optmech.base.arguments import Word
from optmech.base.errors import NoSolutionError, OptmechError
from optmech.base.numbers import exact
from optmech.base.version import __version__
from optmech.designs.design import design
from optmech.mechanisms.certificates.certificate_text import certificate_text
from optmech.mechanisms.source import certified_matrix_text
from optmech.question.epsilon import exact_epsilon

if TYPE_CHECKING:
    from optmech.analysis.sweep.cell import Cell
    from optmech.designs.design import Design


class Ending(Word):
    """How a cell ended, as the column ``status`` has it."""

    DONE = "done"
    """It has a mechanism."""
    NO_SOLUTION = "no-solution"
    """No solver gave a mechanism: the cell is infeasible, or a limit came first."""
    REFUSED = "refused"
    """The question cannot be asked, its solver is missing, or nothing could be certified."""
    FAILED = "failed"
    """Something went wrong that should not: our bug, or too little memory."""
    DIED = "died"
    """The process that worked on it died, each time it was tried."""


_TEXTS = (
    *("query", "range", "counts", "loss", "prior", "properties", "rows", "distances", "cost", "reading"),
    *("structure", "definition", "least", "bounds", "moduli", "changes", "of", "distance"),
    *("edges", "unit", "privacy", "as_private_as", "adjacency"),
)
_WHOLE = ("records", "variant", "half_width", "modulus", "records_per_person")
_YES_OR_NO = ("symmetric", "worst_case", "shortest_paths")

COLUMNS: dict[str, str] = {
    "key": "string",
    "formulation": "string",
    **dict.fromkeys(_TEXTS, "string"),
    **dict.fromkeys(_WHOLE, "int64"),
    **dict.fromkeys(_YES_OR_NO, "bool"),
    **dict.fromkeys(("epsilon", *EXACT), "float64"),
    **{f"asked_{name}": "string" for name in ("engine", "solver", "method")},
    "time_limit": "float64",
    "threads": "int64",
    "parameters": "string",
    "status": "string",
    "objective": "float64",
    "objective_standing": "string",
    "lower_bound": "float64",
    "lower_bound_standing": "string",
    "relative_gap": "float64",
    "engine": "string",
    "solver": "string",
    "method": "string",
    "solver_status": "string",
    "seconds": "float64",
    "responses": "int64",
    "truths": "int64",
    "sha256": "string",
    "notes": "string",
    "error": "string",
    "optmech": "string",
}
"""Names and Arrow types. The numbers asked for are the nearest doubles; ``parameters`` has them exactly."""

# HiGHS and ball arithmetic keep settings for the whole process, and a Dask worker may run several threads.
_ONE_AT_A_TIME = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class CellAnswer:
    """A row, and the texts of the files to keep beside it, by the ending of their names."""

    row: dict[str, Any]
    files: dict[str, str]


def answer(cell: Cell, *, keep: bool = False) -> CellAnswer:
    """Design the mechanism of a cell. An error is a row too.

    A solver gets one thread unless the cell says otherwise, since cells run side by side. With `keep`,
    certificate and matrix are returned as text.
    """
    with _ONE_AT_A_TIME:
        start = time.perf_counter()
        try:
            best = design(cell.problem(), **{"threads": 1, **cell.settings})
            row = {**_row_of_cell(cell), **_row_of_design(best), "status": Ending.DONE.value}
            return CellAnswer(row=row, files=_files(cell, best) if keep else {})
        except Exception as trouble:  # noqa: BLE001 - a sweep of days must not end by one cell
            seconds = time.perf_counter() - start
            return answer_without_design(cell, _ending(trouble), _sentence(trouble), seconds)


def answer_without_design(cell: Cell, ending: Ending, error: str, seconds: float | None = None) -> CellAnswer:
    """Return the answer of a cell that has no mechanism."""
    row = {**_row_of_cell(cell), "status": ending.value, "seconds": seconds, "error": error}
    return CellAnswer(row=row, files={})


def _ending(trouble: Exception) -> Ending:
    if isinstance(trouble, NoSolutionError):
        return Ending.NO_SOLUTION
    return Ending.REFUSED if isinstance(trouble, OptmechError) else Ending.FAILED


def _sentence(trouble: Exception) -> str:
    return str(trouble) if isinstance(trouble, OptmechError) else f"{type(trouble).__name__}: {trouble}"


def _row_of_cell(cell: Cell) -> dict[str, Any]:
    choices, settings = cell.choices, cell.settings
    row: dict[str, Any] = dict.fromkeys(COLUMNS)
    row |= {"key": cell.key, "formulation": cell.formulation, "parameters": cell.parameters}
    row |= {name: _as_text(choices[name]) for name in _TEXTS if name in choices}
    row |= {name: int(choices[name]) for name in _WHOLE if isinstance(choices.get(name), int)}
    row |= {name: _nearest(exact(choices[name], name)) for name in EXACT if name in choices}
    row |= {"epsilon": _nearest(exact_epsilon(choices["epsilon"]))}
    row |= {name: bool(choices[name]) for name in _YES_OR_NO if name in choices}
    row |= {f"asked_{name}": settings.get(name) for name in ("engine", "solver", "method")}
    row |= {"time_limit": settings.get("time_limit"), "threads": settings.get("threads")}
    return {**row, "optmech": __version__}


def _row_of_design(best: Design) -> dict[str, Any]:
    certificate, solution = best.certificate, best.solution
    gap = None if certificate is None else certificate.relative_gap
    if gap is None and math.isfinite(best.lower_bound) and best.objective:
        gap = (best.objective - best.lower_bound) / abs(best.objective)
    return {
        "objective": best.objective,
        "objective_standing": best.objective_standing,
        "lower_bound": best.lower_bound,
        "lower_bound_standing": best.lower_bound_standing,
        "relative_gap": gap,
        "engine": best.engine,
        "solver": solution.solver,
        "method": str(solution.method),
        "solver_status": solution.status.name.lower(),
        "seconds": best.seconds,
        "responses": len(best.mechanism.responses),
        "truths": len(best.mechanism.truths),
        "sha256": None if certificate is None or not certificate.has_matrix else certificate.matrix.sha256(),
        "notes": "; ".join(best.notes) or None,
    }


def _files(cell: Cell, best: Design) -> dict[str, str]:
    certificate = best.certificate
    if certificate is None:
        return {}
    files = {".certificate.json": certificate_text(certificate)}
    if certificate.has_matrix:
        name = f"{cell.key}.certificate.json"
        files[".csv"] = certified_matrix_text(best.mechanism, certificate, name, str(best.problem))
    return files


def _as_text(value: Any) -> str:  # noqa: ANN401 - what TOML may hold
    if isinstance(value, list):
        flat = not any(isinstance(item, list) for item in value)
        return ",".join(map(str, value)) if flat else json.dumps(value)
    return str(value)


def _nearest(value: Any) -> float:  # noqa: ANN401 - a fraction or a logarithm
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
