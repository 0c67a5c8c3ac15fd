"""Files that hold a matrix without its names: solution files of the exported model, and tables of numbers.

Plain table       numbers alone, with commas, semicolons, tabs or spaces between them; lines that begin with
                  ``#`` are comments
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from optmech.base.errors import FileFormatError, ProblemError, unreadable
from optmech.base.numbers import as_text, exact
from optmech.base.wording import plural
from optmech.models.formulations.assemble import assemble
from optmech.models.text import OFFSET, lp_name
from optmech.verify.solution_files import solution_in_file

if TYPE_CHECKING:
    from fractions import Fraction
    from os import PathLike

    from optmech.models.linear_model import LinearModel
    from optmech.question.problem import Problem
    from optmech.verify.solution_files import SolutionInFile

    Values = dict[str, str]
    Table = list[list[Fraction]]

_BETWEEN = re.compile(r"[,;\s]+")
# An objective that differs by more than rounding, relatively, is of columns in another order.
_ROUNDING = 1e-6


class MatrixInFile(NamedTuple):
    """A matrix, or values of the exported model's columns by name, and a sentence on how it was read."""

    matrix: Table | Values
    reading: str


def matrix_in_file(path: str | PathLike[str], problem: Problem, sum_rounding: float) -> MatrixInFile | None:
    """Return what a file without names of truths and responses holds, ``None`` of one that has them.

    FileFormatError: the file cannot be read, or is neither a solution of the exported model nor a table.
    """
    lines = _lines(path)
    solution = solution_in_file(lines, path)
    if solution is None:
        table = _table(lines)
        return None if table is None else _oriented(table, problem, path, sum_rounding)
    values = _of_model(solution, problem, path)
    model = f"the model of `optmech export-model`: {solution.status}"
    return MatrixInFile(values, f"Read as a solution file of {solution.solver} for {model}.")


def _lines(path: str | PathLike[str]) -> list[str]:
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise unreadable(path, error) from None
    except ValueError as error:
        raise _refusal(path, "must be text in UTF-8", str(error)) from None
    return [line.strip() for line in text.splitlines() if line.strip()]


def _of_model(solution: SolutionInFile, problem: Problem, path: str | PathLike[str]) -> Values:
    """Return the values of columns under the names of MPS; those of rows and of the offset are left out."""
    model = assemble(problem).model
    values = dict(solution.pairs)
    if solution.objective is not None:
        columns = [*model.column_names(), *([OFFSET] if model.offset else [])]
        values = _in_order(solution.pairs, columns, path)
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
    if solution.objective is not None:
        _need_objective(solution.objective, known, model, path)
    return known


def _in_order(pairs: list[tuple[str, str]], columns: list[str], path: str | PathLike[str]) -> Values:
    """Return values under the names of the columns, which the file gives by their numbers alone."""
    if [name for name, _ in pairs] != [str(number) for number in range(1, len(columns) + 1)]:
        raise _refusal(
            path, f"must have a value of each of {len(columns)} columns, in order", f"{len(pairs)}"
        )
    return {name: value for name, (_, value) in zip(columns, pairs, strict=True)}


def _need_objective(stated: str, known: Values, model: LinearModel, path: str | PathLike[str]) -> None:
    """Refuse values without names whose objective is not the one that the file states."""
    values = np.array([float(exact(known[name], "value")) for name in model.column_names()])
    objective = float(model.cost @ values + model.offset)
    try:
        is_same = abs(float(exact(stated, "objective")) - objective) <= _ROUNDING * max(1.0, abs(objective))
    except ProblemError:
        is_same = False
    if not is_same:
        rule = (
            f"must have the columns of the exported model in its order, with the objective {objective:.10g}"
        )
        raise _refusal(path, f"{rule}; a file without names says no more", stated)


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
