"""Charts hold the matrix's own numbers, and print them without markup."""

from __future__ import annotations

import json
from fractions import Fraction
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import optmech as om
from optmech.base.errors import ProblemError
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.reports.charts.chart import decimal_names
from optmech.reports.charts.curve import privacy_curve_chart
from optmech.reports.charts.errors import (
    MEASURES,
    error_chart,
    error_measures,
    errors_side_by_side,
    probability_of_error,
)
from optmech.reports.charts.matrix_view import MOST_DRAWN, matrix_chart
from optmech.reports.charts.response_distribution import responses_side_by_side
from optmech.reports.charts.svg import chart_svg


@pytest.fixture(scope="module")
def certificate():
    return om.design(om.croft(om.count(5), "0.5", variant=2)).certificate


@pytest.fixture(scope="module")
def mechanism(certificate):
    return MatrixMechanism.certified(certificate)


@pytest.fixture(scope="module")
def colours():
    problem = om.question(om.categories(["red", "</script>", "<b>&"]), 1, loss="zero-one")
    return MatrixMechanism.certified(om.design(problem).certificate)


def released(mechanism, truth):
    return responses_side_by_side({"released": mechanism}, truth)


def all_charts(mechanism, certificate):
    truth = mechanism.labels[0] if mechanism.labels else mechanism.truths[0]
    return [
        matrix_chart(mechanism),
        released(mechanism, truth),
        responses_side_by_side({"A": mechanism, "B": mechanism}, truth),
        error_chart(mechanism),
        errors_side_by_side({"A": mechanism, "B": mechanism}),
        privacy_curve_chart(om.analysis.privacy_curve(certificate), certificate.problem.privacy.epsilon),
    ]


def test_what_a_script_says_of_a_cell_is_plain_json(mechanism):
    content = matrix_chart(mechanism).content()
    read = json.loads(json.dumps(content, allow_nan=False))
    assert read["probabilities"] == content["probabilities"]
    assert list(map(tuple, read["exactly"])) == list(content["exactly"])


def test_charts_describe_themselves(mechanism, certificate):
    assert all(chart.description.endswith(".") for chart in all_charts(mechanism, certificate))


def parsed(text):
    return ET.fromstring(text)  # noqa: S314 - we made it


def test_printed_charts_are_whole_and_say_what_they_show(mechanism, certificate):
    for number, chart in enumerate(all_charts(mechanism, certificate)):
        page = parsed(chart_svg(chart, f"chart-{number}"))
        (plot,) = page.findall("svg[@class='plot']")
        assert plot.get("role") == "img"
        # A number and its per cent sign stand on one line.
        assert plot.get("aria-label").replace("\N{NO-BREAK SPACE}", " ") == chart.description
        assert page.get("id") == f"chart-{number}"
        words = [text.text for text in plot.iter("text")]
        titles = (chart.x, chart.y) if hasattr(chart, "x") else (chart.columns, chart.rows)
        assert {axis.title for axis in titles} <= set(words)


def test_a_bar_says_its_exact_number_and_is_as_high(mechanism):
    page = parsed(chart_svg(released(mechanism, 3), "it"))
    top, bars = float(page.get("data-top")), list(page.iter("rect"))
    for bar, entry, numerator in zip(
        bars, mechanism.matrix[:, 3], mechanism.exact.numerators[:, 3], strict=True
    ):
        assert float(bar.get("height")[:-1]) == pytest.approx(100 * entry / top, rel=1e-4)
        assert bar.find("title").text.endswith(f"numerator over 2¹²⁰: {numerator}")


def test_each_cell_of_a_printed_map_is_shaded_by_its_probability(mechanism):
    page = parsed(chart_svg(matrix_chart(mechanism), "it"))
    shades = {}
    for path in page.find("svg/svg").iter("path"):
        for cell in path.get("d").removeprefix("M").split("M"):
            column, row = map(int, cell.partition("h")[0].split())
            shades[row, column] = float(path.get("fill-opacity"))
    matrix = mechanism.matrix
    assert len(shades) == matrix.size
    for place, shade in shades.items():
        assert shade == pytest.approx((matrix[place] / matrix.max()) ** 0.5, abs=0.01)


