"""How objects look: in one line, in a notebook, drawn. The doors to the rooms `display` and `plots`.

Classes of the rooms before take these as base classes, and so have the methods where users look for them,
with types and documentation. What is behind a door is imported when it is opened, never before: a question
knows nothing of HTML, and a mechanism runs without Matplotlib.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["DrawnCertificate", "DrawnMechanism", "Shown"]


class Shown:
    """What says itself in one line, and as a small page in a notebook."""

    __slots__ = ()

    def __repr__(self) -> str:
        from optmech.reports.display import line_of  # noqa: PLC0415 - the door

        return line_of(self)

    def _repr_html_(self) -> str:
        from optmech.reports.display import html_of  # noqa: PLC0415 - the door

        return html_of(self)


class DrawnMechanism:
    """Pictures of a mechanism; ``pip install "optmech[figures]"`` brings Matplotlib."""

    __slots__ = ()

    def plot_matrix(self, ax: Axes | None = None) -> Axes:
        """Draw the matrix as shades, with numbers where it is small; see `reports.plots.plot_matrix`."""
        from optmech.reports.plots import plot_matrix  # noqa: PLC0415 - the door

        return plot_matrix(self, ax)  # type: ignore[arg-type]

    def plot_released(self, truths: Any, ax: Axes | None = None) -> Axes:  # noqa: ANN401 - one or several
        """Draw how likely each answer is at some truths; see `optmech.reports.plots.plot_released`."""
        from optmech.reports.plots import plot_released  # noqa: PLC0415 - the door

        return plot_released(self, truths, ax)  # type: ignore[arg-type]

    def plot_error(self, ax: Axes | None = None) -> Axes:
        """Draw how far off the answer is at each truth; see `optmech.reports.plots.plot_error`."""
        from optmech.reports.plots import plot_error  # noqa: PLC0415 - the door

        return plot_error(self, ax)  # type: ignore[arg-type]


class DrawnCertificate:
    """A picture of what a certificate allows; ``pip install "optmech[figures]"`` brings Matplotlib."""

    __slots__ = ()

    def plot_privacy_curve(self, ax: Axes | None = None) -> Axes:
        """Draw which delta goes with each epsilon, proved; see `optmech.reports.plots.plot_privacy_curve`."""
        from optmech.reports.plots import plot_privacy_curve  # noqa: PLC0415 - the door

        return plot_privacy_curve(self, ax)  # type: ignore[arg-type]
