"""Notice columns that are published beside the drawn one and give it away in every row.

Model
-----
    y = s_1 x_1 + ... + s_k x_k,  each s_j of -1, 0, 1     a copy, a total, what a total leaves
    x + y = constant                                       a complement
    x = c y, up to rounding, for one c                     percentages of a column, rates
    x = 100 y / n or 100 (n - y) / n, up to rounding       percentages of a row, also as shares of 1

Numbers of the first rows are compared. A sentence names columns alone: it has no number of the data.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from optmech.base.visible import visible
from optmech.base.wording import join_words
from optmech.release.tables.cell_numbers import number_in
from optmech.release.tables.truths import is_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

_MOST_ROWS = 10_000
# Few sums are looked at beyond these.
_FIRST_ROWS = 20
# Of more columns sums of few of them and of all are tried, and of yet more only copies and sums of all.
_MOST_COLUMNS, _MANY_COLUMNS = 8, 25
# Fewer rows agree by chance.
_FEW_ROWS, _ROWS_OF_LONG_SUMS, _LONG_SUM = 3, 4, 4
_SHARE = re.compile(r"%|percent|per cent|pct|share|rate|prozent|anteil|pourcent|proportion", re.IGNORECASE)
_MOST_DIGITS = 9
_TINY = 1e-9


@dataclass(frozen=True, slots=True)
class _Column:
    """Numbers of a public column; each is at most `half` away from what was rounded to it."""

    name: str
    values: Numbers
    half: float


def given_away(answers: pa.Array, public: Mapping[str, pa.Array], column: str) -> str:
    """Return a sentence on public columns from which the answers follow in every row, empty if none do.

    >>> public = {"n": pa.array([71, 18, 7]), "yes": pa.array([20, 6, 1]), "no": pa.array([48, 9, 4])}
    >>> given_away(pa.array([3, 3, 2]), public, "not_sure").partition(":")[0]
    'n - yes - no is the true answer of column not_sure in every row'
    """
    own = _numbers(column, answers)
    if own is None or len(own.values) < _FEW_ROWS or np.ptp(own.values) == 0:
        return ""
    others = [found for name, cells in public.items() if (found := _numbers(name, cells)) is not None]
    others = [other for other in others if np.any(other.values != 0)]
    for search in (_sum, _share):
        words = search(own.values, others)
        if words:
            where = f"{visible(words)} the true answer of column {visible(column)} in every row"
            return f"{where}: noise hides nothing beside them. Leave one of them out, or release it, too"
    return ""


def _sum(own: Numbers, others: Sequence[_Column]) -> str:
    """Return words on a sum of columns that is the answer, empty if there is none."""
    for signs in sorted(_signs(len(others)), key=lambda signs: sum(map(abs, signs))):
        if len(own) < (_FEW_ROWS if sum(map(abs, signs)) < _LONG_SUM else _ROWS_OF_LONG_SUMS):
            break
        if all(_same(_total(signs, others, rows), own[:rows]) for rows in (_FIRST_ROWS, len(own))):
            ordered = sorted(zip(signs, others, strict=True), key=lambda each: -each[0])
            text = "".join(f" {'+' if sign > 0 else '-'} {each.name}" for sign, each in ordered if sign)
            return f"{text.removeprefix(' + ').strip()} is"
    if len(own) >= _ROWS_OF_LONG_SUMS:
        for each in others:
            if np.ptp(each.values) and np.ptp(each.values + own) < _TINY:
                return f"a constant less {each.name} is"
    return ""


def _total(signs: tuple[int, ...], others: Sequence[_Column], rows: int) -> Numbers:
    """Return a sum of columns in the first rows."""
    terms = [sign * each.values[:rows] for sign, each in zip(signs, others, strict=True) if sign]
    total: Numbers = np.sum(terms, axis=0)
    return total


def _signs(number: int) -> Iterator[tuple[int, ...]]:
    """Yield the signs of the sums that are tried, each with a plus."""
    if number <= _MOST_COLUMNS:
        yield from (signs for signs in product((0, 1, -1), repeat=number) if any(sign > 0 for sign in signs))
        return
    yield (1,) * number
    for place in range(number):  # what a total leaves of all others
        yield tuple(1 if other == place else -1 for other in range(number))
    for terms in range(1, _LONG_SUM if number <= _MANY_COLUMNS else 2):
        for places in combinations(range(number), terms):
            for signs in product((1, -1), repeat=terms):
                if any(sign > 0 for sign in signs):
                    by_place = dict(zip(places, signs, strict=True))
                    yield tuple(by_place.get(place, 0) for place in range(number))


def _share(own: Numbers, others: Sequence[_Column]) -> str:
    """Return words on a column of shares or multiples of the answer, empty if there is none."""
    for each in others:
        if np.ptp(each.values) == 0 or len(own) < _ROWS_OF_LONG_SUMS:
            continue
        if np.count_nonzero(own) >= _ROWS_OF_LONG_SUMS and _is_multiple(own, each):
            return f"{each.name} is a fixed multiple of"
        for whole in others:
            if whole is each or not np.all(whole.values > 0) or not each.half:
                continue
            for part in (own, whole.values - own):
                for unit in (100, 1):
                    if np.all(np.abs(unit * part / whole.values - each.values) <= each.half + _TINY):
                        return f"{join_words([each.name, whole.name])} give"
    return ""


def _is_multiple(own: Numbers, each: _Column) -> bool:
    """Whether one factor makes the answers the numbers of a column, up to their rounding."""
    is_none = own == 0
    if np.any(np.abs(each.values[is_none]) > each.half + _TINY):
        return False
    low = (each.values[~is_none] - each.half) / own[~is_none]
    high = (each.values[~is_none] + each.half) / own[~is_none]
    ends = np.minimum(low, high).max(), np.maximum(low, high).min()
    slack = _TINY * max(1.0, abs(ends[0]))
    return bool(ends[0] <= ends[1] + slack) and max(abs(ends[0]), abs(ends[1])) > slack


def _same(first: Numbers, second: Numbers) -> bool:
    return bool(np.all(np.abs(first - second) <= _TINY * np.maximum(1.0, np.abs(second))))


def _numbers(name: str, cells: pa.Array) -> _Column | None:
    """Return the numbers of a column, ``None`` if a cell is none."""
    kind = cells.type.value_type if pa.types.is_dictionary(cells.type) else cells.type
    if pa.types.is_boolean(kind) or not (
        is_text(kind) or pa.types.is_primitive(kind) or pa.types.is_decimal(kind)
    ):
        return None
    is_share = bool(_SHARE.search(name))
    values, digits = [], 0
    for cell in cells.slice(0, _MOST_ROWS).to_pylist():
        text = str(cell).strip()
        number_text = text.removesuffix("%").strip()
        is_share |= text.endswith("%")
        number = number_in(number_text)
        if number is None:
            return None
        values.append(float(number))
        digits = max(digits, len(number_text.partition(".")[2]))
    half = 0.5 * 10.0 ** -min(digits, _MOST_DIGITS) if digits or is_share else 0.0
    return _Column(name, np.array(values), half)
