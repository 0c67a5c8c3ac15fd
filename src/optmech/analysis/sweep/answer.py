"""The answer of one cell as a row; there is one even if the design fails."""

from __future__ import annotations

import json
import math
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optmech.base.arguments import Word
from optmech.base.errors import NoSolutionError, OptmechError
from optmech.base.version import __version__
from optmech.designs.design import design
from optmech.mechanisms.certificates.certificate_text import certificate_text
from optmech.mechanisms.source import certified_matrix_text
from optmech.question.epsilon import exact_epsilon
from optmech.question.keys import EPSILON, FLAG, NUMBER, WHOLE
from optmech.question.losses.tables import OBJECTIVE_KEYS
from optmech.question.schema import KEYS_OF_KIND
from optmech.question.table import PARTS

if TYPE_CHECKING:
    from optmech.analysis.sweep.cell import Cell
    from optmech.designs.design import Design
    from optmech.question.keys import Key


class Ending(Word):
    """The end of a cell, as in the column ``status``."""

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


def _columns_of_question() -> dict[str, str]:
    """Return a column for each key that a question may have, ``query_smallest`` and so on, and its type."""
    columns: dict[str, str] = {}
    for part in PARTS:
        name = part.name
        of = KEYS_OF_KIND.get(name, {"": OBJECTIVE_KEYS} if name == "objective" else {})
        columns |= {f"{name}_kind": "string"} if name in KEYS_OF_KIND else {} if of else {name: "string"}
        columns |= {f"{name}_{key.name}": _type(key) for keys in of.values() for key in keys}
    return columns


def _type(key: Key) -> str:
    if key.form in (NUMBER, EPSILON):
        return "float64"
    return "int64" if key.form is WHOLE else "bool" if key.form is FLAG else "string"


OF_QUESTION = _columns_of_question()
"""The columns of what was asked, by part and key. Several privacies at once are in ``question`` only."""
COLUMNS: dict[str, str] = {
    "key": "string",
    "question": "string",
    **OF_QUESTION,
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
"""Names and Arrow types. The numbers asked for are the nearest doubles; ``question`` has them exactly."""

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
        except Exception as error:  # noqa: BLE001 - a sweep of days must not end by one cell
            seconds = time.perf_counter() - start
            return answer_without_design(cell, _ending(error), _sentence(error), seconds)


def answer_without_design(cell: Cell, ending: Ending, error: str, seconds: float | None = None) -> CellAnswer:
    """Return the answer of a cell that has no mechanism."""
    row = {**_row_of_cell(cell), "status": ending.value, "seconds": seconds, "error": error}
    return CellAnswer(row=row, files={})


def _ending(error: Exception) -> Ending:
    if isinstance(error, NoSolutionError):
        return Ending.NO_SOLUTION
    return Ending.REFUSED if isinstance(error, OptmechError) else Ending.FAILED


def _sentence(error: Exception) -> str:
    return str(error) if isinstance(error, OptmechError) else f"{type(error).__name__}: {error}"


def _row_of_cell(cell: Cell) -> dict[str, Any]:
    settings = cell.settings
    row: dict[str, Any] = dict.fromkeys(COLUMNS)
    row |= {"key": cell.key, "parameters": cell.parameters}
    row |= {"question": json.dumps(cell.question, ensure_ascii=False)}
    for part, value in cell.question.items():
        inside = value.items() if isinstance(value, dict) else [("", value)]
        values = {f"{part}_{name}".rstrip("_"): each for name, each in inside}
        row |= {name: _cell_value(OF_QUESTION[name], each) for name, each in values.items() if name in row}
    row |= {f"asked_{name}": settings.get(name) for name in ("engine", "solver", "method")}
    row |= {"time_limit": settings.get("time_limit"), "threads": settings.get("threads")}
    return {**row, "optmech": __version__}


def _cell_value(kind: str, value: Any) -> Any:  # noqa: ANN401 - any value of JSON
    """Return a value as its column holds it: a number, a text, or JSON of what is neither."""
    if kind == "float64":
        return _nearest(exact_epsilon(value))
    return value if kind != "string" or isinstance(value, str) else json.dumps(value, ensure_ascii=False)


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
        "sha256": None if certificate is None else certificate.matrix_sha256,
        "notes": "; ".join(best.notes) or None,
    }


def _files(cell: Cell, best: Design) -> dict[str, str]:
    certificate = best.certificate
    if certificate is None:
        return {}
    files = {".certificate.json": certificate_text(certificate)}
    if certificate.matrix_sha256 is not None:
        name = f"{cell.key}.certificate.json"
        files[".csv"] = certified_matrix_text(best.mechanism, certificate, name, str(best.problem))
    return files


def _nearest(value: Any) -> float:  # noqa: ANN401 - a fraction or a logarithm
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
