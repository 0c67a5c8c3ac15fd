"""Bellet, lecture 2: global l_2 sensitivity by its definition, and that post-processing keeps privacy.

The sensitivities are largest distances over all pairs of small data sets, one record apart, by enumeration.
The proof of the theorem on post-processing is on the slide; here random laws and random maps, in rational
numbers, do not contradict it, and what it says of rounding and clamping is seen on Gaussian noise.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement
from math import ceil, exp
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import norm

from benchmarks.papers import classical
from benchmarks.papers.digits import holds, unprinted
from benchmarks.papers.item import Item, Reproduction
from benchmarks.papers.rational_laws import excess, pairs, post_process, random_answers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.papers.item import Line

__all__ = ["ITEMS"]

_RECORDS = 3  # data sets of up to so many are enumerated
_NUMBER, _COUNT = 2000, 60
# The counts of a blond man, another man, a blond woman, another woman in each query of the slide.
_MALES, _BLOND = (1, 1, 0, 0), (1, 0, 1, 0)
_QUERIES = {
    "the number of blond people": (_BLOND,),
    "the numbers of males and of blond people": (_MALES, _BLOND),
    "a histogram, here of four hair colours": ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)),
}


def _enumerated(tallies: Sequence[Sequence[int]], norm_order: int) -> float:
    """Return the largest distance of the answers on data sets D and D', D' having one record more."""
    adds = np.array(tallies)
    return max(
        float(
            np.linalg.norm(
                adds[:, [*records, more]].sum(axis=1) - adds[:, [*records]].sum(axis=1), norm_order
            )
        )
        for size in range(_RECORDS + 1)
        for records in combinations_with_replacement(range(adds.shape[1]), size)
        for more in range(adds.shape[1])
    )


def _sensitivity() -> Reproduction:
    lines: list[Line] = []
    for what, tallies in _QUERIES.items():
        first, second = _enumerated(tallies, 1), _enumerated(tallies, 2)
        lines += [
            unprinted(f"Delta_2 of {what}", second),
            holds(
                f"Delta_2 of {what}, less the closed form",
                "max ||f(D) - f(D')||_2",
                second - classical.l2_sensitivity(tallies),
            ),
            unprinted(f"Delta_2 over Delta_1 of {what}", second / first, "never above 1"),
        ]
    epsilon, delta = 0.5, 1e-5
    both = classical.l2_sensitivity((_MALES, _BLOND))
    sigma = classical.gaussian_sigma(both, epsilon, delta)
    lines += [
        holds(
            "delta of Gaussian noise scaled to Delta_2 on the males and the blond, epsilon = 0.5",
            "at most 1e-5",
            classical.gaussian_delta(sigma, epsilon, both),
        ),
        unprinted(
            "sigma scaled to Delta_2 over sigma scaled to Delta_1 there",
            sigma / classical.gaussian_sigma(classical.l1_sensitivity((_MALES, _BLOND)), epsilon, delta),
        ),
    ]
    return Reproduction(
        lines=tuple(lines),
        note=f"Neighbours add or remove a record; data sets of up to {_RECORDS} records are enumerated. The "
        "slides define Delta_2 and print no number of it.",
    )


def _post_processing() -> Reproduction:
    raised, largest = 0, Fraction(0)
    for pair, factor, source in pairs(_NUMBER, seed=4):
        before = excess(pair, factor)
        after = excess(post_process(pair, random_answers(len(pair.first), source)), factor)
        raised += after > before
        largest = max(largest, after / before if before else Fraction(0))
    epsilon, delta = 0.5, 1e-5
    sigma = classical.gaussian_sigma(1.0, epsilon, delta)
    return Reproduction(
        lines=(
            holds(
                f"random pairs of laws, of {_NUMBER}, whose delta a random map raises",
                "0",
                float(raised),
                "rational numbers; the slide has the proof",
            ),
            holds("delta after such a map over delta before, at most", "at most 1", float(largest)),
            holds(
                "delta of Gaussian noise after rounding over before, counts 60 and 61, epsilon = 0.5",
                "at most 1",
                _rounded(sigma, epsilon, ceil(40 * sigma)) / classical.gaussian_delta(sigma, epsilon),
            ),
            holds(
                "the same after rounding and clamping to 0..121",
                "at most 1",
                _rounded(sigma, epsilon, _COUNT) / classical.gaussian_delta(sigma, epsilon),
            ),
        ),
        note="The map must not look at the data. sigma is the slide's at epsilon = 0.5, delta = 1e-5.",
    )


def _rounded(sigma: float, epsilon: float, reach: int) -> float:
    """Return the delta of the counts 60 and 61, rounded and clamped to 60 - reach .. 61 + reach."""
    edges = np.arange(_COUNT - reach, _COUNT + 1 + reach) + 0.5
    first, second = (
        np.diff(norm.cdf(edges, count, sigma), prepend=0.0, append=1.0) for count in (_COUNT, _COUNT + 1)
    )
    return float(np.maximum(first - exp(epsilon) * second, 0.0).sum())


ITEMS = (
    Item(
        name="bellet-sensitivity",
        source="Bellet, lecture 2, global l_2 sensitivity",
        title="l_2 sensitivity of the queries on the slides, and what Gaussian noise gains",
        compute=_sensitivity,
    ),
    Item(
        name="bellet-postprocessing",
        source="Bellet, lecture 2, theorem on post-processing",
        title="no map of the response raises delta",
        compute=_post_processing,
    ),
)
