"""Mechanisms that a number of keys can draw: whole multiples, proved, beside the bound of all mechanisms."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

import optmech as om
from optmech.analysis import with_keys
from optmech.cli import main
from tests.each import each
from tests.readers import by_checker, by_package

CONSTRAINTS = {"variance": 3, "without": [1, 2], "zero_stays_zero": True, "unbiased": True}


@each(
    ("options", "keys", "value"),
    [
        (CONSTRAINTS, 256, Fraction(65, 256)),  # the least multiple above the least delta, .25296
        ({"unbiased": True, "variance": 3}, 256, Fraction(1, 4)),  # which is that of all tables
        ({**CONSTRAINTS, "delta": "0.3"}, 256, Fraction(39, 16)),
    ],
    every=2,
)
def test_all_probabilities_are_multiples_and_the_bound_is_that_of_all(options, keys, value):
    first = om.design(om.p_table(5, 1, **options))
    counted = with_keys(first, keys)
    proof = counted.certificate
    assert keys % proof.matrix.denominator == 0
    assert first.certificate.bound <= proof.objective == value == Fraction(counted.objective)
    assert proof.bound == first.certificate.bound
    assert f"multiples of 1/{keys}" in counted.notes[-1]


def test_a_loss_of_another_question_is_counted_too():
    first = om.design(om.question(om.count(3), 1), engine="program")
    counted = with_keys(first, 100)
    assert first.objective <= counted.objective < 1.1 * first.objective
    assert counted.mechanism.matrix[0, 0] * 100 == pytest.approx(round(counted.mechanism.matrix[0, 0] * 100))


def test_the_command_writes_a_certificate_that_both_readers_prove_and_a_table_of_keys(capsys, tmp_path):
    words = "design p-table --within 2 --variance 1 --unbiased --epsilon 1 --keys 4 --json --out"
    assert main([*words.split(), f"{tmp_path}/table.csv"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["objective"] == 0.5
    proof = tmp_path / "table.certificate.json"
    assert by_checker(proof.read_text()) is None
    assert by_package(proof.read_text()) is None
    assert main(["export", str(proof), "--format", "ons", "--out", f"{tmp_path}/keys.csv"]) == 0
    with (tmp_path / "keys.csv").open() as lines:
        assert next(lines) == '"pcv","ckey","pvalue"\n'
        assert sum(1 for _ in lines) == 750 * 256


@each(
    ("words", "code", "sentence"),
    [
        ("--keys 0", 2, "`keys` must be a number from 1 to 65,536; got 0"),
        ("--keys 65537", 2, "got 65537"),
        ("--keys x", 2, "`--keys` must be a whole number; got 'x'"),
        ("--keys 4 --raw", 2, "`--raw` must be left out with `--keys`"),
        ("--keys 4 --break-ties", 2, "`--break-ties` must be left out with `--keys`"),
        ("--keys 1 --delta 0.6 --unbiased", 1, "with 1 key was found"),
    ],
)
def test_wrong_keys_get_a_sentence(capsys, words, code, sentence):
    assert main(["design", "p-table", "--within", "2", "--epsilon", "1", *words.split()]) == code
    assert sentence in capsys.readouterr().err


@each(
    "ask",
    [
        lambda: om.design(om.question(om.count(3000), 1)),
        lambda: om.design(om.question(om.count(3), 1)),
        lambda: om.design(om.sadeghi_symmetric(1, "0.5", 2)),
    ],
)
def test_other_designs_are_refused(ask):
    with pytest.raises(om.ProblemError, match="keys can be counted of a certified design of any matrix"):
        with_keys(ask(), 4)
    with pytest.raises(om.ProblemError, match="must be a Design; got <RawDesign"):
        with_keys(om.design(om.p_table(2, 1, variance=1), raw=True), 4)
