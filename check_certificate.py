"""Check a certificate and its CSV, as docs/certificate.md says: python check_certificate.py X.json X.csv."""

import json
import re
import sys
from collections import Counter
from csv import reader
from decimal import Decimal, localcontext
from fractions import Fraction
from hashlib import sha256
from itertools import product
from math import lcm, prod
from pathlib import Path
from types import SimpleNamespace as Fields


def need(holds: object, rule: str) -> None:
    """Refuse the certificate unless `holds`. Any other exception refuses it, too."""
    if not holds:
        raise ValueError(rule)


def once(pairs: list[tuple[str, object]]) -> Fields:
    """Return an object of JSON."""
    need(len(dict(pairs)) == len(pairs), "an object must have each field once")
    return Fields(**dict(pairs))


def number(text: str, kind: type = Fraction) -> Fraction:
    """Return a number from its text. Numbers of JSON itself are positions, nothing else."""
    need(type(text) is str and re.fullmatch(r"-?[0-9][0-9.]*(/[0-9]+)?", text), "numbers must be text")
    return kind(text)


def place(at: list[int], *limits: int) -> tuple[int, ...]:
    """Return positions, each an integer from 0 to below its limit."""
    need(all(type(x) is int and 0 <= x < n for x, n in zip(at, limits, strict=True)), "a position is wrong")
    return tuple(at)


def encloses(lower: Fraction, epsilon: str, upper: Fraction) -> bool:
    """Whether lower <= e^epsilon <= upper; Python's `Decimal.exp` is correctly rounded."""
    x, logarithm = number(epsilon.removeprefix("ln ")), epsilon.startswith("ln ")
    if logarithm or x == 0:
        return lower <= (x if logarithm else 1) <= upper and (x >= 1 or not logarithm)
    with localcontext(prec=40 + (lower.numerator * upper.numerator).bit_length(), Emax=9999, Emin=-9999):
        near = Decimal(x.numerator) / Decimal(x.denominator)
        low, high = near.next_minus().exp().next_minus(), near.next_plus().exp().next_plus()
    return 0 < x <= 700 and lower <= Fraction(low) and Fraction(high) <= upper


def read_loss(asked: Fields, tall: int, wide: int) -> Fields:
    """Return a loss in whole numbers over a unit, and its bound."""
    unit, costs = number(asked.unit, int), [[number(x, int) for x in row.split(" ")] for row in asked.costs]
    need(unit > 0 and type(asked.worst) is bool and [*map(len, costs)] == [wide] * tall, "costs must fit")
    most = None if asked.at_most is None else number(asked.at_most)

    def of(matrix: list[list[int]], whole: int) -> Fraction:
        each = [sum(x[f] * m[f] for x, m in zip(costs, matrix, strict=True)) for f in range(wide)]
        return Fraction(max(each) if asked.worst else sum(each), whole * unit)

    return Fields(unit=unit, costs=costs, worst=asked.worst, most=most, of=of)


