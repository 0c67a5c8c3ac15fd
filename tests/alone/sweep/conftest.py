"""A Dask cluster on this machine, as people start one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

# Seconds that a scheduler may need to start on a machine under load.
PATIENCE = 120


@pytest.fixture
def cluster(tmp_path_factory, request):
    """Start a scheduler and two workers; yield its address, and the three processes."""
    folder = tmp_path_factory.mktemp("cluster")
    file = folder / "scheduler.json"
    dask = [sys.executable, "-m", "dask"]
    scheduler = ["scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    nanny = getattr(request, "param", "--no-nanny")  # a nanny starts a worker again when it dies
    worker = ["worker", "--host", "127.0.0.1", "--nthreads", "1", nanny, "--no-dashboard"]
    settings = {**os.environ, "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}
    with (folder / "log").open("w") as log:
        processes = [
            subprocess.Popen(
                [*dask, *words, "--scheduler-file", str(file)],
                stdout=log,
                stderr=log,
                cwd=folder,
                env=settings,
                start_new_session=True,
            )
            for words in (scheduler, worker, worker)
        ]
        try:
            yield _address(file), processes
        finally:
            for process in processes:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _address(file):
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if file.exists() and file.read_text().endswith("}"):
            return json.loads(file.read_text())["address"]
        time.sleep(0.05)
    pytest.fail("the scheduler did not start")
