"""A studio that runs in a process of its own, as a user starts it, in a folder where nothing may be left."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

PATIENCE = 60.0


@dataclass
class Studio:
    """A server that runs."""

    address: str
    process: subprocess.Popen
    folder: Path

    @property
    def origin(self):
        return self.address.rsplit("/", 2)[0]

    @property
    def state(self):
        """Where it holds its token."""
        return self.folder.parent / f"{self.folder.name}.state"

    @property
    def port(self):
        return int(self.origin.rsplit(":", 1)[1])

    def workers(self):
        """The processes that the server started and that are alive."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return {int(pid) for pid in children.read_text().split()}

    def said(self):
        """Return the server's standard error."""
        return (self.folder.parent / f"{self.folder.name}.err").read_text()

    def end(self):
        self.process.send_signal(signal.SIGINT)
        with self.process.stdout:
            return self.process.wait(PATIENCE)


def started(folder):
    pytest.importorskip("nicegui")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # It asks whether it is tested, and is then another.
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    options = ["--no-browser", "--port", str(port), "--same-address"]
    with (folder.parent / f"{folder.name}.err").open("w") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "optmech", "studio", *options],
            cwd=folder,
            env={**environment, "HOME": str(folder), "XDG_STATE_HOME": f"{folder}.state"},
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
        )
    line = process.stdout.readline()
    assert line.startswith("optmech studio: http://127.0.0.1:"), line
    return Studio(line.split()[-1], process, folder)


@pytest.fixture
def play():
    """Run a scene in an event loop of its own; the browser's is in this thread for as long as it is open."""
    with ThreadPoolExecutor(max_workers=1) as thread:
        yield lambda scene: thread.submit(asyncio.run, scene).result()


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    running = started(tmp_path_factory.mktemp("studio"))
    yield running
    if running.process.poll() is None:
        running.end()
