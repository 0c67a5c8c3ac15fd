"""The privacy of several whole tables: rho adds, and no conversion says less than what is spent."""

from __future__ import annotations

import json
from fractions import Fraction
from math import exp, inf, sqrt

import numpy as np
import pytest
from scipy.stats import norm

from optmech.analysis.composition.concentrated import epsilon_of_one_table, epsilon_of_rho, rho_of_pure
from optmech.cli import main
from tests.each import each

RHOS = [Fraction(text) for text in ("1/1000", "1/50", "1/10", "1/2", "2", "10")]
DELTAS = [Fraction(1, 10**6), Fraction(1, 10**12), Fraction(1, 100), Fraction(1, 10**300)]


def delta_of_normal(rho, epsilon):
    """Return the exact delta of normal noise that spends rho."""
    mean = sqrt(2 * rho)
    return norm.cdf(mean / 2 - epsilon / mean) - exp(epsilon) * norm.cdf(-mean / 2 - epsilon / mean)


def test_the_conversion_is_the_best_order_of_the_formula():
    for rho in RHOS:
        for delta in DELTAS:
            r, orders = float(rho), 1 + np.exp(np.linspace(-15, 15, 200_001))
            logarithm = -np.log(10) * (len(str(delta.denominator)) - 1)
            values = orders * r + np.log(orders - 1) - (logarithm + orders * np.log(orders)) / (orders - 1)
            found = epsilon_of_rho(rho, delta)
            assert found >= max(0, values.min()) * (1 - 1e-7)
            assert found <= max(0, values.min()) * (1 + 1e-6) + 1e-9


@each("rho", RHOS)
def test_no_conversion_is_below_normal_noise_and_one_table_is_between(rho):
    for delta in DELTAS[:3]:
        usual, one = epsilon_of_rho(rho, delta), epsilon_of_one_table(rho, delta)
        assert one <= usual
        if one < 100:
            assert delta_of_normal(float(rho), one) <= float(delta)
    assert epsilon_of_rho(rho, Fraction()) == inf


def test_pure_noise_has_at_most_its_rho():
    for epsilon in (0.1, 1.0, 3.0):
        p = exp(epsilon) / (1 + exp(epsilon))
        for order in (1.001, 2.0, 9.0):
            renyi = np.log(p**order * (1 - p) ** (1 - order) + (1 - p) ** order * p ** (1 - order)) / (
                order - 1
            )
            assert renyi <= order * float(rho_of_pure(Fraction(epsilon))) * (1 + 1e-9)


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("design table --by sex:f,m --zcdp 0.1 --out t.json -q") == 0
    assert run("design table --by sex:f,m --epsilon 0.5 --out p.json -q") == 0
    assert run("design count --range 0:3 --epsilon 0.5 --out c.json -q") == 0
    code = run("design count --range 0:3 --epsilon 0.5 --delta 0.001 --out d.json -q")
    assert code == 0
    (tmp_path / "true.csv").write_text("sex,count\nf,3\n")
    return tmp_path


def run(command):
    return main(command.split())


def told(capsys, command):
    capsys.readouterr()
    assert main([*command.split(), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_compose_and_ledger_add_rho_and_say_how(files, capsys):
    one = told(capsys, "compose t.json --delta 1e-6")
    assert (one["zcdp"], round(one["epsilon"], 4)) == ("0.1", 2.0113)
    two = told(capsys, "compose t.json --uses 2 --delta 2e-6")
    assert (two["zcdp"], two["way"][:12]) == ("0.2", "rho adds up,")
    assert two["epsilon"] == epsilon_of_rho(Fraction(1, 5), Fraction(2, 10**6)) < 2 * one["epsilon"]
    for name in ("p.json", "c.json"):
        mixed = told(capsys, f"compose t.json {name} --delta 1e-6")
        assert mixed["zcdp"] == "0.225"
        assert one["epsilon"] < mixed["epsilon"] <= one["epsilon"] + 0.5001
    with_delta = told(capsys, "compose t.json d.json --delta 0.002")
    assert with_delta["zcdp"] is None
    assert with_delta["epsilon"] < 2.6
    back = told(capsys, f"compose t.json --uses 2 --epsilon {two['epsilon']:.9f}")
    assert 1.9e-6 < back["delta"] < 2.1e-6
    for place in range(2):
        assert run(f"apply t.json true.csv --out r{place}.csv --data d -q") == 0
    (account,) = told(capsys, "ledger .")["accounts"]
    # at the least delta of a table: so no further table lowers it
    least = epsilon_of_rho(Fraction(1, 5), Fraction(1, 10**6))
    assert (account["zcdp"], account["epsilon"], account["way"][:12]) == ("0.2", least, "rho adds up,")
    (account,) = told(capsys, "ledger . --delta 2e-6")["accounts"]
    assert (account["zcdp"], account["epsilon"]) == ("0.2", two["epsilon"])
    assert account["provenance"] == "proved"
    (files / "t.json").unlink()
    (account,) = told(capsys, "ledger .")["accounts"]
    assert (account["zcdp"], account["provenance"]) == ("0.2", "reported")


def test_a_budget_in_rho_needs_a_rho_of_every_release(files, capsys):
    (files / "one.csv").write_text("place,count\nx,2\n")
    assert run("apply t.json true.csv --out r.csv --data d -q --budget-zcdp 0.1") == 0
    code = run("apply c.json one.csv --column count --out c.csv --data d -q --budget-zcdp 0.22")
    assert code == 2
    assert "rho = 0.225 is spent" in capsys.readouterr().err
    code = run("apply c.json one.csv --column count --out c.csv --data d -q --budget-zcdp 0.225")
    assert code == 0
    code = run("apply d.json one.csv --column count --out d.csv --data d -q --budget-zcdp 9")
    assert code == 2
    assert "a release with a delta has no rho" in capsys.readouterr().err
    assert run("ledger . --budget-zcdp 0.225 -q") == 0
    assert run("ledger . --budget-zcdp 0.2249 -q") == 1


def test_a_log_with_a_smaller_rho_is_refused(files, capsys):
    assert run("apply t.json true.csv --out r.csv -q") == 0
    log = files / "r.release.json"
    for old, new in (('"zcdp": "0.1"', '"zcdp": "0.09"'), ('"zcdp": "0.1"', '"zcdp": "-1"')):
        text = log.read_text()
        log.write_text(text.replace(old, new))
        assert main(["ledger", str(log)]) == 1
        assert "must" in capsys.readouterr().err
        log.write_text(text)
