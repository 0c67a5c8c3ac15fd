"""Figures 2 to 4 of Sadeghi, Asoodeh, Calmon 2020, with every number that section IV prints.

Curves are the closed forms of `optmech.theorems`; the marks on them are solved programs. The paper's delta is
that of single outcomes times 2D + 1, Remark 2: `claimed`. Beside it stands the delta that its noise truly
has, and the least that symmetric noise can have. Program values below 1e-6 are within a solver's tolerance
and are not marked.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import brentq

from benchmarks.baselines.unbounded_gaussian import parameter_of_variance
from benchmarks.papers import classical, sadeghi_examples
from benchmarks.papers.digits import holds, misprint, printed, unprinted
from benchmarks.papers.item import Item, Reproduction, Weight
from benchmarks.papers.sadeghi_closed_forms import true_delta_printed, variance_printed
from optmech.designs.design import solved_design
from optmech.question.problems.sadeghi import sadeghi_symmetric
from optmech.theorems import sadeghi as single_outcomes
from optmech.theorems.sadeghi_delta import claimed_true_delta, least_true_delta

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["ITEMS"]

_WORTH_MARKING = 1e-6
_HALF_WIDTHS = ((2, ":", "o"), (4, "-.", "s"), (6, "--", "^"), (8, "-", "D"))
_COMPARED = (0.5, 1.0, 1.1, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0)  # Fig. 4, epsilons


def _figure_2() -> Reproduction:
    def excess(epsilon: float) -> float:
        return math.log(claimed_true_delta(epsilon, "0.5", 8) / 0.001)

    inside = []
    for width in (8, 7):
        matrix = solved_design(sadeghi_symmetric("1.5", "0.5", width)).mechanism.matrix
        inside.append(float(matrix[width - 3 : width + 4, 0].sum()))
    lines = (
        holds("17 delta at epsilon = 1.1, D = 8", "at most 0.001", claimed_true_delta("1.1", "0.5", 8)),
        unprinted(
            "epsilon from which 17 delta is at most 0.001", float(brentq(excess, 1.05, 1.15, xtol=1e-13))
        ),
        printed("probability of an error of at most 3, epsilon = 1.5, D = 8", "0.9945", inside[0]),
        unprinted("the same at D = 7", inside[1], "the paper does not say at which D; both round to 0.9945"),
        unprinted("true delta at epsilon = 1.1, D = 8", true_delta_printed("1.1", "0.5", 8)),
        unprinted("least true delta of symmetric noise there", least_true_delta("1.1", "0.5", 8)),
    )
    marked = np.arange(2, 31, 2) / 10
    marks = {width: _solved([(e, 0.5, width) for e in marked]) for width, *_ in _HALF_WIDTHS}

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        epsilons = np.linspace(0.02, 3, 150)
        _draw_by_width(axes, epsilons, marked, marks, [(e, 0.5) for e in epsilons])
        axes.plot(
            epsilons,
            [true_delta_printed(e, 0.5, 8) for e in epsilons],
            color="black",
            linewidth=0.8,
            label="true delta of this noise, D = 8",
        )
        axes.plot([1.1], [0.001], "k*", markersize=12, label="(1.1, 0.001), named in the text")
        axes.set_xlabel("privacy parameter epsilon")
        axes.set_ylabel("delta, (2D + 1) times that of single outcomes")
        axes.set_title("Accuracy 0.5; curves by Theorem 3, marks by linear program")
        axes.legend()

    return Reproduction(
        lines=lines,
        draw=draw,
        note="The paper does not say which half-widths it draws; 2, 4, 6 and 8 are ours.",
    )


def _figure_3() -> Reproduction:
    small, width = 1e-9, 8
    lines = [
        holds(
            "17 delta at epsilon = 1.1, accuracy 0.5", "at most 1e-3", claimed_true_delta("1.1", "0.5", width)
        ),
        holds(
            "17 delta at epsilon = 2.2, accuracy 0.8", "at most 5e-7", claimed_true_delta("2.2", "0.8", width)
        ),
    ]
    for epsilon, knee in (("1.1", "0.5"), ("2.2", "0.8")):
        # Theorem 3 holds from p_Z(2) <= eta on: C = 2 eta / (1 - eta) of at least alpha_2 of type II.
        weight = float(single_outcomes.weights_printed(epsilon, small, width)[1])
        limit = weight / (2 + weight)
        below = limit / 2
        lines += [
            holds(
                f"accuracy of the knee at epsilon = {epsilon}",
                f"just above {knee}",
                math.tanh(float(epsilon) / 2),
                "in closed form tanh(epsilon / 2)",
            ),
            unprinted(
                f"accuracy below which the curve at epsilon = {epsilon} is false",
                limit,
                "Theorem 3 lacks rows",
            ),
            misprint(
                f"true delta at accuracy {below:.4f}, epsilon = {epsilon}",
                f"at most {claimed_true_delta(epsilon, below, width):.2g}",
                true_delta_printed(epsilon, below, width),
                "at small accuracy Theorem 3 and Remark 2 fail, and the left ends of the curves with them",
                Weight.NUMBER,
            ),
        ]
    marked = np.arange(1, 20, 2) / 20
    marks = {
        (epsilon, half): _solved([(epsilon, accuracy, half) for accuracy in marked])
        for epsilon in (1.1, 2.2)
        for half, *_ in _HALF_WIDTHS
    }

    def draw(figure: Figure) -> None:
        accuracies = np.concatenate([np.linspace(0.005, 0.98, 150), [0.99, 0.995]])
        for axes, epsilon in zip(figure.subplots(1, 2, sharey=True), (1.1, 2.2), strict=True):
            own = {half: marks[epsilon, half] for half, *_ in _HALF_WIDTHS}
            _draw_by_width(axes, accuracies, marked, own, [(epsilon, accuracy) for accuracy in accuracies])
            true = [min(1.0, true_delta_printed(epsilon, accuracy, width)) for accuracy in accuracies]
            axes.plot(accuracies, true, color="black", linewidth=0.8, label="true delta of this noise, D = 8")
            axes.axvline(math.tanh(epsilon / 2), color="gray", linewidth=0.8)
            axes.set_xlabel("accuracy: probability of the true count")
            axes.set_title(f"epsilon = {epsilon}; knee at {math.tanh(epsilon / 2):.4f}")
        figure.axes[0].set_ylabel("delta, (2D + 1) times that of single outcomes")
        figure.axes[0].set_ylim(1e-8, 3)
        figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=5)

    return Reproduction(
        lines=tuple(lines),
        draw=draw,
        note=(
            "The paper does not say which half-widths it draws; 2, 4, 6 and 8 are ours. Marks are optima "
            "under all rows of (9): at small accuracy they leave the curves of Theorem 3, false there."
        ),
    )


def _figure_4() -> Reproduction:
    def ours(epsilon: float) -> float:
        return float(claimed_true_delta(epsilon, "0.5", 6))

    def theirs(epsilon: float, *, matched: bool = False) -> float:
        variance = variance_printed(epsilon, "0.5", 6)
        return classical.discrete_gaussian_delta(
            parameter_of_variance(variance) if matched else variance, epsilon
        )

    def excess(epsilon: float) -> float:
        return math.log(ours(epsilon) / theirs(epsilon))

    beyond = np.linspace(1.1, 5, 79)
    lines = [
        holds(
            "delta of our noise over that of the discrete Gaussian, epsilon from 1.1 to 5, at most",
            "superior",
            float(np.exp(max(excess(epsilon) for epsilon in beyond))),
        ),
        unprinted("epsilon from which our claimed delta is the smaller", float(brentq(excess, 1.0, 1.1))),
        holds("claimed delta of our noise at epsilon = 0.5", "rather poor", ours(0.5), "it exceeds 1"),
        holds("delta of the discrete Gaussian at epsilon = 0.5", "rather poor", theirs(0.5)),
    ]
    for epsilon in _COMPARED:
        lines += [
            unprinted(f"13 delta at epsilon = {epsilon:g}", ours(epsilon)),
            unprinted(f"true delta of our noise at {epsilon:g}", true_delta_printed(epsilon, "0.5", 6)),
            unprinted(f"least true delta at {epsilon:g}", least_true_delta(epsilon, "0.5", 6)),
            unprinted(f"discrete Gaussian (45), parameter = our variance, at {epsilon:g}", theirs(epsilon)),
            unprinted(f"discrete Gaussian, variance = ours, at {epsilon:g}", theirs(epsilon, matched=True)),
        ]
    marked = np.arange(2, 27, 2) / 10
    marks = _solved([(epsilon, 0.5, 6) for epsilon in marked])

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        epsilons = np.linspace(0.05, 5, 120)
        axes.plot(epsilons, [ours(e) for e in epsilons], "-", label="bounded noise, claimed 13 delta")
        axes.plot(marked, 13 * marks, "o", label="the same, by linear program")
        truth = [true_delta_printed(e, "0.5", 6) for e in epsilons]
        axes.plot(epsilons, truth, ":", label="bounded noise, true delta")
        least = [least_true_delta(e, "0.5", 6) for e in epsilons]
        axes.plot(epsilons, least, "-.", label="least true delta of symmetric noise")
        axes.plot(epsilons, [theirs(e) for e in epsilons], "--", label="discrete Gaussian (45)")
        _log_delta(axes)
        axes.set_ylim(1e-12, 3)
        axes.set_xlabel("privacy parameter epsilon")
        axes.set_ylabel("delta")
        axes.set_title("Accuracy 0.5, half-width 6, sigma^2 = variance of the bounded noise")
        axes.legend()

    return Reproduction(
        lines=tuple(lines),
        draw=draw,
        note=(
            "The discrete Gaussian is right with probability 0.33 to 0.56 here, not 0.5: as useful in "
            "variance only. With the true variance in place of the parameter its curve looks the same."
        ),
    )


def _solved(question: list[tuple[float, float, int]]) -> Floats:
    """Return the least deltas of single outcomes, solved; not a number where they are too small to trust."""
    deltas = np.array([solved_design(sadeghi_symmetric(*one)).objective for one in question])
    return np.where(deltas > _WORTH_MARKING, deltas, np.nan)


def _draw_by_width(
    axes: Axes, places: Floats, marked: Floats, marks: dict[int, Floats], question: list[tuple[float, float]]
) -> None:
    for width, line, marker in _HALF_WIDTHS:
        claimed = [min(1.0, claimed_true_delta(*one, width)) for one in question]
        (drawn,) = axes.plot(places, claimed, line, label=f"D = {width}")
        solved = np.minimum(1.0, (2 * width + 1) * marks[width])
        axes.plot(marked, solved, marker, color=drawn.get_color(), markersize=4)
    _log_delta(axes)


def _log_delta(axes: Axes) -> None:
    axes.set_yscale("log")
    axes.grid(visible=True, linewidth=0.3)


_PAPER = "Sadeghi, Asoodeh, Calmon 2020"
ITEMS = (
    *sadeghi_examples.ITEMS,
    Item(
        name="sadeghi-fig-2",
        source=f"{_PAPER}, Fig. 2 and section IV",
        title="delta against epsilon for several half-widths",
        compute=_figure_2,
    ),
    Item(
        name="sadeghi-fig-3",
        source=f"{_PAPER}, Fig. 3 and section IV",
        title="delta against accuracy, and its knee",
        compute=_figure_3,
    ),
    Item(
        name="sadeghi-fig-4",
        source=f"{_PAPER}, Fig. 4 and section IV",
        title="delta of bounded noise and of the discrete Gaussian",
        compute=_figure_4,
    ),
)
