"""Hostile files are refused with one line, in little memory."""

from __future__ import annotations

import json
import resource
from pathlib import Path

import pytest

from tests.coq.proved_checker import REFUSED, run
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


@each(
    "text",
    [
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
)
def test_it_is_refused_with_a_line(proved_checker, tmp_path, text):
    path = tmp_path / "hostile.json"
    path.write_text(text, encoding="utf-8")
    done = run(proved_checker, path, preexec_fn=in_little_memory)
    assert (done.returncode, done.stdout) == (REFUSED, ""), done
    assert done.stderr.startswith("refused: ")
    assert done.stderr.count("\n") == 1


def test_bytes_that_are_no_text_and_files_that_are_none_are_refused(proved_checker, tmp_path):
    path = tmp_path / "bytes.json"
    path.write_bytes(COUNT.encode().replace(b"count", b"coun\xff", 1))
    for name in (path, tmp_path, tmp_path / "missing.json", "/dev/null"):
        done = run(proved_checker, name)
        assert done.returncode == REFUSED
        assert done.stderr.startswith("refused: ")
    assert run(proved_checker).returncode == REFUSED
