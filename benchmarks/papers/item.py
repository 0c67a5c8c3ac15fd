"""One table, figure or number of a paper, in one form for all papers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from optmech.base.arguments import Word
from optmech.base.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure

__all__ = ["Item", "Line", "Reproduction", "Verdict", "Weight"]


class Verdict(Word):
    """The relation of a printed number to the computed one."""

    REPRODUCED = "reproduced"
    """Equal up to the rounding of the printed digits."""
    MISPRINT = "misprint"
    """The printed number is wrong; the computed one stands beside it."""
    NOT_REPRODUCIBLE = "not reproducible"
    """The paper does not say enough, or no reading gives its number; the note says which."""
    NOT_PRINTED = "nothing printed"
    """The paper prints no number here (a curve in a figure); the computed one is for reading off."""


class Weight(Word):
    """The weight of an erratum for a reader of the paper, heaviest first."""

    THEOREM = "theorem false"
    """A theorem, proposition, stated guarantee or claim does not hold as printed."""
    NUMBER = "number wrong"
    """A printed number or curve differs from the computed one by more than its rounding."""
    FORMULA = "formula misprinted"
    """A formula does not give what its paper uses; the correction is known."""
    SLIP = "slip"
    """An index, a step of a proof, a border case or a word; no result depends on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One number beside the paper's.

    Attributes
    ----------
    quantity : str
        The quantity, in words.
    printed : str
        The paper's digits, as printed; empty where it prints none.
    computed : float
        Ours.
    verdict : Verdict
        The result of comparing them.
    note : str
        Why, where it is not simply reproduced. Misprints of the same weight and note are one erratum.
    weight : Weight or None
        The weight of a misprint; absent for all other verdicts.
    theorem : str
        The name of the false theorem that a misprint follows from: the errata show it there.
    """

    quantity: str
    printed: str
    computed: float
    verdict: Verdict
    note: str = ""
    weight: Weight | None = None
    theorem: str = ""

    def __post_init__(self) -> None:
        """Let a misprint, and nothing else, have a weight."""
        if (self.verdict is Verdict.MISPRINT) != (self.weight is not None):
            message = f"a misprint, and nothing else, must have a weight; {self.quantity} has {self.weight}."
            raise ModelError(message)


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
        The assumptions where the paper is silent.
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
        A title for its content, in words.
    compute : Callable
        Returns the reproduction; takes seconds, at most a minute.
    """

    name: str
    source: str
    title: str
    compute: Callable[[], Reproduction]
