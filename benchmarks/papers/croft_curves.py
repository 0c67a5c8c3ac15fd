"""The common parts of the figures of Croft, Sack, Shi 2020: mechanisms, their errors, curves and claims."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.papers.digits import holds, misprint, not_reproducible, unprinted
from benchmarks.papers.item import Weight
from optmech.analysis.baselines.continuous_noise import normalised_laplace, snapped_laplace, snapped_staircase
from optmech.analysis.baselines.selection import uniform
from optmech.analysis.utility import utility_measures
from optmech.designs.design import solved_design
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.question.problems.croft import croft

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from matplotlib.artist import Artist
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from benchmarks.papers.item import Line
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.question.query import Query

    Floats = NDArray[np.float64]

__all__ = [
    "EPSILON",
    "EXTENDED",
    "FACE",
    "FEW_EPSILONS",
    "FIVE",
    "GUESSED",
    "LAPLACE",
    "NORMALISED",
    "NO_PROGRAM",
    "SILENT",
    "STAIRCASE",
    "TWICE_NOTE",
    "UNIFORM",
    "V1",
    "V2",
    "Panels",
    "claim",
    "drawer",
    "errors",
    "largest_ratio",
    "make",
    "panels_of",
    "read_off",
]

V1, V2 = "LP Variant 1", "LP Variant 2"
LAPLACE, STAIRCASE, NORMALISED = "snapped Laplace", "snapped staircase", "normalised Laplace"
UNIFORM = "uniform"
NO_PROGRAM = (LAPLACE, STAIRCASE, NORMALISED)
FIVE = (V1, V2, *NO_PROGRAM)
EXTENDED = " (ext)"
FACE, GUESSED = "without post-processing", "with Bayesian post-processing"
EPSILON = "privacy parameter epsilon"
FEW_EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0)
TWICE_NOTE = (
    "Pr(r) stands twice in (25) and (26), so that saying nothing is best; the corrected ones are drawn"
)
SILENT = "The paper does not print the epsilons it drew at."

# A marker and a line each, so that curves differ without colour.
_STYLES = {
    V1: ("o", "-"),
    V2: ("s", "--"),
    LAPLACE: ("^", "-."),
    STAIRCASE: ("v", ":"),
    NORMALISED: ("D", (0, (6, 1, 1, 1, 1, 1))),
    UNIFORM: ("None", (0, (1, 2))),
}
_SPARE = (
    ("o", "-"),
    ("s", "--"),
    ("^", "-."),
    ("v", ":"),
    ("D", (0, (6, 1, 1, 1, 1, 1))),
    ("x", (0, (4, 2))),
)

# title of a panel -> name of a curve -> its values
Panels = dict[str, dict[str, list[float]]]


def make(name: str, query: Query, epsilon: float) -> Mechanism:
    """Return the mechanism that a curve is named after."""
    if name in (V1, V2):
        return solved_design(croft(query, epsilon, variant=1 if name == V1 else 2)).mechanism
    makers = {
        LAPLACE: snapped_laplace,
        STAIRCASE: snapped_staircase,
        NORMALISED: normalised_laplace,
        UNIFORM: uniform,
    }
    return MatrixMechanism.answering(query, makers[name](query, epsilon).matrix)


@cache  # several figures have the same points
def errors(name: str, query: Query, epsilon: float) -> tuple[float, float]:
    """Return the expected absolute error without and with post-processing, Croft (23) and (25) corrected."""
    measures = utility_measures(make(name, query, epsilon))
    return measures.error, measures.error_after_guess


def panels_of(points: dict[str, list[tuple[float, float]]]) -> Panels:
    """Return the two panels of a figure from the two errors at each point of each curve."""
    return {
        title: {name: [pair[place] for pair in pairs] for name, pairs in points.items()}
        for place, title in enumerate((FACE, GUESSED))
    }


def read_off(across: str, places: Sequence[float], panels: Panels) -> list[Line]:
    """Return each point of the curves: the paper prints no numbers beside them."""
    return [
        unprinted(f"{name}, {title}, {across} = {place:g}", value)
        for title, curves in panels.items()
        for name, values in curves.items()
        for place, value in zip(places, values, strict=True)
    ]


def claim(quantity: str, text: str, computed: float, *, true: bool | None, note: str = "") -> Line:
    """Return what the text says of a figure beside the number that decides it; ``None``: not decided."""
    if true is not None and not true:
        return misprint(quantity, text, computed, note, Weight.THEOREM)
    return (not_reproducible if true is None else holds)(quantity, text, computed, note)


def largest_ratio(curves: dict[str, list[float]], name: str, others: Iterable[str]) -> float:
    """Return the largest quotient, over the points, of a mechanism's error and the least of the others'."""
    least = np.min([curves[other] for other in others], axis=0)
    return float((np.array(curves[name]) / least).max())


def drawer(across: str, places: Sequence[float], panels: Panels) -> Callable[[Figure], None]:
    """Return what draws the panels side by side, with one legend below."""
    names = list(dict.fromkeys(name for curves in panels.values() for name in curves))

    def draw(figure: Figure) -> None:
        handles: dict[str, Artist] = {}
        for one, (title, curves) in zip(figure.subplots(1, len(panels)), panels.items(), strict=True):
            for name, values in curves.items():
                (handles[name],) = one.plot(
                    places, values, fillstyle="none", label=name, **_look(name, names)
                )
            one.set_title(title)
            one.set_xlabel(across)
            one.set_ylabel("expected absolute error (units of the answer)")
            one.grid(visible=True, linewidth=0.3)
            one.xaxis.get_major_locator().set_params(
                integer=all(float(place).is_integer() for place in places)
            )
        figure.legend(
            handles.values(),
            handles.keys(),
            loc="outside lower center",
            ncols=3,
            fontsize="small",
            handlelength=5,
        )

    return draw


def _look(name: str, names: list[str]) -> dict[str, Any]:
    """Return marker, line and colour; an extended range has them with a larger marker, a thinner line."""
    base = name.removesuffix(EXTENDED)
    bases = list(dict.fromkeys(one.removesuffix(EXTENDED) for one in names))
    marker, line = _STYLES.get(base, _SPARE[bases.index(base) % len(_SPARE)])
    size, width = (10, 0.8) if name.endswith(EXTENDED) else (5, 1.5)
    return {
        "marker": marker,
        "linestyle": line,
        "color": f"C{bases.index(base)}",
        "markersize": size,
        "linewidth": width,
    }
