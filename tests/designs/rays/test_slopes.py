"""Combined totals: the same optimum from programs of few coefficients."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest

import optmech as om
from optmech.designs.rays import slopes
from optmech.designs.rays.master import Master
from optmech.designs.rays.private_rows import PrivateRows
from optmech.designs.rays.search import search
from optmech.designs.rays.slopes import Slopes
from optmech.designs.rays.within_reach import staircases
from tests.each import each


@each(("truths", "reach"), [(9, 1), (12, 2), (25, 3)])
def test_combinations_are_symmetric_and_independent(truths, reach):
    table = Slopes(reach, 1.7).combine(np.eye(truths))
    assert (table == table.T).all()
    assert np.linalg.cond(table) < 100


@each("prior", [None, [0.3, *[0.7 / 12] * 12]])  # with and without a mirror image
def test_a_search_with_combinations_finds_the_same(prior):
    rows = PrivateRows.of(om.croft(om.mean(6, 2), "0.8", prior=prior))
    plain = search(rows, "auto", om.SolveOptions())
    with mock.patch.object(slopes, "_LEAST_TRUTHS", 0), mock.patch.object(slopes, "_LEAST_STEPS", 3):
        combined = search(rows, "auto", om.SolveOptions())
    assert combined.bound == pytest.approx(plain.bound, rel=1e-9)
    assert combined.objective == pytest.approx(plain.objective, rel=1e-9)


def test_most_coefficients_of_staircases_vanish():
    rows = PrivateRows.of(om.croft(om.mean(60, 4), "0.5"))
    master = Master(rows, None)
    master.add(staircases(rows.costs.shape[1], rows.reach))
    assert master._table.nnz < 25 * master._table.shape[1]
