"""Equations on quantities: values that meet them but for rounding, and exact completion of rounded values.

Model
-----
    sum_k coefficient[i,k] y[k] = lacking[i]        for each equation i

with y zero but for as many quantities as there are independent equations. An equation with a quantity that
stands in no other one is completed by that, last; the others by a small rational system. The y are rational,
so that the denominator of a matrix may grow by a small factor.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING

import numpy as np
import scipy
from flint import fmpq, fmpz_mat
from scipy import sparse

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.base.arrays import Floats, Integers, Marks, Whole

# A rule with less room than this, relatively, holds its values together. A solver's matrix does not always
# show which of them it met without room: too few leave rules to be broken, too many no freedom.
_TIGHT = (1e-6, 1e-5, 1e-7)
# A change of this share of that room on both sides of a rule breaks nothing.
_ROOM = 0.4
# Sums this near to what is right are doubles' own rounding.
_SURE = 1e-14
_EXACT = 1e-15
_MOST_STEPS = 3000
# Coefficients are small whole numbers: what elimination leaves of a dependent row is rounding.
_DEPENDENT = 1e-9


def balance(
    values: Floats,
    sums: sparse.csr_array,
    right: Floats,
    tight: Callable[[Floats, float], tuple[Integers, Integers]],
) -> Floats:
    """Return the values with components scaled so that ``sums values = right``; unchanged where that fails.

    The values keep all rules, and all equations but for a solver's tolerance. For values and a relative room
    `tight` returns the positions of pairs that a rule with less room holds together (a ratio at e^epsilon, an
    order of equals): they form components. Scaling a whole component keeps every rule within it; rules
    between components have room. So the equations are mended by one small factor for each component: the
    least change, relatively. At a vertex of the program there are at least as many components as columns.
    """
    best, least = values, _miss(values, sums, right)
    for room in _TIGHT:
        if least <= _SURE:
            break
        balanced_values = _balance(values, sums, right, tight(values, room), room)
        if _miss(balanced_values, sums, right) < least:
            best, least = balanced_values, _miss(balanced_values, sums, right)
    return best


def _miss(values: Floats, sums: sparse.csr_array, right: Floats) -> float:
    return float(np.abs(sums @ values - right).max(initial=0.0))


def _balance(
    values: Floats, sums: sparse.csr_array, right: Floats, links: tuple[Integers, Integers], room: float
) -> Floats:
    size, (one, other) = len(values), links
    graph = sparse.coo_array((np.ones(len(one)), (one, other)), shape=(size, size))
    count, component = sparse.csgraph.connected_components(graph, directed=False)
    spread = sparse.csr_array((values, (np.arange(size), component)), shape=(size, count))
    mass, result = sums @ spread, values
    for _ in range(2):  # once would do, but for rounding
        change = sparse.linalg.lsmr(  # loaded when it is first used
            mass, right - sums @ result, atol=_EXACT, btol=_EXACT, maxiter=_MOST_STEPS
        )[0]
        if not np.abs(change).max() <= _ROOM * room:
            return values
        result = result * (1 + change)[component]
    return result


@dataclass(frozen=True, kw_only=True, eq=False)
class Sums:
    """Equations with whole coefficients that are not zero, listed row by row, none twice.

    Each coefficient has an equation, its row, and a quantity, its column.
    """

    rows: Integers
    columns: Integers
    coefficients: Whole
    right: Whole
    size: int

    @classmethod
    def of(cls, rows: Integers, columns: Integers, coefficients: Whole, right: Whole, size: int) -> Sums:
        """Return equations from coefficients, several of one quantity summed, equal equations once."""
        codes, index = np.unique(rows * size + columns, return_inverse=True)
        if len(codes) < len(rows):
            coefficients_summed = np.zeros(len(codes), dtype=object)
            np.add.at(coefficients_summed, index, coefficients)
        else:
            coefficients_summed = coefficients[np.argsort(index)]
        nonzero = coefficients_summed != 0
        codes, coefficients_summed = codes[nonzero], coefficients_summed[nonzero]
        rows, columns = codes // size, codes % size
        starts = np.searchsorted(rows, np.arange(len(right) + 1))
        rows_by_key: dict[tuple[object, ...], int] = {}
        for row, value in enumerate(right.tolist()):
            part = slice(starts[row], starts[row + 1])
            if part.start < part.stop or value:
                key = columns[part].tobytes(), *coefficients_summed[part].tolist(), value
                rows_by_key.setdefault(key, row)
        indices = np.array(list(rows_by_key.values()), dtype=np.int64)
        if len(indices) < len(right):
            inside = np.isin(rows, indices)
            rows = np.searchsorted(indices, rows[inside])
            columns, coefficients_summed, right = columns[inside], coefficients_summed[inside], right[indices]
        return cls(rows=rows, columns=columns, coefficients=coefficients_summed, right=right, size=size)

    @cached_property
    def doubles(self) -> sparse.csr_array:
        """The coefficients in floating point."""
        data = self.coefficients.astype(float)
        return sparse.csr_array((data, (self.rows, self.columns)), shape=(len(self.right), self.size))

    def merge(self, group: Integers, size: int) -> Sums:
        """Return the same equations on groups of quantities."""
        return Sums.of(self.rows, group[self.columns], self.coefficients, self.right, size)

    def exactly(self, values: Whole) -> Whole:
        """Return the left sides at integer values."""
        sums = np.zeros(len(self.right), dtype=object)
        if len(self.rows):
            first = np.flatnonzero(np.diff(self.rows, prepend=-1))
            sums[self.rows[first]] = np.add.reduceat(self.coefficients * values[self.columns], first)
        return sums


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Residual:
    """The quantities that take the residual of the equations."""

    sums: Sums
    own: Integers  # of each equation a quantity that stands in no other one, -1 where there is none
    # Takers, equations and coefficients: quantities that complete the other equations, as many as there are
    # independent ones.
    jointly: list[tuple[Integers, Integers, fmpz_mat]]

    @classmethod
    def among(cls, sums: Sums, room: Floats) -> Residual:
        """Return quantities that have much room; one without any takes nothing."""
        weight = np.abs(sums.doubles.data) * room[sums.columns]
        often = np.bincount(sums.columns, minlength=sums.size)
        own = np.full(len(sums.right), -1)
        best = np.zeros(len(sums.right))
        alone = np.flatnonzero((often[sums.columns] == 1) & (weight > 0))
        alone = alone[np.argsort(weight[alone], kind="stable")]  # of several assignments the last one stays
        own[sums.rows[alone]], best[sums.rows[alone]] = sums.columns[alone], weight[alone]
        is_negative = own < 0
        return cls(sums=sums, own=own, jointly=_jointly(sums, room, is_negative))

    def complete(self, whole: Whole, total: int) -> tuple[Whole, int] | None:
        """Return whole numbers near ``whole / total`` that solve all equations, and what they are over.

        ``None`` where one would be below zero, or nothing can take what is lacking.
        """
        right, takers, units = self.sums.right, [], []
        # Those that hang together share no taker with others.
        lacking = right * total - self.sums.exactly(whole)
        for indices, equations, coefficients in self.jointly:
            solution = coefficients.solve(fmpz_mat([[int(each)] for each in lacking[equations]]))
            takers += indices.tolist()
            units += [solution[k, 0] for k in range(len(indices))]
        result, total = _add(whole, total, takers, units)
        alone = np.flatnonzero(self.own >= 0)
        if len(alone):
            lacking = right * total - self.sums.exactly(result)
            own = dict(zip(self.sums.columns.tolist(), self.sums.coefficients.tolist(), strict=True))
            takers = self.own[alone].tolist()
            units = [fmpq(int(lacking[row]), own[taker]) for row, taker in zip(alone, takers, strict=True)]
            result, total = _add(result, total, takers, units)
        if (result < 0).any() or (self.sums.exactly(result) != right * total).any():
            return None
        return result, total


def _add(whole: Whole, total: int, takers: list[int], units: list[fmpq]) -> tuple[Whole, int]:
    """Return the numbers with fractions of a unit added to some, all over a larger total if need be."""
    times = lcm(*(int(each.q) for each in units))
    result = whole * times
    for taker, each in zip(takers, units, strict=True):
        result[taker] += int(each.p) * (times // int(each.q))
    return result, total * times


def _jointly(sums: Sums, room: Floats, mask: Marks) -> list[tuple[Integers, Integers, fmpz_mat]]:
    """Return for equations that hang together which quantities complete them."""
    nonzero = np.flatnonzero(mask[sums.rows] & (room[sums.columns] > 0))
    rows, columns = sums.rows[nonzero], sums.columns[nonzero]
    graph = sparse.coo_array(
        (np.ones(len(rows)), (rows, len(mask) + columns)), shape=(len(mask) + sums.size,) * 2
    )
    _, component = sparse.csgraph.connected_components(graph, directed=False)
    blocks = []
    for part in np.unique(component[rows]):
        equations = np.flatnonzero(mask & (component[: len(mask)] == part))
        indices = nonzero[component[rows] == part]
        different, column = np.unique(sums.columns[indices], return_inverse=True)
        table = np.zeros((len(equations), len(different)), dtype=object)
        table[np.searchsorted(equations, sums.rows[indices]), column] = sums.coefficients[indices]
        largest = np.abs(table).max(axis=1, keepdims=True)  # means of far responses are no more than sums
        doubles = (table / largest).astype(float)
        takers = _independent(doubles * room[different])
        independent_rows = np.arange(len(equations))
        if len(takers) < len(equations):  # some follow from others
            independent_rows = _independent(doubles[:, takers].T)
        matrix = fmpz_mat(
            [[int(value) for value in line] for line in table[np.ix_(independent_rows, takers)]]
        )
        blocks.append((different[takers], equations[independent_rows], matrix))
    return blocks


def _independent(columns: Floats) -> Integers:
    """Return the columns of a basis, the largest ones first."""
    triangle, order, *_ = scipy.linalg.lapack.dgeqp3(columns)  # `scipy.linalg.qr` takes fifty times as long
    diagonal = np.abs(np.diag(triangle))
    rows: Integers = np.sort(order[: int((diagonal > _DEPENDENT * diagonal.max()).sum())] - 1)
    return rows
