"""A plot draws the matrix; nothing is shown, kept or set beside it."""

from __future__ import annotations

import math
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest

import optmech as om
from optmech.analysis.utility import error_quantiles, errors_by_truth
from optmech.base.errors import ProblemError

figure_module = pytest.importorskip("matplotlib.figure", reason="plots need Matplotlib")

COLOURS = om.MatrixMechanism.certified(
    om.design(om.question(om.categories(["red", "green", "$blue$"]), 1, loss="zero-one")).certificate
)


@pytest.fixture(scope="module")
def design():
    return om.design(om.croft(om.count(5), "0.5", variant=2))


@pytest.fixture(scope="module")
def large():
    return om.design(om.croft(om.count(40), "0.3", prior="uniform"))


@pytest.fixture
def axes():
    return figure_module.Figure().subplots()


def finished(axes):
    """Draw as a file would be drawn, where layout and text can still fail."""
    axes.figure.canvas.draw()
    return axes


def texts_of(axes):
    return [text.get_text() for text in axes.texts]


def legend_of(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


def line_of(axes, start):
    return next(line for line in axes.lines if line.get_label().startswith(start))


def test_the_shades_are_the_matrix(design, axes):
    drawn = finished(design.mechanism.plot_matrix(axes))
    (image,) = drawn.images
    assert drawn is axes
    np.testing.assert_array_equal(image.get_array(), design.mechanism.matrix)
    assert image.get_clim() == (0.0, design.mechanism.matrix.max())


def test_a_small_matrix_has_its_numbers_in_the_cells(design, axes):
    drawn = design.mechanism.plot_matrix(axes)
    expected = [f"{value:.3f}".removeprefix("0") for value in design.mechanism.matrix.ravel()]
    assert texts_of(drawn) == expected
    assert len(drawn.figure.axes) == 1


def test_impossible_is_told_from_unlikely(axes):
    mechanism = om.MatrixMechanism(matrix=[[1, 1e-9], [0, 1 - 1e-9]], responses=(0, 1), truths=(0, 1))
    assert texts_of(mechanism.plot_matrix(axes)) == ["1", "<.001", "0", "1.000"]


def test_a_large_matrix_has_a_scale_with_its_unit(large, axes):
    drawn = finished(large.mechanism.plot_matrix(axes))
    assert not drawn.texts
    assert [other.get_ylabel() for other in drawn.figure.axes if other is not drawn] == ["probability"]


def test_truths_are_across_and_responses_down(axes):
    mechanism = om.MatrixMechanism(
        matrix=[[0.5, 0.5], [0.2, 0.3], [0.3, 0.2]], responses=(1, 2, 4), truths=(7, 9)
    )
    drawn = mechanism.plot_matrix(axes)
    assert [tick.get_text() for tick in drawn.get_xticklabels()] == ["7", "9"]
    assert [tick.get_text() for tick in drawn.get_yticklabels()] == ["1", "2", "4"]
    assert drawn.get_ylim()[0] > drawn.get_ylim()[1]  # the first response on top, as in the table


def test_the_heights_of_the_bars_are_the_columns(design, axes):
    drawn = finished(design.mechanism.plot_released([0, 2], axes))
    heights = [[bar.get_height() for bar in bars] for bars in drawn.containers]
    np.testing.assert_array_equal(heights, design.mechanism.matrix[:, [0, 2]].T)
    assert {"true answer 0", "true answer 2"} <= set(legend_of(drawn))


def test_bars_are_told_apart_without_colour(design, axes):
    drawn = design.mechanism.plot_released(range(6), axes)
    assert len({bars[0].get_hatch() for bars in drawn.containers}) == 6


def test_bars_do_not_cover_each_other(design, axes):
    drawn = design.mechanism.plot_released([0, 1, 2], axes)
    spans = sorted((bar.get_x(), bar.get_x() + bar.get_width()) for bars in drawn.containers for bar in bars)
    assert all(end <= start + 1e-9 for (_, end), (start, _) in pairwise(spans))


def test_many_bars_become_lines_through_the_same_heights(large, axes):
    drawn = finished(large.mechanism.plot_released([3, 20, 39], axes))
    lines = [line for line in drawn.lines if line.get_label().startswith("true answer")]
    assert not drawn.containers
    np.testing.assert_array_equal(
        [line.get_ydata() for line in lines], large.mechanism.matrix[:, [3, 20, 39]].T
    )
    assert len({line.get_marker() for line in lines}) == len({line.get_linestyle() for line in lines}) == 3


def test_the_truth_itself_is_marked_where_it_can_be_released(axes):
    mechanism = om.MatrixMechanism(matrix=[[0.5, 0.5], [0.5, 0.5]], responses=(0, 3), truths=(0, 1))
    marks = [line for line in mechanism.plot_released([0, 1], axes).lines if line.get_marker() == "v"]
    assert [len(line.get_xdata()) for line in marks] == [1]


def test_labels_stand_as_they_are_typed(axes):
    drawn = finished(COLOURS.plot_released("$blue$", axes))
    assert [tick.get_text() for tick in drawn.get_xticklabels()] == ["red", "green", "$blue$"]
    assert not any(tick.get_parse_math() for tick in drawn.get_xticklabels())
    assert "$blue$" in drawn.get_title()


@pytest.mark.parametrize(
    ("truths", "message"),
    [
        (7, "`truths` must be among the truths of this mechanism, 0, 1, 2, 3, 4, 5; got 7."),
        ("red", "`truths` must be a finite number; got 'red'."),
        ([], "`truths` must be one to 8 of the truths; got 0."),
        (None, "`truths` must be a finite number; got None."),
    ],
)
def test_a_truth_that_is_none_is_named(design, axes, truths, message):
    with pytest.raises(ProblemError) as trouble:
        design.mechanism.plot_released(truths, axes)
    assert str(trouble.value).startswith(message)
    assert not axes.containers


def test_more_truths_than_can_be_told_apart_are_refused(large, axes):
    with pytest.raises(ProblemError, match="one to 8 of the truths; got 9"):
        large.mechanism.plot_released(range(9), axes)


def test_a_label_that_is_none_is_named(axes):
    with pytest.raises(ProblemError, match=r"red, green, \$blue\$; got 'pink'"):
        COLOURS.plot_released("pink", axes)


@pytest.mark.parametrize("truths", [2, "2", 2.0, np.int64(2), np.array(2), np.array([2]), (2,), iter([2])])
def test_a_truth_may_be_given_as_any_number(design, axes, truths):
    (bars,) = design.mechanism.plot_released(truths, axes).containers
    assert [bar.get_height() for bar in bars] == design.mechanism.matrix[:, 2].tolist()


def test_the_error_lines_are_the_errors(design, axes):
    drawn = finished(design.mechanism.plot_error(axes))
    errors = errors_by_truth(design.mechanism)
    np.testing.assert_array_equal(line_of(drawn, "mean error").get_ydata(), errors.mean_absolute_error)
    np.testing.assert_array_equal(line_of(drawn, "bias").get_ydata(), errors.bias)
    np.testing.assert_array_equal(
        line_of(drawn, "95 %").get_ydata(), error_quantiles(design.mechanism, [0.95])[0]
    )
    assert "units of the answer" in drawn.get_ylabel()
    assert "recomputed" in drawn.get_title()
    labelled = [line for line in drawn.lines if not line.get_label().startswith("_")]
    assert (
        len({line.get_marker() for line in labelled}) == len({line.get_linestyle() for line in labelled}) == 4
    )


def test_without_numbers_the_error_is_a_wrong_answer(axes):
    drawn = finished(COLOURS.plot_error(axes))
    (bars,) = drawn.containers
    # A sum of the other entries and one less the truth's may differ in the last digit of a double.
    np.testing.assert_allclose([bar.get_height() for bar in bars], 1 - np.diag(COLOURS.matrix), rtol=1e-15)
    assert drawn.get_ylabel() == "probability of a wrong answer"


def test_the_curve_is_the_delta_of_the_matrix(axes):
    result = om.design(om.question(om.count(8), 1, delta="1e-3"))
    drawn = finished(result.certificate.plot_privacy_curve(axes))
    curve = line_of(drawn, "delta of this mechanism, proved")
    for epsilon, delta in list(zip(curve.get_xdata(), curve.get_ydata(), strict=True))[::10]:
        by_doubles = result.mechanism.hockey_stick_delta(result.problem.query, float(epsilon))
        assert math.isclose(delta, by_doubles, rel_tol=1e-6, abs_tol=1e-12)
    assert 1.0 in curve.get_xdata()
    star = line_of(drawn, "promised")
    assert (star.get_xdata()[0], star.get_ydata()[0]) == (1.0, 0.001)
    assert drawn.get_yscale() == "log"


def test_a_pure_promise_ends_on_the_axis(design, axes):
    drawn = finished(design.certificate.plot_privacy_curve(axes))
    curve = line_of(drawn, "delta of this mechanism, proved")
    after = curve.get_xdata() >= 0.5
    assert after.any()
    assert (curve.get_ydata()[after] == 0).all()
    assert (curve.get_ydata()[~after] > 0).all()
    assert any(entry.endswith("0 from epsilon 0.5 on") for entry in legend_of(drawn))


def test_a_promise_of_another_definition_is_called_so(axes):
    result = om.design(om.sadeghi_symmetric("2.18", accuracy="0.8", half_width=6))
    drawn = finished(result.certificate.plot_privacy_curve(axes))
    assert any("another definition" in entry for entry in legend_of(drawn))
    curve, star = line_of(drawn, "delta of this"), line_of(drawn, "promised")
    (place,) = np.flatnonzero(curve.get_xdata() == 2.18)
    assert star.get_ydata()[0] < curve.get_ydata()[place]  # one outcome has less than a set of them


def test_neighbours_with_weights_have_no_curve(axes):
    query = om.Query([0, 1, 2], neighbours=[(0, 1, 1), (1, 2, 2)])
    certificate = om.design(om.question(query, 1)).certificate
    with pytest.raises(ProblemError, match="neighbours that all count alike"):
        certificate.plot_privacy_curve(axes)
    assert not axes.lines


@pytest.mark.slow
@pytest.mark.parametrize("plot", ["plot_matrix", "plot_error"])
def test_without_axes_a_figure_is_made_that_nobody_else_keeps(plot):
    code = (
        "import sys, optmech as om\n"
        "rows = [[0.75, 0.25], [0.25, 0.75]]\n"
        "mechanism = om.MatrixMechanism(matrix=rows, responses=(0, 1), truths=(0, 1))\n"
        f"drawn = mechanism.{plot}()\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
        "assert drawn.figure.axes == [drawn] and drawn.get_title().endswith(('doubles', 'floating point'))\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""


@pytest.mark.slow
def test_where_pyplot_is_in_use_it_knows_the_figure():
    code = (
        "import matplotlib; matplotlib.use('agg')\n"
        "import matplotlib.pyplot as plt, optmech as om\n"
        "before = dict(plt.rcParams)\n"
        "plt.show = lambda *given, **named: 1 / 0\n"
        "rows = [[0.75, 0.25], [0.25, 0.75]]\n"
        "mechanism = om.MatrixMechanism(matrix=rows, responses=(0, 1), truths=(0, 1))\n"
        "assert mechanism.plot_matrix() is plt.gca()\n"
        "mine = plt.figure().subplots()\n"
        "numbers = plt.get_fignums()\n"
        "assert mechanism.plot_error(mine) is mine and plt.get_fignums() == numbers\n"
        "assert dict(plt.rcParams) == before\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""


@pytest.mark.parametrize("wrong", ["here", 3])
def test_what_is_no_axes_is_refused(design, wrong):
    with pytest.raises(ProblemError, match="`ax` must be the axes to draw into; got"):
        design.mechanism.plot_matrix(wrong)


def test_without_matplotlib_the_remedy_is_named(design, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.axes", None)
    with pytest.raises(ProblemError, match=r'Run `pip install "optmech\[figures\]"`'):
        design.mechanism.plot_matrix()


def test_every_title_names_a_quantity_and_its_standing(design):
    for draw in (
        design.mechanism.plot_matrix,
        design.mechanism.plot_error,
        lambda ax: design.mechanism.plot_released(2, ax),
        design.certificate.plot_privacy_curve,
    ):
        drawn = draw(figure_module.Figure().subplots())
        quantity, standing = drawn.get_title().split("\n")
        assert quantity
        assert standing
        assert drawn.get_xlabel()
        assert drawn.get_ylabel()


def test_ratios_are_labels_as_decimals(axes):
    sevenths = om.design(om.question(om.mean(7, 1, 3), 1)).mechanism
    sevenths.plot_matrix(axes)
    for along in (axes.get_xticklabels(), axes.get_yticklabels()):
        names = [label.get_text() for label in along]
        assert names[:4] == ["1", "1.14", "1.29", "1.43"]
        assert "2.29" in names
        assert not any("/" in name for name in names)
    axes.clear()
    sevenths.plot_released("16/7", axes)
    assert axes.get_title().startswith("Released answers if 2.29 is true")


def test_labels_of_categories_stay_as_they_are_typed(axes):
    dates = om.design(om.question(om.categories(["1/2", "1/3"]), 1, loss="zero-one")).mechanism
    dates.plot_matrix(axes)
    assert [label.get_text() for label in axes.get_xticklabels()] == ["1/2", "1/3"]
