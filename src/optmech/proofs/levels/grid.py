"""The levels that a proof looks at, and the places where a step between noise values may leak.

Let ``steps(q)`` be the least number of distances whose sum is q, ``exact(q)`` the least whole number l with
``f(q) >= a^l f(0)``, and ``t(q) = max(steps(q), exact(q))`` the level of q. For every noise with f(0) > delta
that spends at most delta at each distance:

1. ``t(mu) = 1`` for each distance mu. Otherwise ``f(mu) < a f(0)``: value 0 leaks at mu, with f(0) > delta.
2. Mass. ``f(q) >= a^t(q) f(0)``, so that ``1 + sum over q != 0 of a^t(q) <= 1 / f(0) = T``, and the more so
   where only values up to their last level count.
3. Leaks. If ``t(p) = l`` and ``t(p + mu) > l + 1`` then p leaks at mu, with ``f(p) >= a^l f(0)``: there are
   ``steps(p + mu) <= steps(p) + 1 <= l + 1`` steps, so that ``t(p + mu) = exact(p + mu)``, hence
   ``f(p + mu) < a^(l+1) f(0) <= a f(p)``.
4. Budgets. For each mu the sum of a^l over all p that leak by 3 is at most ``delta T``, as each p has one
   level.

By 1 nothing is to be said of p = 0, nor of p + mu = 0 or a distance, whose level is never above l + 1. A
place ``(p, mu, l)`` is where 3 can be seen: p has the level l, at most its last one, and l + 1 is at most the
last one of p + mu.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from optmech.proofs.multipliers import require

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.rules.noise_question import NoiseQuestion

MOST_LEVELS = 1_000
"""The last level of any value is at most this one."""

Span = tuple[int, int]
"""The least and the largest level that a value may have in a case, both included; the last is beyond."""


class Place(NamedTuple):
    """A value p of a level that may leak at a distance, counted from 0, towards `end`, the value p + mu."""

    value: int
    distance: int
    level: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelGrid:
    """The levels and leaks that a proof looks at.

    Attributes
    ----------
    spans : dict of int to Span
        For each value that it looks at the levels from the number of steps to the last one, and one more,
        which is beyond; of a distance level 1 alone.
    places : tuple of Place
        In the order of the multipliers of a leaf: by value, distance and level.
    mirrored : dict of int to int
        For each of these values its mirror image.
    is_mirrored : bool
        Whether distances and last levels are their own mirror image.
    """

    spans: dict[int, Span]
    places: tuple[Place, ...]
    mirrored: dict[int, int]
    is_mirrored: bool


def level_grid(question: NoiseQuestion, tops: Sequence[int]) -> LevelGrid:
    """Return the grid of last levels, one for each noise value.

    NotAProofError: a last level is below the number of steps to its value, or that of a distance is not 1.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from optmech.rules.noise_question import NoiseQuestion
    >>> question = NoiseQuestion(moduli=(5,), distances=(1, 4), delta=Fraction(1, 9), at_most=None,
    ...                          truth_cost=Fraction(0), other_cost=Fraction(1))
    >>> grid = level_grid(question, [0, 1, 3, 0, 1])
    >>> grid.spans, grid.is_mirrored
    ({1: (1, 1), 2: (2, 4), 4: (1, 1)}, False)
    >>> grid.places
    (Place(value=1, distance=0, level=1, end=2),)
    """
    moved = question.moved().tolist()
    require(len(tops) == question.size, "each noise value must have its last level, or 0")
    require(
        tops[0] == 0 and max(tops) <= MOST_LEVELS, f"last levels are at most {MOST_LEVELS}, of value 0 none"
    )
    require(all(tops[mu] == 1 for mu in question.distances), "the last level of each distance must be 1")
    steps = _steps(moved, question.size, max(tops))
    values = [value for value, top in enumerate(tops) if top]
    require(
        all(0 < steps[value] <= tops[value] for value in values),
        "a last level must be no less than the number of steps to its value",
    )
    mirrored = dict(enumerate(question.mirrored().tolist()))
    near = dict.fromkeys(question.distances, (1, 1))
    return LevelGrid(
        spans={value: near.get(value, (steps[value], tops[value] + 1)) for value in values},
        places=tuple(
            Place(value, distance, level, ends[value])
            for value in values
            for distance, ends in enumerate(moved)
            for level in range(steps[value], min(tops[value], tops[ends[value]] - 1) + 1)
        ),
        mirrored={value: mirrored[value] for value in values},
        is_mirrored=all(tops[value] == tops[image] for value, image in mirrored.items())
        and {mirrored[mu] for mu in question.distances} == {*question.distances},
    )


def _steps(moved: list[list[int]], size: int, most: int) -> list[int]:
    """Return the number of steps from 0 to each value, 0 to those that are more than `most` away."""
    steps, reached = [0] * size, {0}
    ring = [0]
    for number in range(1, most + 1):
        ring = list({ends[value] for value in ring for ends in moved} - reached)
        reached.update(ring)
        for value in ring:
            steps[value] = number
    return steps
