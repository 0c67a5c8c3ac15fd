"""A card has one scale: of any objective the errors and the minimised value are of one release."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

import optmech as om
from optmech.cli import main
from optmech.reports.card import card_markdown, card_of

COUNT = om.count(5)
ASKED = {
    "sum": lambda: om.croft(COUNT, "0.5"),
    "mean": lambda: om.question(COUNT, "0.5"),
    "prior": lambda: om.question(COUNT, "0.5", prior=["1/2", "1/10", "1/10", "1/10", "1/10", "1/10"]),
    "worst": lambda: om.question(COUNT, "0.5", worst_case=True),
    "delta": lambda: om.p_table(2, 1, variance=2),
}


@pytest.mark.parametrize("name", ASKED)
def test_the_objective_has_the_scale_of_the_errors(name, tmp_path, capsys):
    certificate = om.design(ASKED[name]()).certificate
    card = card_of(certificate)
    assert (card.proof.truths_summed > 1) == (name == "sum")
    assert card.proof.truths_summed in (1, len(certificate.problem.query.truths))
    shown = card.proof.per_truth
    if name in ("sum", "mean"):
        assert Fraction(shown.objective.exact) == Fraction(card.errors.mean.exact)
    if name == "prior":  # the mean error counts all true answers alike, and says so
        assert Fraction(shown.objective.exact) != Fraction(card.errors.mean.exact)
    om.write_certificate(certificate, tmp_path / "m.json")
    assert main(["card", str(tmp_path / "m.json")]) == 0
    screen = " ".join(capsys.readouterr().out.split())
    assert "over all true answers alike" in screen
    (objective,) = re.findall(r"objective ([0-9.]+) proved: ", screen)
    assert float(objective) == pytest.approx(shown.objective.value, rel=1e-9)
    text = card_markdown(card)
    assert "| mean error, over all true answers alike |" in text
    assert ("sum of the expected losses of all true answers, as its paper has it" in text) == (name == "sum")
