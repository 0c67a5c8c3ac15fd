"""Multipliers are written in as many bits as the gap needs, and prove as much but for a thousandth of it."""

from __future__ import annotations

import pytest

import optmech as om
from optmech.designs import shortened
from optmech.mechanisms.certificates.certificate_text import certificate_text
from tests.each import each
from tests.readers import by_checker, by_package

QUESTIONS = {
    "a delta": (om.question(om.mean(3, 2), "0.5", delta="1e-3"), "interior"),
    "a worst loss": (om.question(om.mean(3, 2), "0.5", delta="1e-3", worst_case=True), "interior"),
    "two privacies": (om.question(om.mean(2, 2), privacy=[("0.5", "0.01"), ("1", "0")]), "program"),
    "orders": (om.croft(om.mean(3, 2), "0.5", properties=["row-monotone", "fair"]), "program"),
    "bounds": (om.question(om.mean(2, 2), "1", bounds=["mean squared <= 1"]), "program"),
    "least delta": (
        om.question(om.count(3), "0.5", least="delta", bounds=["mean zero-one <= 0.5"]),
        "program",
    ),
}


@each("name", QUESTIONS, every=3)
def test_fewer_bits_lose_a_thousandth_of_the_gap_at_most(name):
    question, engine = QUESTIONS[name]
    whole = om.design(question, engine=engine).certificate
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shortened, "_FEW", 0)
        short = om.design(question, engine=engine).certificate
    assert short.objective == whole.objective
    assert whole.bound - short.bound <= whole.gap / 1000
    assert (short.proof.denominator < whole.proof.denominator) == (whole.gap > 0)
    texts = [certificate_text(certificate) for certificate in (short, whole)]
    assert len(texts[0]) < len(texts[1]) or whole.gap == 0
    assert by_checker(texts[0]) is by_package(texts[0]) is None
