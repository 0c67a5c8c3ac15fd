"""Compositions of too many ratios to list: their losses in cells, an upper and a lower bound, both proved.

A pair is a list of atoms (p, q), each the probability of some responses under P and under Q. Each step below
makes ``H(x) = sum of max(0, p - x q)`` larger, or smaller, and with it every product of the pair:

    p larger, q smaller                     H grows                                       up
    p smaller, q larger                     H falls                                       down
    the atoms of a cell added up            H falls: which of them it was is hidden       down
    their sum split between the two ends    H grows: added up, the split atoms are what   up
    of the cell, sums of p and q kept       they stand for

So errors are of second order in the width of a cell, and cells in which all ratios are nearly equal, as those
of geometric noise, lose nothing. Atoms are whole numbers over ``2**_BITS``; doubles only choose the cells.

Source: Doroshenko et al. 2022 (splitting, as "connect the dots"); Koskela et al. 2020 (losses on a grid).
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from flint import fmpq

from optmech.analysis.composition.losses import Losses, product

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from optmech.analysis.composition.losses import Uses
    from optmech.base.arrays import Floats


# A probability of 2**-512, about 1e-154, is the least that is told from none.
_BITS = 512
_ONE = 1 << _BITS
# Doubles know the sum of two losses, each below 360, to 2e-13: a cell reaches further than they say.
_SLACK = 1e-12
# Losses within this of the heaviest have a separate cell.
_CLUSTER = 1e-9
# Probability of the losses that share one wide cell at either end.
_TAIL = 1e-30


class _Atoms(NamedTuple):
    """A pair in whole numbers over `_ONE`, ratios increasing."""

    losses: Floats
    truth: list[int]
    neighbour: list[int]
    over: int
    """Mass under P of ratios that no whole numbers hold; zero in a lower bound."""


class ProductBound(NamedTuple):
    """A pair that a product dominates, or one that dominates it."""

    losses: Losses
    is_listed: bool
    """Whether it is the product itself, each ratio of it listed."""


def product_bound(parts: Sequence[Uses], *, up: bool, cells: int) -> ProductBound:
    """Return the product where its ratios can be listed, else a bound of it, above (`up`) or below."""
    listed = product(parts)
    if listed is not None:
        return ProductBound(listed, is_listed=True)
    return ProductBound(rounded_product(parts, up=up, cells=cells), is_listed=False)


def rounded_product(parts: Sequence[Uses], *, up: bool, cells: int) -> Losses:
    """Return a pair that dominates the product (`up`) or is dominated by it, of about `cells` ratios."""
    certain, largest, atoms = fmpq(1), fmpq(1), _atoms_in_order([(_ONE, _ONE)], 0)
    for losses, uses in parts:
        certain *= (1 - losses.infinite) ** uses
        largest *= max(losses.finite, default=fmpq(1)) ** uses
        atoms = _times(atoms, _power(_start(losses, up=up), uses, up=up, cells=cells), up=up, cells=cells)
    finite: dict[fmpq, fmpq] = {}
    for p, q in zip(atoms.truth, atoms.neighbour, strict=True):
        _add(finite, fmpq(p, q), p)
    if atoms.over:
        # Each product moved an end outward, by less than 2**-30 of it: see `_ratio`.
        excess = fmpq(2**30 + sum(uses for _, uses in parts), 2**30)
        _add(finite, max([excess * largest, *finite]), atoms.over)
    return Losses(1 - certain, finite)


def _add(finite: dict[fmpq, fmpq], ratio: fmpq, mass: int) -> None:
    finite[ratio] = finite.get(ratio, fmpq(0)) + fmpq(mass, _ONE)


def _start(losses: Losses, *, up: bool) -> _Atoms:
    return _atoms_in_order(
        (
            (_whole(mass * _ONE, up=up), _whole(mass / ratio * _ONE, up=not up))
            for ratio, mass in losses.finite.items()
        ),
        0,
    )


def _whole(value: fmpq | Fraction, *, up: bool) -> int:
    top, bottom = value.numerator, value.denominator
    return int(-(-top // bottom) if up else top // bottom)


def _shift(value: int, *, up: bool) -> int:
    return -(-value >> _BITS) if up else value >> _BITS


def _atoms_in_order(pairs: Iterable[tuple[int, int]], over: int) -> _Atoms:
    """Return atoms in order; what has no mass under Q is counted, what has none under P has no part in H."""
    atoms = []
    for p, q in pairs:
        if p and q:
            atoms.append((p, q))
        else:
            over += p
    atoms.sort(key=lambda atom: atom[0] / atom[1])
    losses = np.array([math.log(p / q) for p, q in atoms])
    return _Atoms(losses, [p for p, _ in atoms], [q for _, q in atoms], over)


def _power(atoms: _Atoms, uses: int, *, up: bool, cells: int) -> _Atoms:
    """Return the product of `uses` copies, by squaring."""
    power = None
    while uses:
        if uses % 2:
            power = atoms if power is None else _times(power, atoms, up=up, cells=cells)
        uses //= 2
        if uses:
            atoms = _times(atoms, atoms, up=up, cells=cells)
    return power or _atoms_in_order([(_ONE, _ONE)], 0)


def _times(first: _Atoms, second: _Atoms, *, up: bool, cells: int) -> _Atoms:
    """Return a bound on the product of two pairs, its atoms by cells."""
    over = first.over * (sum(second.truth) + second.over) + sum(first.truth) * second.over
    sums = np.add.outer(first.losses, second.losses)
    pairs: Iterable[tuple[int, int]]
    if sums.size <= cells:
        pairs = (
            (_shift(p * u, up=up), _shift(q * v, up=not up))
            for p, q in zip(first.truth, first.neighbour, strict=True)
            for u, v in zip(second.truth, second.neighbour, strict=True)
        )
    else:
        pairs = _by_cells(first, second, sums, up=up, cells=cells)
    return _atoms_in_order(pairs, _shift(over, up=up))


def _by_cells(
    first: _Atoms, second: _Atoms, sums: Floats, *, up: bool, cells: int
) -> Iterator[tuple[int, int]]:
    masses = np.multiply.outer(_doubles(first.truth), _doubles(second.truth))
    edges = _edges(sums.ravel(), masses.ravel(), cells)
    # In each row of products the cells are runs, so that sums over a run replace most of the products.
    bounds = np.zeros((len(first.losses), len(edges) + 2), dtype=np.int64)
    bounds[:, 1:-1] = np.searchsorted(second.losses, edges - first.losses[:, None])
    bounds[:, -1] = len(second.losses)
    rows, columns = np.nonzero(np.diff(bounds))
    starts, ends = bounds[rows, columns], bounds[rows, columns + 1]
    low, high = np.full(len(edges) + 1, np.inf), np.full(len(edges) + 1, -np.inf)
    np.minimum.at(low, columns, sums[rows, starts])
    np.maximum.at(high, columns, sums[rows, ends - 1])
    truth, neighbour = ([0, *accumulate(side)] for side in (second.truth, second.neighbour))
    p, q = [0] * len(low), [0] * len(low)
    for row, cell, start, end in zip(*(part.tolist() for part in (rows, columns, starts, ends)), strict=True):
        p[cell] += first.truth[row] * (truth[end] - truth[start])
        q[cell] += first.neighbour[row] * (neighbour[end] - neighbour[start])
    for cell in np.unique(columns).tolist():
        mass, other = _shift(p[cell], up=up), _shift(q[cell], up=not up)
        if up:
            yield from _split_atom(mass, other, _ratio(low[cell], -_SLACK), _ratio(high[cell], _SLACK))
        else:
            yield mass, other


def _edges(losses: Floats, masses: Floats, cells: int) -> Floats:
    """Return the ends of cells: equal ones between the tails, with a narrow one around the heaviest of each.

    So a cluster keeps its place beside atoms of next to no mass, which would else spread it over the cell.
    """
    order = np.argsort(losses)
    losses, masses = losses[order], masses[order]
    last = len(order) - 1
    low = losses[min(last, int(np.searchsorted(np.cumsum(masses), _TAIL)))]
    high = losses[last - min(last, int(np.searchsorted(np.cumsum(masses[::-1]), _TAIL)))]
    equal = np.linspace(low, max(low, high), cells // 2 + 1)
    bounds = [0, *np.searchsorted(losses, equal).tolist(), len(losses)]
    heavy = np.array(
        [losses[start + np.argmax(masses[start:end])] for start, end in pairwise(bounds) if start < end]
    )
    return np.sort(np.concatenate([equal, heavy - _CLUSTER, heavy + _CLUSTER]))


def _split_atom(p: int, q: int, low: Fraction, high: Fraction) -> Iterator[tuple[int, int]]:
    """Yield atoms of the ratios `low` and `high` whose sums are p and q, rounded up and down."""
    if p >= high * q:  # by rounding alone: a larger ratio than that of any atom of the cell
        yield p, q
        return
    upper = max(Fraction(0), high * (p - low * q) / (high - low))
    for mass, ratio in ((p - upper, low), (upper, high)):
        yield _whole(mass, up=True), _whole(mass / ratio, up=False)


def _ratio(loss: float, slack: float) -> Fraction:
    """Return ``e^loss``, moved outward by more than the error of doubles."""
    loss_outward = loss + slack * (1 + abs(loss))
    exponent = math.floor(loss_outward / math.log(2))
    return Fraction(2) ** exponent * Fraction(math.exp(loss_outward - exponent * math.log(2)))


def _doubles(numbers: list[int]) -> Floats:
    return np.array([number / _ONE for number in numbers])
