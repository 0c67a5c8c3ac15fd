"""Draws of noise on a lattice: whole-number tables z with probability in proportion to exp(-z'S^-1 z / 2).

Each coordinate of `sums` is drawn around its mean, with its own parameter. All are kept with probability
prod theta_s(c) / theta_s(0), which makes the law exact: the parameters s do not depend on what was drawn.
That product is at least 1 - beta, beta = 4 sum 2^-floor(28 s): a ratio is at least 1 - 4 exp(-2 pi^2 s).
The uniform number that decides is drawn first: nearly always it is below 1 - beta.
Gentry, Peikert, Vaikuntanathan 2008 and Brakerski et al. 2013 draw so; here all centres are rational.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import floor, prod
from typing import TYPE_CHECKING

import numpy as np
from flint import arb, ctx

from optmech.base.errors import NotAcceptedError
from optmech.mechanisms.tables.coins import WORD, enclosed, settled, words
from optmech.mechanisms.tables.normal_draws import normal_numbers, theta_ratio
from optmech.mechanisms.tables.sums import draw_sums, tables_of, trees_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.base.arrays import Floats, Integers, Whole
    from optmech.mechanisms.sampling.words import RandomBytes
    from optmech.mechanisms.tables.axis_tree import AxisTree
    from optmech.mechanisms.tables.table_noise import LatticeNoise

# 2 pi^2 / ln 2 is above 28: exp(-2 pi^2 s) <= 2^-floor(28 s).
_HALVINGS = 28
_BLOCKS = (1, 4, 16, 64, 256, 1024)
_SELDOM, _MOST = 2.0**-10, 0.5
# Doubles find s, and the sum, up to far less than this part.
_SLACK = 1e-9
# Parameters above this are enclosed together where the product is computed.
_LARGE = 3.0


@dataclass(frozen=True, slots=True)
class _Drawn:
    """The centres of one level, less whole numbers: what the product asks for."""

    rests: Whole
    wholes: Whole
    doubles: Floats
    at: Sequence[Integers]


@dataclass(frozen=True)
class LatticeDraws:
    """What draws a lattice noise.

    Parameters
    ----------
    noise : LatticeNoise
        The noise.

    Raises
    ------
    NotAcceptedError
        If more than half of all tables might be rejected: the noise is too small to be drawn so.
    """

    noise: LatticeNoise
    trees: tuple[AxisTree, ...] = field(init=False, repr=False)
    rejected: float = field(init=False)

    def __post_init__(self) -> None:
        blocks = [block for block in _BLOCKS if block == 1 or block < 2 * max(self.noise.sizes, default=1)]
        for block in blocks:
            trees = trees_of(self.noise.sizes, block)
            object.__setattr__(self, "trees", trees)
            object.__setattr__(self, "rejected", self._most_rejected())
            if self.rejected <= _SELDOM:
                return
        if self.rejected > _MOST:
            message = (
                "`noise` must be large enough to be drawn on a lattice; here up to "
                f"{min(self.rejected, 1):.0%} of all tables might have to be drawn again. Ask for less rho."
            )
            raise NotAcceptedError(message)

    def draw(self, random_bytes: RandomBytes) -> Integers:
        """Return the noise of each cell, from the bytes of a function such as `os.urandom`."""
        sure = floor((1 - Fraction(self.rejected)) * (1 << WORD)) - 1
        while True:
            word = int(words(1, random_bytes)[0])
            levels: list[_Drawn] | None = None if word < sure else []

            def step(
                parts: Whole, wholes: Whole, at: Sequence[Integers], levels: list[_Drawn] | None = levels
            ) -> Integers:
                doubles = self._doubles(at)
                numbers, rests = normal_numbers(
                    parts, wholes, doubles, lambda index: self._parameter(at, index), random_bytes
                )
                if levels is not None:
                    levels.append(_Drawn(rests, wholes, doubles, at))
                return numbers

            sums = draw_sums(self.trees, step)
            if levels is None or self._is_kept(levels, word, random_bytes):
                every = frozenset(range(len(self.trees)))
                return tables_of(self.trees, sums, every).reshape(self.noise.sizes)

    @cached_property
    def _factors(self) -> list[Floats]:
        """For each axis and coordinate, the factor that it brings to the parameter."""
        return [
            np.concatenate([[float(len(tree.size))], (tree.left * (tree.size - tree.left) / tree.size)[1:]])
            for tree in self.trees
        ]

    @cached_property
    def _scales(self) -> Floats:
        """The variance of each interaction, by the bits of its axes."""
        numbers = [0.0] * (1 << len(self.trees))
        for axes, variance in self.noise.variances.items():
            numbers[sum(1 << axis for axis in axes)] = float(variance)
        return np.array(numbers)

    def _doubles(self, at: Sequence[Integers]) -> Floats:
        """Return the parameters of coordinates."""
        codes = np.zeros(len(at[0]), dtype=np.int64)
        for axis, index in enumerate(at):
            codes |= (index > 0).astype(np.int64) << axis
        result: Floats = self._scales[codes]
        for factors, index in zip(self._factors, at, strict=True):
            result = result * factors[index]
        return result

    def _parameter(self, at: Sequence[Integers], index: int) -> Fraction:
        places = [int(each[index]) for each in at]
        parameter = self.noise.variances[frozenset(axis for axis, place in enumerate(places) if place)]
        for tree, place in zip(self.trees, places, strict=True):
            size, left = int(tree.size[place]), int(tree.left[place])
            parameter *= Fraction(left * (size - left), size) if place else len(tree.size)
        return parameter

    def _most_rejected(self) -> float:
        """Return beta, rounded up."""
        self.__dict__.pop("_factors", None)  # of the trees before
        total, factors = 0.0, self._factors
        for axes, variance in self.noise.variances.items():
            sizes = [len(tree.size) for tree in self.trees]
            others = prod(size for axis, size in enumerate(sizes) if axis not in axes)
            parameters = np.array([float(variance) * others])
            for axis in axes:
                parameters = np.multiply.outer(parameters, factors[axis][1:]).reshape(-1)
            total += float(np.sum(2.0 ** -np.floor(_HALVINGS * (1 - _SLACK) * parameters)))
        return 4 * total * (1 + _SLACK)

    def _is_kept(self, levels: Sequence[_Drawn], word: int, random_bytes: RandomBytes) -> bool:
        """Decide by the product itself, in balls of more and more bits."""

        def chance(bits: int) -> tuple[int, int]:
            large = _LARGE * bits / WORD
            with ctx.workprec(2 * bits):
                product, rest = arb(1), 0.0
                for level in levels:
                    small = np.flatnonzero(level.doubles <= large).tolist()
                    for index in small:
                        fraction = Fraction(int(level.rests[index]), int(level.wholes[index]))
                        product *= theta_ratio(fraction, self._parameter(level.at, index))
                    others = level.doubles[level.doubles > large]
                    rest += float(np.sum(2.0 ** -np.floor(_HALVINGS * (1 - _SLACK) * others)))
                # the others multiply it by at least 1 - beta of their own, and at most 1
                least = 1 - 4 * rest * (1 + _SLACK)
                return enclosed(product * least, bits)[0], enclosed(product, bits)[1]

        return settled(chance, word, random_bytes)
