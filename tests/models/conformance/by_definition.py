"""Optima of small questions by their definitions: a dense program with a row for every set of responses.

Written apart from the builders: the matrix itself is the variable, whatever its structure, and differential
privacy is ``P(S) <= E Q(S) + delta`` for all sets S, of which there are ``2**responses``. So only small ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain, combinations

import numpy as np
from scipy.optimize import linprog

__all__ = ["Definition"]

# The solver's own smallest; it keeps rows within this.
_TOLERANCE = 1e-10


@dataclass
class Definition:
    """A matrix of which more and more is asked. Row r, column f is response r given truth f."""

    responses: int
    truths: int
    # Besides the entries: delta, then the worst loss.
    _rows: list[tuple[dict, float]] = field(default_factory=list)
    _equal: list[tuple[dict, float]] = field(default_factory=list)

    def __post_init__(self):
        for truth in range(self.truths):
            self.fixed({(response, truth): 1.0 for response in range(self.responses)}, 1.0)

    def at_most(self, terms, limit):
        """Ask that a sum of entries, "delta" and "worst" is at most a number."""
        self._rows.append((terms, limit))

    def fixed(self, terms, value):
        """Ask that a sum of entries is a number."""
        self._equal.append((terms, value))

    def private(self, pairs, factor, delta=0.0):
        """Ask for ``P(S) <= factor Q(S) + delta`` for all S and all pairs; a delta of "least" is sought."""
        sets = chain.from_iterable(
            combinations(range(self.responses), size) for size in range(1, self.responses + 1)
        )
        for chosen in list(sets):
            for truth, other in pairs:
                terms = {(r, truth): 1.0 for r in chosen} | {(r, other): -factor for r in chosen}
                sought = {"delta": -1.0} if delta == "least" else {}
                self.at_most(terms | sought, 0.0 if sought else delta)

    def private_outcomes(self, pairs, factors):
        """Ask for pure privacy, each pair with its own factor."""
        for (truth, other), factor in zip(pairs, factors, strict=True):
            for r in range(self.responses):
                self.at_most({(r, truth): 1.0, (r, other): -factor}, 0.0)

    def circulant(self):
        """Ask that a shift of truth shifts the law of the response."""
        size = self.truths
        for r in range(size):
            for f in range(1, size):
                self.fixed({(r, f): 1.0, ((r - f) % size, 0): -1.0}, 0.0)

    def noise(self, first, half_width, accuracy, *, symmetric):
        """Ask for noise within a width on counts from `first`; responses start where its noise does."""
        lowest = max(0, first - half_width)
        for f in range(self.truths):
            noises = np.arange(self.responses) + lowest - (first + f)
            for r, noise in enumerate(noises.tolist()):
                if abs(noise) > half_width:
                    self.fixed({(r, f): 1.0}, 0.0)
                elif noise == 0:
                    self.fixed({(r, f): 1.0}, accuracy)
                elif symmetric and noise > 0:
                    self.fixed({(r, f): 1.0, (r - 2 * noise, f): -1.0}, 0.0)
                elif symmetric and f:
                    self.fixed({(r, f): 1.0, (r - 1, f - 1): -1.0}, 0.0)
            self.fixed({(r, f): float(noise) for r, noise in enumerate(noises.tolist()) if noise}, 0.0)

    def loss_at(self, loss, truth):
        """Return the expected loss at a truth as terms."""
        return {(r, truth): float(loss[r][truth]) for r in range(self.responses)}

    def mean_loss(self, loss, weights):
        """Return the averaged loss as terms."""
        return {
            (r, f): float(loss[r][f]) * weights[f] for r in range(self.responses) for f in range(self.truths)
        }

    def bound_everywhere(self, loss, limit):
        """Ask that no truth's expected loss exceeds a number or, where it is "worst", the worst loss."""
        for truth in range(self.truths):
            worst = {"worst": -1.0} if limit == "worst" else {}
            self.at_most(self.loss_at(loss, truth) | worst, 0.0 if worst else limit)

    def least(self, terms):
        """Return the least of a sum of entries, "delta" and "worst"."""
        solution = linprog(
            self._vector(terms),
            A_ub=self._matrix(self._rows),
            b_ub=[limit for _, limit in self._rows],
            A_eq=self._matrix(self._equal),
            b_eq=[value for _, value in self._equal],
            bounds=[(0, None)] * (self.responses * self.truths + 2),
            options={
                "primal_feasibility_tolerance": _TOLERANCE,
                "dual_feasibility_tolerance": _TOLERANCE,
            },
        )
        assert solution.status == 0, solution.message
        return float(solution.fun)

    def _matrix(self, rows):
        return np.array([self._vector(terms) for terms, _ in rows])

    def _vector(self, terms):
        vector = np.zeros(self.responses * self.truths + 2)
        for place, weight in terms.items():
            match place:
                case "delta":
                    vector[-2] += weight
                case "worst":
                    vector[-1] += weight
                case (response, truth):
                    vector[response * self.truths + truth] += weight
        return vector
