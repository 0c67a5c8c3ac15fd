"""A sweep as a TOML file states it: lists of values, whose product are the cells.

::

    epsilon = ["0.5", "1", "ln 2"]       # above the first [[grid]]: for all of them

    [[grid]]
    formulation = "croft"
    query = "count"
    range = ["0:5", "0:10"]              # 3 x 2 x 2 cells; the last list varies fastest
    loss = ["absolute", "squared"]

Without a ``[[grid]]`` the file is one grid. Where one value is itself a list, as the distances of residues
are, several of them are a list of lists: ``distances = [[1], [1, 2]]``. The vectors of one query are then
written ``distances = [[[0, 1], [1, 0]]]``.
"""

from __future__ import annotations

import math
import re
from itertools import product
from typing import TYPE_CHECKING, Any

from optmech.analysis.sweep.cell import EFFORT, SETTINGS, Cell
from optmech.base.errors import OptmechError, ProblemError, broken_rule
from optmech.base.whole_files import read_toml
from optmech.designs.choice import ENGINES
from optmech.models import solvers
from optmech.models.solvers.options import SolveOptions
from optmech.question.problems.named import FORMULATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from os import PathLike

MOST_CELLS = 1_000_000
_SIZES, _RANGES = ("records", "modulus", "half_width"), ("range", "counts")
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
    tables = [{**content, **grid} for grid in grids]
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


def _axes(table: dict[str, Any], where: str) -> dict[str, list[Any]]:
    formulation = table.get("formulation")
    if not isinstance(formulation, str) or formulation not in FORMULATIONS:
        description = "none" if formulation is None else repr(formulation)
        raise broken_rule("formulation", f"be one of {', '.join(FORMULATIONS)} in {where}", description)
    _, needed_names, optional = FORMULATIONS[formulation]
    names = ("formulation", *needed_names, "exp_epsilon", *optional, *SETTINGS)
    for name in table:
        if name not in names:
            message = f"`{name}` is no key of {formulation} in {where}; it knows {', '.join(names)}."
            raise ProblemError(message)
    axes = {name: _values(name, value, where) for name, value in table.items()}
    for name in EFFORT:
        if len(axes.get(name, [])) > 1:
            raise broken_rule(
                name, f"be one value in {where}", "a list", "Cells that differ in it alone are one."
            )
    return axes


def _values(name: str, value: object, where: str) -> list[Any]:
    values = value if isinstance(value, list) and not _is_one_value(name, value) else [value]
    if not values:
        remedy = "For no property at all write [[]]." if name == "properties" else "Leave it out."
        raise broken_rule(name, f"have at least one value in {where}", "an empty list", remedy)
    for each in values:
        if not _is_plain(each) or (isinstance(each, list) and not _is_one_value(name, each, alone=False)):
            raise broken_rule(
                name, f"be text, a number, true or false, or a list of these in {where}", str(each)[:60]
            )
    return values


def _is_plain(value: object) -> bool:
    return all(map(_is_plain, value)) if isinstance(value, list) else isinstance(value, (str, int, float))


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_row(value: object) -> bool:
    """Whether it is a row of a matrix, or an edge of a graph: numbers, or texts that may be such."""
    return isinstance(value, list) and all(_is_number(item) or _is_text(item) for item in value)


def _is_probability(value: object) -> bool:
    """Whether it is a number, or a text of one such as ``"1/3"``: a name is a prior by itself."""
    return _is_number(value) or (isinstance(value, str) and value.strip()[:1].isdigit())


# What one value of a choice looks like where it is a list.
_LISTS: dict[str, Callable[[Any], bool]] = {
    "distances": _is_number,
    "moduli": _is_number,
    "of": _is_text,
    "edges": _is_row,
    "distance": _is_row,
    "prior": _is_probability,
    "cost": _is_number,
    "properties": _is_text,
    "bounds": _is_text,
    "loss": lambda item: isinstance(item, list) and all(map(_is_number, item)),
}


def _is_one_value(name: str, value: list[Any], *, alone: bool = True) -> bool:
    """Whether a list is one value of `name`; an empty one is, unless it stands `alone`."""
    if name == "distances" and not alone and all(isinstance(item, list) for item in value):
        return all(_is_one_value(name, item) for item in value)  # of vectors
    return name in _LISTS and all(map(_LISTS[name], value)) and bool(value or not alone)


def _cell(values: dict[str, Any], where: str) -> Cell:
    formulation = values.pop("formulation")
    settings = {name: values.pop(name) for name in SETTINGS if name in values}
    try:
        return Cell(formulation=formulation, choices=values, settings=settings)
    except ProblemError as wrong:
        message = f"{where}: {wrong}"
        raise ProblemError(message) from None


def _check(cells: Iterable[Cell], where: str) -> None:
    """Raise for a value that breaks its rule in every cell that has it."""
    trouble: dict[tuple[str, str], OptmechError] = {}
    sound: set[tuple[str, str]] = set()
    pairs: set[tuple[str, str]] = set()
    for cell in cells:
        own_pairs = {(name, repr(value)) for name, value in (*cell.choices.items(), *cell.settings.items())}
        if own_pairs <= sound:
            continue
        try:
            _check_settings(cell)
            if _is_large(cell.choices):
                pairs |= {(name, repr(value)) for name, value in cell.choices.items() if _fits(name, value)}
                continue
            cell.problem()
        except OptmechError as wrong:
            trouble |= {value: wrong for value in own_pairs if value not in trouble}
        except MemoryError:  # its row says so
            pairs |= own_pairs
        else:
            sound |= own_pairs
    for value, problems in trouble.items():
        if value not in sound and value not in pairs:
            message = f"{where}: {problems}"
            raise ProblemError(message)


def _fits(name: str, value: object) -> bool:
    """Whether a value may be wrong for a small question and right for a large one."""
    return name in (*_SIZES, *_RANGES) or (isinstance(value, list) and name != "properties")


def _is_large(choices: Mapping[str, Any]) -> bool:
    """Whether a question has so many truths that its matrices should be made by its worker alone."""
    size = math.prod(int(choices[name]) for name in _SIZES if isinstance(choices.get(name), int))
    for name in _RANGES:
        ends = re.fullmatch(r"([+-]?\d{1,18}):([+-]?\d{1,18})", str(choices.get(name)))
        size *= int(ends[2]) - int(ends[1]) if ends else 1
    return size > _LARGE


def _check_settings(cell: Cell) -> None:
    settings = dict(cell.settings)
    engine = settings.pop("engine", "auto")
    if engine not in ("auto", *ENGINES):
        raise broken_rule("engine", f"be one of auto, {', '.join(ENGINES)}", repr(engine))
    name = settings.pop("solver", "auto")
    if name != "auto":
        solvers.solver(name)
    SolveOptions(**settings)
