"""Limits and rules that leave mechanisms, but less room than a solver's tolerances tell from none."""

from __future__ import annotations

from fractions import Fraction

import pytest

import optmech as om
from optmech.mechanisms.certificates.certificate_text import certificate_text
from tests.each import each
from tests.readers import by_checker

_SLACK = Fraction(1, 10**8)
# The largest probability of the truth at every truth of a count, at epsilon ln 2: one over the sum of 1/2 to
# the powers of the distances from the middle.
_LARGEST = {3: Fraction(4, 9), 4: Fraction(2, 5)}


def _hold(certificate, accuracy, widest):
    """Hold a certificate to what it promises, which both readers prove, and to a gap."""
    matrix = certificate.matrix
    told = (
        Fraction(int(matrix.numerators[place, place]), matrix.denominator)
        for place in range(len(matrix.numerators))
    )
    assert min(told) >= accuracy
    assert certificate.relative_gap < widest
    assert by_checker(certificate_text(certificate)) is None


@pytest.mark.slow
@each("largest", _LARGEST)
@each("delta", ("0", "0.1"))
def test_an_accuracy_a_hair_below_the_largest_is_designed(largest, delta):
    most = Fraction(delta) + (1 - Fraction(delta)) * _LARGEST[largest]
    accuracy = most - _SLACK
    problem = om.question(om.count(largest), "ln 2", delta=delta, properties=f"accuracy >= {accuracy}")
    _hold(om.design(problem).certificate, accuracy, 1e-4)


def test_a_linear_rule_a_hair_from_the_largest_is_designed():
    """The sum of the probabilities of all true answers, which pure privacy limits."""
    names = {(place, place): 1 for place in range(4)}
    best = om.design(om.question(om.count(3), "ln 2", loss="zero-one")).certificate.bound
    rule = om.LinearRule("often true", names, ">=", 4 * (1 - best) - _SLACK)
    certificate = om.design(om.question(om.count(3), "ln 2", loss="squared", rules=rule)).certificate
    _hold(certificate, 0, 1e-4)


@pytest.mark.slow
def test_a_large_share_of_an_interior_mechanism_is_no_answer_where_a_small_one_will_do():
    """Values of which doubles say that they have room had none: a third of the way cost 7 %."""
    problem = om.question(
        om.count(5),
        "1/2",
        delta="1/1000",
        loss="squared",
        properties="accuracy >= 315948172037/1000000000000",
    )
    _hold(om.design(problem).certificate, Fraction(315948172037, 10**12), 1e-3)
