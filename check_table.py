"""Check the certificate of a table with its totals: exactly, with the standard library alone.

python check_table.py [--json] TABLE.json

1. Privacy. Lattice noise z is on whole-number tables, probability ~ exp(-z'Qz/2), Q^-1 = sum_A s_A P_A: a change v of
   one person spends rho = v'Qv/2, and epsilon, delta as one count of parameter 1/(2 rho) at its worst centre. Noise on
   margins is two-sided geometric and spends product a_S^-rows <= e^epsilon; least squares and coins read nothing else.
2. The variance of a number of margin S is at most out_S/cells_S sum_(A in S) r_A s_A, and what rounding adds.
3. Bound. Every mechanism as private, biased or not, has at some table at least V F step^2: F is the least of covariances,
   V that of one count, from multipliers: under zCDP p log(p/q) >= p (1 + log r) - q r. See docs/theory/tables.md.
"""

import json
import sys
from decimal import Context, Decimal, DivisionByZero, InvalidOperation, Overflow, Underflow, localcontext
from fractions import Fraction as F
from itertools import combinations, count, takewhile
from math import isqrt, prod
from pathlib import Path
from typing import Any

SLACK, SMALL, TRAPS = (
    Decimal(10) ** -24,
    Decimal(10) ** -30,
    [Overflow, Underflow, InvalidOperation, DivisionByZero],
)


def need(holds: object, rule: str) -> None:
    """Refuse what breaks a rule."""
    if not holds:
        raise ValueError(rule)


def parts(value: Any, names: str) -> list[Any]:
    """Return the fields of an object, which are these, in this order."""
    need(type(value) is dict and [*value] == names.split(), f"fields must be {names}")
    return [*value.values()]


def number(text: Any) -> F:
    """Return a fraction, which stands in lowest terms."""
    need(type(text) is str and len(text) <= 2000 and str(F(text)) == text, "numbers must be in lowest terms")
    return F(text)


def whole(value: Any, least: int, most: int) -> int:
    """Return a whole number of a range."""
    need(type(value) is int and least <= value <= most, f"a whole number must be from {least} to {most}")
    return int(value)


def dec(x: F) -> Decimal:
    """Return a fraction to 40 digits."""
    return Decimal(x.numerator) / Decimal(x.denominator)


def phi(w: Decimal, s: Decimal) -> Decimal:
    """Return exp(-w^2 / 2s)."""
    return (-w * w / (2 * s)).exp()


def tail(s: Decimal, w: Decimal, power: int) -> Decimal:
    """Return the sum of w^power phi(w) over w, w + 1, ..., but for terms that are too small."""
    terms, least = ((w + j, phi(w + j, s)) for j in count()), SMALL * phi(w, s)
    return sum((x**power * y for x, y in takewhile(lambda term: term[1] > least, terms)), Decimal(0))