def test_labels_cannot_write_into_a_printed_chart(colours):
    for chart in (matrix_chart(colours), released(colours, "</script>"), error_chart(colours)):
        text = chart_svg(chart, "it")
        assert "</script>" not in text
        assert "<b>" not in text
        assert "&lt;b&gt;&amp;" in text


def test_a_line_of_one_truth_and_a_map_of_many_are_printed():
    one = MatrixMechanism(matrix=[[0.5], [0.5]], responses=(0, 1), truths=(0,))
    assert "nan" not in chart_svg(error_chart(one), "it")
    size = 101
    many = MatrixMechanism(matrix=np.eye(size), responses=range(size), truths=range(size))
    page = parsed(chart_svg(matrix_chart(many), "it"))
    named = [text.text for text in page.iter("text") if (text.get("class") or "").startswith("y")]
    assert named == [str(place) for place in range(0, size, 5)]


def test_two_designs_differ_in_pattern_and_dash(mechanism):
    both = {"A": mechanism, "B": mechanism}
    bars = parsed(chart_svg(responses_side_by_side(both, 0), "it"))
    fills = [
        group.find("rect").get("fill")
        for group in bars.findall("svg[@class='plot']/g")
        if group.find("rect") is not None
    ]
    assert fills == [None, "url(#it-1)"]
    assert [pattern.get("id") for pattern in bars.iter("pattern")] == ["it-1"]
    lines = parsed(chart_svg(errors_side_by_side(both), "it")).find("svg[@class='plot']")
    paths = [path for path in lines.iter("path") if path.get("class") == "line"]
    assert [path.get("stroke-dasharray") for path in paths] == [None, "6 4"]
    assert len({path.get("d") for path in lines.iter("path") if path.get("class") == "symbol"}) == 2


def test_cells_of_the_heat_map_are_the_certified_numbers(mechanism):
    view, exact = matrix_chart(mechanism), mechanism.exact
    content = view.content()
    assert ((view.shades() >= 0) & (view.shades() <= 1)).all()
    for (response, truth), value in np.ndenumerate(mechanism.matrix):
        assert int(content["exactly"][response][truth]) == exact.numerators[response, truth]
        assert content["probabilities"][response][truth] == pytest.approx(value, rel=1e-9)


def test_numerators_are_texts_that_no_double_rounds(mechanism):
    content = matrix_chart(mechanism).content()
    assert content["unit"] == "numerator over 2¹²⁰"
    assert all(isinstance(text, str) for line in content["exactly"] for text in line)


def test_rows_are_responses_downwards_as_in_the_table(mechanism):
    view = matrix_chart(mechanism)
    assert (view.rows.title, view.columns.title) == ("released answer", "true answer")
    page = parsed(chart_svg(view, "it"))
    assert [text.text for text in page.iter("text") if text.get("class") == "y"] == list("012345")


def test_what_is_released_is_the_column(mechanism):
    (bars,) = released(mechanism, "3").series
    assert list(bars.values) == mechanism.matrix[:, 3].tolist()
    assert sum(map(int, bars.exactly)) == mechanism.exact.denominator


def test_responses_of_two_designs_share_one_axis():
    small = MatrixMechanism(matrix=[[1, 0], [0, 1]], responses=(0, 2), truths=(0, 2))
    large = MatrixMechanism(matrix=[[1, 0], [0, 1]], responses=("0.5", 10), truths=(0, 10))
    chart = responses_side_by_side({"small": small, "large": large}, 0)
    assert chart.x.names == ("0", "0.5", "2", "10")


def test_labels_stand_as_they_are(colours):
    assert released(colours, "</script>").x.short_names == ("red", "</script>", "<b>&")
    assert [bars.name for bars in error_chart(colours).series] == ["probability of a wrong answer"]


@pytest.mark.parametrize("truth", [7, "0.5", "many"])
def test_an_unknown_truth_is_a_sentence(mechanism, truth):
    with pytest.raises(ProblemError, match="`truth` must be"):
        released(mechanism, truth)


def test_an_unknown_label_is_a_sentence(colours):
    with pytest.raises(ProblemError, match="`truth` must be among the truths of this mechanism, red"):
        released(colours, "green")


