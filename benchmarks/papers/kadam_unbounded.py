"""Figures 6 and 8 of Kadam et al. 2024: geometric and Gaussian noise, clamped or not, beside the best noise.

The paper does not say for which distances between neighbours. Here it is one step, unless a series says
otherwise. Delta is probabilistic, Definition 2, as in the paper.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.baselines.clamped_geometric import clamped_geometric
from benchmarks.papers.digits import holds, misprint, not_reproducible, unprinted
from benchmarks.papers.item import Item, Reproduction, Weight
from optmech.analysis.baselines.discrete_gaussian import clamped_gaussian, discrete_gaussian
from optmech.analysis.baselines.whole_number_noise import SymmetricIntegerNoise, TwoSidedGeometric
from optmech.designs.design import solved_design
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.question.problems.kadam import kadam
from optmech.question.queries import count, residues

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from optmech.analysis.baselines.baseline import Baseline

    Floats = NDArray[np.float64]
    Curves = dict[str, Floats]

__all__ = ["ITEMS", "UNSAID", "leak_of"]

UNSAID = "the paper does not say for which distances between neighbours"
_STYLES = ("o-", "s--", "^-.", "D:", "v-")
_ALPHA, _PARAMETER = 0.7, "3.38"
_FAR = 400  # beyond, the noise of these figures is below 1e-60
# Masses that are a factor e^epsilon apart differ from it by rounding.
_TIE = 1e-9


def leak_of(noise: SymmetricIntegerNoise | TwoSidedGeometric, epsilon: float, distance: int = 1) -> float:
    """Return the probability that the privacy loss of unbounded symmetric noise exceeds epsilon."""
    here = np.arange(-_FAR, _FAR + 1)
    masses = noise.pmf(here)
    return float(masses[masses > math.exp(epsilon) * noise.pmf(here + distance) * (1 + _TIE)].sum())


def _figure_6() -> Reproduction:
    query = count(8)
    grid = np.arange(2, 301, 2) / 100
    gaussian, geometric = discrete_gaussian(float(_PARAMETER)), TwoSidedGeometric(rate=-math.log(_ALPHA))

    def clamped(baseline: Baseline) -> Floats:
        mechanism = MatrixMechanism.answering(query, baseline.matrix)
        return np.array([mechanism.probabilistic_delta(query, e) for e in grid.tolist()])

    curves: Curves = {
        "geometric": np.array([leak_of(geometric, e) for e in grid]),
        "geometric, clamped": clamped(clamped_geometric(query, 1, _ALPHA)),
        "discrete Gaussian": np.array([leak_of(gaussian, e) for e in grid]),
        "discrete Gaussian, clamped": clamped(clamped_gaussian(query, 1, parameter=_PARAMETER)),
    }
    rise = {name: curves[f"{name}, clamped"] - curves[name] for name in ("geometric", "discrete Gaussian")}
    lost = geometric.pmf(np.arange(9))  # f(n - q) for each truth q, which the last row of (56) loses
    lines = [
        holds(
            "largest rise of delta by clamping the discrete Gaussian",
            "pronounced",
            float(rise["discrete Gaussian"].max()),
        ),
        not_reproducible(
            "largest rise by clamping the geometric",
            "increases",
            float(np.abs(rise["geometric"]).max()),
            "all clamped outcomes share one likelihood ratio: no distance moves the curve",
        ),
        not_reproducible(
            "variance of the geometric with alpha = 0.7",
            "3.38",
            2 * _ALPHA / (1 - _ALPHA) ** 2,
            "clamped or cut in ten ways it is not 3.38 either; alpha = 0.4717 has that variance",
        ),
        holds("variance of the discrete Gaussian with sigma^2 = 3.38", "3.38", gaussian.variance),
        misprint(
            "least sum of a column of (56), geometric",
            "1",
            float(1 - lost.max()),
            "F(n - q - 1) is meant",
            Weight.FORMULA,
        ),
    ]
    lines += [
        unprinted(f"{name} at epsilon = {epsilon:g}", float(values[round(epsilon * 50) - 1]))
        for name, values in curves.items()
        for epsilon in (0.1, 0.3, 0.5, 1.0, 1.5, 2.0, 3.0)
    ]

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for (name, values), line in zip(curves.items(), ("-", "--", "-.", ":"), strict=True):
            under = name == "geometric"  # another curve lies on it
            axes.plot(
                grid, values, line, label=name, linewidth=4 if under else 1.8, alpha=0.5 if under else 1
            )
        axes.set_xlabel("privacy parameter epsilon")
        axes.set_ylabel("probabilistic delta")
        axes.set_title("Answers 0 to 8, neighbours one apart; alpha = 0.7, sigma^2 = 3.38")
        axes.legend()

    return Reproduction(lines=tuple(lines), draw=draw, note=f"Ours: neighbours one apart; {UNSAID}.")


def _figure_8() -> Reproduction:
    places = np.arange(9)

    def best(largest: int, *, symmetric: bool) -> Floats:
        query = residues(9, range(1, largest + 1), symmetric=symmetric)
        matrix: Floats = solved_design(kadam(query, "1")).mechanism.matrix
        return matrix[:, 0]

    noises: Curves = {
        "best, distance 1, one neighbour": best(1, symmetric=False),
        "best, distance 1, both": best(1, symmetric=True),
        "best, all distances": best(8, symmetric=True),
        "geometric, alpha = 0.7": TwoSidedGeometric(rate=-math.log(_ALPHA)).pmf(places),
        "discrete Gaussian, sigma^2 = 3.38": discrete_gaussian(float(_PARAMETER)).pmf(places),
    }
    largest = max(noises[name][0] for name in list(noises)[3:])
    lines = [
        holds(
            "f(0) of the best noise over the largest other, all distances",
            "maximum",
            float(noises["best, all distances"][0] / largest),
            "the hardest set of distances, so it holds for every other",
        ),
        *(unprinted(f"probability of noise 0: {name}", float(noise[0])) for name, noise in noises.items()),
        not_reproducible(
            "expected squared noise (11) of the best noise, distance 1, one neighbour",
            "3.38",
            float(noises["best, distance 1, one neighbour"] @ places**2),
            f"{UNSAID}; no set 1..k gives 3.38",
        ),
    ]

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for (name, noise), style in zip(noises.items(), _STYLES, strict=False):
            axes.plot(places, noise, style, label=name)
        axes.set_xlabel("noise (answers; of the best noise modulo 9)")
        axes.set_ylabel("probability of the noise")
        axes.set_title("epsilon = 1, delta = 0")
        axes.legend()

    return Reproduction(
        lines=tuple(lines), draw=draw, note=f"The best noise is drawn for three sets: {UNSAID}."
    )


_PAPER = "Kadam et al. 2024"
ITEMS = (
    Item(
        name="kadam-fig-6",
        source=f"{_PAPER}, Fig. 6 and (56)",
        title="the effect of clamping on delta",
        compute=_figure_6,
    ),
    Item(
        name="kadam-fig-8",
        source=f"{_PAPER}, Fig. 8",
        title="the best noise beside geometric and Gaussian noise",
        compute=_figure_8,
    ),
)
