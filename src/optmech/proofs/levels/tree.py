"""A proof on levels: a tree of decisions on the levels of noise values, with whole multipliers in its leaves.

Noise values are positions, 0 for none; distances are those of `ModularNoise`, truth minus neighbour, in
increasing order. A distance takes value p to p + mu. The level t(q) of value q is the least whole number l,
no less than the number of steps from 0 to q by distances, with ``f(q) >= a^l f(0)``, a = e^-epsilon. A value
above its last level, ``tops[q]``, is beyond, at level ``tops[q] + 1``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class CountingCut:
    """A limit on whole counts by level: ``sum_i coefficients[i] * count(first + i) <= most``.

    Attributes
    ----------
    first : int
        The level of the first coefficient: 1 or more for leaks, 2 or more for mass.
    coefficients : tuple of int
        Zero or more, the first and the last not zero.
    most : int
        The right-hand side, zero or more.
    """

    first: int
    coefficients: tuple[int, ...]
    most: int

    def at(self, level: int) -> int:
        """Return the coefficient of a level, 0 where the cut has none."""
        inside = 0 <= level - self.first < len(self.coefficients)
        return self.coefficients[level - self.first] if inside else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelLeaf:
    """Multipliers of one case, whole numbers, zero or more. Multiples of all of them prove the same.

    Attributes
    ----------
    mass : int
        That of ``1 + sum of a^t(q) <= T``.
    budgets : tuple of int, shape (distances,)
        Those of ``sum of a^l over what leaks at a distance <= delta T``.
    leaks : tuple of int
        Those of ``leaks[p, mu, l] >= [t(p) = l] - [t(p + mu) <= l + 1]``: one for each value p = 1, 2, ...
        with a last level, distance mu and level l from the number of steps to p up to ``tops[p]``, in this
        order, of which ``l + 1 <= tops[p + mu]``.
    leak_cuts : tuple of int, shape (leak cuts * distances,)
        Those of the cuts of leaks: one for each distance of the first cut, then of the next cut.
    mass_cuts : tuple of int, shape (mass cuts,)
        Those of the cuts of mass.
    """

    mass: int
    budgets: tuple[int, ...]
    leaks: tuple[int, ...]
    leak_cuts: tuple[int, ...] = ()
    mass_cuts: tuple[int, ...] = ()

    @property
    def num_cases(self) -> int:
        """One: the leaf itself."""
        return 1

    @property
    def numbers(self) -> tuple[int, ...]:
        """All multipliers, in the order of the attributes."""
        return (self.mass, *self.budgets, *self.leaks, *self.leak_cuts, *self.mass_cuts)

    @property
    def num_multipliers(self) -> int:
        """Number of multipliers that are not 0."""
        return sum(map(bool, self.numbers))


class _Split(ABC):
    """All noises of a case, in parts."""

    __slots__ = ()

    @property
    @abstractmethod
    def parts(self) -> tuple[LevelTree, ...]:
        """The cases, in order."""

    @property
    def num_cases(self) -> int:
        """Number of leaves below it."""
        return sum(part.num_cases for part in self.parts)

    @property
    def num_multipliers(self) -> int:
        """Number of multipliers below it that are not 0."""
        return sum(part.num_multipliers for part in self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelSplit(_Split):
    """All noises of a case in two: those with ``t(value) <= level``, and the others."""

    value: int
    level: int
    yes: LevelTree
    no: LevelTree

    @property
    def parts(self) -> tuple[LevelTree, ...]:
        """The cases, in order."""
        return self.yes, self.no


@dataclass(frozen=True, slots=True, kw_only=True)
class MirrorSplit(_Split):
    """All noises of a case in three, where distances and all decisions above are their own mirror image.

    With ``t <= level`` for `both` of value and its mirror image -value, for `neither`, or for value alone:
    `one`. Noises with -value alone are mirror images of the last.
    """

    value: int
    level: int
    both: LevelTree
    neither: LevelTree
    one: LevelTree

    @property
    def parts(self) -> tuple[LevelTree, ...]:
        """The cases, in order."""
        return self.both, self.neither, self.one


LevelTree = LevelLeaf | LevelSplit | MirrorSplit


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelProof:
    """A bound on the error rate, or on delta, of every modular noise of probabilistic privacy.

    Attributes
    ----------
    tops : tuple of int, shape (noise values,)
        The last level of each value that the proof looks at, no less than the number of steps to it. 0 for
        values that it does not look at, and for value 0; 1 for every distance, as no other level is possible.
    cap : Fraction
        The largest bound that is proved: of T = 1/f(0), or of delta where that is sought. Cuts hold
        for noises up to it.
    leak_cuts : tuple of CountingCut
        Cuts of the number of values, by level, that leak at one distance; for each distance the same.
    mass_cuts : tuple of CountingCut
        Cuts of the number of values by level, from level 2 on.
    tree : LevelLeaf or LevelSplit or MirrorSplit
        The cases.
    """

    tops: tuple[int, ...]
    cap: Fraction
    tree: LevelTree
    leak_cuts: tuple[CountingCut, ...] = ()
    mass_cuts: tuple[CountingCut, ...] = ()

    @property
    def num_cases(self) -> int:
        """Number of leaves, each a bound of some of all noises."""
        return self.tree.num_cases

    @property
    def num_multipliers(self) -> int:
        """Number of multipliers that are not 0."""
        return self.tree.num_multipliers
