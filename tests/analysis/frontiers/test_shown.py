"""A frontier as a table and a figure, with what is in use beside it."""

from __future__ import annotations

import csv
import io
from fractions import Fraction

import numpy as np
import pytest

import optmech as om
from optmech.analysis.baselines.registry import BASELINES
from optmech.analysis.frontiers import frontier
from optmech.analysis.frontiers.in_use import baseline_curves, rows
from optmech.base.numbers import exact
from optmech.cli.output import csv_text
from optmech.reports.charts.chart import Look
from optmech.reports.charts.picture import content


@pytest.fixture(scope="module")
def plain():
    return frontier(om.croft(om.count(6), 1, prior="uniform"), at=["0.5", 1, 2])


@pytest.fixture(scope="module")
def fair():
    return frontier(om.croft(om.count(6), 1, prior="uniform", variant=2), at=["0.5", 1, 2])


@pytest.fixture(scope="module")
def in_use(plain):
    return baseline_curves(plain)


def test_no_private_baseline_crosses_the_bound(plain, in_use):
    bounds = {point.value: float(point.bound) for point in plain.points}
    private = [(curve, point) for curve in in_use for point in curve.points if point.is_private]
    assert len({curve.name for curve, _ in private}) > 5
    for curve, point in private:
        assert point.objective >= bounds[point.value] * (1 - 1e-9), curve.name


def test_what_spends_more_than_it_is_asked_is_not_called_private(plain, in_use):
    for curve in in_use:
        for point in curve.points:
            baseline = BASELINES[curve.name](plain.problem.query, point.value)
            with np.errstate(divide="ignore", invalid="ignore"):
                ratio = np.nanmax(baseline.matrix[:, 1:] / baseline.matrix[:, :-1])
                ratio = max(ratio, np.nanmax(baseline.matrix[:, :-1] / baseline.matrix[:, 1:]))
            assert point.is_private == (np.log(ratio) <= float(point.value) + 1e-8), curve.name


def test_a_delta_pays_for_some_baselines():
    loose = frontier(om.question(om.count(6), 1, delta="0.5"), at=[1])
    strict = frontier(om.question(om.count(6), 1), at=[1])
    private = [sum(curve.points[0].is_private for curve in baseline_curves(one)) for one in (loose, strict)]
    assert private[0] >= private[1]


def test_a_baseline_is_private_where_it_keeps_all_that_is_asked():
    further = frontier(om.question(om.count(5), privacy=[("0.5", 0), ("0.25", "0.1")]), at=["0.2", 3])
    for curve in baseline_curves(further):
        assert curve.points[0].is_private
        if curve.name != "uniform":
            assert not curve.points[1].is_private, curve.name


@pytest.mark.parametrize(
    ("result", "names", "text"),
    [
        (
            lambda: frontier(om.croft(om.count(2), 1), at=[1]),
            ["laplas"],
            "`baselines` must be among snapped-",
        ),
        (lambda: frontier(om.sadeghi_symmetric(1, "0.5", 2), at=[1]), ["uniform"], "baselines can stand"),
    ],
)
def test_what_is_wrong_is_said(result, names, text):
    with pytest.raises(om.ProblemError, match=text):
        baseline_curves(result(), names)


def test_the_table_holds_the_doubles_of_every_point(plain, fair, in_use):
    table = list(csv.DictReader(io.StringIO(csv_text(rows({"plain": plain, "fair": fair}, in_use)))))
    assert [row["curve"] for row in table[:6]] == ["plain"] * 3 + ["fair"] * 3
    for row, point in zip(table, (*plain.points, *fair.points), strict=False):
        assert exact(row["epsilon"], "epsilon") == point.value
        assert float(row["objective"]) == float(point.objective)
        assert float(row["lower_bound"]) == float(point.bound)
        assert (row["objective_standing"], row["lower_bound_standing"]) == ("proved", "proved")
    rest = table[6:]
    assert len(rest) == sum(len(curve.points) for curve in in_use)
    assert {row["objective_standing"] for row in rest} == {"recomputed"}
    assert {row["lower_bound"] for row in rest} == {""}


def test_a_value_without_a_mechanism_is_a_row_without_numbers():
    problem = om.question(om.count(4), 1, bounds="worst beyond 1 <= 0.1")
    curve = frontier(problem, "bound", at=["0.01", "0.2"])
    table = list(csv.DictReader(io.StringIO(csv_text(rows({"question": curve})))))
    assert table[0] == {
        "curve": "question",
        "bound": "0.01",
        "objective": "",
        "objective_standing": "",
        "lower_bound": "",
        "lower_bound_standing": "",
        "status": "no mechanism, proved",
    }
    assert table[1]["status"] == "certified"


def by_name(chart):
    return {series.name: series for series in chart.series}


