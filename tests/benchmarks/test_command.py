"""The command line of the benchmarks: what it refuses, and what it exits with."""

from __future__ import annotations

import sys

import pytest

from benchmarks import __main__ as command
from benchmarks.cost import machine, worker


def call(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["benchmarks", *arguments])
    return command.main()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("cost", "speed"), "case must be among engines, chain, scale, building"),
        (("quality", "engines"), "cases are those of cost"),
        (("cost", "--limit", "0"), "--limit must be positive; got 0"),
        (("cost", "--limit", "nan"), "--limit must be positive; got nan"),
        (("cost", "scale", "--beside", "-1"), "--beside must be positive; got -1"),
        (("quality", "--write", "--smoke"), "leave --smoke out"),
        (("cost", "--against", "/"), "--against must be a checkout of this project, with src/optmech in it"),
        (("cost", "chain", "--against", "/"), "--against is of cost, without cases"),
    ],
)
def test_a_wrong_call_is_one_sentence(arguments, says, monkeypatch, capsys):
    with pytest.raises(SystemExit) as ended:
        call(monkeypatch, *arguments)
    assert ended.value.code == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(("broken", "code"), [([], 0), (["a gap is wide"], 1)])
def test_a_broken_rule_is_the_exit_code(broken, code, monkeypatch, capsys):
    monkeypatch.setattr(command, "report", lambda **_: ({"optima.md": "a table"}, broken))
    assert call(monkeypatch, "quality") == code
    assert ("FAILS: a gap is wide" in capsys.readouterr().out) == bool(broken)


def test_a_missing_peer_is_told_with_its_remedy():
    with pytest.raises(machine.PeerMissingError, match=r'not installed: no_such_peer .*\[benchmarks\]"'):
        machine.peer("no_such_peer")


@pytest.mark.slow
def test_a_worker_answers_with_its_memory():
    answer = worker.run({"work": "build", "library": "optmech", "size": 3, "epsilon": "0.5"}, 60)
    assert answer["kept"] == "Formulation"
    assert answer["megabytes"] > 1


@pytest.mark.slow
def test_a_worker_that_fails_is_an_error_and_no_exception():
    assert "KeyError" in worker.run({"work": "nonsense"})["error"]
