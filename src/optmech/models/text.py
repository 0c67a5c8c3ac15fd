r"""A model as text: free MPS and CPLEX LP, which HiGHS, GLPK and CBC read.

Numbers are written as the shortest decimal that reads back to the same double. (CBC's own reader is
off by one ulp for about a quarter of all doubles; HiGHS and GLPK are exact.)

Names
-----
MPS keeps every name: ``alpha[-1,2,1]``. The LP format knows no brackets and reads a minus as a sign, so
there ``[`` becomes ``(``, ``]`` becomes ``)`` and ``-`` becomes ``~``: ``alpha(~1,2,1)``. A name that a
reader would take for a number or a keyword (``e``, ``E1``, ``info``, ``free``, ``st`` …) gets a ``_`` in
front, and so does one that begins with ``_`` already. No two names become the same, because the name of a
block holds letters, digits, ``_`` and ``.`` only.

Limits of the formats
---------------------
- An objective offset is a column ``~offset`` fixed at one, last of all columns. The constant of a format
  has no agreed meaning: GLPK reads the sign of MPS unlike HiGHS and CBC and refuses the one of LP; CBC
  2.10.3 ignores the one of LP.
- Each column stands in the objective of the LP, if need be with cost 0, so that readers keep the order.
- MPS holds the far side of a ranged row as a width. Where no double gives that side back exactly, it
  moves by one unit in its last place, outwards.
- LP has no ranged rows: ``NAME`` holds the lower side and ``NAME~`` the upper one. It has no rows without
  bounds and no models without columns: the rows are left out, such a model is refused. GLPK wants at least
  one row: a model without any gets ``~none``, which says that 0 <= 0.
- MPS holds a row without bounds as a further ``N`` row, which most readers leave out.

Source: the reader of each solver, measured (tests/models/test_text.py).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from optmech.base.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats
    from optmech.models.linear_model import LinearModel


OFFSET = "~offset"
"""The column, fixed at one, that carries the offset of the objective in both formats."""

_TERMS_PER_LINE = 4  # CBC reads lines of at most 1,024 characters, CPLEX of 560
_BLOCK_NAME = re.compile(r"[A-Za-z0-9_.]+")
_LOOKS_LIKE_SOMETHING_ELSE = re.compile(
    r"_|[0-9.]|inf|nan|e([^a-z_]|e|$)|"
    r"(free|st|s\.t\.|subject|such|max\w*|min\w*|bounds?|gen\w*|int\w*|bin\w*|semi\w*|sos\w*|end)(\W|$)",
    re.IGNORECASE,
)
_LP_CHARACTERS = str.maketrans("[]-", "()~")


def lp_name(name: str) -> str:
    """Return `name` as it stands in the LP format."""
    prefix = "_" if _LOOKS_LIKE_SOMETHING_ELSE.match(name) else ""
    return prefix + name.translate(_LP_CHARACTERS)


def as_mps(model: LinearModel) -> str:
    """Return `model` in the free MPS format."""
    return "\n".join(_mps_lines(model))


def as_lp(model: LinearModel) -> str:
    """Return `model`, which has a column at least, in the CPLEX LP format, its names mapped by `lp_name`."""
    if model.num_columns == 0:
        message = f"model {model.name}: the LP format needs at least one column; got none. Use MPS."
        raise ModelError(message)
    return "\n".join(_lp_lines(model))


def _mps_lines(model: LinearModel) -> Iterator[str]:
    rows, columns = _checked_names(model)
    objective = _unused_name("objective", rows)
    sides = _pairs(model.row_lower, model.row_upper)
    senses = [_sense(lower, upper) for lower, upper in sides]
    yield f"NAME {model.name} FREE"
    yield "ROWS"
    yield f" N {objective}"
    yield from (f" {sense} {row}" for sense, row in zip(senses, rows, strict=True))
    yield "COLUMNS"
    yield from _mps_columns(model, objective, rows, columns)
    yield "RHS"
    for row, sense, (lower, upper) in zip(rows, senses, sides, strict=True):
        side = upper if sense == "L" else lower
        if sense != "N" and side:
            yield f" RHS {row} {side!r}"
    yield "RANGES"
    for row, sense, (lower, upper) in zip(rows, senses, sides, strict=True):
        if lower != upper and math.isfinite(lower) and math.isfinite(upper):
            yield f" RANGE {row} {_width(lower, upper, sense)!r}"
    yield "BOUNDS"
    bounds = _pairs(model.column_lower, model.column_upper)
    for column, (lower, upper), integer in zip(columns, bounds, model.integer.tolist(), strict=True):
        yield from _mps_bounds(column, lower, upper, integer=integer)
    if model.offset:
        yield f" FX BOUND {OFFSET} 1.0"
    yield "ENDATA"
    yield ""


def _mps_columns(model: LinearModel, objective: str, rows: list[str], columns: list[str]) -> Iterator[str]:
    matrix = sparse.csc_array(model.matrix)
    entries = list(zip(map(rows.__getitem__, matrix.indices.tolist()), matrix.data.tolist(), strict=True))
    starts = matrix.indptr.tolist()
    integer, inside = model.integer.tolist(), False
    for index, (column, cost) in enumerate(zip(columns, model.cost.tolist(), strict=True)):
        if integer[index] != inside:
            inside = not inside
            yield f" MARKER 'MARKER' '{'INTORG' if inside else 'INTEND'}'"
        mine = entries[starts[index] : starts[index + 1]]
        if cost or not mine:  # a column without entries must still be named once
            yield f" {column} {objective} {cost!r}"
        yield from (f" {column} {row} {value!r}" for row, value in mine)
    if inside:
        yield " MARKER 'MARKER' 'INTEND'"
    if model.offset:
        yield f" {OFFSET} {objective} {model.offset!r}"


def _mps_bounds(column: str, lower: float, upper: float, *, integer: bool) -> Iterator[str]:
    """Yield the bounds of one column, explicit wherever readers disagree on defaults."""
    if lower == upper:
        yield f" FX BOUND {column} {lower!r}"
    elif lower == -math.inf and upper == math.inf:
        yield f" FR BOUND {column}"
    else:
        if lower == -math.inf:
            yield f" MI BOUND {column}"
        elif lower != 0 or upper < 0:
            yield f" LO BOUND {column} {lower!r}"
        if upper < math.inf:
            yield f" UP BOUND {column} {upper!r}"
        elif integer:  # some readers take an integer column without bounds for a binary one
            yield f" PL BOUND {column}"


def _lp_lines(model: LinearModel) -> Iterator[str]:
    rows, columns = ([lp_name(name) for name in names] for names in _checked_names(model))
    costs = [f"{value!r} {column}" for value, column in zip(model.cost.tolist(), columns, strict=True)]
    if model.offset:
        costs.append(f"{model.offset!r} {OFFSET}")
    yield f"\\ {model.name}"
    yield "Minimize"
    yield from _expression(_unused_name("objective", rows), costs)
    yield "Subject To"
    nothing = _expression("~none", [f"0.0 {columns[0]}"], "<= 0.0")
    has_bound = np.isfinite(model.row_lower) | np.isfinite(model.row_upper)
    yield from _lp_rows(model, rows, columns) if has_bound.any() else nothing
    yield "Bounds"
    for column, (lower, upper) in zip(columns, _pairs(model.column_lower, model.column_upper), strict=True):
        yield from _lp_bounds(column, lower, upper)
    if model.offset:
        yield f" {OFFSET} = 1.0"
    binary = model.integer & (model.column_lower == 0) & (model.column_upper == 1)
    for heading, mask in (("Generals", model.integer & ~binary), ("Binaries", binary)):
        if mask.any():
            yield heading
            yield from (f" {columns[index]}" for index in np.flatnonzero(mask).tolist())
    yield "End"
    yield ""


def _lp_rows(model: LinearModel, rows: list[str], columns: list[str]) -> Iterator[str]:
    matrix = model.matrix
    numbers = zip(matrix.data.tolist(), matrix.indices.tolist(), strict=True)
    entries = [f"{value!r} {columns[column]}" for value, column in numbers]
    starts = matrix.indptr.tolist()
    for index, (lower, upper) in enumerate(_pairs(model.row_lower, model.row_upper)):
        row, terms = rows[index], entries[starts[index] : starts[index + 1]] or [f"0.0 {columns[0]}"]
        if lower == upper:
            yield from _expression(row, terms, f"= {lower!r}")
            continue
        if lower > -math.inf:
            yield from _expression(row, terms, f">= {lower!r}")
            row += "~"
        if upper < math.inf:
            yield from _expression(row, terms, f"<= {upper!r}")


def _lp_bounds(column: str, lower: float, upper: float) -> Iterator[str]:
    if lower == upper:
        yield f" {column} = {lower!r}"
    elif lower == -math.inf and upper == math.inf:
        yield f" {column} free"
    elif lower != 0 or upper < math.inf:
        low = repr(lower) if lower > -math.inf else "-inf"
        high = repr(upper) if upper < math.inf else "+inf"
        yield f" {low} <= {column} <= {high}"


def _expression(name: str, terms: list[str], relation: str = "") -> Iterator[str]:
    """Yield a row of the LP format on lines of a length that every reader accepts."""
    terms_with_signs = [f"- {term[1:]}" if term[0] == "-" else f"+ {term}" for term in terms]
    head = f" {name}: "
    for start in range(0, len(terms_with_signs), _TERMS_PER_LINE):
        yield head + " ".join(terms_with_signs[start : start + _TERMS_PER_LINE])
        head = "  "
    if relation:
        yield f"  {relation}"


def _checked_names(model: LinearModel) -> tuple[list[str], list[str]]:
    """Return the names of rows and columns; raise ProblemError if a reader could confuse two."""
    for block in (*model.rows, *model.columns):
        if not _BLOCK_NAME.fullmatch(block.name):
            message = (
                f"model {model.name}: the name of a block must hold letters, digits, _ and . only to be "
                f"written as text; got {block.name!r}. Rename it."
            )
            raise ModelError(message)
    rows, columns = model.row_names(), model.column_names()
    for names in (rows, columns):
        if len(set(names)) != len(names):
            twice = Counter(names).most_common(1)[0][0]
            message = f"model {model.name}: names must differ to be written as text; got {twice} twice"
            raise ModelError(message)
    return rows, columns


def _sense(lower: float, upper: float) -> str:
    """Return the MPS letter of a row; a ranged row uses the side that keeps its width exact."""
    if lower == upper:
        return "E"
    if math.isinf(lower) or math.isinf(upper):
        return "G" if math.isfinite(lower) else "L" if math.isfinite(upper) else "N"
    if lower + _width(lower, upper, "G") == upper:
        return "G"
    if upper - _width(lower, upper, "L") == lower:
        return "L"
    return "G" if abs(upper) >= abs(lower) else "L"  # the larger number has the larger last place


def _width(lower: float, upper: float, sense: str) -> float:
    """Return the range of a row that a reader adds to its lower (G) or takes from its upper side (L)."""
    width = upper - lower
    guesses = (width, math.nextafter(width, 0), math.nextafter(width, math.inf))
    for guess in guesses:
        if (lower + guess == upper) if sense == "G" else (upper - guess == lower):
            return guess
    return next(
        guess
        for guess in sorted(guesses)
        if ((lower + guess > upper) if sense == "G" else (upper - guess < lower))
    )


def _unused_name(name: str, names: list[str]) -> str:
    while name in names:
        name += "_"
    return name


def _pairs(lower: Floats, upper: Floats) -> list[tuple[float, float]]:
    return list(zip(lower.tolist(), upper.tolist(), strict=True))
