"""Where no solver ends, a formula gives a mechanism that keeps every promise."""

from __future__ import annotations

import numpy as np
import pytest

import optmech as om
from optmech.designs.closed_form import explicit_fair, fallbacks
from optmech.models import solvers
from optmech.models.solution import Solution, Status
from optmech.question.privacy.loss import largest_privacy_loss
from tests.each import each

# Ratios of doubles.
ROUNDING = 1e-12


class NeverEnding:
    name = "first"
    methods = ()

    def solve(self, model, options):
        return Solution(
            status=Status.LIMIT,
            solver=self.name,
            method=str(options.method),
            seconds=1.0,
            message=f"time limit on {model.name}",
        )


@each("query", [om.count(n) for n in (1, 2, 5, 12)] + [om.mean(4, 3), om.mean(2, 4)])
@each("epsilon", [0.01, 0.5, 3.0])
def test_the_explicit_fair_mechanism_keeps_every_row_of_variant_2(query, epsilon):
    problem = om.croft(query, epsilon, variant=2)
    ((_, matrix),) = fallbacks(problem)
    assert om.models.assemble(problem).model.violation(matrix.ravel()) <= ROUNDING
    assert largest_privacy_loss(matrix, query.pairs).value <= epsilon * (1 + ROUNDING) + ROUNDING


def test_each_column_holds_the_same_numbers():
    matrix = explicit_fair(12, 0.7, 1)
    assert np.sort(matrix, axis=0) == pytest.approx(np.tile(np.sort(matrix[:, :1], axis=0), 12), rel=ROUNDING)


def test_it_is_for_variant_2_on_a_range_only():
    assert list(fallbacks(om.croft(om.count(5), 1))) == []
    assert list(fallbacks(om.croft(om.residues(5, [1]), 1, variant=2))) == []


@pytest.mark.parametrize("query", [om.count(30), om.mean(10, 3)], ids=lambda query: query.name)
def test_a_solver_that_never_ends_leaves_a_proved_mechanism(monkeypatch, query):
    monkeypatch.setattr(solvers, "solver", lambda _: NeverEnding())
    design = om.design(om.croft(query, 1, variant=2), solver="first")
    assert "fair mechanism by formula, not optimal" in design.notes[0]
    assert om.verify(design.mechanism, design.problem)
    assert design.lower_bound <= design.objective
