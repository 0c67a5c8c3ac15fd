"""What holds a bound up: how much each rule of a problem is worth, in whole numbers.

A rule "a <= b" on entries with a multiplier y >= 0 adds ``y (a - b)`` to the objective, which raises no
mechanism of the problem. Whatever the multipliers are, the bound that follows is valid; good ones come from a
solver's duals.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Whole = NDArray[Any]

__all__ = ["BITS", "Leaf", "NotAProofError", "Rule", "Split", "Tree", "require"]

BITS = 80
"""Multipliers are whole numbers over ``2**BITS``, but where a theorem or a file has others."""


class NotAProofError(ValueError):
    """A multiplier has the wrong sign or is more than a rule allows: nothing follows from it."""


def require(holds: object, message: str) -> None:
    """Refuse multipliers of which something does not hold.

    Raises
    ------
    NotAProofError
        With the message.
    """
    if not holds:
        raise NotAProofError(message)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rule:
    """Multipliers of one kind of rule.

    Attributes
    ----------
    places : ndarray of int, shape (size, dimensions)
        ``(response, truth, neighbour)`` for privacy, ``(truth, neighbour)`` for budgets, and for orders
        ``(response, truth, response, truth)``: an entry that is at most another.
    weights : ndarray of int, shape (size,)
        Python integers, over the denominator of their leaf.
    """

    places: Integers
    weights: Whole


def _no_rule(dimensions: int) -> Rule:
    return Rule(places=np.empty((0, dimensions), dtype=np.int64), weights=np.empty(0, dtype=object))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Leaf:
    """All multipliers of one bound.

    Attributes
    ----------
    rules : dict of Rule
        By name: ``"privacy"``, ``"order"`` (as Croft et al. 2020, (10)-(13)), ``"budget"``.
    cost : int
        Multiplier of the bound on the expected loss.
    worst : ndarray of int, shape (num_truths,), or None
        Weights of the truths in a worst loss, which sum to one: a least favourable prior. ``None`` stands for
        the first truth alone.
    bounds : tuple of ndarray of int, or None
        Multipliers of each bounded loss: one, or of a worst loss one for each truth. ``None`` means zero.
    totals, means : ndarray of int, shape (num_truths,), or None
        Multipliers of each column's sum, and of its mean where that must be the truth. Where `totals` are
        ``None`` the best ones are taken, which follow from the others.
    sums : ndarray of int, or None
        Multipliers of the rows of the question's further weighted sums, in order: zero or more of those that
        are at most a number, any of those that equal one. ``None`` means zero.
    further : tuple of dict of Rule, or None
        Of each further privacy its ``"privacy"`` and ``"budget"``, as in `rules`. ``None`` means zero.
    denominator : int
        What every multiplier is over, positive.
    """

    rules: dict[str, Rule] = field(default_factory=dict)
    cost: int = 0
    worst: Whole | None = None
    bounds: tuple[Whole, ...] | None = None
    totals: Whole | None = None
    means: Whole | None = None
    sums: Whole | None = None
    further: tuple[dict[str, Rule], ...] | None = None
    denominator: int = 1 << BITS

    def rule(self, name: str, dimensions: int) -> Rule:
        """Return the multipliers called `name`, none if there are none."""
        return self.rules.get(name, _no_rule(dimensions))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Split:
    """A comparison that is kept in one half of all mechanisms, violated in the other."""

    comparison: tuple[int, ...]
    kept: Tree
    violated: Tree


Tree = Leaf | Split
