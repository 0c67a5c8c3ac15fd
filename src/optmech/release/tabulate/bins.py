"""Bins of a column of numbers: groups that are public, for their edges are given beforehand.

0,18,65        0 <= x < 18  and  18 <= x < 65;  other numbers are refused
0,18,65]       the last bin includes 65
..,18,65,..    x < 18  and  18 <= x < 65  and  65 <= x
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from optmech.base.errors import broken_rule
from optmech.base.numbers import as_text
from optmech.base.visible import quote
from optmech.release.tables.cell_numbers import number_in, reason_of_no_number
from optmech.release.tables.number_spans import span_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.release.tables.number_spans import NumberSpan

_OPEN, _CLOSED = "..", "]"
# Characters of an edge, which stands in the names of bins.
_LONGEST = 15


class Misfit(NamedTuple):
    """The rule that a cell in no bin breaks, and a remedy; `is_beyond` where it is beyond all bins."""

    rule: str
    remedy: str
    is_beyond: bool = False


@dataclass(frozen=True, slots=True)
class Bins:
    """Bins between increasing edges, each with its lower one; the ends may be open, or the last one closed.

    >>> bins_of("0,18,65,..").labels
    ('0 to under 18', '18 to under 65', '65 and over')
    """

    edges: tuple[Fraction, ...]
    below: bool
    above: bool
    closed: bool

    @classmethod
    def of(
        cls, edges: Sequence[Fraction | int], *, below: bool, above: bool, closed: bool, text: str
    ) -> Bins:
        """Return bins between these edges; ProblemError, with the text of them all, if they make none."""
        number_of_bins = len(edges) - 1 + below + above
        if not edges or number_of_bins < 1 or (closed and (above or len(edges) < 2)):  # noqa: PLR2004 - the last bin has two edges
            remedy = (
                "Write 0,18,65 for two bins, 0,18,65] to include 65, 0,18,65,.. for one of 65 and over, and "
                "month:2024-01..2024-12 for months."
            )
            raise broken_rule("bins", "have edges with commas, or a period", quote(text), remedy)
        if any(low >= high for low, high in pairwise(edges)):
            raise broken_rule("bins", "have edges that increase", quote(text))
        return cls(tuple(map(Fraction, edges)), below, above, closed)

    @property
    def is_whole(self) -> bool:
        """Whether all bins are known beforehand."""
        return True

    @property
    def labels(self) -> tuple[str, ...]:
        """The name of each bin, in order."""
        texts = [as_text(edge) for edge in self.edges]
        inner = [f"{low} to under {high}" for low, high in pairwise(texts)]
        if self.closed:
            inner[-1] = f"{texts[-2]} to {texts[-1]}"
        first = [f"under {texts[0]}"] if self.below else []
        return (*first, *inner, *([f"{texts[-1]} and over"] if self.above else []))

    def index(self, number: Fraction | int) -> int | None:
        """Return the index of the bin of a number, ``None`` beyond all bins."""
        index = bisect_right(self.edges, number)
        if self.closed and number == self.edges[-1]:
            index -= 1
        if (not index and not self.below) or (index == len(self.edges) and not self.above):
            return None
        return index - (not self.below)

    def _index_of_span(self, span: NumberSpan) -> int | None:
        """Return the index of the bin that has all numbers of a span, ``None`` if they may be in several."""
        first, last = self.edges[0], self.edges[-1]
        if span.low is not None and span.high is not None:
            index = self.index(span.low)
            return index if index == self.index(span.high) else None
        if span.low is not None:
            return len(self.labels) - 1 if self.above and span.low >= last else None
        is_below = span.high is not None and (span.high < first or (span.high == first and span.without_ends))
        return 0 if self.below and is_below else None

    def found(self, text: str, decimal: str = ".") -> str | Misfit:
        """Return the name of the bin of a cell, or say why it has none.

        >>> bins_of("0,18,65,..").found("90+"), bins_of("0,18").found("x").rule
        ('65 and over', 'numbers')
        """
        number, span = number_in(text, decimal), span_in(text)
        if number is not None:
            index = self.index(number)
        elif span is not None:
            index = self._index_of_span(span)
        else:
            return Misfit("numbers", reason_of_no_number(text, decimal=decimal))
        if index is not None:
            return self.labels[index]
        if number is None:
            remedy = "Choose edges that do not divide it, or write the number."
            return Misfit("numbers that are in one bin for certain", remedy)
        remedy = "Begin or end its `--bins` with .. for a bin of all others, or pass --drop-others."
        if number == self.edges[-1]:
            remedy = f"Write {text.strip()}] to include it. {remedy}"
        return Misfit(f"numbers in bins, {self.span},", remedy, is_beyond=True)

    @property
    def span(self) -> str:
        """The numbers in any bin, in words."""
        first, last = as_text(self.edges[0]), as_text(self.edges[-1])
        low = "any" if self.below else f"{first} or more"
        return low if self.above else f"{low} and {'at most' if self.closed else 'less than'} {last}"


def bins_of(edges: Any) -> Bins:  # noqa: ANN401 - a text or numbers
    """Return the bins that a text such as ``"0,18,65,.."`` states, or a list of numbers."""
    text = text_of(edges)
    parts = [part.strip() for part in text.split(",")]
    below, above = parts[0] == _OPEN, len(parts) > 1 and parts[-1] == _OPEN
    parts = parts[below : len(parts) - above]
    closed = bool(parts) and parts[-1].endswith(_CLOSED)
    numbers = [None if len(part) > _LONGEST else number_in(part.removesuffix(_CLOSED)) for part in parts]
    found = [number for number in numbers if number is not None]
    whole = found if len(found) == len(numbers) else []
    return Bins.of(whole, below=below, above=above, closed=closed, text=text or str(edges))


def text_of(edges: Any) -> str:  # noqa: ANN401 - as above
    """Return edges as text."""
    return edges if isinstance(edges, str) else ",".join(map(str, edges)) if _is_list(edges) else ""


def _is_list(edges: object) -> bool:
    return hasattr(edges, "__iter__")
