import json
import re
import runpy
from html.parser import HTMLParser
from pathlib import Path

import pytest

import optmech as om
from optmech.designs import choice
from optmech.mechanisms.noise_mechanism import NoiseMechanism
from optmech.reports.studio.design_summary import (
    ENGINES,
    column_table,
    design_summary,
    facts_table,
    headline,
    question_words,
)
from optmech.reports.studio.downloads import FILES, file_of
from optmech.reports.studio.inputs import Inputs
from optmech.reports.studio.theorem_design import engine_of, quick_design
from optmech.reports.studio.worker import answer
from tests.each import each

ROOT = Path(__file__).parents[3]


class Cells(HTMLParser):
    """The rows of a table, a list of texts each."""

    def __init__(self, table):
        super().__init__()
        self.rows, self.is_in = [], False
        self.feed(table)

    def handle_starttag(self, tag, _):
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.is_in = True

    def handle_endtag(self, tag):
        self.is_in = self.is_in and tag not in ("td", "th")

    def handle_data(self, text):
        if self.is_in:
            self.rows[-1][-1] += text.replace("\N{NO-BREAK SPACE}", " ")


def designed(**inputs):
    question = Inputs(**inputs)
    return om.design(question.problem()), question


def test_the_numbers_are_those_of_the_matrix_and_say_whose_word_they_are():
    design, inputs = designed(largest=9, epsilon="ln 2", loss="squared")
    rows = {row.name: row for row in design_summary(design, inputs).rows}
    assert rows["ε"].text == "ln 2"
    assert rows["objective"].text == f"{float(design.certificate.objective):.5g}"
    assert rows["objective"].provenance == "proved"
    mean = design.mechanism.expected_loss("absolute")
    assert rows["mean distance from the truth"].value == pytest.approx(mean)
    assert rows["… at the worst true value"].value == pytest.approx(
        design.mechanism.worst_case_loss("absolute")
    )
    right = min(design.mechanism.matrix.diagonal())
    assert rows["chance of the exact truth, at least"].value == pytest.approx(right)
    assert {row.provenance for row in rows.values()} == {"proved", "recomputed"}


def test_the_verdict_names_epsilon_and_delta_and_no_gap_that_is_rounding():
    design, inputs = designed(largest=20, delta="1e-3")
    summary = design_summary(design, inputs)
    assert 0 < design.certificate.relative_gap < 1e-9
    assert summary.verdict.startswith("Proved in exact arithmetic: private at ε = 1, δ = 0.001, and optimal:")
    objective, bound = summary.rows[2:4]
    assert (objective.text, bound.note) == (bound.text, "optimal, proved")


def test_a_gap_that_is_none_of_rounding_is_told(monkeypatch):
    design, inputs = designed(largest=4)
    monkeypatch.setattr(type(design.certificate), "relative_gap", property(lambda _: 0.25))
    summary = design_summary(design, inputs)
    assert summary.verdict.endswith("The best mechanism of this question may have up to 25 % less error.")
    assert summary.rows[3].note == "relative gap at most 0.3"


def test_two_designs_stand_beside_each_other_with_what_changed():
    before, now = (design_summary(*designed(largest=9, epsilon=epsilon)) for epsilon in ("1", "2"))
    rows = {row[0]: row[1:] for row in Cells(facts_table(now, before)).rows}
    assert rows["number"] == ["A, kept", "B, now"]
    assert rows["ε"] == ["1 proved", "2 +100.0 % proved"]
    assert re.search(r"−\d\d\.\d % recomputed", rows["mean distance from the truth"][1])  # noqa: RUF001


def test_the_column_of_a_truth_is_the_column_of_the_matrix():
    first, _ = designed(largest=3)
    second, _ = designed(largest=5)
    head, *rows = Cells(column_table({"A": first, "B": second}, "2")).rows
    assert head == ["released", "A", "B"]
    assert [row[0] for row in rows] == list("012345")
    assert [row[2] for row in rows] == [f"{entry:.6f}" for entry in second.mechanism.matrix[:, 2]]
    assert [row[1] for row in rows][4:] == ["–", "–"]  # noqa: RUF001


