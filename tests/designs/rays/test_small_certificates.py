"""Mixtures are written as rays and chains: small files, which both readers take, and hold to it."""

from __future__ import annotations

import json
import random
from unittest import mock

import pytest

import optmech as om
from optmech.designs.engines import rays
from optmech.mechanisms.certificates.certificate_text import certificate_text, read_certificate_text
from tests.each import each
from tests.readers import by_checker, by_package

LOSSES = ["absolute", "squared", "beyond 0.3", "zero-one"]


@each(("records", "largest", "epsilon"), [(8, 1, "2"), (5, 2, "0.3"), (4, 3, "ln 3"), (3, 5, "1/7")])
@each("loss", LOSSES, every=4, slow_every=9)
def test_they_prove_the_optimum(records, largest, epsilon, loss):
    question = om.question(om.mean(records, largest), epsilon, loss=loss)
    with mock.patch.object(rays, "_SMALL", 0):
        design = om.design(question, engine="rays")
    text = certificate_text(design.certificate)
    assert '"rays"' in text
    assert '"chains"' in text
    assert design.certificate.relative_gap < 1e-11
    whole = om.design(question, engine="program").certificate
    assert whole.bound <= design.certificate.objective
    assert design.certificate.bound <= whole.objective
    assert by_checker(text) is by_package(text) is None


def test_a_mean_of_26_records_is_some_tens_of_kilobytes():
    certificate = om.design(om.croft(om.mean(26, 4), "0.5")).certificate
    text = certificate_text(certificate)
    assert len(text) < 40_000 < sum(map(len, certificate.matrix.rows()))
    assert certificate.relative_gap < 1e-11
    assert by_checker(text) is by_package(text) is None


@pytest.fixture(scope="module")
def content():
    with mock.patch.object(rays, "_SMALL", 0):
        design = om.design(om.question(om.mean(4, 2), "ln 3", prior="uniform"), engine="rays")
    return certificate_text(design.certificate)


def changed(text, rng):
    """One number of the mechanism or of the proof, another one or none."""
    content = json.loads(text)
    rays_of_all = [ray for ray in content["mechanism"]["rays"] if ray]
    tree = content["proof"]["tree"]
    totals = [tree["totals"]]
    lists = [*rays_of_all, *tree["privacy"], tree["chains"], totals]
    listed = rng.choice(lists)
    place = rng.choice([index for index, part in enumerate(listed) if part])
    numbers = listed[place].split(" ")
    at = rng.randrange(len(numbers))
    head, star, times = numbers[at].partition("*")
    change = rng.choice(["less", "more", "minus", "gone", "twice", "long"])
    numbers[at] = {
        "less": f"{int(head) - 1}{star}{times}",
        "more": f"{int(head) + 1}{star}{times}",
        "minus": f"-{head}{star}{times}",
        "gone": "",
        "twice": f"{numbers[at]} {numbers[at]}",
        "long": f"{head}{star}{times}0",
    }[change]
    listed[place] = " ".join(numbers)
    (tree["totals"],) = totals
    return json.dumps(content)


@each("seed", range(120), slow_every=2)
def test_what_is_changed_is_refused_by_both_alike(content, seed):
    text = changed(content, random.Random(seed))  # noqa: S311 - which place is changed
    refusals = by_checker(text), by_package(text)
    assert (refusals[0] is None) is (refusals[1] is None), refusals
    if refusals[0] is None:  # other multipliers may prove as much; one response is filled up again
        assert read_certificate_text(text).matrix_sha256 == read_certificate_text(content).matrix_sha256
