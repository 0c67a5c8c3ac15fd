"""A small file that asks for a lot to be computed is refused by what is counted, at once."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from contextlib import suppress
from fractions import Fraction
from itertools import accumulate, pairwise
from pathlib import Path

import numpy as np
import pytest

import optmech as om
from optmech.base.numbers import as_text
from optmech.mechanisms.certificates.certificate_text import certificate_text
from optmech.mechanisms.certificates.runs import text_of_runs
from tests.each import each
from tests.noise_file import noise_file, question_in_a_row
from tests.readers import CHECKER, by_checker, by_package, checker, noise_checker

VECTORS = Path(__file__).parents[1] / "vectors"
SECONDS, MEGABYTES = 2, 500
HEAVY = [
    "noise-as-private-as-discrete-gaussian-of-8192-bits",
    "noise-as-private-as-gaussian-of-300-and-delta-1",
    "noise-as-private-as-skellam-of-8192-bits",
    "noise-of-1000-truths-and-responses-in-a-list",
    "vector-of-27-moduli",
    "work-of-2000-limits",
    "work-of-21-privacies-of-weight-100",
    "work-of-long-powers",
    "work-of-long-truths",
]
CHECK = """import runpy, sys
main = runpy.run_path(sys.argv[1])["main"]
for path in sys.argv[2:]: main([path])"""
READ = """import sys, optmech as om
for path in sys.argv[2:]:
    try: om.read_certificate(path)
    except om.OptmechError: pass"""
# Memory that a process used before it was this program, as a copy of its parent, does not count.
PEAK = """\nprint(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))"""


def seconds_of(reader, text):
    start = time.process_time()
    assert reader(text) is not None
    return time.process_time() - start


@each("name", HEAVY)
@each("reader", [by_checker, by_package])
def test_it_is_refused_in_time(reader, name):
    assert seconds_of(reader, (VECTORS / "refuse" / f"{name}.json").read_text()) < SECONDS


@pytest.mark.slow
@each("code", [CHECK, READ])
def test_they_are_refused_in_little_memory(code):
    paths = [VECTORS / "refuse" / f"{name}.json" for name in HEAVY]
    command = [sys.executable, "-c", code + PEAK, CHECKER, *paths]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert int(done.stdout.split()[-1]) < MEGABYTES * 1000


def test_an_honest_gaussian_certificate_of_seven_answers_is_checked_in_a_second():
    text = (VECTORS / "accept" / "noise-as-private-as-gaussian-of-7-answers.json").read_text()
    start = time.process_time()
    assert checker.check(text).startswith("proved: as private as Gaussian noise of sigma 1")
    assert time.process_time() - start < 1


def changed(name, **query):
    content = json.loads((VECTORS / "accept" / f"{name}.json").read_text())
    content["question"]["query"] |= query
    return content


def text_of(content):
    return "{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in content.items()) + "\n}\n"


def test_millions_of_neighbours_by_a_reach_are_not_listed():
    truths = [str(f) for f in range(20_000)]
    content = changed(
        "custom", truths=truths, responses=[["0", "0"]], reach=249, pairs=[], weights=[], labels=[],
    )  # fmt: skip
    row = " ".join("0" * 20_000)
    content["mechanism"] = {"denominator": "1", "rows": [row]}
    for reader in (by_checker, by_package):
        assert seconds_of(reader, text_of(content)) < SECONDS


def test_a_privacy_for_each_pair_of_neighbours_is_counted():
    """All else in the file is true: only the work of twenty more privacies is too much."""
    made = om.design(om.question(om.extremum(0, 149), "ln 2", loss="zero-one"))
    content = json.loads(certificate_text(made.certificate))
    further = {"kind": "approximate", "epsilon": "ln 2", "delta": "0.5", "lower": "2", "upper": "2"}
    content["question"]["privacy"] += [further | {"delta": f"0.5{place:02}9"} for place in range(20)]
    text = json.dumps(content)
    for reader in (by_checker, by_package):
        start = time.process_time()
        assert "too much to compute" in str(reader(text))
        assert time.process_time() - start < SECONDS


def even_guess(name, truths, responses, **question):
    """Return a file whose matrix releases each response alike, with a proof whose multipliers are all one."""
    content = changed(name, truths=[str(f) for f in range(truths)], responses=responses, reach=1, pairs=[])
    tall = truths if responses is None else len(responses)
    content["question"]["query"] |= {"weights": [], "labels": []}
    content["question"] |= question
    row = " ".join(["1"] * truths)
    content["mechanism"] = {"denominator": str(tall), "rows": [row] * tall}
    steps = {
        "row-rising": f"1*{truths * (truths - 1) // 2}",
        "column-rising": f"1*{truths * (truths - 1) // 2}",
    }
    leaf = {"prior": "", "totals": f"0*{truths}", "privacy": [[]], "rules": steps}
    content["proof"] = {"denominator": "1", "tree": leaf}
    return text_of(content)


@each(
    "text",
    [
        even_guess("custom", 20_000, [["0", "10000"], ["10000", "20000"]], properties=["row-honest"]),
        even_guess("custom", 600, None, properties=["column-monotone", "row-monotone"]),
    ],
)
def test_orders_of_many_entries_are_counted_or_added_up_in_time(text):
    for reader in (by_checker, by_package):
        assert seconds_of(reader, text) < SECONDS


def test_thousands_of_losses_have_no_costs_before_they_are_counted():
    bound = {"worst": True, "at_most": "1", "loss": "zero-one", "weights": None}
    text = even_guess("custom", 19_000, [["0", "18999"]], bounds=[bound] * 9_000)
    for reader in (by_checker, by_package):
        start = time.process_time()
        assert "too much to compute" in str(reader(text))
        assert time.process_time() - start < SECONDS


@each("changes", [{}, {"totals": " ".join(["3" * 3_990] * 240)}])
def test_a_megabyte_of_numbers_as_long_as_can_be_is_refused_in_time(changes):
    content = json.loads(even_guess("custom", 240, None))
    content["proof"]["tree"] |= changes
    if not changes:
        content["mechanism"]["rows"] = [" ".join(["3" * 3_990])] * 240
    for reader in (by_checker, by_package):
        assert seconds_of(reader, text_of(content)) < SECONDS


def runs_of_thresholds(truths, width):
    """Return a file of noise on few places, and of thresholds of which no two in a row look the same."""
    query = {"kind": "count", "parameters": {"smallest": 0, "largest": truths - 1, "records_per_person": 1}}
    query |= {"scope": "every table", "name": "", "truths": {"first": "0", "step": "1", "number": truths}}
    privacy = {"epsilon": "ln 2", "delta": "0.999", "lower": "2", "upper": "2"}
    question = question_in_a_row(query | {"responses": None}, [privacy])
    cumulative = f"0 {2**64 - width + 2} 1*{width - 2}"
    noise = {"period": 2, "first": 0, "bits": 64, "tail": "0", "cumulative": cumulative}
    thresholds = f"{width // 2} " + " ".join(["1 3"] * ((truths - 2) // 2))
    content = noise_file(question, noise, thresholds, ["0", "1", "0", "1"])
    return text_of(content)


@each("width", [40, 400])
def test_a_file_full_of_thresholds_is_refused_in_time(width):
    text = runs_of_thresholds(500_002, width)
    assert len(text) > 1_000_000
    for reader in (by_checker, by_package):
        assert seconds_of(reader, text) < SECONDS


def short_windows(truths, width):
    """Return a file of an even count whose thresholds stand at random beside truths, a few in a row alike."""
    content, draws, places = json.loads(runs_of_thresholds(truths, 4)), np.random.default_rng(0), []
    while len(places) < truths - 1:
        ahead = int(draws.integers(-width // 2, width // 2, endpoint=True))
        many = range(min(int(draws.integers(1, 4)), truths - 1 - len(places)))
        places += [len(places) + 1 + ahead + step for step in many]
    places = [*accumulate(places, max)]
    share, rest = divmod(2**64, width)
    noise = {"period": 1, "first": 0, "bits": 64, "tail": "0"}
    noise["cumulative"] = text_of_runs([0, share + rest, *[share] * (width - 1)])
    steps = text_of_runs([max(places[0], -1), *(after - before for before, after in pairwise(places))])
    content["mechanism"] = {"noise": noise, "thresholds": steps}
    law = noise_checker.Noise(noise, 1)
    content["delta"] = str(law.spends(Fraction(2)))
    with suppress(checker.RefusedError):
        mechanism = noise_checker.Thresholds(steps, law, noise_checker.Row(content["question"]))
        content["objective"] = str(mechanism.loss())
    return text_of(content)


@each(("truths", "width"), [pytest.param(50_000, 16, marks=pytest.mark.long), (75_000, 8), (200_000, 8)])
def test_short_windows_that_differ_are_read_or_refused_in_time(truths, width):
    text = short_windows(truths, width)
    for reader in (by_checker, by_package):
        start = time.process_time()
        refusal = reader(text)
        assert time.process_time() - start < 2 * SECONDS  # others use the machine as well; 1.3 without them
        assert truths < 200_000 or "look at" in refusal


def of_long_places(bits, privacies, period, tail, factor):
    """Return a file of 64,000 places with so many bits, and of a privacy for each of so many deltas."""
    content = json.loads(runs_of_thresholds(4, 4))
    middle = {"epsilon": f"ln {factor}", "lower": str(factor), "upper": str(factor)}
    content["question"]["privacy"] = [
        {"kind": "approximate", **middle, "delta": f"0.9{place:02}1"} for place in range(privacies)
    ]
    one, draws = 1 << bits, np.random.default_rng(0)
    rises = [one // 3 if tail else 0, *draws.integers(1, 10_000, 64_000).tolist()]
    rises[32_000] += one - sum(rises) - (one // 3 if tail else 0)
    noise = {"period": period, "first": 0, "bits": bits, "tail": str(one * 9 // 10) if tail else "0"}
    noise["cumulative"] = text_of_runs(rises)
    content["mechanism"] = {"noise": noise, "thresholds": text_of_runs([32_000, period, period])}
    return text_of(content)


@each(
    ("bits", "privacies", "period", "tail", "factor"),
    [
        (4_000, 20, 1, False, Fraction(3**1_200, 2**1_901)),
        (4_000, 20, 1, True, Fraction(3**1_200, 2**1_901)),
        (4_000, 1, 30_000, True, 2),
    ],
)
def test_long_places_and_long_factors_are_refused_before_they_are_multiplied(
    bits, privacies, period, tail, factor
):
    text = of_long_places(bits, privacies, period, tail, factor)
    for reader in (by_checker, by_package):
        assert seconds_of(reader, text) < SECONDS


def drifting(truths, width, bits, factor, delta, weights="sum"):
    """Return a file of noise with so many places, and of thresholds no two of which stand alike in a row."""
    middle, half = (1 << bits) * (factor - 1) // (factor + 1), width // 2
    shares = [max(middle // factor ** abs(place - half), 1) for place in range(width)]
    shares[half] += (1 << bits) - sum(shares)
    drift = [*range(width), *range(width, 0, -1)]
    places = [*accumulate((step + drift[step % len(drift)] for step in range(truths - 1)), max)]
    content = json.loads(runs_of_thresholds(truths, 4))
    content["question"]["objective"]["weights"] = weights
    content["question"]["privacy"] = [
        {
            "kind": "approximate",
            "epsilon": f"ln {factor}",
            "delta": delta,
            "lower": str(factor),
            "upper": str(factor),
        }
    ]
    noise = {"period": 1, "first": 0, "bits": bits, "tail": "0", "cumulative": text_of_runs([0, *shares])}
    steps = [places[0], *(after - before for before, after in pairwise(places))]
    content["mechanism"] = {"noise": noise, "thresholds": text_of_runs(steps)}
    law = noise_checker.Noise(noise, 1)
    content["delta"] = str(law.spends(Fraction(factor)))
    return text_of(content)


def long_weights(truths):
    """Return weights whose least common denominator has some 25,000 bits."""
    primes = [x for x in range(20_011, 40_000) if all(x % d for d in range(2, 200))][: truths - 1]
    weights = [Fraction(x // (2 * truths), x) for x in primes]
    rest = Fraction(round((1 - sum(weights)) * 10**12), 10**12)
    return [as_text(x) for x in (*weights, rest)]


@each(
    ("truths", "width", "bits", "factor", "delta", "weights"),
    [
        (1_200, 620, 256, 2**144, "0.000000000000001", "sum"),
        (1_200, 620, 256, 2**10, "0.000000000000001", "sum"),
        (430, 216, 2048, 10**299, f"0.{'0' * 299}1", "sum"),
        (1_700, 30, 300, 2**10, "0.000000000000001", "long"),
    ],
)
def test_bounds_with_many_digits_are_proved_or_refused_in_time(truths, width, bits, factor, delta, weights):
    listed = long_weights(truths) if weights == "long" else weights
    text = drifting(truths, width, bits, factor, delta, listed)
    for reader in (by_checker, by_package):
        assert seconds_of(reader, text) < 2 * SECONDS  # others use the machine as well


@pytest.mark.parametrize(
    "largest", [5_000, *(pytest.param(number, marks=pytest.mark.long) for number in (10_000, 30_000))]
)
def test_a_large_count_of_a_listed_prior_is_proved_and_read_in_time(largest):
    prior = np.random.default_rng(0).dirichlet(np.ones(largest + 1))
    certificate = om.design(om.question(om.count(largest), "0.1", delta="1e-6", prior=prior)).certificate
    assert certificate.relative_gap < 1e-20
    text = certificate_text(certificate)
    for reader in (by_checker, by_package):
        start = time.process_time()
        assert reader(text) is None
        assert time.process_time() - start < 2 * SECONDS  # others use the machine as well; 1.5 without them


@each(("rays", "truths"), [(40_000, 1_000), (1, 1_025)])
def test_rays_that_stand_for_too_much_are_refused_in_time(rays, truths):
    content = json.loads(even_guess("custom", truths, None))
    listed = [["1 0"] * rays, *([] for _ in range(truths - 1))]
    content["mechanism"] = {"denominator": str(2**120), "step": str(2**63), "rest": 0, "rays": listed}
    for reader in (by_checker, by_package):
        assert seconds_of(reader, text_of(content)) < SECONDS
