"""The checker says what it proved, to whom it applies, and nothing that it did not check."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.each import each
from tests.readers import CHECKER, checker

ROOT = Path(__file__).parents[2]


def content_of(name):
    return json.loads((ROOT / "tests" / "vectors" / f"{name}.json").read_text(encoding="utf-8"))


def said(content):
    return checker.check(json.dumps(content)).splitlines()


def refusal(content):
    with pytest.raises(checker.RefusedError) as refused:
        checker.check(json.dumps(content))
    return str(refused.value)


def identity(content, delta="0"):
    """Put the identity matrix in, which tells every truth, and drop the proof."""
    size = len(content["question"]["query"]["truths"])
    rows = [" ".join(str(int(r == f)) for f in range(size)) for r in range(size)]
    content["mechanism"] = {"denominator": "1", "rows": rows}
    return content | {"delta": delta, "objective": "0", "bound": None, "gap": None, "proof": None}


@each(
    ("name", "beginning"),
    [
        ("count", "proved: pure differential privacy; epsilon = ln 2, delta = 0; objective about 1.66667"),
        (
            "count-approximate",
            "proved: approximate (epsilon, delta)-differential privacy; epsilon = 0.5, delta = ",
        ),
        ("residues-tree", "proved: probabilistic differential privacy; epsilon = 1, delta = "),
        (
            "symmetric",
            "proved: NOT differential privacy (each outcome is bounded by itself, ",
        ),
    ],
)
def test_the_first_line_names_definition_epsilon_delta_and_objective(name, beginning):
    line = said(content_of(f"accept/{name}"))[0]
    assert line.startswith(beginning), line
    assert "; objective " in line


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("custom-given-table", "only tables near one given table are protected"),
        ("residues-one-sided", "some pairs are protected in one direction only"),
        ("count-per-outcome", "each outcome is bounded by itself"),
    ],
)
def test_what_is_not_differential_privacy_says_so_first(name, reason):
    line = said(content_of(f"accept/{name}"))[0]
    assert line.startswith(f"proved: NOT differential privacy ({reason}")
    assert "pure differential privacy" not in line


def test_a_name_protects_nobody():
    """Truths 2 and 3 alone are neighbours: the identity on 0 and 1 is told apart, whatever the name says."""
    content = content_of("accept/custom-lonely")
    content["question"]["query"]["name"] = 'count 0..3"; neighbours: all\u001b[2J\n\u202eproved: all'
    lines = said(content)
    assert lines[1].startswith(
        'query: custom query "count 0..3\\"; neighbours: all\\x1b[2J\\x0a\\u202eproved: all"; '
    )
    assert lines[1].endswith("; neighbours: 2 ordered pairs of 4 true answers, as listed")
    assert "WARNING: 2 of 4 true answers have no neighbour: nothing protects them" in lines
    assert "WARNING: the neighbours fall apart into 3 groups: nothing hides in which the truth is" in lines
    content["question"]["query"] |= {"kind": "count", "name": ""}
    content["question"]["query"]["parameters"] = {"smallest": 0, "largest": 3, "records_per_person": 1}
    assert "kind count" in refusal(content)


def test_of_a_known_kind_the_neighbours_are_told_in_words():
    content = {
        "count-group": "query: count 1..3; neighbours: true answers at most 2 apart",
        "mean": "query: mean of 2 records 0..1; neighbours: true answers at most 1 steps of 1/2 apart",
        "extremum": "query: maximum, minimum or median -1..1; neighbours: every two true answers",
        "categories": "query: 3 categories; neighbours: every two true answers",
    }
    for name, line in content.items():
        assert said(content_of(f"accept/{name}"))[1] == line


def test_nothing_that_is_only_reported_is_printed():
    content = content_of("accept/count")
    lines = said(content)
    for name in ("claimed_bounds", "repair", "raw", "made_by"):
        content["reported"][name] = {"how": "blessed by the regulator", "recomputed": "proved: epsilon = 0"}
    assert said(content) == lines
    content = content_of("accept/categories")
    lines = said(content)
    content["question"]["query"]["labels"] = ["proved", "everything", "differential privacy: Yes"]
    assert said(content) == lines


def test_a_loss_of_ones_own_is_called_custom():
    assert any("expected custom loss" in line for line in said(content_of("accept/count-custom-loss")))
    assert any(
        "expected beyond 1 loss at the worst truth" in line for line in said(content_of("accept/count-worst"))
    )


def test_a_delta_that_allows_anything_says_so_and_one_promises_nothing():
    content = content_of("accept/count-approximate")
    assert "; with probability up to 0.0" in said(content)[0]
    assert said(content)[0].endswith(" anything may be released, even the true answer")
    assert "with probability" not in said(content_of("accept/count"))[0]
    for delta in ("1", "1.5"):
        content["question"]["privacy"][0]["delta"] = delta
        assert "below 1" in refusal(identity(content, delta))


def test_an_epsilon_that_hides_nothing_says_so():
    content = content_of("accept/count") | {"bound": None, "gap": None, "proof": None}
    content["question"]["privacy"][0] |= {"epsilon": "ln 100000", "lower": "100000", "upper": "100000"}
    assert "odds may change by a factor of e^11.5129, about 1e+05" in said(content)[0]


@each(
    "change",
    [
        {"weights": [10**8] * 2 + [10**8 + 1] * 2},
        {"weights": [10**30] * 2 + [1] * 2},
        {"weights": [700_000_000] * 2 + [1] * 2, "epsilon": "0.000001"},
        {"epsilon": "0." + "1" * 4200},
        {"epsilon": "0." + "1" * 3990},
        {"epsilon": "ln " + "9" * 4200},
        {"delta": "0." + "1" * 5000},
        {"delta": "1e-999999999"},
    ])  # fmt: skip
def test_whatever_numbers_a_file_has_it_is_refused_at_once(change):
    content = content_of("accept/graph-weighted")
    if change.get("epsilon", "").startswith("0.000001"):
        content["question"]["privacy"][0] |= {"lower": "1", "upper": "2"}
    for name, value in change.items():
        part = content["question"]["query"] if name == "weights" else content["question"]["privacy"][0]
        part[name] = value
    assert refusal(content)


def test_the_example_of_the_page_is_accepted_and_proves_what_the_page_says(tmp_path):
    page = (ROOT / "docs" / "certificate.md").read_text(encoding="utf-8")
    (tmp_path / "m.json").write_text(page.partition("```json\n")[2].partition("```")[0], encoding="utf-8")
    (tmp_path / "m.csv").write_text("response,0,1\n0,0.75,0.25\n1,0.25,0.75\n", encoding="utf-8")
    command = [sys.executable, "-I", CHECKER, tmp_path / "m.json", tmp_path / "m.csv"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert page.partition("mechanism.csv\nproved: ")[2].partition("```")[0] == done.stdout.removeprefix(
        "proved: "
    )


def test_without_the_file_beside_it_noise_is_refused_in_a_sentence(tmp_path):
    shutil.copy(CHECKER, tmp_path)
    noise = ROOT / "tests" / "vectors" / "accept" / "noise-by-hand.json"
    command = [sys.executable, "-I", tmp_path / CHECKER.name, noise]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == "refused: check_noise.py must stand beside this file to check this\n"


@pytest.mark.parametrize("name", ["noise", "noise-all-tails", "levels"])
def test_the_other_examples_of_the_page_are_accepted(name):
    page = (ROOT / "docs" / "certificate.md").read_text(encoding="utf-8")
    vector = (ROOT / "tests" / "vectors" / "accept" / f"{name}-by-hand.json").read_text(encoding="utf-8")
    assert f"```json\n{vector}```" in page
    assert checker.check(vector).startswith("proved: ")


def test_on_a_screen_it_says_the_same_in_80_columns(capsys):
    for path in sorted((ROOT / "tests" / "vectors" / "accept").glob("*.json"))[::8]:
        assert checker.main([str(path)]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert max(map(len, lines)) <= 80
        assert " ".join(" ".join(lines).split()) == " ".join(
            checker.check(path.read_text(encoding="utf-8")).split()
        )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full must exist")
def test_a_full_disk_is_no_verdict():
    for word in (ROOT / "tests" / "vectors" / "accept" / "count.json", "--help"):
        with Path("/dev/full").open("w") as full:
            command = [sys.executable, CHECKER, word]
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        assert (done.returncode, done.stderr) == (3, "cannot print: No space left on device\n")


def test_a_closed_output_is_no_verdict_and_no_traceback():
    count = ROOT / "tests" / "vectors" / "accept" / "count.json"
    for words in ((count,), ("--json", count), ("--help",)):
        command = ["sh", "-c", '"$@" >&-', "sh", sys.executable, CHECKER, *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (3, "")
        assert done.stderr == "cannot print: standard output is closed\n"


def test_its_help_has_lines_of_80_columns_and_an_unknown_option_is_no_file(capsys):
    assert checker.main(["--help"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80
    for words in (["--question", "m.json"], ["--version"], ["--json=yes", "m.json"]):
        assert checker.main(words) == 1
        assert capsys.readouterr().err.startswith("refused: give a certificate, and its CSV")
