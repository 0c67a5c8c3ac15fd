"""Check the certificate of a table with its totals: exactly, with the standard library alone.

python check_table.py [--json] TABLE.json

1. Privacy. Lattice noise z is on whole-number tables, probability ~ exp(-z'Qz/2), Q^-1 = sum_A s_A P_A: a change v of
   one person spends rho = v'Qv/2, and epsilon, delta as one count of parameter 1/(2 rho) at its worst centre. Noise on
   margins is normal, rho = rows^2 sum 1/(2 s_S), or two-sided geometric, product a_S^-rows <= e^epsilon; least squares
   and coins read nothing else.
2. The variance of a number of margin S is at most out_S/cells_S sum_(A in S) r_A s_A, and what rounding adds.
3. Bound. Every mechanism as private, biased or not, has at some table at least V F step^2: F is the least of covariances,
   V that of one count, from multipliers: under zCDP p log(p/q) >= p (1 + log r) - q r. See docs/certificate.md.
"""

import json
import sys
from decimal import Context, Decimal, DivisionByZero, InvalidOperation, Overflow, Underflow, localcontext
from fractions import Fraction as F  # noqa: N817 - rows stay short
from itertools import combinations, count, takewhile
from math import isqrt, prod
from pathlib import Path
from typing import Any

SUMS = [[], [["sum", ["above", "below"]]], [["sum", ["high", "middle", "low"]]]]
ZERO, SLACK, SMALL = Decimal(0), Decimal(10) ** -24, Decimal(10) ** -30


def _need(holds: object, rule: str) -> None:
    if not holds:
        raise ValueError(rule)


def _parts(value: Any, names: str) -> list[Any]:  # fields that are these
    _need([*value] == names.split(), f"fields must be {names}")
    return [*value.values()]


def _whole(value: Any, least: int, most: int = 10**15) -> int:
    _need(type(value) is int and least <= value <= most, f"a whole number must be from {least} to {most}")
    return int(value)


def _number(text: Any) -> F:
    x = F(*map(int, text.split("/")))
    _need(str(x) == text, "odd number")
    return x


def _dec(x: F) -> Decimal:  # to 40 digits
    return Decimal(x.numerator) / Decimal(x.denominator)


def _exact(x: Decimal) -> F:
    _need(abs(x.adjusted()) <= 1000 or not x, "too many digits")
    return F(x)


def _phi(w: Decimal, s: Decimal) -> Decimal:
    return (-w * w / (2 * s)).exp()


def _tail(s: Decimal, w: Decimal, power: int) -> Decimal:
    terms, least = ((w + j, _phi(w + j, s)) for j in count()), SMALL * _phi(w, s)
    return sum((x**power * y for x, y in takewhile(lambda term: term[1] > least, terms)), ZERO)