def delta_of(rho: F, epsilon: F, centre: Any) -> F:
    """Return at most the delta of one count at its worst centre, which lies between two points."""
    low, high = map(number, centre)
    need(0 <= low <= high <= 1 and epsilon > 0 and 0 < 1 / (2 * rho) <= 10**6, "centres must be from 0 to 1")
    s = dec(1 / (2 * rho))
    h, rise = s * dec(epsilon) + Decimal("0.5"), dec(epsilon).exp() - 1
    for u, sign in ((dec(low), 1), (dec(high), -1)):
        first, rest, cut = h + u - 1, tail(s, h + u, 1), (h + u + 8 * s + 10) * SMALL * phi(h + u, s)
        slope = rise * (rest if sign > 0 else rest + cut) - first * phi(first, s)
        need(u == (1 - sign) // 2 or slope * sign >= SLACK * rise * rest, "the worst centre must lie between")
    peak = phi(max(h + dec(low) - 1, Decimal(0)), s)
    bracket = max(peak - rise * tail(s, h + dec(high), 0), Decimal(0)) + SLACK * peak
    return F(bracket / (2 * tail(s, Decimal("0.5"), 0)))


def bound_of_count(told: Any, rho: F | None, epsilon: F, delta: F) -> F:
    """Return at most the least mean squared error of one count."""
    if rho is not None:
        rows, m, weight, bits, listed = parts(told, "rows points weight bits logarithms")
        half, lam = (whole(m, 1, 10**5) + 1) // 2, dec(number(weight))
        need(m % 2 == 1 and lam > 0 and whole(rows, 1, 10**9) and 0 < len(listed) <= 10**5, "odd multipliers")
        above = [Decimal(whole(t, -(64 << bits), 64 << bits)) / 2 ** whole(bits, 0, 40) for t in listed]
        above += above[-1:] * (half - len(above))
        g = [-x for x in above[:half][::-1]] + above  # log r at j/m from 0 on; log r(1-z) = -log r(z)
        r, ups = [x.exp() for x in g], [min(j + m, len(g) - 1) for j in range(len(g))]
        terms = (2 + g[up] - g[j] - r[j] - 1 / r[up] for j, up in enumerate(ups))
        least = min(Decimal(j * j) / (m * m) + lam / 2 * term for j, term in enumerate(terms))
        least -= lam * dec(rows**2 * rho) + 1 / Decimal(4 * m * m)
        return F(rows**2 * (least - SLACK * (1 + abs(least) + lam)))
    e = dec(epsilon).exp()
    pure = F(2 * e / (e - 1) ** 2 * (1 - SLACK))
    if told is None and not delta:
        return pure
    eta, beyond = map(number, told)
    h, x, eps = dec(eta), dec(beyond), dec(epsilon)
    slope, rise = (2 * x + 2 * e / (e - 1)) / (e - 1), h * (e + 1) / (2 * (e - 1)) * eps * (eps * x).exp()
    need(delta and 0 < eta <= pure and x >= 0 and slope * (1 + SLACK) <= rise, "points beyond the maximum")
    most = (x * x + h) / (e - 1) + e * (2 * x + 1) / (e - 1) ** 2 - slope / eps
    return pure - eta - 2 * delta * F(most + SLACK * (1 + abs(most) + slope / eps))


def prove(text: str) -> dict[str, str]:
    """Return what a certificate proves, or raise an error."""
    need(len(text) <= 20_000_000, "the file must not be too long")
    read = json.loads(text)
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in read.items())
    need(text == "{\n" + lines + "\n}\n", "the file must be written as described")  # so no field stands twice
    fields = "format version question mechanism epsilon objective bound gap proof"
    form, version, question, mechanism, spends, *claims, proof = parts(read, fields)
    fields = "kind axes totals weights at_most at_most_per_cell is_sum zcdp epsilon delta"
    kind, axes, published, goal, most, step, is_sum, *budget = parts(question, fields)
    known = (form, version, kind, type(is_sum)) == ("optmech certificate", 2, "table", bool)
    need(known and type(axes) is list and len(axes) <= 10 and type(published) is list, "this is no table")
    for name, size in axes:
        plain = type(name) is str and name and name == name.strip() and not set(name) & set("*;:,=\n")
        need(plain and name != "total" and len(name) <= 200, "names of axes must be plain")
        need(type(size) is int or len({*size}) == len(size) <= 10**5, "categories must be different")
        need(type(size) is int or all(type(label) is str for label in size), "categories must be texts")
    names, n = [name for name, _ in axes], [size if type(size) is int else len(size) for _, size in axes]
    need(len({*names}) == len(n) and all(size >= 2 for size in n) and prod(n) <= 10**8, "axes must be fit")
    every = [frozenset(each) for k in range(len(n) + 1) for each in combinations(range(len(n)), k)]
    called = {S: "*".join(names[i] for i in sorted(S)) or "total" for S in every}
    cells, free = {S: prod(n[i] for i in S) for S in every}, {S: prod(n[i] - 1 for i in S) for S in every}
    out = {S: prod(n) // cells[S] for S in every}

    def by_margin(told: Any, within: Any) -> dict[frozenset[int], F]:
        found = {S: number(told[called[S]]) for S in every if S in within and called[S] in told}
        need([*told] == [called[S] for S in found] and all(x > 0 for x in found.values()), "odd margins")
        return found

    totals = [S for S in every if called[S] in published]
    need(totals and published == [called[S] for S in totals], "totals must have one spelling and one order")
    whole(step, 1, whole(most, 1, 10**15))
    zcdp, own, delta = (None if x is None else number(x) for x in budget)
    epsilon, (centre, prices, count_told) = number(spends), parts(proof, "centre prices count")
    amount = zcdp if own is None else own
    need(
        (zcdp is None) != (own is None) and amount and F(1, 10**6) <= amount <= 100,
        "one budget, within limits",
    )
    need(0 <= delta < 1 and own in (None, epsilon) and (delta or zcdp is None), "odd budget")
    rounds = {S: F(0) for S in every}
    if "lattice" in mechanism:
        s = by_margin(*parts(mechanism, "lattice"), every)
        need(len(s) == len(every), "each interaction has a variance")
        q = {A: 1 / x for A, x in s.items()}
        for i, size in enumerate(n):
            q = {D: q[D - {i}] / size + q[D | {i}] * F(-1 if i in D else size - 1, size) for D in every}
        cross = max([F(0), *(abs(x) for D, x in q.items() if D)])
        squares = most // step * step**2 + (most % step) ** 2
        rho = (squares * (q[frozenset()] - cross) + most**2 * cross) / 2
        need(zcdp is None or rho <= zcdp, "the noise spends more rho than asked")
        need(delta_of(rho, epsilon, centre) <= delta, "the noise spends more delta than asked")
    else:
        ratios, bits, weights = parts(mechanism, "ratios bits weights")
        a = by_margin(ratios, every)
        need(zcdp is None and centre is None and a and max(a.values()) < 1, "odd noise")
        spent = -most * sum(dec(x).ln() for x in a.values())
        need(spent * (1 + SLACK) <= dec(epsilon), "the noise spends more epsilon than asked")
        pairs = [(A, S) for A in every for S in a if A <= S]
        told = [[called[A], called[S], x] for (A, S), (_, _, x) in zip(pairs, weights, strict=True)]
        need(weights == told and all(type(x) is int for _, _, x in told), "odd weights")
        s = {A: F(0) for A, _ in pairs}
        sums = {A: 0 for A in s}
        for (A, S), (_, _, x) in zip(pairs, told):
            s[A] += F(x * x, 4 ** whole(bits, 0, 64) * out[S]) * 2 * a[S] / (1 - a[S]) ** 2
            sums[A] += x
        need({*sums.values()} == {2**bits} and all(S in s for S in totals), "weights that have no bias")
        h2 = [sum(F(1, j * j) for j in range(1, size + 1)) for size in n]
        rounds = {S: prod((h2[i] for i in S), start=F(1, 4)) if [*a] != every[-1:] else F(0) for S in every}
    var = {S: F(out[S], cells[S]) * sum(free[A] * s[A] for A in every if A <= S) + rounds[S] for S in totals}
    if isinstance(goal, str):
        need(goal in ("same error", "every number", "every margin"), "odd weights of errors")
    c = {S: F(1, cells[S] if goal == "every margin" else 1) for S in totals}
    if goal == "same error":
        objective, c = max(var.values()), by_margin(prices, totals)
    else:
        c = c if isinstance(goal, str) else by_margin(goal, totals)
        need([*c] == totals and prices is None, "odd weights of errors")
        objective = sum(c[S] * cells[S] * var[S] for S in totals)
    F_root = sum(
        free[A] * F(isqrt((x.numerator << 192) // x.denominator), 1 << 96)
        for A in every
        for x in [sum((c[S] * out[S] for S in c if A <= S), F(0)) / prod(n)]
    )
    loss, bound, gap = map(number, claims)
    scale = sum(c[S] * cells[S] for S in c) if goal == "same error" else 1
    most_bound = bound_of_count(count_told, zcdp, epsilon, delta) * F_root**2 / scale * step**2
    need(loss == objective and 0 <= bound <= max(most_bound, 0) and gap == loss - bound, "odd claims")
    told = {"objective": loss, "bound": bound, "epsilon": epsilon, "delta": delta if centre else F(0)}
    return {name: str(x) for name, x in told.items()} | {called[S]: str(x) for S, x in var.items()}


def main(words: list[str]) -> int:
    """Print what is proved, or why it is not."""
    try:
        context = Context(prec=40, Emin=-(10**9), Emax=10**9, traps=TRAPS)
        with localcontext(context):
            told = {"verdict": "proved", **prove(Path(words[-1]).read_bytes().decode())}
    except Exception as trouble:
        told = {"verdict": "refused", "reason": f"{type(trouble).__name__}: {trouble}"[:300]}
    print(
        json.dumps(told) if "--json" in words else "\n".join(f"{key}: {value}" for key, value in told.items())
    )
    return 0 if told["verdict"] == "proved" else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
