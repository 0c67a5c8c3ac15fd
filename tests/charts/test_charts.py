"""Charts hold the matrix's own numbers as plain JSON, without functions and without markup."""

from __future__ import annotations

import json
from fractions import Fraction
from hashlib import sha256
from importlib.resources import files

import numpy as np
import pytest

import optmech as om
from optmech.base.errors import ModelError, ProblemError
from optmech.mechanisms.mechanism import Mechanism
from optmech.reports.charts import (
    ECHARTS_SHA256,
    MEASURES,
    MOST_DRAWN,
    drawn,
    echarts_script,
    error_by_truth,
    error_measures,
    errors_side_by_side,
    matrix_heat_map,
    privacy_curve_chart,
    probability_of_error,
    released_given,
    released_side_by_side,
    theme,
)


@pytest.fixture(scope="module")
def certificate():
    return om.design(om.croft(om.count(5), "0.5", variant=2)).certificate


@pytest.fixture(scope="module")
def mechanism(certificate):
    return Mechanism.certified(certificate)


@pytest.fixture(scope="module")
def colours():
    problem = om.question(om.categories(["red", "</script>", "<b>&"]), 1, loss="zero-one")
    return Mechanism.certified(om.design(problem).certificate)


def all_charts(mechanism, certificate):
    truth = mechanism.labels[0] if mechanism.labels else mechanism.truths[0]
    return [
        matrix_heat_map(mechanism),
        released_given(mechanism, truth),
        released_side_by_side({"A": mechanism, "B": mechanism}, truth),
        error_by_truth(mechanism),
        errors_side_by_side({"A": mechanism, "B": mechanism}),
        privacy_curve_chart(om.privacy_curve(certificate), certificate.problem.privacy.epsilon),
        theme(),
        theme(dark=True),
    ]


def test_echarts_is_the_published_file():
    content = files("optmech.reports.charts").joinpath("echarts/echarts.min.js").read_bytes()
    assert sha256(content).hexdigest() == ECHARTS_SHA256
    assert echarts_script().encode() == content
    assert b"</script" not in content.lower()


def test_a_changed_echarts_is_refused(monkeypatch):
    monkeypatch.setattr("optmech.reports.charts.library.ECHARTS_SHA256", "0" * 64)
    with pytest.raises(ModelError, match="must have SHA-256 0000"):
        echarts_script()


def test_licence_and_notice_lie_beside_echarts():
    beside = files("optmech.reports.charts").joinpath("echarts")
    assert "Apache License" in beside.joinpath("LICENSE").read_text()
    assert "Apache ECharts" in beside.joinpath("NOTICE").read_text()
    assert "Bostock" in beside.joinpath("LICENSE-d3").read_text()


def test_charts_are_plain_json_without_functions(mechanism, certificate):
    for option in all_charts(mechanism, certificate):
        text = json.dumps(option, allow_nan=False)
        assert json.loads(text) == option
        assert "function" not in text
        assert "=>" not in text


def test_charts_describe_themselves_and_do_not_move(mechanism, certificate):
    for option in all_charts(mechanism, certificate)[:-2]:
        assert option["aria"]["enabled"]
        assert option["aria"]["label"]["description"].endswith(".")
        assert option["animation"] is False


def test_two_designs_differ_in_pattern_and_dash(mechanism):
    assert released_side_by_side({"A": mechanism, "B": mechanism}, 0)["aria"]["decal"]["show"]
    lines = errors_side_by_side({"A": mechanism, "B": mechanism})["series"]
    assert lines[0]["lineStyle"]["type"] != lines[1]["lineStyle"]["type"]
    assert lines[0]["symbol"] != lines[1]["symbol"]


def test_cells_of_the_heat_map_are_the_certified_numbers(mechanism):
    cells = matrix_heat_map(mechanism)["series"][0]["data"]
    exact = mechanism.exact
    assert len(cells) == mechanism.matrix.size
    for truth, response, probability, numerator, _, shade in cells:
        assert 0 <= shade <= 1
        assert int(numerator) == exact.numerators[int(response), int(truth)]
        assert probability == pytest.approx(mechanism.matrix[int(response), int(truth)], rel=1e-9)


def test_numerators_are_texts_that_no_double_rounds(mechanism):
    dimension = matrix_heat_map(mechanism)["series"][0]["dimensions"][3]
    assert dimension == {"name": "numerator over 2¹²⁰", "type": "ordinal"}


def test_rows_are_responses_downwards_as_in_the_table(mechanism):
    option = matrix_heat_map(mechanism)
    assert option["yAxis"]["inverse"]
    assert (option["yAxis"]["name"], option["xAxis"]["name"]) == ("released answer", "true answer")


def test_what_is_released_is_the_column(mechanism):
    bars = released_given(mechanism, "3")["series"][0]["data"]
    assert [bar[1] for bar in bars] == pytest.approx(mechanism.matrix[:, 3], rel=1e-9)
    assert sum(int(bar[2]) for bar in bars) == mechanism.exact.denominator


