"""A point of the interior-point method: the unknowns, and by how much they miss the conditions of an optimum.

Conditions
----------
    ratio    A x + t - y = 0,  A x = x[f] - E^w x[g]        multipliers z = st
    total    sum x = 1                                       prices u
    budget   sum y + s = delta                               prices v = sv
    loss     sum c x + l = T                                 prior pi = sl, which sums to one
    reduced  c - u + A' z + pi c = sx,  v - z = sy           of entries and of excesses

and each of x, t, y, s, l times its partner sx, st, sy, sv, sl is zero; an inner point has about mu.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from optmech.base.arrays import Floats
    from optmech.designs.interior.row_program import Classes, RowProgram

PARTNERS = {"x": "sx", "t": "st", "y": "sy", "s": "sv", "l": "sl"}
"""Unknowns that are zero or more, each with the one that is zero where it is not."""

Values = dict[str, "Floats"]
"""Unknowns, steps or residuals by their letter: x, sx of shape (truths, rows), t, z, st (pairs, rows), y, sy
(spending pairs, rows), s, v, sv of budgets, u of totals, l, pi, sl of losses, and T."""

# A first room for rules that the first point breaks, and a first level of losses.
_ROOM, _ABOVE, _BESIDE = 1e-3, 1.1, 0.5


def summed(values: Floats, classes: Classes) -> Floats:
    """Return the sum of values over each class."""
    sums: Floats = np.bincount(classes.of, values, classes.number).astype(float)
    return sums


@dataclass(frozen=True, slots=True, eq=False)
class Equations:
    """The linear conditions of a program, and what a point lacks of them."""

    program: RowProgram
    transposed: sparse.csr_array = field(init=False)
    shares: Floats = field(init=False)
    weights: Floats = field(init=False)  # of losses, zero where an expected loss is least
    costs: Floats = field(init=False)
    shares_of_excess: Floats = field(init=False)

    def __post_init__(self) -> None:
        program = self.program
        pairs = np.arange(len(program.left))
        ratios = sparse.csr_array(
            (
                np.concatenate([np.ones(len(pairs)), -program.factors]),
                (np.concatenate([program.left, program.right]), np.concatenate([pairs, pairs])),
            ),
            shape=(len(program.order), len(pairs)),
        )
        weighed = program.costs * program.rows
        object.__setattr__(self, "transposed", ratios)
        object.__setattr__(self, "shares", program.shares)
        object.__setattr__(self, "shares_of_excess", program.shares_of_excess)
        object.__setattr__(self, "costs", np.zeros_like(weighed) if program.has_level else weighed)
        object.__setattr__(self, "weights", program.costs * program.shares)

    def ratios(self, x: Floats) -> Floats:
        """Return ``A x`` of each pair and row."""
        program = self.program
        values: Floats = x[program.left] - program.factors[:, None] * x[program.right]
        return values

    def back(self, z: Floats) -> Floats:
        """Return ``A' z`` of each truth and row."""
        values: Floats = self.transposed @ z
        return values

    def totals(self, x: Floats) -> Floats:
        """Return the total of each class of truths."""
        return self._of_truths((self.shares * x).sum(axis=1))

    def losses(self, x: Floats) -> Floats:
        """Return the loss of each class of truths; nothing where an expected loss is least."""
        if not self.program.has_level:
            return np.zeros(0)
        return self._of_truths((self.weights * x).sum(axis=1))

    def spent(self, y: Floats) -> Floats:
        """Return the excess of each budget."""
        classes = self.program.budgets
        return summed((self.shares_of_excess * y).sum(axis=1), classes)

    def _of_truths(self, sums: Floats) -> Floats:
        return summed(sums, self.program.truths)

    def priced(self, u: Floats) -> Floats:
        """Return the price of each entry."""
        values: Floats = self.shares * u[self.program.truths.of][:, None]
        return values

    def weighed(self, prior: Floats) -> Floats | float:
        """Return the losses of each entry under a prior on classes of truths."""
        if not self.program.has_level:
            return 0.0
        values: Floats = self.weights * prior[self.program.truths.of][:, None]
        return values

    def charged(self, v: Floats) -> Floats:
        """Return the price of each excess."""
        values: Floats = self.shares_of_excess * v[self.program.budgets.of][:, None]
        return values

    def lacks(self, p: Values) -> Values:
        """Return by how much a point misses each linear condition."""
        program = self.program
        ratio = -(self.ratios(p["x"]) + p["t"])
        ratio[program.spending] += p["y"]
        prior = self.weighed(p["pi"])
        return {
            "total": 1.0 - self.totals(p["x"]),
            "ratio": ratio,
            "budget": program.deltas - p["s"] - self.spent(p["y"]),
            "loss": p["T"] - p["l"] - self.losses(p["x"]),
            "level": 1.0 - p["pi"].sum(keepdims=True),
            "x": self.costs - self.priced(p["u"]) + self.back(p["z"]) + prior - p["sx"],
            "t": p["z"] - p["st"],
            "y": self.charged(p["v"]) - p["z"][program.spending] - p["sy"],
            "s": p["v"] - p["sv"],
            "l": p["pi"] - p["sl"],
        }

    def first(self) -> Values:
        """Return the first point: all responses alike, with some room everywhere."""
        program = self.program
        rows, pairs = len(program.rows), len(program.left)
        each = 1.0 / program.num_responses
        x = np.full((len(program.order), rows), each)
        y = np.full((len(program.spending), rows), 1.0) * program.deltas[program.budgets.of][:, None] * each
        t = -self.ratios(x)
        t[program.spending] += y
        t = np.maximum(t, _ROOM * each)
        z = np.full((pairs, rows), _BESIDE) * program.rows
        z[program.spending] *= program.budgets.share[:, None]
        v = np.ones(program.budgets.number)
        losses = self.losses(x)
        level = np.array([_ABOVE * losses.max(initial=0.0)])
        prior = np.full(len(losses), 1.0 / max(len(losses), 1))
        return {
            "x": x,
            "sx": np.full_like(x, prior[0]) if program.has_level else np.maximum(self.costs, 1.0),
            "t": t,
            "z": z,
            "st": z.copy(),
            "y": y,
            "sy": z[program.spending].copy(),
            "s": program.deltas * _BESIDE,
            "v": v,
            "sv": v.copy(),
            "u": np.zeros(program.truths.number),
            "l": level - losses + _ROOM * level,
            "pi": prior,
            "sl": prior.copy(),
            "T": level,
        }
