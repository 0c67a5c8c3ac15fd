"""Certificates of quantiles: both readers agree, each rule is needed, and file and checker are short."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

import optmech as om
from optmech.mechanisms.certificates.quantile_text import quantiles_text, read_quantiles_text
from tests.each import each
from tests.proofs.tables.two_readers import proving, rules, without

CHECKER = Path(__file__).parents[3] / "check_quantile.py"
VECTORS = Path(__file__).parents[2] / "vectors" / "quantiles"
TREE = ast.parse(CHECKER.read_text())
WHOLE = proving(TREE)


def by_checker(text, prove=WHOLE):
    try:
        return prove(text)
    except Exception:  # noqa: BLE001 - whatever goes wrong proves nothing
        return None


def test_good_certificates_are_proved_by_both_readers_with_the_same_numbers():
    for path in sorted((VECTORS / "accept").glob("*.json")):
        text = path.read_text()
        told, certificate = by_checker(text), read_quantiles_text(text)
        bound = certificate.rank_bound
        assert told["objective"] == (None if bound is None else str(bound))
        assert told["epsilon"] == str(certificate.epsilon)
        assert quantiles_text(om.design(certificate.problem)) == text
        assert len(text) < 1000


def test_bad_certificates_are_refused_by_both_readers():
    refused = sorted((VECTORS / "refuse").glob("*.json"))
    assert len(refused) > 60
    for path in refused:
        text = path.read_text()
        assert by_checker(text) is None, path
        with pytest.raises(om.OptmechError):
            read_quantiles_text(text)


@pytest.mark.slow
def test_each_rule_of_the_checker_is_needed_by_a_file_that_must_be_refused():
    texts = [path.read_text() for path in (VECTORS / "refuse").glob("*.json")]
    for rule in rules(TREE):
        weaker = without(*rule, TREE)
        assert any(by_checker(text, weaker) for text in texts), rule


@each("of, budget", [("median", {"epsilon": "1/7"}), (".1,.9", {"zcdp": "1/7"}), (".9", {"zcdp": "0.1"})])
def test_no_field_can_be_moved(of, budget):
    text = quantiles_text(om.design(om.quantiles("0:100", of=of, **budget)))
    lines = text.splitlines()
    for at, line in enumerate(lines):
        for old, new in (("1", "2"), ("7", "8"), ("0", "1"), ("null", "1"), ('"', "")):
            moved = "\n".join([*lines[:at], line.replace(old, new, 1), *lines[at + 1 :]]) + "\n"
            if moved == text:
                continue
            told = by_checker(moved)
            assert told is None or moved == quantiles_text(read_quantiles_text(moved))


def test_the_checker_stays_short():
    lines = CHECKER.read_text().split('"""\n', 1)[1].splitlines()
    assert sum(bool(line.strip()) for line in lines) <= 100
    assert json.loads((VECTORS / "accept" / "median.json").read_text())["version"] == 2
