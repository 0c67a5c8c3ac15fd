"""Repeated measurements taken in turns, and how seconds grow with size."""

from __future__ import annotations

import gc
import math
import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["Growth", "fitted", "interleaved", "ratio"]

# A slope has a spread only where more points than coefficients are left.
_COEFFICIENTS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """Seconds as ``factor * size**exponent``, by least squares on logarithms.

    Attributes
    ----------
    exponent : float
        The slope.
    spread : float
        Its standard error; NaN with two points, which any slope fits.
    points : int
        The number of sizes it was fitted to.
    """

    exponent: float
    spread: float
    points: int

    def __str__(self) -> str:
        spread = "" if math.isnan(self.spread) else f" +- {self.spread:.2f}"
        return f"{self.exponent:.2f}{spread} ({self.points} sizes)"


def fitted(sizes: Sequence[float], seconds: Sequence[float]) -> Growth:
    """Return the exponent with which `seconds` grow with `sizes`.

    Raises
    ------
    ValueError
        If there are not two sizes, or a number is not positive.

    Examples
    --------
    >>> print(fitted([10, 20, 40], [0.1, 0.4, 1.6]))
    2.00 +- 0.00 (3 sizes)
    """
    if len(set(sizes)) < _COEFFICIENTS or len(sizes) != len(seconds):
        message = f"a slope needs two sizes or more, each with its seconds; got {sizes} and {seconds}."
        raise ValueError(message)
    if min(*sizes, *seconds) <= 0:
        message = f"logarithms need positive numbers; got {sizes} and {seconds}."
        raise ValueError(message)
    across, up = [math.log(size) for size in sizes], [math.log(second) for second in seconds]
    slope, start = statistics.linear_regression(across, up)
    free = len(sizes) - _COEFFICIENTS
    missed = sum((y - start - slope * x) ** 2 for x, y in zip(across, up, strict=True))
    width = sum((x - statistics.fmean(across)) ** 2 for x in across)
    spread = math.sqrt(missed / free / width) if free else math.nan
    return Growth(exponent=slope, spread=spread, points=len(sizes))


def interleaved(works: Mapping[str, Callable[[], object]], runs: int) -> dict[str, float]:
    """Return the median seconds of each work; they take turns, so that a busy moment meets all of them."""
    seconds: dict[str, list[float]] = {name: [] for name in works}
    gc.collect()
    gc.freeze()  # to look through all that is loaded, before each turn, leaves no work its caches
    for _ in range(runs):
        for name, work in works.items():
            gc.collect()
            start = time.perf_counter()
            product = work()
            seconds[name].append(time.perf_counter() - start)
            del product
    gc.unfreeze()
    return {name: statistics.median(result) for name, result in seconds.items()}


def ratio(theirs: float, ours: float, *, at_least: bool = False) -> str:
    """Return how many times as long they take; a lower bound where a limit stopped them.

    Examples
    --------
    >>> ratio(120, 1.0, at_least=True), ratio(3, 2)
    ('> 120', '1.5')
    """
    return f"{'> ' if at_least else ''}{theirs / ours:.3g}"
