"""Laplace noise, snapped to the boundary, truncated, folded, or drawn until inside; staircase noise, snapped.

Truncation makes the normaliser depend on the data. Croft et al. double the scale for that, which is private
but spends less than it may: exactly half on max, min and median queries, where no change was needed. With the
plain scale, means and counts spend up to twice what was asked.

Folding and drawing again leave a real number of the range, which is rounded to the nearest response. With
scale b, range 0..W and the Laplace mass L of an interval, a cell [x, y] has under the truth q the probability

    folded     sum_m L[x - q + 2mW, y - q + 2mW] + L[2mW - y - q, 2mW - x - q]     images of the cell
    bounded    L[x - q, y - q] / L[-q, W - q]                                      drawn until it is inside

Folding is post-processing: b is sensitivity / epsilon. Drawing again is not; its b is the least with
``Delta / b + log(L[-Delta, W - Delta] / L[0, W]) = epsilon``, both neighbours at the lower end.

Staircase noise has the least expected error of all additive noise. Its density is constant on steps: with
``gamma = 1 / (1 + e^(epsilon/2))`` and Delta the sensitivity it is

    y e^(-k epsilon)          for k Delta <= |x| < (k + gamma) Delta
    y e^(-(k+1) epsilon)      for (k + gamma) Delta <= |x| < (k + 1) Delta,     k = 0, 1, 2, ...

Croft's recursion (20) needs three corrections to say this: ``|f(D) - x|`` inside its third case, k from 1
on, and intervals that do not share their ends. This gamma is best for the absolute error only.

Source: Croft, Sack, Shi 2020, Mechanisms 1 to 3, (19) to (22); Geng, Viswanath 2014 (staircase); Holohan,
Antonatos, Braghin, Mac Aonghusa 2020, The Bounded Laplace Mechanism (bounded); diffprivlib 0.6.6,
LaplaceFolded and LaplaceBoundedDomain.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import brentq
from scipy.stats import laplace

from optmech.analysis.baselines.baseline import baseline, positive_epsilon, sensitivity
from optmech.analysis.baselines.cells import SNAPPED, edge_offsets, range_offsets, snap
from optmech.base.errors import broken_rule
from optmech.base.numbers import exact

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from optmech.analysis.baselines.baseline import Exact
    from optmech.base.arrays import Floats
    from optmech.base.numbers import Number
    from optmech.question.query import Query

# The root is bracketed from just below the plain scale, where rounding cannot hide the sign.
_BELOW = 1 - 1e-9
_ROOT = 1e-15


def laplace_noise(query: Query, epsilon: Number) -> Any:  # noqa: ANN401 - SciPy has no types
    """Return Laplace noise of scale sensitivity / epsilon: it spends exactly epsilon, Croft (19)."""
    return laplace(scale=float(sensitivity(query) / positive_epsilon(epsilon)))


@baseline("snapped Laplace", "Croft et al. 2020 (16), (19)")
def snapped_laplace(query: Query, epsilon: Exact) -> tuple[str, Floats]:
    """Return Laplace noise snapped to the nearest response, Croft (16) with (19).

    Croft's Table 1, first column:

    >>> from optmech.question.queries import extremum
    >>> snapped_laplace(extremum(1, 5), 1).matrix[:, 0].round(3).tolist()
    [0.559, 0.098, 0.076, 0.059, 0.208]
    """
    noise = laplace_noise(query, epsilon)
    says = f"adds Laplace noise of scale {noise.kwds['scale']:.6g}{SNAPPED}"
    return says, snap(noise, edge_offsets(query))


@baseline("normalised Laplace", "Croft et al. 2019; Croft et al. 2020 (22), its sign corrected")
def normalised_laplace(query: Query, epsilon: Exact, scale: Number | None = None) -> tuple[str, Floats]:
    """Return Laplace noise truncated to the cells of the query and normalised, Croft (22).

    The `scale`, in units of the answer, is ``2 * sensitivity / epsilon``, the paper's, if left out. With
    ``sensitivity / epsilon`` the matrix may spend more than was asked.
    """
    width = 2 * sensitivity(query) / epsilon if scale is None else exact(scale, "scale")
    if width <= 0:
        raise broken_rule("scale", "be positive", scale, "Larger means more noise.")
    says = f"truncates Laplace noise of scale {float(width):.6g} to the range and normalises it"
    return says, truncate(query, float(width))


@baseline(
    "calibrated Laplace", "Croft et al. 2020 (22), its sign corrected, with the scale found by its privacy"
)
def calibrated_laplace(query: Query, epsilon: Exact) -> tuple[str, Floats]:
    """Return normalised Laplace noise whose density, truncated, spends exactly epsilon.

    So any discretization of it is private.
    """
    rate = float(epsilon)
    plain = float(sensitivity(query)) / rate
    # At the plain scale a pair at full distance alone costs epsilon; at twice of it nothing costs more.
    scale = brentq(lambda b: density_epsilon(query, b) - rate, plain * _BELOW, 2 * plain, xtol=_ROOT * plain)
    says = f"truncates Laplace noise of scale {scale:.6g} to the range: its density spends epsilon"
    return says, truncate(query, float(scale))


def density_epsilon(query: Query, scale: float) -> float:
    """Return the epsilon of the truncated and normalised *density* between neighbours.

    For truths f and g it is ``|f - g| / scale + log(Z(g) / Z(f))``, attained at the end of the range beyond
    f (truths lie in the range). Z is the mass of the range: the denominator of Croft (22), halved, whose
    second exponential must be ``exp(-(r_u - f) / scale)``; as printed, the denominator is negative.
    """
    offsets = edge_offsets(query)
    logs = np.log(laplace_mass(offsets[0], offsets[-1], scale))
    values = query.truth_values
    left, right = query.pairs[:, 0], query.pairs[:, 1]
    return float((np.abs(values[left] - values[right]) / scale + logs[right] - logs[left]).max())


def truncate(query: Query, scale: float) -> Floats:
    """Return the matrix of Laplace noise truncated to the cells of a query and normalised."""
    return _share(edge_offsets(query), scale)


def _share(offsets: Floats, scale: float) -> Floats:
    """Return the share of each cell in the Laplace mass between the first and the last offset."""
    parts = laplace_mass(offsets[:-1], offsets[1:], scale)
    matrix: Floats = parts / laplace_mass(offsets[0], offsets[-1], scale)
    return matrix


def laplace_mass(lower: Floats, upper: Floats, scale: float) -> Floats:
    """Return the Laplace mass from `lower` to `upper`, relatively precise also where the range is tiny.

    A truncated range may hold a millionth of the noise; differences of SciPy's tails would leave ten digits.
    """
    near = np.where(lower > 0, lower, np.where(upper < 0, -upper, 0.0))
    one_side = np.exp(-near / scale) * -np.expm1((lower - upper) / scale)
    around = -np.expm1(np.minimum(lower, 0.0) / scale) - np.expm1(-np.maximum(upper, 0.0) / scale)
    return np.where((lower < 0) & (upper > 0), around, one_side) / 2


@baseline("folded Laplace", "Dwork 2006, folded as in diffprivlib's LaplaceFolded")
def folded_laplace(query: Query, epsilon: Exact) -> tuple[str, Floats]:
    """Return Laplace noise folded at the ends of the range until it falls inside, and rounded."""
    offsets = range_offsets(query)
    scale = float(sensitivity(query) / epsilon)
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
    says = f"adds Laplace noise of scale {scale:.6g}, folds the sum back at the ends and rounds it"
    return says, laplace_mass(lower, upper, scale) + images / -np.expm1(-2 * width / scale)


@baseline("bounded Laplace", "Holohan et al. 2020")
def bounded_laplace(query: Query, epsilon: Exact) -> tuple[str, Floats]:
    """Return Laplace noise drawn until the sum is in the range, and rounded: bounded Laplace."""
    offsets = range_offsets(query)
    rate, apart = float(epsilon), float(sensitivity(query))
    width = float(query.responses[-1].upper - query.responses[0].lower)

    def excess(scale: float) -> float:
        at_end, inside = (
            laplace_mass(np.array(-away), np.array(width - away), scale) for away in (0.0, apart)
        )
        return float(apart / scale + np.log(inside) - np.log(at_end)) - rate

    plain = apart / rate
    scale = float(brentq(excess, plain * _BELOW, 2 * plain, xtol=_ROOT * plain))
    says = f"draws Laplace noise of scale {scale:.6g} until the sum is in the range, and rounds it"
    return says, _share(offsets, scale)


@dataclass(frozen=True, slots=True, kw_only=True)
class StaircaseNoise:
    """The staircase distribution centred at zero; `delta_f` is the sensitivity, in units of the answer."""

    epsilon: float
    delta_f: float

    @property
    def gamma(self) -> float:
        """Part of each stair that is high: the choice of least expected absolute error."""
        return 1.0 / (1.0 + math.exp(self.epsilon / 2))

    def sf(self, noise: ArrayLike, /) -> Floats:
        """Probability of noise above that."""
        values = np.asarray(noise, dtype=float)
        tail = self._tail(np.abs(values))
        return np.where(values >= 0, tail, 1.0 - tail)

    def cdf(self, noise: ArrayLike, /) -> Floats:
        """Probability of noise at most so large."""
        return self.sf(-np.asarray(noise, dtype=float))

    def _stair(self, distance: Floats) -> tuple[Floats, Floats]:
        stair = np.floor(distance / self.delta_f)
        return stair, distance / self.delta_f - stair

    def _tail(self, distance: Floats) -> Floats:
        # The rest of this stair, and half of e^(-(k+1) epsilon) for all stairs beyond it: no difference.
        stair, index = self._stair(distance)
        decay = math.exp(-self.epsilon)
        left = np.maximum(self.gamma - index, 0.0) + decay * (1.0 - np.maximum(index, self.gamma))
        tail: Floats = np.exp(-self.epsilon * stair) * (math.sinh(self.epsilon / 2) * left + decay / 2)
        return tail


def staircase_noise(query: Query, epsilon: Number) -> StaircaseNoise:
    """Return staircase noise for the sensitivity of `query`: it spends exactly epsilon."""
    return StaircaseNoise(epsilon=float(positive_epsilon(epsilon)), delta_f=float(sensitivity(query)))


@baseline("snapped staircase", "Croft et al. 2020 (16), (20)-(21), the recursion corrected")
def snapped_staircase(query: Query, epsilon: Exact) -> tuple[str, Floats]:
    """Return staircase noise snapped to the nearest response, Croft (16) with (20)-(21)."""
    noise = staircase_noise(query, epsilon)
    says = f"adds staircase noise with stairs of width {noise.delta_f:.6g}{SNAPPED}"
    return says, snap(noise, edge_offsets(query))