def read(asked: Fields, lower: Fraction, upper: Fraction, version: int = 1) -> Fields:
    """Return the question in numbers; what is not known or does not fit is refused."""
    query, noise, privacy, aim = asked.query, asked.structure, asked.privacy, asked.objective
    later = (query, "weights"), (noise, "moduli"), (asked, "limits"), (asked, "bounds"), (aim, "worst")
    for part, name in later if version == 1 else ():  # it has nothing of what came later
        need(not hasattr(part, name), "version 1 has no such field")
        setattr(part, name, [] if name != "worst" else False)
    truths, responses = [*map(number, query.truths)], [*map(number, query.responses)]
    tall, wide, structure, properties = len(responses), len(truths), noise.kind, {*asked.properties}
    need(truths == sorted({*truths}) and responses == sorted({*responses}), "truths must increase")
    home = place(query.home, *[tall + 1] * wide)  # the response that holds each truth; `tall` where none does
    known = {"row-monotone", "symmetric"} | ({"column-monotone", "fair"} if tall not in home else set())
    more = {"unbiased"} | ({"column-honest", "row-honest", "weakly-honest"} if tall not in home else set())
    known = known | more if version == 2 else known if structure == "free" else set()
    need(properties <= known, "properties must be known and fit")
    times = query.weights or [1] * len(query.pairs)  # so many times epsilon f may exceed g
    near = {(f, g): 1 for f, g in product(range(wide), repeat=2) if 0 < abs(f - g) <= query.reach}
    pairs = near | {place(pair, wide, wide): w for pair, w in zip(query.pairs, times, strict=True)}
    need(not query.weights or (len(pairs) == len(times) and not near), "each pair must have one weight")
    need(pairs and all(f != g for f, g in pairs), "there must be neighbours, each two truths")
    moduli, eta, width = noise.moduli or [wide], number(noise.accuracy), noise.half_width
    need(all(type(n) is int and n > 0 for n in (*pairs.values(), *moduli)), "weights must be whole")
    counts = structure in ("symmetric", "zero-bias")
    fits = structure == "free" or (structure == "modular" and tall == wide == prod(moduli))
    if counts:  # truths are counts, responses all that the noise makes of them
        first = max(truths[0], {"symmetric": width, "zero-bias": 1}[structure])
        fits = type(width) is int and width > 0 and 0 < eta < 1 and truths == [first + f for f in range(wide)]
        fits &= responses == [max(0, first - width) + r for r in range(tall)] and int(first) == first
        fits &= [*home] == [t - responses[0] for t in truths] and responses[-1] == truths[-1] + width
    kind = privacy.kind
    paying, printed, compared = kind == "probabilistic", privacy.printed and kind == "probabilistic", tall
    if printed:  # one noise, and truth 0 stands for all
        fits &= structure == "modular" and {*pairs} == {((f + 1) % wide, (g + 1) % wide) for f, g in pairs}
        pairs = {(f, g): 1 for f, g in pairs if f == 0}
    elif (structure, kind) == ("symmetric", "per-outcome"):  # truths 0 and 1 stand for all
        fits &= {abs(f - g) for f, g in pairs} == {1} == {*pairs.values()}
        pairs, compared = {(0, 1): 1}, (1 if privacy.printed else 2) * width + 1
    fits &= version == (1 if printed else 2 if kind == "approximate" else version)
    limit = {"pure": 0, "per-outcome": 1, "probabilistic": 1, "approximate": 1}[kind]
    need(fits and (type(query.reach), type(privacy.printed)) == (int, bool), "parts must fit each other")
    delta = None if privacy.delta is None else number(privacy.delta)
    need(0 <= {"loss": delta, "delta": 1 if delta is None else -1}[aim.least] <= limit, "delta is wrong")
    loss, *bounds = (read_loss(part, tall, wide) for part in (aim, *asked.bounds))
    need(delta is not None or not loss.worst, "a worst loss must be what is to be least, or have a bound")
    bounds = bounds if loss.most is None else [loss, *bounds]
    budgets, means = paying or kind == "approximate", counts or "unbiased" in properties
    q = Fields(**locals())
    name_entries(q, [words.split() for words in asked.limits])
    return q


