"""A table of counts that is killed while it is made leaves a whole file or none."""

from __future__ import annotations

import hashlib
import random
import shutil
import signal
import subprocess
import sys
import time

import pytest

import optmech as om
from tests.alone.handled import wait_until_handled
from tests.release.tabulate.test_visits import ROOT, TABULATE

KILLS, MOST_TURNS = 2, 20
SIZE = ("--visits", "100000", "--people", "15000")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Make fewer visits than others do: any table is as good to be killed over."""
    made = tmp_path_factory.mktemp("visits")
    subprocess.run([sys.executable, ROOT / "examples/visits.py", made / "visits.parquet", *SIZE], check=True)
    return made


@pytest.mark.parametrize(
    "sent", [signal.SIGKILL, signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.long)]
)
def test_killed_at_any_moment_it_leaves_no_half_file(folder, sent):
    words = [sys.executable, "-m", "optmech", *TABULATE.split(), "killed.csv"]
    out, beside = folder / "killed.csv", folder / "killed.csv.json"
    for left in folder.glob(".optmech-*.part"):  # of those that were killed before
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    start = time.perf_counter()
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    whole, first = time.perf_counter() - start, out.read_bytes()
    ended = turn = 0
    before = {path.name for path in folder.iterdir()}
    while turn < KILLS or not ended:  # on a busy machine it may have ended first
        assert turn < MOST_TURNS
        out.unlink(missing_ok=True)
        beside.unlink(missing_ok=True)
        process = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_until_handled(process)
        time.sleep(whole * (turn % KILLS + random.random()) / KILLS)  # noqa: S311 - any moment will do
        process.send_signal(sent)
        _, err = process.communicate()
        assert b"Traceback" not in err
        ended += process.returncode != 0
        turn += 1
        if out.exists():
            assert out.read_bytes() == first
            assert om.read_bound(beside).sha256 == hashlib.sha256(first).hexdigest()
        left = [path.name for path in folder.iterdir() if path.name.endswith(".part")]
        assert sent == signal.SIGKILL or not left
        assert {path.name for path in folder.iterdir()} <= before | set(left)
