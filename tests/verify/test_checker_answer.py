"""The answer of another checker is one JSON object in one line, its numbers exact; all else is no answer."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from optmech.base.logarithm import Logarithm
from optmech.cli.checker_answer import MOST_BYTES, CheckerVerdict, read_answer
from tests.each import each

PROVED = {"verdict": "proved", "objective": "3/4", "bound": None, "epsilon": "ln 3", "delta": "0", "told": []}
LINE = json.dumps(PROVED).encode()
NO_NUMBERS = [
    *("", " ", "1/0", "1/00", "0/0", "1e999999", "1e5", "nan", "NaN", "inf", "-inf", "infinity", "0x10"),
    *("1_000", "+1", "--1", "1/-2", "1/2/3", ".5", "5.", "1.5/2", " 1", "1 ", "1\n", "½", "\uff11"),
    *("about 1", "9" * 10_000, "1/" + "9" * 10_000, "0." + "9" * 10_000, "ln 1/0", "ln nan", "ln ", "ln"),
]  # fmt: skip


def refusal(printed, code=0):
    with pytest.raises(ValueError, match=r".") as refused:
        read_answer(printed, code)
    said = str(refused.value)
    assert len(said) < 200
    assert said.isprintable()
    return said


def without(name):
    return json.dumps({field: value for field, value in PROVED.items() if field != name}).encode()


def test_an_answer_is_read_with_exact_numbers():
    for line in (LINE, LINE + b"\n", LINE + b"\r\n"):
        numbers = read_answer(line, 0).numbers
        assert (numbers.objective, numbers.bound) == (Fraction(3, 4), None)
        assert (numbers.epsilon, numbers.delta) == (Logarithm(Fraction(3)), 0)
    long = "9" * 4000
    content = {**PROVED, "objective": f"-{long}/{long[:-1]}8", "epsilon": "0.5", "delta": None, "bound": "7"}
    numbers = read_answer(json.dumps(content).encode(), 0).numbers
    assert numbers.objective == Fraction(-int(long), int(long) - 1)
    assert (numbers.epsilon, numbers.delta, numbers.bound) == (Fraction(1, 2), None, 7)


def test_a_reason_may_hold_any_text():
    reason = 'a \u2028 line, a \\ and a " quotation \x00'
    for escaped in (True, False):
        line = json.dumps({"verdict": "refused", "reason": reason}, ensure_ascii=escaped).encode()
        assert read_answer(line, 1).reason == reason


@each("field", ["objective", "bound", "delta", "epsilon"])
def test_what_is_no_exact_number_is_no_answer(field):
    for text in NO_NUMBERS:
        said = refusal(json.dumps({**PROVED, field: text}).encode())
        assert f"`{field}` is no exact number" in said, text
    for value in (1, 0.5, True, [], {}, *([None] if field == "epsilon" else [])):
        assert f"`{field}` that is text" in refusal(json.dumps({**PROVED, field: value}).encode())
    assert f"`{field}` that is text" in refusal(without(field))


def test_an_epsilon_is_no_logarithm_of_nothing_and_nothing_else_is_one():
    for text in ("ln 0", "ln -1"):
        assert "no logarithm" in refusal(json.dumps({**PROVED, "epsilon": text}).encode())
    for field in ("objective", "bound", "delta"):
        assert "no exact number" in refusal(json.dumps({**PROVED, field: "ln 2"}).encode())


@each(
    ("printed", "said"),
    [
        (b"", "nothing"),
        (b"\n", "no JSON object"),
        (b"--json certificate.json\n", "no JSON object but `--json"),
        (LINE[: len(LINE) // 2], "no JSON object"),
        (LINE[:-1], "no JSON object"),
        (LINE + b"\n" + LINE, "2 lines"),
        (LINE + b"\n\n", "2 lines"),
        (LINE + b"}", "no JSON object"),
        (b"[]", "no JSON object"),
        (b"null", "no JSON object"),
        (b"[" * 100_000, "no JSON object"),
        (b"9" * 10_000, "no JSON object"),
        (LINE.replace(b"null", b"NaN"), "no JSON object"),
        (LINE.replace(b"null", b"1e999999"), "`bound` that is text"),
        (LINE.replace(b"null", b"9" * 10_000), "no JSON object"),
        (b"{" + LINE[1:-1] + b", " + LINE[1:], "no JSON object"),
        (LINE.replace(b"ln 3", b"ln \xff3"), "no UTF-8"),
        (b"\xef\xbb\xbf" + LINE, "no JSON object"),
        (b" " * (MOST_BYTES + 1), "more than 4,194,304 bytes"),
        (b"a" * 2**20, "no JSON object"),
        (b"{}", "without a `verdict`"),
        (LINE.replace(b"proved", b"Proved"), "without a `verdict`"),
        (LINE.replace(b'"proved"', b'["proved"]'), "without a `verdict`"),
        (b"\x1b[2J", "no JSON object but `\\x1b[2J`"),
    ],
)
def test_what_is_no_object_of_one_line_is_no_answer(printed, said):
    assert said in refusal(printed)


def test_a_verdict_has_its_code_and_a_reason():
    refused = b'{"verdict": "refused", "reason": "a sum is not one"}'
    assert read_answer(refused, 1).reason == "a sum is not one"
    assert read_answer(refused.replace(b"refused", b"not covered"), 2).numbers is None
    for line, codes in ((LINE, (1, 2, 3, -9)), (refused, (0, 2, 3, -9))):
        for code in codes:
            assert "whose code is" in refusal(line, code)
    assert "`reason` that is text" in refusal(b'{"verdict": "refused"}', 1)
    assert "`reason` that is text" in refusal(b'{"verdict": "not covered", "reason": null}', 2)


def test_an_answer_of_a_megabyte_is_read():
    content = {**PROVED, "told": ["x" * 2**20]}
    assert read_answer(json.dumps(content).encode(), 0).numbers.objective == Fraction(3, 4)


def test_the_answers_that_the_page_shows_are_answers():
    page = (Path(__file__).parents[2] / "docs" / "trust.md").read_text(encoding="utf-8")
    block = page.split("```json\n")[1].split("```")[0]
    answers = [read_answer(line.encode(), code) for code, line in enumerate(block.splitlines())]
    assert [answer.verdict for answer in answers] == [*CheckerVerdict]
    assert answers[0].numbers.epsilon == Logarithm(Fraction(3))