def test_error_lines_are_the_measures_of_the_matrix(mechanism):
    distance = np.abs(np.arange(6)[:, None] - np.arange(6)[None, :])
    measured = error_measures(mechanism)
    assert tuple(measured) == MEASURES
    assert measured["mean error"] == pytest.approx((distance * mechanism.matrix).sum(axis=0))
    assert measured["RMSE"] == pytest.approx(np.sqrt((distance**2 * mechanism.matrix).sum(axis=0)))
    assert error_chart(mechanism).series[0].values == pytest.approx(measured["mean error"])


def test_residues_are_not_measured_along_the_line(mechanism):
    (bars,) = error_chart(mechanism, ordered=False).series
    assert bars.values == pytest.approx(1 - np.diag(mechanism.matrix))


def test_an_error_that_is_nearly_never_made_keeps_its_digits():
    rare = 2.0**-60
    sure = MatrixMechanism(matrix=[[1.0, rare], [rare, 1.0]], responses=(0, 1), truths=(0, 1))
    assert probability_of_error(sure).tolist() == [rare, rare]


def test_the_curve_passes_through_the_epsilon_of_the_question(certificate):
    curve = om.analysis.privacy_curve(certificate)
    (line,) = privacy_curve_chart(curve, "0.5").series
    assert (0.5, 0.0) in zip(line.across, line.values, strict=True)
    assert (line.across[0], line.values[0]) == (0.0, pytest.approx(float(curve.delta(0))))
    assert sorted(line.values, reverse=True) == list(line.values)


def test_a_small_delta_is_drawn_on_a_logarithmic_axis():
    problem = om.question(om.count(5), 1, delta="1e-6")
    curve = om.analysis.privacy_curve(om.design(problem).certificate)
    chart = privacy_curve_chart(curve, 1)
    assert chart.y.logarithmic
    assert min(chart.series[0].values) > 0


def test_a_large_matrix_is_thinned_and_says_so():
    size = 2 * MOST_DRAWN
    view = matrix_chart(MatrixMechanism(matrix=np.eye(size), responses=range(size), truths=range(size)))
    assert view.probabilities.shape == (MOST_DRAWN, MOST_DRAWN)
    assert view.probabilities.sum(axis=0) == pytest.approx(np.ones(MOST_DRAWN))
    assert (view.truths[:2], view.responses[:2]) == (("0", "2"), ("0 … 1", "2 … 3"))
    assert view.left_out == (
        "One in 2 of the 302 true answers is shown; 2 neighbouring responses of 302 are drawn as one, with "
        "their total. The CSV file has every entry."
    )


def test_blocks_of_a_certified_matrix_are_exact_totals(mechanism):
    view = matrix_chart(mechanism, most=3)
    total = mechanism.exact.numerators[0, 2] + mechanism.exact.numerators[1, 2]
    assert view.exactly[0][1] == str(total)
    assert view.probabilities[0, 1] == pytest.approx(float(Fraction(total, mechanism.exact.denominator)))


def test_a_long_label_leaves_room_for_the_chart():
    names = ["x" * 200, "y"]
    certificate = om.design(om.question(om.categories(names), 1, loss="zero-one")).certificate
    chart = released(MatrixMechanism.certified(certificate), names[0])
    assert chart.x.title == f"released when the true answer is {'x' * 23}…"
    words = [text.text for text in parsed(chart_svg(chart, "it")).iter("text")]
    assert f"{'x' * 11}…" in words
    assert names[0] not in words


def test_ratios_are_drawn_as_decimals_and_pointed_at_exactly():
    sevenths = om.design(om.question(om.mean(7, 1, 3), 1)).mechanism
    chart = str(chart_svg(released(sevenths, "16/7"), "it"))
    assert "1.29" in chart
    assert "9/7</text>" not in chart
    assert "<title>released answer 16/7" in chart
    assert "2.29" in matrix_chart(sevenths).columns.short_names


def test_decimals_tell_neighbours_apart():
    names = decimal_names([str(Fraction(place, 300)) for place in range(301)])
    assert len(set(names)) == 301
    assert names[1] == "0.003"
