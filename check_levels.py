"""Check a bound for modular noise by the levels of its values: a part of `check_certificate.py`, which runs it.

The rules, and why they prove a bound, are in docs/certificate.md, "A proof on levels". Here T is 1 / f(0), steps are the
distances of neighbours, and a value p that leaks at a step has f(p) > e^epsilon f(p + step).
"""

from collections import Counter
from fractions import Fraction
from itertools import accumulate, product
from math import floor, prod

from check_certificate import (
    DEPTH,
    TOO_MUCH,
    Question,
    fields,
    form,
    integer,
    items,
    need,
    ratio,
    runs,
    text_of,
    whole,
    work_of,
)

ONE = 2**192  # powers of e^-epsilon are whole numbers over it
LEVELS = 1_000  # the last of them
CUTS, COEFFICIENTS, POINTS = 2**6, 2**3, 2**17  # of a sort; of a cut; counted for all cuts of a sort
LEAF_WORK, ITEM_WORK = 2**17, 2**9  # of a leaf, and in it of a level of a value, or of a cut, at each step
PLACES_WORK = 2**4  # as many leaves as it takes to list the places

Spans = dict[int, tuple[int, int]]  # the least and the largest level that a value may have
Cut = tuple[int, list[int], int]  # sum_i coefficients[i] count[first + i] <= most


def work_of_levels(part: object, wide: int, steps: int, digits: int) -> int:
    """Return what it costs to check the proof of a question, of so many steps, whose longest number has so many digits."""
    tops, _, *cuts, tree = fields(part, "tops", "cap", "leak_cuts", "mass_cuts", "tree")
    leaves = written = 0
    rest = [tree]
    while rest:
        node = rest.pop()
        if isinstance(node, dict):
            rest += node.values()
        elif isinstance(node, str):
            leaves += 1
            for run in node.split(" "):
                y, _, times = run.partition("*")
                written += (y != "0") * (int(times[:9]) if times[:9].isdecimal() else 1)
    each = LEAF_WORK + ITEM_WORK * (2 + steps) * (
        sum(runs(tops, wide)) + sum(len(items(part)) for part in cuts)
    )
    return (leaves + PLACES_WORK) * each + written * work_of(ONE.bit_length() - 1, 4 * digits)


def bound(q: Question, part: object) -> Fraction:
    """Return a number that the objective of no mechanism of the question goes below."""
    proof = Levels(q, part)
    x = proof.case(proof.tree, proof.spans, mirrored=proof.mirrored, depth=0)
    if q.delta is None:  # or a step from 0 leaks, with f(0)
        return min(x, 1 / proof.most)
    return proof.other - (proof.other - proof.truth) * max(q.delta, 1 / max(x, Fraction(1)))


