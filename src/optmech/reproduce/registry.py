"""All items, paper by paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.reproduce import (
    bellet,
    croft_figures,
    croft_tables,
    kadam_figures,
    kadam_tables,
    sadeghi_figures,
)

if TYPE_CHECKING:
    from optmech.reproduce.item import Item

__all__ = ["ITEMS"]

ITEMS: tuple[Item, ...] = (
    *sadeghi_figures.ITEMS,
    *croft_tables.ITEMS,
    *croft_figures.ITEMS,
    *kadam_tables.ITEMS,
    *kadam_figures.ITEMS,
    *bellet.ITEMS,
)
