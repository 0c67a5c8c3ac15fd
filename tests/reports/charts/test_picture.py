"""A chart as a file: SVG that needs nothing else; PNG and PDF by Matplotlib."""

from __future__ import annotations

import re
import sys
from xml.etree import ElementTree as ET

import pytest

import optmech as om
from optmech.reports.charts.chart import Axis, Chart, Series
from optmech.reports.charts.picture import svg_file

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def design():
    return om.design(om.croft(om.count(5), "0.5", variant=2))


@pytest.fixture(scope="module")
def charts(design):
    return [
        om.reports.matrix_chart(design.mechanism),
        om.reports.released_chart(design.mechanism, [0, 5]),
        om.reports.error_chart(design.mechanism),
        om.reports.privacy_chart(design.certificate),
    ]


def parsed(text):
    return ET.fromstring(text)  # noqa: S314 - we made it


def words(text):
    return [element.text for element in parsed(text).iter(f"{SVG}text")]


def test_each_chart_is_a_file_with_its_title_its_legend_and_its_picture_in_words(charts):
    for chart in charts:
        text = chart.svg()
        shown = [word.replace("\N{NO-BREAK SPACE}", " ") for word in words(text)]
        assert set(chart.title.split("\n")) <= set(shown)
        assert {series.name for _, series in getattr(chart, "legend", ())} <= set(shown)
        labels = [element.get("aria-label") for element in parsed(text).iter() if element.get("aria-label")]
        assert [label.replace("\N{NO-BREAK SPACE}", " ") for label in labels] == [chart.description]


def test_a_file_needs_nothing_else_and_styles_nothing_else(charts):
    for chart in charts:
        text = chart.svg()
        assert "var(" not in text
        assert re.findall(r"https?://[^\"]+", text) == ["http://www.w3.org/2000/svg"]
        style = parsed(text).find(f"{SVG}style").text
        selectors = [
            each for rule in re.findall(r"^([^{}]+)\{", style, re.MULTILINE) for each in rule.split(",")
        ]
        assert len(selectors) > 30
        assert all(each.strip().startswith(".optmech") for each in selectors)


def test_a_notebook_shows_the_same_bytes_each_time(charts):
    for chart in charts:
        assert chart._repr_svg_() == chart.svg() == svg_file([chart])


def test_panels_stand_beside_each_other_without_sharing_a_pattern(charts):
    page = parsed(svg_file([charts[1]] * 4, columns=2))
    panels = page.findall(f"{SVG}svg")
    assert len({(panel.get("x"), panel.get("y")) for panel in panels}) == 4
    ids = [pattern.get("id") for pattern in page.iter(f"{SVG}pattern")]
    assert len(ids) == len(set(ids)) == 4
    used = {
        bar.get("fill")[5:-1] for bar in page.iter(f"{SVG}rect") if (bar.get("fill") or "").startswith("url")
    }
    assert used == set(ids)


def test_cells_have_their_numbers_where_there_is_room(design):
    chart = om.reports.matrix_chart(design.mechanism)
    numbers = [f"{value:.3f}".removeprefix("0") for value in design.mechanism.matrix.ravel()]
    assert [word for word in words(chart.svg()) if word.startswith(".")] == numbers
    assert not [word for word in words(svg_file([chart], columns=4)) if word.startswith(".")]


def test_the_truth_itself_is_marked_and_explained(charts):
    text = charts[1].svg()
    marks = [each for each in parsed(text).iter(f"{SVG}svg") if each.get("class") == "truth"]
    assert len(marks) == 2
    assert "the truth itself" in words(text)


def test_a_logarithmic_axis_has_round_numbers_between_its_ends():
    line = Series(name="line", across=(0.3, 4.0), values=(1.0, 0.0))
    x = Axis(title="epsilon", low=0.3, high=4.0, logarithmic=True)
    y = Axis(title="loss", low=1e-3, high=1.0, logarithmic=True)
    assert x.ticks(whole=False) == [0.5, 1.0, 2.0]
    # Zero has no logarithm, and is drawn at the end of the axis.
    assert "M0 0L1000 1000" in Chart(description="A line.", x=x, y=y, series=(line,)).svg()


def test_svg_is_written_without_matplotlib_and_other_formats_say_what_they_need(
    charts, tmp_path, monkeypatch
):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    charts[0].save(tmp_path / "chart.svg")
    assert (tmp_path / "chart.svg").read_text(encoding="utf-8") == charts[0].svg()
    with pytest.raises(om.FileFormatError, match=r'Run `pip install "optmech\[figures\]"`'):
        charts[0].save(tmp_path / "chart.png")
    assert not (tmp_path / "chart.png").exists()


@pytest.mark.parametrize(("ending", "begin"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_matplotlib_draws_the_other_formats(charts, tmp_path, ending, begin):
    pytest.importorskip("matplotlib", reason="PNG and PDF need Matplotlib")
    charts[1].save(tmp_path / f"chart.{ending}")
    assert (tmp_path / f"chart.{ending}").read_bytes().startswith(begin)


def test_a_format_that_is_none_is_refused(charts, tmp_path):
    with pytest.raises(
        om.FileFormatError, match=r"`path` must end in \.svg, \.png or \.pdf; got .*chart\.gif"
    ):
        charts[0].save(tmp_path / "chart.gif")


def test_baselines_and_questions_differ_in_colour_and_symbol():
    from optmech.reports.charts.svg import plot_content  # noqa: PLC0415 - of this test alone

    flat = [Series(name=str(number), across=(0.0, 1.0), values=(0.5, 0.5)) for number in range(20)]
    entries = plot_content(
        Chart(description="Lines.", x=Axis(title="x"), y=Axis(title="y"), series=tuple(flat))
    )["legend"]
    assert len({entry.kind for entry in entries}) == 20
    assert len({(entry.symbol, str(entry.stroke)) for entry in entries[:8]}) == 8