def test_the_figure_draws_points_and_stairs_where_they_are(plain, fair, in_use):
    chart = om.reports.frontier_chart({"plain": plain, "fair": fair}, in_use)
    lines = by_name(chart)
    for name, result in (("plain", plain), ("fair", fair)):
        points = lines[f"{name}: certified mechanisms"]
        assert points.look is Look.POINTS
        assert list(points.values) == [float(point.objective) for point in result.points]
        bounds, losses = (
            [float(getattr(point, what)) for point in result.points] for what in ("bound", "objective")
        )
        stairs = lines[f"{name}: lower bound, proved"]
        assert (stairs.look, stairs.across) == (Look.AREA, (0.5, 0.5, 1, 1, 2))
        assert list(stairs.values) == [bounds[0], bounds[1], bounds[1], bounds[2], bounds[2]]
        attained = lines[f"{name}: some mechanism on it, proved"]
        assert (attained.look, attained.across) == (Look.DOTTED, (0.5, 1, 1, 2, 2))
        assert list(attained.values) == [losses[0], losses[0], losses[1], losses[1], losses[2]]
        assert points.colour == stairs.colour == attained.colour
    colours = [lines[curve.name].colour for curve in in_use]
    assert len(set(colours)) == len(colours) == len(in_use)
    assert not {lines["plain: certified mechanisms"].colour} & set(colours)
    assert (chart.x.title, chart.y.title) == ("epsilon", "expected absolute loss")


def test_a_baseline_that_is_not_private_is_crossed_out(plain, in_use):
    wrong = [point for curve in in_use for point in curve.points if not point.is_private]
    lines = by_name(om.reports.frontier_chart({"plain": plain}, in_use))
    assert bool(wrong) == ("crossed: not private" in lines)
    if wrong:
        crosses = lines["crossed: not private"]
        assert list(crosses.values) == [point.objective for point in wrong]


@pytest.mark.slow
def test_where_no_mechanism_can_be_all_is_shaded():
    problem = om.question(om.count(4), 1, bounds="worst beyond 1 <= 0.1")
    chart = om.reports.frontier_chart({"q": frontier(problem, "bound", at=["0.01", "0.02", "0.2"])})
    (shade,) = [series for series in chart.series if series.look is Look.SHADE]
    assert (shade.across, set(shade.values)) == ((0.01, 0.02), {chart.y.ticks()[-1]})


def test_what_a_mechanism_reaches_is_never_shaded():
    """Delta is large enough here for no error at all, on a scale that has no zero."""
    problem = om.question(om.count(3), 1, delta="0.1", loss="beyond 1", worst_case=True)
    curve = frontier(problem, "delta", at=[0, "0.2", "0.6"])
    assert curve.points[-1].objective < 1e-9
    chart = om.reports.frontier_chart({"question": curve})
    assert not chart.y.logarithmic
    stairs = by_name(chart)["question: lower bound, proved"]
    assert min(stairs.values) >= 0
    corners = zip(stairs.across, stairs.values, strict=True)
    assert max(value for at, value in corners if at > 0.5) <= float(curve.points[-1].objective)


def test_a_wide_range_is_drawn_on_a_logarithmic_scale():
    curve = frontier(om.question(om.count(4), 1, loss="zero-one"), at=[1, 6])
    chart = om.reports.frontier_chart({"question": curve})
    assert chart.y.logarithmic
    assert 0 < chart.y.ticks()[0] <= float(curve.points[1].bound)


def test_stairs_of_a_convex_bound_stay_below_it():
    curve = frontier(om.question(om.count(2), 1, delta="0.1"), "delta", at=[0, "0.5", "0.9"])
    stairs = by_name(om.reports.frontier_chart({"question": curve}))["question: lower bound, proved"]
    places, heights = stairs.across, stairs.values
    assert len(places) > 2 * len(curve.points)
    for left, right, height in zip(places, places[1:], heights[1:], strict=False):
        middle = (Fraction(left) + Fraction(right)) / 2
        assert height <= float(curve.lower(middle)) + 1e-12


@pytest.mark.parametrize(
    "ending",
    [pytest.param("png", marks=pytest.mark.slow), "svg", pytest.param("pdf", marks=pytest.mark.slow)],
)
def test_a_figure_has_the_same_bytes_each_time(plain, ending):
    chart = om.reports.frontier_chart({"plain": plain})
    first, second = (content(chart, f"{name}.{ending}") for name in ("one", "two"))
    assert first == second
    assert len(first) > 5000


def test_what_cannot_be_drawn_is_a_sentence(plain):
    other = frontier(om.kadam(om.residues(3, [1]), 1, "0.1"), "delta", at=["0.1"])
    with pytest.raises(om.ProblemError, match="must be one or more over the same quantity; got"):
        om.reports.frontier_chart({"plain": plain, "other": other})
    with pytest.raises(om.ProblemError, match="got none"):
        om.reports.frontier_chart({})
    with pytest.raises(om.FileFormatError, match=r"must end in \.svg, \.png or \.pdf"):
        om.reports.frontier_chart({"plain": plain}).save("f.txt")
