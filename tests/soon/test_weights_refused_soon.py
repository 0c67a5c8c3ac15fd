"""Weights that would be much work are refused before it is done."""

from __future__ import annotations

import json
import runpy
import time
from pathlib import Path

import pytest

import optmech as om
from optmech.cli import main


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
    start = time.process_time()
    with pytest.raises((om.FileFormatError, om.VerificationError)):
        om.read_certificate(path)
    assert main(["verify", str(path)]) in (1, 2)
    assert capsys.readouterr().err.count("\n") == 1
    assert time.process_time() - start < 2


def test_a_weight_of_millions_is_refused_with_a_remedy_where_powers_are_too_long():
    query = om.graph([("a", "b", 10**8), ("b", "c", 1)])
    start = time.process_time()
    with pytest.raises(
        om.OptmechError, match=r"a weight between neighbours must be at most \d+; got 100,000"
    ):
        om.design(om.question(query, "0.0000001", delta="0.01", loss="zero-one"))
    assert time.process_time() - start < 5


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
        start = time.process_time()
        with pytest.raises((om.OptmechError, ValueError)):
            read(path)
        assert time.process_time() - start < 2
