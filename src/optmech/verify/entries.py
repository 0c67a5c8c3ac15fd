"""A matrix from anywhere, read without rounding: arrays, texts, CSV, a solution of an exported model."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.arguments import brief, numbers
from optmech.base.errors import ProblemError
from optmech.base.numbers import as_text, exact
from optmech.mechanisms.matrix_csv import read_fractions
from optmech.mechanisms.source import find_source
from optmech.models.formulations.assemble import assemble
from optmech.models.solution import Solution

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.mechanisms.mechanism import Mechanism
    from optmech.question.problem import Problem

    Fractions = NDArray[Any]

SUM_ROUNDING = 0.05
"""A column that is printed in three digits sums to one within this; a matrix of something else does not."""
# The most that a solver leaves below zero; more is no rounding.
_BELOW_ZERO = Fraction(1, 10**6)


def entries_of(argument: object, problem: Problem) -> Fractions:
    """Return a matrix as fractions, shape (num_responses, num_truths), none of them negative.

    It is a matrix, of which a double stands for the shortest decimal that reads back to it, as everywhere in
    a question; a mechanism; the CSV file of one; or the solution of the problem's exported model: values of
    its columns in order, or by name, and those that are left out are zero.
    """
    if isinstance(argument, str | PathLike):
        responses, truths, rows, labels = read_fractions(argument, SUM_ROUNDING)
        _need_grid(problem, responses, truths, labels)
        entries = np.array(rows, dtype=object)
    elif (source := find_source(argument)) is not None:
        mechanism = source.mechanism
        need_grid(problem, mechanism)
        if mechanism.exact is not None:
            return _over(mechanism.exact.numerators, mechanism.exact.denominator)
        entries = _fractions(mechanism.matrix)
    elif isinstance(argument, Mapping):
        entries = _fractions(_by_name(argument, problem))
    elif isinstance(argument, Solution):
        entries = _fractions(_of_columns(argument.values, problem))
    else:
        entries = _fractions(argument)
        if entries.ndim == 1:
            entries = _fractions(_of_columns(entries.astype(float), problem))
    return _need_columns(entries, problem)


def _fractions(argument: Any) -> Fractions:  # noqa: ANN401 - any argument
    """Return numbers, texts or fractions in equal rows without rounding; equal doubles are read once."""
    try:
        array = np.array(argument, dtype=object)
    except ValueError:  # a list that holds arrays of several shapes
        array = np.empty(0, dtype=object)
    if array.ndim not in {1, 2} or not array.size:
        message = (
            f"`matrix` must be a table, a CSV file, a mechanism or a solution; got {brief(argument)}. "
            "Rows are responses, columns are truths."
        )
        raise ProblemError(message)
    fractions: dict[Any, Fraction] = {}
    flat = []
    for value in array.ravel().tolist():
        key = (
            value if isinstance(value, (str, float, int, Fraction)) and not isinstance(value, bool) else None
        )
        if key is None:
            flat.append(exact(value, "matrix"))
            continue
        if key not in fractions:
            fractions[key] = exact(value, "matrix")
        flat.append(fractions[key])
    return _reshape(flat, array.shape)


def _reshape(flat: list[Fraction], shape: tuple[int, ...]) -> Fractions:
    array = np.empty(len(flat), dtype=object)
    array[:] = flat
    return array.reshape(shape)


def _over(numerators: Fractions, denominator: int) -> Fractions:
    return _reshape([Fraction(value, denominator) for value in numerators.ravel().tolist()], numerators.shape)


def _by_name(values: Mapping[Any, Any], problem: Problem) -> NDArray[np.float64]:
    """Return the matrix of a solution that names columns of the exported model."""
    names = {name: index for index, name in enumerate(assemble(problem).model.column_names())}
    stranger = next((name for name in values if name not in names), None)
    if stranger is not None:
        message = (
            f"`matrix` must name columns of the exported model, such as {next(iter(names))}; "
            f"got {stranger!r}."
        )
        raise ProblemError(message)
    point = np.zeros(len(names))
    for name, value in values.items():
        point[names[name]] = float(exact(value, "matrix"))
    return _of_columns(point, problem)


def _of_columns(values: Any, problem: Problem) -> NDArray[np.float64]:  # noqa: ANN401 - of a solution, perhaps none
    """Return the matrix that values of the columns of the exported model stand for."""
    if values is None:
        message = "`matrix` must hold values; got a solution without any. Solve the model to the end."
        raise ProblemError(message)
    formulation = assemble(problem)
    return formulation.matrix(numbers(values, "matrix", (formulation.model.num_columns,)))


def need_grid(problem: Problem, mechanism: Mechanism) -> None:
    """Refuse a mechanism of other responses or truths than those of a question with a `ProblemError`."""
    _need_grid(problem, mechanism.responses, mechanism.truths, mechanism.labels)


def _need_grid(
    problem: Problem,
    responses: tuple[Fraction, ...],
    truths: tuple[Fraction, ...],
    labels: tuple[str, ...],
) -> None:
    query = problem.query
    grid_of_query = tuple(response.midpoint for response in query.responses), query.truths
    if (responses, truths) != grid_of_query or (labels and labels != query.labels):
        message = (
            f"`matrix` must have the {query.num_responses} responses and {query.num_truths} truths of "
            f"{query.title}; got {len(responses)} responses and {len(truths)} truths "
            f"({as_text(truths[0])}..{as_text(truths[-1])}), or other ones."
        )
        raise ProblemError(message)


def _need_columns(entries: Fractions, problem: Problem) -> Fractions:
    shape = problem.query.num_responses, problem.query.num_truths
    if entries.shape != shape:
        message = (
            f"`matrix` must have shape {shape} to match {problem.query.title}; got {entries.shape}. "
            "Rows are responses, columns are truths."
        )
        raise ProblemError(message)
    for (row, column), value in np.ndenumerate(entries):
        if value < -_BELOW_ZERO:
            message = f"`matrix` must hold probabilities; got {float(value):.6g} at [{row}, {column}]."
            raise ProblemError(message)
    within = entries.copy()
    within[within < 0] = Fraction(0)
    for column, total in enumerate(within.sum(axis=0).tolist()):
        if abs(total - 1) > SUM_ROUNDING:
            message = (
                f"each column of `matrix` must sum to one; got {float(total):.6g} in column {column}. "
                "Columns are truths."
            )
            raise ProblemError(message)
    return within
