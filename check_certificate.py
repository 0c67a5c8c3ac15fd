"""Check a certificate and its CSV, as docs/certificate.md says: python check_certificate.py X.json X.csv."""

import json
import re
import sys
from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from hashlib import sha256
from itertools import product
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


def read(asked: Fields, lower: Fraction, upper: Fraction) -> Fields:
    """Return the question in numbers; what is not known or does not fit is refused."""
    query, noise, privacy, aim = asked.query, asked.structure, asked.privacy, asked.objective
    truths, responses = [*map(number, query.truths)], [*map(number, query.responses)]
    tall, wide, structure, properties = len(responses), len(truths), noise.kind, asked.properties
    need(truths == sorted({*truths}) and responses == sorted({*responses}), "truths must increase")
    home = place(query.home, *[tall + 1] * wide)  # the response that holds each truth; `tall` where none does
    known = {"row-monotone", "symmetric"} | ({"column-monotone", "fair"} if tall not in home else set())
    need({*properties} <= (known if structure == "free" else set()), "properties must be known and fit")
    pairs = {place(pair, wide, wide) for pair in query.pairs}  # f may exceed g by the factor
    pairs |= {(f, g) for f, g in product(range(wide), repeat=2) if 0 < abs(f - g) <= query.reach}
    need(pairs and all(f != g for f, g in pairs), "there must be neighbours, each two truths")
    width, eta, counts = noise.half_width, number(noise.accuracy), structure in ("symmetric", "zero-bias")
    fits = structure == "free" or (structure == "modular" and tall == wide)
    if counts:  # truths are counts, responses all that the noise makes of them
        first = max(truths[0], width if structure == "symmetric" else 1)
        fits = type(width) is int and width > 0 and 0 < eta < 1 and truths == [first + f for f in range(wide)]
        fits &= responses == [max(0, first - width) + r for r in range(tall)] and int(first) == first
        fits &= [*home] == [t - responses[0] for t in truths] and responses[-1] == truths[-1] + width
    kind, limit = privacy.kind, {"pure": 0, "per-outcome": 1, "probabilistic": 1}[privacy.kind]
    paying, printed, compared = kind == "probabilistic", privacy.printed and kind == "probabilistic", tall
    if printed:  # one noise, and truth 0 stands for all
        fits &= structure == "modular" and pairs == {((f + 1) % wide, (g + 1) % wide) for f, g in pairs}
        pairs = {(f, g) for f, g in pairs if f == 0}
    elif (structure, kind) == ("symmetric", "per-outcome"):  # truths 0 and 1 stand for all
        fits &= {abs(f - g) for f, g in pairs} == {1}
        pairs, compared = {(0, 1)}, (1 if privacy.printed else 2) * width + 1
    need(fits and (type(query.reach), type(privacy.printed)) == (int, bool), "parts must fit each other")
    delta, at_most = (None if text is None else number(text) for text in (privacy.delta, aim.at_most))
    need(0 <= {"loss": delta, "delta": 1 if delta is None else -1}[aim.least] <= limit, "delta is wrong")
    unit, costs = number(aim.unit, int), [[number(x, int) for x in row.split(" ")] for row in aim.costs]
    need(unit > 0 and [len(row) for row in costs] == [wide] * tall, "costs must fit truths and responses")
    return Fields(**locals())


def entry(q: Fields, r: int, f: int) -> tuple[int, ...]:
    """Return what entry (r, f) is called; entries of one name are equal in all matrices of the question."""
    places = [(r, f), (q.tall - 1 - r, q.wide - 1 - f)] if "symmetric" in q.properties else [(r, f)]
    away = (r - f) % q.wide if q.structure == "modular" else min(abs(s - q.home[g]) for s, g in places)
    if q.structure in ("modular", "symmetric") or (away == 0 and (q.counts or "fair" in q.properties)):
        return (away,)
    return min(places)


def ordered(q: Fields, r: int, f: int, s: int, g: int) -> bool:
    """Whether a property says that entry (r, f) is at most entry (s, g)."""
    if f == g:
        return "column-monotone" in q.properties and (r < s <= q.home[f] or r > s >= q.home[f])
    last, first = q.query.row_ends[r] if "row-monotone" in q.properties and r == s else (0, q.wide)
    return f < g <= last or f > g >= first


