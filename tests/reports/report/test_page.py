"""A report says what is proved and what is not, escapes what users typed, and is the same bytes each time."""

from __future__ import annotations

import json
import re
from html import unescape

import numpy as np
import pytest

import optmech as om
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.reports.charts.matrix_view import near
from optmech.reports.markup import prose
from optmech.reports.report import Names, report_page
from optmech.reports.report.page import digest
from tests.path import distribution

HOSTILE = "</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def certificate():
    return om.design(om.croft(om.count(5), "0.5", variant=2)).certificate


@pytest.fixture(scope="module")
def page_text(certificate):
    return report_page(certificate)


def words_of_page(text):
    """Return the text of a page without its scripts and styles."""
    body = re.sub(r"<(script|style)[^>]*>.*?</\1>", "", text, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", " ", body).split())


def data_of(text):
    result = re.search(r'<script type="application/json" id="content">(.*?)</script>', text, re.DOTALL)
    return json.loads(result[1])


def test_the_same_input_makes_the_same_bytes(certificate, page_text):
    assert report_page(certificate) == page_text
    assert "2026" not in words_of_page(page_text).replace("2017-2026", "")
    assert "<time>2026-05-04</time>" in report_page(certificate, date="2026-05-04")


def test_the_page_says_what_is_proved_and_how_to_check_it(certificate, page_text):
    words = words_of_page(page_text)
    assert "Proved in exact arithmetic: pure differential privacy, with ε = 0.5" in words
    assert "python check_certificate.py mechanism.certificate.json mechanism.csv" in words
    assert certificate.matrix.sha256() in words
    assert str(certificate.matrix.denominator) in words
    assert "Nothing is proved" not in words
    assert "Sign-off" in words


def test_every_policy_hash_is_of_what_stands_in_the_page(page_text):
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page_text)[1]
    policy = unescape(policy)
    assert policy.startswith("default-src 'none'")
    scripts = re.findall(r"<script>(.*?)</script>", page_text, re.DOTALL)
    assert len(scripts) == 1
    for part in (*scripts, re.search(r"<style>(.*?)</style>", page_text, re.DOTALL)[1]):
        assert digest(part) in policy
    assert "unsafe-eval" not in policy
    assert "unsafe-inline" not in policy


def test_the_page_has_no_handlers_and_loads_nothing(page_text):
    markup = re.sub(r"<(script|style)[^>]*>.*?</\1>", "", page_text, flags=re.DOTALL)
    assert not re.search(r"\son\w+=", markup)
    assert not re.search(r"\b(src|href)=\"(?!#)", markup)


def test_numbers_of_the_page_are_those_of_the_matrix(certificate, page_text):
    content = data_of(page_text)
    numerators = certificate.matrix.numerators
    assert [[int(text) for text in line] for line in content["exactly"]] == numerators.tolist()
    nearest = certificate.matrix.nearest()
    assert np.array(content["probabilities"]) == pytest.approx(nearest, rel=1e-9)
    assert "likeliest release is 3, with probability 31.5 %" in content["told"][3]


def test_a_hostile_label_stays_text():
    problem = om.question(om.categories(["red", HOSTILE, "a&b"]), 1, loss="zero-one")
    certificate = om.design(problem).certificate
    text = report_page(certificate)
    assert "<img src=x" not in text
    assert text.count("</script>") == 2
    assert data_of(text)["truths"] == ["red", HOSTILE, "a&b"]
    assert "&lt;img src=x onerror=alert(1)&gt;" in text


@pytest.mark.parametrize("field", ["again", "date", "comparison"])
def test_what_a_caller_passes_is_escaped(certificate, field):
    assert "<img src=x" not in report_page(certificate, **{field: HOSTILE})


def test_names_of_files_are_escaped(certificate):
    text = report_page(certificate, names=Names(certificate=HOSTILE, matrix="<b>"))
    assert "<img src=x" not in text
    assert "&lt;b&gt;" in text


def test_attributes_are_escaped():
    problem = om.question(om.categories(["red", '"><b>']), 1, loss="zero-one")
    text = report_page(om.design(problem).certificate)
    assert "<b>" not in text
    assert 'aria-valuetext="&#34;&gt;&lt;b&gt;"' in text


def test_a_bare_matrix_is_said_to_be_unproved_first(certificate):
    mechanism = MatrixMechanism(matrix=certificate.matrix.nearest(), responses=range(6), truths=range(6))
    words = words_of_page(report_page(mechanism, certificate.problem))
    before = words[: words.index("The question", words.index("Mechanism report optmech"))]
    assert "Nothing is proved of this mechanism." in before
    assert "Whatever is released" not in before
    assert "● proved" not in words
    assert "proved" not in set(
        re.findall(r'class="provenance (\w+)"', report_page(mechanism, certificate.problem))
    )
    assert "as it is not held" not in words
    assert "The required guarantee" in words


