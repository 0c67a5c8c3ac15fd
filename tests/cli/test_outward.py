"""Between a bound and an objective as they are printed lies what is proved: both are rounded outward."""

from __future__ import annotations

import re
from fractions import Fraction
from types import SimpleNamespace

import pytest

import optmech as om
from optmech.analysis.comparison.sentences import excess_loss
from optmech.cli import main
from optmech.cli.certificate_view import certificate_lines
from optmech.reports.report.page import report_page
from tests.each import each
from tests.screen import joined

QUESTIONS = [
    om.question(om.count(largest), epsilon, delta=delta, loss=loss)
    for largest in (1, 2, 5, 9)
    for epsilon in ("0.1", "1", "ln 3", 7)
    for delta in (0, "1e-3")
    for loss in ("absolute", "squared")
]


@each("problem", QUESTIONS, every=2)
def test_what_is_proved_lies_between_the_printed_numbers(problem):
    certificate = om.design(problem).certificate
    objective, bound = certificate_lines(certificate)[:2]
    printed = [Fraction(line.split()[place]) for line, place in ((objective, 1), (bound, 2))]
    assert printed[1] <= certificate.bound <= certificate.objective <= printed[0]
    assert float(printed[0]) == pytest.approx(float(certificate.objective), rel=1e-14)
    gap = Fraction(bound.rpartition("gap ")[2])
    assert gap >= (certificate.objective - certificate.bound) / certificate.objective
    line = re.search(r"objective (\S+), lower bound (\S+) \[proved\]", repr(certificate))
    assert Fraction(line[2]) <= certificate.bound <= certificate.objective <= Fraction(line[1])


def test_a_search_rounds_both_of_its_numbers_outward(capsys):
    assert main(["find", "epsilon", "count", "--range", "0:5", "--target", "0.3"]) == 0
    met, refuted = re.findall(r"(?:objective is|at least) ([\d.]+), proved", joined(capsys.readouterr().out))
    for printed, epsilon, way in ((met, "1.703", 1), (refuted, "1.7025", -1)):
        certificate = om.design(om.question(om.count(5), epsilon)).certificate
        proved = certificate.objective if way > 0 else certificate.bound
        assert way * (Fraction(printed) - proved) >= 0


@each("ends", [(0.3012, 0.4218), (0.30149, 0.30151), (12.344, 12.352), (-0.0312, 0.0148), (0.5, 0.5)])
def test_how_much_a_mechanism_loses_lies_between_its_ends(ends):
    row = SimpleNamespace(loses_at_least=ends[0], loses_at_most=ends[1])
    printed = [float(text.replace(",", "")) for text in re.findall(r"-?[\d.,]+", excess_loss(row))]
    if len(printed) > 1:
        assert printed[0] <= 100 * ends[0]
        assert 100 * ends[1] <= printed[1]
    assert printed[-1] == pytest.approx(100 * ends[1], rel=0.02)


@each("epsilon", ["ln 3", 7, 15, 20, 50, 150], every=3)
def test_a_probability_is_certain_where_it_is_alone(epsilon):
    design = om.design(om.question(om.count(5), epsilon))
    card = om.card_of(design)
    least = Fraction(card.errors.truth_probability_least.exact)
    assert least < 1
    text = om.reports.card_markdown(card)
    shown = re.search(r"true answer, at least \| (more than )?([\d.]+) %, proved", text)
    assert Fraction(shown[2]) <= 100 * least
    page = re.sub(r"<[^>]+>", " ", report_page(design))
    assert not re.search(r"truth is released, (on average|at least)\s+(100\s%|1)\s", page)
    assert re.search(r"truth is released, at least\s+(more than )?[\d.]+\s%", page)
