"""A prior typed as texts or fractions is kept to the last digit, up to the checker of its certificate."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import optmech as om
from optmech.question.costs import exact_weights
from tests.each import each
from tests.path import all_tails

CHECKER = Path(__file__).parents[2] / "check_certificate.py"
THIRDS = (
    ["1/3"] * 3,
    ("1/3", Fraction(1, 3), "1/3"),
    np.array(["1/3"] * 3),
    np.array([Fraction(1, 3)] * 3),
)


@pytest.mark.parametrize("prior", THIRDS)
def test_a_third_is_a_third_and_not_its_double(prior):
    for problem in (om.croft(om.count(2), 1, prior=prior), om.question(om.count(2), 1, prior=prior)):
        assert exact_weights(problem.objective, problem.query).tolist() == [Fraction(1, 3)] * 3
    uniform = om.design(om.croft(om.count(2), 1, prior="uniform")).certificate
    assert om.design(om.croft(om.count(2), 1, prior=prior)).certificate.objective == uniform.objective


def test_texts_that_doubles_say_as_well_are_doubles():
    problem = om.croft(om.count(2), 1, prior=["0.25", "1/4", 0.5])
    assert problem.objective.exactly is None
    assert problem.objective.weights.tolist() == [0.25, 0.25, 0.5]


def test_bounds_and_measures_take_texts():
    prior = ["1/3"] * 3
    bound = om.bound(om.count(2), "squared", 1, prior=prior)
    assert exact_weights(bound.loss, om.count(2)).tolist() == [Fraction(1, 3)] * 3
    mechanism = om.design(om.croft(om.count(2), 1)).mechanism
    assert mechanism.expected_loss("absolute", prior) == mechanism.expected_loss("absolute", "uniform")


def test_the_certificate_keeps_them_and_both_readers_prove_them(tmp_path):
    problem = om.croft(om.count(3), "0.7", prior=["1/7", "2/7", "3/7", "1/7"], properties=["fair"])
    design = om.design(problem)
    path = tmp_path / "it.json"
    om.write_certificate(design, path)
    read = om.read_certificate(path)
    assert (read.objective, read.bound) == (design.certificate.objective, design.certificate.bound)
    assert '"weights": ["1/7", "2/7", "3/7", "1/7"]' in path.read_text()
    om.write_certificate(read, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text() == path.read_text()
    done = subprocess.run([sys.executable, CHECKER, path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    path.write_text(path.read_text().replace('["1/7", "2/7"', '["2/7", "1/7"'))
    done = subprocess.run([sys.executable, CHECKER, path], capture_output=True, text=True, check=False)
    assert done.returncode != 0


@pytest.mark.parametrize("make", [all_tails, om.design], ids=["all tails", "listed"])
def test_a_distribution_keeps_them(tmp_path, make):
    prior = ["1/7", *["0"] * 39, "6/7"]
    om.write_certificate(make(om.croft(om.count(40), "0.7", prior=prior)), tmp_path / "it.json")
    assert om.read_certificate(tmp_path / "it.json").problem.objective.exactly[0] == Fraction(1, 7)
    done = subprocess.run(
        [sys.executable, CHECKER, tmp_path / "it.json"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_thirds_of_a_chain_are_those_of_its_question():
    even, thirds = (
        om.design(om.question(om.count(2), 1, delta="0.01", prior=prior), engine="chain").certificate
        for prior in ("uniform", ["1/3"] * 3)
    )
    assert thirds.objective == even.objective


@each(
    ("prior", "says"),
    [
        (["1/3", "x", "1/3"], "`prior` must be a finite number; got 'x'"),
        (["1/2", "1/2"], "`prior` must have 3 entries"),
        (["1/2"] * 3, r"`prior` must sum to one; got 1\.5"),
        (["3/4", "1/2", "-1/4"], r"`prior` must be zero or more; got -0\.25 at truth 2"),
        (["1e400", "0", "0"], "`prior` must be"),
    ],
)
def test_texts_are_held_to_the_rule_of_a_prior(prior, says):
    with pytest.raises(om.ProblemError, match=says):
        om.croft(om.count(2), 1, prior=prior)
