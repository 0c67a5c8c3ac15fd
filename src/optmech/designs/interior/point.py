"""A point of the interior-point method: the unknowns, and by how much they miss the conditions of an optimum.

Conditions
----------
    ratio    A x + t - y = 0,  A x = x[f] - E^w x[g]        multipliers z = st
    total    sum x = 1                                       prices u
    budget   sum y + s = delta                               prices v = sv
    loss     sum c x + l = T                                 prior pi = sl, which sums to one
    order    x[low] - x[high] + o = 0                        multipliers so
    limit    s x[entry] + m = most                           multipliers sm
    sum      L x + b = right, b = 0 of an equation           prices w, else = sb
    reduced  c - u + A' z + pi c + O' so + s sm + L' w = sx, v - z = sy     of entries and of excesses

and each of x, t, y, s, l, o, m, b times its partner sx, st, sy, sv, sl, so, sm, sb is zero; an inner point
has about mu.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from optmech.base.arrays import Floats, Integers, Marks
    from optmech.designs.interior.row_program import Classes, RowProgram

PARTNERS = {"x": "sx", "t": "st", "y": "sy", "s": "sv", "l": "sl", "o": "so", "m": "sm", "b": "sb"}
"""Unknowns that are zero or more, each with the one that is zero where it is not."""

Values = dict[str, "Floats"]
"""Unknowns, steps or residuals by their letter: x, sx of shape (truths, rows), t, z, st (pairs, rows), y, sy
(spending pairs, rows), s, v, sv of budgets, u of totals, l, pi, sl of losses, o, so of orders, m, sm of
limits, w of sums, b, sb of those that are no equations, and T."""

# A first room for rules that the first point breaks, and a first level of losses.
_ROOM, _ABOVE, _BESIDE = 1e-3, 1.1, 0.5
# A first room of further demands, as a share of an entry or of a sum.
_ROOM_OF_DEMANDS = 0.1


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
    transposed_sums: sparse.csr_array = field(init=False)
    bounded: Integers = field(init=False)  # the sums that are no equations
    zeros: Marks = field(init=False)  # entries that are zero, shape (truths, rows)
    dead: Marks = field(init=False)  # ratios of two zeros of which nothing may be spent, shape (pairs, rows)

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
        sums = program.demands.sums
        object.__setattr__(self, "transposed_sums", sums.table.T.tocsr())
        object.__setattr__(self, "bounded", np.flatnonzero(~sums.is_equation))
        zeros = program.demands.zeros.reshape(weighed.shape)
        dead = zeros[program.left] & zeros[program.right]
        dead[program.spending] = False
        object.__setattr__(self, "zeros", zeros)
        object.__setattr__(self, "dead", dead)

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

    def orders(self, x: Floats) -> Floats:
        """Return by how much the lower entry of each order is above the higher one."""
        orders, flat = self.program.demands.orders, x.ravel()
        values: Floats = flat[orders.low] - flat[orders.high]
        return values

    def limits(self, x: Floats) -> Floats:
        """Return each limited entry times its sign."""
        limits = self.program.demands.limits
        values: Floats = limits.signs * x.ravel()[limits.entries]
        return values

    def sums(self, x: Floats) -> Floats:
        """Return the value of each sum."""
        values: Floats = self.program.demands.sums.table @ x.ravel()
        return values

    def demanded(self, so: Floats, sm: Floats, w: Floats) -> Floats | float:
        """Return the price of each entry for orders, limits and sums."""
        demands = self.program.demands
        if demands.are_none:
            return 0.0
        orders, limits, size = demands.orders, demands.limits, self.costs.size
        prices = self.transposed_sums @ w
        prices += np.bincount(orders.low, so, size) - np.bincount(orders.high, so, size)
        prices += np.bincount(limits.entries, limits.signs * sm, size)
        values: Floats = prices.reshape(self.costs.shape)
        return values

    def alive(self, lacks: Values) -> Values:
        """Return what lacks, nothing at entries that are zero and at ratios between them."""
        if not self.zeros.any():
            return lacks
        taken_out = {"x": self.zeros, "cx": self.zeros, "sx": self.zeros, "t": self.dead, "ct": self.dead}
        return {
            name: np.where(taken_out[name], 0.0, values) if name in taken_out else values
            for name, values in lacks.items()
        }

    def lacks(self, p: Values) -> Values:
        """Return by how much a point misses each linear condition."""
        program = self.program
        ratio = -(self.ratios(p["x"]) + p["t"])
        ratio[program.spending] += p["y"]
        prior = self.weighed(p["pi"])
        demands, bounded = program.demands, self.bounded
        sums = demands.sums.right - self.sums(p["x"])
        sums[bounded] -= p["b"]
        return {
            "total": 1.0 - self.totals(p["x"]),
            "ratio": ratio,
            "budget": program.deltas - p["s"] - self.spent(p["y"]),
            "loss": p["T"] - p["l"] - self.losses(p["x"]),
            "level": 1.0 - p["pi"].sum(keepdims=True),
            "order": -(self.orders(p["x"]) + p["o"]),
            "limit": demands.limits.most - self.limits(p["x"]) - p["m"],
            "sum": sums,
            "x": self.costs
            - self.priced(p["u"])
            + self.back(p["z"])
            + prior
            + self.demanded(p["so"], p["sm"], p["w"])
            - p["sx"],
            "t": p["z"] - p["st"],
            "y": self.charged(p["v"]) - p["z"][program.spending] - p["sy"],
            "s": p["v"] - p["sv"],
            "l": p["pi"] - p["sl"],
            "b": p["w"][bounded] - p["sb"],
        }

    def first(self) -> Values:
        """Return the first point: all responses alike, with some room everywhere."""
        program = self.program
        rows, pairs = len(program.rows), len(program.left)
        each = 1.0 / program.num_responses
        alive = np.where(self.zeros, 0.0, 1.0)
        x = alive / program.unfolded(alive).sum(axis=0)[program.order][:, None]
        y = np.full((len(program.spending), rows), 1.0) * program.deltas[program.budgets.of][:, None] * each
        if self.zeros.any():  # columns are not alike then
            y = np.maximum(y, self.ratios(x)[program.spending])
        t = -self.ratios(x)
        t[program.spending] += y
        t = np.maximum(t, _ROOM * each)
        z = np.full((pairs, rows), _BESIDE) * program.rows
        z[program.spending] *= program.budgets.share[:, None]
        v = np.ones(program.budgets.number)
        losses = self.losses(x)
        level = np.array([_ABOVE * losses.max(initial=0.0)])
        prior = np.full(len(losses), 1.0 / max(len(losses), 1))
        demands = program.demands
        orders, limits, sums = demands.orders, demands.limits, demands.sums
        o = np.maximum(-self.orders(x), _ROOM_OF_DEMANDS * each)
        z[self.dead] = t[self.dead] = 0.0
        m = np.maximum(limits.most - self.limits(x), _ROOM_OF_DEMANDS * each)
        b = np.maximum((sums.right - self.sums(x))[self.bounded], _ROOM_OF_DEMANDS)
        w = np.where(sums.is_equation, 0.0, _BESIDE)
        return {
            "x": x,
            "sx": np.full_like(x, prior[0]) if program.has_level else np.maximum(self.costs, 1.0),
            "t": t,
            "z": z,
            "st": np.where(self.dead, 1.0, z),
            "y": y,
            "sy": z[program.spending].copy(),
            "s": program.deltas * _BESIDE,
            "v": v,
            "sv": v.copy(),
            "u": np.zeros(program.truths.number),
            "l": level - losses + _ROOM * level,
            "pi": prior,
            "sl": prior.copy(),
            "o": o,
            "so": np.full(len(orders.low), _BESIDE),
            "m": m,
            "sm": np.full(len(limits.most), _BESIDE),
            "b": b,
            "w": w,
            "sb": w[self.bounded],
            "T": level,
        }
