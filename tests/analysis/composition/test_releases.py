"""The total loss of releases of tables: the uses of one mechanism, and of groups the worst."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

import optmech as om
from optmech.analysis.composition.releases import ComposedRelease, StatedGuarantee, compose_releases
from optmech.base.logarithm import Logarithm


@pytest.fixture(scope="module")
def counts():
    return {
        name: om.design(om.question(om.count(size), epsilon)).certificate
        for name, size, epsilon in (("half", 3, "1/2"), ("one", 2, "1"))
    }


def test_releases_of_one_mechanism_are_its_uses(counts):
    released = compose_releases([ComposedRelease([counts["half"]], 2), ComposedRelease([counts["half"]])])
    used = om.compose(counts["half"], 3)
    for epsilon in ("0", "1/2", "1", "3/2"):
        assert released.delta(epsilon) == used.delta(epsilon)
    assert released.provenance == used.provenance == "proved"
    assert released.uses == used.uses == 3


def test_both_of_two_neighbours_count_where_the_question_protects_one():
    one_sided = om.design(om.question(om.residues(5, [1], symmetric=False), 1)).certificate
    spent = compose_releases([ComposedRelease([one_sided])])
    matrix = one_sided.matrix.numerators
    ratios = [
        Fraction(int(one), int(other))
        for truth in range(5)
        for pair in ((truth, (truth + 1) % 5), ((truth + 1) % 5, truth))
        for one, other in zip(*(matrix[:, column] for column in pair), strict=True)
    ]
    assert spent.curve.exact_epsilon(0) == Logarithm(max(ratios))
    assert spent.delta(1) == pytest.approx(float(one_sided.delta_of_sets))


def test_of_several_groups_the_worst_counts_once(counts):
    grouped = compose_releases(
        [ComposedRelease([counts["half"], counts["one"]]), ComposedRelease([counts["half"]])]
    )
    both = om.compose([counts["half"], counts["one"]])
    assert both.epsilon(0) <= grouped.epsilon(0) + 1e-12 <= 1.5 + 1e-9
    assert grouped.delta("1/2") >= both.attained.delta_at_least("1/2")


@pytest.mark.slow
@given(st.fractions("1/7", 2, max_denominator=7), st.integers(1, 6), st.fractions(0, 3, max_denominator=5))
def test_guarantees_alone_compose_as_kairouz_oh_and_viswanath_say(epsilon, uses, at):
    spent = compose_releases([ComposedRelease([StatedGuarantee(epsilon, Fraction(0))], uses)])
    odds = 2.718281828459045 ** float(epsilon)
    ones = range(uses + 1)  # responses of the smaller ratio among all uses
    exact = sum(
        comb(uses, few) * max(0.0, odds ** (uses - few) - 2.718281828459045 ** float(at) * odds**few)
        for few in ones
    ) / (1 + odds) ** uses  # fmt: skip
    assert abs(float(spent.delta(at)) - exact) < 1e-9
    assert spent.provenance == "reported"


def test_delta_of_guarantees_is_what_one_of_them_breaks():
    spent = compose_releases([ComposedRelease([StatedGuarantee(Fraction(1), Fraction(1, 10))], 2)])
    assert float(spent.delta(2)) == pytest.approx(0.19)


def test_a_mechanism_of_many_pairs_is_taken_by_its_epsilon_and_held_from_below():
    mean = om.design(om.question(om.mean(12, 4), 1)).certificate
    spent = compose_releases([ComposedRelease([mean], 2)])
    assert spent.provenance == "proved"
    assert 1.99 < spent.attained.epsilon(0) <= 2 <= spent.epsilon(0) < 2 + 1e-9


@pytest.mark.parametrize(
    "releases", [[], [ComposedRelease([])], [ComposedRelease([StatedGuarantee(Fraction(1), Fraction(0))], 0)]]
)
def test_nothing_is_not_composed(releases):
    with pytest.raises(om.ProblemError, match="`releases` must be at least one"):
        compose_releases(releases)
