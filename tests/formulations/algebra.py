"""Read a GNU MathProg model with GLPK, coefficient by coefficient.

The files in ``formulations/`` are the papers' models, stated independently of the Python builders.
Here one of them, given its data, becomes named rows and columns to compare with a builder's.
"""

from __future__ import annotations

import math
import sys
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # SWIG's own types have no __module__
    import swiglpk as glpk

SIMPLEX_TOLERANCE = 1e-9
"""A hundredth of GLPK's own, so that an optimum is good to the 1e-7 of the instances."""

INTEGER_TOLERANCE = 1e-9
"""Tight: a `u` of 1e-5 in place of 0 would hide a leak of that size."""

Index: TypeAlias = int | tuple[int, ...]
Number: TypeAlias = int | float
Section: TypeAlias = Number | Mapping[Index, Number] | Iterable[Index]
"""A scalar parameter, an indexed parameter, or a set."""


class AlgebraError(Exception):
    """GLPK could not read or solve a model; the text ends with GLPK's own."""

    def __init__(self, path: Path, trouble: str, text: list[str]) -> None:
        """Say which file, what happened to it and what GLPK said."""
        super().__init__(f"{path.name}: {trouble}.\n{''.join(text)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Algebra:
    """A linear model as GLPK generated it, without the objective's free row.

    Attributes
    ----------
    columns : dict
        Column name to ``(lower, upper, is_integer)``.
    rows : dict
        Row name to ``(lower, upper, coefficients)``, the last from column name to a non-zero float.
    objective : dict
        Column name to its non-zero coefficient; the objective is minimised.
    constant : float
        Constant term of the objective.
    """

    columns: dict[str, tuple[float, float, bool]]
    rows: dict[str, tuple[float, float, dict[str, float]]]
    objective: dict[str, float]
    constant: float


def data_text(**sections: Section) -> str:
    """State sets and parameters as a MathProg data section.

    Parameters
    ----------
    **sections : int, float, mapping or iterable
        A number is a scalar parameter, a mapping an indexed parameter, any other iterable a set.
        Members are integers or tuples of integers. Floats are written by ``repr``, so that GLPK
        reads the same double.

    Returns
    -------
    str
        From ``data;`` to ``end;``.
    """
    statements = [_statement(name, section) for name, section in sections.items()]
    return "\n".join(["data;", *statements, "end;", ""])


def _statement(name: str, section: Section) -> str:
    if isinstance(section, (int, float)):
        return f"param {name} := {section!r};"
    if isinstance(section, Mapping):
        entries = ", ".join(f"{_subscript(index)} {value!r}" for index, value in section.items())
        return f"param {name} := {entries};"
    return f"set {name} := {', '.join(map(_subscript, section))};"


def _subscript(index: Index) -> str:
    return " ".join(map(str, index)) if isinstance(index, tuple) else str(index)


def read_algebra(path: Path, data: str) -> Algebra:
    """Generate the model of a ``.mod`` file for one data section.

    Parameters
    ----------
    path : Path
        The model; a data section in it is skipped.
    data : str
        The data section, as `data_text` writes it.

    Raises
    ------
    AlgebraError
        If the model or the data is not valid MathProg.
    """
    with _problem(path, data) as problem:
        return _algebra(problem)


def solve(path: Path, data: str) -> float:
    """Find the least objective by GLPK: simplex, then branch and bound where a column is integer.

    Raises
    ------
    AlgebraError
        If the text is not valid or GLPK does not claim an optimum.
    """
    with _problem(path, data) as problem, _transcript() as transcript:
        glpk.glp_scale_prob(problem, glpk.GLP_SF_AUTO)
        glpk.glp_adv_basis(problem, 0)
        simplex = glpk.glp_smcp()
        glpk.glp_init_smcp(simplex)
        simplex.tol_bnd = simplex.tol_dj = SIMPLEX_TOLERANCE
        code = glpk.glp_simplex(problem, simplex)
        if code != 0 or glpk.glp_get_status(problem) != glpk.GLP_OPT:
            raise AlgebraError(path, "no optimum of the LP", transcript)
        if glpk.glp_get_num_int(problem) == 0:
            return float(glpk.glp_get_obj_val(problem))
        search = glpk.glp_iocp()
        glpk.glp_init_iocp(search)
        search.tol_int = INTEGER_TOLERANCE
        code = glpk.glp_intopt(problem, search)
        if code != 0 or glpk.glp_mip_status(problem) != glpk.GLP_OPT:
            raise AlgebraError(path, "no optimum of the MILP", transcript)
        return float(glpk.glp_mip_obj_val(problem))


@contextmanager
def _problem(path: Path, data: str) -> Iterator[object]:
    """Generate a GLPK problem object and free it at the end."""
    translator = glpk.glp_mpl_alloc_wksp()
    problem = glpk.glp_create_prob()
    try:
        with _transcript() as transcript, tempfile.TemporaryDirectory() as folder:
            data_path = Path(folder, "data.dat")
            data_path.write_text(data, encoding="ascii")
            if (
                glpk.glp_mpl_read_model(translator, str(path), 1)
                or glpk.glp_mpl_read_data(translator, str(data_path))
                or glpk.glp_mpl_generate(translator, None)
            ):
                raise AlgebraError(path, "not valid with this data", transcript)
            glpk.glp_mpl_build_prob(translator, problem)
        yield problem
    finally:
        glpk.glp_delete_prob(problem)
        glpk.glp_mpl_free_wksp(translator)


@contextmanager
def _transcript() -> Iterator[list[str]]:
    """Keep what GLPK says off the terminal, in a list."""
    transcript: list[str] = []
    hear = transcript.append  # a name for it: GLPK's hook holds no reference of its own
    before = glpk.glp_term_out(glpk.GLP_ON)  # whoever turned it off in this process
    glpk.glp_term_hook(hear)
    try:
        yield transcript
    finally:
        glpk.glp_term_hook(None)
        glpk.glp_term_out(before)


def _algebra(problem: object) -> Algebra:
    num_columns = glpk.glp_get_num_cols(problem)
    names = [glpk.glp_get_col_name(problem, j) for j in range(1, num_columns + 1)]
    costs = {name: glpk.glp_get_obj_coef(problem, j) for j, name in enumerate(names, 1)}
    objective_row = glpk.glp_get_obj_name(problem)
    indices, values = glpk.intArray(num_columns + 1), glpk.doubleArray(num_columns + 1)
    rows = {}
    for i in range(1, glpk.glp_get_num_rows(problem) + 1):
        name = glpk.glp_get_row_name(problem, i)
        if name == objective_row:
            continue
        length = glpk.glp_get_mat_row(problem, i, indices, values)
        coefficients = {names[indices[k] - 1]: values[k] for k in range(1, length + 1)}
        lower, upper = glpk.glp_get_row_lb(problem, i), glpk.glp_get_row_ub(problem, i)
        rows[name] = (_bound(lower), _bound(upper), coefficients)
    return Algebra(
        columns={
            name: (
                _bound(glpk.glp_get_col_lb(problem, j)),
                _bound(glpk.glp_get_col_ub(problem, j)),
                glpk.glp_get_col_kind(problem, j) != glpk.GLP_CV,
            )
            for j, name in enumerate(names, 1)
        },
        rows=rows,
        objective={name: cost for name, cost in costs.items() if cost != 0.0},
        constant=glpk.glp_get_obj_coef(problem, 0),
    )


def _bound(value: float) -> float:
    """Read GLPK's largest double as no bound."""
    return value if abs(value) < sys.float_info.max else math.copysign(math.inf, value)