class Levels:
    """A proof: its steps, last levels, places and cuts, and the tree."""

    def __init__(self, q: Question, part: object) -> None:
        """Read a proof of a question."""
        tops, cap, *cuts, self.tree = fields(part, "tops", "cap", "leak_cuts", "mass_cuts", "tree")
        self.delta, self.noise = q.delta, q.structure.noise
        asked = q.structure.kind, q.main.kind, q.neighbours.is_weighted
        sound = asked == ("modular", "probabilistic", False)
        need(sound, "levels need modular noise of probabilistic privacy, unweighted")
        need(not q.loss.worst and q.loss.name is not None, "levels need an expected loss")
        self.cap = ratio(cap)
        need(self.cap > 0, "a cap must be positive")
        self._read_costs(q)
        self.most = self.cap  # of T
        if q.delta is None:
            need(
                q.loss.most is not None and q.loss.most < self.other, "delta must be sought at some accuracy"
            )
            self.most = (self.other - self.truth) / (self.other - q.loss.most)
        self._read_tops(runs(tops, q.wide), q)
        self.powers = [ONE]
        for _ in range(max(self.tops)):
            self.powers.append(self.powers[-1] * q.main.upper.denominator // q.main.upper.numerator)
        room = floor((self.cap if q.delta is None else q.delta) * self.most * ONE)
        self.leak_cuts = self._read_cuts(cuts[0], 1, room)
        room = floor((self.most - 1) * ONE) - len(self.steps) * self.powers[1]
        self.mass_cuts = self._read_cuts(cuts[1], 2, room)

    def _read_costs(self, q: Question) -> None:
        """Say what value 0, and the cheapest other, costs: the loss is at least truth f(0) + other (1 - f(0))."""
        costs = [0] * q.wide
        for (r, f), cost in zip(product(range(q.tall), range(q.wide)), q.loss.costs):
            costs[self.noise(r, f)] += cost
        self.truth, self.other = (Fraction(cost, q.loss.unit) for cost in (costs[0], min(costs[1:])))
        need(self.truth < self.other, "the truth must be cheapest")

    def _read_tops(self, tops: list[int], q: Question) -> None:
        """Read the last levels; list the spans of values, and the places where a value is seen to leak."""
        self.tops, self.steps = tops, sorted({self.noise(f, g) for f, g, _ in q.neighbours})
        need(
            len(tops) == q.wide and tops[0] == 0 and min(tops) >= 0,
            "each value but 0 must have its last level, or 0",
        )
        form(max(tops) <= LEVELS, f"the last level must be at most {LEVELS}")
        need(all(tops[step] == 1 for step in self.steps), "the last level of each step must be 1")
        backs, far, ring = [self.noise(0, step) for step in self.steps], {0: 0}, [0]
        for number in range(1, max(tops) + 1):
            ring = [*{self.noise(p, back) for p in ring for back in backs} - far.keys()]
            far |= dict.fromkeys(ring, number)
        values = [p for p, top in enumerate(tops) if top]
        sound = all(p in far and far[p] <= tops[p] for p in values)
        need(sound, "a last level must be no less than the number of steps to its value")
        self.spans: Spans = {p: (1, 1) if p in self.steps else (far[p], tops[p] + 1) for p in values}
        self.places = []
        for p, (j, back) in product(values, enumerate(backs)):
            end = self.noise(p, back)
            self.places += [(p, j, level, end) for level in range(far[p], tops[p] + 1) if level < tops[end]]
        self.images = {p: self.noise(0, p) for p in values}
        self.mirrored = sorted(backs) == self.steps and all(
            tops[p] == tops[x] for p, x in self.images.items()
        )

    def _read_cuts(self, part: object, least: int, room: int) -> list[Cut]:
        """Read cuts of counts from a level on; none is broken by whole counts with sum powers[level] count <= room."""
        cuts: list[Cut] = []
        points = 0
        form(len(items(part)) <= CUTS, f"there must be at most {CUTS} cuts of a sort")
        for text in items(part):
            listed = [whole(x) for x in text_of(text).split(" ")]
            form(3 <= len(listed) <= 2 + COEFFICIENTS, f"a cut must have 1 to {COEFFICIENTS} coefficients")
            first, *cs, most = listed
            need(
                first >= least and first + len(cs) <= len(self.powers), "a cut must count levels of the proof"
            )
            need(min(cs) >= 0 and most >= 0 and room >= 0, "a cut must have numbers of 0 or more, and points")
            form(cs[0] and cs[-1], "a cut must begin and end where it counts")
            counted = [(self.powers[level], c) for level, c in enumerate(cs, first) if c]
            need(counted[-1][0], "a level that weighs nothing cannot be counted")
            points += prod(room // power + 1 for power, _ in counted[:-1])
            form(points <= POINTS, TOO_MUCH)
            need(largest(counted, room) <= most, "no whole counts must break a cut")
            cuts.append((first, cs, most))
        return cuts

    def case(self, node: object, spans: Spans, *, mirrored: bool, depth: int) -> Fraction:
        """Return a number, at most the cap, that x is not below in a case: x is T, or delta where that is sought."""
        if not isinstance(node, dict):
            return self.leaf(node, spans)
        names = ("yes", "no") if "yes" in node else ("both", "neither", "one")
        v, at, *nodes = fields(node, "value", "level", *names)
        p, level = integer(v), integer(at)
        form(depth < DEPTH, f"a tree must be at most {DEPTH} splits deep")
        need(p in spans and spans[p][0] <= level < spans[p][1], "a split must leave two cases")
        low, high, image = (spans[p][0], level), (level + 1, spans[p][1]), self.images[p]
        if "yes" in node:
            ends, alike = [{p: low}, {p: high}], [mirrored and image == p] * 2
        else:
            need(mirrored and image != p, "a split with the mirror image must stand where all is its own")
            ends, alike = (
                [{p: low, image: low}, {p: high, image: high}, {p: low, image: high}],
                [True, True, False],
            )
        return min(
            self.case(x, spans | own, mirrored=m, depth=depth + 1) for x, own, m in zip(nodes, ends, alike)
        )

    def leaf(self, text: object, spans: Spans) -> Fraction:
        """Return what the multipliers of a leaf prove: the sum of what they charge, however the levels are."""
        steps, cuts = len(self.steps), len(self.leak_cuts)
        size = 1 + steps + len(self.places) + steps * cuts + len(self.mass_cuts)
        ys = runs(text, size)
        need(len(ys) == size and min(ys) >= 0, "there must be a multiplier for each, 0 or more")
        rest = iter(ys)
        mass, budgets = next(rest), [next(rest) for _ in self.steps]
        leaks = [next(rest) for _ in self.places]
        least, of_mass = mass * ONE, [mass * power for power in self.powers]
        of_leaks = [[b * power for power in self.powers] for b in budgets]
        charged = [*product(self.leak_cuts, of_leaks), *product(self.mass_cuts, [of_mass])]
        for y, ((first, cs, most), costs) in zip(rest, charged):
            least -= y * most * ONE
            for level, c in enumerate(cs if y else (), first):
                costs[level] += y * c * ONE
        stays, helps = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
        for y, (p, j, level, end) in zip(leaks, self.places):
            if y:
                stays[p, level] += y * ONE
                helps[end, level + 1] += y * ONE
                least += min(0, of_leaks[j][level] - y * ONE)
        for p, (low, high) in spans.items():
            down = range(self.tops[p], low - 1, -1)
            helped = accumulate(helps[p, level] for level in down)
            costs = [of_mass[t] + stays[p, t] - less for t, less in zip(down, helped) if t <= high]
            least += min([*costs, 0] if high > self.tops[p] else costs)
        value, paid = Fraction(least, ONE), mass + sum(budgets) * (self.delta or 0)
        if self.delta is None:
            value, paid = value - mass * self.most, sum(budgets) * self.most
        return Fraction(0) if value <= 0 else self.cap if value >= self.cap * paid else value / paid


def largest(counted: list[tuple[int, int]], room: int) -> int:
    """Return the largest sum of coefficients times whole counts, each a power and a coefficient, within the room."""
    (power, c), *rest = counted
    if not rest:
        return room // power * c
    return max(k * c + largest(rest, room - k * power) for k in range(room // power + 1))
