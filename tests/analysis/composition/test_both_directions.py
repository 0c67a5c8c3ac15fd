"""Both directions between neighbours count, also where a question protects only one of the two."""

from __future__ import annotations

from fractions import Fraction

import pytest

import optmech as om
from optmech.analysis.composition.losses import envelope, losses_of, product
from optmech.cli import main

QUERIES = [
    om.residues(5, [1], symmetric=False),
    om.Query(range(4), neighbours=[(0, 1), (1, 2), (2, 3)], symmetric=False),
]


@pytest.fixture(scope="module", params=QUERIES, ids=lambda query: query.title)
def one_sided(request):
    return om.design(om.question(request.param, 1)).certificate


def pairs_both_ways(certificate):
    columns = certificate.matrix.numerators.T.tolist()
    for one, other in certificate.problem.query.pairs.tolist():
        yield columns[one], columns[other]
        yield columns[other], columns[one]


def hockey_stick(first, second, factor):
    total, other = sum(first), sum(second)
    return sum(max(0, Fraction(p, total) - factor * Fraction(q, other)) for p, q in zip(first, second))  # noqa: B905


def test_one_use_spends_what_the_worse_direction_does(one_sided):
    for source in (one_sided, (om.design(one_sided.problem).mechanism, one_sided.problem.query)):
        curve = om.analysis.privacy_curve(source)
        for factor in (Fraction(1), Fraction(2), Fraction(3), Fraction(20)):
            worst = max(hockey_stick(*pair, factor) for pair in pairs_both_ways(one_sided))
            assert abs(curve.hockey_stick(factor) - worst) <= (
                0 if source is one_sided else Fraction(1, 10**9)
            )


def test_several_uses_spend_what_both_directions_do(one_sided):
    worst = envelope(losses_of(*pair) for pair in pairs_both_ways(one_sided))
    twice = product([(worst, 2)])
    spent = om.compose(one_sided, 2)
    assert spent.curve.infinite == Fraction(int(twice.infinite.p), int(twice.infinite.q))
    for queries in ("repeated", "fixed"):
        spent = om.compose(one_sided, 2, queries=queries)
        for factor in (Fraction(1), Fraction(2), Fraction(20)):
            columns = [
                ([a * b for a in first for b in first], [a * b for a in second for b in second])
                for first, second in pairs_both_ways(one_sided)
            ]
            least = max(hockey_stick(*pair, factor) for pair in columns)
            assert spent.curve.hockey_stick(factor) >= least
            if queries == "repeated":
                assert spent.curve.hockey_stick(factor) == least


def test_the_command_says_it_too(one_sided, tmp_path, capsys):
    path = tmp_path / "one.certificate.json"
    om.write_certificate(one_sided, path)
    delta = one_sided.delta_of_sets
    assert main(["compose", str(path), "--delta", str(float(delta) / 2)]) == 0
    out = capsys.readouterr().out
    assert "proved" in out
    least = om.compose(one_sided).epsilon(float(delta) / 2)
    assert least > 1
    assert repr(least) in out
