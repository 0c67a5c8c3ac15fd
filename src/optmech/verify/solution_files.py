"""Solution files of other solvers for the exported model: the values of its columns by name.

HiGHS, raw        ``Model status``, the status, ``# Primal solution values``, ``Feasible``, the objective,
                  ``# Columns N``, then a line ``NAME VALUE`` each; where N is negative, only of those
                  that are not zero
HiGHS, pretty     ``Columns``, headings that end in ``Name``, then a line each, ``Primal`` in six digits
CBC, Clp          ``STATUS - objective value VALUE``, of older Clp on two lines, then a line
                  ``INDEX NAME VALUE REDUCED-COST`` each, of rows first where all is printed, ``**`` in
                  front where a bound is broken
GLPK, -o          ``Problem:``, ``Rows:`` … ``Status:``, a table of rows, then one of columns in six digits;
                  a long name has a line to itself
GLPK, -w          ``s bas|ipt|mip ROWS COLUMNS STATUS … OBJECTIVE``, then ``j INDEX … VALUE`` of each column,
                  without names
SCIP              ``solution status: STATUS``, ``objective value: VALUE``, then ``NAME VALUE (obj:COST)`` of
                  each column that is not zero
Gurobi            ``# Objective value = VALUE``, then a line ``NAME VALUE`` each

Names are those of the exported model, as MPS or LP writes them.
"""

from __future__ import annotations

import re
from itertools import dropwhile
from typing import TYPE_CHECKING, NamedTuple

from optmech.base.errors import FileFormatError

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    Pairs = list[tuple[str, str]]

_MODEL_STATUS = "Model status"
_OBJECTIVE = re.compile(r"Objective value\s+\S+")
_GUROBI = re.compile("# Solution for model|# Objective value = ")
_COLUMNS = re.compile(r"# Columns (-?\d+)")
_NOT_SOLVED = re.compile("infeasible|unbounded|undefined|empty|no solution", re.IGNORECASE)
# The states of a basis, and the mark of a whole number, in front of a value.
_MARKS = frozenset({"B", "NL", "NU", "NF", "NS", "*"})
_STATUSES_OF_GLPK = {"o": "OPTIMAL", "f": "FEASIBLE", "i": "INFEASIBLE", "n": "EMPTY", "u": "UNDEFINED"}
# The place of a column's value behind its index, and how many words say the status, by the kind of solution.
_KINDS_OF_GLPK = {"bas": (1, 2), "ipt": (0, 1), "mip": (0, 1)}
_NOT_READ = {"<?xml": "CPLEX", "<CPLEXSolution": "CPLEX", "Value of objective function": "lp_solve"}


class SolutionInFile(NamedTuple):
    """A solver, its status, and values by name.

    Where the file has no names they are 1, 2, …, in the order of the model; the objective says whether they
    are of this model.
    """

    solver: str
    status: str
    pairs: Pairs
    objective: str | None = None


def solution_in_file(lines: list[str], path: str | PathLike[str]) -> SolutionInFile | None:
    """Return the solution that the lines of a file state, none of them empty; ``None`` where they state none.

    FileFormatError: it is of a solver that is not read, is no solution, or is cut off.
    """
    first, second = (*lines[:2], "", "")[:2]
    other = next((name for beginning, name in _NOT_READ.items() if first.startswith(beginning)), None)
    if other is not None:
        rule = f"must be a solution file of {', '.join(dict.fromkeys(name for name, *_ in _READERS))}"
        remedy = "Write the solution as one of these do."
        raise _refusal(path, rule, f"one of {other}", remedy)
    for name, begins, read in _READERS:
        if begins(first, second):
            solution = read(name, lines, path)
            if _NOT_SOLVED.search(solution.status):
                raise _refusal(path, "must hold a solution of the exported model", _status(solution.status))
            return solution
    return None


def _highs_raw(solver: str, lines: list[str], path: str | PathLike[str]) -> SolutionInFile:
    status = lines[1] if len(lines) > 1 else "nothing"
    start = next((at for at, line in enumerate(lines) if _COLUMNS.fullmatch(line)), None)
    if start is None:
        raise _refusal(path, "must hold values of columns, below `# Columns`", _status(status))
    number = abs(int(lines[start].split()[-1]))
    cells = [line.split() for line in lines[start + 1 : start + 1 + number]]
    if len(cells) < number:
        raise _refusal(path, f"must have a name and a value of each of {number} columns", "fewer")
    return SolutionInFile(solver, status, _pairs(cells, 0, 1, path))


