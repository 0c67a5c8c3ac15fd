"""Check the certificate of quantiles of records: exactly, with the standard library alone.

python check_quantile.py [--json] QUANTILES.json

1. Privacy. The loss of a value v is max(#{x < v} - q n, q n - #{x <= v}). A row that comes or goes moves it by at most
   D = max(q, 1 - q), and a value that changes, n being public, by 1. Values with coins exp(-eta loss/(2 D B)), B rows a
   person: permute-and-flip spends eta, and so does the exponential mechanism, which spends eta^2/8 of zCDP as well.
   A tree spends that in each level: m quantiles have floor(log2 m) + 1 levels, and a record is in one part of each.
   Rows of one value have random places, each its own: a mixture of private releases with the same law is private.
2. Rank bound, whatever the records are, of one quantile among k values: P(rank error > t) is at most
   (k - 1)/2 exp(-eta t/(2 D B)) by permute-and-flip, and k exp(-eta t/(2 D B)) by the exponential mechanism.
"""

import json
import sys
from decimal import Decimal, localcontext
from fractions import Fraction as F  # noqa: N817 - rows stay short
from pathlib import Path
from typing import Any


def _need(holds: object, rule: str) -> None:
    if not holds:
        raise ValueError(rule)


def _parts(value: Any, names: str) -> list[Any]:  # fields that are these
    _need([*value] == names.split(), f"fields must be {names}")
    return [*value.values()]


def _number(text: Any) -> F:
    x = F(*map(int, text.split("/")))
    _need(str(x) == text, "odd number")
    return x


def _whole(value: Any, least: int, most: int) -> int:
    _need(type(value) is int and least <= value <= most, f"a whole number must be from {least} to {most}")
    return int(value)


def prove(text: str) -> dict[str, Any]:
    """Return what a certificate proves, or raise an error."""
    _need(len(text) <= 10**4, "too long")
    read = json.loads(text)
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in read.items())
    _need(text == "{\n" + lines + "\n}\n", "odd spelling")
    form, version, question, mechanism, spends, bound = _parts(
        read, "format version question mechanism epsilon rank_bound"
    )
    kind, ends, step, of, rows, neighbours, *budget = _parts(
        question, "kind range step of at_most neighbours zcdp epsilon"
    )
    _need((form, kind) == ("optmech certificate", "quantiles") and _whole(version, 2, 2), "no quantiles")
    low, high, step = *map(_number, ends), _number(step)
    q, rows = [*map(_number, of)], _whole(rows, 1, 10**6)
    _need(step > 0 and low < high and (high - low) % step == 0, "odd range")
    k = int((high - low) / step) + 1
    _need(k <= 10**8, "too many values")
    _need(
        q == sorted({*q}) and q[0] > 0 and q[-1] < 1 and max(x.denominator for x in q) < 2**64,
        "odd quantiles",
    )
    is_change = neighbours == "change"
    _need(is_change or neighbours == "add-remove", "odd neighbours")
    _need(not is_change or (len(q) == rows == 1), "a change of one row, for one quantile")
    zcdp, own = (None if x is None else _number(x) for x in budget)
    _need((zcdp is None) != (own is None), "one budget")
    _need(F(1, 10**6) <= (zcdp or own) <= (100 if zcdp is None else 10), "odd budget")
    method, levels, eta, places = _parts(mechanism, "kind levels eta places")
    eta, is_tree = _number(eta), len(q) > 1
    _need(2 ** (_whole(levels, 1, 4) - 1) <= len(q) < 2**levels, "levels of another number")
    names = ["permute-and-flip", "exponential mechanism", "tree of exponential mechanisms"]
    _need(method == names[2 if is_tree else zcdp is not None], "another mechanism")
    _need(type(places) is int and places == (2**40 if is_tree else 1), "places of another number")
    _need(_number(spends) == levels * eta, "another epsilon")
    _need(own is None or levels * eta == own, "another epsilon than asked")
    if zcdp is not None:
        _need(levels * eta**2 <= 8 * zcdp < levels * (eta + F(1, 10**8)) ** 2, "another rho than asked")
        _need(10**8 % eta.denominator == 0, "odd eta")
    told = {"objective": None, "bound": None, "epsilon": spends, "delta": "0"}
    if is_tree:
        _need(bound is None, "no rank bound of a tree is proved")
        return told
    probability, records = map(_number, _parts(bound, "probability records"))
    span = (2 if is_change else 2 * max(q[0], 1 - q[0])) * rows
    most = F(k) if zcdp is not None else F(k - 1, 2)
    _need(probability == F(19, 20) and records * 100 % 1 == 0, "odd bound")
    with localcontext() as context:
        context.prec = 60
        scale, ratio = span / eta, most / (1 - probability)
        exact = Decimal(int(ratio)).ln() * scale.numerator / scale.denominator  # a multiple of ten is whole
        far = Decimal(records.numerator) / Decimal(records.denominator) - exact
        _need(0 < far <= Decimal("0.01"), "another rank bound")
    return {**told, "objective": str(records)}


def main(words: list[str]) -> int:
    """Print what is proved, or why it is not."""
    try:
        told = {"verdict": "proved", **prove(Path(words[-1]).read_bytes().decode())}
    except Exception as trouble:
        told = {"verdict": "refused", "reason": f"{type(trouble).__name__}: {trouble}"[:300]}
    print(json.dumps(told) if "--json" in words else "\n".join(f"{key}: {told[key]}" for key in told))
    return 0 if told["verdict"] == "proved" else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
