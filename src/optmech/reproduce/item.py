"""One table, figure or number of a paper, in one form for all papers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from optmech.arguments import Word

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure

__all__ = ["Item", "Line", "Reproduction", "Verdict"]


class Verdict(Word):
    """How a printed number stands to the computed one."""

    REPRODUCED = "reproduced"
    """Equal up to the rounding of the printed digits."""
    MISPRINT = "misprint"
    """The printed number is wrong; the computed one stands beside it."""
    NOT_REPRODUCIBLE = "not reproducible"
    """The paper does not say enough, or no reading gives its number; the note says which."""
    NOT_PRINTED = "nothing printed"
    """The paper prints no number here (a curve in a figure); the computed one is for reading off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One number beside the paper's.

    Attributes
    ----------
    quantity : str
        What it is, in words.
    printed : str
        The paper's digits, as printed; empty where it prints none.
    computed : float
        Ours.
    verdict : Verdict
        How they compare.
    note : str
        Why, where it is not simply reproduced.
    """

    quantity: str
    printed: str
    computed: float
    verdict: Verdict
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction:
    """The computed numbers of an item, and its figure.

    Attributes
    ----------
    lines : tuple of Line
        Numbers beside the printed ones.
    draw : Callable or None
        Draws the figure into an empty Matplotlib figure, so that it can be laid beside the paper's. Absent
        for items without one.
    note : str
        What was assumed where the paper is silent.
    """

    lines: tuple[Line, ...]
    draw: Callable[[Figure], None] | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """Something a paper prints that can be computed again.

    Attributes
    ----------
    name : str
        Such as ``"croft-table-4"``, unique.
    source : str
        Paper, section, table or figure.
    title : str
        What it shows, in words.
    compute : Callable
        Returns the reproduction; takes seconds, at most a minute.
    """

    name: str
    source: str
    title: str
    compute: Callable[[], Reproduction]
