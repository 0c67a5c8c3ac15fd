"""The optimum of any question by one plain linear program on the entries of its matrix.

Written from the definitions, entry by entry, with structures as equations: nothing is shared with the
library's formulations. Probabilistic privacy is no linear program and has none here.
"""

from __future__ import annotations

import numpy as np
import scipy

import optmech as om
from optmech.question.losses import LeastDelta, WorstLoss
from optmech.question.privacy import ApproximatePrivacy, PerOutcomePrivacy


class Program:
    """Rows of a linear program as they come; columns are entries, then whatever is added."""

    def __init__(self, size):
        self.size, self.upper, self.equal, self.cost = size, [], [], {}
        self.least, self.most = [0.0] * size, [1.0] * size

    def column(self, most=np.inf):
        self.size += 1
        self.least.append(0.0)
        self.most.append(most)
        return self.size - 1

    def at_most(self, row, right):
        self.upper.append((row, right))

    def equals(self, row, right):
        self.equal.append((row, right))

    def optimum(self):
        """Return the least cost, or None where no point keeps all rows."""

        def dense(rows):
            table = np.zeros((len(rows), self.size))
            for place, (row, _) in enumerate(rows):
                for column, weight in row:
                    table[place, column] += weight
            return table, np.array([right for _, right in rows], dtype=float)

        cost = np.zeros(self.size)
        for column, weight in self.cost.items():
            cost[column] += weight
        (upper, above), (equal, right) = dense(self.upper), dense(self.equal)
        options = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
        solution = scipy.optimize.linprog(
            cost,
            A_ub=upper if len(upper) else None,
            b_ub=above if len(upper) else None,
            A_eq=equal,
            b_eq=right,
            bounds=list(zip(self.least, self.most, strict=True)),
            options=options,
        )
        return solution.fun if solution.status == 0 else None


def plain_optimum(problem):  # noqa: PLR0915 - all rules in one place
    query = problem.query
    number, truths = query.num_responses, query.num_truths
    places = [(r, f) for r in range(number) for f in range(truths)]
    program = Program(len(places))
    at = {place: column for column, place in enumerate(places)}
    home = query.home.tolist()
    points = [float(part.midpoint) for part in query.responses]
    values = [float(truth) for truth in query.truths]
    for f in range(truths):
        program.equals([(at[r, f], 1) for r in range(number)], 1)

    def same(one, other):
        program.equals([(at[one], 1), (at[other], -1)], 0)

    def ordered(low, high):
        program.at_most([(at[low], 1), (at[high], -1)], 0)

    def mean(f):
        program.equals([(at[r, f], points[r] - values[f]) for r in range(number)], 0)

    def limit(place, least=0.0, most=1.0):
        program.least[at[place]] = max(program.least[at[place]], least)
        program.most[at[place]] = min(program.most[at[place]], most)

    match problem.structure:
        case om.ModularNoise(moduli=moduli):
            vectors = list(np.ndindex(*(moduli or (truths,))))
            first = {}
            for r, f in places:
                step = tuple(
                    (a - b) % m for a, b, m in zip(vectors[r], vectors[f], moduli or (truths,), strict=True)
                )
                same(first.setdefault(step, (r, f)), (r, f))
        case om.SymmetricNoise(width, accuracy) | om.ZeroBiasNoise(width, accuracy):
            first = {}
            for r, f in places:
                noise = abs(points[r] - values[f])
                if noise > width:
                    limit((r, f), most=0.0)
                if noise == 0:
                    limit((r, f), float(accuracy), float(accuracy))
                if isinstance(problem.structure, om.SymmetricNoise):
                    same(first.setdefault(noise, (r, f)), (r, f))
            for f in range(truths):
                mean(f)
    for name in problem.properties:
        for r, f in places:
            if name == "column-monotone" and r + 1 < number:
                ordered(*((((r, f), (r + 1, f))) if r < home[f] else ((r + 1, f), (r, f))))
            if name == "column-honest":
                ordered((r, f), (home[f], f))
            if name == "row-honest":
                for g in range(truths):
                    if home[g] == r != home[f]:
                        ordered((r, f), (r, g))
            if name == "symmetric":
                same((r, f), (number - 1 - r, truths - 1 - f))
            if name == "row-monotone" and f + 1 < truths:
                low, high = query.responses[r]
                if values[f + 1] < high or (home[f + 1] <= r and values[f + 1] == high):
                    ordered((r, f), (r, f + 1))
                if values[f] >= low:
                    ordered((r, f + 1), (r, f))
        for f in range(truths):
            if name == "fair":
                same((home[0], 0), (home[f], f))
            if name == "weakly-honest":
                limit((home[f], f), 1 / number)
            if name == "unbiased":
                mean(f)
    for expected in problem.limits:
        for r, f in places:
            match expected:
                case om.Accuracy(probability, exactly=exactly) if home[f] == r:
                    limit((r, f), float(probability), float(probability) if exactly else 1.0)
                case om.Within(distance) if abs(points[r] - values[f]) > distance:
                    limit((r, f), most=0.0)
                case om.Without(responses) if query.responses[r].midpoint in responses:
                    limit((r, f), most=0.0)
                case _:
                    pass
    sought = isinstance(problem.objective, LeastDelta)
    delta = program.column() if sought else None
    given = 0.0 if sought else float(getattr(problem.privacy, "delta", 0))
    extra = [(delta, -1)] if sought else []
    factor = np.exp(float(problem.privacy.epsilon))
    for (f, g), weight in zip(query.pairs.tolist(), query.weights.tolist(), strict=True):
        excesses = []
        for r in range(number):
            row = [(at[r, f], 1), (at[r, g], -(factor**weight))]
            if isinstance(problem.privacy, ApproximatePrivacy):
                excesses.append(program.column())
                program.at_most([*row, (excesses[-1], -1)], 0)
            elif isinstance(problem.privacy, PerOutcomePrivacy):
                program.at_most([*row, *extra], given)
            else:
                program.at_most(row, 0)
        if excesses:
            program.at_most([*((column, 1) for column in excesses), *extra], given)

    def charged(loss):
        """Return the rows of a loss: one, or one for each truth."""
        if isinstance(loss, WorstLoss):
            return [[(at[r, f], loss.loss[r, f]) for r in range(number)] for f in range(truths)]
        return [[(at[r, f], loss.loss[r, f] * loss.weights[f]) for r, f in places]]

    for bound in problem.bounds:
        for row in charged(bound.loss):
            program.at_most(row, float(bound.at_most))
    match problem.objective:
        case LeastDelta():
            program.cost[delta] = 1.0
        case WorstLoss() as loss:
            worst = program.column()
            program.cost[worst] = 1.0
            for row in charged(loss):
                program.at_most([*row, (worst, -1)], 0)
        case loss:
            (row,) = charged(loss)
            for column, weight in row:
                program.cost[column] = program.cost.get(column, 0.0) + weight
    return program.optimum()