def _highs_pretty(solver: str, lines: list[str], path: str | PathLike[str]) -> SolutionInFile:
    headings = lines[1].split() if len(lines) > 1 else []
    if "Primal" not in headings or headings[-1] != "Name":
        raise _refusal(path, "must have headings with Primal and Name", repr(" ".join(headings)))
    end = lines.index("Rows") if "Rows" in lines else len(lines)
    status = next(
        (line.partition(":")[2].strip() for line in lines if line.startswith(_MODEL_STATUS)), "no status"
    )
    cells = [line.split() for line in lines[2:end]]
    # Of a model with whole numbers the status, in front of the value, and the dual are blank.
    blanks = len(headings) - len(cells[0]) if cells else 0
    if any(len(row) != len(headings) - blanks for row in cells) or blanks not in {0, 2}:
        raise _refusal(path, f"must have {len(headings)} words in each line of a column", "another number")
    return SolutionInFile(solver, status, _pairs(cells, -1, headings.index("Primal") - blanks // 2, path))


def _cbc(solver: str, lines: list[str], path: str | PathLike[str]) -> SolutionInFile:
    status = lines[0].partition(" - objective value")[0]
    start = 2 if _OBJECTIVE.fullmatch(lines[1] if len(lines) > 1 else "") else 1
    cells = [line.removeprefix("**").split() for line in lines[start:]]
    return SolutionInFile(solver, status, _pairs(cells, 1, 2, path))


def _glpk_report(solver: str, lines: list[str], path: str | PathLike[str]) -> SolutionInFile:
    status = next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("Status:")), "no status"
    )
    table = list(dropwhile(lambda line: not line.startswith("No. Column name"), lines))[2:]
    cells: list[list[str]] = []
    for row in map(str.split, _until(table, ("Karush", "Integer feasibility", "End of output"))):
        if cells and len(cells[-1]) == 2:  # noqa: PLR2004 - an index and a long name
            cells[-1] += row
        else:
            cells.append(row)
    plain = [[*row[:2], *(row[3:] if row[2:3] and row[2] in _MARKS else row[2:])] for row in cells]
    return SolutionInFile(solver, status, _pairs(plain, 1, 2, path))


def _until(lines: list[str], ends: tuple[str, ...]) -> list[str]:
    end = next((at for at, line in enumerate(lines) if line.startswith(ends)), len(lines))
    return lines[:end]


def _glpk_plain(solver: str, lines: list[str], path: str | PathLike[str]) -> SolutionInFile:
    words = [line.split() for line in lines if not line.startswith("c")]
    kind, *sizes = words[0][1:] if words and words[0][0] == "s" else [""]
    if kind not in _KINDS_OF_GLPK or len(sizes) < 3 or not sizes[1].isdecimal():  # noqa: PLR2004 - rows, columns, status
        rule = "must have a line `s bas`, `s ipt` or `s mip` below its comments"
        raise _refusal(path, rule, repr(" ".join(words[0])) if words else "none")
    behind, length = _KINDS_OF_GLPK[kind]
    letters = sizes[2 : 2 + length]
    # A basis is optimal where it is feasible for the model and for its dual.
    status = "OPTIMAL" if letters == ["f", "f"] else _STATUSES_OF_GLPK.get(letters[0], repr(letters[0]))
    columns = [row[1:] for row in words if row[0] == "j"]
    if len(columns) != int(sizes[1]):
        raise _refusal(path, f"must have a value of each of {sizes[1]} columns", f"{len(columns)}")
    return SolutionInFile(solver, status, _pairs(columns, 0, 1 + behind, path), sizes[-1])


def _scip(solver: str, lines: list[str], path: str | PathLike[str]) -> SolutionInFile:
    status = lines[0].partition(":")[2].strip()
    if "no solution available" in lines:
        return SolutionInFile(solver, f"{status}, no solution available", [])
    return SolutionInFile(solver, status, _pairs([line.split() for line in lines[2:]], 0, 1, path))


def _gurobi(solver: str, lines: list[str], path: str | PathLike[str]) -> SolutionInFile:
    cells = [line.split() for line in lines if not line.startswith("#")]
    return SolutionInFile(solver, "with an objective", _pairs(cells, 0, 1, path))


if TYPE_CHECKING:
    _Begins = Callable[[str, str], object]
    _Reader = Callable[[str, list[str], str | PathLike[str]], SolutionInFile]

_READERS: tuple[tuple[str, _Begins, _Reader], ...] = (
    ("HiGHS", lambda first, _: first == _MODEL_STATUS, _highs_raw),
    ("HiGHS", lambda first, _: first == "Columns", _highs_pretty),
    (
        "CBC or Clp",
        lambda first, second: " - objective value " in first or _OBJECTIVE.fullmatch(second),
        _cbc,
    ),
    (
        "GLPK",
        lambda first, second: first.startswith("Problem:") and second.startswith("Rows:"),
        _glpk_report,
    ),
    ("GLPK", lambda first, _: re.match("c Problem:|s (bas|ipt|mip) ", first), _glpk_plain),
    ("SCIP", lambda first, _: first.startswith("solution status:"), _scip),
    ("Gurobi", lambda first, second: _GUROBI.match(first) or _GUROBI.match(second), _gurobi),
)


def _pairs(cells: list[list[str]], name: int, value: int, path: str | PathLike[str]) -> Pairs:
    if any(len(row) <= max(name, value) for row in cells):
        raise _refusal(path, "must have a name and a value of each column", "fewer words in a line")
    return [(row[name], row[value]) for row in cells]


def _status(text: str) -> str:
    return f"the status {text!r}"


def _refusal(path: str | PathLike[str], rule: str, value: str, remedy: str = "") -> FileFormatError:
    return FileFormatError(f"`{path}` {rule}; got {value}.{remedy and ' ' + remedy}")
