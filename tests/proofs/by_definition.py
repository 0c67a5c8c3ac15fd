"""Whether what a certificate claims is so, decided by its definition: slow, in fractions, one rule at a time.

It follows docs/certificate.md alone, and shares nothing with the checker or the library.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise, product

from flint import arb, ctx, fmpq


class NotSoError(ValueError):
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


def loss_of(content):
    """Return the loss of the matrix."""
    claim = _Claim(content)
    return claim.loss(claim.cost, worst=claim.worst)


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
        self.query, self.structure = question["query"], question["structure"]
        hold(len(question["privacy"]) == 1, "one privacy")
        self.privacy = question["privacy"][0]
        self.properties, self.objective = question["properties"], question["objective"]
        self.kind = self.structure["kind"]
        self.low, self.high = (Fraction(self.privacy[end]) for end in ("lower", "upper"))
        self.low = max(self.low, Fraction(1))
        judged = [self.objective, *question["bounds"]]
        hold(all(type(part["worst"]) is bool for part in judged), "worst")
        self.limits = question["limits"]
        self.worst = self.objective["worst"]
        self.bounds = question["bounds"]
        self.truths = [Fraction(x) for x in self.query["truths"]]
        told = self.query["responses"]
        told = [[x, x] for x in self.query["truths"]] if told is None else told
        self.ends_of = [(Fraction(low), Fraction(high)) for low, high in told]
        hold(all(low <= high for low, high in self.ends_of), "ends")
        hold(all(a[1] <= b[0] for a, b in pairwise(self.ends_of)), "overlap")
        self.responses = [(low + high) / 2 for low, high in self.ends_of]
        self.wide, self.tall = len(self.truths), len(self.responses)
        self.home = [self.home_of(truth) for truth in self.truths]
        self.entries = list(product(range(self.tall), range(self.wide)))
        whole, rows = int(content["mechanism"]["denominator"]), content["mechanism"]["rows"]
        self.matrix = [[Fraction(int(m), whole) for m in row.split(" ")] for row in rows]
        hold([len(row) for row in self.matrix] == [self.wide] * self.tall, "shape")
        delta, bound = self.privacy["delta"], self.objective["at_most"]
        self.delta = None if delta is None else Fraction(delta)
        self.at_most = None if bound is None else Fraction(bound)
        self.moduli = self.structure["moduli"] or [self.wide]
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

    def home_of(self, truth):
        """Return the last response that holds a truth, or the number of responses."""
        holding = [
            r
            for r, (low, high) in enumerate(self.ends_of)
            if low <= truth < high or low == truth == high or (r == self.tall - 1 and truth == high)
        ]
        return holding[-1] if holding else self.tall

    def row_ends(self, r):
        """Return up to which truth row r rises, and from which on it falls."""
        low, high = self.ends_of[r]
        below = [
            f
            for f, truth in enumerate(self.truths)
            if truth < high or (truth == high and (self.home[f] <= r or self.home[f] == self.tall))
        ]
        above = [f for f, truth in enumerate(self.truths) if truth >= low]
        return max(below, default=0), min(above, default=self.wide - 1)

    def costs_of(self, part):
        loss, weights = part["loss"], part["weights"]
        if weights in {None, "sum"} if not isinstance(weights, list) else False:
            weight = [Fraction(1)] * self.wide
        elif weights == "uniform":
            weight = [Fraction(1, self.wide)] * self.wide
        else:
            weight = [Fraction(x) for x in weights]
            hold(len(weight) == self.wide and min(weight) >= 0 and abs(sum(weight) - 1) <= 1e-9, "weights")
        return [[self.cost_of(loss, r, f) * weight[f] for f in range(self.wide)] for r in range(self.tall)]

    def cost_of(self, loss, r, f):
        apart = abs(self.responses[r] - self.truths[f])
        if loss is None:
            return Fraction(0)
        if isinstance(loss, dict):
            (name,) = loss
            if name == "noise":
                hold(self.kind == "modular" and len(loss["noise"]) == self.wide, "noise")
                return Fraction(loss["noise"][self.minus(r, f)])
            hold([len(row) for row in loss["matrix"]] == [self.wide] * self.tall, "loss")
            return Fraction(loss["matrix"][r][f])
        if loss.startswith("beyond "):
            return Fraction(int(apart > Fraction(loss[7:])))
        return {"absolute": apart, "squared": apart**2, "zero-one": Fraction(int(r != self.home[f]))}[loss]

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
        hold(content["format"] == "optmech certificate" and content["version"] == 2, "format")
        for part in ("truths", "responses"):
            numbers = getattr(self, part)
            hold(all(a < b for a, b in pairwise(numbers)), part)
        hold(encloses(Fraction(self.privacy["lower"]), self.privacy["epsilon"], self.high), "factor")
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
        hold(all(type(m) is int and m > 0 for m in self.moduli), "moduli")
        hold(not self.modular or math.prod(self.moduli) == self.wide, "moduli")
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

    def minus(self, position, other):
        """Return the position of the difference of two vectors."""
        digits = []
        for modulus in reversed(self.moduli):
            position, digit = divmod(position, modulus)
            other, less = divmod(other, modulus)
            digits.insert(0, (digit - less) % modulus)
        total = 0
        for digit, modulus in zip(digits, self.moduli, strict=True):
            total = total * modulus + digit
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
            last, first = self.row_ends(r)
            return f < g <= last or f > g >= first
        return False

    def _matrix(self):
        m = self.matrix
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
        hold([Fraction(line[0]) for line in lines[1:]] == self.responses, "table")
        told = [[float(cell) for cell in line[1:]] for line in lines[1:]]
        hold(told == [[float(m) for m in row] for row in self.matrix], "table")
        hold(all(math.isfinite(x) for row in told for x in row), "table")

    def _bound(self, node, over, decided):
        if "split" in node:
            hold(self.paying, "split")
            case = tuple(node["split"])
            hold(case in self.compared() and case not in dict(decided), "split")
            low = self._bound(node["kept"], over, [*decided, (case, True)])
            return min(low, self._bound(node["violated"], over, [*decided, (case, False)]))
        return self._leaf(node, over, dict(decided))

    def rules(self):
        """Return what multipliers stand on by name: whether it is an equation, right side and entries."""
        wide, tall, home, asked, rules = self.wide, self.tall, self.home, self.properties, {}
        every = product(range(tall), range(wide))

        def order(low, high):
            return False, Fraction(0), {low: Fraction(1), high: Fraction(-1)}

        if "column-monotone" in asked:
            steps = [(r, f) for r, f in self.entries if r < tall - 1]
            rules["column-rising"] = [order((r, f), (r + 1, f)) for r, f in steps if r < home[f]]
            rules["column-falling"] = [order((r + 1, f), (r, f)) for r, f in steps if r >= home[f]]
        elif "column-honest" in asked:
            rules["column-honest"] = [order((r, f), (home[f], f)) for r, f in every if r != home[f]]
        if "row-monotone" in asked:
            steps = [(r, f, *self.row_ends(r)) for r, f in self.entries if f < wide - 1]
            rules["row-rising"] = [order((r, f), (r, f + 1)) for r, f, last, _ in steps if f < last]
            rules["row-falling"] = [order((r, f + 1), (r, f)) for r, f, _, first in steps if f >= first]
        elif "row-honest" in asked:
            pairs = [(f, g) for f in range(wide) for g in range(wide) if home[f] != home[g]]
            rules["row-honest"] = [order((home[g], f), (home[g], g)) for f, g in pairs]
        if self.bounded or "unbiased" in asked:
            rules["mean"] = [
                (True, Fraction(0), {(r, f): self.responses[r] - self.truths[f] for r in range(tall)})
                for f in range(wide)
            ]
        losses = [self.objective] if self.at_most is not None else []
        rules["bounds"] = []
        for loss in [*losses, *self.bounds]:
            table = self.costs_of(loss)
            sums = [[f] for f in range(wide)] if loss["worst"] else [range(wide)]
            rules["bounds"] += [
                (False, Fraction(loss["at_most"]), {(r, f): table[r][f] for r in range(tall) for f in fs})
                for fs in sums
            ]
        return rules

    def _leaf(self, node, over, fate):
        sought = self.delta is None
        hold(set(node) == {"prior", "totals", "privacy", "rules"}, "fields")
        hold(not self.worst or not sought, "worst")
        if self.worst:
            weight = [Fraction(y, over) for y in counted_out(node["prior"])]
            hold(len(weight) == self.wide and min(weight) >= 0 and sum(weight) == 1, "prior")
        else:
            hold(node["prior"] == "", "prior")
            weight = [Fraction(not sought)] * self.wide
        d = {(r, f): self.cost[r][f] * weight[f] for r, f in self.entries}
        constant = -self._charge(node["privacy"], over, fate, d)
        rules = self.rules()
        for name, text in node["rules"].items():
            ys = [Fraction(y, over) for y in counted_out(text)]
            for y, (is_equal, right, entries) in zip(ys, rules[name], strict=True):
                hold(is_equal or y >= 0, "sign")
                constant -= y * right
                for at, c in entries.items():
                    d[at] += y * c
        totals = [Fraction(y, over) for y in counted_out(node["totals"])]
        hold(len(totals) == self.wide, "totals")
        for r, f in self.entries:
            d[r, f] -= totals[f]
        least = Fraction(0)
        for group in self.equal():
            total, ends = sum(d[at] for at in group), [self.ends(*at) for at in group]
            low, high = max(low for low, _ in ends), min(high for _, high in ends)
            least += min(total * low, total * high)
        return constant + sum(totals) + least

    def _charge(self, privacies, over, fate, d):
        """Charge what multipliers of privacy cost; return delta times what is laid on it."""
        (texts,), compared, budget, spent = privacies, self.compared(), {}, {}
        pairs = sorted({(f, g) for _, f, g in compared})
        hold(len(texts) <= len(pairs), "pairs")
        for pair, text in zip(pairs, texts, strict=False):
            numbers = [int(x) for x in text.split(" ")] if text else []
            if self.budgets and numbers:
                budget[pair] = Fraction(numbers.pop(0), over)
                hold(budget[pair] >= 0, "budget")
            for r, u in zip(numbers[::2], numbers[1::2], strict=True):
                y, case = Fraction(u, over), (r, *pair)
                hold(case in compared and case not in spent and y >= 0, "privacy row")
                hold(fate.get(case) is not False, "violated")
                hold(not self.budgets or fate.get(case) or y <= budget[pair], "undecided")
                spent[case] = y
                d[r, pair[0]] += y
                d[r, pair[1]] -= y * self.power(self.high, *pair)
        for (r, *pair), kept in fate.items():
            d[r, pair[0]] += 0 if kept else budget.get(tuple(pair), 0)
        paid = sum((budget if self.budgets else spent).values())
        hold(self.delta is not None or paid <= 1, "more than delta itself")
        return paid * (self.delta or 0)


def counted_out(text):
    """Return the numbers of runs such as 5 0*3."""
    runs = [run.partition("*") for run in text.split(" ")]
    return [int(value) for value, _, times in runs for _ in range(int(times or 1))]
