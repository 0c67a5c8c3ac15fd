"""Ctrl-C and SIGTERM at any moment: no traceback, nothing half written, and a word on how to go on."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.alone.handled import wait_until_handled
from tests.alone.waiting import SECONDS

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="only Linux tells which signals are handled"
)

BIG = "design croft --query mean --records 40 --range 0:4 --epsilon 0.2 --engine program --out big.csv"
SWEEP = """\
engine = "program"
[question]
query = {kind = "mean", smallest = 0, largest = 4, records = [9]}
privacy = {kind = "pure", epsilon = ["0.2", "0.3", "0.4", "0.5", "0.6", "0.7"]}
objective.prior = "sum"
"""


def ended(folder, line, number, after=0.0, there=""):
    """Return its exit code, as a shell tells it, and what was printed.

    The signal comes `after` the process handles it, and if `there` is given, after that file is there.
    """
    with subprocess.Popen(
        [sys.executable, "-m", "optmech", *line.split()],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        wait_until_handled(process)
        while process.poll() is None and there and not list(folder.glob(there)):
            time.sleep(0.005)
        time.sleep(after)
        process.send_signal(number)
        start = time.monotonic()
        out, err = process.communicate(timeout=SECONDS)
    assert time.monotonic() - start < SECONDS / 2
    # Where Ctrl-C finds Python within a text that it executes, such as the methods of a dataclass, it ends by
    # the signal itself, although the interrupt was caught: 130 to a shell as well.
    code = process.returncode
    return code if code >= 0 else 128 - code, out, err


def run_beside(module, source, line=BIG):
    """Run a command in the folder of a module, where Python looks first, and return how it ended."""
    module.write_text(source)
    return subprocess.run(
        [sys.executable, "-m", "optmech", *line.split()],
        cwd=module.parent,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )


def moments(number, last, seed):
    """Return moments spread over the time from nothing to the last."""
    drawn = random.Random(seed)  # noqa: S311 - moments are no secret
    step = last / number
    return [step * (place + drawn.random()) for place in range(number)]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_while_it_loads_it_ends_at_once_without_a_traceback(tmp_path, number):
    for moment in moments(3, 0.15, seed=1):
        code, _, err = ended(tmp_path, BIG, number, moment)
        assert code == 128 + number, err
        assert err.startswith("optmech: interrupted; no file")
        assert err.count("\n") == 1
        assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("number", "solver"),
    [
        (signal.SIGINT, "highs"),
        (signal.SIGTERM, "cbc"),
        pytest.param(signal.SIGINT, "cbc", marks=pytest.mark.long),
        pytest.param(signal.SIGTERM, "highs", marks=pytest.mark.long),
    ],
)
def test_at_any_moment_of_the_first_second_nothing_is_left(tmp_path, number, solver):
    for moment in moments(3, 1.0, seed=2):
        code, out, err = ended(tmp_path, f"{BIG} --solver {solver}", number, moment)
        assert (code, out) == (128 + number, ""), err
        assert err.startswith("optmech: interrupted; no file")
        assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_while_a_solver_works_it_says_how_to_go_on(tmp_path, number):
    code, out, err = ended(tmp_path, BIG, number, 0.8)
    assert (code, out) == (128 + number, "")
    assert err == "optmech: interrupted; no file is half written. Run the same command again.\n"
    assert not list(tmp_path.iterdir())


def test_with_json_it_is_an_object(tmp_path):
    for moment in (0.0, 0.8):
        code, out, _ = ended(tmp_path, f"{BIG} --json", signal.SIGINT, moment)
        assert (code, json.loads(out)["exit_code"]) == (130, 130)


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.long)])
def test_a_sweep_keeps_what_it_has_and_goes_on(tmp_path, number):
    (tmp_path / "sweep.toml").write_text(SWEEP)
    line = "sweep sweep.toml --out sweep.parquet --jobs 1"
    for _ in range(10):
        code, _, err = ended(tmp_path, line, number, there="sweep.parquet.parts/*.parquet")
        if code:
            break
        (tmp_path / "sweep.parquet").unlink()  # on a busy machine it may have ended first
    assert code == 128 + number, err
    assert "optmech: interrupted with " in err  # after its progress, on a busy machine
    assert "run the same command again to go on" in err
    assert "Traceback" not in err
    done = subprocess.run(
        [sys.executable, "-m", "optmech", *line.split()],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "6 cells: 6 done, " in done.stdout


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_library_that_swallows_what_comes_while_it_loads_does_not_swallow_a_signal(tmp_path, number):
    source = (
        f"import os\ntry:\n    os.kill(os.getpid(), {number:d})\n    sum(range(100))\nexcept:\n    pass\n"
        "class PULP_CBC_CMD:\n    pulp_cbc_path = 'nowhere'\n"
    )
    done = run_beside(tmp_path / "pulp.py", source, f"{BIG} --solver cbc")
    assert (done.returncode, done.stdout) == (128 + number, "")
    assert done.stderr.startswith("optmech: interrupted; no file")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_module_that_swallows_a_signal_and_loads_does_not_swallow_it_for_good(tmp_path, number):
    source = (
        f"import os, sys\ntry:\n    os.kill(os.getpid(), {number:d})\n    sum(range(100))\n"
        "except:\n    pass\n"
        "sys.path = [path for path in sys.path if path not in ('', os.getcwd())]\n"
        "del sys.modules['numpy']\nimport numpy\n"
    )
    done = run_beside(tmp_path / "numpy.py", source)
    # As a shell tells it; see `ended`.
    assert done.returncode in (128 + number, -number)
    assert done.stdout == ""
    assert done.stderr == "optmech: interrupted; no file is half written. Run the same command again.\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_library_that_makes_another_error_of_a_signal_ends_as_the_signal(tmp_path, number):
    source = (
        f"import os\ntry:\n    os.kill(os.getpid(), {number:d})\n    sum(range(100))\n"
        "except KeyboardInterrupt as trouble:\n    raise ImportError('it did not load') from trouble\n"
    )
    done = run_beside(tmp_path / "numpy.py", source)
    assert (done.returncode, done.stdout) == (128 + number, "")
    assert done.stderr == "optmech: interrupted; no file is half written. Run the same command again.\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_in_a_callback_that_nothing_can_leave_is_not_lost(tmp_path, number):
    source = (
        "import os, time\nclass Last:\n    def __del__(self):\n"
        f"        os.kill(os.getpid(), {number:d})\n        sum(range(100))\nLast()\ntime.sleep(20)\n"
    )
    done = run_beside(tmp_path / "numpy.py", source)
    assert (done.returncode, done.stdout) == (128 + number, "")
    assert done.stderr == "optmech: interrupted; no file is half written. Run the same command again.\n"


def test_a_signal_between_two_renames_waits_for_the_second(tmp_path):
    program = (
        "import os, signal\nfrom pathlib import Path\nfrom optmech.base.whole_files import write_together\n"
        "usual = Path.replace\n"
        "def replace(self, target):\n"
        "    usual(self, target)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "Path.replace = replace\n"
        "try:\n    write_together({'a': 'one', 'b': 'two'})\n"
        "except KeyboardInterrupt:\n    print('interrupted')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "interrupted\n"
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "one", "b": "two"}


def test_a_program_that_uses_the_library_keeps_its_own_handlers():
    program = (
        "import signal, optmech; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler, "
        "signal.getsignal(signal.SIGTERM) == signal.SIG_DFL)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "True True\n"
