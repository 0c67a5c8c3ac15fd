"""Two-sided geometric noise clamped to a grid or folded at its ends, and the explicit fair mechanism.

Source: Ghosh, Roughgarden, Sundararajan 2009 (geometric mechanism); Kadam et al. 2024 (55)-(56); Cormode,
Kulkarni, Srivastava 2018 (explicit fair mechanism). The last formula is as `reference/croft.md`, 3e, recalls
and checks it; their paper was not at hand.
All clamped outcomes share one ratio, so that clamping leaves the privacy of geometric noise as it is.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from optmech.analysis.baselines.baseline import baseline, positive_epsilon
from optmech.analysis.baselines.lattice import TwoSidedGeometric, clamp, lattice_of
from optmech.base.errors import NotAcceptedError

if TYPE_CHECKING:
    from optmech.analysis.baselines.baseline import Exact
    from optmech.base.arrays import Floats
    from optmech.base.numbers import Number
    from optmech.question.query import Query


def geometric_noise(query: Query, epsilon: Number) -> TwoSidedGeometric:
    """Return geometric noise that spends epsilon: each step is less likely by ``e^(-epsilon / reach)``."""
    return TwoSidedGeometric(rate=float(positive_epsilon(epsilon) / lattice_of(query).reach))


@baseline("truncated geometric", "Ghosh et al. 2009; Kadam et al. 2024 (56), the last row corrected")
def truncated_geometric(query: Query, epsilon: Exact) -> tuple[str, Floats]:
    """Return geometric noise that spends epsilon, clamped to the grid."""
    noise = geometric_noise(query, epsilon)
    says = f"adds geometric noise with ratio {math.exp(-noise.rate):.6g} and clamps the sum to the grid"
    return says, clamp(noise, lattice_of(query).shifts)


@baseline("folded geometric", "Ghosh et al. 2009, folded as in diffprivlib's GeometricFolded")
def folded_geometric(query: Query, epsilon: Exact) -> tuple[str, Floats]:
    """Return geometric noise that spends epsilon, folded at the ends of the grid until it falls inside.

    Folding at 0 takes -1 for 1, at n it takes n + 1 for n - 1. The grid of n steps repeats after 2n, so that
    the images of a response on either side are one geometric series. Truths must lie between the responses.
    """
    noise, shifts = geometric_noise(query, epsilon), lattice_of(query).shifts
    last = query.num_responses - 1
    places, truths = np.arange(last + 1)[:, None], -shifts[0]
    if (truths < 0).any() or (truths > last).any():
        message = (
            "folded noise needs every truth between the first and the last response; "
            f"got {query.title}. Add responses until they cover the truths."
        )
        raise NotAcceptedError(message)
    shift_part = noise.pmf(shifts + 2 * last) + noise.pmf(shifts - 2 * last)
    mirror_part = noise.pmf(2 * last - places - truths) + noise.pmf(-places - truths)
    mirror_part[[0, -1]] = 0.0  # the ends are their own images
    says = f"adds geometric noise with ratio {math.exp(-noise.rate):.6g} and folds the sum back at the ends"
    return says, noise.pmf(shifts) + (shift_part + mirror_part) / -math.expm1(-2 * last * noise.rate)


@baseline("explicit fair", "Cormode, Kulkarni, Srivastava 2018, the formula recalled and checked")
def explicit_fair(query: Query, epsilon: Exact) -> tuple[str, Floats]:
    """Return the explicit fair mechanism: the truth is equally likely to be told for each answer.

    With ``a = e^(-epsilon / reach)``, d the steps from truth j to the response, and b the steps from j to the
    nearer end of 0..n, an entry is ``y a^d`` where d < b, else ``y a^ceil((d + b) / 2)``; y makes columns sum
    to one.
    """
    lattice = lattice_of(query)
    if not np.array_equal(lattice.shifts[:, 0], np.arange(query.num_truths)):
        message = (
            "this mechanism needs responses that are the truths; "
            f"got {query.num_responses} responses for {query.num_truths} truths ({query.title})."
        )
        raise NotAcceptedError(message)
    rate = float(epsilon / lattice.reach)
    last = query.num_truths - 1
    truths = np.arange(last + 1)
    away = np.abs(lattice.shifts)
    to_end = np.minimum(truths, last - truths)[None, :]
    power = np.where(away < to_end, away, -(-(away + to_end) // 2))
    accuracy = 1.0 / np.exp(-rate * np.abs(truths - last // 2)).sum()
    return f"tells the truth with probability {accuracy:.6g} whatever it is", accuracy * np.exp(-rate * power)