def name_entries(q: Fields, words: list[list[str]]) -> None:
    """Give each entry a name, equal ones the same, and each name the least and the most that it may be."""
    cells, name, q.limits = [*product(range(q.tall), range(q.wide))], {}, {}
    steps = [(prod(q.moduli[i + 1 :]), m) for i, m in enumerate(q.moduli)]

    def called(one: object) -> object:
        while name.setdefault(one, one) != one:
            name[one] = one = name[name[one]]
        return one

    for r, f in cells:
        truth = r == q.home[f] and (q.counts or "fair" in q.properties)
        noise = str([(r // s - f // s) % m for s, m in steps])
        other = [(q.tall - 1 - r, q.wide - 1 - f)] if "symmetric" in q.properties else []
        other += [noise] * (q.structure == "modular") + ["truth"] * truth
        other += [abs(r - q.home[f])] if q.structure == "symmetric" else []
        for alike in other:
            name[called((r, f))] = called(alike)
    for r, f in cells:
        truth, far = r == q.home[f], abs(q.responses[r] - q.truths[f])
        least = [q.eta * (truth and q.counts), Fraction("weakly-honest" in q.properties and truth, q.tall)]
        most = [1, (q.eta if truth else far <= q.width) if q.counts else 1]
        for kind, *rest in words:
            given, sign = [number(x) for x in rest[kind == "accuracy" :]], rest[0]
            need(kind != "accuracy" or (q.tall not in q.home and sign in (">=", "=")), "no such accuracy")
            holds = {"accuracy": truth, "within": far > min(given), "without": q.responses[r] in given}[kind]
            least += given if holds and kind == "accuracy" else []
            most += (given if kind == "accuracy" else [0]) if holds and sign != ">=" else []
        ends = q.limits.setdefault(called((r, f)), [0, 1])
        ends[:] = max(ends[0], *least), min(ends[1], *most)
    q.name = {cell: called(cell) for cell in cells}


def ordered(q: Fields, r: int, f: int, s: int, g: int) -> bool:
    """Whether a property says that entry (r, f) is at most entry (s, g)."""
    if f == g:
        column = "column-honest" in q.properties and s == q.home[f]
        return column or ("column-monotone" in q.properties and (r < s <= q.home[f] or r > s >= q.home[f]))
    along = "row-monotone" in q.properties and r == s
    last, first = place(q.query.row_ends[r], q.wide, q.wide) if along else (0, q.wide)
    row = "row-honest" in q.properties and r == s == q.home[g] != q.home[f]
    return row or f < g <= last or f > g >= first


def check_matrix(q: Fields, matrix: list[list[int]], whole: int, delta: Fraction) -> None:
    """Refuse numerators over `whole` that are not as asked, or spend more than `delta`."""
    need([*map(sum, zip(*matrix, strict=True))] == [whole] * q.wide, "each column must sum to one")
    values, limits = {}, {name: [x * whole for x in ends] for name, ends in q.limits.items()}
    for r, f in product(range(q.tall), range(q.wide)):
        m, (low, high) = matrix[r][f], limits[q.name[r, f]]
        need(low <= m == values.setdefault(q.name[r, f], m) <= high, "entries must be equal, within limits")
        near = [(s, f) for s in (r - 1, r + 1, q.home[f]) if 0 <= s < q.tall]
        columns = range(q.wide) if "row-honest" in q.properties else (f - 1, f + 1)
        for s, g in near + [(r, g) for g in columns if 0 <= g < q.wide] if q.properties else ():
            need(not ordered(q, r, f, s, g) or m <= matrix[s][g], "the matrix must be in order")
    for f in range(q.wide) if q.means else ():
        need(sum((x - q.truths[f]) * row[f] for x, row in zip(q.responses, matrix)) == 0, "a mean is wrong")
    for part in q.bounds:
        need(part.of(matrix, whole) <= part.most, "a loss must keep to its bound")
    near = {f: [(g, w) for (h, g), w in q.pairs.items() if h == f] for f in {f for f, _ in q.pairs}}
    caps, leaks, spare = {}, Counter[tuple[int, int]](), Fraction(0 if q.budgets else delta)
    powers = {w: (q.lower**w, q.lower.denominator**w * spare.denominator) for w in {*q.pairs.values()}}
    for row in matrix[: q.compared]:
        for w, (power, bottom) in powers.items():  # the largest integers up to E^w m + delta
            factor, more = int(power * bottom), int(spare * bottom) * whole
            caps[w] = [(factor * m + more) // bottom for m in row]
        for f in near if max(row) > min(map(min, caps.values())) else ():
            over = [(g, w) for g, w in near[f] if row[f] > caps[w][g]]
            need(all(row[f] >= q.upper * row[g] for g, _ in near[f] if q.printed and over), "ratios agree")
            excess = {g: row[f] - powers[w][0] * row[g] * (q.kind == "approximate") for g, w in over}
            leaks.update({(f, 0 if q.printed else g): mass for g, mass in excess.items()})
    private = max(leaks.values(), default=0) <= delta * whole * q.budgets
    need(private and 0 <= delta <= (1 if q.delta is None else q.delta), "it must be as private as it says")


def bound(q: Fields, node: Fields, whole: int, fate: dict[tuple[int, ...], bool]) -> Fraction:
    """Return a bound for all mechanisms that keep, or violate, the comparisons of `fate` as it says."""
    grid = (q.tall, q.wide, q.wide)
    if hasattr(node, "split"):
        case = (*place(node.split, *grid[: 1 if q.printed else 3]), 0, 0)[:3]
        need(q.paying and (q.printed or case[1:] in q.pairs), "a split must decide a comparison")
        parts = (node.kept, {**fate, case: True}), (node.violated, {**fate, case: False})
        return min(bound(q, part, whole, known) for part, known in parts)
    worst, owed = getattr(node, "worst", []), [] if q.loss.most is None else [[node.cost]]
    worst, *owed = ([number(y, int) for y in ys] for ys in (worst, *owed, *getattr(node, "bounds", [])))
    need(q.loss.most is not None or number(node.cost, int) == 0, "a cost must be that of a bounded loss")
    sizes = [q.wide * q.loss.worst, *(q.wide if p.worst else 1 for p in q.bounds)]
    need([*map(len, (worst, *owed))] == sizes, "each loss must have its multipliers")
    need(min(map(min, [[0, *worst], *owed])) >= 0 == sum(worst) - whole * q.loss.worst, "weights sum to one")
    charged = [(q.loss, worst or [whole * (q.delta is not None)] * q.wide)]
    charged += [(p, ys if p.worst else ys * q.wide) for p, ys in zip(q.bounds, owed, strict=True)]
    given = sum(p.most * sum(ys) for p, ys in zip(q.bounds, owed, strict=True))
    ends = (q.lower.denominator * q.upper.denominator) ** max(q.pairs.values())
    unit = ends * lcm(*(part.unit for part, _ in charged))  # of a multiplier, on the scale of D
    shares = [(part.costs, [y * (unit // part.unit) for y in ys]) for part, ys in charged]
    cost = [[sum(x[r][f] * ys[f] for x, ys in shares) for f in range(q.wide)] for r in range(q.tall)]  # D
    budget, spent = {place(at, *grid[1:]): number(weight, int) for *at, weight in node.budget}, Counter()
    payable = ({(0, 0)} if q.printed else q.pairs.keys()) if q.budgets else set()
    sound = budget.keys() <= payable and min(budget.values(), default=0) >= 0
    need(sound and len(budget) == len(node.budget), "budgets must be of neighbours, once each")
    up, down = ({w: int(unit * end**w) for w in {*q.pairs.values()}} for end in (q.upper, q.lower))
    for *at, y in node.privacy:
        (r, f, g), weight = place(at, *grid), number(y, int)
        case = (r, 0, 0) if q.printed else (r, f, g)
        sign = 1 if fate.get(case, True) else -q.printed  # only the printed program compares violated ratios
        need(r < q.compared and (f, g) in q.pairs and sign * weight == abs(weight), "a privacy row is wrong")
        cost[r][f] += weight * unit
        cost[r][g] -= weight * (up if sign > 0 else down)[q.pairs[f, g]]
        spent[case] += 0 if case in fate else weight
    paid = sum((budget if q.budgets else spent).values())
    capped = not q.budgets or all(weight <= budget.get(case[1:], 0) for case, weight in spent.items())
    need(capped and (q.delta is not None or paid <= whole), "multipliers must keep to their budget")
    for (r, f, g), kept in fate.items():
        cost[r][f] += 0 if kept else budget.get((f, g), 0) * unit
    for *at, y in node.order:
        (r, f, s, g), weight = place(at, *grid[:2] * 2), number(y, int)
        need(ordered(q, r, f, s, g) and weight >= 0, "an order must be one of the question")
        cost[r][f] += weight * unit
        cost[s][g] -= weight * unit
    total, mean = ([number(y, int) for y in part] for part in (node.total, node.mean))
    need(len(total) == len(mean) == q.wide, "each column has a total and a mean")
    left = Counter()  # what is left for each name
    for r, f in product(range(q.tall), range(q.wide)):
        taken = total[f] + (mean[f] * (q.responses[r] - q.truths[f]) if q.means and mean[f] else 0)
        left[q.name[r, f]] += cost[r][f] - taken * unit
    least = sum(total) * unit + sum(min(x * end for end in q.limits[name]) for name, x in left.items())
    return (Fraction(least) / unit - paid * (q.delta or 0) - given) / whole


def check(certificate: str, matrix_csv: str | None = None) -> str:
    """Return what the texts of a certificate and of its CSV, if any, prove."""
    c = json.loads(certificate, object_pairs_hook=once, parse_float=int, parse_constant=int)
    need(f"{c.format} {c.version}" in ("optmech certificate 1", "optmech certificate 2"), "unknown format")
    lower, upper, delta, objective = map(number, (c.factor.lower, c.factor.upper, c.delta, c.objective))
    need(encloses(lower, c.question.privacy.epsilon, upper), "e^epsilon must lie from `lower` to `upper`")
    text = "\n".join([c.matrix.denominator, *c.matrix.rows]).encode()
    need(sha256(text).hexdigest() == c.sha256, "the matrix must have its SHA-256")
    matrix = [[number(m, int) for m in row.split(" ")] for row in c.matrix.rows]
    version, whole = int(c.version), number(c.matrix.denominator, int)
    q = read(c.question, max(lower, Fraction(1)), upper, version)
    check_matrix(q, matrix, whole, delta)
    need(objective == (delta if q.delta is None else q.loss.of(matrix, whole)), "the objective is another")
    told = [[t, *(repr(m / whole) for m in row)] for t, row in zip(q.query.responses, matrix, strict=True)]
    if matrix_csv is not None:
        lines = matrix_csv.removesuffix("\n").split("\n")
        cells = [line.split(",") for line in lines if line[:1] != "#"]
        need(cells == [["response", *q.query.truths], *told], "the CSV must hold the nearest doubles")
        labels = ["# labels", *getattr(c.question.query, "labels", [])]
        named = [next(reader([line])) for line in lines if line.startswith("# labels,")]
        need(all(row == labels for row in named), "the CSV must have the labels of the question")
    if (c.proof, c.bound, c.gap) != (None, None, None):
        least, unit = number(c.bound), number(c.proof.denominator, int)
        need(unit > 0 and least <= bound(q, c.proof.tree, unit, {}), "the bound must follow from its proof")
        need(number(c.gap) == objective - least >= 0, "the gap must be the objective less the bound")
    told = "no bound" if c.bound is None else f"bound {c.bound} or more, about {float(number(c.bound)):.6g}"
    return f"proved: objective {float(objective):.15g}, delta {float(delta):.15g}, {told}"


if __name__ == "__main__":
    try:
        print(check(*(Path(name).read_text(encoding="utf-8") for name in sys.argv[1:])))
    except Exception as trouble:
        sys.exit(f"refused: {type(trouble).__name__}: {' '.join(str(trouble).split())[:300]}")
