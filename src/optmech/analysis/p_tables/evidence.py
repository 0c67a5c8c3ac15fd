"""The results of a perturbation table that tell two counts one apart from each other best."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from optmech.base.number_format import at_least, at_most
from optmech.base.numbers import as_text
from optmech.base.wording import shorten
from optmech.proofs.enclosure import enclose_exponential

if TYPE_CHECKING:
    from optmech.analysis.p_tables.table import PTable
    from optmech.base.logarithm import Logarithm

# Results whose ratio is nearer to e^epsilon than this weigh nothing in delta.
_BITS = 128
_LONGEST, _MOST_SHOWN = 8, 4


class Pair(NamedTuple):
    """Two counts one apart, and the probabilities of each result in whole numbers, over the sum of each."""

    truth: int
    neighbour: int
    columns: tuple[list[int], list[int]]


class Disclosure(NamedTuple):
    """The results that tell a count best from its neighbour, at an epsilon or for certain.

    Attributes
    ----------
    truth, neighbour : int
        The count and its neighbour.
    results : tuple of int
        The published counts whose probability at `truth` is more than e^epsilon times that at `neighbour`, or
        that are impossible there.
    probability, of_neighbour : Fraction
        The probability of these results at both.
    """

    truth: int
    neighbour: int
    results: tuple[int, ...]
    probability: Fraction
    of_neighbour: Fraction

    @property
    def sentence(self) -> str:
        """The evidence in words.

        >>> print(Disclosure(1, 0, (2, 3), Fraction(1, 3), Fraction(0)).sentence)
        2 or 3 from 1: probability 0.3333 or more; from 0: never
        """
        results = list(map(str, self.results))
        shown = f"{results[0]} or {results[1]}" if len(results) == 2 else shorten(results, _MOST_SHOWN)  # noqa: PLR2004 - a pair
        never = at_most(self.of_neighbour) if self.of_neighbour else "never"
        probability = f"probability {share(self.probability)}"
        return f"{shown} from {self.truth}: {probability}; from {self.neighbour}: {never}"

    @property
    def meaning(self) -> str:
        """The consequence for a person, empty where the results do not exclude the neighbour.

        >>> print(Disclosure(1, 0, (2,), Fraction(1, 4), Fraction(0)).meaning)
        a person alone in a cell is revealed with probability 0.25
        """
        if self.of_neighbour:
            return ""
        probability = f"with probability {share(self.probability)}"
        if (self.truth, self.neighbour) == (1, 0):
            return f"a person alone in a cell is revealed {probability}"
        return f"a cell of {self.truth} is told from one of {self.neighbour} {probability}"

    def to_dict(self) -> dict[str, Any]:
        """Return it as values of JSON, numbers exact."""
        return {
            "truth": self.truth,
            "neighbour": self.neighbour,
            "results": list(self.results),
            "probability": as_text(self.probability),
            "of_neighbour": as_text(self.of_neighbour),
            "sentence": self.sentence,
            "meaning": self.meaning,
        }


def pairs_of(table: PTable) -> list[Pair]:
    """Return two counts one apart, both ways, and of those that are alike but for a shift the smallest.

    Counts 0..last + 1 have them all: larger ones use the same noise, in the same turn.
    """
    seen, pairs = set(), []
    for count, other in pairwise(range(table.last + 2)):
        noise = table.noise_of(count), table.noise_of(other)
        if noise in seen:
            continue
        seen.add(noise)
        published = table.published(count), table.published(other)
        results = sorted({*published[0], *published[1]})
        first, second = (_whole(column, results) for column in published)
        pairs += [Pair(count, other, (first, second)), Pair(other, count, (second, first))]
    return pairs


def _whole(column: dict[int, Fraction], results: list[int]) -> list[int]:
    unit = math.lcm(*(probability.denominator for probability in column.values()))
    return [int(unit * column.get(result, Fraction(0))) for result in results]


def evidence_of(table: PTable, pairs: list[Pair], epsilon: Fraction | Logarithm | None) -> Disclosure:
    """Return the results of the pair with the largest delta at an epsilon, the first of those as large.

    Without an epsilon they are those that exclude the neighbour.
    """
    factor = None if epsilon is None else enclose_exponential(epsilon, _BITS).upper
    best, largest = None, Fraction(-1)
    for count, other, _ in pairs:
        first, second = table.published(count), table.published(other)
        likely = sorted(
            result
            for result in first
            if result not in second or (factor is not None and first[result] > factor * second[result])
        )
        of_first = sum((first[result] for result in likely), Fraction(0))
        of_second = sum((second.get(result, Fraction(0)) for result in likely), Fraction(0))
        delta = of_first - (factor or 0) * of_second
        if delta > largest:
            largest = delta
            best = Disclosure(count, other, tuple(likely), of_first, of_second)
    assert best is not None  # noqa: S101 - each table has two counts, and each delta is zero or more
    return best


def share(probability: Fraction) -> str:
    """Return a probability that is reached at least: as it is, or rounded down.

    >>> share(Fraction(1, 4)), share(Fraction(2, 3))
    ('0.25', '0.6666 or more')
    """
    text = as_text(probability)
    return text if len(text) <= _LONGEST and "/" not in text else f"{at_least(probability)} or more"
