"""The privacy loss of one ordered pair of neighbours, in rationals: its products and dominating pairs.

Let P and Q be two laws of a response, and x stand for ``e^epsilon``. The loss of a response is the logarithm
of the ratio ``P(r) / Q(r)``. All that composition depends on is how much P weighs each ratio:

    H(x) = infinite + sum over ratios r > x of mass[r] (1 - x / r)       the hockey-stick divergence
    ratios of independent releases multiply, and so do their masses      composition

One pair dominates another if its H is nowhere below, for every ``x >= 0``. Then it does so in every product:
there H is mixed with weights that are zero or more. H is the largest of the lines ``A - x B``, where A and B
are the probabilities under P and Q of the responses of ratio above some x. So the largest of several H is
that of one pair again, whose points (B, A) are the upper hull of all of theirs.

Source: Zhu, Dong, Wang 2022 (dominating pairs); Kairouz, Oh, Viswanath 2015 (regions of tests).
"""

from __future__ import annotations

from itertools import accumulate, chain, combinations_with_replacement, pairwise
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

from flint import fmpq

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from flint import fmpz

# Limits of an exact list: ratios, and products of them times the length of the numbers. It takes seconds.
_MOST_ATOMS = 10_000
_MOST_WORK = 800_000
_WORD = 64
_RANK_BITS = 512  # products of e^epsilon and e^-epsilon, each rounded, agree to more than a hundred


class Losses(NamedTuple):
    """The law under P of the ratio ``P(r) / Q(r)``; a ratio of zero has no mass and is left out."""

    infinite: fmpq
    """Probability under P of responses that are impossible under Q."""
    finite: dict[fmpq, fmpq]
    """Probability under P of each ratio."""

    @property
    def largest(self) -> tuple[fmpq, fmpq]:
        """The probability of what has no ratio, then the largest ratio: the worst of pairs has most."""
        return self.infinite, max(self.finite, default=fmpq(1))


Uses = tuple[Losses, int]
"""A pair and how often it is released from."""

Point = tuple[Any, Any]
"""Probabilities under Q and under P of the responses of the largest ratios: rationals, or whole numbers."""


class Atom(NamedTuple):
    """The responses of one ratio ``p / q``, in whole numbers over the sums of both columns."""

    quotient: int
    """The ratio times a power of two, rounded down: other ratios of the two columns have other ones."""
    p: int
    q: int


def in_order(truth: Sequence[int], neighbour: Sequence[int]) -> tuple[int, list[Atom]]:
    """Return what of two columns has no ratio, and each ratio once, the largest first."""
    # Two ratios are at least 1 / (q q') apart: quotients of twice as many bits as q has tell them apart.
    shift, never = 2 * max(neighbour).bit_length(), 0
    sums: dict[int, tuple[int, int]] = {}
    for p, q in zip(truth, neighbour, strict=True):
        if p and q:
            quotient = (p << shift) // q
            before = sums.get(quotient)
            sums[quotient] = (p, q) if before is None else (before[0] + p, before[1] + q)
        elif p:
            never += p
    return never, [Atom(quotient, *sums[quotient]) for quotient in sorted(sums, reverse=True)]


def losses_of(truth: Sequence[int], neighbour: Sequence[int]) -> Losses:
    """Return the losses of two columns of whole numbers, each a law over its own sum."""
    return losses_of_atoms(*in_order(truth, neighbour), sum(truth), sum(neighbour))


def losses_of_atoms(never: int, atoms: Iterable[Atom], total: int, other: int) -> Losses:
    """Return the losses of two columns whose ratios are in order, and whose sums are these."""
    finite = {fmpq(p * other, q * total): fmpq(p, total) for _, p, q in atoms}
    return Losses(fmpq(never, total), finite)


def product(parts: Iterable[Uses]) -> Losses | None:
    """Return the losses of independent releases, or ``None`` where there are too many ratios to list."""
    atoms, infinite, work = [(fmpq(1), fmpq(1))], fmpq(0), 0
    for losses, uses in parts:
        if _is_hopeless(losses, uses):
            return None
        factors = list(losses.finite.items())
        for _ in range(uses):
            bits = (number.q.bit_length() for number in chain(*atoms[:1]))
            length = 1 + max(bits, default=0) // _WORD
            work += len(atoms) * len(factors) * length
            if work > _MOST_WORK or len(atoms) > _MOST_ATOMS:
                return None
            atoms = _multiply(atoms, factors)
            infinite += losses.infinite - infinite * losses.infinite
    return Losses(infinite, dict(atoms))


def envelope(pairs: Iterable[Losses]) -> Losses:
    """Return the pair whose H is the largest of theirs at every x: the least that dominates them all.

    >>> envelope([losses_of([3, 1], [1, 3]), losses_of([1, 9], [0, 10])])
    Losses(infinite=1/10, finite={13/5: 13/20, 1/3: 1/4})
    """
    different = list(pairs)
    if len(different) == 1:
        return different[0]
    points = sorted(chain(*map(_points, different)), key=lambda point: rank(point[0]))
    return _losses_of_hull([(fmpq(q), fmpq(p)) for q, p in _hull(points)])


