import asyncio
import io
import json
import os
import pickle
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import optmech as om
from optmech.base.errors import ProblemError
from optmech.reports.studio.inputs import Inputs
from optmech.reports.studio.worker import LENGTH_BYTES, answer
from optmech.reports.studio.workers import RefusedError, Workers
from tests.alone.waiting import SECONDS

QUICK = Inputs(largest=4, delta="1e-3")
LONG = Inputs(largest=100, delta="1e-3", judged="worst")


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def started(workers, number):
    """Return the processes as soon as there are so many."""
    async with asyncio.timeout(SECONDS):
        while len(workers.pids) < number:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.01)
    return workers.pids


def line(inputs, **changes):
    return json.dumps({"question": inputs.question(), "seconds": inputs.seconds, **changes}).encode() + b"\n"


def test_a_worker_answers_as_design_does():
    kind, result = answer(line(QUICK))
    assert kind == "design"
    assert result.objective == om.design(QUICK.problem()).objective


def test_a_worker_without_memory_says_so():
    def solve(*_, **__):
        raise MemoryError

    kind, sentence = answer(line(QUICK), solve)
    assert kind == "refused"
    assert "4 GiB" in sentence


def in_a_worker(*lines):
    """Return what a worker answers to these lines, and its exit code once nobody listens."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "optmech.reports.studio.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    results = []
    for request in lines:
        process.stdin.write(request)
        process.stdin.flush()
        length = int.from_bytes(process.stdout.read(LENGTH_BYTES), "big")
        results.append(pickle.load(io.BytesIO(process.stdout.read(length))))  # noqa: S301 - from our own process
    process.stdin.close()
    with process.stdout:
        return results, process.wait(SECONDS)


def test_one_worker_answers_several_questions_and_ends_when_nobody_listens():
    fair, biased = Inputs(properties=("fair",), largest=3), Inputs(properties=("fair", "unbiased"), largest=3)
    (first, second, third), code = in_a_worker(line(QUICK), line(fair), line(biased))
    assert first[0] == second[0] == "design"
    assert second[1].problem.properties == fair.problem().properties
    assert third[0] == "refused"
    assert "fair + unbiased" in third[1]
    assert code == 0


@pytest.mark.slow
def test_a_worker_whose_time_is_up_ends_even_where_its_parent_does_not_look():
    impatient = (
        "from optmech.reports.studio import worker; worker.grace = lambda seconds: 0.5; worker._main()"
    )
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", impatient], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with process.stdin, process.stdout:
        process.stdin.write(line(LONG))
        process.stdin.flush()
        assert process.wait(SECONDS) == -signal.SIGALRM


@pytest.mark.slow
def test_a_cancelled_design_takes_its_process_with_it(play):
    async def scene():
        workers = Workers()
        solving = asyncio.create_task(workers.design(LONG))
        pids = await started(workers, 1)
        start = time.monotonic()
        solving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await solving
        took = time.monotonic() - start
        gone = [not alive(pid) for pid in pids]
        again = await workers.design(QUICK)
        await workers.close()
        return pids, gone, took, again

    pids, gone, took, again = play(scene())
    assert len(pids) == 1
    assert gone == [True]
    assert took < SECONDS / 3  # the design itself would take longer than that
    assert np.array_equal(again.mechanism.matrix, om.design(QUICK.problem()).mechanism.matrix)


@pytest.mark.slow
def test_a_process_serves_again_and_a_killed_one_is_a_sentence(play):
    async def scene():
        workers = Workers()
        await workers.design(QUICK)
        first = workers.pids
        with pytest.raises(RefusedError, match="fair"):
            await workers.design(Inputs(largest=3, properties=("fair", "unbiased")))
        second = workers.pids
        solving = asyncio.create_task(workers.design(LONG))
        await asyncio.sleep(0.5)  # it may have begun, or not yet
        os.kill(second[0], signal.SIGKILL)
        with pytest.raises(ProblemError, match="must end with an answer"):
            await solving
        await workers.close()
        return first, second, workers.pids

    first, second, last = play(scene())
    assert first == second
    assert not last


@pytest.mark.slow
def test_no_more_solves_at_once_than_are_allowed(play):
    async def scene():
        workers = Workers(at_once=2)
        solving = [asyncio.create_task(workers.design(LONG)) for _ in range(5)]
        await started(workers, 2)
        await asyncio.sleep(0.5)  # a third would have been started by now
        pids = workers.pids
        for task in solving:
            task.cancel()
        await asyncio.gather(*solving, return_exceptions=True)
        return pids, workers.pids

    pids, after = play(scene())
    assert len(pids) == 2
    assert not after
