"""The curve delta(epsilon) of a certified mechanism, with what was promised."""

from __future__ import annotations

from math import inf, isfinite, log
from typing import TYPE_CHECKING

import numpy as np

from optmech.analysis.composition.curve import rounded_up
from optmech.analysis.composition.pairs import privacy_curve
from optmech.reports.figure import axes_for

if TYPE_CHECKING:
    from fractions import Fraction

    from matplotlib.axes import Axes

    from optmech.analysis.composition.curve import PrivacyCurve
    from optmech.proofs.certificate import Certificate

__all__ = ["plot_privacy_curve"]

# Places between the corners of the curve, and the most corners that are drawn.
_PLACES, _MOST_CORNERS = 120, 400
_BEYOND = 1.25
# Where delta becomes 0 far beyond the promised epsilon, the picture ends before, at a multiple of that.
_FAR, _NEAR = 4.0, 2.0
_DECADES = 1e-3
# A promised delta below this is seen on a logarithmic scale only.
_SMALL = 0.02


def plot_privacy_curve(certificate: Certificate, ax: Axes | None = None) -> Axes:
    """Draw which delta goes with each epsilon, for one use of a certified mechanism: proved.

    Every point of the line is exact, rounded up to a double: delta is the least one at that epsilon, over all
    neighbours and all sets of responses. A star marks what was promised, and a dotted line where delta
    becomes 0, if it does. The promise of a delta for each outcome by itself, or of probabilistic privacy, is
    another definition: its star need not lie on the line or above it, and the legend says so.

    All neighbours are compared exactly: a second for a hundred truths, a minute for four hundred.

    Parameters
    ----------
    certificate : Certificate
        Of a query whose neighbours all count alike.
    ax : Axes, optional
        Where to draw; left out, a figure of its own.

    Returns
    -------
    Axes

    Raises
    ------
    ProblemError
        If the neighbours have weights, the query has none or too many of them, or `ax` is no axes.
    """
    curve = privacy_curve(certificate)
    axes = axes_for(ax)
    privacy = certificate.problem.privacy
    promised, delta = float(privacy.epsilon), float(certificate.delta)
    pure = curve.epsilon(0)
    end = _NEAR * promised if pure > _FAR * promised else max(pure, promised)
    last = _BEYOND * (end or 1.0)
    places = sorted({*_places(curve, last), promised})
    heights = [rounded_up(curve.delta(place)) for place in places]
    axes.plot(places, heights, color="C0", label="delta of this mechanism, proved")
    told = f"promised: {privacy}"
    if not privacy.is_usual:
        told += "\n(another definition: not a point of this curve)"
    axes.plot(
        [promised],
        [_promised_delta(certificate)],
        color="black",
        marker="*",
        markersize=11,
        linestyle="none",
        clip_on=False,
        label=told,
        zorder=3,
    )
    if isfinite(pure):
        told = f"delta is 0 from epsilon = {pure:.6g} on"
        if pure <= last:
            axes.axvline(pure, color="gray", linestyle=":", label=told)
        else:
            axes.plot([], [], linestyle="none", label=told)
    if 0 < delta < _SMALL:
        axes.set_yscale("log")
        axes.set_ylim(bottom=max(delta * _DECADES, min(height for height in heights if height)) / 2)
    else:
        axes.set_ylim(bottom=0)
    axes.set_xlim(0, last)
    axes.set_xlabel("epsilon")
    axes.set_ylabel("delta, a probability")
    axes.set_title("Which delta goes with each epsilon?\none use, all neighbours, proved", fontsize="medium")
    axes.legend(fontsize="small")
    axes.grid(visible=True, linewidth=0.3)
    return axes


def _promised_delta(certificate: Certificate) -> float:
    given = certificate.problem.privacy.delta
    return float(certificate.delta if given is None else given)


def _places(curve: PrivacyCurve, last: float) -> set[float]:
    """Return where the curve is asked: evenly, and at its corners."""
    corners = [_loss(ratio) for ratio in curve.ratios if ratio > 1]
    corners = [corner for corner in corners if corner < last][:_MOST_CORNERS]
    return {*np.linspace(0.0, last, _PLACES).tolist(), *corners}


def _loss(ratio: Fraction) -> float:
    """Return the logarithm of a ratio that may be too large for a double."""
    return log(ratio.numerator) - log(ratio.denominator) if ratio else -inf
