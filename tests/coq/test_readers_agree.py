"""Three readers agree on odd numbers: costs beside a power of two, and factors around e^epsilon."""

from __future__ import annotations

import json
from fractions import Fraction

from optmech.base.numbers import as_text
from tests.coq.proved_checker import PROVED, REFUSED, run
from tests.coq.test_same_verdict import VECTORS, with_claims
from tests.readers import by_checker, by_package

EVEN = {"denominator": "2", "rows": ["1 1", "1 1"]}


def changed(**parts):
    """Return the certificate to follow by hand with another loss or privacy, and without a proof."""
    content = json.loads((VECTORS / "accept" / "by-hand.json").read_text(encoding="utf-8"))
    question = content["question"]
    question["objective"]["loss"] = parts.get("loss", "absolute")
    question["privacy"][0] |= parts.get("privacy", {})
    return with_claims(json.dumps({**content, "mechanism": EVEN, "proof": None}))


def verdicts(proved_checker, path, text):
    """Return whether the package, the checker and the proved checker accept a certificate."""
    path.write_text(text, encoding="utf-8")
    done = run(proved_checker, path)
    assert done.returncode in (PROVED, REFUSED)
    return [by_package(text) is None, by_checker(text) is None, done.returncode == PROVED]


def test_a_cost_may_be_any_power_of_two(proved_checker, tmp_path):
    """Of these the nearest decimal of so few digits does not read back, but the one above does."""
    powers = [2.0**k for k in range(-1074, 996)]
    odd = [x for x in powers if float(f"%.{len(digits(x)) - 1}e" % x) != x]
    assert len(odd) > 40
    for x in [*odd, 5e-324, 2.0**-1022]:
        cost = as_text(Fraction(repr(x)))
        text = changed(loss={"matrix": [["0", cost], [cost, "0"]]})
        assert verdicts(proved_checker, tmp_path / "cost.json", text) == [True] * 3, x


def digits(x):
    return repr(x).split("e")[0].replace(".", "").strip("0")


def test_factors_may_be_as_near_to_e_to_the_epsilon_as_they_can_be_written(proved_checker, tmp_path):
    """(2n + 1) / (2n - 1) exceeds e^(1/n) by about 1 / (12 n^3), a third of the bits that say so."""
    for zeros in (15, 100, 299):
        n = 10**zeros
        near = Fraction(2 * n + 1, 2 * n - 1)
        for lower, upper, holds in [(1, near, True), (near, 2, False)]:
            factors = {"epsilon": as_text(Fraction(1, n)), "lower": str(lower), "upper": str(upper)}
            text = changed(privacy=factors)
            assert verdicts(proved_checker, tmp_path / "factors.json", text) == [holds] * 3
