"""Programs that papers print: what they allow, decided by hand, and that nothing is proved of them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import strategies as st

import optmech as om
from optmech.base.errors import NotAcceptedError, ProblemError
from optmech.cli import main
from optmech.models.formulations.assemble import assemble
from optmech.question.losses import WorstLoss
from optmech.question.properties import FAIR
from tests.screen import joined
from tests.search import search

# Coefficients of a model are doubles near one.
ROUNDING = 1e-12
ROWS = om.sadeghi_symmetric(1, "0.01", 4, rows="paper")
PROGRAM = om.kadam(om.residues(9, [1, 2, 3], symmetric=False), "1.5", "0.1522", reading="printed")


def allows(model, values):
    return model.violation(np.array(values, dtype=float)) <= ROUNDING


@search(100, st.integers(3, 6), st.integers(0, 2**32 - 1))
def test_one_indicator_of_a_noise_stands_for_all_its_distances(modulus, seed):
    """A noise keeps all its ratios at no cost, or reverses all and is paid; else no indicator is right."""
    rng, ratio = Random(seed), Fraction(3, 2)  # noqa: S311
    masses = [rng.choice([1, 1, 2, 2, 3, 6]) for _ in range(modulus)]
    noise = [Fraction(mass, sum(masses)) for mass in masses]
    query = om.residues(modulus, [1, 2])
    distances = [g for f, g in query.pairs.tolist() if f == 0]
    others = [[noise[(n - g) % modulus] for g in distances] for n in range(modulus)]
    kept = [all(noise[n] <= ratio * other for other in others[n]) for n in range(modulus)]
    turned = [all(noise[n] >= ratio * other for other in others[n]) for n in range(modulus)]
    spent = sum(noise[n] for n in range(modulus) if not kept[n])
    indicators = [float(not one) for one in kept]
    paid = [0.0 if one else float(mass) for one, mass in zip(kept, noise, strict=True)]
    values = [*map(float, noise), *indicators, *paid]
    for delta in (Fraction(1, 20), Fraction(1, 2), Fraction(99, 100)):
        model = assemble(om.kadam(query, "ln 3/2", delta, reading="printed")).model
        is_private = spent <= delta and all(a or b for a, b in zip(kept, turned, strict=True))
        assert allows(model, values) is is_private


def test_the_printed_rows_of_symmetric_noise_miss_one_that_binds():
    """Masses over 20: 2 at the truth, 6 one step off on each side, 3 two steps off; at epsilon 0.

    For outcomes n-2..n+2 the column of n exceeds that of n+1 by 3 - 0, 6 - 3, 2 - 6, 6 - 2, 3 - 6. The
    printed rows (17)-(19) are the first three of them, and miss the fourth.
    """
    for rows, least in (("all", 0.2), ("paper", 0.15)):
        model = assemble(om.sadeghi_symmetric(0, "1/10", 2, counts=(2, 3), rows=rows)).model
        for delta, allowed in ((least, True), (least - 0.01, False)):
            assert allows(model, [2 / 3, 1 / 3, delta]) is allowed


@pytest.mark.parametrize(
    "problem", [ROWS, pytest.param(PROGRAM, marks=pytest.mark.slow)], ids=["rows", "program"]
)
def test_nothing_is_proved_of_a_printed_program_and_its_definition_is_named(problem):
    design = om.design(problem, raw=True)
    assert design.certificate is None
    for ask in (
        lambda: om.design(problem),
        lambda: om.verify(design),
        lambda: om.certify(design.mechanism, problem),
    ):
        with pytest.raises(ProblemError, match=r"the program of the (definition|paper's Definition 2)"):
            ask()
    assert om.design(problem.by_definition).certificate is not None


def test_a_command_solves_it_raw_and_says_that_nothing_is_proved(capsys):
    typed = [
        "sadeghi-symmetric",
        "--epsilon",
        "1",
        "--accuracy",
        "0.01",
        "--half-width",
        "4",
        "--rows",
        "paper",
    ]
    assert main(["design", *typed]) == 2
    assert "`rows` must be all where anything is proved" in capsys.readouterr().err
    assert main(["design", *typed, "--raw"]) == 0
    assert " floating-point checks FAIL; nothing is proved" in capsys.readouterr().out
    assert main(["design", *typed, "--raw", "--explain"]) == 0
    out, err = capsys.readouterr()
    assert "per-outcome privacy delta 0.301208662138" in joined(out)
    assert "as its paper prints it, of which nothing is proved" in err
    assert main(["export-model", *typed, "--format", "lp"]) == 0
    assert "privacy(4,4,5)" in (rows := capsys.readouterr().out)
    assert "privacy(5,4,5)" not in rows


@pytest.mark.slow
def test_the_printed_program_and_its_definition_differ():
    assert om.design(PROGRAM, raw=True).objective > om.design(PROGRAM.by_definition).objective + 1e-4
    assert om.design(ROWS, raw=True).objective < om.design(ROWS.by_definition).objective - 1e-2


def test_without_a_delta_the_paper_prints_what_it_defines():
    pure = om.kadam(om.residues(6, [1, 2]), 1, 0, reading="printed")
    assert pure.by_definition is pure
    assert om.design(pure).certificate is not None


def test_a_paper_prints_no_program_of_what_it_does_not_ask():
    others = (
        replace(PROGRAM, properties=frozenset({FAIR})),
        replace(PROGRAM, objective=WorstLoss(PROGRAM.objective.loss)),
        replace(
            PROGRAM, query=om.Query(range(4), neighbours=[(0, 1), (1, 2), (2, 3), (3, 0)], labels="abcd")
        ),
        replace(om.sadeghi(1, "0.5", 3, counts=(3, 9)), privacy=ROWS.privacy),
    )
    for other in others:
        with pytest.raises(NotAcceptedError, match="printed"):
            assemble(other)
