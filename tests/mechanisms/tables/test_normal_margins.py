"""Normal noise on margins, where lattice noise is too small to be drawn: its law, budget, and choice."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import optmech as om
from optmech.base.errors import NotAcceptedError, ProblemError
from optmech.cli import main
from optmech.designs.tables.design_table import design_table
from optmech.mechanisms.tables.lattice_draws import LatticeDraws
from optmech.mechanisms.tables.table_limits import limit_of
from optmech.mechanisms.tables.table_noise import LatticeNoise, NormalMargins
from optmech.release.joint.joint_draws import draw_noise
from tests.each import each

BY = {"age": 3, "sex": 2}
QUESTIONS = [
    {"zcdp": 4},
    {"zcdp": 6, "totals": "age; age*sex", "weights": "every margin"},
    {"zcdp": "9.5", "at_most": 2, "totals": "age; age*sex", "weights": "every margin"},
    {"zcdp": 5, "totals": "age; sex"},
    {"zcdp": 4, "weights": "total=20"},
]
DRAWS = 150


@each("asked", QUESTIONS, every=5)
def test_it_is_taken_where_the_lattice_cannot_be_drawn_and_keeps_the_budget(asked):
    problem = om.table(BY, **asked)
    certificate = design_table(problem).certificate
    noise = certificate.noise
    assert isinstance(noise, NormalMargins), noise
    assert certificate.rho == noise.rho * problem.person.at_most**2
    assert problem.budget.rho * Fraction(999_999, 1_000_000) <= certificate.rho <= problem.budget.rho
    # the share of a margin: a row changes one of its numbers by one, with noise of parameter s
    assert noise.rho == sum(1 / (2 * spread) for spread in noise.spreads.values())
    counts = np.arange(6).reshape(3, 2) * 7
    errors = {margin: [] for margin in problem.totals}
    for _ in range(DRAWS):
        released = draw_noise(noise).released(counts, problem.totals)
        for margin, numbers in released.items():
            true = counts.sum(axis=tuple({0, 1} - margin))
            errors[margin].append(np.atleast_1d(numbers - true).ravel())
            if frozenset({0, 1}) in released:
                own = released[frozenset({0, 1})].sum(axis=tuple({0, 1} - margin))
                assert np.array_equal(np.asarray(own), numbers)
    for margin, found in errors.items():
        drawn, told = np.array(found, float), float(certificate.variances[margin])
        assert np.abs(drawn.mean(axis=0)).max() <= 5 * np.sqrt(told / DRAWS)
        assert (drawn**2).mean() <= told * (1 + 5 / np.sqrt(DRAWS))
        beyond = (np.abs(drawn) > limit_of(certificate, margin)).any(axis=1).sum()
        assert beyond <= DRAWS * 0.05 * drawn.shape[1] + 5 * np.sqrt(DRAWS)


def test_the_lattice_is_kept_where_it_can_be_drawn():
    for zcdp in ("0.1", "0.5", 2):
        noise = design_table(om.table(BY, zcdp=zcdp)).certificate.noise
        assert isinstance(noise, LatticeNoise)
        assert LatticeDraws(noise).rejected <= 1 / 2
    small = LatticeNoise((), {frozenset(): Fraction(1, 100)})
    with pytest.raises(NotAcceptedError):
        LatticeDraws(small)
    for spreads in ({}, {frozenset(): Fraction(0)}, {frozenset({3}): Fraction(1)}):
        weights = {(part, part): 1 for part in spreads}
        with pytest.raises(ProblemError):
            NormalMargins((), spreads, weights, 0)


@pytest.mark.slow
def test_screens_say_which_noise_it_is(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cells.csv").write_text("age,sex,count\n1,f,30\n")
    words = ["design", "table", "--by", "age:1,2,3; sex:f,m", "--zcdp", "4", "--out", "table.json"]
    for command in (
        words,
        ["verify", "table.json"],
        ["card", "table.json", "--format", "markdown"],
    ):
        assert main(command) == 0
        assert "normal noise on margins" in " ".join(capsys.readouterr().out.split())
    assert main(["apply", "table.json", "cells.csv", "--out", "noisy.csv", "--no-negative"]) == 0
    assert "rho = 4 of zCDP" in " ".join(capsys.readouterr().out.split())
    assert main(["estimate", "noisy.csv", "--group", "sex"]) == 0
    assert main(["report", "noisy.release.json", "--out", "page.html"]) == 0
    assert "normal noise on margins" in (tmp_path / "page.html").read_text()