def test_responses_of_two_designs_share_one_axis():
    small = Mechanism(matrix=[[1, 0], [0, 1]], responses=(0, 2), truths=(0, 2))
    large = Mechanism(matrix=[[1, 0], [0, 1]], responses=("0.5", 10), truths=(0, 10))
    option = released_side_by_side({"small": small, "large": large}, 0)
    assert option["xAxis"]["data"] == ["0", "0.5", "2", "10"]


def test_labels_stand_as_they_are(colours):
    option = released_given(colours, "</script>")
    assert option["xAxis"]["data"] == ["red", "</script>", "<b>&"]
    assert [bar["name"] for bar in error_by_truth(colours)["series"]] == ["probability of a wrong answer"]


@pytest.mark.parametrize("truth", [7, "0.5", "many"])
def test_an_unknown_truth_is_a_sentence(mechanism, truth):
    with pytest.raises(ProblemError, match="`truth` must be"):
        released_given(mechanism, truth)


def test_an_unknown_label_is_a_sentence(colours):
    with pytest.raises(ProblemError, match="`truth` must be one of red"):
        released_given(colours, "green")


def test_an_unknown_measure_is_a_sentence(mechanism):
    with pytest.raises(ProblemError, match="`measure` must be one of mean error"):
        errors_side_by_side({"A": mechanism}, "variance")


def test_error_lines_are_the_measures_of_the_matrix(mechanism):
    distance = np.abs(np.arange(6)[:, None] - np.arange(6)[None, :])
    measured = error_measures(mechanism)
    assert tuple(measured) == MEASURES
    assert measured["mean error"] == pytest.approx((distance * mechanism.matrix).sum(axis=0))
    assert measured["RMSE"] == pytest.approx(np.sqrt((distance**2 * mechanism.matrix).sum(axis=0)))
    drawn_line = error_by_truth(mechanism)["series"][0]["data"]
    assert [point[1] for point in drawn_line] == pytest.approx(measured["mean error"])


def test_residues_are_not_measured_along_the_line(mechanism):
    bars = error_by_truth(mechanism, ordered=False)["series"][0]["data"]
    assert [bar[1] for bar in bars] == pytest.approx(1 - np.diag(mechanism.matrix))
    assert errors_side_by_side({"A": mechanism}, ordered=False)["series"][0]["type"] == "bar"


def test_an_error_that_is_nearly_never_made_keeps_its_digits():
    rare = 2.0**-60
    sure = Mechanism(matrix=[[1.0, rare], [rare, 1.0]], responses=(0, 1), truths=(0, 1))
    assert probability_of_error(sure).tolist() == [rare, rare]


def test_the_curve_passes_through_the_epsilon_of_the_question(certificate):
    curve = om.privacy_curve(certificate)
    series = privacy_curve_chart(curve, "0.5")["series"][0]
    assert [0.5, 0.0] in series["data"]
    assert series["data"][0] == [0.0, pytest.approx(float(curve.delta(0)))]
    deltas = [delta for _, delta in series["data"]]
    assert deltas == sorted(deltas, reverse=True)


def test_a_small_delta_is_drawn_on_a_logarithmic_axis():
    problem = om.question(om.count(5), 1, delta="1e-6")
    curve = om.privacy_curve(om.design(problem).certificate)
    option = privacy_curve_chart(curve, 1)
    assert option["yAxis"]["type"] == "log"
    assert all(delta > 0 for _, delta in option["series"][0]["data"])


def test_a_large_matrix_is_thinned_and_says_so():
    size = 2 * MOST_DRAWN
    shown = drawn(Mechanism(matrix=np.eye(size), responses=range(size), truths=range(size)))
    assert shown.probabilities.shape == (MOST_DRAWN, MOST_DRAWN)
    assert shown.probabilities.sum(axis=0) == pytest.approx(np.ones(MOST_DRAWN))
    assert (shown.truths[:2], shown.responses[:2]) == (("0", "2"), ("0 … 1", "2 … 3"))
    assert shown.left_out == (
        "One in 2 of the 302 true answers is shown; 2 neighbouring responses of 302 are drawn as one, with "
        "their total. The CSV file has every entry."
    )


def test_blocks_of_a_certified_matrix_are_exact_totals(mechanism):
    shown = drawn(mechanism, most=3)
    total = mechanism.exact.numerators[0, 2] + mechanism.exact.numerators[1, 2]
    assert shown.exactly[0][1] == str(total)
    assert shown.probabilities[0, 1] == pytest.approx(float(Fraction(total, mechanism.exact.denominator)))


def test_a_long_label_leaves_room_for_the_chart():
    names = ["x" * 200, "y"]
    certificate = om.design(om.question(om.categories(names), 1, loss="zero-one")).certificate
    option = released_given(Mechanism.certified(certificate), names[0])
    assert option["xAxis"]["name"] == f"released when the true answer is {'x' * 23}…"
    assert option["xAxis"]["data"] == names