def _delta(rho: F, epsilon: F, centre: Any) -> F:
    low, high = map(_number, centre)
    _need(epsilon > 0 and 1 / (2 * rho) <= 10**6, "odd epsilon or rho")
    s = _dec(1 / (2 * rho))
    h, rise = s * _dec(epsilon) + Decimal("0.5"), _dec(epsilon).exp() - 1
    for u, sign in ((_dec(low), 1), (_dec(high), -1)):
        rest, cut = _tail(s, h + u, 1), (h + u + 8 * s + 10) * SMALL * _phi(h + u, s)
        slope = rise * (rest if sign > 0 else rest + cut) - (h + u - 1) * _phi(h + u - 1, s)
        _need(u == (1 - sign) // 2 or slope * sign >= SLACK * rise * rest, "centre beyond")
    peak = _phi(max(h + _dec(low) - 1, ZERO), s)
    bracket = max(peak - rise * _tail(s, h + _dec(high), 0), ZERO) + SLACK * peak
    return _exact(max(bracket / (2 * _tail(s, Decimal("0.5"), 0)), Decimal(10) ** -300))


def _zcdp_bound(told: Any, rho: F) -> F:
    rows, m, weight, bits, listed = _parts(told, "rows points weight bits logarithms")
    half, lam, unit = (_whole(m, 1, 10**5) + 1) // 2, _dec(_number(weight)), 2 ** _whole(bits, 0, 40)
    _need(m % 2 and lam > 0 and _whole(rows, 1, 10**9), "odd multipliers")
    above = [Decimal(_whole(t, 1 - 64 * unit, 64 * unit - 1)) / unit for t in listed]
    above += above[-1:] * (half - len(above))
    g = [-x for x in above[:half][::-1]] + above  # log r at j/m
    r, up = [x.exp() for x in g], [min(j + m, len(g) - 1) for j in range(len(g))]
    inner = (2 + g[i] - g[j] - r[j] - 1 / r[i] for j, i in enumerate(up))
    least = min(Decimal(j * j) / (m * m) + lam / 2 * x for j, x in enumerate(inner))
    least -= lam * _dec(rows**2 * rho) + 1 / Decimal(4 * m * m)
    return _exact(rows**2 * (least - SLACK * (1 + abs(least) + lam)))


def _bound(told: Any, epsilon: F, delta: F) -> F:  # the same under epsilon and delta
    eps, e = _dec(epsilon), _dec(epsilon).exp()
    pure = _exact(2 * e / (e - 1) ** 2 * (1 - SLACK))
    if told is None and not delta:
        return pure
    eta, beyond = map(_number, told)
    h, x = _dec(eta), _dec(beyond)
    slope, rise = (2 * x + 2 * e / (e - 1)) / (e - 1), h * (e + 1) / (2 * (e - 1)) * eps * (eps * x).exp()
    _need(delta and 0 < eta <= pure and x >= 0 and slope * (1 + SLACK) <= rise, "odd points")
    most = (x * x + h) / (e - 1) + e * (2 * x + 1) / (e - 1) ** 2 - slope / eps
    return pure - eta - 2 * delta * _exact(most + SLACK * (1 + abs(most) + slope / eps))


def prove(text: str) -> dict[str, Any]:
    """Return what a certificate proves, or raise an error."""
    read = json.loads(text)
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in read.items())
    _need(text == "{\n" + lines + "\n}\n", "odd spelling")
    names = "format version question mechanism epsilon objective bound gap proof"
    form, version, question, mechanism, spends, *claims, proof = _parts(read, names)
    names = "kind axes totals weights at_most at_most_per_cell is_sum zcdp epsilon delta"
    names += " records" * ("records" in question)
    kind, axes, published, goal, most, step, is_sum, *budget = _parts(question, names)
    _need((form, kind, type(is_sum)) == ("optmech certificate", "table", bool), "no table")
    n = [x if type(x) is int else len({*x}) * ({*map(type, x)} == {str}) for _, x in axes]
    _need(all(_whole(k, 2) and (x == k or len(x) == k) for k, (_, x) in zip(n, axes)), "odd axes")
    _need(_whole(version, 2, 2) and len(n) <= 10 and prod(n) <= 10**8, "too many axes")
    every = [frozenset(each) for k in range(len(n) + 1) for each in combinations(range(len(n)), k)]
    name = {part: "*".join(axes[i][0] for i in sorted(part)) or "total" for part in every}
    _need(len({*name.values()}) == len(every), "names like others")
    cells, free = ({part: prod(n[i] - k for i in part) for part in every} for k in (0, 1))

    def margins(told: Any, within: Any) -> dict[frozenset[int], F]:
        found = {margin: _number(told[name[margin]]) for margin in within if name[margin] in told}
        _need([*told] == [name[margin] for margin in found] and min(found.values()) > 0, "odd margins")
        return found

    if budget[3:]:  # a record of t steps adds t, u-t or t^2, 2t(u-t), (u-t)^2: u or u^2 in all
        low, high, unit, rows, in_group = _parts(budget[3], "low high unit at_most at_most_per_group")
        u = _whole(high, -(10**15)) - _whole(low, -(10**15))
        w = [max(abs(low), abs(high)), u, u * u][SUMS.index(axes)]
        _need(u > 0 and _number(unit) > 0 and is_sum and (n != [3] or claims[1] == "0"), "odd range")
        _need((most, step) == (_whole(rows, 1) * w, _whole(in_group, 1) * w), "odd person")
    totals = [margin for margin in every if name[margin] in published]
    _need(totals and published == [name[margin] for margin in totals], "odd totals")
    zcdp, own, delta = (None if x is None else _number(x) for x in budget[:3])
    epsilon, (centre, prices, multipliers) = _number(spends), _parts(proof, "centre prices count")
    _need((own is None) == (zcdp is not None) and own in (None, epsilon) and (centre or own), "one budget")
    _need(0 <= delta < 1 and _whole(step, 1, _whole(most, 1)), "odd budget")
    add = dict.fromkeys(totals, F())
    if centre and [*mechanism] == ["lattice"]:
        s = margins(mechanism["lattice"], every)
        q = {part: 1 / s[part] for part in every}
        for i, k in enumerate(n):
            q = {d: q[d - {i}] / k + q[d | {i}] * F(-1 if i in d else k - 1, k) for d in every}
        cross = max([F(), *(abs(x) for apart, x in q.items() if apart)])
        rho = ((most // step * step**2 + (most % step) ** 2) * (q[every[0]] - cross) + most**2 * cross) / 2
    else:
        a, bits, weights = _parts(mechanism, f"{'spreads' if centre else 'ratios'} bits weights")
        a, s, listed = margins(a, every), {}, {(part, margin): x for part, margin, x in weights}
        _need([x[:2] for x in weights] == [[name[p], name[m]] for p in every for m in a if p <= m], "pairs")
        rho, spent = most**2 * sum(1 / a[m] for m in a) / 2, -most * sum(_dec(a[m]).ln() for m in a)
        _need((centre or max(a.values()) < 1) and (centre or spent * (1 + SLACK) <= _dec(epsilon)), "noise")
        v = {m: x if centre else 2 * x / (1 - x) ** 2 for m, x in a.items()}
        for part in [part for part in every if any(part <= margin for margin in a)]:
            w = {m: _whole(listed[name[part], name[m]], 1 - 2**64, 2**64 - 1) for m in a if part <= m}
            _need(sum(w.values()) == 2 ** _whole(bits, 0, 64), "a bias")
            s[part] = sum(w[m] ** 2 * cells[m] * v[m] for m in w) / 4**bits / prod(n)
        h2 = [sum(F(1, j * j) for j in range(1, 1 + min(k, 32))) + F(1, min(k, 32)) - F(1, k) for k in n]
        add |= {m: prod((h2[i] for i in m), start=F(1, 4)) for m in totals if [*a] != every[-1:]}
    _need((zcdp is None or rho <= zcdp) and (not centre or _delta(rho, epsilon, centre) <= delta), "spent")
    var = {m: F(prod(n), cells[m] ** 2) * sum(free[p] * s[p] for p in every if p <= m) + add[m] for m in add}
    goals = {"every number": dict.fromkeys(totals, F(1)), "every margin": {m: F(1, cells[m]) for m in totals}}
    same = goal == "same error"
    c = margins(prices, totals) if same else goals[goal] if type(goal) is str else margins(goal, totals)
    _need(same or ([*c] == totals and prices is None), "odd weights")
    loss = max(var.values()) if same else sum(c[m] * cells[m] * var[m] for m in totals)
    own = {p: sum((c[m] / cells[m] for m in c if p <= m), F()) for p in every}
    root = sum(free[p] * F(isqrt((x.numerator << 192) // x.denominator), 1 << 96) for p, x in own.items())
    least = _zcdp_bound(multipliers, zcdp) if zcdp else _bound(multipliers, epsilon, delta)
    least *= root**2 * step**2 / (sum(c[m] * cells[m] for m in c) if same else 1)
    objective, bound, gap = map(_number, claims)
    _need(loss == objective and 0 <= bound <= max(least, 0) and gap == objective - bound, "odd claims")
    told = {"objective": loss, "bound": bound, "epsilon": epsilon, "delta": delta if centre else 0}
    return {key: str(x) for key, x in told.items()} | {"variances": {name[m]: str(x) for m, x in var.items()}}


def main(words: list[str]) -> int:
    """Print what is proved, or why it is not."""
    try:
        traps = [Overflow, Underflow, InvalidOperation, DivisionByZero]
        with localcontext(Context(prec=40, Emin=-(10**9), Emax=10**9, traps=traps)):
            told = {"verdict": "proved", **prove(Path(words[-1]).read_bytes().decode())}
    except Exception as trouble:
        told = {"verdict": "refused", "reason": f"{type(trouble).__name__}: {trouble}"[:300]}
    print(json.dumps(told) if "--json" in words else "\n".join(f"{key}: {told[key]}" for key in told))
    return 0 if told["verdict"] == "proved" else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
