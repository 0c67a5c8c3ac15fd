"""Noise before any range is enforced, with what it spends by its formula."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

    from optmech.analysis.baselines.baseline import NoiseDistribution
    from optmech.base.logarithm import Logarithm

__all__ = ["UnboundedNoise"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class UnboundedNoise:
    """Noise that is added to the true answer, before any range is enforced; see `Baseline`.

    Whole-number noise counts steps of the grid, other noise has the unit of the answers. The privacy loss is
    by the formula of the noise, not by computing.
    """

    name: str
    source: str
    says: str
    distribution: NoiseDistribution
    asked_epsilon: Fraction | Logarithm
    spent_epsilon: float
    spent_delta: float
