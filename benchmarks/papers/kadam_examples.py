"""Figures 13 and 14 of Kadam et al. 2024: noise for pairs of answers, and for distances seen in data.

The metering data of Fig. 14 are not public. Beside the distances that the paper names, the best noise is
drawn for distances seen in the American National Election Studies 1996 (public domain).
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.papers.digits import holds, printed, unprinted
from benchmarks.papers.item import Item, Reproduction
from benchmarks.papers.kadam_closed_forms import joint_levels
from benchmarks.papers.kadam_tables import joint_noise
from benchmarks.papers.survey import groups_of_ten
from optmech.designs.design import solved_design
from optmech.question.problems.kadam import kadam
from optmech.question.queries import residues
from optmech.question.query_from_data import distances_from_data
from optmech.theorems.kadam_any import cayley_levels, pure_error_rate
from optmech.theorems.powers import Doubles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from benchmarks.papers.item import Line

    Floats = NDArray[np.float64]

__all__ = ["ITEMS", "draw_bars", "noise_of", "survey_distances"]

_METERING = {11: (1, 2, 3, 4), 17: (1, 3, 5, 6)}  # levels -> distances that Fig. 14 names
_LEAST_EDUCATION, _MOST_EDUCATION = 1, 7
_HATCHES = ("", "///", "...", "xxx")
_EPSILON = "1.5"
_SHORT = 1e-4  # smaller probabilities are written with an exponent


def noise_of(
    size: int, distances: Sequence[int], epsilon: str, delta: str, *, symmetric: bool = False
) -> Floats:
    """Return the noise of least error rate under Definition 2, solved, shape (size,)."""
    query = residues(size, distances, symmetric=symmetric)
    matrix: Floats = solved_design(kadam(query, epsilon, delta)).mechanism.matrix
    return matrix[:, 0]


def survey_distances(levels: int) -> tuple[int, ...]:
    """Return how far one respondent moves the answer of a survey, over all groups and respondents.

    The answer is the spread of education (largest less smallest, at most six steps) in a group of ten, in
    file order, rounded to `levels` levels. A neighbour is the same group without one respondent.

    Examples
    --------
    >>> survey_distances(11), survey_distances(17)
    ((1, 2, 3, 4), (2, 3, 5, 6))
    """

    def answer(group: Sequence[int]) -> int:
        spread = Fraction(max(group) - min(group), _MOST_EDUCATION - _LEAST_EDUCATION)
        return math.floor(spread * (levels - 1) + Fraction(1, 2))

    return tuple(map(int, distances_from_data(groups_of_ten("educ"), answer, change="remove")))


def draw_bars(axes: Axes, noises: Sequence[Floats], labels: Sequence[str]) -> None:
    """Draw the probabilities of each noise value, one group of bars beside another."""
    width = 0.8 / len(noises)
    for place, (noise, label) in enumerate(zip(noises, labels, strict=True)):
        middle = np.arange(len(noise)) + (place - (len(noises) - 1) / 2) * width
        axes.bar(middle, noise, width, label=label, hatch=_HATCHES[place], edgecolor="black", linewidth=0.4)
    axes.set_xticks(np.arange(len(noises[0])))
    axes.set_xlabel(f"noise (answers modulo {len(noises[0])})")
    axes.set_ylabel("probability of the noise")


def _figure_13() -> Reproduction:
    bounded = [(a, b) for a, b in product((0, 1, 2), repeat=2) if a or b]
    arbitrary = list(product((1, 3), (2, 5)))
    stairs, peaks = joint_noise((5, 5), bounded, 3), joint_noise((7, 7), arbitrary, 3)
    off = [
        float(np.abs(solved.ravel() - _flat(joint_levels(solved.shape, steps))).max())
        for solved, steps in ((stairs, bounded), (peaks, arbitrary))
    ]
    order = np.argsort(-peaks, axis=None)[1:5]
    second = {(int(place) // 7, int(place) % 7) for place in order}
    lines = [
        printed(
            "number of values that are not f(0, 0) in (a), a staircase of two steps", "2", _values(stairs) - 1
        ),
        *(
            printed(
                f"({a}, {b}) is among the second largest peaks in (b), 1 if so", "1", int((a, b) in second)
            )
            for a, b in arbitrary
        ),
        holds("f(0, 0) over each of these peaks", "e^3 = 20.0855", float(peaks[0, 0] / peaks[1, 2])),
        holds(
            "largest other mass over these peaks", "below 1", float(peaks.ravel()[_next(peaks)] / peaks[1, 2])
        ),
        unprinted("f(0, 0) in (a)", float(stairs[0, 0])),
        unprinted("f(0, 0) in (b)", float(peaks[0, 0])),
        unprinted("(a) largest difference of the solver from the closed form", off[0]),
        unprinted("(b) largest difference of the solver from the closed form", off[1]),
    ]

    def draw(figure: Figure) -> None:
        titles = ("(a) differences {0, 1, 2}, modulo 5", "(b) {1, 3} and {2, 5}, modulo 7")
        for axes, noise, title in zip(figure.subplots(1, 2), (stairs, peaks), titles, strict=True):
            logs = np.log10(noise)
            picture = axes.imshow(logs.T, origin="lower", cmap="viridis")
            bright = 0.55 * logs.max() + 0.45 * logs.min()
            for (first, second_), mass in np.ndenumerate(noise):
                color = "black" if np.log10(mass) > bright else "white"
                text = f"{mass:.4f}" if mass >= _SHORT else f"{mass:.0e}"
                axes.text(first, second_, text, ha="center", va="center", fontsize=6.5, color=color)
            axes.set_title(title, fontsize="medium")
            axes.set_xlabel("noise of the first answer")
            axes.set_ylabel("noise of the second answer")
            figure.colorbar(picture, ax=axes, shrink=0.6, label="log10 of the probability")

    return Reproduction(
        lines=tuple(lines),
        draw=draw,
        note="epsilon = 3; delta is not printed, 0 is ours.",
    )


def _flat(levels: Sequence[int | None]) -> Floats:
    masses = np.array([0.0 if level is None else math.exp(-3.0 * level) for level in levels])
    return np.asarray(masses / masses.sum())


def _values(noise: Floats) -> int:
    return len(np.unique(np.round(noise / noise.max(), 6)))


def _next(noise: Floats) -> int:
    return int(np.argsort(-noise, axis=None)[5])


def _figure_14() -> Reproduction:
    sets: list[tuple[str, int, tuple[int, ...]]] = [("metering", *pair) for pair in _METERING.items()]
    sets += [("survey", levels, survey_distances(levels)) for levels in _METERING]
    drawn: list[tuple[str, list[Floats]]] = []
    lines: list[Line] = []
    for source, levels, distances in sets:
        where = f"{source}, {levels} levels, distances {', '.join(map(str, distances))}"
        noise = noise_of(levels, distances, _EPSILON, "0")
        both = noise_of(levels, distances, _EPSILON, "0", symmetric=True)
        drawn.append((where, [noise, noise_of(levels, distances, _EPSILON, "0.1"), both]))
        outside = [eta for eta in range(1, levels) if eta not in distances]
        ratio = float(noise[list(distances)].min() / noise[outside].max())
        closed = 1 - pure_error_rate(Doubles(Fraction(_EPSILON)), cayley_levels(levels, distances))
        what = f"least mass at a distance over the largest elsewhere, {where}"
        lines += [
            holds(what, "considerably larger", ratio, f"e^{_EPSILON}")
            if source == "metering"
            else unprinted(what, ratio),
            unprinted(f"f(0), {where}", float(noise[0])),
            unprinted(f"f(0) by shortest sums of distances, {where}", closed),
            unprinted(f"f(0) that protects both neighbours, {where}", float(both[0])),
        ]

    def draw(figure: Figure) -> None:
        panels = figure.subplots(2, 2, sharey=True)
        for axes, (where, noises) in zip(panels.ravel(), drawn, strict=True):
            draw_bars(axes, noises, ["delta = 0", "delta = 0.1", "delta = 0, both neighbours protected"])
            axes.set_yscale("log")
            axes.set_ylim(1e-3, 1)
            axes.set_ylabel("probability")
            axes.set_title(where, fontsize="medium")
            axes.tick_params(axis="x", labelsize="small")
        figure.legend(*panels[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)

    return Reproduction(
        lines=tuple(lines),
        draw=draw,
        note=(
            "The metering data are not public: only their sets of distances can be used. epsilon and delta "
            f"are not printed; {_EPSILON} and 0 are ours. Survey: spread of education in groups of ten, "
            "one respondent left out, read from the ANES file."
        ),
    )


_PAPER = "Kadam et al. 2024"
ITEMS = (
    Item(
        name="kadam-fig-13",
        source=f"{_PAPER}, Fig. 13",
        title="the best noise for pairs of answers",
        compute=_figure_13,
    ),
    Item(
        name="kadam-fig-14",
        source=f"{_PAPER}, Fig. 14",
        title="the best noise for distances seen in data",
        compute=_figure_14,
    ),
)
