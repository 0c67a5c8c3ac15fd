"""The owner of a studio gets in, and stays in, with others on the machine."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from urllib.parse import urlsplit

import pytest

PATIENCE = 60.0


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    pytest.importorskip("nicegui")
    home = tmp_path_factory.mktemp("home")
    # It asks whether it is tested, and is then another.
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    process = subprocess.Popen(
        [sys.executable, "-m", "optmech", "studio", "--no-browser", "--json"],
        cwd=home,
        env={**environment, "HOME": str(home)},
        stdout=subprocess.PIPE,
        text=True,
    )
    with process.stdout:
        text = ""
        while not text.endswith("}\n"):
            text += process.stdout.readline()
        yield urlsplit(json.loads(text)["address"])
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)


@pytest.fixture
def strangers(address):
    """Open so many connections, each with what it says at first."""
    opened = []

    def opens(number, says=b""):
        for _ in range(number):
            one = socket.create_connection((address.hostname, address.port), PATIENCE)
            one.sendall(says)
            opened.append(one)
        return opened

    yield opens
    for one in opened:
        one.close()


def status(connection, path):
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    return answer.status


@pytest.mark.parametrize(
    "says",
    [b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ", b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n"],
    ids=["silent", "slow", "with a body that never comes"],
)
def test_idle_and_slow_connections_lock_nobody_out(address, strangers, says):
    owner = http.client.HTTPConnection(address.hostname, address.port, timeout=PATIENCE)
    assert status(owner, address.path) == 200
    strangers(150, says)
    assert status(owner, address.path) == 200  # who is in stays in
    late = http.client.HTTPConnection(address.hostname, address.port, timeout=PATIENCE)
    assert status(late, address.path) == 200  # and comes in
    strangers(150, says)
    assert status(late, address.path) == 200
    owner.close()
    late.close()


def has_ended(connection):
    """Wait until the server ends a connection that it has not answered."""
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def test_of_many_strangers_the_oldest_have_to_go(strangers):
    first, *_, last = strangers(100)
    assert has_ended(first)
    last.settimeout(0)
    with pytest.raises(BlockingIOError):
        last.recv(1)


@pytest.mark.long
def test_a_stranger_has_to_go_after_some_seconds(strangers):
    (one,) = strangers(1, b"GET / HTTP/1.1\r\n")
    start = time.monotonic()
    assert has_ended(one)
    assert 5 < time.monotonic() - start < PATIENCE
