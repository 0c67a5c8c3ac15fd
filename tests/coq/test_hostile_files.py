"""Hostile files are refused with one line, in little memory."""

from __future__ import annotations

import json
import re
import resource
from pathlib import Path

import pytest

from tests.coq.proved_checker import REFUSED, run
from tests.coq.tampered_noise import written
from tests.each import each

ACCEPT = Path(__file__).parents[1] / "vectors" / "accept"
COUNT = (ACCEPT / "count.json").read_text(encoding="utf-8")
MEGABYTES = 500


def in_little_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEGABYTES << 20, MEGABYTES << 20))
    resource.setrlimit(resource.RLIMIT_CPU, (2, 2))


def with_part(**parts):
    return json.dumps({**json.loads(COUNT), **parts})


def in_short(truths, rays=None, column=None):
    """A matrix in few numbers, of a count with so many truths."""
    content = json.loads(COUNT)
    content["question"]["query"]["truths"] = [str(truth) for truth in range(truths)]
    content["question"]["query"]["parameters"]["largest"] = truths - 1
    form = {"step": "1", "rest": 0, "rays": rays} if column is None else {"column": column}
    return json.dumps({**content, "mechanism": {"denominator": "1", **form}})


def noise_with(name, *path, value, truths=2):
    """Return a certificate of noise with thresholds in which one part is another."""
    content = json.loads((ACCEPT / f"noise-{name}.json").read_text(encoding="utf-8"))
    query = content["question"]["query"]
    query["parameters"]["largest"], query["truths"]["number"] = truths - 1, truths
    part = content
    for field in path[:-1]:
        part = part[field]
    part[path[-1]] = value
    return written(content)