def envelope_of_columns(pairs: Sequence[tuple[Sequence[int], Sequence[int]]]) -> Losses:
    """Return the least pair that dominates those of columns of whole numbers, each a law over its own sum."""
    totals = {sum(column) for pair in pairs for column in pair}
    if len(totals) > 1:
        return envelope(losses_of(*pair) for pair in pairs)
    (one,) = totals  # so that all points are whole numbers over it
    points: list[Point] = []
    for pair in pairs:
        never, atoms = in_order(*pair)
        sums = accumulate(
            atoms, lambda point, atom: (point[0] + atom.q, point[1] + atom.p), initial=(0, never)
        )
        points.extend(sums)
    return _losses_of_hull([(fmpq(q, one), fmpq(p, one)) for q, p in _hull(sorted(points))])


def rank(number: fmpq) -> tuple[fmpz, fmpq]:
    """Return what numbers, zero or more, are put in order by; long ones are seldom compared themselves."""
    return (number.p << _RANK_BITS) // number.q, number


def _hull(points: Iterable[Point]) -> list[Point]:
    """Return the upper hull of the origin and of points, which are in order."""
    hull: list[Point] = [(0, 0)]
    for q, p in points:
        if p <= hull[-1][1]:
            continue
        while len(hull) > 1 and _is_below(hull[-2], hull[-1], (q, p)):
            hull.pop()
        hull.append((q, p))
    return hull


def _losses_of_hull(hull: list[tuple[fmpq, fmpq]]) -> Losses:
    infinite, finite = fmpq(0), {}
    for (q, p), (next_q, next_p) in pairwise(hull):
        if q == next_q:
            infinite = next_p - p
        else:
            finite[(next_p - p) / (next_q - q)] = next_p - p
    return Losses(infinite, finite)


def is_dominated(losses: Losses, other: Losses) -> bool:
    """Whether H of the first is nowhere above that of the other one."""
    return _is_under(_points(losses), _points(other))


def maximal_pairs(pairs: Sequence[Losses]) -> list[Losses]:
    """Return the pairs whose H is somewhere above that of each other one; no two may be equal."""
    hulls = [_points(losses) for losses in pairs]
    return [
        losses
        for losses, points in zip(pairs, hulls, strict=True)
        if not any(points is not hull and _is_under(points, hull) for hull in hulls)
    ]


def _multiply(first: list[tuple[fmpq, fmpq]], second: list[tuple[fmpq, fmpq]]) -> list[tuple[fmpq, fmpq]]:
    """Return the products of ratios and of masses, each ratio once."""
    # Rationals are looked up as pairs of integers, whose hash needs no inverse modulo a prime.
    products: dict[tuple[fmpz, fmpz], tuple[fmpq, fmpq]] = {}
    for ratio, mass in first:
        for factor, share in second:
            ratio_of_product, mass_of_product = ratio * factor, mass * share
            key = ratio_of_product.p, ratio_of_product.q
            before = products.get(key)
            if before is not None:
                mass_of_product += before[1]
            products[key] = ratio_of_product, mass_of_product
    return list(products.values())


def _is_hopeless(losses: Losses, uses: int) -> bool:
    """Whether ratios have no common products, so that each choice of them is a different ratio."""
    number = len(losses.finite)
    if uses < 2 or comb(number + uses - 1, uses) <= _MOST_ATOMS:  # noqa: PLR2004 - one use multiplies nothing
        return False
    pairs = comb(number + 1, 2)
    return pairs > _MOST_ATOMS or pairs == len(
        {ratio * factor for ratio, factor in combinations_with_replacement(losses.finite, 2)}
    )


def _points(losses: Losses) -> list[Point]:
    """Return (B, A) for the responses of the largest ratios, of the two largest, and so on."""
    q, p = fmpq(0), losses.infinite
    points = [(q, p)]
    for ratio in sorted(losses.finite, key=rank, reverse=True):
        q, p = q + losses.finite[ratio] / ratio, p + losses.finite[ratio]
        points.append((q, p))
    return points


def _is_under(points: list[Point], hull: list[Point]) -> bool:
    corner = 0
    for point in points:
        while corner + 1 < len(hull) and hull[corner + 1][0] <= point[0]:
            corner += 1
        if point[1] > hull[corner][1] and (
            corner + 1 == len(hull) or not _is_below(hull[corner], point, hull[corner + 1])
        ):
            return False
    return True


def _is_below(first: Point, middle: Point, last: Point) -> bool:
    """Whether the middle point lies on or below the line between the others."""
    across, along = middle[0] - first[0], last[0] - first[0]
    return bool((middle[1] - first[1]) * along <= (last[1] - first[1]) * across)
