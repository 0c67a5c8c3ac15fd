import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from optmech.base.errors import ProblemError
from optmech.cli import main
from optmech.reports.studio.server import HOST, serve
from tests.alone.waiting import wait_until


def never(*addresses):
    raise AssertionError(addresses)


def test_without_nicegui_it_says_in_one_sentence_what_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "nicegui", None)
    assert main(["studio", "--no-browser"]) == 2
    errors = capsys.readouterr().err
    assert 'pip install "optmech[studio]"' in errors
    assert errors.count("\n") == 1


@pytest.mark.parametrize("port", [-1, 65536, 10**9])
def test_a_port_that_is_none_is_refused(port, monkeypatch):
    monkeypatch.setenv("NICEGUI_STORAGE_PATH", "unused")
    with pytest.raises(ProblemError, match="`port` must lie between 0 and 65535"):
        serve(port, never)


def test_a_port_that_is_taken_is_refused(monkeypatch):
    monkeypatch.setenv("NICEGUI_STORAGE_PATH", "unused")
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        taken.listen()
        with pytest.raises(ProblemError, match="`port` must be free; got "):
            serve(taken.getsockname()[1], never)


@pytest.fixture
def announced(monkeypatch):
    """A server that is ready at once, and what browser is opened with which address."""
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr(
        "optmech.reports.studio.server.serve",
        lambda port, ready, **_: ready(f"http://page/{port}", "http://entrance"),
    )
    return opened


def test_the_browser_is_given_the_entrance_and_the_terminal_the_address(announced, capsys):
    assert main(["studio", "--port", "8123"]) == 0
    assert capsys.readouterr().out.startswith("optmech studio: http://page/8123\n")
    wait_until(lambda: announced)
    assert announced == ["http://entrance"]


def test_json_has_the_address_and_quiet_without_a_browser_is_refused(announced, capsys):
    assert main(["studio", "--no-browser", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"address": "http://page/0", "pid": os.getpid()}
    assert main(["studio", "--no-browser", "--quiet"]) == 2
    assert "nothing would show the address" in capsys.readouterr().err
    assert not announced


def children_of(process):
    """Return the processes that a process started, as soon as there are any."""
    path = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    wait_until(lambda: path.read_text().split())
    return path.read_text().split()


@pytest.mark.slow
def test_control_c_ends_it_with_its_workers_and_leaves_nothing_behind(tmp_path, tmp_path_factory):
    pytest.importorskip("nicegui")
    (tmp_path / "random.py").write_text("raise SystemExit('a file of the user')\n")
    scratch = tmp_path_factory.mktemp("scratch")  # other studios leave theirs elsewhere
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    process = subprocess.Popen(
        ["optmech", "studio", "--no-browser"],
        cwd=tmp_path,
        env={
            **environment,
            "HOME": str(tmp_path),
            "TMPDIR": str(scratch),
            "NICEGUI_REDIS_URL": "redis://nowhere.invalid",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    address = process.stdout.readline().split()[-1]
    assert address.startswith(f"http://{HOST}:")
    children = children_of(process)
    assert len(children) == 1  # the worker that is kept warm
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0
    assert errors == ""
    assert not [pid for pid in children if Path(f"/proc/{pid}").exists()]
    assert [path.name for path in tmp_path.iterdir()] == ["random.py"]
    assert not [*scratch.glob("optmech-studio-*")]


@pytest.mark.slow
def test_workers_end_with_a_server_that_is_killed(tmp_path):
    pytest.importorskip("nicegui")
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    process = subprocess.Popen(
        [sys.executable, "-m", "optmech", "studio", "--no-browser"],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
    )
    with process.stdout:
        process.stdout.readline()
        children = children_of(process)
        process.kill()
        process.wait()
    wait_until(lambda: not [pid for pid in children if Path(f"/proc/{pid}").exists()])
