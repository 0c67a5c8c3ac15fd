"""Whoever writes a certificate of geometric noise does not decide how long it takes to refuse it."""

from __future__ import annotations

import json
import time
from math import ceil

import pytest

import optmech as om
from optmech.base.errors import FileFormatError, VerificationError
from optmech.designs.by_geometric import decays_of
from optmech.mechanisms.certificates.certificate_text import certificate_text, read_certificate_text
from optmech.proofs.enclosure import enclose_exponential
from optmech.proofs.geometric_bound import Prices
from optmech.proofs.geometric_certificate import most_work, need_little_work, work_of
from optmech.proofs.geometric_sums import Decay
from optmech.question.path_question import PathQuestion
from tests.each import each

# Seconds of processor, not of a machine that others use; a count 0..1,000,000 takes three.
SOON = 3.0
MANY = 1_000_000


def hostile(largest=100_000, epsilon="0.5", bits=8192, extras="0", price_bits=43, smoothing=None, **question):
    """Return a file as described, with decays of so many bits around e^-epsilon, that proves nothing."""
    problem = om.question(om.count(3), epsilon)
    content = json.loads(certificate_text(om.design(problem, engine="geometric").certificate))
    query = content["question"]["query"]
    query["parameters"]["largest"], query["truths"] = largest, largest + 1
    content["question"] |= question
    factor = enclose_exponential(problem.privacy.epsilon, bits + 8)
    above, below = ceil((1 << bits) / factor.lower), int((1 << bits) / factor.upper)
    content["distribution"] = {"decay": {"numerator": str(above), "bits": bits}, "remap": f"0 1*{largest}"}
    content["proof"] = {
        "floor": {"numerator": str(below), "bits": bits},
        "smoothing": smoothing,
        "prices": {"bits": price_bits, "extras": f"{extras}*{largest + 1}"},
    }
    return json.dumps(content)


HOSTILE = {
    "bits of the decay": {"largest": MANY},
    "bits of a squared loss": {"loss": "squared"},
    "bits of a small range": {"largest": 20_000},
    "a tiny epsilon": {"largest": MANY, "epsilon": "1e-100", "bits": 1200},
    "a large loss": {"largest": MANY, "bits": 700, "loss": ["0", str(10**299)]},
    "a listed loss": {"largest": 20_000, "loss": [str(x**2) for x in range(900)]},
    "prices of many digits": {"bits": 200, "extras": str(10**3999)},
    "weights made finer": {"largest": MANY, "bits": 300, "smoothing": 1024, "loss": ["0", "1", str(10**200)]},
    "denominators": {
        "largest": 2000,
        "bits": 200,
        "weights": [f"1/1{2 * place + 1:03990}" for place in range(2001)],
    },
}


@each("name", HOSTILE, every=2)
def test_a_file_that_would_take_long_is_refused_soon(name):
    text = hostile(**HOSTILE[name])
    start = time.process_time()
    with pytest.raises((VerificationError, FileFormatError), match=r"no more\s+work than|one denominator"):
        read_certificate_text(text)
    assert time.process_time() - start < SOON


@pytest.mark.parametrize("epsilon", ["1e-30", "0.001", "1", "200"])
def test_a_million_answers_are_within_the_limit(epsilon):
    problem = om.question(om.count(MANY), epsilon, loss="beyond 5")
    question, decays = PathQuestion.of(problem), decays_of(problem)
    need_little_work(question, decays, range(MANY + 1), Prices((1 << 44,) * (MANY + 1), 43), None)


@each("loss", ["absolute", "squared", [0, 1, 3, 3.5]])
@each("epsilon", ["1e-100", "0.01", "1", "700"])
def test_what_is_designed_can_be_read(epsilon, loss):
    problem = om.question(om.count(500), epsilon, loss=loss)
    text = certificate_text(om.design(problem, engine="geometric").certificate)
    assert certificate_text(read_certificate_text(text)) == text


def test_more_is_allowed_where_more_is_written():
    question = PathQuestion.of(om.question(om.count(100), 1))
    remap, alike = list(range(101)), (0,) * 101
    most = most_work(question, remap, alike)
    assert most_work(question, remap, tuple(range(101))) - most == 100 * 2**21
    assert most_work(question, [0, *range(100)], alike) - most == 2**21
    longer = PathQuestion.of(om.question(om.count(101), 1))
    assert most_work(longer, [*remap, 101], (*alike, 0)) - most == 2**14


def test_ends_that_look_alike_are_walked_once():
    """Of 100,000 answers 2,200 bits are allowed once for each of both decays, and not twice."""
    question = PathQuestion.of(om.question(om.count(100_000), 1))
    decays, prices = (Decay(1 << 2100, 2200),) * 2, Prices((0,) * 100_001, 64)
    once = work_of(question, decays[0], 0)
    limit = most_work(question, range(100_001), prices.extras)
    assert once < limit / 2
    need_little_work(question, decays, range(100_001), prices, None)
    uneven = [0, 0, *range(2, 100_001)]
    assert 4 * once > most_work(question, uneven, prices.extras)
    with pytest.raises(VerificationError, match="Take fewer answers"):
        need_little_work(question, decays, uneven, prices, None)
