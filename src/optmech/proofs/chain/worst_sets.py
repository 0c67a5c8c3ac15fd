"""The sets of places that tell a noise and its shift apart best.

A noise keeps a trade-off curve if for every set S of its places (P_(f+1)(S), P_f(S)) lies under it. The sets
of all places whose ratio of probabilities is above a number are enough (Neyman, Pearson 1933): what lies
under the curve is convex, and the points of all other sets lie below the polygon through theirs. Tails have
one ratio each. Complements are sets too, so that this is both ways between neighbours.
"""

from __future__ import annotations

from functools import cmp_to_key
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.proofs.chain.noise import Noise

    Step = tuple[int, int]


def worst_sets(noise: Noise) -> Iterator[Step]:
    """Return (P_(f+1)(S), P_f(S)) of the sets of all places whose ratio is above a number.

    In units of ``2**-bits`` of the noise, squared where it has tails.
    """
    x = y = 0
    for _, alike in groupby(_in_order(noise), key=cmp_to_key(_after)):
        for step in alike:
            x, y = x + step[0], y + step[1]
        yield x, y


def _in_order(noise: Noise) -> list[Step]:
    """Return (P_(f+1), P_f) of places, of the largest ratio P_f / P_(f+1) first."""
    pairs, (left, right) = noise.step_pairs
    steps = [(number * beside, number * here) for (here, beside), number in pairs.items()]
    if noise.tail:
        steps += [(noise.tail * left, left << noise.bits), (right << noise.bits, noise.tail * right)]
    return sorted((step for step in steps if any(step)), key=cmp_to_key(_after))


def _after(step: Step, other: Step) -> int:
    """Return a positive number where another step has the larger ratio."""
    return step[0] * other[1] - other[0] * step[1]
