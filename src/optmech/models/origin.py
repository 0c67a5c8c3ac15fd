"""The origin of columns and rows of a model: a block of the question's rules, and a part of it.

Names of columns and rows are for people and for text files. The program finds parts of a model by origin:
duals become multipliers by it, so that no proof depends on a name.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from optmech.base.blocks import Demand, PrivacyBlock
    from optmech.rules import CompiledLoss


class BlockPart(Enum):
    """A family of columns or rows that a block of rules becomes.

    Member k of a family belongs to row k of its block, comparison k of the layout, pair k of neighbours, or
    choice k, as noted for each.
    """

    ROWS = auto()
    """Rows: of a demand or a loss, one for each of its own."""
    TOTALS = auto()
    """Rows: sums of columns that are one. They belong to no block: every question has them."""
    LIMITS = auto()
    """Rows: least and largest values of entries, of all limits together; they belong to no single block."""
    RATIOS = auto()
    """Rows: of a privacy, one for each comparison."""
    BUDGETS = auto()
    """Rows: of a privacy, one for each pair of neighbours, or one for all."""
    PAID = auto()
    """Rows: masses that are paid for, one for each choice."""
    INDICATED = auto()
    """Rows: one of several families that define the indicators of a privacy with choices."""
    ENTRIES = auto()
    """Columns: those of the structure; they belong to no block."""
    EXCESSES = auto()
    """Columns: excesses over ratios, one for each comparison or choice."""
    INDICATORS = auto()
    """Columns: whether a ratio is violated, 0 or 1, one for each comparison or choice."""
    EASE = auto()
    """Column: the violation of privacy."""
    DELTA = auto()
    """Column: the unknown delta."""
    WORST = auto()
    """Column: the largest loss over all truths."""


@dataclass(frozen=True, slots=True)
class BlockOrigin:
    """The part of a block of rules that a family of columns or rows states.

    Blocks are compared by identity: two equal ones are still two.
    """

    part: BlockPart
    block: Demand | PrivacyBlock | CompiledLoss | None = None
