"""A sweep as a TOML file states it: questions with lists of values, whose product are the cells.

::

    question.privacy = {kind = "pure", epsilon = ["0.5", "1", "ln 2"]}   # above the first [[grid]]: for all

    [[grid]]
    [grid.question]
    query = {kind = "count", smallest = 0, largest = [5, 10]}            # 3 x 2 x 2 cells
    objective.loss = ["absolute", "squared"]                             # the last list varies fastest

Without a ``[[grid]]`` the file is one grid. Where one value is itself a list, as the distances of residues
are, several of them are a list of lists: ``distances = [[1], [1, 2]]``. A whole part may vary as well, as a
list of tables; several privacies that hold at once are one value, so that several of those are lists in a
list.
"""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING, Any

from optmech.analysis.sweep.cell import EFFORT, SETTINGS, Cell
from optmech.base.errors import OptmechError, ProblemError, broken_rule
from optmech.base.whole_files import read_toml
from optmech.designs.order import ENGINES
from optmech.models import solvers
from optmech.models.solvers.options import SolveOptions
from optmech.question.losses.tables import OBJECTIVE_KEYS
from optmech.question.schema import KEYS_OF_KIND
from optmech.question.table import PARTS, QUESTION_EXAMPLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike

    from optmech.question.keys import KeyForm

    KeyPath = tuple[str, ...]
    Axes = dict[KeyPath, list[Any]]

MOST_CELLS = 1_000_000
# A value that a small question refuses may fit a large one.
_SIZES = ("records", "modulus", "half_width", "smallest", "largest")
# Truths: the matrices of a question with more take a second, and soon more memory than there is.
_LARGE = 2000


def read_spec(path: str | PathLike[str]) -> tuple[Cell, ...]:
    """Return the cells of a spec in its order, those that are asked twice once.

    A value that no cell can be asked with is an error here, unless only large cells have it. A combination
    that cannot be asked, or a cell too large for memory, is a cell like others, whose answer says so.
    """
    content = read_toml(path)
    grids = content.pop("grid", [{}])
    if not isinstance(grids, list) or not grids or not all(isinstance(grid, dict) for grid in grids):
        raise broken_rule("grid", f"be written [[grid]] in {path}, once for each grid", str(grids)[:60])
    tables = [_merged(content, grid) for grid in grids]
    cells: dict[str, Cell] = {}
    axes = [_axes(table, f"{path}, grid {number}") for number, table in enumerate(tables, start=1)]
    size = sum(math.prod(len(values) for values in grid.values()) for grid in axes)
    if size > MOST_CELLS:
        raise broken_rule(path, f"have at most {MOST_CELLS} cells", size, "Split it into several files.")
    for number, grid in enumerate(axes, start=1):
        where = f"{path}, grid {number}"
        of_grid = [_cell(dict(zip(grid, values, strict=True)), where) for values in product(*grid.values())]
        _check(of_grid, where)
        cells |= {cell.key: cell for cell in of_grid if cell.key not in cells}
    return tuple(cells.values())


def _merged(common: Mapping[str, Any], grid: Mapping[str, Any]) -> dict[str, Any]:
    """Return a grid with what stands above all grids; tables are merged, and the grid has the last word."""
    merged = {**common, **grid}
    for name, part in grid.items():
        if isinstance(part, dict) and isinstance(common.get(name), dict):
            merged[name] = _merged(common[name], part)
    return merged


def _axes(table: dict[str, Any], where: str) -> Axes:
    """Return the values of each place of a grid, in the order of the file."""
    question = table.get("question")
    if not isinstance(question, dict):
        message = f"`question` must be a table in {where}, with `query` and `privacy`. {QUESTION_EXAMPLE}"
        raise ProblemError(message)
    for name in table:
        if name not in ("question", *SETTINGS):
            message = f"`{name}` is no key of {where}; it knows question, {', '.join(SETTINGS)}."
            raise ProblemError(message)
    axes: Axes = {}
    for name, value in table.items():
        axes |= _axes_of_question(value, where) if name == "question" else {(name,): _settings(value)}
    for name in EFFORT:
        if len(axes.get((name,), [])) > 1:
            raise broken_rule(
                name, f"be one value in {where}", "a list", "Cells that differ in it alone are one."
            )
    for path, values in axes.items():
        if not values:
            raise broken_rule(
                ".".join(path), f"have at least one value in {where}", "an empty list", "Leave it out."
            )
    return axes


