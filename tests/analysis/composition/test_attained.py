"""A loss is called attained only where some data spend it: several mechanisms may be of the same answers."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest

import optmech as om
from optmech.analysis.composition.releases import ComposedRelease, StatedGuarantee, compose_releases
from tests.each import each

FACTORS = [Fraction(text) for text in ("1", "5/4", "3/2", "2", "3", "5")]
CLOSE = Fraction(1, 2**50)  # losses that differ by rounding alone are put together
ASKED = {
    "plain": {},
    "squared": {"loss": "squared"},
    "few": {"prior": [0.7, 0.1, 0.1, 0.1]},
    "many": {"prior": [0.1, 0.1, 0.1, 0.7]},
    "at most one": {"loss": "zero-one"},
}


@pytest.fixture(scope="module")
def certificates():
    settings = product(("1/2", "ln 2"), ("0", "1/20"), ASKED.values())
    return [
        om.design(om.question(om.count(3), epsilon, delta=delta, **asked)).certificate
        for epsilon, delta, asked in settings
    ]


def column(certificate, truth):
    numerators = certificate.exact.numerators[:, truth].tolist()
    return [Fraction(one, sum(numerators)) for one in numerators]


def spent_by_data(certificates, factor, pairs):
    """Return the most that any two neighbouring answers spend, by the definition."""
    most = Fraction(0)
    for pair in pairs:
        laws = [[Fraction(1)], [Fraction(1)]]
        for certificate in certificates:
            columns = [column(certificate, truth) for truth in pair]
            laws = [[p * q for p in law for q in own] for law, own in zip(laws, columns, strict=True)]
        most = max(most, sum(max(0, p - factor * q) for p, q in zip(*laws, strict=True)))
    return most


def steps(last, width=1):
    return [(f, g) for f, g in product(range(last + 1), repeat=2) if 0 < abs(f - g) <= width]


@pytest.mark.slow
def test_two_mechanisms_of_one_column_attain_no_more_than_some_data_spend(certificates):
    exact = 0
    for pair in combinations_with_replacement(certificates, 2):
        spent = compose_releases([ComposedRelease([one]) for one in pair])
        for factor in FACTORS:
            truth = spent_by_data(pair, factor, steps(3))
            assert spent.attained.hockey_stick(factor) <= truth + CLOSE
            assert spent.curve.hockey_stick(factor) >= truth - CLOSE
        exact += spent.attained.exact_epsilon(0) == spent.curve.exact_epsilon(0)
    assert exact > len(certificates)  # it is said of most that are pure


def test_two_priors_at_two_ends_do_not_attain_the_sum_of_both(certificates):
    few, many = certificates[12], certificates[13]
    spent = compose_releases([ComposedRelease([few]), ComposedRelease([many])])
    for factor in FACTORS:
        truth = spent_by_data((few, many), factor, steps(3))
        assert spent.attained.hockey_stick(factor) <= truth + CLOSE
    for alone in (few, many):
        least = compose_releases([ComposedRelease([alone])]).curve.hockey_stick(Fraction(2))
        assert spent.curve.hockey_stick(Fraction(2)) >= least


@each(
    ("others", "beyond"),
    [
        (lambda _: [StatedGuarantee(Fraction(1), Fraction(0))], 0),  # of which only a word is known
        (lambda one: [one, om.design(om.question(om.count(2), 1)).certificate], 0),  # by groups
        (lambda _: [om.design(om.question(om.categories(["a", "b"]), 1, loss="zero-one")).certificate], 0),
        (lambda _: [om.design(om.question(om.count(5), 1)).certificate], Fraction(1, 100)),
    ],
    every=4,
)
def test_a_release_without_such_a_pair_counts_as_none(certificates, others, beyond):
    """The other one alone is attained; what both may attain together is a bound."""
    one = certificates[0]
    alone = compose_releases([ComposedRelease([one])])
    spent = compose_releases([ComposedRelease([one]), ComposedRelease(others(one))])
    for factor in FACTORS:
        least, most = alone.curve.hockey_stick(factor), spent.curve.hockey_stick(factor)
        assert least <= spent.attained.hockey_stick(factor) + CLOSE <= most + 2 * CLOSE
    assert spent.attained.hockey_stick(Fraction(1)) >= alone.curve.hockey_stick(Fraction(1)) + beyond


def test_a_person_who_moves_an_answer_by_one_does_not_attain_the_loss_of_three():
    three = om.design(om.question(om.count(5, records_per_person=3), 1)).certificate
    for uses in (1, 2):
        spent = compose_releases([ComposedRelease([three], uses, 1)])
        wide = compose_releases([ComposedRelease([three], uses)])
        for factor in FACTORS:
            truth = spent_by_data([three] * uses, factor, steps(5))
            assert spent.attained.hockey_stick(factor) <= truth + CLOSE
        one, three_apart = (each.attained.hockey_stick(Fraction(1)) for each in (spent, wide))
        assert one < 0.95 * three_apart
        assert spent.curve == wide.curve


def test_geometric_noise_of_two_epsilons_is_exact_but_for_rounding():
    """One pair of neighbours is the worst of both."""
    parts = [om.design(om.croft(om.count(5), epsilon)).certificate for epsilon in ("1/2", "1")]
    spent = compose_releases([ComposedRelease([one]) for one in parts])
    assert spent.attained.epsilon(0) == pytest.approx(spent.epsilon(0), rel=1e-12) == pytest.approx(1.5)
