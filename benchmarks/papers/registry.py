"""All items, paper by paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.papers import (
    bellet,
    bellet_formulas,
    bellet_properties,
    croft_claims,
    croft_figures,
    croft_formulas,
    croft_tables,
    kadam_figures,
    kadam_formulas,
    kadam_privacy,
    kadam_tables,
    sadeghi_figures,
    sadeghi_formulas,
)

if TYPE_CHECKING:
    from benchmarks.papers.item import Item

__all__ = ["ITEMS"]

ITEMS: tuple[Item, ...] = (
    *sadeghi_figures.ITEMS,
    *sadeghi_formulas.ITEMS,
    *croft_tables.ITEMS,
    *croft_figures.ITEMS,
    *croft_formulas.ITEMS,
    *croft_claims.ITEMS,
    *kadam_privacy.ITEMS,
    *kadam_tables.ITEMS,
    *kadam_figures.ITEMS,
    *kadam_formulas.ITEMS,
    *bellet.ITEMS,
    *bellet_formulas.ITEMS,
    *bellet_properties.ITEMS,
)
