"""The same question put to qif, a library of quantitative information flow: `min_loss_given_d`.

Its metric between truths is epsilon for neighbours, and others are left out as "chainable", so that it solves
the program of `croft` with a uniform prior. It returns the matrix of its solver unchanged.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.cost.machine import peer
from optmech.question.privacy.loss import largest_privacy_loss
from optmech.question.problems.named import named_problem

if TYPE_CHECKING:
    import optmech as om

__all__ = ["answer", "mechanism"]


def mechanism(problem: om.Problem) -> np.ndarray:
    """Return the matrix that qif calls optimal, columns truths, shape (num_responses, num_truths)."""
    qif = peer("qif")
    query, loss = problem.query, problem.objective.loss  # type: ignore[attr-defined]
    size = query.num_truths
    neighbours = np.zeros((size, size), dtype=bool)
    neighbours[query.pairs[:, 0], query.pairs[:, 1]] = True
    apart = float(problem.privacy.epsilon) * (1.0 - np.eye(size))
    result = qif.mechanism.d_privacy.min_loss_given_d(
        pi=qif.probab.uniform(size),
        n_cols=query.num_responses,
        d_priv=qif.metric.from_distance_matrix(apart),
        loss=qif.metric.from_distance_matrix(np.asfortranarray(loss.T)),
        d_priv_ch=lambda left, right: not neighbours[left, right],
    )
    return np.array(result).T


def answer(choices: dict[str, Any]) -> dict[str, Any]:
    """Return seconds, objective and true epsilon of its matrix for ``croft`` with these choices."""
    peer("qif")
    mechanism(
        named_problem(
            "croft", {**choices, "range": "0:2", **({"records": 2} if "records" in choices else {})}
        )
    )
    problem = named_problem("croft", choices)
    start = time.perf_counter()
    matrix = mechanism(problem)
    seconds = time.perf_counter() - start
    query = problem.query
    if matrix.shape != (query.num_responses, query.num_truths):
        return {"error": f"no mechanism: a matrix of shape {matrix.shape}", "seconds": seconds}
    with np.errstate(invalid="ignore"):
        worst = largest_privacy_loss(matrix, query.pairs)
    row = worst.response or 0
    pair = f"{matrix[row, worst.truth]:.2g} beside {matrix[row, worst.neighbour]:.2g}"
    return {
        "seconds": seconds,
        "objective": problem.value(matrix),
        "epsilon": worst.value,
        "pair": pair,
        "least": float(matrix.min()),
        "total": float(np.abs(matrix.sum(axis=0) - 1).max()),
    }
