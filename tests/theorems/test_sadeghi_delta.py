"""The least delta of all sets of outcomes for bounded noise: theorem, proof, and values computed apart."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from flint import arb, ctx, fmpq

import optmech as om
from optmech.designs.order import too_large_epsilon
from optmech.theorems.sadeghi_delta import least_true_shape
from optmech.theorems.sadeghi_theorems import ALL_SETS as THEOREMS
from tests.each import each
from tests.readers import checker

ROOT = Path(__file__).parents[2]
REFERENCE = json.loads((ROOT / "tests" / "reference" / "sadeghi.json").read_text())
NAMED = {theorem.name: theorem for theorem in THEOREMS}
LEAST = NAMED["sadeghi-true-least-delta"]
# The reference has 20 digits, and deltas down to 1e-1097.
PRINTED = 1e-19
BITS = 8000


def ask(epsilon, accuracy, width, counts=None):
    first, last = counts or (width, width + 1)
    query = om.sadeghi_symmetric(epsilon, accuracy, width, counts=(first, last)).query
    return om.question(query, epsilon, structure=om.SymmetricNoise(width, accuracy), least="delta")


def zero_bias(epsilon, accuracy, width, counts):
    query = om.sadeghi(epsilon, accuracy, width, counts).query
    return om.question(query, epsilon, structure=om.ZeroBiasNoise(width, accuracy), least="delta")


def row_name(row):
    return "-".join(str(row[key]) for key in ("eps", "eta", "D", "n0", "N") if key in row)


def relative(number, text):
    with ctx.workprec(BITS):
        value = arb(fmpq(number.numerator, number.denominator)) if isinstance(number, Fraction) else number
        return float(abs(value / arb(text) - 1))


@pytest.mark.slow
@each("row", REFERENCE["symmetric"])
def test_every_least_delta_is_the_one_computed_apart_and_is_certified(row, tmp_path):
    problem = ask(row["eps"], row["eta"], row["D"])
    known = row["opt_true_delta_sym"]
    assert LEAST.objection(problem) is None
    assert relative(LEAST.ball(problem, 30), known) < PRINTED
    design = om.design(problem)
    certificate = design.certificate
    assert relative(certificate.objective, known) < PRINTED
    assert relative(certificate.bound, known) < PRINTED
    assert certificate.bound <= certificate.objective
    om.write_certificate(certificate, tmp_path / "noise.json")
    design.mechanism.to_csv(tmp_path / "noise.csv")
    assert checker.main([str(tmp_path / "noise.json"), str(tmp_path / "noise.csv")]) == 0


@each("row", REFERENCE["symmetric"], every=2)
def test_a_program_finds_the_same_as_far_as_doubles_reach(row):
    problem = ask(row["eps"], row["eta"], row["D"])
    if too_large_epsilon(problem):
        return
    objective = om.design(problem, engine="program", raw=True).objective
    assert objective == pytest.approx(float(row["opt_true_delta_sym"]), abs=1e-8)


@each("row", [row for row in REFERENCE["general_lp"] if row["objective"] != "singular"])
def test_noise_that_differs_from_count_to_count_keeps_its_bounds(row):
    problem = zero_bias(row["eps"], row["eta"], row["D"], (row["n0"], row["N"]))
    speaking = [theorem for theorem in THEOREMS if theorem.objection(problem) is None]
    for theorem in speaking:
        below = theorem.value(problem) - float(row["delta"])
        # The reference is a program's, good to 1e-9.
        assert below <= 1e-9 if theorem.relation == "is at most the optimum" else below >= -1e-9
    assert speaking


GRID = [
    (epsilon, accuracy, width)
    for epsilon, accuracy, width in product(
        ("0", "0.1", "1", "2.18", "5"), ("0.0001", "0.01", "0.1", "0.3", "0.9"), (1, 2, 3, 4, 7, 8, 9)
    )
]


def test_the_grid_has_noise_of_every_shape():
    shapes = {tuple(least_true_shape(*letters)) for letters in GRID}
    assert {kind for kind, _ in shapes} == {"knee", "geometric", "balanced"}
    assert {order for kind, order in shapes if kind == "geometric"} >= {0, 1, 2, 3}


@each("letters", GRID, every=3)
def test_matrix_and_multipliers_meet_without_any_gap(letters):
    """For a rational in place of e^epsilon the noise has the delta that the multipliers prove."""
    problem = ask(*letters)
    growth = Fraction(round(2**20 * np.exp(float(letters[0]))), 2**20)
    result = LEAST.exact(problem, growth)
    left, right = result.matrix.T
    assert sum(left) == sum(right) == 1
    excess = [max(Fraction(0), p - growth * q) for p, q in zip(left, right, strict=True)]
    back = [max(Fraction(0), q - growth * p) for p, q in zip(left, right, strict=True)]
    assert sum(excess) == sum(back)
    assert all(0 <= y <= 1 and place[1:] == (0, 1) for place, y in result.multipliers.items())
    # Weighed by the multipliers every noise of this accuracy and width leaks the same.
    accuracy, width = Fraction(letters[1]), letters[2]
    for spread in range(1, width + 1):
        noise = {0: accuracy, spread: (1 - accuracy) / 2, -spread: (1 - accuracy) / 2}
        leaks = sum(
            y * (noise.get(r - width, 0) - growth * noise.get(r - width - 1, 0))
            for (r, _, _), y in result.multipliers.items()
        )
        assert leaks >= sum(excess)


@each(
    "problem",
    [
        ask("2.18", "0.8", 6),
        ask(1, "0.01", 4, (4, 7)),
        ask("2.18", "0.01", 3),
        zero_bias("1.1", "0.05", 3, (3, 9)),
        zero_bias("1", "0.5", 4, (1, 20)),
    ],
)
def test_value_ball_and_matrix_of_a_theorem_are_one(problem):
    speaking = [theorem for theorem in THEOREMS if theorem.objection(problem) is None]
    assert speaking
    for theorem in speaking:
        assert theorem.value(problem) == float(theorem.ball(problem, 25))
        if theorem.matrix is None:
            continue
        matrix, growth = theorem.matrix(problem), np.exp(float(problem.privacy.epsilon))
        assert matrix.shape == (problem.query.num_responses, problem.query.num_truths)
        assert matrix.sum(axis=0) == pytest.approx(1, abs=1e-15)
        leaks = [np.maximum(matrix[:, f] - growth * matrix[:, g], 0).sum() for f, g in problem.query.pairs]
        assert max(leaks) == pytest.approx(theorem.value(problem), abs=1e-15)


@each(
    ("name", "problem", "text"),
    [
        ("sadeghi-true-least-delta", om.sadeghi_symmetric(1, "0.5", 2), "bounds all sets of outcomes"),
        ("sadeghi-true-least-delta", zero_bias(1, "0.5", 2, (2, 8)), "applies to symmetric noise"),
        ("sadeghi-true-count-one-floor", ask(1, "0.5", 2), "applies to zero-bias noise"),
        ("sadeghi-true-count-one-floor", zero_bias(1, "0.5", 2, (2, 8)), "counts must start at 1; got 2"),
        ("sadeghi-true-small-counts-do-not-help", zero_bias(1, "0.5", 2, (2, 5)), "must reach 6; got 5"),
        ("sadeghi-true-symmetric-is-allowed", zero_bias(1, "0.5", 2, (1, 5)), "the half-width 2 or above"),
    ],
)
def test_an_objection_says_why(name, problem, text):
    assert text in NAMED[name].objection(problem)


def test_bounded_losses_are_beyond_these_theorems():
    plain = ask(1, "0.5", 2)
    bounded = om.question(
        plain.query, 1, structure=plain.structure, least="delta", bounds=["mean absolute <= 1"]
    )
    assert all("further bounds" in theorem.objection(bounded) for theorem in THEOREMS)


def _doubled(content):
    content["proof"]["denominator"] = str(2 * int(content["proof"]["denominator"]))


def _fewer_bits(content):
    content["proof"]["denominator"] = str(2**80)


def _no_power(content):
    content["proof"]["denominator"] = str(int(content["proof"]["denominator"]) - 1)


def _one_more(content):
    ((text, *_),) = content["proof"]["tree"]["privacy"]
    *before, last = text.split(" ")
    content["proof"]["tree"]["privacy"][0][0] = " ".join([*before, str(int(last) + 1)])


def _nothing(content):
    content["proof"]["denominator"] = "0"


@pytest.mark.parametrize("spoil", [_doubled, _fewer_bits, _no_power, _one_more, _nothing])
def test_finer_multipliers_are_held_to_their_denominator(spoil, tmp_path):
    design = om.design(ask(10, "0.3", 32))
    om.write_certificate(design.certificate, tmp_path / "noise.json")
    design.mechanism.to_csv(tmp_path / "noise.csv")
    content = json.loads((tmp_path / "noise.json").read_text())
    assert int(content["proof"]["denominator"]) > 2**500
    spoil(content)
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in content.items()]
    (tmp_path / "noise.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    with pytest.raises((om.FileFormatError, om.VerificationError)):
        om.read_certificate(tmp_path / "noise.json")
    assert checker.main([str(tmp_path / "noise.json"), str(tmp_path / "noise.csv")]) == 1


@pytest.mark.slow
def test_a_delta_of_too_many_zeros_is_left_to_the_program(tmp_path):
    """Its numbers would be too long for Python to write."""
    with pytest.raises(om.ProblemError, match="protects nobody"):
        om.design(ask(40, "0.5", 100))
    design = om.design(ask("11.9", "0.5", 300))
    assert design.engine == "program"
    om.write_certificate(design.certificate, tmp_path / "noise.json")
    assert om.read_certificate(tmp_path / "noise.json").objective == design.certificate.objective
    longest = ask(40, "0.5", 86)
    assert -1500 < float(LEAST.ball(longest, 5).log()) / np.log(10) < -1470
    om.write_certificate(om.design(longest).certificate, tmp_path / "noise.json")
    assert om.read_certificate(tmp_path / "noise.json").bound > 0


def test_the_closed_form_is_asked_first_and_says_why():
    design = om.design(ask("2.18", "0.01", 3))
    assert design.engine == "closed-form"
    assert design.reasons["closed-form"].endswith("gives the optimal matrix and its proof")
    assert om.design(ask("2.18", "0.01", 3), solver="highs").engine == "program"


def test_over_all_sets_noise_by_count_beats_symmetric_noise_on_a_finite_range():
    by_count = om.design(zero_bias("0.1", "0.5", 4, (4, 12)))
    symmetric = om.design(ask("0.1", "0.5", 4, (4, 12)))
    assert by_count.objective == pytest.approx(0.445484, abs=1e-6)
    assert symmetric.lower_bound == pytest.approx(0.473707, abs=1e-6)
    assert by_count.objective < symmetric.lower_bound
