"""The time is up: the best so far is handed out, and what is said of it holds."""

from __future__ import annotations

import optmech as om
from optmech.analysis.inversion import least_epsilon
from optmech.analysis.inversion.threshold import Outcome
from optmech.designs.design import solved_design
from optmech.models import solvers
from optmech.models.solution import Status
from tests.designs.test_fallback import NeverEnding


def test_when_the_time_is_up_the_best_so_far_is_certified_with_an_honest_gap():
    problem = om.croft(om.mean(10, 4), "0.01")
    design = om.design(problem, engine="rays", time_limit=1e-3)
    assert design.solution.status is Status.LIMIT
    assert design.lower_bound <= 41.9951711918 <= design.objective + 1e-9


def test_a_time_limit_leaves_an_answer():
    design = om.design(om.croft(om.mean(40, 4), "0.2"), engine="rays", time_limit=1e-3)
    assert design.solution.status is Status.LIMIT
    assert design.lower_bound <= 65.9037297520 <= design.objective


def test_when_the_time_is_up_coupled_rows_still_keep_their_promises():
    problem = om.croft(om.mean(6, 4), "0.2", properties=["column-monotone", "fair"])
    design = om.design(problem, engine="rays", time_limit=0.1)
    assert (
        design.lower_bound <= solved_design(problem).objective * (1 + 1e-7) <= design.objective * (1 + 2e-7)
    )
    for expected in problem.properties:
        assert expected.gap(design.mechanism.matrix, problem.query) < 1e-12


def test_when_the_time_is_up_the_formula_is_handed_out_and_not_what_rays_make_of_no_time(monkeypatch):
    monkeypatch.setattr(solvers, "installed_solvers", lambda: (NeverEnding(),))
    design = om.design(om.croft(om.mean(10, 3), "0.3", variant=2), time_limit=1e-3)
    assert design.solution.status is Status.LIMIT
    assert design.engine == "program"
    assert "not optimal" in design.certificate.repair["how"]


def test_a_time_limit_leaves_two_values_or_one():
    threshold = least_epsilon(om.question(om.count(20), 1, worst_case=True), "0.5", time_limit=0.3)
    assert threshold.outcome in (Outcome.LATE, Outcome.PROVED)
    none = least_epsilon(om.croft(om.count(5), 1), 1, time_limit=1e-9)
    assert (none.outcome, none.designs, none.value, none.beyond) == (Outcome.LATE, 0, None, None)
