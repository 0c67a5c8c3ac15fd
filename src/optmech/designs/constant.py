"""A response that does not depend on the truth, where this is optimal.

Model
-----
    M[r,f] = p_r for each truth f: all columns are equal, and private for every epsilon and delta

The p that are tried: one response for sure, a response and its mirror image by halves, each as likely as the
others, and what another mechanism makes of a truth at random, but for what it hardly ever says. A solver ends
a little above an optimum of zero, and a repair has to spread a little over every response; here nothing is
rounded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from optmech.base.time_left import time_is_up
from optmech.proofs.matrix import ExactMatrix
from optmech.proofs.violation import objective_of, violation

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from optmech.base.arrays import Whole
    from optmech.proofs.enclosure import Enclosure
    from optmech.question.problem import Problem
    from optmech.rules import Rules

# The error of a double, where exact arithmetic decides next.
_ROUNDING = 1e-12
# A response this much rarer than all together may be dust of a repair.
_HARDLY_EVER = 10**6


class Repaired(NamedTuple):
    """A matrix that keeps all rules, proved, where it is from, and its objective."""

    origin: str
    matrix: ExactMatrix
    objective: Fraction


def best_constant(
    rules: Rules, factor: Enclosure, *, at_most: float, beside: ExactMatrix | None = None
) -> Repaired | None:
    """Return the answer without the data that has the least objective, ``None`` where none is in question.

    It keeps all rules, proved, and costs no more than `at_most`; `beside` is another mechanism.
    """
    best: Repaired | None = None
    problem = rules.problem
    for shares in _candidates(problem, at_most, beside):
        rows = np.broadcast_to(shares[:, None], (len(shares), problem.query.num_truths))
        matrix = ExactMatrix(numerators=rows, denominator=int(shares.sum()))
        if violation(rules, matrix, factor) is not None:
            continue
        objective = objective_of(rules, matrix, factor)
        if best is None or objective < best.objective:
            best = Repaired("an answer that ignores the data", matrix, objective)
    return best


def _candidates(problem: Problem, at_most: float, beside: ExactMatrix | None) -> Iterator[Whole]:
    """Yield shares of the responses that cost at most so much, as far as doubles tell."""
    number, loss = problem.query.num_responses, problem.least_loss
    limit = at_most + _ROUNDING * (1 + abs(at_most))
    for shares in _shares(number, beside):
        if time_is_up():
            return
        if loss is not None and limit < np.inf:
            said = np.flatnonzero(shares)
            likely = (shares[said] / shares[said].sum()).astype(float)
            if loss.of_truths(likely @ loss.loss[said]) > limit:
                continue
        yield shares


def _shares(number: int, beside: ExactMatrix | None) -> Iterator[Whole]:
    yield np.full(number, 1, dtype=object)
    for mirrored in (False, True):
        for response in range(number // 2 if mirrored else number):
            shares = np.zeros(number, dtype=object)
            shares[response] += 1
            shares[number - 1 - response] += int(mirrored)
            yield shares
    if beside is not None:
        sums = beside.numerators.sum(axis=1)
        yield np.where(sums * _HARDLY_EVER < sums.sum(), 0, sums)