def _settings(value: object) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _axes_of_question(question: dict[str, Any], where: str) -> Axes:
    axes: Axes = {}
    parts = {key.name: key.form for key in PARTS}
    for part, value in question.items():
        if isinstance(value, dict):
            axes |= {
                ("question", part, name): _values(_form(part, name, value), name, each)
                for name, each in value.items()
            }
        elif part == "privacy" and isinstance(value, list) and all(isinstance(one, dict) for one in value):
            axes["question", part] = [value]
        elif isinstance(value, list) and (part in ("query", "structure", "objective") or _has_lists(value)):
            axes["question", part] = value
        elif part in parts:
            axes["question", part] = _values(parts[part], part, value)
        else:
            message = f"`question.{part}` is no part of a question in {where}; it knows {', '.join(parts)}."
            raise ProblemError(message)
    return axes


def _has_lists(value: list[Any]) -> bool:
    return any(isinstance(each, list) for each in value)


def _form(part: str, name: str, table: Mapping[str, Any]) -> KeyForm | None:
    """Return the form of a key, ``None`` of a kind and of a key that no kind has."""
    kinds = table.get("kind")
    words = kinds if isinstance(kinds, list) else [kinds]
    of_kind = KEYS_OF_KIND.get(part, {})
    keys = [key for word in words if isinstance(word, str) for key in of_kind.get(word, ())]
    keys += OBJECTIVE_KEYS if part == "objective" else ()
    return next((key.form for key in keys if key.name == name), None)


def _values(form: KeyForm | None, name: str, value: Any) -> list[Any]:  # noqa: ANN401 - what TOML may hold
    """Return several values, or one; what is neither is refused where a cell reads it."""
    if not isinstance(value, list):
        return [value]
    if form is not None:
        try:
            form.read(value, name)
        except ProblemError:
            return value
        return [value]
    return value


def _cell(values: Mapping[KeyPath, Any], where: str) -> Cell:
    question: dict[str, Any] = {}
    settings: dict[str, Any] = {}
    for (first, *inside), value in values.items():
        if first != "question":
            settings[first] = value
        elif len(inside) == 1:
            question[inside[0]] = value
        else:
            question.setdefault(inside[0], {})[inside[1]] = value
    try:
        return Cell(question=question, settings=settings)
    except ProblemError as wrong:
        message = f"{where}: {wrong}"
        raise ProblemError(message) from None


def _pairs(cell: Cell) -> set[tuple[KeyPath, str]]:
    """Return the values of a cell with their paths."""
    pairs: set[tuple[KeyPath, str]] = {((name,), repr(value)) for name, value in cell.settings.items()}
    for part, value in cell.question.items():
        inside = value.items() if isinstance(value, dict) else [("", value)]
        pairs |= {((part, name), repr(each)) for name, each in inside}
    return pairs


def _check(cells: Iterable[Cell], where: str) -> None:
    """Raise for a value that breaks its rule in every cell that has it."""
    errors: dict[tuple[KeyPath, str], OptmechError] = {}
    sound: set[tuple[KeyPath, str]] = set()
    unknown: set[tuple[KeyPath, str]] = set()
    for cell in cells:
        pairs = _pairs(cell)
        if pairs <= sound:
            continue
        try:
            _check_settings(cell)
            if _is_large(cell.question["query"]):
                unknown |= {(path, value) for path, value in pairs if _may_fit(path, value)}
                continue
            cell.problem()
        except OptmechError as wrong:
            errors |= {value: wrong for value in pairs if value not in errors}
        except MemoryError:  # its row says so
            unknown |= pairs
        else:
            sound |= pairs
    for value, problems in errors.items():
        if value not in sound and value not in unknown:
            message = f"{where}: {problems}"
            raise ProblemError(message)


def _may_fit(path: KeyPath, value: str) -> bool:
    """Whether a value may be wrong for a small question and right for a large one."""
    return path[-1] in _SIZES or (value.startswith(("[", "{")) and path[0] != "properties")


def _is_large(query: Mapping[str, Any]) -> bool:
    """Whether a question has too many truths to make its matrices outside its worker."""
    size = query.get("records", 1) * query.get("modulus", 1) * math.prod(query.get("moduli", ()))
    size *= max(query.get("largest", 1) - query.get("smallest", 0), 1)
    return bool(size * len(query.get("labels") or query.get("truths") or (0,)) > _LARGE)


def _check_settings(cell: Cell) -> None:
    settings = dict(cell.settings)
    engine = settings.pop("engine", "auto")
    if engine not in ("auto", *ENGINES):
        raise broken_rule("engine", f"be one of auto, {', '.join(ENGINES)}", repr(engine))
    name = settings.pop("solver", "auto")
    if name != "auto":
        solvers.solver(name)
    SolveOptions(**settings)
