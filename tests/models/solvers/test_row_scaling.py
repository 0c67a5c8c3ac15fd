from __future__ import annotations

import numpy as np

from optmech.models.solvers.preparation import row_scale, with_scaled_rows
from tests.each import each
from tests.models.conformance.programs import INF, program

HIGHS_REFUSES, HIGHS_DROPS = 1e15, 1e-12


def model_of(*rows):
    return program([0] * len(rows[0]), [(row, -3, 5) for row in rows])


def test_ordinary_rows_stay_as_they_are():
    model = model_of([1, 2.5], [1e14, 1e-11], [0, 0])
    scale = row_scale(model)
    assert scale.tolist() == [1, 1, 1]
    assert with_scaled_rows(model, scale) is model


@each("row", [[1e15, 1], [1e18, 1e4], [1e300, 1e290], [1e-13, 0], [1e-20, 1e-15]])
def test_a_row_that_a_solver_would_refuse_or_drop_comes_within_its_range(row):
    model = model_of(row, [1, 1])
    scale = row_scale(model)
    sizes = abs(with_scaled_rows(model, scale).matrix[[0]].data)
    assert sizes.max() < HIGHS_REFUSES
    assert sizes.min() > HIGHS_DROPS
    assert scale[1] == 1


def test_scaling_is_exact():
    numbers = np.random.default_rng(0).random((4, 3)) * 10.0 ** np.array([[16], [18], [-13], [-14]])
    model = model_of(*numbers)
    scale = row_scale(model)
    assert (np.log2(scale) == np.round(np.log2(scale))).all()
    back = with_scaled_rows(with_scaled_rows(model, scale), 1 / scale)
    assert (back.matrix.toarray() == numbers).all()
    assert (back.row_lower == model.row_lower).all()


def test_one_tiny_entry_beside_an_ordinary_one_does_not_tighten_a_row_without_end():
    assert row_scale(model_of([1e-30, 1]))[0] == 2.0**10


def test_models_without_rows_have_nothing_to_scale():
    assert row_scale(program([1])).shape == (0,)
    assert row_scale(program([1], [([0], -INF, 1)])).tolist() == [1]
