"""Draw quantiles exactly: one by permute-and-flip or the exponential mechanism, several by a tree.

    p(v) = exp(-rate (loss(v) - least loss))

Permute-and-flip takes values in random order, and the first whose coin of p(v) shows heads: so one of those
with heads, each with the same probability. The exponential mechanism draws v with probability proportional to
p(v). Both split the coin in k fair ones and a rest, p(v) = 2^-k (2^k p(v)), k = floor(x log2 e) for p(v) =
e^-x. Values of one k are alike for the fair coins: permute-and-flip draws how many of them pass, and the
exponential mechanism draws k with weight 2^-k. The rest shows heads with probability above 1/2, so that few
values are tried, whatever the range.

Tree: each record gets a random place of its own among 2^40 at its value. The middle quantile divides the
records, those below it from the others, and each part has the quantiles on its side. A record is in one part
of each level.

Source: McKenna, Sheldon 2020; McSherry, Talwar 2007; Kaplan, Schnapp, Stemmer 2022.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING

from optmech.mechanisms.quantiles.pieces import pieces_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.mechanisms.quantiles.dice import Dice
    from optmech.mechanisms.quantiles.pieces import Piece

PLACES = 1 << 40
"""Random places of records at one value, in a tree."""
# A fraction below log2 e, and a number of fair coins beyond which the rest is one coin.
_BINARY, _UNIT, _MOST = 14426950408889634, 10**16, 128


class _Level:
    """The pieces of the same number of fair coins."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.ends: list[int] = []

    def close(self) -> None:
        """Count the values."""
        self.ends = [*accumulate(piece.size for piece in self.pieces)]

    @property
    def size(self) -> int:
        return self.ends[-1]

    def at(self, place: int) -> tuple[int, int]:
        """Return a value, and its loss."""
        index = bisect_right(self.ends, place)
        piece = self.pieces[index]
        return piece.start + piece.size - (self.ends[index] - place), piece.loss


class _Coins:
    """The coins of all values: x = (loss - least) * numerator / denominator."""

    def __init__(self, pieces: Sequence[Piece], rate: Fraction) -> None:
        self.least = min(piece.loss for piece in pieces)
        self._up, self._down = rate.numerator, rate.denominator
        levels: defaultdict[int, _Level] = defaultdict(_Level)
        for piece in pieces:
            halvings = (piece.loss - self.least) * self._up * _BINARY // (self._down * _UNIT)
            levels[min(halvings, _MOST)].pieces.append(piece)
        self.levels = dict(sorted(levels.items()))
        for level in levels.values():
            level.close()

    def rest(self, loss: int, halvings: int, dice: Dice) -> bool:
        """Flip what is left of a coin."""
        return dice.keeps(((loss - self.least) * self._up, self._down), halvings)


def permute_and_flip(pieces: Sequence[Piece], rate: Fraction, dice: Dice) -> int:
    """Return a value by permute-and-flip; `rate` is for one unit of loss."""
    coins = _Coins(pieces, rate)
    passed = {}
    for halvings, level in coins.levels.items():
        passed[halvings] = level.size
        for _ in range(halvings):
            passed[halvings] = dice.heads(passed[halvings])
    tried: defaultdict[int, list[int]] = defaultdict(list)
    while True:
        halvings = dice.key(passed)
        before = tried[halvings]
        place = dice.below(coins.levels[halvings].size - len(before))
        for each in before:  # increasing: the places that are left keep their order
            place += each <= place
        insort(before, place)
        passed[halvings] -= 1
        value, loss = coins.levels[halvings].at(place)
        if coins.rest(loss, halvings, dice):
            return value


def exponential(pieces: Sequence[Piece], rate: Fraction, dice: Dice) -> int:
    """Return a value by the exponential mechanism; `rate` is for one unit of loss."""
    coins = _Coins(pieces, rate)
    weights = {halvings: level.size << (_MOST - halvings) for halvings, level in coins.levels.items()}
    while True:
        halvings = dice.key(weights)
        level = coins.levels[halvings]
        value, loss = level.at(dice.below(level.size))
        if coins.rest(loss, halvings, dice):
            return value


def tree(
    heaps: Sequence[tuple[int, int]],
    num_values: int,
    quantiles: Sequence[Fraction],
    rate: Fraction,
    dice: Dice,
    *,
    places: int = PLACES,
) -> list[int]:
    """Return increasing values, one for each quantile; `rate` is for a span of one record."""
    records = sorted(value * places + dice.below(places) for value, number in heaps for _ in range(number))
    drawn: list[int] = []

    def divide(
        own: Sequence[int],
        within: tuple[int, int],
        asked: Sequence[Fraction],
        ends: tuple[Fraction, Fraction],
    ) -> None:
        if not asked:
            return
        middle = len(asked) // 2
        quantile = (asked[middle] - ends[0]) / (ends[1] - ends[0])
        pieces = pieces_of(_heaps(own), *within, quantile)
        value = exponential(pieces, rate / (span_of(quantile) * quantile.denominator), dice)
        cut = bisect_left(own, value)
        lower = within[0], max(within[0], value - 1)
        divide(own[:cut], lower, asked[:middle], (ends[0], asked[middle]))
        drawn.append(value // places)
        divide(own[cut:], (value, within[1]), asked[middle + 1 :], (asked[middle], ends[1]))

    divide(records, (0, num_values * places - 1), quantiles, (Fraction(0), Fraction(1)))
    return drawn


def span_of(quantile: Fraction) -> Fraction:
    """Return by how much more one loss than another moves, where a record comes or goes."""
    return 2 * max(quantile, 1 - quantile)


def _heaps(records: Sequence[int]) -> list[tuple[int, int]]:
    """Return sorted records as heaps of equal ones."""
    heaps: dict[int, int] = {}
    for record in records:
        heaps[record] = heaps.get(record, 0) + 1
    return [*heaps.items()]
