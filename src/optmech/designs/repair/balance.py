"""Equations that hold, without loosening or breaking a single rule.

Values whose rule is met without room (a ratio at e^epsilon, an order of equals) are held together and form
components. Scaling a whole component keeps every rule within it; rules between components have room. So the
equations are mended by one small factor for each component: the least change, relatively. At a vertex of the
program there are at least as many components as columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.base.arrays import Floats, Integers

# A rule with less room than this, relatively, holds its values together. Which of them a solver has met
# without room cannot always be told: too few leave rules to be broken, too many no freedom.
_TIGHT = (1e-6, 1e-5, 1e-7)
# A change of this share of that room on both sides of a rule breaks nothing.
_ROOM = 0.4
# Sums this near to what is right are doubles' own rounding.
_SURE = 1e-14
_EXACT = 1e-15
_MOST_STEPS = 3000


def balance(
    values: Floats,
    sums: sparse.csr_array,
    right: Floats,
    tight: Callable[[Floats, float], tuple[Integers, Integers]],
) -> Floats:
    """Return the values with components scaled so that ``sums values = right``; unchanged where that fails.

    The values keep all rules, and all equations but for a solver's tolerance. Of values and a relative room
    `tight` returns the positions of pairs that a rule with less room holds together.
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
