"""The theorem of chains in doubles, apart from the engine: an oracle of pairs, step by step.

Statement
---------
    least loss = const + sum_j min_a ( sum_(f < k_j) c_f(j) (1 - a_f) - sum_(f >= k_j) c_f(j) a_f )

over 0, 1 and the orbits ``a_f = K_f(a_(f+1))`` through a corner of some K_f, carried on by K to lower truths
and by H to higher ones. The curves of ``P_f <= E P_(f+1) + delta``, and of ``P_(f+1) <= E P_f + delta``, by a
and u = 1 - a, each to its own last digit, are

    K, first:   a -> E a + delta,             u -> u - delta - (E - 1) a
    K, second:  a -> (E - 1 + a + delta) / E, u -> (u - delta) / E,

the least a and the largest u of all; H is K with a and u, first and second exchanged.

Source: `docs/theory/chain.md`.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from optmech.question.chain_question import ChainQuestion
from optmech.question.epsilon import factors_of
from optmech.question.shape import Shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.base.arrays import Floats
    from optmech.question.problem import Problem

    Pairs = list[tuple[float, float]]
    Step = tuple[Pairs, Pairs]


def least_loss(problem: Problem) -> float:
    """Return the least expected loss of a problem that the theorem applies to, in doubles.

    >>> import optmech as om
    >>> one_way = om.Query(range(2), neighbours=[(0, 1)], symmetric=False)
    >>> round(least_loss(om.question(one_way, "ln 2")), 9)  # truth 0 is told half the time, 1 always
    0.25
    """
    question = ChainQuestion.of(problem, any_steps=True)
    weights = Shape.of(problem).steps or ()
    steps = [(_pairs(problem, step.up), _pairs(problem, step.down)) for step in weights]
    below, above = _orbits(steps)
    if question.keeps_zero:
        certain = above[:, 0] == 0
        below, above = below[certain], above[certain]
    total = question.const / question.unit
    for j, turn in enumerate(question.signs):
        column = np.array([cost / question.unit for cost in question.column(j, 0, question.num_truths)])
        if question.keeps_zero or 0 < turn < question.num_truths:
            total += float((above[:, :turn] @ column[:turn] - below[:, turn:] @ column[turn:]).min())
    return total


def _pairs(problem: Problem, weight: int | None) -> Pairs:
    """Return e^(weight epsilon) and delta of each privacy, none where a way is not protected."""
    if weight is None:
        return []
    weights = np.array([weight])
    return [
        (float(factors_of(privacy.epsilon, weights)[0]), float(privacy.delta or 0))
        for privacy in problem.privacies
    ]


def _orbits(steps: Sequence[Step]) -> tuple[Floats, Floats]:
    """Return a and 1 - a of 0, of 1 and of all orbits through corners, truth by truth."""
    seeds = [(place, *corner) for place, step in enumerate(steps) for corner in _corners(*step)]
    number = len(steps) + 1
    below, above = np.zeros((len(seeds), number)), np.ones((len(seeds), number))
    at = np.array([place for place, *_ in seeds])
    for row, (place, x, rest, is_end) in enumerate(seeds):
        below[row, place + 1], above[row, place + 1] = x, rest
        if is_end:
            below[row, place], above[row, place] = 1.0, 0.0
        else:
            (below[row, place],), (above[row, place],) = _image(
                np.array([x]), np.array([rest]), *steps[place]
            )
    for truth in range(number - 2, -1, -1):
        rows = at > truth
        below[rows, truth], above[rows, truth] = _image(
            below[rows, truth + 1], above[rows, truth + 1], *steps[truth]
        )
    for truth in range(2, number):
        rows, (first, second) = at < truth - 1, steps[truth - 1]
        above[rows, truth], below[rows, truth] = _image(
            above[rows, truth - 1], below[rows, truth - 1], second, first
        )
    zero, one = np.zeros(number), np.ones(number)
    return np.vstack([zero, one, below]), np.vstack([one, zero, above])


def _image(p: Floats, q: Floats, first: Pairs, second: Pairs) -> tuple[Floats, Floats]:
    """Return K of p, and one less that, where q is ``1 - p``; with all exchanged H of q."""
    up, down = np.ones_like(p), np.zeros_like(q)
    for factor, delta in first:
        up = np.minimum(up, factor * p + delta)
        down = np.maximum(down, q - delta - (factor - 1) * p)
    for factor, delta in second:
        up = np.minimum(up, (factor - 1 + p + delta) / factor)
        down = np.maximum(down, (q - delta) / factor)
    return up, down


def _corners(first: Pairs, second: Pairs) -> list[tuple[float, float, bool]]:
    """Return x and 1 - x where two lines cross, where K begins, and where it reaches 1, which is marked.

    Lines may cross above K: an orbit through such an x is one that nothing is lost by.
    """
    lines = [*first, *((1 / factor, 1 - (1 - delta) / factor) for factor, delta in second)]
    crossings = [
        (other - offset) / (slope - factor)
        for (factor, other), (slope, offset) in combinations(lines, 2)
        if factor != slope
    ]
    inside = [(x, 1 - x, False) for x in crossings if 0 < x < 1]
    ends = [((1 - delta) / factor, 1 - (1 - delta) / factor) for factor, delta in first]
    ends += [(1 - delta, delta) for _, delta in second]
    # H of 1 is the largest of them, and 0 where nothing is protected.
    x, rest = max(ends, key=lambda end: (end[0], -end[1]), default=(0.0, 1.0))
    return [(0.0, 1.0, False), (x, rest, True), *inside]
