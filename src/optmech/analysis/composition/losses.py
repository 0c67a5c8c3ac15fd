"""The privacy loss of one ordered pair of neighbours, in rationals: products of it, and what dominates it.

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

from itertools import combinations_with_replacement, pairwise
from math import comb
from typing import TYPE_CHECKING, NamedTuple

from flint import fmpq

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from flint import fmpz

# What is listed exactly: ratios, and products of them times the length of the numbers. It takes seconds.
_MOST_ATOMS = 10_000
_MOST_WORK = 800_000
_WORD = 64


class Losses(NamedTuple):
    """The law under P of the ratio ``P(r) / Q(r)``; a ratio of zero has no mass and is left out."""

    infinite: fmpq
    """Probability under P of responses that are impossible under Q."""
    finite: dict[fmpq, fmpq]
    """Probability under P of each ratio."""


Uses = tuple[Losses, int]
"""A pair and how often it is released from."""


def losses_of(truth: Sequence[int], neighbour: Sequence[int]) -> Losses:
    """Return the losses of two columns of whole numbers, each a law over its own sum."""
    total, other = sum(truth), sum(neighbour)
    infinite, finite = fmpq(0), dict[fmpq, fmpq]()
    for p, q in zip(truth, neighbour, strict=True):
        if p and q:
            ratio = fmpq(p * other, q * total)
            finite[ratio] = finite.get(ratio, 0) + fmpq(p, total)
        elif p:
            infinite += fmpq(p, total)
    return Losses(infinite, finite)


def product(parts: Iterable[Uses]) -> Losses | None:
    """Return the losses of independent releases, or ``None`` where there are too many ratios to list."""
    atoms, infinite, work = [(fmpq(1), fmpq(1))], fmpq(0), 0
    for losses, uses in parts:
        if _is_hopeless(losses, uses):
            return None
        factors = list(losses.finite.items())
        for _ in range(uses):
            length = 1 + max((mass.q.bit_length() for _, mass in atoms[:1]), default=0) // _WORD
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
    hull = [(fmpq(0), fmpq(0))]
    for q, p in sorted(point for losses in pairs for point in _points(losses)):
        if p <= hull[-1][1]:
            continue
        while len(hull) > 1 and _is_below(hull[-2], hull[-1], (q, p)):
            hull.pop()
        hull.append((q, p))
    infinite, finite = fmpq(0), {}
    for (q, p), (next_q, next_p) in pairwise(hull):
        if q == next_q:
            infinite = next_p - p
        else:
            finite[(next_p - p) / (next_q - q)] = next_p - p
    return Losses(infinite, finite)


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
    masses: dict[tuple[fmpz, fmpz], fmpq] = {}
    for ratio, mass in first:
        for factor, share in second:
            ratio_of_product = ratio * factor
            key = ratio_of_product.p, ratio_of_product.q
            before = masses.get(key)
            masses[key] = mass * share if before is None else before + mass * share
    return [(fmpq(*key), mass) for key, mass in masses.items()]


def _is_hopeless(losses: Losses, uses: int) -> bool:
    """Whether ratios have no common products, so that each choice of them is a ratio of its own."""
    number = len(losses.finite)
    if uses < 2 or comb(number + uses - 1, uses) <= _MOST_ATOMS:  # noqa: PLR2004 - one use multiplies nothing
        return False
    pairs = comb(number + 1, 2)
    return pairs > _MOST_ATOMS or pairs == len(
        {ratio * factor for ratio, factor in combinations_with_replacement(losses.finite, 2)}
    )


def _points(losses: Losses) -> list[tuple[fmpq, fmpq]]:
    """Return (B, A) for the responses of the largest ratios, of the two largest, and so on."""
    q, p = fmpq(0), losses.infinite
    points = [(q, p)]
    for ratio in sorted(losses.finite, reverse=True):
        q, p = q + losses.finite[ratio] / ratio, p + losses.finite[ratio]
        points.append((q, p))
    return points


def _is_under(points: list[tuple[fmpq, fmpq]], hull: list[tuple[fmpq, fmpq]]) -> bool:
    corner = 0
    for point in points:
        while corner + 1 < len(hull) and hull[corner + 1][0] <= point[0]:
            corner += 1
        if point[1] > hull[corner][1] and (
            corner + 1 == len(hull) or not _is_below(hull[corner], point, hull[corner + 1])
        ):
            return False
    return True


def _is_below(first: tuple[fmpq, fmpq], middle: tuple[fmpq, fmpq], last: tuple[fmpq, fmpq]) -> bool:
    """Whether the middle point lies on or below the line between the others."""
    across, along = middle[0] - first[0], last[0] - first[0]
    return bool((middle[1] - first[1]) * along <= (last[1] - first[1]) * across)
