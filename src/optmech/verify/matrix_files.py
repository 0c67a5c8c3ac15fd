"""Files that hold a matrix without its names: solution files of HiGHS and CBC, and plain tables of numbers.

HiGHS, raw        ``Model status``, the status, ``# Primal solution values``, ``Feasible``, the objective,
                  ``# Columns N``, then a line ``NAME VALUE`` each; where N is negative, only of those
                  that are not zero
HiGHS, pretty     ``Columns``, headings that end in ``Name``, then a line each, ``Primal`` in six digits
CBC               ``STATUS - objective value VALUE``, then a line ``INDEX NAME VALUE REDUCED-COST`` each,
                  of rows first where all is printed, ``**`` in front where a bound is broken

Names are those of the exported model, as MPS or LP writes them.

Plain table       numbers alone, with commas, semicolons, tabs or spaces between them; lines that begin with
                  ``#`` are comments
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from optmech.base.errors import FileFormatError, ProblemError, unreadable
from optmech.base.numbers import as_text, exact
from optmech.base.wording import plural
from optmech.models.formulations.assemble import assemble
from optmech.models.text import OFFSET, lp_name

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction
    from os import PathLike

    from optmech.question.problem import Problem

    Values = dict[str, str]
    Table = list[list[Fraction]]

_PRETTY, _RAW = "Columns", "Model status"
_CBC = re.compile(r"(.+) - objective value \S+")
_COLUMNS = re.compile(r"# Columns (-?\d+)")
_BETWEEN = re.compile(r"[,;\s]+")
_NOT_SOLVED = re.compile("infeasible|unbounded", re.IGNORECASE)


class MatrixInFile(NamedTuple):
    """A matrix, or values of the exported model's columns by name, and a sentence on how it was read."""

    matrix: Table | Values
    reading: str


def matrix_in_file(path: str | PathLike[str], problem: Problem, sum_rounding: float) -> MatrixInFile | None:
    """Return what a file without names of truths and responses holds, ``None`` of one that has them.

    FileFormatError: the file cannot be read, or is neither a solution of the exported model nor a table.
    """
    lines = _lines(path)
    solver = _solver_of(lines)
    if solver is None:
        table = _table(lines)
        return None if table is None else _oriented(table, problem, path, sum_rounding)
    name, read = solver
    status, pairs = read(lines, path)
    if _NOT_SOLVED.search(status):
        raise _refusal(path, "must hold a solution of the exported model", f"the status {status!r}")
    values = _of_model(dict(pairs), problem, path)
    model = "optmech export-model"
    return MatrixInFile(values, f"Read as a solution file of {name} for the model of `{model}`: {status}.")


def _lines(path: str | PathLike[str]) -> list[str]:
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise unreadable(path, error) from None
    except ValueError as error:
        raise _refusal(path, "must be text in UTF-8", str(error)) from None
    return [line.strip() for line in text.splitlines() if line.strip()]


def _solver_of(lines: list[str]) -> tuple[str, _Reader] | None:
    """Return the solver whose solution file begins like this, with its reader."""
    first = lines[0] if lines else ""
    if first == _RAW:
        return "HiGHS", _highs_raw
    if first == _PRETTY:
        return "HiGHS", _highs_pretty
    return ("CBC", _cbc) if _CBC.fullmatch(first) else None


def _highs_raw(lines: list[str], path: str | PathLike[str]) -> tuple[str, list[tuple[str, str]]]:
    status = lines[1] if len(lines) > 1 else "nothing"
    start = next((at for at, line in enumerate(lines) if _COLUMNS.fullmatch(line)), None)
    if start is None:
        raise _refusal(path, "must hold values of columns, below `# Columns`", f"the status {status!r}")
    number = abs(int(lines[start].split()[-1]))
    pairs = [tuple(line.split()[:2]) for line in lines[start + 1 : start + 1 + number]]
    if len(pairs) < number or any(len(pair) < 2 for pair in pairs):  # noqa: PLR2004 - a name and a value
        raise _refusal(path, f"must have a name and a value of each of {number} columns", "fewer")
    return status, pairs  # type: ignore[return-value]


