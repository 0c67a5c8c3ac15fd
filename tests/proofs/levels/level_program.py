"""The level program of small moduli: all levels one by one, and proofs made of LP duals."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from math import inf

import numpy as np
from scipy.optimize import linprog

from optmech.proofs.levels.bound import LevelBound
from optmech.proofs.levels.tree import CountingCut, LevelLeaf, LevelProof, LevelSplit, MirrorSplit

UNIT = 2**40


def steps_of(size, distances):
    """Return the number of steps from 0 to each value, inf to those that are out of reach."""
    steps = [0] + [inf] * (size - 1)
    for _ in range(size):
        for value, mu in product(range(size), distances):
            steps[(value + mu) % size] = min(steps[(value + mu) % size], steps[value] + 1)
    return steps


def least_inverse(size, distances, a, delta, last, tops=None):
    """Return the least T by going through all levels up to `last`, or beyond.

    With `tops` only what a proof with these last levels looks at counts.
    """
    steps, least, ends = steps_of(size, distances), inf, tops or [last] * size
    spans = [
        [1] if q in distances else [*range(steps[q], ends[q] + 1), inf] if steps[q] < inf else [inf]
        for q in range(1, size)
    ]
    for each in product(*spans):
        t = [0, *each]
        worst = 0
        for mu in distances:
            pairs = [(t[p], t[(p + mu) % size], (p + mu) % size) for p in range(size) if t[p] < inf]
            seen = [(t, end) for t, end, q in pairs if tops is None or t + 1 <= tops[q]]
            worst = max(worst, sum(a**t for t, end in seen if end > t + 1))
        least = min(least, max(sum(a**level for level in t if level < inf), worst / delta))
    return least


def random_tops(draw, size, distances, last):
    """Return last levels: 1 of distances, of some other values any, as often as not mirrored."""
    steps = steps_of(size, distances)
    tops = [0] * size
    for q in range(1, size):
        if steps[q] <= last and draw.random() < 0.9:
            tops[q] = draw.randint(steps[q], last)
    if draw.random() < 0.5:
        tops = [top if steps[q] > tops[-q % size] else tops[-q % size] for q, top in enumerate(tops)]
    return tuple(1 if q in distances else top for q, top in enumerate(tops))


def true_cuts(draw, question, tops, cap, upper, first):
    """Return cuts of levels from `first` on that are true; of some drawn ones many are not."""
    cuts = ()
    for _ in range(4):
        coefficients = [draw.randint(0, 3) for _ in range(draw.randint(1, 3))]
        coefficients[0], coefficients[-1] = max(coefficients[0], 1), max(coefficients[-1], 1)
        cut = CountingCut(
            first=draw.randint(first, 2), coefficients=tuple(coefficients), most=draw.randint(0, 9)
        )
        named = {"leak_cuts" if first == 1 else "mass_cuts": (*cuts, cut)}
        try:
            LevelBound(question, LevelProof(tops=tops, cap=cap, tree=None, **named), upper)
        except ValueError:
            continue
        cuts = (*cuts, cut)
    return cuts


def random_tree(draw, bound, leaf, spans, *, mirrored, depth=0):
    """Return a random tree whose leaves `leaf` makes of spans."""
    free = [q for q, (low, high) in spans.items() if low < high]
    if not free or draw.random() < 0.25 + 0.15 * depth:
        return leaf(spans)
    value = draw.choice(free)
    level = draw.randint(spans[value][0], spans[value][1] - 1)
    with_mirror = mirrored and bound.grid.mirrored[value] != value and draw.random() < 0.8
    return split_at(
        bound,
        spans,
        (value, level),
        lambda part, *, mirrored: random_tree(draw, bound, leaf, part, mirrored=mirrored, depth=depth + 1),
        with_mirror=with_mirror,
        mirrored=mirrored,
    )


def split_at(bound, spans, at, make, *, with_mirror, mirrored):
    """Return a split whose cases `make` makes of their spans."""
    value, level = at
    image = bound.grid.mirrored[value]
    below, above = (spans[value][0], level), (level + 1, spans[value][1])
    if not with_mirror:
        alike = mirrored and image == value
        yes, no = (make(spans | {value: own}, mirrored=alike) for own in (below, above))
        return LevelSplit(value=value, level=level, yes=yes, no=no)
    parts = {
        "both": make(spans | {value: below, image: below}, mirrored=True),
        "neither": make(spans | {value: above, image: above}, mirrored=True),
        "one": make(spans | {value: below, image: above}, mirrored=False),
    }
    return MirrorSplit(value=value, level=level, **parts)


class LevelLP:
    """The linear program of a case, whose duals are multipliers."""

    def __init__(self, question, proof, bound, a):
        self.question, self.proof, self.grid, self.a = question, proof, bound.grid, a
        self.most = float(bound.most_inverse)
        self.column, self.rows, self.right = {"x": 0}, [], []
        levels = ((q, range(span[0], proof.tops[q] + 1)) for q, span in self.grid.spans.items())
        self.levels = [(q, level) for q, each in levels for level in each]
        self.column |= {key: place for place, key in enumerate([*self.levels, *self.grid.places], 1)}
        self._say()

    def _say(self):
        question, proof, places, a = self.question, self.proof, self.grid.places, self.a
        sought, distances = question.delta is None, range(len(question.distances))
        self._add({} if sought else {"x": -1}, lambda level: a**level, (self.most if sought else 0) - 1)
        for j in distances:
            paid = {"x": -(self.most if sought else float(question.delta))}
            self._add(paid | {at: a**at.level for at in places if at.distance == j}, None, 0)
        for at in places:
            row = {at: -1, (at.end, at.level + 1): -1, (at.value, at.level): 1}
            row[at.value, at.level - 1] = -1
            self._add({key: c for key, c in row.items() if key in self.column}, None, 0)
        for cut, j in product(proof.leak_cuts, distances):
            self._add({at: cut.at(at.level) for at in places if at.distance == j}, None, cut.most)
        for cut in proof.mass_cuts:
            self._add({}, cut.at, cut.most)
        self.main = len(self.rows)
        for q, level in self.levels:
            if (q, level + 1) in self.column:
                self._add({(q, level): 1, (q, level + 1): -1}, None, 0)

    def _add(self, row, of_level, right):
        """Add a row; `of_level` is what a value counts whose level is just that."""
        for q, level in self.levels if of_level else ():
            after = of_level(level + 1) if (q, level + 1) in self.column else 0
            row[q, level] = of_level(level) - after
        self.rows.append(row)
        self.right.append(right)

    def leaf(self, spans):
        """Return the multipliers of a case, and the solution, which is none's where the case is empty."""
        limits = [(0, None)] * len(self.column)
        for q, level in self.levels:
            limits[self.column[q, level]] = (float(level >= spans[q][1]), float(level >= spans[q][0]))
        for at in self.grid.places:
            limits[self.column[at]] = (0, 1)
        table = np.zeros((len(self.rows), len(self.column) + 1))
        for i, row in enumerate(self.rows):
            for key, value in row.items():
                table[i, self.column[key]] += value
        table[:, -1] = -1  # at a price no case is empty: the duals are then as good as a ray
        cost = np.zeros(len(self.column) + 1)
        cost[0], cost[-1] = 1, 1e4
        solved = linprog(cost, A_ub=table, b_ub=self.right, bounds=[*limits, (0, None)], method="highs")
        assert solved.status == 0
        ys = [max(0, round(-y * UNIT)) for y in solved.ineqlin.marginals[: self.main]]
        return self.leaf_of(ys), solved.x

    def leaf_of(self, ys):
        """Return a leaf of all multipliers in order."""
        distances = len(self.question.distances)
        cuts = distances * len(self.proof.leak_cuts), len(self.proof.mass_cuts)
        ends = np.cumsum([0, 1, distances, len(self.grid.places), *cuts])
        (mass,), *parts = (tuple(ys[i:j]) for i, j in pairwise(ends))
        names = ("budgets", "leaks", "leak_cuts", "mass_cuts")
        return LevelLeaf(mass=mass, **dict(zip(names, parts, strict=True)))


def good_tree(question, proof, upper):
    """Return a proof whose leaves have LP duals, and reach the cap or decide all that is fractional."""
    bound = LevelBound(question, proof, upper)
    program = LevelLP(question, proof, bound, 1 / float(upper))

    def node(spans, *, mirrored):
        leaf, x = program.leaf(spans)
        loose = [
            (abs(x[program.column[q, level]] - 0.5), q, level)
            for q, (low, high) in spans.items()
            for level in range(low, high)
        ]
        reached = bound.of_leaf(leaf, spans) >= proof.cap * (1 - Fraction(1, 10**9))
        if reached or not loose or min(loose)[0] > 0.5 - 1e-6:
            return leaf
        _, *at = min(loose)
        with_mirror = mirrored and bound.grid.mirrored[at[0]] != at[0]
        return split_at(bound, spans, at, node, with_mirror=with_mirror, mirrored=mirrored)

    return LevelProof(
        tops=proof.tops,
        cap=proof.cap,
        tree=node(bound.grid.spans, mirrored=bound.grid.is_mirrored),
        leak_cuts=proof.leak_cuts,
        mass_cuts=proof.mass_cuts,
    )
