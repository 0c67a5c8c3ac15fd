"""Bins of a column of numbers: groups that are public, for their edges are given beforehand.

0,18,65        0 <= x < 18  and  18 <= x < 65;  other numbers are refused
0,18,65]       the last bin includes 65
..,18,65,..    x < 18  and  18 <= x < 65  and  65 <= x
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from optmech.base.errors import broken_rule
from optmech.base.numbers import as_text
from optmech.base.visible import quote
from optmech.release.tables.cell_numbers import DATE, OF_DATE, number_in

if TYPE_CHECKING:
    from fractions import Fraction

    from optmech.release.tables.number_spans import NumberSpan

_OPEN, _CLOSED = "..", "]"
# Characters of an edge, which stands in the names of bins.
_LONGEST = 15


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

    @property
    def labels(self) -> tuple[str, ...]:
        """The name of each bin, in order."""
        texts = [as_text(edge) for edge in self.edges]
        inner = [f"{low} to under {high}" for low, high in pairwise(texts)]
        if self.closed:
            inner[-1] = f"{texts[-2]} to {texts[-1]}"
        first = [f"under {texts[0]}"] if self.below else []
        return (*first, *inner, *([f"{texts[-1]} and over"] if self.above else []))

    def label(self, number: Fraction) -> str | None:
        """Return the name of the bin of a number, ``None`` beyond all bins."""
        index = bisect_right(self.edges, number)
        if self.closed and number == self.edges[-1]:
            index -= 1
        if (not index and not self.below) or (index == len(self.edges) and not self.above):
            return None
        return self.labels[index - (not self.below)]

    def label_of_span(self, span: NumberSpan) -> str | None:
        """Return the name of the bin that has all numbers of a span, ``None`` if they may be in several.

        >>> from optmech.release.tables.number_spans import span_in
        >>> bins_of("0,18,65,..").label_of_span(span_in("90+"))
        '65 and over'
        """
        first, last = self.edges[0], self.edges[-1]
        if span.low is not None and span.high is not None:
            label = self.label(span.low)
            return label if label == self.label(span.high) else None
        if span.low is not None:
            return self.labels[-1] if self.above and span.low >= last else None
        is_below = span.high is not None and (span.high < first or (span.high == first and span.without_ends))
        return self.labels[0] if self.below and is_below else None

    @property
    def span(self) -> str:
        """The numbers in any bin, in words."""
        first, last = as_text(self.edges[0]), as_text(self.edges[-1])
        low = "any" if self.below else f"{first} or more"
        return low if self.above else f"{low} and {'at most' if self.closed else 'less than'} {last}"


def bins_of(edges: Any) -> Bins:  # noqa: ANN401 - a text or numbers
    """Return the bins that a text such as ``"0,18,65,.."`` states, or a list of numbers."""
    text = edges if isinstance(edges, str) else ",".join(map(str, edges)) if _is_list(edges) else ""
    parts = [part.strip() for part in text.split(",")]
    below, above = parts[0] == _OPEN, len(parts) > 1 and parts[-1] == _OPEN
    parts = parts[below : len(parts) - above]
    closed = bool(parts) and parts[-1].endswith(_CLOSED)
    numbers = [None if len(part) > _LONGEST else number_in(part.removesuffix(_CLOSED)) for part in parts]
    found = [number for number in numbers if number is not None]
    number_of_bins = len(found) - 1 + below + above
    if len(found) < len(numbers) or not found or number_of_bins < 1 or (closed and (above or len(found) < 2)):  # noqa: PLR2004 - the last bin has two edges
        if any(DATE.fullmatch(part.removesuffix(_CLOSED)) for part in parts):
            raise broken_rule("bins", "have numbers for edges", quote(text), OF_DATE)
        remedy = "Write 0,18,65 for two bins, 0,18,65] to include 65, and 0,18,65,.. for one of 65 and over."
        raise broken_rule("bins", "have edges with commas", quote(text or edges), remedy)
    if any(low >= high for low, high in pairwise(found)):
        raise broken_rule("bins", "have edges that increase", quote(text))
    return Bins(tuple(found), below, above, closed)


def _is_list(edges: object) -> bool:
    return hasattr(edges, "__iter__")
