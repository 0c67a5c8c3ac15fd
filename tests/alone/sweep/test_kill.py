"""A sweep that is killed, on this machine or on a cluster, ends with the rows of one that is not."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from pyarrow import parquet

from optmech.analysis.sweep.spec import read_spec

SPEC = """
[question]
query = {kind = ["count", "extremum"], smallest = 0, largest = [2, 3]}
privacy = {kind = "pure", epsilon = ["0.3", "1", "ln 3"]}
properties = [[], ["column-monotone", "fair", "row-monotone", "symmetric"]]
objective = {loss = ["absolute", "squared"], prior = "sum"}
"""
CELLS = 48
# Seconds that a machine under load may need for all cells; a test that waits longer fails.
PATIENCE = 300


@pytest.fixture(scope="module")
def spec(tmp_path_factory):
    path = tmp_path_factory.mktemp("spec") / "spec.toml"
    path.write_text(SPEC)
    assert len(read_spec(path)) == CELLS
    return path


@contextmanager
def started(spec, out, *options):
    """Run a sweep in a process group of its own, of which nothing is left in the end."""
    command = [sys.executable, "-m", "optmech", "sweep", str(spec), "--out", str(out), *options]
    with subprocess.Popen(
        command, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def finish(spec, out, *options):
    """Run to the end, and return what was said, and the rows without what may differ from run to run."""
    with started(spec, out, *options) as process:
        output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, output
    table = parquet.read_table(out)
    assert [path.name for path in out.parent.iterdir()] == [out.name]
    return output, table.drop_columns(["seconds"]).to_pylist()


def answered(out):
    return len(list(Path(f"{out}.parts").glob("part-*.parquet")))


def wait_until(holds, process):
    """Wait, and return False if the process ends before."""
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.005)
    assert time.monotonic() < deadline
    return False


@pytest.fixture(scope="module")
def undisturbed(spec, tmp_path_factory):
    output, rows = finish(spec, tmp_path_factory.mktemp("undisturbed") / "sweep.parquet", "--jobs", "2")
    assert f"{CELLS} cells: {CELLS} done; " in output
    assert len({row["key"] for row in rows}) == CELLS
    return rows


def test_two_kills_lose_and_double_nothing(spec, tmp_path, undisturbed):
    out = tmp_path / "sweep.parquet"
    chance = random.Random()  # noqa: S311 - any moment must do, not those of one seed
    moments, before = [], 0
    for _ in range(2):
        with started(spec, out, "--jobs", "2") as process:
            moment = before + chance.randrange(1, CELLS // 4)
            assert wait_until(lambda at=moment: answered(out) >= at, process), process.stdout.read()
            time.sleep(chance.uniform(0, 0.1))
        before = answered(out)
        moments.append(before)
        assert not out.exists()
    output, rows = finish(spec, out, "--jobs", "2")
    assert f"{CELLS} cells: {CELLS} done, {before} of them before; " in output, moments
    assert rows == undisturbed, moments


@pytest.mark.long
def test_a_worker_of_a_cluster_may_be_killed_and_so_may_the_sweep(spec, tmp_path, undisturbed, cluster):
    address, (_, worker, _) = cluster
    where = "--scheduler", address
    out = tmp_path / "sweep.parquet"
    with started(spec, out, *where) as process:
        assert wait_until(lambda: answered(out) >= 8, process), process.stdout.read()
        worker.kill()
        at = answered(out)
        assert wait_until(lambda: answered(out) >= at + 8, process), process.stdout.read()
    before = answered(out)
    assert before < CELLS
    output, rows = finish(spec, out, *where)
    assert f"{CELLS} cells: {CELLS} done, {before} of them before; " in output
    assert rows == undisturbed


@pytest.mark.long
def test_a_scheduler_that_goes_away_ends_the_sweep_with_what_is_answered(
    spec, tmp_path, undisturbed, cluster
):
    address, (scheduler, *_) = cluster
    out = tmp_path / "sweep.parquet"
    with started(spec, out, "--scheduler", address) as process:
        assert wait_until(lambda: answered(out) >= 8, process), process.stdout.read()
        scheduler.kill()
        output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert "must stay within reach; the connection was lost" in output
    assert "Traceback" not in output
    output, rows = finish(spec, out, "--jobs", "2")
    assert f"{CELLS} cells: {CELLS} done, " in output
    assert rows == undisturbed
