"""Distributions of finite mechanisms by their closed forms, in balls.

Formulas
--------
    geometric     P(x) = (1 - a) / (1 + a) a^|x|;  kept in l..u, the tails stand at the ends
    exponential   P(i) ~ exp(x_i / scale)
    permute-and-flip   candidates in a random order, each taken with probability exp((x_i - max x) / scale)
    discrete Gaussian  P(x) ~ exp(-x^2 / (2 sigma^2)) on the whole numbers

Source: Ghosh, Roughgarden, Sundararajan 2009 (geometric); McSherry, Talwar 2007 (exponential); McKenna,
Sheldon 2020 (permute-and-flip; exponential noise on the scores is the same by Ding et al. 2021); Canonne,
Kamath, Steinke 2020 (discrete Gaussian).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from typing import TYPE_CHECKING, Any

from flint import arb

from benchmarks.audit.library.law import exact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.audit.library.law import Distribution

# Noise further than this many sigmas has a mass below 1e-40.
_SIGMAS = 14

Scores = tuple[int, ...]
"""A score for each candidate."""


def scores(candidates: int, largest: int) -> list[Scores]:
    """Return all vectors of whole scores from 0 on."""
    return list(product(range(largest + 1), repeat=candidates))


def near(inputs: Sequence[Scores], *, monotonic: bool) -> list[tuple[Scores, Scores]]:
    """Return the pairs of scores of which each differs by at most 1; if monotonic, all in one direction."""
    pairs = []
    for first, second in product(inputs, repeat=2):
        differences = {a - b for a, b in zip(first, second, strict=True)}
        allowed = ({0, 1}, {0, -1}) if monotonic else ({-1, 0, 1},)
        if first != second and any(differences <= some for some in allowed):
            pairs.append((first, second))
    return pairs


def decay(scale: Fraction | float) -> arb:
    """Return ``exp(-1 / scale)``."""
    return (-arb(exact(1 / Fraction(scale)))).exp()


def geometric_in_range(a: arb, lower: int, upper: int, truth: int) -> Distribution:
    """Return two-sided geometric noise on a truth, what falls outside moved to the nearer end."""
    masses = {out: (1 - a) / (1 + a) * a ** abs(out - truth) for out in range(lower + 1, upper)}
    return {lower: a ** (truth - lower) / (1 + a), **masses, upper: a ** (upper - truth) / (1 + a)}


def exponential(values: Scores, scale: Fraction | float) -> Distribution:
    """Return the exponential mechanism on scores; Gumbel noise and the largest is the same."""
    rate = 1 / Fraction(scale)
    weights = [arb(exact(rate * value)).exp() for value in values]
    total = sum(weights, arb(0))
    return {index: weight / total for index, weight in enumerate(weights)}


def permute_and_flip(values: Scores, scale: Fraction | float, count: int = 1) -> Distribution:
    """Return the first `count` candidates of permute-and-flip, each without those before."""
    found: dict[Any, arb] = {}
    for chosen in permutations(range(len(values)), count):
        mass, left = arb(1), list(range(len(values)))
        for index in chosen:
            mass *= _flipped(values, left, index, scale)
            left.remove(index)
        found[chosen] = mass
    return found


def _flipped(values: Scores, left: list[int], index: int, scale: Fraction | float) -> arb:
    """Return the probability that one of the candidates that are left is taken."""
    best = max(values[other] for other in left)
    heads = {other: arb(exact((values[other] - best) / Fraction(scale))).exp() for other in left}
    total, orders = arb(0), list(permutations(left))
    for order in orders:
        mass = heads[index]
        for other in order[: order.index(index)]:
            mass *= 1 - heads[other]
        total += mass
    return total / len(orders)


def gaussian_noise(sigma: Fraction | float, reach: int | None = None) -> tuple[Distribution, arb]:
    """Return discrete Gaussian noise, and the mass that is not listed: none where its reach is given."""
    variance = Fraction(sigma) ** 2
    last = reach if reach is not None else int(_SIGMAS * Fraction(sigma)) + 2
    weights = {x: arb(exact(-(Fraction(x) ** 2) / (2 * variance))).exp() for x in range(-last, last + 1)}
    total = sum(weights.values(), arb(0))
    if reach is not None:
        return {x: weight / total for x, weight in weights.items()}, arb(0)
    # Beyond `last` each weight is at most exp(-last / variance) of the one before.
    ratio = arb(exact(-Fraction(last) / variance)).exp()
    tail = 2 * weights[last] * ratio / (1 - ratio)
    total += tail.union(arb(0))
    return {x: weight / total for x, weight in weights.items()}, tail / total
