"""All theorems, paper by paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.theorems import (
    approximate_theorems,
    counting,
    extremum,
    kadam,
    sadeghi_delta_theorems,
    sadeghi_theorems,
)

if TYPE_CHECKING:
    from optmech.theorems.theorem import Theorem

__all__ = ["THEOREMS"]

THEOREMS: tuple[Theorem, ...] = (
    *sadeghi_theorems.THEOREMS,
    *sadeghi_delta_theorems.THEOREMS,
    *counting.THEOREMS,
    *extremum.THEOREMS,
    *kadam.THEOREMS,
    *approximate_theorems.THEOREMS,
)
