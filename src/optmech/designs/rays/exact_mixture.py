"""A mixture of rays in whole numbers: private as it is made, with columns that sum to one.

Law: e^epsilon is replaced by a number that is a little smaller, which leaves room for rounding. Weights are
scaled down by what the sums of columns have too much, and a little more. The rest that columns lack is hardly
different from truth to truth, so that it is a private row itself, and goes to the cheapest response.
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil, exp, log
from typing import TYPE_CHECKING

import numpy as np

from optmech.designs.repair.rounding import BITS, FLOOR, as_integers
from optmech.proofs.matrix import ExactMatrix
from optmech.proofs.ray_matrix import STEP_BITS, Ray, RayMatrix

if TYPE_CHECKING:
    from optmech.base.arrays import Floats
    from optmech.designs.rays.search import RayAnswer

# Doubles of e^-epsilon are right to 2^-53, and entries, of 56 bits or more, are rounded to the last one.
_MARGIN = 2.0**-50
# Where sums of columns are further from one than this, weights are no exact mixture.
_MOST_LACKING = 1e-10
# So much of what columns lack has its room: it is alike for all truths but for the rest.
_ROOM = 2.0
_LEAST_LACKING = 2.0**-56
# A smaller share of a ray is left out: nothing would be left of it on the lower levels.
_LEAST_WEIGHT = 2.0**-60


def exact_mixture(answer: RayAnswer) -> ExactMatrix | None:
    """Return the mixture of a search in whole numbers, ``None`` where its sums are too far from one."""
    rows, mixture = answer.rows, answer.mixture
    if mixture is None or not rows.has_plain_rows:
        return None
    chosen = np.flatnonzero(mixture.weights > _LEAST_WEIGHT)
    weights, responses = mixture.weights[chosen], mixture.responses[chosen]
    steps = mixture.levels[chosen].max(axis=1, keepdims=True) - mixture.levels[chosen]
    if rows.mirrored:
        weights, steps = np.tile(weights / 2, 2), np.concatenate([steps, steps[:, ::-1]])
        responses = np.concatenate([responses, len(rows.costs) - 1 - responses])
    down = exp(-rows.epsilon) * (1 + _MARGIN)
    lowest = np.floor((np.log(weights) - log(FLOOR)) / -log(down)).astype(np.int64)
    steps = np.minimum(steps, np.maximum(lowest, 0)[:, None])
    scale = _scale(weights @ down**steps, exp(rows.epsilon))
    if scale is None:
        return None
    of_responses: list[dict[Ray, int]] = [{} for _ in rows.costs]
    wholes = as_integers(np.floor(weights * scale * 2.0**BITS)).tolist()
    for response, whole, levels in zip(responses.tolist(), wholes, steps, strict=True):
        shares, ray = of_responses[response], Ray.of(0, levels)
        shares[ray] = shares.get(ray, 0) + whole  # a ray that is its own image comes twice
    mixed = RayMatrix(
        denominator=2**BITS,
        step=ceil(down * 2**STEP_BITS),
        rest=int(rows.costs.sum(axis=1).argmin()),
        rows=tuple(
            tuple(replace(ray, weight=whole) for ray, whole in shares.items()) for shares in of_responses
        ),
        truths=rows.costs.shape[1],
    )
    return ExactMatrix.of_rays(mixed)


def _scale(sums: Floats, factor: float) -> float | None:
    """Return what makes weights so much smaller that columns of such sums lack what is a private row."""
    spread = float(sums.max() - sums.min())
    lacking = _ROOM * spread * factor / (factor - 1) + _LEAST_LACKING
    if not (lacking < _MOST_LACKING and abs(sums.max() - 1) < _MOST_LACKING):
        return None
    return float((1 - lacking) / sums.max())