def check_matrix(q: Fields, matrix: list[list[int]], whole: int, delta: Fraction) -> None:
    """Refuse numerators over `whole` that are not as asked, or spend more than `delta`."""
    need([*map(sum, zip(*matrix, strict=True))] == [whole] * q.wide, "each column must sum to one")
    values = {(0,): q.eta * whole} if q.counts else {}
    for r, f in product(range(q.tall), range(q.wide)):
        m, near = matrix[r][f], ((r - 1, f), (r + 1, f), (r, f - 1), (r, f + 1))
        need(0 <= m == values.setdefault(entry(q, r, f), m), "equal entries must be, and >= 0")
        need(not q.counts or abs(r - q.home[f]) <= q.width or m == 0, "noise must keep to its width")
        for s, g in near if q.properties else ():
            need(not ordered(q, r, f, s, g) or m <= matrix[s][g], "the matrix must be monotone")
    for f, n in enumerate(q.home if q.counts else ()):
        need(sum((r - n) * row[f] for r, row in enumerate(matrix)) == 0, "noise must have mean zero")
    near = {f: [g for h, g in q.pairs if h == f] for f in {f for f, _ in q.pairs}}
    bottom, leaks = q.lower.denominator * delta.denominator, Counter[tuple[int, int]]()
    factor, spare = int(q.lower * bottom), 0 if q.paying else int(delta * bottom) * whole
    for row in matrix[: q.compared]:
        caps = [(factor * m + spare) // bottom for m in row]  # the largest integers up to E m + delta
        for f in near if max(row) > min(caps) else ():
            over = [g for g in near[f] if row[f] > caps[g]]
            need(all(row[f] >= q.upper * row[g] for g in near[f] if q.printed and over), "ratios must agree")
            leaks.update({(f, 0 if q.printed else g): row[f] for g in over})
    private = max(leaks.values(), default=0) <= delta * whole * q.paying
    need(private and 0 <= delta <= (1 if q.delta is None else q.delta), "it must be as private as it says")


def bound(q: Fields, node: Fields, whole: int, fate: dict[tuple[int, ...], bool]) -> Fraction:
    """Return a bound for all mechanisms that keep, or violate, the comparisons of `fate` as it says."""
    grid = (q.tall, q.wide, q.wide)
    if hasattr(node, "split"):
        case = (*place(node.split, *grid[: 1 if q.printed else 3]), 0, 0)[:3]
        need(q.paying and (q.printed or case[1:] in q.pairs), "a split must decide a comparison")
        parts = (node.kept, {**fate, case: True}), (node.violated, {**fate, case: False})
        return min(bound(q, part, whole, known) for part, known in parts)
    price, scale = number(node.cost, int), q.lower.denominator * q.upper.denominator
    share, unit = scale * (price + (0 if q.delta is None else whole)), scale * q.unit
    cost, spent = [[share * x for x in row] for row in q.costs], Counter[tuple[int, ...]]()  # D
    budget = {place(at, *grid[1:]): number(weight, int) for *at, weight in node.budget}
    payable = ({(0, 0)} if q.printed else q.pairs) if q.paying else set()
    sound = budget.keys() <= payable and min(budget.values(), default=0) >= 0
    need(sound and len(budget) == len(node.budget), "budgets must be of neighbours, once each")
    need(price >= 0 == (price if q.at_most is None else 0), "a cost must be that of a bounded loss")
    for *at, y in node.privacy:
        (r, f, g), weight = place(at, *grid), number(y, int)
        case = (r, 0, 0) if q.printed else (r, f, g)
        sign = 1 if fate.get(case, True) else -q.printed  # only the printed program compares violated ratios
        need(r < q.compared and (f, g) in q.pairs and sign * weight == abs(weight), "a privacy row is wrong")
        cost[r][f] += weight * unit
        cost[r][g] -= int(weight * unit * (q.upper if sign > 0 else q.lower))
        spent[case] += 0 if case in fate else weight
    paid = sum((budget if q.paying else spent).values())
    capped = not q.paying or all(weight <= budget.get(case[1:], 0) for case, weight in spent.items())
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
    left = Counter[tuple[int, ...]]()  # what is left for each name, at most 1 and at least 0 in probability
    for (r, row), f in product(enumerate(cost), range(q.wide)):
        if not q.counts or abs(r - q.home[f]) <= q.width:
            left[entry(q, r, f)] += row[f] - (total[f] + q.counts * mean[f] * (r - q.home[f])) * unit
    fixed = left.pop((0,)) * q.eta if q.counts else 0
    least = sum(total) * unit + fixed + sum(x for x in left.values() if x < 0)
    return (Fraction(least) / unit - paid * (q.delta or 0) - price * (q.at_most or 0)) / whole


def check(certificate: str, matrix_csv: str) -> str:
    """Return what the texts of a certificate and of its CSV prove."""
    c = json.loads(certificate, object_pairs_hook=once, parse_float=int, parse_constant=int)
    need(f"{c.format} {c.version}" == "optmech certificate 1", "the format must be known, in version 1")
    lower, upper, delta, objective = map(number, (c.factor.lower, c.factor.upper, c.delta, c.objective))
    need(encloses(lower, c.question.privacy.epsilon, upper), "e^epsilon must lie from `lower` to `upper`")
    text = "\n".join([c.matrix.denominator, *c.matrix.rows]).encode()
    need(sha256(text).hexdigest() == c.sha256, "the matrix must have its SHA-256")
    matrix = [[number(m, int) for m in row.split(" ")] for row in c.matrix.rows]
    q, whole = read(c.question, max(lower, Fraction(1)), upper), number(c.matrix.denominator, int)
    check_matrix(q, matrix, whole, delta)
    loss = Fraction(sum(x * m for a, b in zip(q.costs, matrix) for x, m in zip(a, b)), whole * q.unit)
    need(objective == (delta if q.delta is None else loss), "the objective must be that of the matrix")
    need(q.at_most is None or loss <= q.at_most, "the loss must be at most its bound")
    told = [[t, *(repr(m / whole) for m in row)] for t, row in zip(q.query.responses, matrix, strict=True)]
    lines = [line.split(",") for line in matrix_csv.removesuffix("\n").split("\n") if line[:1] != "#"]
    need(lines == [["response", *q.query.truths], *told], "the CSV must hold the nearest doubles")
    if (c.proof, c.bound, c.gap) != (None, None, None):
        least, unit = number(c.bound), number(c.proof.denominator, int)
        need(unit > 0 and least <= bound(q, c.proof.tree, unit, {}), "the bound must follow from its proof")
        need(number(c.gap) == objective - least >= 0, "the gap must be the objective less the bound")
    return f"proved: objective {float(objective):.15g}, delta {float(delta):.15g}, bound {c.bound} or more"


if __name__ == "__main__":
    try:
        print(check(*(Path(name).read_text(encoding="utf-8") for name in sys.argv[1:])))
    except Exception as trouble:
        sys.exit(f"refused: {type(trouble).__name__}: {' '.join(str(trouble).split())[:300]}")
