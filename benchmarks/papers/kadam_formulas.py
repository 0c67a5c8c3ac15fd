"""Misprinted formulas and false claims of Kadam et al. 2024: the program, and whom it protects.

Each small function evaluates one formula exactly as printed; what stands beside it as computed comes from a
solved program, a matrix or a theorem at the same place. `kadam_formulas_single` has those on one distance and
on the limits, `kadam_formulas_bounded` those on all distances up to a largest one.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from benchmarks.papers.classical import discrete_gaussian_delta
from benchmarks.papers.digits import misprint
from benchmarks.papers.item import Item, Reproduction, Weight
from benchmarks.papers.kadam_formulas_bounded import bounded_lines
from benchmarks.papers.kadam_formulas_single import as_printed, limit_lines, one_way, single_lines
from benchmarks.papers.kadam_tables import SHARED_NOTE
from optmech.analysis.baselines.discrete_gaussian import clamped_gaussian
from optmech.designs.design import solved_design
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.models.formulations.assemble import assemble
from optmech.question.problems.kadam import kadam, kadam_least_delta
from optmech.question.queries import count, residues
from optmech.theorems.kadam_single import single_masses
from optmech.theorems.kadam_staircase import circulant
from optmech.theorems.powers import Doubles

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from benchmarks.papers.item import Line

    Floats = NDArray[np.float64]

__all__ = ["ITEMS"]

_WRAPS = (
    "noise that wraps around is off by n + 1 - eta: the mean over answers is sum eta (n + 1 - eta) f(eta), "
    "and the error depends on the answer"
)


def _squared_cost(noise: Floats) -> float:
    """Evaluate (11)."""
    return math.fsum(eta**2 * mass for eta, mass in enumerate(noise.tolist()))


def _number_of_columns(n: int) -> int:
    """Evaluate the number of variables in the text under (13)."""
    return 3 * (n + 1)


def _rise_by_clamping() -> float:
    """Return the largest quotient of true deltas after and before clamping the noise of Fig. 6."""
    parameter, results = 3.38, []
    for n in range(1, 9):
        query = count(n)
        matrix = clamped_gaussian(query, 1, parameter=parameter).matrix
        mechanism = MatrixMechanism.answering(query, matrix)
        results += [
            mechanism.hockey_stick_delta(query, epsilon) / discrete_gaussian_delta(parameter, epsilon)
            for epsilon in (0.25, 0.5, 1.0, 1.5, 2.0)
        ]
    return max(results)


def _program() -> list[Line]:
    """Return what is wrong with the program (13) and with what it is said to protect."""
    table = kadam(one_way(8, [1, 2, 3]), "1.5", "0.1212")
    narrow = one_way(5, [1, 2, 3])
    least, shared = (
        solved_design(kadam_least_delta(narrow, 3, at_most="0.13", reading=reading)).objective
        for reading in ("definition", "printed")
    )
    squared = solved_design(kadam(one_way(8, [1]), 1, cost="squared")).mechanism
    printed = as_printed(_squared_cost(squared.matrix[:, 0]))
    where = "the noise that makes it least, n = 8, distance 1, epsilon 1, delta 0"
    return [
        misprint(
            "before Proposition 1: true delta of the discrete Gaussian after over before clamping to 0..n, "
            "sigma^2 = 3.38, n = 1 to 8, epsilon 0.25 to 2, at most",
            "above 1",
            _rise_by_clamping(),
            "(epsilon, delta)-DP survives all post-processing; only the probabilistic notion (3) need not, "
            "as Meiser 2018, whom it cites, says",
            Weight.THEOREM,
        ),
        misprint(
            f"(11), the mean squared error over all answers of {where}",
            printed,
            squared.expected_loss("squared"),
            _WRAPS,
            Weight.FORMULA,
        ),
        misprint(
            f"(11), the mean squared error at the worst answer of {where}",
            printed,
            squared.worst_case_loss("squared"),
            _WRAPS,
            Weight.FORMULA,
        ),
        misprint(
            "the text under (13): columns of the program, n = 8, distances 1 to 3",
            as_printed(_number_of_columns(8)),
            assemble(table).model.matrix.shape[1],
            SHARED_NOTE,
            Weight.THEOREM,
        ),
        misprint(
            "(13), (15): least delta at error rate 0.13, n = 5, distances 1 to 3, epsilon 3",
            as_printed(shared),
            least,
            SHARED_NOTE,
            Weight.THEOREM,
        ),
    ]


def _one_sided() -> list[Line]:
    """Return what the neighbour in the other direction learns."""
    size, epsilon = 8, Fraction(3, 4)  # of Fig. 9 (a)
    both, three = residues(9, [1, 2, 3]), residues(size, [3])
    bounded = solved_design(kadam(one_way(8, [1, 2, 3]), "1.5")).mechanism
    single = MatrixMechanism(
        matrix=circulant(single_masses(Doubles(epsilon), size, 3, Fraction(0), size - 1)),
        responses=three.truths,
        truths=three.truths,
    )
    table = "Table 1 at delta = 0"
    note = (
        "where X is a neighbour of X' and X' of X, the distances must include the negative ones; with one "
        "direction, as in all examples, one of the two is protected"
    )
    return [
        misprint(
            f"Definition 6 with (3): probability that the loss exceeds 1.5, both neighbours, {table}",
            "at most 0",
            bounded.probabilistic_delta(both, "1.5"),
            note,
            Weight.THEOREM,
        ),
        misprint(
            f"Definition 6 with (1): true delta at epsilon 1.5, both neighbours, {table}",
            "at most 0",
            bounded.hockey_stick_delta(both, "1.5"),
            note,
            Weight.THEOREM,
        ),
        misprint(
            f"Definition 6 with (3): the epsilon of pure privacy, (b + 1) epsilon, both neighbours, {table}",
            "at most 1.5",
            bounded.effective_epsilon(both),
            note,
            Weight.THEOREM,
        ),
        misprint(
            "Definition 5 with (3): probability that the loss exceeds 0.75, both neighbours, noise of "
            "Lemma 3, n = 7, distance 3",
            "at most 0",
            single.probabilistic_delta(three, epsilon),
            note,
            Weight.THEOREM,
        ),
    ]


def _formulas() -> Reproduction:
    return Reproduction(
        lines=(*_program(), *_one_sided(), *single_lines(), *bounded_lines(), *limit_lines()),
        note=(
            "A printed value is what the formula gives exactly as printed, not a number of the paper's. As "
            "in the paper one of two neighbours is protected against the other, but where both are named."
        ),
    )


ITEMS = (
    Item(
        name="kadam-formulas",
        source="Kadam et al. 2024, formulas and text",
        title="formulas as printed beside what they should give",
        compute=_formulas,
    ),
)
