"""Neighbours hundreds of epsilons apart: numbers stay short, and nothing hangs."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

import optmech as om
from optmech.cli import main

FAR = "graph --edges a,b,400;b,c,401 --epsilon 0.01 --loss zero-one"
LONGEST = 600  # digits; Python prints 4,300
SHORT = 40


def lengths(value):
    return [len(part.strip("-")) for part in str(value).split("/")]


@pytest.mark.slow
@pytest.mark.parametrize("definition", ["approximate", "per-outcome", "probabilistic"])
def test_a_spent_delta_between_far_neighbours_can_be_written_and_read_again(definition, tmp_path, capsys):
    out, proof = tmp_path / "x.csv", tmp_path / "x.certificate.json"
    words = ["design", *FAR.split(), "--delta", "0.01", "--definition", definition]
    assert main([*words, "--out", str(out)]) == 0, capsys.readouterr().err
    certificate = om.read_certificate(proof)
    content = json.loads(proof.read_text())
    for name in ("delta", "objective", "bound", "gap"):
        assert max(lengths(content[name])) <= LONGEST
    assert max(lengths(content["delta"])) <= SHORT
    assert 0 <= certificate.delta <= Fraction(1, 100)
    (tmp_path / "t.csv").write_text("n\na\nb\n")
    for command in (
        ["verify", str(proof)],
        ["card", str(proof)],
        ["apply", str(proof), str(tmp_path / "t.csv"), "--column", "n", "--out", str(tmp_path / "r.csv")],
    ):
        assert main(command) == 0, capsys.readouterr().err
        capsys.readouterr()


def test_what_is_spent_is_never_told_too_small():
    """The exact sums of excesses, with e^(weight epsilon) from both sides, are at most what is told."""
    query = om.graph([("a", "b", 400), ("b", "c", 401)])
    certificate = om.design(om.question(query, "0.01", delta="0.01", loss="zero-one")).certificate
    rows, whole = certificate.matrix.numerators, certificate.matrix.denominator
    worst = Fraction(0)
    for truth, other, weight in [(0, 1, 400), (1, 0, 400), (1, 2, 401), (2, 1, 401)]:
        for end in (certificate.factor.lower, certificate.factor.upper):
            excess = [max(0, row[truth] - end**weight * row[other]) for row in rows]
            worst = max(worst, sum(excess) / whole)
    assert worst <= certificate.delta <= worst * (1 + Fraction(1, 10**28))


@pytest.mark.slow
def test_a_least_delta_between_far_neighbours_is_short_too():
    query = om.graph([("a", "b", 400), ("b", "c", 401)])
    problem = om.question(query, "0.001", least="delta", bounds=["mean zero-one <= 0.05"])
    certificate = om.design(problem).certificate
    assert certificate.objective == certificate.delta > 0
    assert max(map(max, map(lengths, (certificate.delta, certificate.bound, certificate.gap)))) <= LONGEST
