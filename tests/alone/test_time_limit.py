"""A time limit is kept: a design is back in time, or refused before it starts."""

from __future__ import annotations

import re
import time
from contextlib import suppress

import pytest

import optmech as om
from optmech.analysis import ties
from optmech.base.time_left import limited_time, seconds_left, time_is_up
from optmech.cli import main
from optmech.question.privacy import ApproximatePrivacy

# Seconds allowed beyond the limit, on a machine that does other things as well.
GRACE = 20.0


def cycle(answers):
    """Return a query of the user's own: answers on a circle, each the neighbour of the next."""
    return om.Query(range(answers), neighbours=[(each, (each + 1) % answers) for each in range(answers)])


def test_a_design_at_the_worst_truth_is_back_in_time_and_proved(tmp_path):
    path, start = tmp_path / "worst.certificate.json", time.perf_counter()
    question = ["--range", "0:446", "--worst-case", "--epsilon", "ln 2", "--time-limit", "5"]
    assert main(["design", "count", *question, "--out", str(path)]) == 0
    assert time.perf_counter() - start < 5 + GRACE
    certificate = om.read_certificate(path)
    # The geometric mechanism, optimal on average, is nearly as good at the worst truth.
    assert 1 < certificate.objective < 1.34


def test_a_search_on_levels_is_back_before_its_first_program_is_solved():
    start = time.perf_counter()
    design = om.design(om.kadam(om.residues(300, range(1, 100)), 1, "0.01"), time_limit=2)
    assert time.perf_counter() - start < 2 + GRACE
    assert design.engine == "levels"
    assert om.verify(design.mechanism, design.problem)


def test_a_large_cycle_is_back_in_time():
    problem, start = om.question(cycle(301), "ln 2"), time.perf_counter()
    # A busy machine takes most of the second to read the question: then there is no mechanism, and an error.
    with suppress(om.NoSolutionError, om.ProblemError):
        assert om.verify(om.design(problem, time_limit=1).mechanism, problem)
    assert time.perf_counter() - start < 1 + GRACE


def test_a_limit_before_a_program_can_be_made_is_refused_with_the_seconds_it_needs():
    problem = om.question(cycle(1999), "ln 2")
    start = time.process_time()
    with pytest.raises(om.ProblemError, match=r"`time_limit` must be at least \d+ seconds") as refusal:
        om.design(problem, time_limit=20)
    assert time.process_time() - start < 4
    assert "7,992,002 comparisons" in str(refusal.value)
    assert int(re.search(r"at least (\d+) seconds", str(refusal.value))[1]) > 20


def test_a_program_that_no_limit_would_do_for_is_refused_for_its_size():
    start = time.process_time()
    with pytest.raises(om.NotAcceptedError, match="at most 4,000,000 entries"):
        om.design(om.question(cycle(2001), "ln 2"), time_limit=20)
    assert time.process_time() - start < 4


def test_an_inner_limit_never_outlasts_the_outer_one():
    with limited_time(0.01):
        with limited_time(60):
            assert seconds_left() <= 0.01
            time.sleep(0.02)
            assert time_is_up()
        assert time_is_up()
    assert seconds_left() is None
    assert not time_is_up()


def test_breaking_ties_ends_with_the_limit_of_the_design(monkeypatch, capsys):
    left, ask = [], ties.program.design
    monkeypatch.setattr(ties.program, "design", lambda *a, **k: left.append(seconds_left()) or ask(*a, **k))
    question = ["--range", "0:3", "--worst-case", "--epsilon", "1", "--time-limit", "60", "--break-ties"]
    assert main(["design", "count", *question, "--json"]) == 0
    assert "least squared error" in capsys.readouterr().out
    assert left
    assert all(0 < seconds < 60 + 7 for seconds in left)  # a tenth more to prove it


def test_a_chain_ends_where_its_limit_ends():
    """Its thresholds take most of a minute."""
    asked, start = om.question(om.count(20_000), "0.0003", delta="1e-6"), time.perf_counter()
    with pytest.raises(om.VerificationError, match="`time_limit` must leave time"):
        om.design(asked, engine="chain", time_limit=2)
    assert time.perf_counter() - start < 2 + GRACE


def test_a_chain_of_steps_ends_where_its_limit_ends():
    """Without a limit its orbits, multipliers and proof take ten seconds of the processor."""
    steps = om.Query(range(300), neighbours=[(each, each + 1, 1 + each % 3) for each in range(299)])
    pairs = [ApproximatePrivacy(f"0.{each}", f"1e-{each}") for each in (1, 2, 3, 5, 7)]
    problem, start = om.question(steps, privacy=pairs), time.process_time()
    with pytest.raises(om.VerificationError, match="`time_limit` must leave time for the orbits"):
        om.design(problem, engine="chain", time_limit=1)
    assert time.process_time() - start < 4
