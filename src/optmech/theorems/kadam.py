"""All statements on modular noise of least error rate: Kadam et al. 2024, as printed and as corrected."""

from __future__ import annotations

from optmech.theorems import (
    kadam_any_theorems,
    kadam_bounded_theorems,
    kadam_columns_theorems,
    kadam_single_theorems,
)

__all__ = ["THEOREMS"]

THEOREMS = (
    *kadam_single_theorems.THEOREMS,
    *kadam_bounded_theorems.THEOREMS,
    *kadam_columns_theorems.THEOREMS,
    *kadam_any_theorems.THEOREMS,
)
"""The theorems, each with where it applies and what is known of it."""
