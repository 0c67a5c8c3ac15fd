"""Pictures of a mechanism, by Matplotlib: what `Mechanism.plot_matrix` and the like draw.

Each function draws into the axes it is given and returns them. Nothing is shown, or set for other plots.
"""

from optmech.reports.plots.mechanism import plot_error, plot_matrix, plot_released
from optmech.reports.plots.privacy import plot_privacy_curve

__all__ = ["plot_error", "plot_matrix", "plot_privacy_curve", "plot_released"]