def test_a_truth_that_one_design_does_not_have_is_shown_of_the_other():
    small, _ = designed(largest=3)
    large, _ = designed(query="mean", records=2, largest=5)
    head, *_ = Cells(column_table({"A": small, "B": large}, "0.5")).rows
    assert head == ["released", "B"]


def test_the_files_are_those_of_the_command_line(tmp_path):
    design, inputs = designed(largest=5, epsilon="0.5")
    for name in FILES:
        (tmp_path / name).write_bytes(file_of(name, design, inputs.command()))
    check = runpy.run_path(str(ROOT / "check_certificate.py"))["check"]
    paths = [str(tmp_path / name) for name in ("mechanism.certificate.json", "mechanism.csv")]
    assert check(*(Path(path).read_text() for path in paths)).startswith("proved: ")
    assert (om.MatrixMechanism.from_csv(paths[1]).matrix == design.mechanism.matrix).all()
    report = re.sub("</?span>", "", (tmp_path / "mechanism.report.html").read_text())
    assert inputs.command() in report.replace("&#x27;", "'")


@pytest.mark.parametrize("delta", ["0", "1e-6"])
def test_a_large_count_is_shown_as_a_distribution_near_some_truths(delta):
    kind, design = answer(
        json.dumps(
            {
                "question": (inputs := Inputs(largest=450, delta=delta)).question(),
                "engine": inputs.engine,
                "seconds": 30,
            }
        ).encode()
    )
    assert kind == "design"
    assert isinstance(design.mechanism, NoiseMechanism)
    summary = design_summary(design, inputs)
    rows = {row.name: row for row in summary.rows}
    exact = om.design(inputs.problem()).mechanism
    assert rows["mean distance from the truth"].value == pytest.approx(exact.expected_loss("absolute"))
    assert summary.notes[-1].startswith("41 of 451 true answers are shown")
    head, *cells = Cells(column_table({"released": design}, "225")).rows
    assert head == ["released", "released"]
    near = {int(name): float(share) for name, share in cells}
    assert [near[name] for name in (224, 225, 226)] == pytest.approx(
        exact.matrix[224:227, 225].tolist(), abs=1e-6
    )


def test_each_engine_has_a_name_in_a_sentence():
    assert set(ENGINES) == set(choice.ENGINES)


def test_a_histogram_says_what_one_cell_spends_and_promises_for_all():
    design, inputs = designed(query="histogram", largest=9, epsilon="1")
    assert design.objective == om.design(om.question(om.count(9), "0.5")).objective
    summary = design_summary(design, inputs)
    assert (summary.rows[0].text, summary.rows[0].note) == ("0.5", "of one cell; epsilon = 1 of all")
    assert summary.notes[0].startswith("histogram: one draw for each cell")
    assert headline(summary) == f"<strong>{design.objective:.5g}</strong> {summary.rows[2].note}"
    question, guarantee = question_words(design.problem, inputs)
    assert question == "In each cell of a histogram: how many? A count from 0 to 9."
    assert guarantee == question_words(om.question(om.count(9), 1), None)[1]


def test_categories_have_names_and_no_distances():
    design, inputs = designed(query="categories", categories="red, green,blue")
    rows = {row.name: row for row in design_summary(design, inputs).rows}
    assert rows["objective"].note.startswith("chance of any error")
    assert rows["largest bias"].text == "–"  # noqa: RUF001
    assert [row[0] for row in Cells(column_table({"released": design}, "green")).rows[1:]] == [
        "red",
        "green",
        "blue",
    ]


@each(
    ("inputs", "engine", "quick"),
    [
        (Inputs(largest=100, loss="beyond"), "chain", True),
        (Inputs(query="extremum", properties=("fair",)), "rays", False),
        (Inputs(query="mean", largest=4), "rays", False),
        (Inputs(delta="1e-6"), "chain", True),
        (Inputs(judged="worst"), "chain", False),
        (Inputs(query="categories"), "closed-form", True),
        (Inputs(largest=5000, delta="1e-6"), "chain", False),
        (Inputs(query="extremum", delta="1e-6"), "interior", False),
    ],
)
def test_only_what_a_theorem_writes_down_is_designed_at_once(inputs, engine, quick):
    assert engine_of(inputs.problem()) == engine
    assert (quick_design(inputs.problem()) is not None) == quick
