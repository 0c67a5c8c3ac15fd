"""Bellet, Privacy preserving machine learning, lecture 2: worked numbers, and theorems at one point each.

Neighbours add or remove a record. A bound of the slides stands as "at most"; a bound that is
exceeded is a misprint, and the corrected one stands on the next line. The formulas are in
`benchmarks.papers.classical`.
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.papers import classical
from benchmarks.papers.digits import holds, misprint, unprinted
from benchmarks.papers.item import Item, Reproduction, Weight
from optmech.theorems.counting import truncated_geometric

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["ITEMS"]

_HAIR_COUNTS = 8  # of the table on the slide: two genders, four colours


def _laplace() -> Reproduction:
    sensitivity, epsilon, tail, answers = 2.0, 0.5, 3.0, 5
    scale = classical.laplace_scale(sensitivity, epsilon)
    names, beta = 10_000, 0.05
    bound = classical.laplace_linf_bound(names, beta, 1.0, 1.0)
    exceeded = classical.laplace_linf_failure(12.0, names, 1.0, 1.0)
    # The counts of a blond man, another man, a blond woman, another woman among males, among blond people.
    males, blond = [1, 1, 0, 0], [1, 0, 1, 0]
    return Reproduction(
        lines=(
            holds("e^epsilon at epsilon = 1, a good guarantee", "2.7", exp(1.0)),
            holds("e^epsilon at epsilon = 0.1, a very strong guarantee", "1.1", exp(0.1)),
            unprinted("sensitivity of the number of blond people", classical.l1_sensitivity([blond])),
            unprinted(
                "sensitivity of the numbers of males and of blond people",
                classical.l1_sensitivity([males, blond]),
            ),
            holds(
                "sensitivity of a histogram, here of four hair colours",
                "1",
                classical.l1_sensitivity(np.eye(4)),
            ),
            holds("E|Y| of Laplace noise, Delta = 2, epsilon = 0.5", "b = 4", scale),
            holds("E Y^2 of it", "2 b^2 = 32", 2 * scale**2),
            holds(
                "P(|Y| > 3 b)",
                "at most e^-3",
                classical.laplace_linf_failure(tail * scale, 1, sensitivity, epsilon),
                "with equality for every t",
            ),
            holds(
                "expected l_1 error of 5 answers",
                "K Delta/eps = 20",
                classical.laplace_l1_error(answers, sensitivity, epsilon),
            ),
            holds("ln(10000/0.05), error of 10,000 first names", "about 12", bound),
            holds(
                "probability that a name is off by that bound or more",
                "at most 0.05",
                classical.laplace_linf_failure(bound, names, 1.0, 1.0),
            ),
            unprinted(
                "probability that a name is off by 12 or more",
                exceeded,
                "the slide says that 12 is rounded",
            ),
            unprinted(
                "the error that is exceeded with probability 0.05 exactly",
                classical.laplace_linf_quantile(names, beta, 1.0, 1.0),
            ),
        ),
        note="The formulas are the lecture's; numbers put into them, where it has none, are ours.",
    )


def _gaussian() -> Reproduction:
    lines = []
    for epsilon in (0.1, 0.5, 1.0):
        sigma = classical.gaussian_sigma(1.0, epsilon, 1e-5)
        where = f"epsilon = {epsilon:g}, delta = 1e-5"
        lines += [
            holds(
                f"least delta of the slide's sigma = {sigma:.6g}, {where}",
                "at most 1e-5",
                classical.gaussian_delta(sigma, epsilon),
            ),
            unprinted(f"the least sigma, {where}", classical.gaussian_sigma_analytic(1.0, epsilon, 1e-5)),
        ]
    for delta in (0.1, 0.01, 1e-5, 1e-6, 1e-10):
        epsilon = 10.0
        sigma = classical.gaussian_sigma(1.0, epsilon, delta)
        limit = classical.gaussian_classical_limit(delta)
        lines += [
            misprint(
                f"least delta of the slide's sigma at epsilon = 10, delta = {delta:g}",
                f"at most {delta:g}",
                classical.gaussian_delta(sigma, epsilon),
                "stated for every epsilon > 0; Dwork and Roth, whose proof is sketched, have epsilon below 1",
                Weight.THEOREM,
            ),
            unprinted(f"the epsilon up to which that sigma is enough, delta = {delta:g}", limit),
        ]
    beta, delta = 0.05, 1e-5
    sigma = classical.gaussian_sigma(1.0, 1.0, delta)
    for answers in (1, 1000):
        printed, correct = (
            classical.gaussian_linf_failure(
                classical.gaussian_linf_bound(answers, beta, 1.0, 1.0, delta, as_printed=as_printed),
                answers,
                sigma,
            )
            for as_printed in (True, False)
        )
        what = f"l_inf error of K = {answers} answers, beta = 0.05"
        lines += [
            misprint(
                f"probability of exceeding the slide's bound on the {what}",
                "at most 0.05",
                printed,
                "a factor sqrt(2) is missing, from the Gaussian tail bound",
                Weight.FORMULA,
            ),
            unprinted(f"probability of exceeding sqrt(2) times that bound, {what}", correct),
        ]
    one, other = np.array([0.5, 0.5]), np.array([0.51, 0.49])
    lines += [
        unprinted(
            "delta of the pair (.5, .5), (.51, .49) at epsilon = 0", classical.hockey_stick(one, other, 0.0)
        ),
        misprint(
            "probability that its privacy loss exceeds 0",
            "at most 0.01",
            float(one[one != other].sum()),
            "a common reading of (epsilon, delta) that does not hold; the slide points to Meiser 2018 for it",
            Weight.THEOREM,
        ),
    ]
    return Reproduction(
        lines=tuple(lines),
        draw=_draw_gaussian,
        note="The slides have no figure of this: drawn is delta as claimed and as it is.",
    )


def _draw_gaussian(figure: Figure) -> None:
    axes = figure.subplots()
    epsilons = np.geomspace(0.1, 20, 200)
    styles = ((0.1, "-"), (0.01, "--"), (1e-5, "-."), (1e-10, ":"))
    for delta, style in styles:
        spent = [
            classical.gaussian_delta(classical.gaussian_sigma(1.0, e, delta), e) / delta for e in epsilons
        ]
        axes.plot(epsilons, spent, style, label=f"claimed delta = {delta:g}")
    axes.axhline(1.0, color="black", linewidth=0.8)
    axes.text(0.1, 1.3, "above this line the claim is false")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(1e-5, 1e3)
    axes.set_xlabel("privacy parameter epsilon")
    axes.set_ylabel("true delta / claimed delta")
    axes.set_title("Gaussian noise with sigma = sqrt(2 ln(1.25/delta)) Delta/epsilon")
    axes.legend()


def _composition() -> Reproduction:
    first, second, largest = 0.3, 0.7, 8
    tight = max(_loss(largest, epsilon, 1) for epsilon in (first, second))
    both = _loss(largest, first, 1) + _loss(largest, second, 1)
    moved = classical.parallel_composition([(first, 0.0), (second, 0.0)], replace=True)[0]
    parts = [(1.0, 0.0)] * _HAIR_COUNTS
    sigma, epsilon = 3.0, 0.5
    delta = classical.gaussian_delta(sigma, epsilon)
    lines = [
        holds(
            "epsilon of both of two counts, 0.3 and 0.7",
            "0.3 + 0.7 = 1",
            both,
            "two geometric counts attain it",
        ),
        holds(
            "epsilon of two counts of different people, 0.3 and 0.7",
            "max = 0.7",
            tight,
            "where neighbours add or remove a record, as in this lecture",
        ),
        unprinted(
            "the same where neighbours replace a record",
            moved,
            "a record leaves one part and enters another: the two largest add up",
        ),
        holds(
            "epsilon of the 8 counts by gender and hair, each 1",
            "1",
            classical.parallel_composition(parts)[0],
        ),
        holds("epsilon of 8 counts of the same people, each 1", "8", classical.simple_composition(parts)[0]),
        holds(
            "epsilon of a geometric count, 0.3 each, for a group of 3",
            "3 x 0.3 = 0.9",
            _loss(largest, first, 3),
        ),
    ]
    for size in (2, 3, 5):
        what = f"a group of {size}, Gaussian noise, sigma = 3, epsilon = 0.5"
        slide = classical.group_delta(size, epsilon, delta, as_printed=True)
        lines += [
            holds(
                f"delta of {what}",
                f"at most {slide:.4g}",
                classical.gaussian_delta(sigma, size * epsilon, float(size)),
                "valid, but loose",
            ),
            unprinted(
                f"delta (e^(K eps) - 1)/(e^eps - 1) of {what}", classical.group_delta(size, epsilon, delta)
            ),
        ]
    return Reproduction(lines=tuple(lines))


def _loss(largest: int, epsilon: float, distance: int) -> float:
    """Return the largest privacy loss of a truncated geometric count between truths `distance` apart."""
    logs = np.log(truncated_geometric(largest, epsilon))
    return float(np.abs(logs[:, distance:] - logs[:, :-distance]).max())


def _integers() -> Reproduction:
    matrix = truncated_geometric(5, 0.5)
    grid = np.arange(6.0)
    error = float((matrix * np.abs(grid[:, None] - grid)).sum() / len(grid))
    lines = [
        unprinted("mean error of the truncated geometric on 0..5, epsilon = 0.5, uniform prior", error),
        unprinted("mean error of the untruncated geometric, epsilon = 0.5", classical.geometric_error(0.5)),
    ]
    for epsilon, delta in ((1.0, 0.01), (0.5, 0.01), (1.0, 1e-4)):
        where = f"epsilon = {epsilon:g}, delta = {delta:g}"
        usual = classical.binomial_trials(epsilon, delta)
        lines += [
            unprinted(f"delta of the binomial with 64 ln(2/delta)/epsilon^2 = {usual} coins, {where}",
                  classical.binomial_delta(usual, epsilon)),
            unprinted(f"the least number of coins, {where}", classical.binomial_least_trials(epsilon, delta)),
        ]  # fmt: skip
    for variance in (0.25, 1.0, 4.0):
        support, mass = classical.discrete_gaussian(variance)
        what = f"the discrete Gaussian with parameter sigma^2 = {variance:g}"
        lines += [
            unprinted(f"variance of {what}", float((mass * support**2).sum())),
            unprinted(f"delta at epsilon = 1 of {what}", classical.discrete_gaussian_delta(variance, 1.0)),
        ]
    return Reproduction(
        lines=tuple(lines), note="The slides name these mechanisms for counts and print no number of them."
    )


_LECTURE = "Bellet, lecture 2"
ITEMS = (
    Item(
        name="bellet-laplace",
        source=f"{_LECTURE}, Laplace mechanism",
        title="Laplace noise: error, its tail, and the 10,000 first names",
        compute=_laplace,
    ),
    Item(
        name="bellet-gaussian",
        source=f"{_LECTURE}, Gaussian mechanism",
        title="Gaussian noise: the delta it truly has, and its largest error",
        compute=_gaussian,
    ),
    Item(
        name="bellet-composition",
        source=f"{_LECTURE}, properties of DP",
        title="composition in sequence and in parallel, and groups",
        compute=_composition,
    ),
    Item(
        name="bellet-integers",
        source=f"{_LECTURE}, bounded integer queries",
        title="truncated geometric, binomial and discrete Gaussian noise",
        compute=_integers,
    ),
)
