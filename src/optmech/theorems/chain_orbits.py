"""The theorem of chains on orbits of many digits: of pairs that all steps share.

Statement
---------
Where all truths weigh the same and the loss is one of the distance,

    phi_j(x) = w ( sum_(d < t) r_d (1 - K^(d+1)(x)) + sum_(d < n+1-t) r_d H^d(x) ),   t = j + 1

with weights w, truths 0..n and r_d what the loss rises by from distance d to d + 1. Along an orbit
``o_(m+1) = K(o_m)`` both are sums of its own values, ``1 - o_(m+1), 1 - o_(m+2), ...`` and ``o_m, o_(m-1),
...``: for each m two running sums are phi_j(o_m) of all steps at once. Where neither sum grows any more all
steps are alike, and one of them stands for those.

Source: `docs/theory/chain.md`.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.base.arrays import Floats
    from optmech.question.chain_question import ChainQuestion


_NOTHING, _ROUNDING = Decimal("1e-18"), Decimal("1e-30")
# The rest of 1 - K where K is 1, but for digits.
_DUST = 1e-25


def least_loss_of_equal_weights(question: ChainQuestion, pairs: Sequence[tuple[float, float]]) -> float:
    """Return the least expected loss of equal weights, where no truth is certain, in doubles.

    `pairs` are ``e^epsilon`` and delta, which hold both ways.
    """
    number = question.num_truths
    # From distance 0 on; whole numbers may be larger than any double.
    weight, whole = question.weights[0], question.rises[number:]
    rises = np.array([weight * rise / question.unit for rise in whole])
    orbits = _orbits(pairs, number)
    longest = min(max((len(values) for values, _, _ in orbits), default=number), number - 1)
    # Steps by how many truths are below them: near the first truth, in the middle, near the last one.
    below = np.unique(np.concatenate([np.arange(1, longest + 1), number - np.arange(1, longest + 1)]))
    if len(below) < number - 1:
        below = np.sort(np.append(below, longest + 1))
    times = np.diff(below, append=number)
    # At 0 and at 1 all truths on one side cost all that they can.
    sums = np.concatenate([[0.0], rises.cumsum()])
    least = np.minimum(sums[below], sums[number - below])
    for values, rests, places in orbits:
        for place in places:
            falling, rising = rests[place + 1 :], values[place::-1]
            left, right = _sums(rises, falling), _sums(rises, rising)
            here = left[np.minimum(below, len(left) - 1)] + right[np.minimum(number - below, len(right) - 1)]
            np.minimum(least, here, out=least)
    return question.const / question.unit + float((least * times).sum())


def least_loss_of_table(
    question: ChainQuestion, charges: Floats, pairs: Sequence[tuple[float, float]]
) -> float:
    """Return the same of any weights and losses, in time quadratic in the number of truths.

    `charges`, shape (num_steps, num_truths), are c_f(j).
    """
    number, turns = question.num_truths, np.array(question.signs)
    inside = (turns >= 1 - question.keeps_zero) & (turns < number)
    charges, ahead = charges[inside], turns[inside][:, None] - np.arange(number)[None, :]
    # Where the first truth must be certain, what is less than delta is no rounding.
    least_delta = min((delta for _, delta in pairs if delta), default=1.0) if question.keeps_zero else 1.0
    dust = _DUST * least_delta / max(factor for factor, _ in pairs)
    left, right = np.where(ahead > 0, charges, 0.0), np.where(ahead > 0, 0.0, -charges)
    least = np.minimum(left.sum(axis=1), right.sum(axis=1))
    if question.keeps_zero:
        least[:] = np.inf
    for values, rests, places in _orbits(pairs, number, least_delta):
        # Beyond its ends nothing is left of an orbit, or of what it lacks to 1.
        shares, lacks = np.append(values, [0.0, 0.0]), np.append(rests, [0.0, 0.0])
        for place in places:
            at = np.clip(place + ahead, -1, len(values))
            here = (left * lacks[at] + right * shares[at]).sum(axis=1)
            if question.keeps_zero:
                here[lacks[at[:, 0]] > dust] = np.inf  # the first truth must be certain
            np.minimum(least, here, out=least)
    return question.const / question.unit + float(least.sum())


def _orbits(
    pairs: Sequence[tuple[float, float]], number: int, least: float = 1.0
) -> list[tuple[Floats, Floats, range]]:
    """Return the orbits of the corners, as far as more than a share of `least` is left of them."""
    # An orbit meets 1e-300 as well as what lacks 1e-300 to 1, and begins with delta: it takes digits for all.
    digits = 40 + sum(2 * max(0, Decimal(factor).adjusted()) for factor, _ in pairs)
    digits += max(max(0, -Decimal(delta).adjusted()) if delta else 0 for _, delta in pairs)
    with localcontext(prec=digits):
        curve = _Curve(pairs, Decimal(least))
        return [_orbit(corner, curve, number) for corner in curve.corners()]


def _sums(rises: Floats, shares: Floats) -> Floats:
    """Return the sums of the first 0, 1, ... rises times their shares."""
    most = min(len(rises), len(shares))
    return np.concatenate([[0.0], (rises[:most] * shares[:most]).cumsum()])


class _Curve:
    """K, the least of lines and 1."""

    def __init__(self, pairs: Sequence[tuple[float, float]], least: Decimal) -> None:
        exact = [(Decimal(factor), Decimal(delta)) for factor, delta in pairs]
        self.lines = [*exact, *((1 / factor, 1 - (1 - delta) / factor) for factor, delta in exact)]
        self.nothing = _NOTHING * least / max(factor for factor, _ in exact)

    def above(self, x: Decimal) -> Decimal:
        return min(Decimal(1), *(slope * x + offset for slope, offset in self.lines))

    def corners(self) -> list[Decimal]:
        """Return the x of corners and of 0; 1 lies on the mirror image of the orbit of 0."""
        crossings = {Decimal(0)}
        for (slope, offset), (other, height) in combinations(self.lines, 2):
            if slope != other:
                x = (height - offset) / (slope - other)
                if 0 < x < 1 and slope * x + offset <= self.above(x) * (1 + _ROUNDING):
                    crossings.add(x)
        # Pairs hold both ways: 1 less a corner's value is a corner.
        mirrored = {1 - self.above(x) for x in crossings}
        # A fixed point, 0 and 1 under pure privacy, is no orbit.
        return sorted(x for x in crossings | mirrored if self.above(x) > x)


def _orbit(corner: Decimal, curve: _Curve, number: int) -> tuple[Floats, Floats, range]:
    """Return values of an orbit, rising, what each lacks to 1, and which are as near to the corner as truths.

    As many again lie beyond those on both sides, unless there is nothing left of them.
    """
    rests, values = _walk(1 - corner, curve, number), _walk(corner, curve, number)
    before = len(values) - 1
    rising = [*values[:0:-1], *(1 - rest for rest in rests)]
    falling = [*(1 - value for value in values[:0:-1]), *rests]
    near = range(max(0, before - number), min(len(rising), before + number + 1))
    return np.array(rising, dtype=float), np.array(falling, dtype=float), near


def _walk(value: Decimal, curve: _Curve, number: int) -> list[Decimal]:
    """Return a value and those that H leads to, until nothing is left; ``H(y) = 1 - K(1 - y)``."""
    values = [value]
    while values[-1] > curve.nothing and len(values) <= 2 * number:
        values.append(1 - curve.above(1 - values[-1]))
    return values
