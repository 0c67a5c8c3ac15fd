"""The cheapest ray of each response for neighbours of any kind, by a small linear program a response.

Model
-----
    min   sum_f costs[f] x[f]
    s.t.  x[f] <= E x[g]          privacy      for neighbours f, g
          x[f] <= x[g]            order        where levels must not rise from g to f
          x[home] = 1

written in ``z[f] = E ** distance[f] x[f]``, with the distance from home in steps between neighbours, so that
all coefficients lie between one and E squared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import sparse

from optmech.models.linear_model import unnamed_program
from optmech.models.solution import Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.base.arrays import Floats, Integers
    from optmech.models.linear_model import LinearModel
    from optmech.models.solution import Solution


class CheapestByProgram(NamedTuple):
    """Pricing for a graph of neighbours: all its pairs, both ways, which connect all truths."""

    pairs: Integers
    epsilon: float
    solve: Callable[[LinearModel], Solution]

    def __call__(
        self, costs: Floats, home: Integers, order: tuple[Integers, Integers] | None
    ) -> tuple[Floats, Integers]:
        """Return least costs and levels, as `cheapest_within_reach` does.

        Where no solver finds a ray, the least cost is unknown: minus infinity, with a flat ray's levels.
        """
        truths = costs.shape[1]
        graph = sparse.csr_array((np.ones(len(self.pairs)), self.pairs.T), shape=(truths, truths))
        distances = sparse.csgraph.shortest_path(graph, unweighted=True, indices=np.unique(home))
        row_of = {truth: row for row, truth in enumerate(np.unique(home).tolist())}
        least = np.zeros(len(costs))
        levels = np.zeros(costs.shape, dtype=np.int64)
        for response, truth in enumerate(home.tolist()):
            ends = None if order is None else (int(order[0][response]), int(order[1][response]))
            distance = distances[row_of[truth]].astype(np.int64)
            levels_of_response = self._levels(costs[response], distance, truth, ends)
            if levels_of_response is None:  # some ray may cost anything
                least[response] = -np.inf
            else:
                levels[response] = levels_of_response
                least[response] = costs[response] @ np.exp(self.epsilon * levels_of_response)
        return least, levels

    def _levels(
        self, costs: Floats, distance: Integers, home: int, ends: tuple[int, int] | None
    ) -> Integers | None:
        """Return the levels of the cheapest ray, ``None`` where no solver finds one."""
        truths = len(costs)
        upper, lower = self.pairs[:, 0], self.pairs[:, 1]
        steps = np.ones(len(upper))
        if ends is not None:
            rising, falling = np.arange(ends[0]), np.arange(ends[1], truths - 1)
            upper = np.concatenate([upper, rising, falling + 1])
            lower = np.concatenate([lower, rising + 1, falling])
            steps = np.concatenate([steps, np.zeros(len(rising) + len(falling))])
        factors = np.exp(self.epsilon * (steps + distance[upper] - distance[lower]))
        number = np.arange(len(upper))
        shape = (len(upper), truths)
        rows = sparse.csr_array((np.ones(len(upper)), (number, upper)), shape=shape) - sparse.csr_array(
            (factors, (number, lower)), shape=shape
        )
        reach = np.exp(np.minimum(2 * self.epsilon * distance, 600.0))
        solution = self.solve(
            unnamed_program(
                "ray",
                costs * np.exp(-self.epsilon * distance),
                rows,
                rows=(-np.inf, 0.0),
                columns=(1.0, np.where(np.arange(truths) == home, 1.0, reach)),
            )
        )
        if solution.status is not Status.OPTIMAL or solution.values is None:
            return None
        exact = np.log(np.maximum(solution.values, 1.0)) / self.epsilon - distance
        levels: Integers = np.rint(exact).astype(np.int64)
        private = (np.abs(levels[self.pairs[:, 0]] - levels[self.pairs[:, 1]]) <= 1).all()
        are_ordered = (levels[upper] <= levels[lower] + steps.astype(np.int64)).all()
        return levels if private and are_ordered else None
