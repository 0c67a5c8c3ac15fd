"""Formulas and claims of Sadeghi, Asoodeh, Calmon 2020 that are wrong as printed, at one point each.

Beside what a formula says as it is printed stands the number it should have said, computed another way: from
the optimum of the linear program, from the matrix of a mechanism, or from the bounds (23) and (32).
E is ``e^epsilon``, C is ``2 eta / (1 - eta)``, B is ``2 / (1 - eta)`` for the accuracy eta, D the half-width.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from flint import fmpq
from scipy.optimize import brentq

from benchmarks.baselines.unbounded_gaussian import parameter_of_variance
from benchmarks.papers import classical
from benchmarks.papers.digits import holds, misprint, unprinted
from benchmarks.papers.item import Item, Line, Reproduction, Weight
from benchmarks.papers.sadeghi_closed_forms import (
    crossovers,
    singular_bounds,
    true_delta_printed,
    variance_printed,
)
from benchmarks.papers.sadeghi_examples import VARIANCE_NOTE
from optmech.analysis.baselines.discrete_gaussian import discrete_gaussian
from optmech.designs.design import solved_design
from optmech.models.formulations.assemble import assemble
from optmech.question.problems.sadeghi import sadeghi, sadeghi_symmetric
from optmech.question.query import Query
from optmech.theorems import sadeghi as single_outcomes
from optmech.theorems.sadeghi_letters import Law

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from optmech.analysis.baselines.whole_number_noise import SymmetricIntegerNoise

    Floats = NDArray[np.float64]

__all__ = ["ITEMS"]

_FIG_1 = ("2.18", "0.8", 6)  # epsilon, accuracy, half-width of Fig. 1
_FIG_4 = ("1.1", "0.5", 6)
_WHERE_1 = "epsilon = 2.18, accuracy 0.8, D = 6"


def _rows_of_proposition_4(half_width: int) -> list[tuple[int, int | None]]:
    """Return the noise values on the left and the right of (17)-(19); ``None`` is out of the support."""
    inner = [(i, i + 1) for i in range(1, half_width)]  # (18)
    return [(half_width, None), *inner, (0, 1)]  # (17), (19)


def _crossing_of_lemma_3(factor: float, half_width: int, last: int) -> float:
    """Return the last display of Lemma 3, with its numerator summed up to `last`; D - 1 is printed."""
    above = sum(factor**j for j in range(last + 1))
    return above / sum(factor**j * (half_width - j) for j in range(half_width))


def _difference_36(factor: float, k: int) -> float:
    """Return the right-hand side of (36), printed for k up to D."""
    above = sum(factor**j * (j + 1) for j in range(k + 1))
    below = sum(factor**j * (k - j) for j in range(k))
    return above / (below * sum(factor**j * (k + 1 - j) for j in range(k + 1)))


def _indices_of_theorem_2(odds: fmpq, crossings: Sequence[fmpq], *, closed: bool = False) -> list[int]:
    """Return each k with ``C_k < C <= C_{k-1}``, C_0 infinite and C_{D+1} zero; `closed`: ``C_k <= C``."""
    ends = [*crossings, fmpq(0)]
    results = []
    for k, low in enumerate(ends, 1):
        above = odds > low or (closed and odds == low)
        if above and (k == 1 or odds <= ends[k - 2]):
            results.append(k)
    return results


def _bound_21(weights: Floats, i: int, leak: float, factor: float) -> float:
    """Return the lower bound that (21) for this i puts on the next weight; `leak` is B delta."""
    return float((weights[i - 1] - leak) / factor)


def _delta_45(noise: SymmetricIntegerNoise, sigma_squared: float, epsilon: float) -> float:
    """Return (45); sigma_squared is, as printed, the variance of the noise."""
    above, beyond = (float(noise.sf(math.floor(epsilon * sigma_squared + end))) for end in (-0.5, 0.5))
    return above - math.exp(epsilon) * beyond


def _worst_event(column: Floats, other: Floats, factor: float) -> float:
    """Return the largest ``p(S) - E q(S)`` over all events S among these outcomes."""
    return float(np.maximum(column - factor * other, 0.0).sum())


def _crossing_of_bounds(epsilon: str, half_width: int) -> float:
    """Return C where the bounds (23) for k = D and (32) are equal."""

    def difference(accuracy: float) -> float:
        last = singular_bounds(epsilon, accuracy, half_width)[-2:]
        return float(last[0] - last[1])

    accuracy = brentq(difference, 0.01, 0.99, xtol=1e-15)
    return float(2 * accuracy / (1 - accuracy))


def _proofs() -> list[Line]:
    epsilon, accuracy, width = _FIG_1
    design = solved_design(sadeghi_symmetric(epsilon, accuracy, width))
    factor, half_error = math.exp(float(epsilon)), (1 - float(accuracy)) / 2
    leak = design.objective / half_error
    weights = design.mechanism.matrix[width + 1 : 2 * width + 1, 0] / half_error  # (16), first column
    listed = single_outcomes.weights(epsilon, accuracy, width)
    problem = sadeghi_symmetric("1", "0.5", 4)
    compared = assemble(problem).model.rows_of("privacy")
    lines = [
        misprint(
            "Proposition 4: comparisons of consecutive columns of (16), D = 4",
            str(len(_rows_of_proposition_4(4))),
            float(compared.stop - compared.start),
            "true as printed, for it claims no more than that (17)-(19) are necessary; Theorem 3 takes them "
            "for all, without alpha_(i+1) <= E alpha_i + B delta and alpha_1 <= E C + B delta, which bind "
            "for small accuracy",
            Weight.SLIP,
        ),
        misprint(
            f"Lemma 1, (25): what (21) for i = 2 says alpha_2 is at least, {_WHERE_1}",
            f"{_bound_21(weights, 2, leak, factor):.6g}",
            float(weights[1]),
            "it bounds alpha_3; (21) for i = 1 bounds alpha_2, here with equality, and is meant",
            Weight.SLIP,
        ),
    ]
    lines += [
        misprint(
            f"Lemma 3, its last display: C where delta_D = delta_(D+1), epsilon = {at}, D = {half_width}",
            f"{_crossing_of_lemma_3(math.exp(float(at)), half_width, half_width - 1):.6g}",
            _crossing_of_bounds(at, half_width),
            "the numerator is the sum of E^j up to j = D, as in (34), not up to D - 1",
            Weight.FORMULA,
        )
        for at, half_width in (("2.18", 6), ("1", 2))
    ]
    crossings = crossovers("1", "0.5", 3)
    tie = Law(fmpq(1), fmpq(2, 9), 16, fmpq(9, 20))  # epsilon = 0, accuracy 0.1, where C = C_9
    bounds = singular_bounds.formula(tie)
    past = _indices_of_theorem_2(tie.C, crossovers.formula(tie))
    lines += [
        misprint(
            "(36) at k = D: C_D - C_(D+1), epsilon = 1, D = 3",
            f"{_difference_36(math.e, 3):.6g}",
            float(crossings[-1]),
            "C_(D+1) is defined as 0, so that (36) holds for k up to D - 1 only",
            Weight.SLIP,
        ),
        misprint(
            "Theorem 2, 'if and only if': number of k with delta_k the largest, epsilon = 0, accuracy 0.1, "
            "D = 16",
            str(len(past)),
            float(bounds.count(max(bounds))),
            "at a tie C = C_k both delta_k and delta_(k+1) are the largest; 'if' holds, 'only if' does not",
            Weight.SLIP,
        ),
    ]
    slack = "only (19) and (18) for i < k hold with equality; the proof needs no more than the inequalities"
    lines += [
        misprint(
            f"Theorem 3, its proof, 'with equality': left less right of (18) for i = 3, {_WHERE_1}",
            "0",
            half_error * float(weights[2] - factor * weights[3]) - design.objective,
            slack,
            Weight.SLIP,
        ),
        misprint(
            f"Theorem 3, its proof, 'with equality': left less right of (17), {_WHERE_1}",
            "0",
            half_error * float(weights[-1]) - design.objective,
            slack,
            Weight.SLIP,
        ),
        misprint(
            f"Theorem 3, its proof: alpha_5 - alpha_4, {_WHERE_1}",
            "below 0",
            float(listed[4] - listed[3]),
            "the weights fall strictly up to alpha_k only; from alpha_(k+1) on all are 0",
            Weight.SLIP,
        ),
    ]
    return lines


def _claims() -> list[Line]:
    epsilon, accuracy, width = _FIG_1
    design = solved_design(sadeghi_symmetric(epsilon, accuracy, width))
    true_delta = true_delta_printed(epsilon, accuracy, width)
    small = solved_design(sadeghi_symmetric("1", "0.5", 2, counts=(2, 3)))
    matrix, query = small.mechanism.matrix, small.problem.query
    responses = tuple(response.midpoint for response in query.responses)
    upwards = Query(query.truths, responses, [(0, 1)], symmetric=False)
    narrow = solved_design(sadeghi_symmetric("0", "0.5", 1))
    inside = matrix[1:, :]  # S in [N + D]: without the response 0
    low_counts = solved_design(sadeghi("1.1", "0.5", 8, counts=(1, 24)))
    return [
        misprint(
            f"section I, 'epsilon-DP with probability 1 - delta': probability of a larger loss, {_WHERE_1}",
            f"at most {true_delta:.6g}",
            design.mechanism.probabilistic_delta(design.problem.query, epsilon),
            "a common reading of (epsilon, delta) that does not hold: delta sums the excesses only, and here "
            "each noise from -3 to 0 is more than E times as likely as its neighbour",
            Weight.THEOREM,
        ),
        misprint(
            "section II, 'a minor assumption on D': least delta with counts from 1 on, epsilon = 1.1, "
            "accuracy 0.5, D = 8",
            f"{single_outcomes.least_delta_printed('1.1', '0.5', 8):.6g}",
            low_counts.objective,
            "n >= D is assumed openly, but is not minor: from accuracy (1 - 1/E)^2 on a count of 1 bounds "
            "delta whatever D is",
            Weight.SLIP,
        ),
        misprint(
            "Remark 2: largest p_n(S) - E p_(n+1)(S), counts 2 and 3, epsilon = 1, accuracy 0.5, D = 2",
            f"{_worst_event(inside[:, 0], inside[:, 1], math.e):.6g}",
            small.mechanism.hockey_stick_delta(upwards, 1),
            "S in [N + D] leaves out the response 0, which count D gives; S in [0 : N + D] is meant",
            Weight.SLIP,
        ),
        holds(
            "Remark 2: true delta over that of single outcomes, epsilon = 0, accuracy 0.5, D = 1",
            "at most 2D + 1 = 3",
            narrow.mechanism.hockey_stick_delta(narrow.problem.query, 0) / narrow.objective,
            "valid, but loose: D + 1 always suffices, and is attained here",
        ),
        *_discrete_gaussian(),
    ]


def _discrete_gaussian() -> list[Line]:
    epsilon = 1.8
    variance = variance_printed(*_FIG_1)
    parameter = parameter_of_variance(variance)
    compared = discrete_gaussian(variance_printed(*_FIG_4))
    return [
        misprint(
            f"(45) at epsilon = {epsilon:g}, for the variance of our noise at {_WHERE_1}",
            f"{_delta_45(discrete_gaussian(parameter), variance, epsilon):.6g}",
            classical.discrete_gaussian_delta(parameter, epsilon),
            VARIANCE_NOTE,
            Weight.FORMULA,
        ),
        unprinted(
            "section IV, step 2: probability of the truth of the discrete Gaussian of 'the same utility', "
            "epsilon = 1.1, accuracy 0.5, D = 6",
            float(compared.pmf(0)),
            "the paper means the variance; our noise tells the truth with probability 0.5",
        ),
    ]


def _compute() -> Reproduction:
    return Reproduction(
        lines=(*_proofs(), *_claims()),
        note="Printed: what the formula gives as it is printed, or the claim. Computed: what is true there.",
    )


ITEMS = (
    Item(
        name="sadeghi-formulas",
        source="Sadeghi, Asoodeh, Calmon 2020",
        title="formulas and claims that are wrong as printed",
        compute=_compute,
    ),
)
