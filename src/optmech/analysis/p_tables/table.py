"""A perturbation table (p-table): for each true count the noise that is added to it, in exact numbers.

Counts 0..n have separate noise, and every larger count uses the noise of the last `turn` of them, in turn.
With ``turn`` = 1 every larger count has the noise of n. So a finite table is a mechanism on all counts,
and what holds between neighbours in 0..n + 1 holds between all.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.base.arguments import flag, need_text, of_form, whole_number
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import as_text, brief, exact

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from optmech.base.numbers import Number

USUAL_KEYS = (256, 4096)
"""Numbers of keys of the programs of offices."""
Noise = tuple[tuple[int, Fraction], ...]
"""Each noise of positive probability, in increasing order, with that probability."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class PTable:
    """The noise of every count, each probability a fraction.

    Parameters
    ----------
    columns : iterable of mapping from int to number
        For the counts 0, 1, 2, …: each noise and its probability, which sum to one exactly. No noise may lead
        below 0.
    turn : int, default 1
        The number of last columns that larger counts use in turn.
    source : str
        The words that say where the numbers come from.
    is_rounded : bool, default False
        Whether digits were cut where it was written, so that its columns had to be normalised.

    Raises
    ------
    ProblemError
        If a part breaks its rule.

    Examples
    --------
    >>> table = PTable([{0: 1}, {-1: "1/2", 1: "1/2"}, {-1: "1/4", 0: "1/2", 1: "1/4"}])
    >>> print(table)
    p-table: separate noise for counts 0..2; larger ones have that of 2
    >>> print(*table.noise_of(1000))
    (-1, Fraction(1, 4)) (0, Fraction(1, 2)) (1, Fraction(1, 4))
    """

    noise: tuple[Noise, ...]
    turn: int
    source: str
    is_rounded: bool

    @of_form("columns", "hold for each count a mapping from noise to its probability")
    def __init__(
        self,
        columns: Iterable[Mapping[int, Number]],
        *,
        turn: int = 1,
        source: str = "given in Python",
        is_rounded: bool = False,
    ) -> None:
        noise = tuple(_noise(count, column) for count, column in enumerate(columns))
        if not noise:
            raise broken_rule("columns", "hold the noise of count 0 at least", "none")
        if not 1 <= whole_number(turn, "turn") <= len(noise):
            raise broken_rule("turn", f"be a number of columns, from 1 to {len(noise)}", turn)
        object.__setattr__(self, "noise", noise)
        object.__setattr__(self, "turn", turn)
        need_text(source, "source")
        object.__setattr__(self, "source", source)
        object.__setattr__(self, "is_rounded", flag(is_rounded, "is_rounded"))

    @property
    def last(self) -> int:
        """The largest count with separate noise."""
        return len(self.noise) - 1

    @property
    def reach(self) -> int:
        """The largest distance of a published count from the true one."""
        return max(abs(value) for noise in self.noise for value, _ in noise)

    @property
    def same_from(self) -> int | None:
        """The smallest count from which on all have the same noise, ``None`` where larger ones differ."""
        cycle = self.noise[-self.turn :]
        if any(noise != cycle[0] for noise in cycle):
            return None
        start = self.last
        while start and self.noise[start - 1] == self.noise[self.last]:
            start -= 1
        return start

    @property
    def zero_stays(self) -> bool:
        """Whether 0 is published where the count is 0, for certain."""
        return self.noise[0] == ((0, Fraction(1)),)

    @property
    def denominator(self) -> int:
        """The least number of which all probabilities are multiples of one over it."""
        return math.lcm(*(probability.denominator for noise in self.noise for _, probability in noise))

    def num_keys(self, *most: int) -> int | None:
        """Return the number of keys that pick the noise: the least usual one that divides one of these.

        Usual are 256 and 4,096 keys; of others it is the number itself. It is ``None`` where a probability
        is no multiple of one over such a number.

        >>> table = PTable([{0: 1}, {-1: "1/2", 1: "1/2"}])
        >>> table.num_keys(4096), table.num_keys(6), table.num_keys(5)
        (256, 6, None)
        """
        allowed = [keys for number in most for keys in (*USUAL_KEYS, number) if number % keys == 0]
        return next((keys for keys in allowed if keys % self.denominator == 0), None)

    def noise_by_key(self, keys: int) -> list[list[int]]:
        """Return the noise of each count up to `last` for the keys 0, 1, …, in increasing order.

        >>> PTable([{0: 1}, {-1: "1/2", 1: "1/2"}]).noise_by_key(4)
        [[0, 0, 0, 0], [-1, -1, 1, 1]]
        """
        return [[value for value, share in noise for _ in range(int(share * keys))] for noise in self.noise]

    def noise_of(self, count: int) -> Noise:
        """Return the noise of any count, zero or more.

        Raises
        ------
        ProblemError
            If it is none.
        """
        if whole_number(count, "count") < 0:
            raise broken_rule("count", "be zero or more", count)
        if count <= self.last:
            return self.noise[count]
        return self.noise[self.last + 1 - self.turn + (count - self.last - 1) % self.turn]

    def published(self, count: int) -> dict[int, Fraction]:
        """Return each published count of a true one with its probability.

        >>> table = PTable([{0: 1}, {-1: "1/2", 1: "1/2"}])
        >>> table.published(7)
        {6: Fraction(1, 2), 8: Fraction(1, 2)}
        """
        return {count + value: probability for value, probability in self.noise_of(count)}

    def never_published(self) -> tuple[int, ...]:
        """Return the counts up to `last` that are published for no true count, in order."""
        possible: set[int] = set()
        for count in range(self.last + self.reach + 1):
            possible.update(count + value for value, _ in self.noise_of(count))
        return tuple(count for count in range(self.last + 1) if count not in possible)

    def __str__(self) -> str:
        separate = f"counts 0..{self.last}" if self.last else "count 0"
        larger = f"have that of {self.last}"
        if self.turn > 1:
            larger = f"use {self.last + 1 - self.turn}..{self.last} in turn"
        return f"p-table: separate noise for {separate}; larger ones {larger}"

    def __repr__(self) -> str:
        return f"<PTable: {str(self).removeprefix('p-table: ')}>"


def _noise(count: int, column: Mapping[int, Number]) -> Noise:
    values = sorted((whole_number(value, "columns"), exact(p, "columns")) for value, p in column.items())
    for value, probability in values:
        if probability < 0 or count + value < 0:
            message = (
                f"`columns` must hold probabilities, zero or more, of noise that leads to 0 or more; got "
                f"{as_text(probability)} for noise {value} at count {count}."
            )
            raise ProblemError(message)
    total = sum((probability for _, probability in values), Fraction(0))
    if total != 1:
        message = (
            f"`columns` must sum to one; the probabilities of count {count} sum to {brief(float(total))}. "
            "Divide each by their sum."
        )
        raise ProblemError(message)
    return tuple((value, probability) for value, probability in values if probability)
