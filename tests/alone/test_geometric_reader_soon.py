"""The second reader of large counts decides soon, whatever sizes a file has."""

from __future__ import annotations

import json
import time
from fractions import Fraction

import optmech as om
from optmech.mechanisms.certificates.certificate_text import certificate_text
from tests.each import each
from tests.proofs.geometric_by_definition import claiming, text_of
from tests.proofs.test_geometric_second_reader import BEYOND, VECTOR
from tests.readers import by_checker, checker


def test_a_count_to_100_000_is_proved_in_a_second_or_two():
    text = certificate_text(om.design(om.question(om.count(100_000), 1), engine="geometric").certificate)
    start = time.process_time()
    assert by_checker(text) is None
    assert time.process_time() - start < 2


@each(
    ("largest", "bits", "remap", "extras", "rule"),
    [
        (10**9, 64, "0", "0", "truths"),
        (10**6, 8192, "0 1*1000000", "0*1000001", BEYOND),
        (10**6, 64, "0 1*1000000", "9" * 3000 + "*1000001", BEYOND),
        (100_000, 300, "0 1*100000", "0*100001", None),
        (10**6, 100, "0*1000000 1000000", "0*1000001", BEYOND),
        (100_000, 100, "0*50001 2*50000", "0*100001", "leave something over"),
        (10**6, 64, "0 1*99999999", "0*1000001", "at most 1000001 numbers"),
        (10**6, 64, "9" * 4000 + " 0*1000000", "0*1000001", "a remap"),
    ],
    every=5,
)
def test_whatever_sizes_a_file_has_it_is_decided_at_once(largest, bits, remap, extras, rule):
    content = json.loads(VECTOR.read_text())
    low, high = checker.exponential(Fraction(-1, 100), bits=bits + 64)
    content["question"] |= {"epsilon": "0.01", "loss": "absolute"}
    content["question"]["query"]["parameters"]["largest"] = largest
    content["question"]["query"]["truths"] = largest + 1
    numerators = str(int(high * 2**bits) + 1), str(int(low * 2**bits))
    ends = [{"numerator": numerator, "bits": bits} for numerator in numerators]
    content["distribution"] = {"decay": ends[0], "remap": remap}
    content["proof"] |= {"floor": ends[1], "prices": {"bits": 0, "extras": extras}}
    text = text_of(claiming(content, Fraction(10**9), Fraction(0)))
    start = time.process_time()
    said = by_checker(text)
    assert said is None if rule is None else rule in said
    assert time.process_time() - start < 2.5
