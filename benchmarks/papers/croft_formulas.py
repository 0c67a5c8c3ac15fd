"""Formulas and definitions of Croft, Sack, Shi 2020 that are wrong as printed, at one point each.

Beside what a formula says as it is printed stands the number it should have said, computed another way: from
the noise that is meant, from the query, or from the optimum of the linear program. The claims of the theorems
and the discussion are in `croft_claims`.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from scipy.stats import laplace

from benchmarks.baselines.staircase_density import StaircaseDensity
from benchmarks.papers.croft_curves import TWICE_NOTE
from benchmarks.papers.croft_properties import boundary_snapping
from benchmarks.papers.digits import misprint
from benchmarks.papers.item import Item, Line, Reproduction, Weight
from benchmarks.papers.utility import expected_loss_after_guess_as_printed
from optmech.analysis.baselines.cells import cell_edges
from optmech.analysis.utility import utility_measures
from optmech.designs.design import solved_design
from optmech.question.problems.croft import croft
from optmech.question.queries import count, extremum, mean
from optmech.question.query import Query

if TYPE_CHECKING:
    from optmech.analysis.baselines.baseline import NoiseDistribution
    from optmech.question.query import Category

__all__ = ["ITEMS"]

_RECORDS, _LARGEST = 10, 4  # the mean query of section 4.3
_INDEX_NOTE = "the text counts rows and columns from 0, Definition 3 from 1: M_{6,6} and M_{5,6}"
_SPACING_NOTE = (
    "1/(k|D|) is printed, 1/|D| is meant: k|D| + 1 answers cover 0..k, and narrower categories leave gaps"
)
# Each step of (20) as printed at least doubles k: beyond this the density is zero in doubles.
_NOTHING_LEFT = 750.0


def _spacing(records: int, largest: int) -> Fraction:
    """Return how far the answers of a mean lie apart, section 4.3, and how wide its categories are."""
    return Fraction(1, largest * records)


def _probability_2(noise: NoiseDistribution, category: Category, truth: Fraction) -> float:
    """Return (2) for additive noise: the integral of its density over a category."""
    ends = (float(category.lower - truth), float(category.upper - truth))
    return float(noise.cdf(ends[1]) - noise.cdf(ends[0]))


def _pairs_against_5(categories: list[Category], *, half_open: bool = False) -> int:
    """Return how many pairs of categories, closed or without their upper ends, have a common point."""
    return sum(
        high.lower < low.upper or (high.lower == low.upper and not half_open)
        for low, high in combinations(categories, 2)
    )


def _denominator_22(truth: float, ends: tuple[float, float], scale: float, *, sign: float = 1.0) -> float:
    """Return the denominator of (22) for ``scale = 2 Delta / epsilon``; `sign`: of its last power."""
    lower, upper = ends
    return 2 - math.exp(-(truth - lower) / scale) - math.exp(sign * (upper - truth) / scale)


def _values_20(noise: StaircaseDensity, place: float, shrunk: float = 0.0) -> set[float]:
    """Return every value that (20) gives the density at `place`, f(D) being 0.

    As printed: closed intervals, and ``Stair(x - k Delta)`` in the third case, in which x keeps its sign.
    """
    distance, width = abs(place), noise.delta_f
    split = width / (1 + math.exp(noise.epsilon / 2))
    if shrunk > _NOTHING_LEFT:
        return {0.0}
    values = set()
    if distance <= split:
        values.add(noise.height * math.exp(-shrunk))
    if split <= distance <= width:
        values.add(noise.height * math.exp(-shrunk - noise.epsilon))
    for k in range(1, math.ceil(distance / width) + 1):  # k = 0 gives back what it was given
        if k * width <= distance <= (k + 1) * width:
            values |= _values_20(noise, place - k * width, shrunk + k * noise.epsilon)
    return values


def _definitions() -> list[Line]:
    query = mean(_RECORDS, _LARGEST)
    apart = float(query.truths[1] - query.truths[0])
    sensitivity = float(Fraction(_LARGEST, _RECORDS))
    step = _spacing(_RECORDS, _LARGEST)
    noise = laplace(scale=sensitivity)  # epsilon = 1
    printed_cells = [(truth - step / 2, truth + step / 2) for truth in query.truths]
    snapped = boundary_snapping(Query(query.truths, printed_cells, _LARGEST), noise.cdf, noise.sf)
    table_3 = solved_design(croft(count(5), "0.5")).mechanism
    singletons = [_probability_2(laplace(loc=0, scale=2), one, Fraction(2)) for one in count(5).responses]
    edges = [float(edge) for edge in cell_edges(extremum(1, 5))]
    cells = list(Query(range(1, 6), list(pairwise(edges)), 4).responses)
    return [
        misprint(
            "Definition 2 in section 4.3: lower end of the first category, max over 0..9",
            "at least 0",
            float(cell_edges(extremum(0, 9))[0]),
            "categories centred on the answers reach half a step beyond the range; r_l <= r_1^l forbids it",
            Weight.SLIP,
        ),
        misprint(
            "(2) for R = F: sum over the responses of a count 0..5 at the truth 2, epsilon = 0.5",
            f"{sum(singletons):.6g}",
            float(table_3.matrix[:, 2].sum()),
            "an integral over a single number is 0; for such categories the noise must be discrete",
            Weight.SLIP,
        ),
        misprint(
            "(5): pairs of neighbouring categories of Table 1 that have a point in common",
            "0",
            float(_pairs_against_5(cells)),
            "both ends of a category belong to it, (12) and (13); half-open ones are meant",
            Weight.SLIP,
        ),
        misprint(
            "section 3.4: M_{5,5} of Table 3, by the indices of Definition 3",
            "0",
            float(table_3.matrix[5 - 1, 5 - 1]),
            _INDEX_NOTE,
            Weight.SLIP,
        ),
        misprint(
            "section 3.4: M_{4,5} of Table 3, by the indices of Definition 3",
            "0.771",
            float(table_3.matrix[4 - 1, 5 - 1]),
            _INDEX_NOTE,
            Weight.SLIP,
        ),
        misprint(
            "section 4.3: distance between neighbouring answers of the mean of 10 records 0..4",
            f"{float(step):.6g}",
            apart,
            _SPACING_NOTE,
            Weight.FORMULA,
        ),
        misprint(
            "section 4.3: least sum of a column of snapped Laplace noise, that mean, epsilon = 1",
            "1",
            float(snapped.sum(axis=0).min()),
            _SPACING_NOTE,
            Weight.FORMULA,
        ),
    ]


def _mechanisms() -> list[Line]:
    ends, sensitivity = (1.0, 5.0), 4.0
    scale = 2 * sensitivity  # of (22) at epsilon = 1
    stair = StaircaseDensity(epsilon=1.0, delta_f=1.0)
    edge, left = stair.gamma, -1.5
    table_3 = solved_design(croft(count(5), "0.5")).mechanism
    lines = [
        misprint(
            "(20): density at f(D) - 1.5 Delta, epsilon = 1, Delta = 1",
            f"{max(_values_20(stair, left)):.6g}",
            float(stair.pdf(left)),
            "left of f(D), x - k Delta runs away from it and no case ends; |f(D) - x| - k Delta is meant",
            Weight.FORMULA,
        ),
        misprint(
            "(20): largest density at the distance Delta / (1 + e^(epsilon/2)), epsilon = 1, Delta = 1",
            f"{max(_values_20(stair, edge)):.6g}",
            float(stair.pdf(edge)),
            "the first two cases both hold there and differ by e^epsilon; half-open intervals are meant",
            Weight.SLIP,
        ),
    ]
    lines += [
        misprint(
            f"(22): denominator at f(D) = {truth:g}, range 1..5, Delta = 4, epsilon = 1",
            f"{_denominator_22(truth, ends, scale):.6g}",
            2 * float(laplace.cdf(ends[1], truth, scale) - laplace.cdf(ends[0], truth, scale)),
            "it is twice the mass of the noise in range: the second exponent lacks its minus sign",
            Weight.FORMULA,
        )
        for truth in (1.0, 3.0)
    ]
    lines.append(
        misprint(
            "(26): squared error after post-processing, Variant 1, count 0..5, epsilon = 0.5",
            f"{expected_loss_after_guess_as_printed(table_3, 'squared'):.6g}",
            utility_measures(table_3).squared_error_after_guess,
            TWICE_NOTE,
            Weight.FORMULA,
        )
    )
    return lines


ITEMS = (
    Item(
        name="croft-formulas",
        source="Croft et al. 2020",
        title="formulas and definitions that are wrong as printed",
        compute=lambda: Reproduction(
            lines=(*_definitions(), *_mechanisms()),
            note="Printed: what the formula gives as printed, or the claim. Computed: what is true there.",
        ),
    ),
)
