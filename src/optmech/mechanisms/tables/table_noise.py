"""The noise of a whole table, as plain exact numbers: descriptions, without draws and without proofs.

P_A projects a table onto its interaction A: sums over an axis of A are zero, and along the other axes all
numbers are equal.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING

from optmech.base.errors import broken_rule
from optmech.proofs.tables.geometric import interactions
from optmech.question.tables.margins import Axes, Margins, need_sizes, subsets

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Axes", "LatticeNoise", "MarginNoise", "NormalMargins", "TableNoise", "subsets"]

_MOST_BITS = 64


@dataclass(frozen=True, slots=True)
class LatticeNoise:
    """Whole-number tables z with probability in proportion to exp(-z'S^-1 z / 2), S = sum_A s_A P_A.

    Attributes
    ----------
    sizes : tuple of int
        The number of categories of each axis, at least 2. No axes at all: one number.
    variances : mapping of frozenset to Fraction
        s_A, positive, for every interaction A: 2^k of them for k axes.

    Examples
    --------
    >>> LatticeNoise((), {frozenset(): Fraction(5)}).variances[frozenset()]
    Fraction(5, 1)
    """

    sizes: tuple[int, ...]
    variances: Mapping[Axes, Fraction] = field(hash=False)

    def __post_init__(self) -> None:
        need_sizes(self.sizes)
        variances = {axes: Fraction(value) for axes, value in self.variances.items()}
        if variances.keys() != set(subsets(frozenset(range(len(self.sizes))))):
            raise broken_rule("variances", "have one number for every interaction", len(variances))
        if min(variances.values()) <= 0:
            raise broken_rule("variances", "be positive", min(variances.values()))
        object.__setattr__(self, "variances", MappingProxyType(variances))


@dataclass(frozen=True, slots=True)
class MarginNoise:
    """Two-sided geometric noise on each number of each asked margin, least squares, and rounding with coins.

    A number of margin S has noise z with probability in proportion to a_S^|z|. The table of least squares is
    sum_A P_A sum_(S containing A) 2^-bits c[A, S] lift(y_S) / out_S, where out_S cells add up to one number
    of S. Interactions that no asked margin contains are zero. Rounding goes cell by cell, up with the
    probability of the fraction.

    Attributes
    ----------
    sizes : tuple of int
        The number of categories of each axis, at least 2. No axes at all: one number.
    ratios : mapping of frozenset to Fraction
        a_S, between 0 and 1, for each asked margin S.
    weights : mapping of (frozenset, frozenset) to int
        c[A, S] for each asked margin S and each A in it; for each A they add up to 2^bits.
    bits : int
        Zero or more.

    Examples
    --------
    >>> total = frozenset()
    >>> MarginNoise((), {total: Fraction(1, 3)}, {(total, total): 1}, 0).ratios[total]
    Fraction(1, 3)
    """

    sizes: tuple[int, ...]
    ratios: Mapping[Axes, Fraction] = field(hash=False)
    weights: Mapping[tuple[Axes, Axes], int] = field(hash=False)
    bits: int

    def __post_init__(self) -> None:
        ratios = {axes: Fraction(value) for axes, value in self.ratios.items()}
        if not ratios or not all(0 < value < 1 for value in ratios.values()):
            raise broken_rule("ratios", "be between 0 and 1, for one margin or more", len(ratios))
        weights = _checked_weights(self.sizes, ratios, self.weights, self.bits)
        object.__setattr__(self, "ratios", MappingProxyType(ratios))
        object.__setattr__(self, "weights", weights)

    @property
    def spreads(self) -> dict[Axes, Fraction]:
        """The variance of one noisy number of each asked margin."""
        return {margin: 2 * ratio / (1 - ratio) ** 2 for margin, ratio in self.ratios.items()}

    @property
    def variances(self) -> dict[Axes, Fraction]:
        """s_A of the table of least squares, before it is rounded."""
        return interactions(Margins(self.sizes), self.spreads, self.weights, self.bits)


@dataclass(frozen=True, slots=True)
class NormalMargins:
    """Whole-number normal noise on each number of each asked margin, for which lattice noise is too small.

    A number of margin S has noise z with probability in proportion to exp(-z^2 / 2 s_S). Least squares and
    rounding are those of `MarginNoise`.

    Attributes
    ----------
    sizes, weights, bits
        As of `MarginNoise`.
    spreads : mapping of frozenset to Fraction
        s_S, positive, for each asked margin S: at least its variance.

    Examples
    --------
    >>> total = frozenset()
    >>> NormalMargins((), {total: Fraction(1, 8)}, {(total, total): 1}, 0).rho
    Fraction(4, 1)
    """

    sizes: tuple[int, ...]
    spreads: Mapping[Axes, Fraction] = field(hash=False)
    weights: Mapping[tuple[Axes, Axes], int] = field(hash=False)
    bits: int

    def __post_init__(self) -> None:
        spreads = {axes: Fraction(value) for axes, value in self.spreads.items()}
        if not spreads or min(spreads.values()) <= 0:
            raise broken_rule("spreads", "be positive, for one margin or more", len(spreads))
        weights = _checked_weights(self.sizes, spreads, self.weights, self.bits)
        object.__setattr__(self, "spreads", MappingProxyType(spreads))
        object.__setattr__(self, "weights", weights)

    @property
    def rho(self) -> Fraction:
        """The rho of one row, which changes a number of each asked margin by one."""
        return sum((1 / spread for spread in self.spreads.values()), Fraction()) / 2

    @property
    def variances(self) -> dict[Axes, Fraction]:
        """s_A of the table of least squares, before it is rounded."""
        return interactions(Margins(self.sizes), self.spreads, self.weights, self.bits)


def _checked_weights(
    sizes: tuple[int, ...], asked: Iterable[Axes], given: Mapping[tuple[Axes, Axes], int], bits: int
) -> Mapping[tuple[Axes, Axes], int]:
    """Return the weights of least squares of the asked margins, or refuse them."""
    need_sizes(sizes)
    every, weights, asked = frozenset(range(len(sizes))), dict(given), list(asked)
    pairs = {(part, axes) for axes in asked for part in subsets(axes)}
    if not all(axes <= every for axes in asked):
        raise broken_rule("ratios", "be of margins of these axes", len(asked))
    if weights.keys() != pairs or any(type(weight) is not int for weight in weights.values()):
        raise broken_rule("weights", "be a whole number for each part of each margin", len(weights))
    sums = dict.fromkeys((part for part, _ in pairs), 0)
    for (part, _), weight in weights.items():
        sums[part] += weight
    if max(map(abs, weights.values())) >> _MOST_BITS or not 0 <= bits <= _MOST_BITS:
        raise broken_rule("weights", f"have at most {_MOST_BITS} bits", bits)
    if set(sums.values()) != {2**bits}:
        raise broken_rule("weights", "add up to 2^bits for each interaction", min(sums.values()))
    return MappingProxyType(weights)


TableNoise = LatticeNoise | MarginNoise | NormalMargins
"""The noise of a table."""