def test_a_matrix_that_breaks_its_promise_is_not_called_private():
    broken = MatrixMechanism(matrix=[[0.9, 0.0], [0.1, 1.0]], responses=range(2), truths=range(2))
    words = words_of_page(report_page(broken, om.croft(om.count(1), 1)))
    assert words.index("Do not publish with this mechanism") < words.index("The question Question")
    assert "Yes, at these numbers" not in words
    assert "odds change by a factor" not in words
    assert "equivalent pure ε: infinite" in words
    assert "No: the matrix violates what is required." in words
    assert "This mechanism violates it." in words
    assert "infinite" in words


def test_what_is_no_differential_privacy_is_said_at_the_head():
    certificate = om.design(om.sadeghi(1, "0.5", 2, (1, 3))).certificate
    words = words_of_page(report_page(certificate))
    head = words[: words.index("The question Question")]
    assert "This is not differential privacy at these numbers." in head


def test_a_question_without_a_curve_says_why():
    problem = om.question(om.graph([("a", "b", 1), ("b", "c", 2)]), 1, loss="zero-one")
    text = report_page(om.design(problem).certificate)
    assert "There is no curve δ(ε) here" in words_of_page(text)
    assert 'id="chart-curve"' not in text


@pytest.mark.slow
def test_a_distribution_is_shown_near_some_truths():
    law = distribution(10_000, "0.1")
    text = report_page(law.certificate)
    words = words_of_page(text)
    assert "A count from 0 to 10000" in words
    assert "There is no matrix of 10,001 columns" in words
    content = data_of(text)
    truth, offset = int(content["truths"][3]), int(content["responses"][1])
    assert content["probabilities"][1][3] == pytest.approx(law.column(truth)[truth + offset], rel=1e-9)


def test_a_distribution_tells_how_much_lies_outside_its_chart():
    law = distribution(2_000, "0.5")
    view, words = near(law)
    outside = 1 - view.probabilities[:, 20].sum()
    assert 0 < outside < 1e-4
    assert words[20].endswith("with less than 0.01 %.")
    assert view.probabilities[:, 0].sum() <= 1 + 1e-12


def test_each_chapter_that_is_linked_is_there(page_text):
    links = re.findall(r'href="#([^"]+)"', page_text)
    assert len(links) > 8
    assert all(f'id="{link}"' in page_text for link in links)


def test_tools_are_compared_with_their_losses(certificate):
    compared = om.compare(certificate.problem)
    words = words_of_page(report_page(certificate, comparison=compared))
    assert "truncated geometric" in words
    assert "OpenDP make_geometric" in words
    assert "The optimum costs an error of 1.138 on average, proved" in words


def test_weights_are_told_where_odds_are():
    problem = om.question(om.graph([("a", "b", 1), ("b", "c", 2)]), 1, loss="zero-one")
    words = words_of_page(report_page(om.design(problem).certificate))
    assert "odds change by a factor of at most 2.719 for each unit of weight" in words
    assert "neighbours have weights here" in words


def test_what_stands_between_backquotes_is_code_and_escaped():
    assert prose("Ask `<b>` now") == "Ask <code>&lt;b&gt;</code> now"
    assert prose("a ` alone <b>") == "a ` alone &lt;b&gt;"


def test_text_beside_a_single_backquote_is_whole():
    assert prose("`") == "`"


@pytest.mark.parametrize(
    ("problem", "says"),
    [
        (om.question(om.count(3), 1, delta="0.1"), "odds change by a factor of at most 2.719, apart from δ"),
        (om.sadeghi(1, "0.5", 2, (1, 3)), "odds change by a factor of at most 2.719, apart from δ"),
        (om.kadam(om.residues(5, [1], symmetric=False), 1), "one way between neighbours only"),
    ],
)
def test_where_odds_can_change_by_more_the_head_does_not_deny_it(problem, says):
    words = words_of_page(report_page(om.design(problem).certificate))
    assert says in words
    assert "the largest change of odds" not in words


def test_a_gap_however_small_is_not_called_none(certificate):
    words = words_of_page(report_page(certificate))
    assert certificate.gap > 0
    assert "no mechanism is better" not in words
    assert "of the optimum, relatively" in words


def test_the_verdict_gives_each_of_several_privacies_its_own_epsilon():
    several = om.question(om.count(3), privacy=[("0.5", "1e-3"), ("2", 0)])
    words = words_of_page(report_page(om.design(several).certificate))
    verdict = (
        "approximate differential privacy, with ε = 0.5, δ = 0.001; also pure differential privacy at ε = 2"
    )
    assert f"Proved in exact arithmetic: {verdict} ." in words


@pytest.mark.parametrize("largest", [3, 3000])
def test_what_is_nearly_certain_is_not_called_certain(largest):
    certificate = om.design(om.question(om.count(largest), 40)).certificate
    text, card = report_page(certificate), om.reports.card_markdown(om.card_of(certificate))
    assert all("probability more than 99.99 %" in sentence for sentence in data_of(text)["told"])
    assert not re.search(r"probability of the true answer.*100 %, proved", card)
