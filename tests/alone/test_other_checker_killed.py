"""Another checker is killed after its time, with all that it started."""

from __future__ import annotations

import time

from tests.verify.test_other_checker import PROVED, checker, verified

__all__ = ["checker"]  # the fixture


def test_a_program_is_killed_after_its_time_with_what_it_started(checker, tmp_path, capsys):
    alive = tmp_path / "alive"
    child = f"import time; time.sleep(2); open({str(alive)!r}, 'w')"
    before = f"subprocess.Popen([sys.executable, '-c', {child!r}]); time.sleep(60)"
    program = checker(0, before=before)
    begin = time.monotonic()
    assert verified(PROVED, "--checker", program, "--checker-time-limit", "0.5") == 1
    assert time.monotonic() - begin < 20
    out, err = capsys.readouterr()
    late = (
        "did not answer in time, while optmech proves it: 0.5 seconds; `--checker-time-limit` gives it more"
    )
    assert late in " ".join(out.split())
    assert err == ""
    assert verified(PROVED, "--checker", program, "--checker-time-limit", "0") == 2
    time.sleep(2.5)
    assert not alive.exists()


def test_what_a_program_leaves_behind_does_not_hold_up_its_answer(checker):
    before = "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])"
    begin = time.monotonic()
    assert verified(PROVED, "--checker", checker(0, before=before)) == 0
    assert time.monotonic() - begin < 20
