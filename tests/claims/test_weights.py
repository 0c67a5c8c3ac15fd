"""Neighbours hundreds of epsilons apart: numbers stay short, and nothing hangs."""

from __future__ import annotations

import json
import runpy
import time
from fractions import Fraction
from pathlib import Path

import pytest

import optmech as om
from optmech.cli import main

FAR = "graph --edges a,b,400;b,c,401 --epsilon 0.01 --loss zero-one"
LONGEST = 600  # digits; Python prints 4,300
SHORT = 40


def lengths(value):
    return [len(part.strip("-")) for part in str(value).split("/")]


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


def test_a_least_delta_between_far_neighbours_is_short_too():
    query = om.graph([("a", "b", 400), ("b", "c", 401)])
    problem = om.question(query, "0.001", least="delta", bounds=["mean zero-one <= 0.05"])
    certificate = om.design(problem).certificate
    assert certificate.objective == certificate.delta > 0
    assert max(map(max, map(lengths, (certificate.delta, certificate.bound, certificate.gap)))) <= LONGEST


@pytest.fixture(scope="module")
def near(tmp_path_factory):
    """A certificate between neighbours one and two apart, as text to be edited."""
    query = om.graph([("a", "b", 1), ("b", "c", 2)])
    certificate = om.design(om.question(query, "0.000006", delta="0.01", loss="zero-one")).certificate
    path = tmp_path_factory.mktemp("near") / "near.certificate.json"
    om.write_certificate(certificate, path)
    return path.read_text()


@pytest.mark.parametrize("weight", [10**5, 10**8, 10**12, 2**62])
def test_a_weight_of_millions_is_refused_in_two_seconds(near, weight, tmp_path, capsys):
    path = tmp_path / "far.certificate.json"
    assert '"weights": [1, 1, 2, 2]' in near
    path.write_text(near.replace('"weights": [1, 1, 2, 2]', f'"weights": [{weight}, {weight}, 2, 2]'))
    start = time.perf_counter()
    with pytest.raises((om.FileFormatError, om.VerificationError)):
        om.read_certificate(path)
    assert main(["verify", str(path)]) in (1, 2)
    assert capsys.readouterr().err.count("\n") == 1
    assert time.perf_counter() - start < 2


def test_a_weight_of_millions_is_refused_with_a_remedy_where_powers_are_too_long():
    query = om.graph([("a", "b", 10**8), ("b", "c", 1)])
    start = time.perf_counter()
    with pytest.raises(
        om.OptmechError, match=r"a weight between neighbours must be at most \d+; got 100,000"
    ):
        om.design(om.question(query, "0.0000001", delta="0.01", loss="zero-one"))
    assert time.perf_counter() - start < 5


def test_weights_that_are_much_work_together_are_refused_at_once(tmp_path):
    nodes = 60
    path = tmp_path / "path.certificate.json"
    line = om.graph([(node, node + 1, 2) for node in range(nodes - 1)])
    om.write_certificate(om.design(om.question(line, "0.01", loss="zero-one")).certificate, path)
    content = json.loads(path.read_text())
    pairs = [[left, right] for left in range(nodes) for right in range(nodes) if left != right]
    content["question"]["query"] |= {"pairs": pairs, "weights": [600] * (len(pairs) - 1) + [599]}
    path.write_text(json.dumps(content))
    check = runpy.run_path(str(Path(__file__).parents[2] / "check_certificate.py"))["check"]
    for read in (om.read_certificate, lambda path: check(path.read_text())):
        start = time.perf_counter()
        with pytest.raises((om.OptmechError, ValueError)):
            read(path)
        assert time.perf_counter() - start < 2
