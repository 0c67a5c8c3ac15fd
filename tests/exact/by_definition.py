"""Whether what a certificate claims is so, decided by its definition: slow, in fractions, one rule at a time.

It follows docs/certificate.md alone, and shares nothing with the checker or the library.
"""

from __future__ import annotations

import hashlib
import math
from fractions import Fraction
from itertools import pairwise, product

from flint import arb, ctx, fmpq


class NotSoError(Exception):
    """Something that a certificate says is not so."""


def hold(holds, what):
    if not holds:
        raise NotSoError(what)


def why_false(content, table):
    """Return what is not so, or None where all of the claim is true."""
    try:
        _Claim(content).decide(table)
    except NotSoError as wrong:
        return str(wrong)
    except (KeyError, IndexError, ValueError, TypeError, ZeroDivisionError, AttributeError) as wrong:
        return f"a part is missing or misshapen: {wrong!r}"
    return None


def encloses(lower, epsilon, upper):
    if epsilon.startswith("ln "):
        return Fraction(epsilon[3:]) >= 1 and lower <= Fraction(epsilon[3:]) <= upper
    x = Fraction(epsilon)
    with ctx.workprec(4096):
        power = arb(fmpq(x.numerator, x.denominator)).exp()
        low, high = (arb(fmpq(end.numerator, end.denominator)) for end in (lower, upper))
        return x > 0 and bool(low <= power) and bool(power <= high)


