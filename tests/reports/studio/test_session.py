import asyncio
import re
from contextlib import asynccontextmanager

import numpy as np
import pytest

import optmech as om
from optmech.reports.studio import session as session_module
from optmech.reports.studio.inputs import Inputs
from optmech.reports.studio.session import Session
from optmech.reports.studio.state import Cache
from optmech.reports.studio.workers import RefusedError

SLOW = {"judged": "worst"}  # no theorem writes it down
PATIENCE = 60.0


class Solver:
    """Workers that take as long as a test wants, and know what was cancelled."""

    def __init__(self, seconds=60.0):
        self.seconds, self.begun, self.ended = seconds, [], []

    async def design(self, inputs):
        self.begun.append(inputs)
        try:
            await asyncio.sleep(self.seconds)
        except asyncio.CancelledError:
            self.ended.append(inputs)
            raise
        if inputs.properties:
            message = "no mechanism for this."
            raise RefusedError(message)
        return om.design(inputs.problem())


@asynccontextmanager
async def opened(solver, cache=None, **first):
    states = []
    session = Session(solver, cache or Cache(), states.append, Inputs(**first))
    yield session, states
    await session.close()


async def until(condition):
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - conditions of many kinds
            await asyncio.sleep(0.005)


def test_a_closed_form_is_shown_without_a_worker_and_agrees_with_design(play):
    async def scene():
        async with opened(solver := Solver(), largest=7, epsilon="ln 2") as (session, states):
            await until(lambda: states)
            return session.state, solver.begun

    state, begun = play(scene())
    assert not begun
    assert state.is_current
    expected = om.design(om.question(om.count(7), "ln 2")).mechanism.matrix
    assert np.array_equal(state.design.mechanism.matrix, expected)


def test_the_latest_question_wins_and_what_is_outdated_is_ended(play):
    async def scene():
        async with opened(solver := Solver(), **SLOW) as (session, states):
            await until(lambda: solver.begun)
            session.ask({"largest": 6})
            await until(lambda: session.state.is_current)
            return session.state, solver, states

    state, solver, states = play(scene())
    assert solver.begun == solver.ended == [Inputs(**SLOW)]
    assert state.inputs == Inputs(largest=6)
    assert not state.engine
    assert [each.engine for each in states] == ["chain", ""]


def test_an_outdated_solve_that_ends_soon_is_remembered_and_not_shown(play, monkeypatch):
    monkeypatch.setattr(session_module, "_PATIENCE", PATIENCE)

    async def scene():
        cache = Cache()
        async with opened(solver := Solver(0.15), cache, largest=4, **SLOW) as (session, states):
            await until(lambda: solver.begun)
            session.ask({"largest": 6})
            await until(lambda: session.state.is_current)
            shown = [each.inputs for each in states if each.design is not None]
            return cache.get(Inputs(largest=4, **SLOW)), shown, solver.ended

    remembered, shown, ended = play(scene())
    assert remembered is not None
    assert shown == [Inputs(largest=6)]
    assert not ended


def test_cancel_ends_the_solve_and_says_so(play):
    async def scene():
        async with opened(solver := Solver(), **SLOW) as (session, _):
            await until(lambda: session.state.engine)
            await until(lambda: solver.begun)
            session.cancel()
            await until(lambda: solver.ended)
            await asyncio.sleep(0.02)
            return session.state

    state = play(scene())
    assert re.match(r"cancelled after \d+\.\d s; ", state.refusal)
    assert not state.engine
    assert not state.is_current


def test_what_cannot_be_asked_is_refused_at_once_and_ends_what_is_solved(play):
    async def scene():
        async with opened(solver := Solver(), **SLOW) as (session, _):
            await until(lambda: solver.begun)
            session.ask({"largest": 10**9})
            refusal = session.state.refusal
            await until(lambda: solver.ended)
            await asyncio.sleep(0.02)
            after = session.state.refusal
            session.ask({"largest": 6})
            await until(lambda: session.state.is_current)
            return refusal, after, session.state

    refusal, after, state = play(scene())
    assert refusal == after
    assert refusal.startswith("`largest` must be a whole number")
    assert not state.refusal


@pytest.mark.parametrize("first", [{}, SLOW], ids=["quick", "slow"])
@pytest.mark.parametrize("rest", [0.0, 0.001, 0.01])
def test_what_cannot_be_asked_stays_refused_whatever_was_asked_just_before(play, first, rest):
    async def scene():
        async with opened(solver := Solver()) as (session, _):
            await until(lambda: session.state.is_current)
            session.ask({"largest": 40, **first})
            await asyncio.sleep(rest)
            session.ask({"epsilon": "nothing"})
            await asyncio.sleep(0.2)
            await until(lambda: len(solver.begun) == len(solver.ended))
            return session.state, solver

    state, solver = play(scene())
    assert "must be a finite number" in state.refusal
    assert not state.engine
    assert solver.begun == solver.ended


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ({"query": "count", "smallest": -1}, "`smallest` must be at least 0"),
        ({"properties": ["fair", "unbiased"], **SLOW}, "no mechanism for this."),
    ],
)
def test_a_refusal_is_a_sentence_and_the_page_lives_on(question, sentence, play):
    async def scene():
        async with opened(Solver(0.0)) as (session, _):
            await until(lambda: session.state.is_current)
            session.ask(question)
            await until(lambda: session.state.refusal)
            refused = session.state
            session.ask({})
            await until(lambda: session.state.is_current)
            return refused

    refused = play(scene())
    assert refused.refusal.startswith(sentence)
    assert refused.design is not None
    assert not refused.is_current


def test_a_question_that_was_answered_is_not_solved_again(play):
    async def scene():
        cache, solver = Cache(), Solver(0.0)
        for _ in range(2):
            async with opened(solver, cache, largest=3, **SLOW) as (session, _):
                await until(lambda session=session: session.state.is_current)
        return solver.begun

    assert len(play(scene())) == 1


def test_the_time_limit_does_not_make_it_another_question():
    cache = Cache()
    design = om.design(Inputs(largest=3).problem())
    cache.keep(Inputs(largest=3, seconds=5), design)
    assert cache.get(Inputs(largest=3, seconds=9, beyond=4, records=3)) is design
    assert cache.get(Inputs(largest=3, loss="beyond", beyond=4)) is None


def test_a_bug_is_a_sentence_too(play):
    class Broken:
        async def design(self, _):
            raise ZeroDivisionError

    async def scene():
        async with opened(Broken(), **SLOW) as (session, _):
            await until(lambda: session.state.refusal)
            return session.state.refusal

    assert "ZeroDivisionError" in play(scene())
