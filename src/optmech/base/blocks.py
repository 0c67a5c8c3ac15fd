"""The closed set of exact demands that everything asked of a mechanism matrix is made of.

A notion (a property, a privacy, a structure, a loss) says which of these it demands; models, repairs and
proofs know these and no notion. Entries are counted row by row: entry ``(r, f)`` is ``r * num_truths + f``.
All numbers are exact: whole numbers or fractions, and powers of ``E = e^epsilon``.

In Croft et al. 2020, (10)-(13) are orders, (14) and (15) ties, and (4) is a ratio.

Model
-----
    tie      x[left] = x[right]                                             the two are one quantity
    limit    least <= x[entry] <= most
    order    x[low] <= x[high]
    total    sum_k coefficient[k] x[entry[k]] = right                       for each row
    bound    sum_k coefficient[k] x[entry[k]] <= right                      for each row
    ratio    x[r,f] <= E^w x[r,g] + excess                                  for pairs of neighbours f, g
    choice   x[r,f] <= E^w x[r,g], or the mass x[r,f] is paid               for pairs of neighbours f, g
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from optmech.base.arrays import Integers, Whole
    from optmech.base.logarithm import Logarithm


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tie:
    """Entries that are one quantity in every mechanism, `left` and `right` of shape (size,).

    `name` is that of the rows, as in the algebra, their `subscripts` of shape (size, dimensions). `violation`
    is what is said of a matrix that breaks it, empty where its name says enough.
    """

    name: str
    subscripts: Integers
    left: Integers
    right: Integers
    violation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Limit:
    """Between which values `entries`, shape (size,), lie, all of them between the same; names as of `Tie`."""

    name: str
    entries: Integers
    least: Fraction = Fraction(0)
    most: Fraction = Fraction(1)
    violation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Order:
    """Entries of which the first is at most the second; see `Tie` for the names."""

    name: str
    subscripts: Integers
    low: Integers
    high: Integers
    violation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Sums:
    """Weighted sums of entries, and the numbers at their `right`, shape (num_rows,).

    `rows`, `entries` and `coefficients` have shape (num_coefficients,): in which row, of which entry, and how
    much, in whole numbers over a positive `scale`. See `Tie` for the names.
    """

    name: str
    subscripts: Integers
    rows: Integers
    entries: Integers
    coefficients: Whole
    scale: int
    right: Whole
    violation: str = ""


class Total(_Sums):
    """Weighted sums of entries that equal a number."""

    __slots__ = ()


class Means(Total):
    """Weighted sums that hold the mean of each column to its truth."""

    __slots__ = ()


class Bound(_Sums):
    """Weighted sums of entries that are at most a number."""

    __slots__ = ()


class Excess(Enum):
    """The amount by which a ratio may exceed ``E``."""

    NONE = "nothing"
    EACH = "delta at each response"
    SUM = "delta over all responses together"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ratio:
    """Entries of neighbouring truths that are alike, as a product of pairs and responses.

    For each pair f, g of `pairs`, shape (num_pairs, 2), entry (r, f) is at most ``E^w`` times entry (r, g),
    where w of `weights` says how many times epsilon lie between the two; but for an excess of `delta`,
    ``None`` where the least one is sought and zero without an excess. `responses` of ``None`` are all.
    """

    epsilon: Fraction | Logarithm
    pairs: Integers
    weights: Integers
    responses: Integers | None = None
    excess: Excess = Excess.NONE
    delta: Fraction | None = Fraction(0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Choice:
    """Ratios that are kept, or whose whole mass is paid for, within delta for each pair; see `Ratio`."""

    epsilon: Fraction | Logarithm
    pairs: Integers
    weights: Integers
    delta: Fraction | None
    responses: None = None


Demand = Tie | Limit | Order | Total | Bound
"""Any demand on entries."""

PrivacyBlock = Ratio | Choice
"""Any demand between neighbours."""