class _Claim:
    def __init__(self, content):
        self.content, asked = content, content["question"]
        self.query, self.structure, self.privacy = asked["query"], asked["structure"], asked["privacy"]
        self.properties, self.objective = asked["properties"], asked["objective"]
        self.kind = self.structure["kind"]
        self.low, self.high = (Fraction(content["factor"][end]) for end in ("lower", "upper"))
        self.low = max(self.low, Fraction(1))
        self.truths, self.responses = ([Fraction(x) for x in self.query[n]] for n in ("truths", "responses"))
        self.wide, self.tall, self.home = len(self.truths), len(self.responses), self.query["home"]
        self.entries = list(product(range(self.tall), range(self.wide)))
        whole = int(content["matrix"]["denominator"])
        self.matrix = [[Fraction(int(m), whole) for m in row.split(" ")] for row in content["matrix"]["rows"]]
        delta, bound = self.privacy["delta"], self.objective["at_most"]
        self.delta = None if delta is None else Fraction(delta)
        self.at_most = None if bound is None else Fraction(bound)
        unit = int(self.objective["unit"])
        hold(unit > 0, "unit")
        self.cost = [[Fraction(int(x), unit) for x in row.split(" ")] for row in self.objective["costs"]]
        hold([len(row) for row in self.cost] == [self.wide] * self.tall, "costs")
        self.modular, self.bounded = self.kind == "modular", self.kind in ("symmetric", "zero-bias")
        self.paying = self.privacy["kind"] == "probabilistic"
        self.printed = self.paying and self.privacy["printed"]
        listed = {(f, g) for f, g in self.query["pairs"]}
        near = {
            (f, g) for f in range(self.wide) for g in range(self.wide) if abs(f - g) <= self.query["reach"]
        }
        self.pairs = (listed | near) - {(f, f) for f in range(self.wide)}

    def decide(self, table):
        content = self.content
        hold((content["format"], content["version"]) == ("optmech certificate", 1), "format")
        for part in ("truths", "responses"):
            numbers = getattr(self, part)
            hold(all(a < b for a, b in pairwise(numbers)), part)
        hold(len(self.home) == self.wide and all(0 <= n <= self.tall for n in self.home), "home")
        hold(encloses(Fraction(content["factor"]["lower"]), self.privacy["epsilon"], self.high), "factor")
        text = "\n".join([content["matrix"]["denominator"], *content["matrix"]["rows"]])
        hold(hashlib.sha256(text.encode()).hexdigest() == content["sha256"], "SHA-256")
        self._question()
        self._matrix()
        self._private(Fraction(content["delta"]))
        loss = sum(self.cost[r][f] * self.matrix[r][f] for r, f in self.entries)
        objective = Fraction(content["objective"])
        hold(objective == (Fraction(content["delta"]) if self.delta is None else loss), "objective")
        hold(self.at_most is None or loss <= self.at_most, "at_most")
        self._table(table)
        bound, over = Fraction(content["bound"]), int(content["proof"]["denominator"])
        hold(over > 0 and bound <= self._bound(content["proof"]["tree"], over, []), "bound")
        hold(Fraction(content["gap"]) == objective - bound >= 0, "gap")

    def _question(self):
        limit = {"pure": 0, "per-outcome": 1, "probabilistic": 1}[self.privacy["kind"]]
        sought = self.objective["least"] == "delta"
        hold(sought or self.objective["least"] == "loss", "least")
        hold(sought == (self.delta is None), "delta is given or sought")
        hold((limit if sought else 0 <= self.delta <= limit), "delta")
        hold(all(f != g for f, g in self.query["pairs"]), "neighbours")
        hold(self.pairs, "no neighbours at all")
        known = {"symmetric", "row-monotone", "column-monotone", "fair"}
        hold(set(self.properties) <= (known if self.kind == "free" else set()), "properties of noise")
        hold(self.tall not in self.home or not {"fair", "column-monotone"} & set(self.properties), "no home")
        hold(self.kind in ("free", "modular") or self.bounded, "structure")
        hold(not self.modular or self.tall == self.wide, "modular")
        hold(not self.printed or self.modular, "printed")
        if self.printed:
            turned = {((f + 1) % self.wide, (g + 1) % self.wide) for f, g in self.pairs}
            hold(turned == self.pairs, "printed")
        if self.bounded:
            width, symmetric = self.structure["half_width"], self.kind == "symmetric"
            first, last = self.truths[0], self.truths[-1]
            hold(width > 0 and 0 < Fraction(self.structure["accuracy"]) < 1, "noise")
            hold(first.denominator == 1 and first >= (width if symmetric else 1), "counts")
            hold(self.truths == list(range(int(first), int(last) + 1)), "counts")
            hold(self.responses == list(range(max(0, int(first) - width), int(last) + width + 1)), "reports")
            hold([self.responses[n] for n in self.home] == self.truths, "home")
            if symmetric and self.privacy["kind"] == "per-outcome":
                hold(all(abs(f - g) == 1 for f, g in self.pairs), "neighbours of symmetric noise")

    def noise(self, r, f):
        return r - self.home[f]

    def equal(self):
        """Return classes of entries that are equal, by joining two at a time."""
        same = {at: {at} for at in self.entries}
        pairs = []
        if self.modular:
            pairs += [((r, f), ((r + 1) % self.wide, (f + 1) % self.wide)) for r, f in self.entries]
        if self.kind == "symmetric":
            first = {}
            pairs += [(first.setdefault(abs(self.noise(*at)), at), at) for at in self.entries]
        if "symmetric" in self.properties:
            pairs += [((r, f), (self.tall - 1 - r, self.wide - 1 - f)) for r, f in self.entries]
        if "fair" in self.properties:
            pairs += [((self.home[0], 0), (self.home[f], f)) for f in range(self.wide)]
        for a, b in pairs:
            if same[a] is not same[b]:
                same[a] |= same[b]
                for at in same[b]:
                    same[at] = same[a]
        return {id(group): sorted(group) for group in same.values()}.values()

    def at_most_other(self, r, f, s, g):
        """Whether monotony says M[r,f] <= M[s,g]."""
        if f == g and r != s and "column-monotone" in self.properties:
            return r < s <= self.home[f] or r > s >= self.home[f]
        if r == s and f != g and "row-monotone" in self.properties:
            last, first = self.query["row_ends"][r]
            return f < g <= last or f > g >= first
        return False

    def _matrix(self):
        m = self.matrix
        hold([len(row) for row in m] == [self.wide] * self.tall, "shape")
        hold(all(sum(m[r][f] for r in range(self.tall)) == 1 for f in range(self.wide)), "sums")
        hold(all(m[r][f] >= 0 for r, f in self.entries), "negative")
        for group in self.equal():
            hold(len({m[r][f] for r, f in group}) == 1, "equal entries")
        for r, f in self.entries if self.properties else ():
            beside = [(s, f) for s in range(self.tall)] + [(r, g) for g in range(self.wide)]
            hold(all(m[r][f] <= m[s][g] for s, g in beside if self.at_most_other(r, f, s, g)), "monotone")
        for f in range(self.wide) if self.bounded else ():
            eta, width = Fraction(self.structure["accuracy"]), self.structure["half_width"]
            hold(m[self.home[f]][f] == eta, "accuracy")
            far = [r for r in range(self.tall) if abs(self.noise(r, f)) > width]
            hold(not any(m[r][f] for r in far), "width")
            hold(sum(self.noise(r, f) * m[r][f] for r in range(self.tall)) == 0, "mean")

    def compared(self):
        """Return the comparisons (r, f, g) of the question."""
        if self.printed:
            return {(r, 0, g) for r in range(self.tall) for f, g in self.pairs if f == 0}
        if self.kind == "symmetric" and self.privacy["kind"] == "per-outcome":
            width = self.structure["half_width"]
            return {(r, 0, 1) for r in range(width + 1 if self.privacy["printed"] else 2 * width + 1)}
        return {(r, f, g) for r in range(self.tall) for f, g in self.pairs}

    def _private(self, delta):
        m, compared = self.matrix, self.compared()
        hold(0 <= delta <= (1 if self.delta is None else self.delta), "delta")
        over = {(r, f, g) for r, f, g in compared if m[r][f] > self.low * m[r][g]}
        if not self.paying:
            hold(all(m[r][f] - self.low * m[r][g] <= delta for r, f, g in over), "privacy")
            return
        if self.printed:
            rows = {r for r, _, _ in over}
            hold(all(m[r][0] >= self.high * m[r][g] for r, _, g in compared if r in rows), "reversed")
            hold(sum(m[r][0] for r in rows) <= delta, "privacy")
            return
        for pair in self.pairs:
            hold(sum(m[r][f] for r, f, g in over if (f, g) == pair) <= delta, "privacy")

    def _table(self, table):
        lines = [line.split(",") for line in table.split("\n") if line and line[0] != "#"]
        hold(lines[0] == ["response", *self.query["truths"]], "table")
        hold([line[0] for line in lines[1:]] == self.query["responses"], "table")
        told = [[float(cell) for cell in line[1:]] for line in lines[1:]]
        hold(told == [[float(m) for m in row] for row in self.matrix], "table")
        hold(all(math.isfinite(x) for row in told for x in row), "table")

    def _bound(self, node, over, decided):
        if "split" in node:
            hold(self.paying, "split")
            case = tuple(node["split"])
            cases = {(r,) for r, _, _ in self.compared()} if self.printed else self.compared()
            hold(case in cases, "split")
            # What is decided last holds, also where it was decided before.
            before = [(other, kept) for other, kept in decided if other != case]
            kept = self._bound(node["kept"], over, [*before, (case, True)])
            return min(kept, self._bound(node["violated"], over, [*before, (case, False)]))
        return self._leaf(node, over, dict(decided))

    def _leaf(self, node, over, fate):
        compared, sought = self.compared(), self.delta is None
        cost, constant = Fraction(int(node["cost"]), over), Fraction(0)
        hold(cost == 0 or (cost > 0 and self.at_most is not None), "cost")
        d = {(r, f): self.cost[r][f] * (cost + (not sought)) for r, f in self.entries}
        constant -= cost * (self.at_most or 0)
        budgets = [((f, g), Fraction(int(w), over)) for f, g, w in node["budget"]]
        budget = dict(budgets)
        allowed = ({(0, 0)} if self.printed else self.pairs) if self.paying else set()
        hold(len(budget) == len(budgets) and set(budget) <= allowed, "budget")
        hold(all(w >= 0 for w in budget.values()), "budget")
        spent, paid = {}, sum(budget.values())
        for r, f, g, text in node["privacy"]:
            y, case = Fraction(int(text), over), (r,) if self.printed else (r, f, g)
            hold((r, f, g) in compared, "privacy row")
            if fate.get(case) is False:
                hold(y <= 0 and (self.printed or y == 0), "violated")
                d[r, f] += y
                d[r, g] -= y * self.low
                continue
            hold(y >= 0, "sign")
            d[r, f] += y
            d[r, g] -= y * self.high
            if case not in fate:
                spent[case] = spent.get(case, 0) + y
        if self.paying:
            for case, y in spent.items():
                hold(y <= budget.get((0, 0) if self.printed else case[1:], 0), "undecided")
        else:
            paid = sum(spent.values())
        hold(not sought or paid <= 1, "more than delta itself")
        constant -= paid * (self.delta or 0)
        for case, kept in fate.items():
            r, f, g = (case[0], 0, 0) if self.printed else case
            d[r, f] += 0 if kept else budget.get((f, g), 0)
        for r, f, s, g, text in node["order"]:
            hold(min(r, f, s, g) >= 0, "order")
            hold(int(text) >= 0 and self.at_most_other(r, f, s, g), "order")
            d[r, f] += Fraction(int(text), over)
            d[s, g] -= Fraction(int(text), over)
        totals, means = ([Fraction(int(y), over) for y in node[name]] for name in ("total", "mean"))
        hold(len(totals) == len(means) == self.wide, "totals")
        width = self.structure["half_width"]
        for r, f in self.entries:
            d[r, f] -= totals[f] + (means[f] * self.noise(r, f) if self.bounded else 0)
        least = Fraction(0)
        for group in self.equal():
            noise, total = abs(self.noise(*group[0])), sum(d[at] for at in group)
            if self.bounded and noise == 0:
                least += Fraction(self.structure["accuracy"]) * total
            elif not self.bounded or noise <= width:
                least += min(0, total)
        return constant + sum(totals) + least
