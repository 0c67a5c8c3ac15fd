"""Dots on the bars of their intervals, in rows: on a page, in a file, and by Matplotlib."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from matplotlib.figure import Figure

from optmech.reports.charts.dot_plot import dot_plot
from optmech.reports.charts.pyplot import draw
from optmech.reports.charts.svg import chart_svg

NAMES = ["Aller", "Beck & <Co>", "a long name of a district"]


@pytest.fixture
def chart():
    return dot_plot(NAMES, [4, 10, 0], [(2, 6), (8, None), (None, 1)], title="visits", rows_are="town")


def share(text):
    assert text.endswith("%")
    return float(text[:-1]) / 100


def test_a_row_has_its_name_its_dot_and_its_bar(chart):
    page = ET.fromstring(chart_svg(chart, "it"))  # noqa: S314 - we made it
    (plot,) = page.findall("svg")
    assert plot.get("class") == "plot rows"
    assert plot.get("height") == "5.7em"
    names = [text for text in plot.iter("text") if text.get("class") == "y"]
    assert [name.text.strip() for name in names] == [*NAMES[:2], "a long name of a di…"]
    assert names[2].find("title").text == NAMES[2]
    dots = [one for one in plot.iter("svg") if one.get("class") == "point"]
    assert [share(dot.get("y")) for dot in dots] == pytest.approx([1 / 6, 3 / 6, 5 / 6], abs=1e-4)
    assert [share(dot.get("x")) for dot in dots] == pytest.approx([0.4, 1, 0], abs=1e-4)
    assert dots[1].find("title").text == "Beck & <Co>\nvisits: 10, at least 8"
    bars = [one for one in plot.iter("line") if one.get("class") == "interval"]
    ends = [share(bar.get(end)) for bar in bars for end in ("x1", "x2")]
    assert ends == pytest.approx([0.2, 0.6, 0.8, 1, 0, 0.1], abs=1e-4)
    assert sum(path.get("class") == "interval" for path in plot.iter("path")) == 4


def test_a_file_of_more_rows_is_higher():
    files = [dot_plot([f"n{row}" for row in range(rows)], range(rows), title="n").svg() for rows in (3, 13)]
    heights = [int(re.search(r' height="(\d+)"', text)[1]) for text in files]
    assert heights[1] == heights[0] + 240


def test_numbers_far_from_zero_are_shown_without_it():
    assert dot_plot(["a", "b"], [990, 1000], title="n").x.low == 990
    assert dot_plot(["a", "b"], [9, 1000], title="n").x.low == 0
    assert (
        dot_plot(["a", "b"], [-3, 7], title="n").x.low
        < -3
        < 7
        < dot_plot(["a", "b"], [-3, 7], title="n").x.high
    )
    assert "interval" not in dot_plot(["a"], [5], title="n").description


@pytest.mark.slow
def test_matplotlib_draws_the_same_rows(chart):
    axes = draw(chart, Figure().subplots())
    assert axes.get_ylim() == (2.5, -0.5)
    assert [label.get_text()[:5] for label in axes.get_yticklabels()] == ["Aller", "Beck ", "a lon"]
    assert len(axes.texts) == 2  # arrows of open ends