NOISE, THRESHOLDS = ("mechanism", "noise"), ("mechanism", "thresholds")
AIM, PRIVACY = ("question", "objective"), ("question", "privacy", 0)
MILLION = 1_000_001
HOSTILE_NOISE = {
    "a run of 10^8 places": noise_with("by-hand", *NOISE, "cumulative", value="0*99999999 4"),
    "places without end": noise_with("by-hand", *NOISE, "cumulative", value="0 1 " * 1_000_000 + "0"),
    "a million places that rise too far": noise_with(
        "by-hand", *NOISE, "cumulative", value=f"{10**3999}*1000000"
    ),
    "a place of many digits": noise_with("by-hand", *NOISE, "cumulative", value="9" * 1_000_000),
    "10^30 bits": noise_with("by-hand", *NOISE, "bits", value=10**30),
    "a period of 10^30": noise_with("by-hand", *NOISE, "period", value=10**30),
    "a first place of -10^30": noise_with("by-hand", *NOISE, "first", value=-(10**30)),
    "a tail of 4000 digits": noise_with("by-hand", *NOISE, "tail", value="9" * 4000),
    "a run of 10^8 thresholds": noise_with("by-hand", *THRESHOLDS, value="0*99999999"),
    "a threshold of 4000 digits": noise_with("by-hand", *THRESHOLDS, value="9" * 4000),
    "thresholds of a million truths": noise_with(
        "by-hand", *THRESHOLDS, value=f"0 2*{MILLION - 2}", truths=MILLION
    ),
    "thresholds that look at much": noise_with(
        "by-hand", *THRESHOLDS, value="0 2" + " 0 2" * ((MILLION - 3) // 2), truths=MILLION
    ),
    "a billion truths": noise_with("by-hand", *THRESHOLDS, value="1", truths=10**9),
    "a million weights": noise_with("by-hand", *AIM, "weights", value=["0.000001"] * MILLION),
    "a million losses": noise_with("by-hand", *AIM, "loss", value=["1"] * MILLION),
    "a factor of 4000 digits": noise_with("by-hand", *PRIVACY, "upper", value="9" * 4000),
    "sums of a million truths": noise_with(
        "all-tails-by-hand", *THRESHOLDS, value=f"0 1*{MILLION - 2}", truths=MILLION
    ),
    "a run of 10^8 prices": noise_with(
        "all-tails-by-hand",
        "proof",
        "prices",
        value={"bits": 0, "smoothing": None, "extras": "0*99999999"},
    ),
    "prices of 10^30 bits": noise_with(
        "all-tails-by-hand",
        "proof",
        "prices",
        value={"bits": 10**30, "smoothing": 10**30, "extras": "0*2"},
    ),
}


@each(
    "text",
    [
        *(pytest.param(text, id=name) for name, text in HOSTILE_NOISE.items()),
        pytest.param("", id="nothing"),
        pytest.param(COUNT[: len(COUNT) // 2], id="cut"),
        pytest.param(COUNT.rstrip()[:-1], id="without its last brace"),
        pytest.param(COUNT + "{}", id="something behind it"),
        pytest.param(COUNT + "\0", id="a zero behind it"),
        pytest.param("\ufeff" + COUNT, id="a byte order mark"),
        pytest.param("[" * 1_000_000, id="nested lists"),
        pytest.param('{"a":' * 200_000, id="nested objects"),
        pytest.param("[" + "1," * 400_000 + "1]", id="a long list"),
        pytest.param('{"format": "' + "9" * 1_000_000 + '"}', id="a long text"),
        pytest.param("9" * 1_000_000, id="a long integer"),
        pytest.param(with_part(objective="9" * 4_001), id="a long number"),
        pytest.param(with_part(objective=""), id="an empty number"),
        pytest.param(with_part(objective="1/0"), id="a ratio over nothing"),
        pytest.param(with_part(mechanism={"denominator": "1", "rows": [""] * 100_000}), id="rows of nothing"),
        pytest.param(with_part(mechanism={"denominator": "0", "rows": ["0 0"] * 2}), id="a denominator 0"),
        pytest.param(with_part(proof={"denominator": "1", "tree": {}}), id="a leaf of nothing"),
        pytest.param(in_short(20_000, rays=[[]] * 20_000), id="rays of 4 10^8 entries"),
        pytest.param(in_short(20_000, column="0 " * 19_999 + "1"), id="a column of 4 10^8 entries"),
        pytest.param(in_short(1_000, rays=[["1 0*99999999"]] * 1_000), id="a run of 10^8 in a ray"),
        pytest.param(in_short(1_000, rays=[["1 0"] * 400] * 1_000), id="400,000 rays"),
        pytest.param(in_short(1_000, rays=[["9" * 4_000 + " 0"]] * 250), id="rays of 4,000 digits"),
        pytest.param(COUNT.replace('"reach": ', '"reach": 1' + "0" * 30), id="a reach of 10^30"),
        pytest.param(COUNT.replace('"totals": "', '"totals": "0*99999999 '), id="a run of 10^8"),
    ],
    every=3,
)
def test_it_is_refused_with_a_line(proved_checker, tmp_path, text):
    path = tmp_path / "hostile.json"
    path.write_text(text, encoding="utf-8")
    done = run(proved_checker, path, preexec_fn=in_little_memory)
    assert (done.returncode, done.stdout) == (REFUSED, ""), done
    assert done.stderr.startswith("refused: ")
    assert done.stderr.count("\n") == 1


def test_a_weight_times_the_length_of_a_factor_does_not_overflow(proved_checker, tmp_path):
    content = json.loads((ACCEPT / "graph-weighted.json").read_text(encoding="utf-8"))
    content["question"]["query"]["weights"] = [1, 1, 2**58, 2**58]  # times 16 bits: 2^62, no machine integer
    small = {"epsilon": f"0.{'0' * 19}1", "lower": "1", "upper": "65535/65534"}
    content["question"]["privacy"][0].update(small)
    path = tmp_path / "heavy.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    done = run(proved_checker, path, preexec_fn=in_little_memory)
    assert done.returncode == REFUSED
    assert done.stderr == "refused: the power of a factor between neighbours must not be too long\n"


def test_bytes_that_are_no_text_and_files_that_are_none_are_refused(proved_checker, tmp_path):
    path = tmp_path / "bytes.json"
    path.write_bytes(COUNT.encode().replace(b"count", b"coun\xff", 1))
    for name in (path, tmp_path, tmp_path / "missing.json", "/dev/null"):
        done = run(proved_checker, name)
        assert done.returncode == REFUSED
        assert done.stderr.startswith("refused: ")
    assert run(proved_checker).returncode == REFUSED


def test_an_unknown_kind_is_refused_with_those_that_are_known(proved_checker, tmp_path):
    path = tmp_path / "unknown.json"
    for parameters in ('{"smallest": 0, "largest": 1}', "{}"):
        query = f'"kind": "sum", "parameters": {parameters}'
        path.write_text(re.sub(r'"kind": "count", "parameters": {[^}]*}', query, COUNT), encoding="utf-8")
        done = run(proved_checker, path)
        assert (done.returncode, done.stdout) == (REFUSED, "")
        assert done.stderr.startswith("refused: a kind must be one of count, mean, ")
