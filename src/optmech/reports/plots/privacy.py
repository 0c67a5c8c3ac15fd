"""The curve delta(epsilon) of a certified mechanism, with what was promised."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from optmech.analysis.composition.pairs import privacy_curve
from optmech.reports.charts.chart import Axis, Chart, Series
from optmech.reports.charts.curve import curve_points
from optmech.reports.figure import axes_for
from optmech.reports.plots.axes import draw

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from optmech.proofs.certificate import Certificate

# So far below the delta that is spent the logarithmic scale ends.
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
    promised_epsilon, promised_delta = float(privacy.epsilon), float(certificate.delta)
    pure = curve.epsilon(0)
    across, deltas = zip(*curve_points(curve, privacy.epsilon), strict=True)
    logarithmic = 0 < promised_delta < _SMALL
    least = 0.0
    if logarithmic:
        least = max(promised_delta * _DECADES, min(delta for delta in deltas if delta)) / 2
    chart = Chart(
        description="A falling line: the least delta at each epsilon.",
        x=Axis(title="epsilon", high=across[-1]),
        y=Axis(title="delta, a probability", low=least, logarithmic=logarithmic),
        series=(Series(name="delta of this mechanism, proved", across=across, values=deltas, filled=True),),
    )
    draw(chart, axes, "Which delta goes with each epsilon?\none use, all neighbours, proved")
    label = f"promised: {privacy}"
    if not privacy.is_usual:
        label += "\n(another definition: not a point of this curve)"
    asked_delta = privacy.delta
    axes.plot(
        [promised_epsilon],
        [promised_delta if asked_delta is None else float(asked_delta)],
        color="black",
        marker="*",
        markersize=11,
        linestyle="none",
        clip_on=False,
        label=label,
        zorder=3,
    )
    if isfinite(pure):
        label = f"delta is 0 from epsilon = {pure:.6g} on"
        if pure <= across[-1]:
            axes.axvline(pure, color="gray", linestyle=":", label=label)
        else:
            axes.plot([], [], linestyle="none", label=label)
    axes.legend(fontsize="small")
    axes.grid(visible=True, linewidth=0.3)
    return axes
