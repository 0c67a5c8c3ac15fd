"""Wrong calls of all public names, by a generator: no error from inside comes out."""

from __future__ import annotations

import re
import warnings

import pytest

import optmech as om
from tests.claims.wrong_calls import WRONG, public_calls, wrong_calls

INSIDE = re.compile(
    r"has no attribute|not iterable|not subscriptable|unsupported operand|truth value of|ufunc|unhashable|"
    r"<[A-Z]\w+\.[A-Z_]+: |Traceback|Error\(|object of type|not supported between|indices must|not callable|"
    r"invalid literal|could not convert|\n"
)


def hold(name, call, arguments):
    """Call, and refuse an error that is neither ours nor that of Python for arguments of no signature."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            call(**arguments)
    except (om.OptmechError, TypeError) as error:
        text, is_ours = str(error), isinstance(error, om.OptmechError)
    except Exception as error:
        error.add_note(f"{name}, {arguments}")
        raise
    else:
        return
    assert not INSIDE.search(text), (name, arguments)
    assert is_ours or "argument" in text, (name, arguments)


@pytest.mark.slow
def test_a_wrong_call_of_a_public_name_is_refused_by_a_sentence_or_answered(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    number = 0
    for name, call in public_calls():
        for arguments in wrong_calls(call):
            hold(name, call, arguments)
            number += 1
    assert number > 10_000


def test_nothing_at_all_gets_a_sentence(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, call in public_calls():
        for arguments in list(wrong_calls(call))[: len(WRONG) : 19]:
            hold(name, call, arguments)
