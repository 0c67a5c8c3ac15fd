"""Views in notebooks and terminals: escaped, short, in words of the card, each number with provenance."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from html.parser import HTMLParser

import pytest

import optmech as om
from optmech.reports.card import words_of
from optmech.reports.display import html_of
from optmech.reports.display.mechanisms import proved_facts
from tests.each import each
from tests.path import distribution

EVIL = ["red", "<script>alert(1)</script>", '<td onclick="x">&amp;']
VOID = {"br", "hr", "img"}


class Read(HTMLParser):
    """Gather elements, styles and text, and hold tags to each other."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.styles, self.attributes, self.text = [], set(), [], set(), ""

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.styles += [value for name, value in attrs if name == "style"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data + " "


def read(html):
    page = Read()
    page.feed(html)
    page.close()
    assert not page.open
    return page


@pytest.fixture(scope="module")
def things():
    query = om.count(5)
    problem = om.croft(query, "0.5", variant=2)
    design = om.design(problem)
    return {
        "query": query,
        "problem": problem,
        "design": design,
        "mechanism": design.mechanism,
        "certificate": design.certificate,
        "report": om.verify(design.mechanism, problem),
        "distribution": distribution(100, "0.1"),
        "large": om.design(om.croft(om.count(5000), 1)),
        "raw": om.design(problem, raw=True),
        "frontier": om.analysis.frontier(problem, at=[1, 2]),
        "comparison": om.compare(om.croft(om.count(3), 1, prior="uniform")),
        "weighted": om.design(om.question(om.Query([0, 1, 2], neighbours=[(0, 1, 1), (1, 2, 2)]), 1)),
        "coarse": om.design(om.question(om.Query([0, 1, 2, 3], [(0, 2), (2, 4)], 1), 1)),
        "least-delta": om.design(om.sadeghi_symmetric("2.18", accuracy="0.8", half_width=6)),
        "probabilistic": om.design(om.kadam(om.residues(5, [1]), "1.5", "0.1")),
    }


KINDS = (
    "query", "problem", "design", "mechanism", "certificate", "report", "distribution", "large", "raw",
    "frontier", "comparison", "weighted", "coarse", "least-delta", "probabilistic",
)  # fmt: skip
each_kind = pytest.mark.parametrize("kind", KINDS)


@each_kind
def test_a_page_is_whole_and_brings_nothing_with_it(things, kind):
    page = read(things[kind]._repr_html_())
    assert page.tags <= {
        "div", "p", "table", "caption", "thead", "tbody", "tr", "th", "td", "details", "summary",
    }  # fmt: skip
    assert page.attributes <= {"style", "scope"}
    assert "url(" not in " ".join(page.styles)


@each_kind
def test_text_keeps_the_colour_of_the_notebook(things, kind):
    """No style sets a colour of text but to inherit it, and every ground is half transparent."""
    for style in read(html_of(things[kind])).styles:
        rules = dict(rule.split(":", 1) for rule in style.split(";") if rule)
        assert rules.get("color", "inherit") == "inherit"
        ground = rules.get("background", "none")
        assert ground == "none" or (ground.startswith("rgba(") and float(ground[:-1].split(",")[3]) <= 0.5)


@each_kind
def test_the_terminal_gets_one_short_line(things, kind):
    text = repr(things[kind])
    assert text.startswith(f"<{type(things[kind]).__name__}: ")
    assert text.endswith(">")
    assert "\n" not in text
    caution = getattr(things[kind], "caution", None) or ""
    assert len(text) - len(caution) < 300


@each("kind", ["design", "certificate", "distribution", "large", "frontier"])
def test_proved_numbers_are_called_so(things, kind):
    assert "proved" in read(html_of(things[kind])).text
    assert kind == "frontier" or "[proved]" in repr(things[kind])


def test_nothing_of_a_raw_design_is_called_proved(things):
    raw = things["raw"]
    page = read(html_of(raw))
    assert raw.objective_standing in page.text
    assert "[proved]" not in page.text + repr(raw)
    assert "nothing is proved" in page.text


def test_a_report_says_what_fails():
    mechanism = om.MatrixMechanism(matrix=[[1, 0], [0, 1]], responses=(0, 1), truths=(0, 1))
    report = om.verify(mechanism, om.croft(om.count(1), "0.5"))
    page = read(html_of(report))
    assert "FAILS: pure privacy" in repr(report)
    assert "FAILS" in page.text
    assert "recomputed" in page.text


@pytest.mark.parametrize("kind", ["problem", "design", "certificate"])
def test_the_words_are_those_of_the_card(things, kind):
    problem = things["problem"]
    words = words_of(problem)
    text = " ".join(read(html_of(things[kind])).text.split())
    for line in (words.question, words.protected, words.guarantee, words.odds, words.objective):
        assert line in text


def test_what_is_no_differential_privacy_is_said_to_be_none(things):
    one_sided = om.residues(5, [1], symmetric=False)
    assert "not differential privacy" in read(html_of(one_sided)).text
    assert "not differential privacy" not in read(html_of(om.residues(5, [1]))).text
    unlike = words_of(things["least-delta"].problem, things["least-delta"].certificate.delta).deviation
    assert unlike
    assert unlike in " ".join(read(html_of(things["least-delta"])).text.split())


def test_labels_and_names_are_text_and_never_markup():
    query = om.categories(EVIL)
    problem = om.question(query, 1, loss="zero-one")
    design = om.design(problem)
    named = om.Query([0, 1], name="<b>bold</b><img src=x>")
    for thing in (query, problem, design, design.mechanism, design.certificate, named):
        page = read(html_of(thing))
        assert not page.tags & {"script", "b", "img"}
        assert "onclick" not in page.attributes
    assert all(label in read(html_of(design.mechanism)).text for label in EVIL)


def test_a_name_in_a_comparison_is_text():
    own = om.MatrixMechanism(matrix=[[0.5, 0.5], [0.5, 0.5]], responses=(0, 1), truths=(0, 1))
    problem = om.croft(om.count(1), 1, prior="uniform")
    page = read(html_of(om.compare(problem, others={"<script>mine</script>": own})))
    assert "<script>mine</script>" in page.text
    assert "script" not in page.tags


def test_the_cells_hold_the_numbers_and_shades_follow_them():
    mechanism = om.MatrixMechanism(
        matrix=[[0.8, 1e-9, 0.4], [0.2, 0, 0.4], [0, 1 - 1e-9, 0.2]], responses=(0, 1, 2), truths=(0, 1, 2)
    )
    html = html_of(mechanism)
    cells = [part.split("</td>")[0] for part in html.split("<td ")[1:]]
    numbers = [cell.split(">", 1)[1] for cell in cells]
    shades = [
        float(cell.split("rgba(")[1].split(",")[3].split(")")[0]) if "rgba" in cell else 0.0 for cell in cells
    ]
    assert numbers == ["0.800", "&lt;0.001", "0.400", "0.200", "0", "0.400", "0", "1.000", "0.200"]
    assert shades == pytest.approx([0.4, 0, 0.2, 0.1, 0, 0.2, 0, 0.5, 0.1], abs=0.006)


def test_a_large_matrix_is_abbreviated_and_says_so():
    design = om.design(om.croft(om.count(60), "0.2", prior="uniform"))
    html = html_of(design.mechanism)
    page = read(html)
    assert "61 responses and 61 truths" in page.text
    assert ".plot_matrix()" in page.text
    assert len(html) < 25_000
    assert f"{design.mechanism.matrix[3, 60]:.3f}" == "0.000"
    assert "<0.001" in page.text  # what is shown as nothing would be called impossible


def test_a_matrix_of_some_thousand_entries_takes_no_time_to_show():
    size = 800
    html = html_of(
        om.MatrixMechanism(matrix=[[1 / size] * size] * size, responses=range(size), truths=range(size))
    )
    assert len(html) < 25_000


@pytest.mark.slow
def test_pages_and_plots_wait_until_they_are_asked_for():
    code = (
        "import sys, optmech as om\n"
        "design = om.design(om.croft(om.count(2), 1)); om.verify(design.mechanism, design.problem)\n"
        "known = [name for name in sys.modules if name.startswith(('optmech.reports.display', "
        "'optmech.reports.plots', 'optmech.reports.card', 'matplotlib', 'IPython'))]\n"
        "assert not known, known\n"
        "repr(design)\n"
        "known = [name for name in sys.modules "
        "if name.startswith(('optmech.reports.card', 'optmech.analysis.comparison'))]\n"
        "assert not known, known\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""


def test_a_class_of_the_users_own_is_shown_as_its_base():
    class Mine(om.Query):
        """A query with something more."""

    assert repr(Mine([0, 1])).startswith('<Mine: custom query "query"; 2 truths')
    assert "possible true answers" in read(html_of(Mine([0, 1]))).text


def test_the_terminal_of_ipython_and_the_notebook_find_their_texts(things):
    formatters = pytest.importorskip("IPython.core.formatters")
    content, _ = formatters.DisplayFormatter().format(things["design"])
    assert content["text/html"] == html_of(things["design"])
    assert content["text/plain"] == repr(things["design"])


def test_no_proved_limit_is_rounded_to_a_better_one():
    certificate = om.design(om.kadam_least_delta(om.residues(7, [1, 2]), 1, at_most="0.4")).certificate
    facts = dict(proved_facts(certificate))
    assert Fraction(facts["delta spent, at most"].split()[0]) >= certificate.delta
    assert Fraction(facts["lower bound"].split()[0]) <= certificate.bound
    assert float(facts["gap, at most"].split()[0]) >= certificate.relative_gap
