"""Optima and theorems agree, and the comparison notices when either is spoiled."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from optmech.designs import design as engine
from optmech.designs.engines import program
from optmech.models.formulations.assemble import assemble
from optmech.question.problems.croft import croft
from optmech.question.queries import extremum
from optmech.theorems.registry import THEOREMS
from optmech.theorems.theorem import Relation, Truth
from optmech.verify.crosscheck import compare
from optmech.verify.crosscheck.compare import CrosscheckVerdict, crosscheck
from optmech.verify.crosscheck.grid import QUICK, Case
from tests.each import each

SMALL = QUICK.with_ranges(
    sadeghi_epsilons=("0", "1"),
    accuracies=("0.01", "0.5"),
    half_widths=(1, 3),
    croft_epsilons=("0.5",),
    counts=(4, 7),
    extremes=(3, 4),
    kadam_epsilons=("0.8",),
    largest_answer=4,
)
CASES = SMALL.cases()


@each("case", CASES, every=30, slow_every=6)
def test_every_theorem_agrees_with_every_optimum_it_speaks_of(case):
    for row in crosscheck(case):
        assert row.verdict in (CrosscheckVerdict.AGREES, CrosscheckVerdict.FALSE_AS_PRINTED), row


def test_names_of_theorems_are_unique_and_false_ones_have_a_counter_example():
    names = [theorem.name for theorem in THEOREMS]
    assert len(set(names)) == len(names)
    assert all(theorem.counter_example for theorem in THEOREMS if theorem.truth is Truth.FALSE)


@pytest.mark.long
@pytest.mark.parametrize(
    "theorem",
    [theorem for theorem in THEOREMS if theorem.truth is not Truth.FALSE][::3],
    ids=lambda theorem: theorem.name,
)
def test_a_spoiled_theorem_is_noticed(theorem, monkeypatch):
    """Its value is moved by a thousandth from what it equals, or past what it bounds."""
    cases = [case for case in CASES if not theorem.objection(case.ask())]
    if not cases:
        pytest.skip("only the full grid has instances large enough")
    step = {Relation.EQUAL: 1e-3, Relation.AT_MOST: 100.0, Relation.AT_LEAST: -100.0}[theorem.relation]
    form = theorem.form._replace(value=lambda problem: theorem.value(problem) + step)
    spoiled = replace(theorem, form=form)
    monkeypatch.setattr(compare, "THEOREMS", (spoiled,))
    assert CrosscheckVerdict.FAILS in [row.verdict for case in cases for row in crosscheck(case)]


def without_a_block(model, rows, _):
    keep = np.ones(model.num_rows, bool)
    keep[rows] = False
    return replace(
        model,
        rows=tuple(b for b in model.rows if model.rows_of(b.name) != rows),
        matrix=model.matrix[keep],
        row_lower=model.row_lower[keep],
        row_upper=model.row_upper[keep],
    )


def with_a_sign_turned(model, rows, largest):
    """The factor e^epsilon with the other sign."""
    matrix = model.matrix.tolil()
    part = matrix[rows].toarray()
    part[np.isclose(np.abs(part), largest)] *= -1
    matrix[rows] = part
    return replace(model, matrix=sparse.csr_array(matrix))


def with_an_index_shifted(model, rows, largest):
    """The factor e^epsilon some columns further: in mixtures the next column is much like this one.

    In a free matrix of N truths and responses with the four properties a shift by s seldom shows. The rows of
    the truths themselves say ``y <= e^epsilon M`` for the fair diagonal y and each other entry, and that
    implies all the rest. Shifted, they say it of all entries but those s behind the diagonal, of which
    symmetry speaks at the mirrored place, unless 2s is a multiple of N + 1. With three truths and s = 2 the
    entries left out are the far corners, the smallest of all.
    """
    matrix, names = model.matrix.tolil(), [block.name for block in model.columns]
    shift = 1 if "f" in names else 2 if model.num_columns == 9 else model.num_columns // 3
    part = matrix[rows].toarray()
    factor = np.where(np.isclose(np.abs(part), largest), part, 0.0)
    matrix[rows] = part - factor + np.roll(factor, shift, axis=1)
    return replace(model, matrix=sparse.csr_array(matrix))


def with_spoiled_models(monkeypatch, block, spoil):
    def assemble_badly(problem):
        formulation = assemble(problem)
        model = formulation.model
        factor = float(np.exp(float(problem.privacy.epsilon)))
        inside = [float(v) for v in np.unique(np.abs(model.matrix[model.rows_of(block)].data))]
        # In bounded noise the factor stands multiplied by a mass: the largest entry has it.
        largest = factor if any(np.isclose(v, factor) for v in inside) else max(inside)
        return replace(formulation, model=spoil(model, model.rows_of(block), largest))

    monkeypatch.setattr(program, "assemble", assemble_badly)


# Where the rows of the truths bind, and three truths: other instances hide a shifted index.
SPOILED = [
    *CASES,
    *SMALL.with_ranges(
        sadeghi_epsilons=("0.5",), accuracies=("0.5",), half_widths=(2,), counts=(), extremes=(2,)
    ).cases(("sadeghi", "croft")),
]


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "block", "spoil"),
    [
        (kind, block, spoil)
        for kind, block in (
            ("all rows", "privacy"),
            ("paper rows", "privacy"),
            ("counts ", "privacy"),
            ("count 0..", "privacy"),
            ("variant 1, absolute", "privacy"),
            ("variant 2, absolute", "privacy"),
            ("delta 0, definition", "ratio"),
            ("delta 0.3, definition", "ratio"),
            ("delta 0.3, printed", "ratio"),
            ("least delta at error rate", "ratio"),
            ("symmetric noise within 3", "privacy"),
            ("symmetric noise within 3", "budget"),
            ("zero-bias noise within 3", "budget"),
            ("any matrix, epsilon 0.5, delta 0.01", "privacy"),
            ("any matrix, epsilon 0.5, delta 0.01", "budget"),
            ("any matrix, epsilon 0.8, least delta", "budget"),
            ("noise added modulo the number of answers, epsilon 0.8, delta 0.3", "ratio"),
            ("noise added modulo the number of answers, epsilon 0.8, least delta at a mean", "bound"),
        )
        for spoil in (without_a_block, with_a_sign_turned, with_an_index_shifted)
        if ("delta 0," not in kind or spoil is not without_a_block)  # the next test
    ],
)
def test_a_spoiled_formulation_is_noticed(kind, block, spoil, monkeypatch):
    with_spoiled_models(monkeypatch, block, spoil)
    verdicts = {row.verdict for case in SPOILED if kind in case.instance for row in crosscheck(case)}
    assert verdicts & {CrosscheckVerdict.FAILS, CrosscheckVerdict.NO_ANSWER}


@each("case", [case for case in CASES if "delta 0, definition" in case.instance], every=2, slow_every=3)
def test_pure_noise_without_its_ratios_shows_in_the_bound_alone(case, monkeypatch):
    """The program's answer is then to tell the truth always, at no loss.

    Polishing raises each mass to e^-epsilon times the one that a step leads from, until nothing changes: from
    the truth alone that makes e^-epsilon to the power of the steps needed, which is the optimum. So no
    optimum shows what was dropped; the solver's bound does.
    """
    problem = case.ask()
    with_spoiled_models(monkeypatch, "ratio", without_a_block)
    design = engine.solved_design(problem)
    assert all(row.verdict is not CrosscheckVerdict.FAILS for row in crosscheck(case))
    assert design.lower_bound == pytest.approx(0, abs=1e-9)
    assert design.objective > 0.1


MONOTONE = ("row_rising", "row_falling", "column_rising", "column_falling")


@pytest.mark.parametrize("names", [("fair",), MONOTONE], ids=["fair", "all four monotonies"])
def test_dropped_properties_of_variant_2_are_noticed_by_some_extremum(names, monkeypatch):
    """Symmetry costs nothing: the mean of a matrix and its mirror image loses the same.

    The proof uses monotony only for the rule that no entry exceeds the fair diagonal. Rows or columns that
    rise or fall, with symmetry, see to that: so the four are dropped together, which a squared loss shows.
    """

    def assemble_badly(problem):
        formulation = assemble(problem)
        model = formulation.model
        for name in names:
            model = without_a_block(model, model.rows_of(name), None)
        return replace(formulation, model=model)

    monkeypatch.setattr(program, "assemble", assemble_badly)
    cases = [
        Case(
            family="croft",
            instance=f"extremum 0..{largest}, variant 2, squared loss",
            ask=lambda largest=largest: croft(extremum(0, largest), "0.5", variant=2, loss="squared"),
        )
        for largest in (2, 3, 4)
    ]
    verdicts = {row.verdict for case in cases for row in crosscheck(case)}
    assert CrosscheckVerdict.FAILS in verdicts
