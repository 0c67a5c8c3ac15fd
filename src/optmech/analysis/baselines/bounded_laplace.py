"""Laplace noise kept in the range from the first response to the last, by folding or by drawing again.

Both leave a real number of the range, which is rounded to the nearest response. With scale b, range 0..W and
the Laplace mass L of an interval, a cell [x, y] has under the truth q the probability

    folded     sum_m L[x - q + 2mW, y - q + 2mW] + L[2mW - y - q, 2mW - x - q]     images of the cell
    bounded    L[x - q, y - q] / L[-q, W - q]                                      drawn until it is inside

Folding is post-processing: b is sensitivity / epsilon. Drawing again is not; its b is the least with
``Delta / b + log(L[-Delta, W - Delta] / L[0, W]) = epsilon``, both neighbours at the lower end.

Source: Holohan, Antonatos, Braghin, Mac Aonghusa 2020, The Bounded Laplace Mechanism (bounded); diffprivlib
0.6.6, LaplaceFolded and LaplaceBoundedDomain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import brentq

from optmech.analysis.baselines.baseline import Baseline, measure_baseline, positive_epsilon, sensitivity
from optmech.analysis.baselines.cells import range_offsets
from optmech.analysis.baselines.laplace import laplace_mass

if TYPE_CHECKING:
    from optmech.base.numbers import Number
    from optmech.question.query import Query

__all__ = ["bounded_laplace", "folded_laplace"]

# The root is bracketed from just below the plain scale, where rounding cannot hide the sign.
_BELOW = 1 - 1e-9
_ROOT = 1e-15


def folded_laplace(query: Query, epsilon: Number) -> Baseline:
    """Return Laplace noise folded at the ends of the range until it falls inside, and rounded."""
    offsets = range_offsets(query)
    scale = float(sensitivity(query) / positive_epsilon(epsilon))
    width = float(query.responses[-1].upper - query.responses[0].lower)
    lower, upper = offsets[:-1], offsets[1:]
    to_lower = -offsets[0]  # from the lower end up to each truth
    near, far = -upper - 2 * to_lower, -lower - 2 * to_lower
    # Images on one side of the truth lie 2W apart: a geometric series of which these are the first ones.
    images = sum(
        laplace_mass(low + shift, high + shift, scale)
        for low, high, shift in (
            (lower, upper, 2 * width),
            (lower, upper, -2 * width),
            (near, far, 2 * width),
            (near, far, 0.0),
        )
    )
    return measure_baseline(
        name="folded Laplace",
        source="Dwork 2006, folded as in diffprivlib's LaplaceFolded",
        says=f"adds Laplace noise of scale {scale:.6g}, folds the sum back at the ends and rounds it",
        matrix=laplace_mass(lower, upper, scale) + images / -np.expm1(-2 * width / scale),
        query=query,
        epsilon=epsilon,
    )


def bounded_laplace(query: Query, epsilon: Number) -> Baseline:
    """Return Laplace noise drawn until the sum is in the range, and rounded: bounded Laplace."""
    offsets = range_offsets(query)
    rate, apart = float(positive_epsilon(epsilon)), float(sensitivity(query))
    width = float(query.responses[-1].upper - query.responses[0].lower)

    def excess(scale: float) -> float:
        at_end, inside = (
            laplace_mass(np.array(-away), np.array(width - away), scale) for away in (0.0, apart)
        )
        return float(apart / scale + np.log(inside) - np.log(at_end)) - rate

    plain = apart / rate
    scale = float(brentq(excess, plain * _BELOW, 2 * plain, xtol=_ROOT * plain))
    return measure_baseline(
        name="bounded Laplace",
        source="Holohan et al. 2020",
        says=f"draws Laplace noise of scale {scale:.6g} until the sum is in the range, and rounds it",
        matrix=laplace_mass(offsets[:-1], offsets[1:], scale) / laplace_mass(offsets[0], offsets[-1], scale),
        query=query,
        epsilon=epsilon,
    )
