"""The builder's model and the paper's algebra are the same matrix, name by name.

Two wrong models can share an optimum; they do not share every coefficient.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pytest
from algebra import Algebra, data_text, read_algebra
from instances import data_of

from optmech.formulations.assemble import assemble
from optmech.formulations.named import named_problem

FORMULATIONS = Path(__file__).parents[2] / "formulations"
# Both sides evaluate the same formula in doubles, in another order: a few units in the last place.
ROUNDING = 1e-14

INSTANCES = [
    pytest.param(path.stem, instance, id=f"{path.stem}-{instance['name']}")
    for path in sorted(FORMULATIONS.glob("*.toml"))
    for instance in tomllib.loads(path.read_text())["instance"]
]


def built(formulation, problem) -> Algebra:
    """State the builder's model the way GLPK states the algebra."""
    model = assemble(named_problem(formulation, problem)).model
    names = model.column_names()
    matrix = model.matrix
    rows = {}
    for row, name in enumerate(model.row_names()):
        part = slice(matrix.indptr[row], matrix.indptr[row + 1])
        coefficients = {
            names[j]: v
            for j, v in zip(matrix.indices[part].tolist(), matrix.data[part].tolist(), strict=True)
        }
        rows[name] = (float(model.row_lower[row]), float(model.row_upper[row]), coefficients)
    bounds = zip(
        model.column_lower.tolist(), model.column_upper.tolist(), model.integer.tolist(), strict=True
    )
    return Algebra(
        columns=dict(zip(names, bounds, strict=True)),
        rows=rows,
        objective={names[j]: float(model.cost[j]) for j in np.flatnonzero(model.cost)},
        constant=model.offset,
    )


def differences(algebra: Algebra, builder: Algebra) -> list[str]:
    """Say in a sentence each where the two differ."""
    found = [
        f"{kind} {name} is in one only"
        for kind, left, right in (
            ("column", algebra.columns, builder.columns),
            ("row", algebra.rows, builder.rows),
        )
        for name in sorted(left.keys() ^ right.keys())
    ]
    found += [
        f"column {name}: {algebra.columns[name]} against {builder.columns[name]}"
        for name in algebra.columns.keys() & builder.columns.keys()
        if algebra.columns[name] != builder.columns[name]
    ]
    for name in algebra.rows.keys() & builder.rows.keys():
        ours, theirs = builder.rows[name], algebra.rows[name]
        if not (close(ours[:2], theirs[:2]) and close_by_name(ours[2], theirs[2])):
            found.append(f"row {name} differs. algebra: {theirs}; builder: {ours}")
    if not close_by_name(algebra.objective, builder.objective):
        found.append(f"the objectives differ: {algebra.objective} against {builder.objective}")
    return found


def close(ours, theirs) -> bool:
    return bool(np.allclose(ours, theirs, rtol=ROUNDING, atol=ROUNDING))


def close_by_name(ours, theirs) -> bool:
    return ours.keys() == theirs.keys() and all(close(value, theirs[name]) for name, value in ours.items())


@pytest.mark.parametrize(("name", "instance"), INSTANCES)
def test_builder_states_the_algebra_coefficient_by_coefficient(name, instance):
    problem = instance["problem"]
    algebra = read_algebra(FORMULATIONS / f"{name}.mod", data_text(**data_of(name, problem)))
    formulation = tomllib.loads((FORMULATIONS / f"{name}.toml").read_text())["formulation"]
    found = differences(algebra, built(formulation, problem))
    assert not found, f"{name}({instance['name']}): {len(found)} differences, first: {found[0]}"


@pytest.mark.parametrize("name", sorted(path.stem for path in FORMULATIONS.glob("*.mod")))
def test_a_changed_coefficient_is_found(name):
    content = tomllib.loads((FORMULATIONS / f"{name}.toml").read_text())
    problem = content["instance"][0]["problem"]
    algebra = read_algebra(FORMULATIONS / f"{name}.mod", data_text(**data_of(name, problem)))
    for row, (_, _, coefficients) in list(algebra.rows.items())[-1:]:
        column = next(iter(coefficients))
        coefficients[column] *= 1 + 1e-9
        assert any(row in text for text in differences(algebra, built(content["formulation"], problem)))
