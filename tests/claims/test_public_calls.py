"""Wrong calls of all public names, by a generator: no error from inside comes out."""

from __future__ import annotations

import re
import warnings

import pytest

import optmech as om
from tests.claims.wrong_calls import WRONG, public_calls, refused_calls, wrong_calls

INSIDE = re.compile(
    r"has no attribute|not iterable|not subscriptable|unsupported operand|truth value of|ufunc|unhashable|"
    r"<[A-Z]\w+\.[A-Z_]+: |Traceback|Error\(|object of type|not supported between|indices must|not callable|"
    r"invalid literal|could not convert|\n"
)


RULE = re.compile(
    r"must|cannot|only|are broken|can be|needs|asks for|at most|beyond|no mechanism|hold|not available",
    re.IGNORECASE,
)


def hold(name, call, arguments):
    """Call, and refuse an error that is neither ours nor that of Python for arguments of no signature."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            call(**arguments)
    except (om.OptmechError, TypeError) as error:
        text, is_ours = str(error), isinstance(error, om.OptmechError)
        is_rule = is_ours and not isinstance(error, om.ModelError)  # that one is for whoever builds a model
    except Exception as error:
        error.add_note(f"{name}, {arguments}")
        raise
    else:
        return
    assert not INSIDE.search(text), (name, arguments)
    assert is_ours or "argument" in text, (name, arguments)
    assert not is_rule or RULE.search(text), (name, arguments, text)
    assert not is_rule or text.rstrip().endswith((".", "…", "?")), (name, arguments, text)


@pytest.mark.parametrize(
    "every", [pytest.param(4, marks=pytest.mark.slow), pytest.param(1, marks=pytest.mark.long)]
)
def test_a_wrong_call_of_a_public_name_is_refused_by_a_sentence_or_answered(tmp_path, monkeypatch, every):
    monkeypatch.chdir(tmp_path)
    number = 0
    for at, (name, call) in enumerate(public_calls()):
        for arguments in list(wrong_calls(call))[at % every :: every]:
            hold(name, call, arguments)
            number += 1
    assert number > 10_000 / every


def test_nothing_at_all_gets_a_sentence(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, call in public_calls():
        for arguments in list(wrong_calls(call))[: len(WRONG) : 19]:
            hold(name, call, arguments)


@pytest.mark.slow
def test_a_value_that_a_parameter_forbids_is_refused_and_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    number = 0
    for name, call in public_calls():
        for arguments in refused_calls(call):
            number += 1
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    call(**arguments)
                except (om.OptmechError, TypeError):
                    continue
            pytest.fail(f"{name}, {arguments}")
    assert number > 2_000
    assert not list(tmp_path.iterdir())
