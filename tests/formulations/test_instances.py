"""Every instance beside the algebra has the answer it is said to have, on every solver alike."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import optmech as om
from optmech.models.solvers import installed_solvers
from optmech.question.problems.instances import read_instances
from tests.each import each

FORMULATIONS = Path(__file__).parents[2] / "formulations"
INSTANCES = [
    pytest.param(instance, id=f"{path.stem}-{instance.name}")
    for path in sorted(FORMULATIONS.glob("*.toml"))
    for instance in read_instances(path)
]
SOLVERS = [solver.name for solver in installed_solvers()]
# Matrices of a unique optimum, from two solvers that stop within 1e-9 of each row.
SAME_MATRIX = 1e-7


@each("instance", INSTANCES, every=36, slow_every=6)
def test_solvers_agree_on_the_known_answer(instance):
    problem = instance.problem()
    raw = problem.privacy.as_printed is not None  # nothing is proved of it
    designs = [om.design(problem, solver=solver, raw=raw) for solver in SOLVERS]
    known, tolerance = float(instance.known["objective"]), instance.known["tolerance"]
    for design in designs:
        assert design.objective == pytest.approx(known, abs=tolerance)
        assert design.lower_bound <= known + tolerance
    assert abs(designs[0].objective - designs[-1].objective) <= tolerance
    if instance.known.get("unique"):
        matrices = [design.mechanism.matrix for design in designs]
        assert np.abs(matrices[0] - matrices[-1]).max() <= SAME_MATRIX
