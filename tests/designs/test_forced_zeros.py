"""Rules that leave entries no value but zero: the zeros are found, and multipliers prove what follows."""

from __future__ import annotations

import numpy as np
import pytest

import optmech as om
from optmech.designs.forced_zeros import forced_zeros
from optmech.mechanisms.certificates.certificate_text import certificate_text
from tests.each import each
from tests.readers import by_checker, by_package

_PROVED = 1e-9


def _rule(entries, sense="=", right=0):
    return om.LinearRule("own", entries, sense, right)


def _zeros(query, epsilon, *rules, **details):
    zeros = forced_zeros(om.question(query, epsilon, rules=rules, **details))
    return zeros.entries.reshape(query.num_responses, query.num_truths).astype(int).tolist()


@each("epsilon", (1, 5, 9, 11), every=2)
def test_an_entry_that_is_never_released_empties_its_row(epsilon):
    """Under pure privacy; as if its response had been left out by name."""
    problem = om.question(om.count(5), epsilon, rules=[_rule({(5, 1): 1})])
    certificate = om.design(problem).certificate
    named = om.design(om.question(om.count(5), epsilon, properties="without 5")).certificate
    assert certificate.relative_gap < _PROVED
    assert float(certificate.bound) == pytest.approx(float(named.bound), rel=_PROVED)
    assert not certificate.matrix.numerators[5].any()
    text = certificate_text(certificate)
    assert by_package(text) is None
    assert by_checker(text) is None


@each("epsilon", (1, 8, 11))
def test_a_certain_answer_empties_all_other_rows(epsilon):
    one = _rule({(1, 2): 2, (3, 2): 2}, ">=", 2)
    problem = om.question(om.count(3), epsilon, rules=[one, _rule({(0, 0): "1/3", (3, 0): 7}, "<=", 0)])
    certificate = om.design(problem).certificate
    assert certificate.objective == certificate.bound == 1
    assert (certificate.matrix.numerators[1] == certificate.matrix.denominator).all()
    assert by_checker(certificate_text(certificate)) is None


def test_zeros_follow_from_each_kind_of_rule():
    count, query = om.count(2), om.Query(range(3), neighbours=[(0, 1)], symmetric=False)
    bottom = [[0, 0, 0], [0, 0, 0], [1, 1, 1]]
    assert _zeros(count, 1) == [[0] * 3] * 3
    assert _zeros(count, 1, _rule({(2, 0): -3, (2, 2): -1}, ">=", 0)) == bottom
    assert _zeros(count, 1, _rule({(2, 0): 1, (1, 1): -1}, "<=", -1)) == [[1] * 3, [0] * 3, [1] * 3]
    assert _zeros(count, 1, _rule({(2, 0): 1, (0, 1): -1}, "="), _rule({(0, 1): 1})) == [
        [1] * 3,
        [0] * 3,
        [1] * 3,
    ]
    assert _zeros(count, 1, bounds=["worst beyond 1 <= 0"])[2][0] == 1
    assert _zeros(count, 1, delta="0.1", properties="unbiased") == [[0, 0, 1], [1, 0, 1], [1, 0, 0]]
    # Privacy with a delta hands on no zero, nor does a ratio the other way; a further pure one does.
    own = _rule({(2, 0): 1})
    only = [[0, 0, 0], [0, 0, 0], [1, 0, 0]]
    assert _zeros(count, 1, own, delta="0.1") == only
    assert _zeros(query, 1, own) == only
    assert _zeros(query, 1, _rule({(2, 1): 1})) == [[0, 0, 0], [0, 0, 0], [1, 1, 0]]
    both = om.question(count, privacy=[(1, "0.1"), (2, 0)], rules=[own])
    assert forced_zeros(both).entries.reshape(3, 3).astype(int).tolist() == bottom


def test_rules_that_leave_nothing_to_release_have_no_mechanism():
    rules = [_rule({(place, place): 1}) for place in range(3)]
    with pytest.raises(om.NoSolutionError):
        om.design(om.question(om.count(2), 11, rules=rules))


@each("seed", range(12), every=2)
def test_random_rules_with_zeros_are_designed_and_proved(seed):
    """At any epsilon: the proof is the test, and a bound that is too high would be refused."""
    dice = np.random.default_rng(seed)
    size = int(dice.integers(3, 6))
    epsilon = int(dice.choice([3, 7, 9, 11]))
    places = [tuple(map(int, dice.integers(0, size, 2))) for _ in range(3)]
    weights = [int(weight) for weight in dice.integers(1, 4, 3)]
    rules = [
        _rule({places[0]: weights[0]}),
        _rule(dict(zip(places[1:], (weights[1], -weights[2]), strict=True)), "<="),
    ]
    problem = om.question(
        om.count(size - 1), epsilon, loss=str(dice.choice(["absolute", "zero-one"])), rules=rules
    )
    try:
        certificate = om.design(problem).certificate
    except om.NoSolutionError:
        assert forced_zeros(problem).entries.reshape(size, size).all(axis=0).any()
        return
    assert certificate.gap < _PROVED * max(1, certificate.objective)
    assert by_checker(certificate_text(certificate)) is None
