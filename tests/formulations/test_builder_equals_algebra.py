"""The builder's model and the paper's algebra are the same matrix, name by name.

Two wrong models can share an optimum; they do not share every coefficient.
"""

from __future__ import annotations

import math
import tomllib
from pathlib import Path

import numpy as np
import pytest

import optmech as om
from optmech.models.formulations.assemble import assemble
from optmech.question.problems.question import question
from optmech.question.queries import count
from optmech.question.query import Query
from tests.each import each
from tests.formulations.algebra import Algebra, data_text, read_algebra
from tests.formulations.instances import data_of

FORMULATIONS = Path(__file__).parents[2] / "formulations"
# Both sides evaluate the same formula in doubles, in another order: a few units in the last place.
ROUNDING = 1e-14

INSTANCES = [
    pytest.param(path.stem, instance, id=f"{path.stem}-{instance['name']}")
    for path in sorted(FORMULATIONS.glob("*.toml"))
    for instance in tomllib.loads(path.read_text())["instance"]
]


def built(problem) -> Algebra:
    """State the builder's model the way GLPK states the algebra."""
    model = assemble(problem).model
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
    results = [
        f"{kind} {name} is in one only"
        for kind, left, right in (
            ("column", algebra.columns, builder.columns),
            ("row", algebra.rows, builder.rows),
        )
        for name in sorted(left.keys() ^ right.keys())
    ]
    results += [
        f"column {name}: {algebra.columns[name]} against {builder.columns[name]}"
        for name in algebra.columns.keys() & builder.columns.keys()
        if algebra.columns[name] != builder.columns[name]
    ]
    for name in algebra.rows.keys() & builder.rows.keys():
        ours, theirs = builder.rows[name], algebra.rows[name]
        if not (close(ours[:2], theirs[:2]) and close_by_name(ours[2], theirs[2])):
            results.append(f"row {name} differs. algebra: {theirs}; builder: {ours}")
    if not close_by_name(algebra.objective, builder.objective):
        results.append(f"the objectives differ: {algebra.objective} against {builder.objective}")
    return results


def close(ours, theirs) -> bool:
    return bool(np.allclose(ours, theirs, rtol=ROUNDING, atol=ROUNDING))


def close_by_name(ours, theirs) -> bool:
    return ours.keys() == theirs.keys() and all(close(value, theirs[name]) for name, value in ours.items())


@each(("name", "instance"), INSTANCES, every=12, slow_every=3)
def test_builder_states_the_algebra_coefficient_by_coefficient(name, instance):
    question = instance["question"]
    algebra = read_algebra(FORMULATIONS / f"{name}.mod", data_text(**data_of(name, question)))
    result = differences(algebra, built(om.Problem.from_dict(question)))
    assert not result, f"{name}({instance['name']}): {len(result)} differences, first: {result[0]}"


@each("name", sorted(path.stem for path in FORMULATIONS.glob("*.mod")), every=2)
def test_a_changed_coefficient_is_found(name):
    content = tomllib.loads((FORMULATIONS / f"{name}.toml").read_text())
    question = content["instance"][0]["question"]
    algebra = read_algebra(FORMULATIONS / f"{name}.mod", data_text(**data_of(name, question)))
    for row, (_, _, coefficients) in list(algebra.rows.items())[-1:]:
        column = next(iter(coefficients))
        coefficients[column] *= 1 + 1e-9
        assert any(row in text for text in differences(algebra, built(om.Problem.from_dict(question))))


def free_data(truths, responses, **options):
    """State a question of properties on counts one apart, at epsilon 1 and for the summed absolute loss."""
    positions = range(len(truths))
    return data_text(
        E=math.e,
        R=range(len(responses)),
        F=positions,
        A=[(f, g) for f in positions for g in positions if abs(f - g) == 1],
        p=dict.fromkeys(positions, 1),
        l={(r, f): abs(y - n) for r, y in enumerate(responses) for f, n in enumerate(truths)},
        home={f: responses.index(n) for f, n in enumerate(truths)},
        value=dict(enumerate(truths)),
        mid=dict(enumerate(responses)),
        **{"CH": 0, "RH": 0, "WH": 0, "UB": 0, "eta": 0, "eta_most": 1, "reach": 9, "Never": []} | options,
        Mean=[],
        Worst=[],
        k={},
        b={},
    )


def test_unbiased_and_honest_rows_of_responses_beyond_the_truths():
    """No instance has these: a named range is its own responses, and then no noise is without bias."""
    truths, responses = [1, 2, 3], [0, 1, 2, 3, 4, 5]
    expected = ["unbiased", "row-honest", "weakly-honest", "within 2"]
    problem = question(Query(truths, responses, neighbours=1), "1", properties=expected, prior=None)
    data = free_data(truths, responses, RH=1, WH=1, UB=1, reach=2)
    algebra = read_algebra(FORMULATIONS / "properties.mod", data)
    assert {"unbiased[2]", "row_honest[0,2]", "limit[1,0]", "limit[5,0]"} <= set(algebra.rows)
    assert differences(algebra, built(problem)) == []


def test_limits_that_contradict_each_other_have_two_rows():
    problem = question(count(3), "1", properties=["accuracy >= 0.5", "without 2"], prior=None)
    algebra = read_algebra(
        FORMULATIONS / "properties.mod", free_data([0, 1, 2, 3], [0, 1, 2, 3], eta=0.5, Never=[2])
    )
    assert algebra.rows["limit[2,2]"][:2] == (0.5, 0.5)
    assert algebra.rows["limit_most[2,2]"][:2] == (0.0, 0.0)
    assert differences(algebra, built(problem)) == []
