"""The choice of an engine, and the reasons that are given for it."""

from __future__ import annotations

import re

import pytest

import optmech as om
from optmech.designs.choice import choose
from optmech.designs.closed_form import theorem_with_matrix
from optmech.designs.engines import chain, interior, levels, program, rays, theorem
from optmech.designs.order import ENGINES
from optmech.question.chain_question import no_chain_question
from tests.each import each

QUESTIONS = {
    "count": (om.croft(om.count(6), 1), "chain"),
    "extremum": (om.croft(om.extremum(0, 6), 1), "closed-form"),
    "fair extremum": (om.croft(om.extremum(0, 6), 1, variant=2), "closed-form"),
    "mean": (om.croft(om.mean(3, 2), 1), "rays"),
    "count with a prior": (om.croft(om.count(3), 1, prior=[0.4, 0.3, 0.2, 0.1]), "chain"),
    "count with a delta": (om.question(om.count(4), 1, delta="0.01"), "chain"),
    "fair count": (om.croft(om.count(6), 1, variant=2), "program"),
    "modular": (om.kadam(om.residues(5, [1]), 1, "0.1"), "levels"),
    "bounded": (om.sadeghi(1, "0.5", 2, counts=(1, 3)), "program"),
    "any graph": (om.croft(om.Query(range(4), neighbours=[(0, 1), (1, 2), (2, 3), (0, 3)]), 1), "program"),
}


@each("name", QUESTIONS, every=2)
def test_the_engine_taken_is_the_one_that_fits(name):
    problem, expected = QUESTIONS[name]
    design = om.design(problem)
    assert design.engine == choose(problem).order[0] == expected
    assert tuple(design.reasons) == ENGINES
    assert all(design.reasons.values())


def fits(problem, engine):
    if engine == "closed-form":
        return theorem_with_matrix(problem)[0] is not None
    if engine == "chain":
        return no_chain_question(problem) is None
    if engine == "interior":
        return problem.asks <= {"delta", "objective", "properties"} and problem.least_loss is not None
    if engine == "levels":
        return levels.refusal(problem) is None
    return engine == "program" or rays.refusal(problem) is None


@each("name", QUESTIONS, every=3)
def test_every_engine_that_fits_gives_the_same_optimum(name):
    problem, _ = QUESTIONS[name]
    best = om.design(problem).objective
    fitting = 0
    for engine in ENGINES:
        if not fits(problem, engine):
            with pytest.raises(om.ProblemError, match="`engine` must fit the problem"):
                om.design(problem, engine=engine)
            continue
        design = om.design(problem, engine=engine)
        fitting += 1
        assert design.engine == engine
        assert design.objective == pytest.approx(best, rel=1e-8)
        assert "asked for" in design.reasons[engine]
    assert fitting


@each("name", QUESTIONS)
def test_the_reason_that_is_shown_is_the_refusal_of_the_engine(name):
    problem, _ = QUESTIONS[name]
    choice = choose(problem)
    for engine in (theorem, chain, rays, interior, levels, program):
        refusal = engine.refusal(problem)
        if refusal is None:
            continue
        assert choice.reasons[engine.NAME] == refusal
        with pytest.raises(om.ProblemError, match=re.escape(refusal)):
            engine.design(problem)


def test_a_whole_curve_is_refused_by_every_engine_but_that_of_chains():
    problem = om.question(om.count(6), privacy=om.as_private_as("discrete-gaussian", sigma="2"))
    engines = theorem, chain, rays, interior, levels, program
    assert [engine.refusal(problem) is None for engine in engines] == [0, 1, 0, 0, 0, 0]
    assert choose(problem).order == ("chain",)
    assert choose(problem).reasons["rays"] == program.refusal(problem)


@pytest.mark.parametrize("options", [{"solver": "highs"}, {"method": "ipm"}, {"raw": True}])
def test_who_names_a_solver_gets_its_program(options):
    design = om.design(om.croft(om.count(4), 1), **options)
    assert design.engine == "program"
    assert "asked for" in design.reasons["program"]


def test_an_engine_can_be_named_together_with_a_solver():
    assert om.design(om.croft(om.mean(2, 2), 1), engine="rays", solver="cbc").engine == "rays"


def test_an_unknown_engine_is_refused():
    named = "`engine` must be auto or one of closed-form, chain, rays, interior, levels, program"
    with pytest.raises(om.ProblemError, match=named):
        om.design(om.croft(om.count(3), 1), engine="magic")


def test_raw_rays_are_told_to_be_unproved():
    design = om.design(om.croft(om.mean(2, 2), 1), engine="rays", raw=True)
    assert design.certificate is None
    assert design.objective_standing == design.lower_bound_standing == "recomputed"


def test_nothing_behind_a_theorem_is_looked_at_until_reasons_are_read(monkeypatch):
    for problem in (om.question(om.count(5), 1, delta="1e-6"), om.question(om.extremum(0, 6), 1)):
        with monkeypatch.context() as patch:
            patch.setattr(interior, "refusal", lambda _: pytest.fail("interior points were looked at"))
            design = om.design(problem)
            assert choose(problem, stop_at_theorem=True).order == (design.engine,)
        assert tuple(design.reasons) == ENGINES
        assert design.reasons["interior"].startswith("an interior-point method")


def test_engines_behind_a_theorem_are_asked_where_it_does_not_do(monkeypatch):
    problem = om.question(om.count(20), 1, delta="0.01")
    expected = choose(problem).order[1]

    def fails(*_):
        message = "no thresholds"
        raise om.VerificationError(message)

    monkeypatch.setattr(chain, "design", fails)
    design = om.design(problem)
    assert design.engine == expected
    assert design.certificate is not None
    assert "the engine chain gave no mechanism" in design.notes
