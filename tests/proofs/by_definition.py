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
        self.content, question = content, content["question"]
        self.query, self.structure, self.privacy = (
            question["query"],
            question["structure"],
            question["privacy"],
        )
        self.properties, self.objective = question["properties"], question["objective"]
        self.kind = self.structure["kind"]
        self.low, self.high = (Fraction(content["factor"][end]) for end in ("lower", "upper"))
        self.low = max(self.low, Fraction(1))
        judged = [self.objective, *question["bounds"]]
        hold(all(type(part["worst"]) is bool for part in judged), "worst")
        self.limits = question["limits"]
        self.worst = self.objective["worst"]
        self.bounds = question["bounds"]
        self.truths, self.responses = ([Fraction(x) for x in self.query[n]] for n in ("truths", "responses"))
        self.wide, self.tall, self.home = len(self.truths), len(self.responses), self.query["home"]
        self.entries = list(product(range(self.tall), range(self.wide)))
        whole = int(content["matrix"]["denominator"])
        self.matrix = [[Fraction(int(m), whole) for m in row.split(" ")] for row in content["matrix"]["rows"]]
        delta, bound = self.privacy["delta"], self.objective["at_most"]
        self.delta = None if delta is None else Fraction(delta)
        self.at_most = None if bound is None else Fraction(bound)
        self.cost = self.costs_of(self.objective)
        self.modular, self.bounded = self.kind == "modular", self.kind in ("symmetric", "zero-bias")
        self.paying = self.privacy["kind"] == "probabilistic"
        listed = {(f, g) for f, g in self.query["pairs"]}
        near = {
            (f, g) for f in range(self.wide) for g in range(self.wide) if abs(f - g) <= self.query["reach"]
        }
        self.pairs = (listed | near) - {(f, f) for f in range(self.wide)}
        self.budgets = self.paying or self.privacy["kind"] == "approximate"
        times = self.query["weights"]
        alone = len(times) == len(self.query["pairs"]) == len(listed) and not any(f != g for f, g in near)
        hold(not times or alone, "weights")
        hold(all(type(w) is int and w >= 1 for w in times), "weights")
        self.times = {tuple(pair): w for pair, w in zip(self.query["pairs"], times, strict=False)}

    def power(self, end, f, g):
        """Return E or F to the power of the pair's weight."""
        return end ** self.times.get((f, g), 1)

    def costs_of(self, part):
        unit = int(part["unit"])
        hold(unit > 0, "unit")
        cost = [[Fraction(int(x), unit) for x in row.split(" ")] for row in part["costs"]]
        hold([len(row) for row in cost] == [self.wide] * self.tall, "costs")
        return cost

    def loss(self, cost, *, worst):
        each = [sum(cost[r][f] * self.matrix[r][f] for r in range(self.tall)) for f in range(self.wide)]
        return max(each) if worst else sum(each)

    def ends(self, r, f):
        """Return the least and the most that entry (r, f) may be, by structure, limits and weak honesty."""
        least, most, at_home = Fraction(0), Fraction(1), r == self.home[f]
        if self.bounded and at_home:
            least = most = Fraction(self.structure["accuracy"])
        elif self.bounded and abs(self.noise(r, f)) > self.structure["half_width"]:
            most = Fraction(0)
        if at_home and "weakly-honest" in self.properties:
            least = max(least, Fraction(1, self.tall))
        for limit in self.limits:
            kind, *words = limit.split(" ")
            if kind == "accuracy":
                hold(self.tall not in self.home and words[0] in {"=", ">="}, "accuracy")
                least = max(least, Fraction(words[1])) if at_home else least
                most = min(most, Fraction(words[1])) if at_home and words[0] == "=" else most
            elif kind == "within":
                far = abs(self.responses[r] - self.truths[f]) > Fraction(words[0])
                most = Fraction(0) if far else most
            else:
                hold(kind == "without", "limits")
                most = Fraction(0) if self.responses[r] in map(Fraction, words) else most
        return least, most

    def decide(self, table):
        content = self.content
        hold(content["format"] == "optmech certificate" and content["version"] == 1, "format")
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
        loss = self.loss(self.cost, worst=self.worst)
        for bound in self.bounds:
            hold(self.loss(self.costs_of(bound), worst=bound["worst"]) <= Fraction(bound["at_most"]), "bound")
        objective = Fraction(content["objective"])
        hold(objective == (Fraction(content["delta"]) if self.delta is None else loss), "objective")
        hold(self.at_most is None or loss <= self.at_most, "at_most")
        self._table(table)
        bound, over = Fraction(content["bound"]), int(content["proof"]["denominator"])
        hold(over > 0 and bound <= self._bound(content["proof"]["tree"], over, []), "bound")
        hold(Fraction(content["gap"]) == objective - bound >= 0, "gap")

    def _question(self):
        limits = {
            "pure": 0,
            "per-outcome": 1,
            "probabilistic": 1,
            "approximate": 1,
        }
        limit = limits[self.privacy["kind"]]
        sought = self.objective["least"] == "delta"
        hold(sought or self.objective["least"] == "loss", "least")
        hold(sought == (self.delta is None), "delta is given or sought")
        hold((limit if sought else 0 <= self.delta <= limit), "delta")
        hold(all(f != g for f, g in self.query["pairs"]), "neighbours")
        hold(self.pairs, "no neighbours at all")
        known = {"symmetric", "row-monotone", "column-monotone", "fair"}
        known |= {"row-honest", "column-honest", "weakly-honest", "unbiased"}
        names = set(self.properties)
        hold(names <= known, "properties")
        homely = known - {"symmetric", "row-monotone", "unbiased"}
        hold(self.tall not in self.home or not homely & names, "no home")
        hold(self.kind in ("free", "modular") or self.bounded, "structure")
        hold(not self.modular or self.tall == self.wide, "modular")
        self.moduli = self.structure["moduli"] or [self.wide]
        hold(all(type(m) is int and m > 0 for m in self.moduli), "moduli")
        hold(not self.modular or math.prod(self.moduli) == self.wide, "moduli")
        hold(self.privacy["printed"] is False, "printed")
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
                hold(set(self.times.values()) <= {1}, "weights of symmetric noise")

    def noise(self, r, f):
        return r - self.home[f]

    def equal(self):
        """Return classes of entries that are equal, by joining two at a time."""
        same = {at: {at} for at in self.entries}
        pairs = []
        for vector in self.vectors() if self.modular else ():
            pairs += [((r, f), (self.plus(r, vector), self.plus(f, vector))) for r, f in self.entries]
        if self.kind == "symmetric":
            first = {}
            pairs += [(first.setdefault(abs(self.noise(*at)), at), at) for at in self.entries]
        if "symmetric" in self.properties:
            pairs += [((r, f), (self.tall - 1 - r, self.wide - 1 - f)) for r, f in self.entries]
        if "fair" in self.properties:
            pairs += [((self.home[0], 0), (self.home[f], f)) for f in range(self.wide)]
        if self.kind == "zero-bias":
            pairs += [((self.home[0], 0), (self.home[f], f)) for f in range(self.wide)]
        for a, b in pairs:
            if same[a] is not same[b]:
                same[a] |= same[b]
                for at in same[b]:
                    same[at] = same[a]
        return {id(group): sorted(group) for group in same.values()}.values()

    def vectors(self):
        """Return the steps of one in each coordinate."""
        return [[int(i == j) for j in range(len(self.moduli))] for i in range(len(self.moduli))]

    def plus(self, position, vector):
        """Return the position of a vector plus another, each coordinate by its own modulus."""
        digits = []
        for modulus in reversed(self.moduli):
            position, digit = divmod(position, modulus)
            digits.insert(0, digit)
        total = 0
        for digit, more, modulus in zip(digits, vector, self.moduli, strict=True):
            total = total * modulus + (digit + more) % modulus
        return total

    def at_most_other(self, r, f, s, g):
        """Whether monotony says M[r,f] <= M[s,g]."""
        if f == g and "column-honest" in self.properties and s == self.home[f]:
            return True
        if r == s == self.home[g] != self.home[f] and "row-honest" in self.properties:
            return True
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
        for r, f in self.entries:
            least, most = self.ends(r, f)
            hold(least <= m[r][f] <= most, "limits")
        for f in range(self.wide) if "unbiased" in self.properties else ():
            mean = sum(self.responses[r] * m[r][f] for r in range(self.tall))
            hold(mean == self.truths[f], "unbiased")
        for f in range(self.wide) if self.bounded else ():
            eta, width = Fraction(self.structure["accuracy"]), self.structure["half_width"]
            hold(m[self.home[f]][f] == eta, "accuracy")
            far = [r for r in range(self.tall) if abs(self.noise(r, f)) > width]
            hold(not any(m[r][f] for r in far), "width")
            hold(sum(self.noise(r, f) * m[r][f] for r in range(self.tall)) == 0, "mean")

    def compared(self):
        """Return the comparisons (r, f, g) of the question."""
        if self.kind == "symmetric" and self.privacy["kind"] == "per-outcome":
            width = self.structure["half_width"]
            return {(r, 0, 1) for r in range(2 * width + 1)}
        return {(r, f, g) for r in range(self.tall) for f, g in self.pairs}

    def _private(self, delta):
        m, compared = self.matrix, self.compared()
        hold(0 <= delta <= (1 if self.delta is None else self.delta), "delta")
        excess = {(r, f, g): m[r][f] - self.power(self.low, f, g) * m[r][g] for r, f, g in compared}
        over = {case for case, more in excess.items() if more > 0}
        if self.privacy["kind"] == "approximate":
            for pair in self.pairs:
                hold(sum(excess[case] for case in over if case[1:] == pair) <= delta, "privacy")
            return
        if not self.paying:
            hold(all(excess[case] <= delta for case in over), "privacy")
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
            hold(case in self.compared(), "split")
            # What is decided last holds, also where it was decided before.
            before = [(other, low) for other, low in decided if other != case]
            low = self._bound(node["kept"], over, [*before, (case, True)])
            return min(low, self._bound(node["violated"], over, [*before, (case, False)]))
        return self._leaf(node, over, dict(decided))

    def _leaf(self, node, over, fate):  # noqa: PLR0915 - one rule after the other
        compared, sought = self.compared(), self.delta is None
        cost, constant = Fraction(int(node["cost"]), over), Fraction(0)
        hold(cost == 0 or (cost > 0 and self.at_most is not None), "cost")
        weight = [cost + (not sought)] * self.wide
        if self.worst:
            hold(not sought and self.at_most is None, "worst")
            weight = [Fraction(int(y), over) for y in node["worst"]]
            hold(len(weight) == self.wide and min(weight) >= 0 and sum(weight) == 1, "worst")
        else:
            hold(node.get("worst", []) == [], "worst")
        d = {(r, f): self.cost[r][f] * weight[f] for r, f in self.entries}
        constant -= cost * (self.at_most or 0)
        hold(len(node.get("bounds", [])) == len(self.bounds), "bounds")
        for bound, texts in zip(self.bounds, node["bounds"], strict=True):
            y, table = [Fraction(int(text), over) for text in texts], self.costs_of(bound)
            hold(len(y) == (self.wide if bound["worst"] else 1) and min(y) >= 0, "bounds")
            constant -= sum(y) * Fraction(bound["at_most"])
            for r, f in self.entries:
                d[r, f] += table[r][f] * (y[f] if bound["worst"] else y[0])
        budgets = [((f, g), Fraction(int(w), over)) for f, g, w in node["budget"]]
        budget = dict(budgets)
        allowed = self.pairs if self.budgets else set()
        hold(len(budget) == len(budgets) and set(budget) <= allowed, "budget")
        hold(all(w >= 0 for w in budget.values()), "budget")
        spent, paid = {}, sum(budget.values())
        for r, f, g, text in node["privacy"]:
            y, case = Fraction(int(text), over), (r, f, g)
            hold(case in compared, "privacy row")
            hold(y == 0 or fate.get(case) is not False, "violated")
            hold(y >= 0, "sign")
            d[r, f] += y
            d[r, g] -= y * self.power(self.high, f, g)
            if case not in fate:
                spent[case] = spent.get(case, 0) + y
        if self.budgets:
            for case, y in spent.items():
                hold(y <= budget.get(case[1:], 0), "undecided")
        else:
            paid = sum(spent.values())
        hold(not sought or paid <= 1, "more than delta itself")
        constant -= paid * (self.delta or 0)
        for case, kept in fate.items():
            r, f, g = case
            d[r, f] += 0 if kept else budget.get((f, g), 0)
        for r, f, s, g, text in node["order"]:
            hold(min(r, f, s, g) >= 0, "order")
            hold(int(text) >= 0 and self.at_most_other(r, f, s, g), "order")
            d[r, f] += Fraction(int(text), over)
            d[s, g] -= Fraction(int(text), over)
        totals, means = ([Fraction(int(y), over) for y in node[name]] for name in ("total", "mean"))
        hold(len(totals) == len(means) == self.wide, "totals")
        with_means = self.bounded or "unbiased" in self.properties
        for r, f in self.entries:
            error = self.responses[r] - self.truths[f] if with_means else 0
            d[r, f] -= totals[f] + means[f] * error
        least = Fraction(0)
        for group in self.equal():
            total, ends = sum(d[at] for at in group), [self.ends(*at) for at in group]
            low, high = max(low for low, _ in ends), min(high for _, high in ends)
            least += min(total * low, total * high)
        return constant + sum(totals) + least
