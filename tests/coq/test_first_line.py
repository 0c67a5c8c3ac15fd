"""Both checkers print one first line, and names that a terminal shows as they are."""

from __future__ import annotations

import json
from pathlib import Path

from tests.coq.proved_checker import PROVED, REFUSED, run
from tests.coq.test_same_verdict import ACCEPTED, COVERED
from tests.each import each
from tests.readers import checker

HOSTILE = 'a\x1b[2J\x85\u202e\u2066\u200f"\\\U000e0001é'


def first_lines(proved_checker, path):
    """Return the first line of the proved checker and that of check_certificate.py."""
    done = run(proved_checker, path)
    assert done.returncode == PROVED
    own = checker.prove(path.read_text(encoding="utf-8")).told[0]
    return done.stdout.replace("\n  ", " ").splitlines()[0], own


@each("path", COVERED, every=3)
def test_the_first_line_is_that_of_the_other_checker(proved_checker, path):
    ours, other = first_lines(proved_checker, path)
    assert ours == other


def test_what_is_no_differential_privacy_is_called_so(proved_checker):
    """One-way pairs, single outcomes, a given table; and a distance by weights is told, too."""
    seen = set()
    for name, said in [
        ("residues-one-sided", "some pairs are protected in one direction only"),
        ("count-per-outcome", "each outcome is bounded by itself, not sets of outcomes"),
        ("custom-given-table", "only tables near one given table are protected"),
        ("categories-weighted", "metric privacy, up to 2 times epsilon between neighbours"),
        ("custom-lonely", "have none, and nothing protects them"),
    ]:
        line, _ = first_lines(proved_checker, next(path for path in ACCEPTED if path.stem == name))
        assert said in line
        seen.add(("NOT differential privacy" in line, name))
    assert sum(negated for negated, _ in seen) == 3


def test_names_are_escaped(proved_checker, tmp_path):
    content = json.loads(Path(next(p for p in ACCEPTED if p.stem == "custom")).read_text(encoding="utf-8"))
    content["question"]["query"]["name"] = HOSTILE
    path = tmp_path / "named.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    done = run(proved_checker, "--question", path)
    assert done.returncode == PROVED
    assert done.stdout.replace("\n", "").isprintable()
    assert json.loads(done.stdout.splitlines()[-2])["query"]["name"] == HOSTILE
    missing = run(proved_checker, tmp_path / "\x1b[2J\u202e\x85.json")
    assert missing.returncode == REFUSED
    assert missing.stderr.strip().isprintable()
