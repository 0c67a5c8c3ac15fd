"""An unbiased question is refused where its responses do not reach far enough, and nowhere else."""

from __future__ import annotations

import re

import pytest

import optmech as om
from optmech.designs.clash import clash
from optmech.designs.means_out_of_reach import need_means_in_reach
from optmech.models import solvers
from optmech.question.query import Query
from tests.each import each

PAIRS = [1, 2, [(0, 1, 2), (1, 2, 1)], "all"]


def unbiased(query, epsilon, **choices):
    return om.question(query, epsilon, properties=["unbiased"], **choices)


def is_refused(problem):
    try:
        need_means_in_reach(problem)
    except om.NoSolutionError:
        return True
    return False


@each("delta", ["0", "0.1"])
@each("epsilon", ["0.3", "0.69", "0.7", "2"])
@each("ends", [(0, 3), (-1, 4), (-2, 3), (-2, 6), (-4, 7)], every=8)
@each("pairs", PAIRS)
def test_it_is_refused_just_where_the_program_is_infeasible(pairs, ends, epsilon, delta):
    query = Query([0, 1, 3], range(ends[0], ends[1] + 1), neighbours=pairs)
    problem = unbiased(query, epsilon, delta=delta)
    assert is_refused(problem) == (clash(problem) is not None)


def test_no_solver_is_asked_and_the_remedy_does(monkeypatch):
    monkeypatch.setattr(solvers, "solver", lambda *_: pytest.fail("a solver was asked"))
    with pytest.raises(om.NoSolutionError, match="mean at the true answer 0 is 0") as refusal:
        om.design(unbiased(om.count(5), "0.4"))
    text = str(refusal.value)
    assert "at its neighbour 1 cannot get beyond 0, as no response lies below 0" in text
    low, high = map(int, re.search(r"--responses (\S+):(\S+)`", text).groups())
    assert (low, high) == (-3, 8)
    assert "raise epsilon" not in text
    wider = om.count(5).variant(responses=range(low, high + 1))
    assert not is_refused(unbiased(wider, "0.4"))
    with pytest.raises(om.NoSolutionError, match="or raise epsilon"):
        om.design(unbiased(om.count(5).variant(responses=range(low + 1, high + 1)), "0.4"))


def test_one_direction_alone_and_other_answers_are_refused_without_an_option():
    query = Query([0, 1], [0, 1], neighbours=[(1, 0)], symmetric=False)
    with pytest.raises(om.NoSolutionError, match=r"reach from -1 to 1\.$"):
        om.design(unbiased(query, 1))
    with pytest.raises(om.NoSolutionError, match="Raise epsilon"):
        om.design(unbiased(om.count(3), "1e-9"))


@each("choices", [{"delta": "0.9", "definition": "per-outcome"}, {"delta": "0.999"}, {"least": "delta"}])
def test_other_questions_are_left_to_the_solver(choices):
    need_means_in_reach(unbiased(om.count(3), 1, **choices))
    need_means_in_reach(om.question(om.count(3), 1))
