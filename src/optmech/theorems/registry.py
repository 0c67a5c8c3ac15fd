"""All theorems, paper by paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.theorems import (
    approximate,
    approximate_mean,
    counting,
    extremum_fair,
    extremum_least,
    graph_least,
    kadam_any,
    kadam_columns,
    kadam_printed,
    kadam_sets,
    kadam_single,
    sadeghi_theorems,
    unbiased,
    unbiased_counts,
    unbiased_error,
)

if TYPE_CHECKING:
    from optmech.theorems.theorem import Theorem

THEOREMS: tuple[Theorem, ...] = (
    *sadeghi_theorems.SINGLE_OUTCOMES,
    *sadeghi_theorems.ALL_SETS,
    *counting.THEOREMS,
    *extremum_least.THEOREMS,
    *extremum_fair.THEOREMS,
    *graph_least.THEOREMS,
    *kadam_single.THEOREMS,
    *kadam_printed.THEOREMS,
    *kadam_columns.THEOREMS,
    *kadam_any.THEOREMS,
    *kadam_sets.THEOREMS,
    *approximate.THEOREMS,
    *approximate_mean.THEOREMS,
    *unbiased.THEOREMS,
    *unbiased_counts.THEOREMS,
    *unbiased_error.THEOREMS,
)
