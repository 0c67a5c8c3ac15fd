"""Newton steps: slacks, excesses and ratios are eliminated by hand, entries row by row, prices last.

Elimination
-----------
With ``Ty = y/sy``, ``Tt = t/st``, ``W = 1/(Ty + Tt)``, ``B = Ty W`` for each pair and row, Ty = 0 where
nothing may be spent, the multipliers follow from the entries, and the entries of a row from the prices:

    dz = W (A dx - q + Ty dv)        q  = ratio - ct/st + Tt dt + cy/sy - Ty dy
    K dx = h + G dp                  K  = diag(sx/x) + A' W A,   h = cx/x - dx + A' W q
    G = (shares | -A' B shares | -weights | -L')                    of totals, budgets, losses, sums

Orders are further ratios without an excess, with ``W = so/o`` and ``q = order - co/so``; limits are such at
one entry, and add to the diagonal alone. So the prices p have the dense symmetric system
``G' K^-1 G + diagonal``, of all rows together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np
import scipy.linalg

from optmech.designs.interior.point import PARTNERS, summed

if TYPE_CHECKING:
    from optmech.base.arrays import Floats
    from optmech.designs.interior.chain_of_rows import ChainOfRows
    from optmech.designs.interior.couplings import Couplings
    from optmech.designs.interior.elimination import Elimination
    from optmech.designs.interior.point import Equations, Values

# A row keeps its ratios to so many digits: then their sizes are those of the slacks, without cancellation.
_KEPT = 1e-6
# Added to a unit diagonal where rounding leaves the system of prices indefinite.
_RIDGES = (1e-15, 1e-13, 1e-11, 1e-9)
_MOST_CORRECTIONS = 12
_ENOUGH = 0.5


class Newton:
    """The system of one point, factored."""

    def __init__(
        self,
        equations: Equations,
        point: Values,
        couplings: Couplings,
        elimination: ChainOfRows | Elimination,
    ) -> None:
        self.equations, self.point, self._elimination = equations, point, elimination
        program, p = equations.program, point
        self._room = p["t"] / p["st"]
        self._paid = p["y"] / p["sy"]
        self._left = p["s"] / p["sv"]
        self._loss = p["l"] / p["sl"]
        self._order, self._limit = p["so"] / p["o"], p["sm"] / p["m"]
        self._sum = np.zeros(len(p["w"]))
        self._sum[equations.bounded] = p["b"] / p["sb"]
        self._weight = self._weights(equations, p)
        self._part = self._paid * self._weight[program.spending]
        self._factor_prices(couplings)

    @classmethod
    def of(cls, equations: Equations, point: Values, ratio: Floats, couplings: Couplings) -> Self | None:
        """Return the system of a point, ``None`` where it cannot be factored; `ratio` is what ratios lack."""
        program, p = equations.program, point
        weight = cls._weights(equations, p)
        x = p["x"]
        sizes = -p["t"]
        sizes[program.spending] += p["y"]
        sizes = np.where(np.abs(ratio) < _KEPT * np.abs(sizes), sizes, sizes - ratio)
        row_sums = x * (p["sx"] + equations.back(weight * sizes))
        coupled = program.factors[:, None] * weight * x[program.left] * x[program.right]
        orders, limits, flat = program.demands.orders, program.demands.limits, x.ravel()
        ordered = p["so"] / p["o"]
        lack = equations.orders(x) + p["o"]
        sizes = np.where(np.abs(lack) < _KEPT * p["o"], 0.0, lack) - p["o"]
        of_limits = np.bincount(limits.entries, p["sm"] / p["m"], x.size).reshape(x.shape)
        row_sums += x * (equations.demanded(ordered * sizes, 0 * p["sm"], 0 * p["w"]) + of_limits * x)
        row_sums[equations.zeros] = 1.0  # nothing is coupled with them
        coupled_orders = ordered * flat[orders.low] * flat[orders.high]
        elimination = couplings.eliminated(row_sums, coupled, coupled_orders)
        return None if elimination is None else cls(equations, point, couplings, elimination)

    @staticmethod
    def _weights(equations: Equations, p: Values) -> Floats:
        inverse = p["t"] / p["st"]
        inverse[equations.program.spending] += p["y"] / p["sy"]
        weights: Floats = np.where(equations.dead, 0.0, 1.0 / inverse)
        return weights

    def _factor_prices(self, couplings: Couplings) -> None:
        equations, program = self.equations, self.equations.program
        totals, budgets = program.truths.number, program.budgets.number
        part = self._part * equations.shares_of_excess
        system = self._elimination.of_prices(couplings.coefficients(equations, part, self.point["x"]))
        behind = program.num_prices - len(self._sum)
        diagonal = np.zeros(program.num_prices)
        spent = equations.shares_of_excess**2 * self._paid * self._room[program.spending]
        spent *= self._weight[program.spending]
        diagonal[totals : totals + budgets] = summed(spent.sum(axis=1), program.budgets) + self._left
        diagonal[totals + budgets : behind] = self._loss
        diagonal[behind:] = self._sum
        system[np.diag_indices_from(system)] += diagonal
        self._system, self._scale = system, 1 / np.sqrt(np.diag(system))
        scaled = system * self._scale[:, None] * self._scale
        self._cholesky = None
        for ridge in _RIDGES if np.isfinite(scaled).all() else ():
            try:
                self._cholesky = scipy.linalg.cho_factor(scaled + ridge * np.eye(len(scaled)))
            except scipy.linalg.LinAlgError:
                continue
            break
        self._level = np.zeros(program.num_prices)
        self._level[totals + budgets : behind] = 1.0
        self._of_level = self._level
        if program.has_level and self._cholesky is not None:
            self._of_level = self._prices(self._level)

    @property
    def is_factored(self) -> bool:
        """Whether the system of prices has factors."""
        return self._cholesky is not None

    def _prices(self, right: Floats) -> Floats:
        """Return the solution of the system of prices, refined while that helps."""
        scale, factors = self._scale, self._cholesky
        solution: Floats = scale * scipy.linalg.cho_solve(factors, scale * right, check_finite=False)
        rest = right - self._system @ solution
        size = np.abs(scale * rest).max()
        for _ in range(_MOST_CORRECTIONS):
            if size == 0:
                break
            other = solution + scale * scipy.linalg.cho_solve(factors, scale * rest, check_finite=False)
            other_rest = right - self._system @ other
            other_size = np.abs(scale * other_rest).max()
            if other_size >= size:
                break
            is_slow = other_size > _ENOUGH * size
            solution, rest, size = other, other_rest, other_size
            if is_slow:
                break
        return solution

    def _entries(self, right: Floats) -> Floats:
        """Return ``K^-1`` times right-hand sides."""
        x = self.point["x"]
        return self._elimination.solve(right * x) * x

    def step(self, e: Values) -> Values:
        """Return the step that takes away what a point lacks, by the names of `Equations.lacks` and partners.

        ``e["cx"]`` and the like are the products of unknowns and partners to be reached, less what they are.
        """
        equations, program, p = self.equations, self.equations.program, self.point
        e = equations.alive(e)
        spending, totals = program.spending, program.truths.number
        behind = totals + program.budgets.number
        last = program.num_prices - len(self._sum)
        q = e["ratio"] - e["ct"] / p["st"] + self._room * e["t"]
        excess = e["cy"] / p["sy"] - self._paid * e["y"]
        q[spending] += excess
        of_orders = self._order * (e["order"] - e["co"] / p["so"])
        of_limits = self._limit * (e["limit"] - e["cm"] / p["sm"])
        x = np.where(equations.zeros, 1.0, p["x"])
        h = e["cx"] / x - e["x"] + equations.back(self._weight * q)
        h += equations.demanded(of_orders, of_limits, 0 * self._sum)
        kept = self._entries(h)
        ratios = equations.ratios(kept)
        right = np.empty(program.num_prices)
        right[:totals] = e["total"] - equations.totals(kept)
        spent = excess - self._part * (q[spending] - ratios[spending])
        right[totals:behind] = equations.spent(spent) + e["cs"] / p["sv"] - self._left * e["s"] - e["budget"]
        right[behind:last] = equations.losses(kept) + e["cl"] / p["sl"] - self._loss * e["l"] - e["loss"]
        right[last:] = equations.sums(kept) - e["sum"]
        right[last:][equations.bounded] += e["cb"] / p["sb"] - self._sum[equations.bounded] * e["b"]
        prices = self._prices(right)
        level = np.zeros(1)
        if program.has_level:
            level = (prices[behind:last].sum() - e["level"]) / self._of_level[behind:last].sum()
            prices = prices - self._of_level * level
        du, dv, dpi, dw = np.split(prices, [totals, behind, last])
        charged = equations.charged(dv)
        of_budgets = np.zeros_like(q)
        of_budgets[spending] = self._part * charged
        of_prices = equations.priced(du) - equations.back(of_budgets) - equations.weighed(dpi)
        dx = self._entries(h + of_prices - equations.demanded(0 * of_orders, 0 * of_limits, dw))
        dz = self._weight * (equations.ratios(dx) - q) + of_budgets
        step = {"u": du, "v": dv, "pi": dpi, "T": level, "z": dz, "x": dx}
        step["so"] = self._order * equations.orders(dx) - of_orders
        step["sm"] = self._limit * equations.limits(dx) - of_limits
        step["w"], step["sb"] = dw, dw[equations.bounded] + e["b"]
        step["sx"] = e["x"] - equations.priced(du) + equations.back(dz) + equations.weighed(dpi)
        step["sx"] += equations.demanded(step["so"], step["sm"], dw)
        step["st"] = dz + e["t"]
        step["sy"] = charged - dz[spending] + e["y"]
        step["sv"] = dv + e["s"]
        step["sl"] = dpi + e["l"]
        by_partner = {
            name: (e[f"c{name}"] - p[name] * step[PARTNERS[name]]) / p[PARTNERS[name]] for name in PARTNERS
        }
        if program.demands.are_none:
            # The smaller one of an entry and its partner follows from the larger.
            dx = np.where(p["x"] < p["sx"], by_partner["x"], dx)
        # Else entries stay those of the rows: from their partners what is demanded would not be kept.
        return equations.alive(step | by_partner | {"x": dx})

    def rest(self, e: Values, step: Values) -> Values:
        """Return what a step leaves of what a point lacked."""
        equations, p = self.equations, self.point
        ratio = e["ratio"] - equations.ratios(step["x"]) - step["t"]
        ratio[equations.program.spending] += step["y"]
        spending, bounded = equations.program.spending, equations.bounded
        sums = e["sum"] - equations.sums(step["x"])
        sums[bounded] -= step["b"]
        rest = {
            "total": e["total"] - equations.totals(step["x"]),
            "ratio": ratio,
            "budget": e["budget"] - step["s"] - equations.spent(step["y"]),
            "loss": e["loss"] + step["T"] - step["l"] - equations.losses(step["x"]),
            "level": e["level"] - step["pi"].sum(keepdims=True),
            "x": e["x"]
            - equations.priced(step["u"])
            + equations.back(step["z"])
            + equations.weighed(step["pi"])
            + equations.demanded(step["so"], step["sm"], step["w"])
            - step["sx"],
            "t": e["t"] + step["z"] - step["st"],
            "y": e["y"] + equations.charged(step["v"]) - step["z"][spending] - step["sy"],
            "s": e["s"] + step["v"] - step["sv"],
            "l": e["l"] + step["pi"] - step["sl"],
            "order": e["order"] - equations.orders(step["x"]) - step["o"],
            "limit": e["limit"] - equations.limits(step["x"]) - step["m"],
            "sum": sums,
            "b": e["b"] + step["w"][bounded] - step["sb"],
        }
        products = {
            f"c{name}": e[f"c{name}"] - p[partner] * step[name] - p[name] * step[partner]
            for name, partner in PARTNERS.items()
        }
        return equations.alive(rest | products)
