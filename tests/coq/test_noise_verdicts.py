"""The proved checker and check_noise.py give the same verdicts of noise, of tampered files as well."""

from __future__ import annotations

import json
import random
import resource
from itertools import pairwise

import pytest

import optmech as om
from optmech.mechanisms.certificates.certificate_text import certificate_text
from tests.coq.proved_checker import PROVED, REFUSED, run
from tests.coq.tampered_noise import tampered
from tests.coq.test_same_verdict import FILES, ROWS, changed_in_one_place, epsilon_of, fraction
from tests.each import each
from tests.readers import by_checker, noise_checker

OF_NOISE = [path for path in FILES if path.name.startswith("noise-") and "as-private-as" not in path.name]


@each("path", OF_NOISE, every=10)
def test_noise_is_accepted_and_refused_as_the_folder_says(proved_checker, path):
    done = run(proved_checker, path)
    assert done.returncode == (PROVED if path.parent.name == "accept" else REFUSED), path.name + done.stderr


# ---- What it understood
def in_numbers(content):
    """Return the question of a certificate of noise as check_noise.py reads it, and its mechanism."""
    noise, thresholds = content["mechanism"].values()
    q = noise_checker.Row(content["question"])
    law = noise_checker.Noise(noise, len(q.guarantees))
    mechanism = noise_checker.Thresholds(thresholds, law, q)
    return {
        "responses": q.tall,
        "truths": q.wide,
        "privacies": [[*epsilon_of(own.text), *fraction(own.delta)] for own in q.guarantees],
        "zero": bool(q.properties),
        "unit": q.unit,
        "noise": {
            "period": law.period,
            "first": law.first,
            "whole": law.one,
            "tail": law.tail,
            "cumulative": law.listed,
        },
        "thresholds": mechanism.places,
    }, q


def changes_of(shown):
    """Return how costs change from each response to the next, and the sum of those of the first."""
    wide, tall = shown["truths"], shown["responses"]
    if "costs" in shown:
        costs = shown["costs"]
    else:
        weights, at = shown["weights"], shown["at"]
        costs = [[weights[f] * at[abs(r - f)] for f in range(wide)] for r in range(tall)]
    changes = [[b - a for a, b in zip(*pair, strict=True)] for pair in pairwise(costs)]
    return changes, sum(costs[0])


@each("path", ROWS, every=4)
def test_it_understands_noise_as_the_other_checker_does(proved_checker, path):
    expected, q = in_numbers(json.loads(path.read_text(encoding="utf-8")))
    shown = json.loads(run(proved_checker, "--question", path).stdout.splitlines()[-1])
    assert {name: shown[name] for name in expected} == expected
    if q.wide * q.tall > 10_000:
        assert shown["weights"] == q.weights
        assert shown["at"] == [*q.at]
        return
    changes, first = changes_of(shown)
    assert changes == [[*q.column(j, 0, q.wide)] for j in range(q.tall - 1)]
    assert q.const == first + sum(sum(row[turn:]) for row, turn in zip(changes, q.turns, strict=True))


@each("path", ROWS, every=4)
def test_it_prints_the_question_of_noise_that_it_read(proved_checker, path):
    question = json.loads(path.read_text(encoding="utf-8"))["question"]
    assert json.loads(run(proved_checker, "--question", path).stdout.splitlines()[-2]) == question


# ---- Tampered files
QUICK = 12_000  # bytes of a file that both read quickly
SMALL = [path for path in ROWS if path.stat().st_size < QUICK]


@pytest.mark.parametrize(
    "tries", [40, pytest.param(90, marks=pytest.mark.slow), pytest.param(10_000, marks=pytest.mark.long)]
)
def test_tampered_noise_gets_the_same_verdict(proved_checker, tmp_path, tries):
    draw = random.Random(tries)  # noqa: S311 - the same files in every run
    accepted = 0
    for _ in range(tries):
        path = draw.choice(SMALL)
        text = tampered(json.loads(path.read_text(encoding="utf-8")), draw, changed_in_one_place)
        copy = tmp_path / "tampered.json"
        copy.write_text(text, encoding="utf-8")
        done = run(proved_checker, copy)
        try:
            trouble = by_checker(text)
        except Exception as fault:  # noqa: BLE001 - as a program it refuses these, too
            trouble = str(fault)
        accepted += trouble is None
        assert done.returncode == (PROVED if trouble is None else REFUSED), (
            f"{path.name}: {trouble}; {done.stderr}\n{text}"
        )
    assert tries / 10 < accepted < tries / 2


def in_seconds():
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (10, 10))


@pytest.mark.slow
@each("delta", ["0", "1e-6"])
def test_a_count_of_100001_answers_is_proved_in_seconds(proved_checker, tmp_path, delta):
    design = om.design(om.question(om.count(100_000), 1, delta=delta))
    path = tmp_path / "count.json"
    path.write_text(certificate_text(design.certificate), encoding="utf-8")
    done = run(proved_checker, path, preexec_fn=in_seconds)
    assert done.returncode == PROVED, done.stderr