def _highs_pretty(lines: list[str], path: str | PathLike[str]) -> tuple[str, list[tuple[str, str]]]:
    headings = lines[1].split() if len(lines) > 1 else []
    if "Primal" not in headings or headings[-1] != "Name":
        raise _refusal(path, "must have headings with Primal and Name", repr(" ".join(headings)))
    place = headings.index("Primal")
    end = lines.index("Rows") if "Rows" in lines else len(lines)
    status = next((line.partition(":")[2].strip() for line in lines if line.startswith(_RAW)), "no status")
    cells = [line.split() for line in lines[2:end]]
    if any(len(row) != len(headings) for row in cells):
        raise _refusal(path, f"must have {len(headings)} words in each line of a column", "another number")
    return status, [(row[-1], row[place]) for row in cells]


def _cbc(lines: list[str], path: str | PathLike[str]) -> tuple[str, list[tuple[str, str]]]:
    status = lines[0].partition(" - objective value")[0]
    cells = [line.removeprefix("**").split() for line in lines[1:]]
    if any(len(row) < 3 for row in cells):  # noqa: PLR2004 - an index, a name and a value
        raise _refusal(path, "must have an index, a name and a value in each line", "fewer words")
    return status, [(row[1], row[2]) for row in cells]


if TYPE_CHECKING:
    _Reader = Callable[[list[str], str | PathLike[str]], tuple[str, list[tuple[str, str]]]]


def _of_model(values: Values, problem: Problem, path: str | PathLike[str]) -> Values:
    """Return the values of columns under the names of MPS; those of rows and of the offset are left out."""
    model = assemble(problem).model
    names = {lp_name(name): name for name in model.column_names()}
    names |= {name: name for name in names.values()}
    rows = {form for name in model.row_names() for form in (name, lp_name(name), f"{lp_name(name)}~")}
    stranger = next(
        (name for name in values if name not in names and name not in rows and name != OFFSET), None
    )
    known = {names[name]: value for name, value in values.items() if name in names}
    if stranger is not None or not known:
        first = next(iter(names.values()))
        rule = (
            f"must name columns of the model that `optmech export-model` writes of this question ({first}, …)"
        )
        raise _refusal(path, rule, "none of them" if stranger is None else repr(stranger))
    for name, value in known.items():
        try:
            exact(value, "value")
        except ProblemError:
            raise _refusal(path, f"must have a number for {name}", repr(value)) from None
    return known


def _table(lines: list[str]) -> Table | None:
    """Return the numbers of a plain table; ``None`` where a cell is none, or rows differ in length."""
    rows = [_BETWEEN.split(line.rstrip(",;")) for line in lines if not line.startswith("#")]
    if not rows or len({len(row) for row in rows}) > 1:
        return None
    try:
        return [[exact(cell, "cell") for cell in row] for row in rows]
    except ProblemError:
        return None


def _oriented(
    table: Table, problem: Problem, path: str | PathLike[str], sum_rounding: float
) -> MatrixInFile | None:
    """Return a table with responses in rows, as its shape and its sums say, or ``None``: it has names."""
    responses, truths = problem.query.num_responses, problem.query.num_truths
    shape = len(table), len(table[0])
    if shape not in {(responses, truths), (truths, responses)}:
        if shape == (responses + 1, truths + 1):
            return None
        size = f"{plural(responses, 'response')} by {plural(truths, 'truth')}"
        rule = f"must have {size}, with their names or without"
        raise _refusal(path, rule, f"{shape[0]} rows of {shape[1]} numbers")
    turned = [list(column) for column in zip(*table, strict=True)]
    fits = [
        (len(each), len(each[0])) == (responses, truths)
        and all(abs(sum(column) - 1) <= sum_rounding for column in zip(*each, strict=True))
        for each in (table, turned)
    ]
    if not any(fits):
        raise _refusal(
            path, f"must have rows or columns that sum to one within {sum_rounding:g}", "other sums"
        )
    rows, columns = ("responses", "truths") if fits[0] else ("truths", "responses")
    why = f"{'columns' if fits[0] else 'rows'} sum to one"
    why += "; so do the others: turn the file if it is not so" if all(fits) and table != turned else ""
    ends = {
        "responses": [response.midpoint for response in problem.query.responses],
        "truths": problem.query.truths,
    }
    named = {
        name: f"{name} {as_text(min(values))} to {as_text(max(values))}" for name, values in ends.items()
    }
    sentence = f"Read without names: rows are the {named[rows]}, columns the {named[columns]}, since {why}."
    return MatrixInFile(table if fits[0] else turned, sentence)


def _refusal(path: str | PathLike[str], rule: str, value: str) -> FileFormatError:
    return FileFormatError(f"`{path}` {rule}; got {value}.")
