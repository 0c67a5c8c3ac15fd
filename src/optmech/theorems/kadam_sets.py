"""Any small set of distances under Definition 2, exactly, by trying which steps leak.

A step leads from a noise value eta to eta + mu, mu a distance. Choose a set V of steps; let the level of
a noise value be the least number of steps from 0 to it that are not in V. Then

    f(0) = max_V min(delta / W(V), 1 / m(V))
    W(V) = max_mu sum_{(eta, mu) in V} e^(-epsilon level(eta)),   m(V) = sum_eta e^(-epsilon level(eta)).

Proof. Let V be the leaking steps of a private noise. All others give ``f(eta + mu) >= e^-epsilon
f(eta)``, so ``f(eta) >= e^(-epsilon level(eta)) f(0)``; sum over V at each distance, and over all noise.
Conversely, masses ``e^(-epsilon level) f(0)`` leak at most in V; lifting the smallest to a sum of one
never leaks more (`kadam_staircase`). The source of this project for the paper had the bound only; the
lifting makes it exact.

The search walks outward level by level. At each level it decides which of the next noise values are
reached; the others leak for now, and may be reached later. Leaks and placed values bound all later ones. The
search grows exponentially. With *zeros for good* a value that is left out once stays zero: a smaller search,
which was exact wherever it was computed for the distances 1..mu and is a private noise in any case.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from optmech.theorems import kadam_question as ask
from optmech.theorems.kadam_any import cayley_levels, pure_error_rate
from optmech.theorems.kadam_question import Letters, closed_form, condition, noise_matrix
from optmech.theorems.kadam_staircase import Staircase, noise_masses, required_delta
from optmech.theorems.kadam_staircase import error_rate as staircase_error_rate
from optmech.theorems.powers import Amount, Doubles, Powers, larger, smaller
from optmech.theorems.theorem import Relation, Theorem, Truth, proved_optimum

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from fractions import Fraction

    from optmech.theorems.kadam_staircase import Levels

# With this many answers the search takes half a second at most, mostly some milliseconds.
_MOST_ANSWERS = 17


class _Walk:
    """Decisions of a search so far: levels, masses of each level, leaks of each distance and level."""

    def __init__(self, modulus: int, distances: Sequence[int], *, zeros_for_good: bool) -> None:
        self.distances = tuple(distances)
        self.levels: list[int | None] = [0] + [None] * (modulus - 1)
        self.masses = [1] + [0] * modulus
        self.leaks = {distance: [0] * modulus for distance in distances}
        self._zeros_for_good = zeros_for_good
        self._zeros: set[int] = set()

    def staircases(self) -> list[Staircase]:
        """Return the staircase of each distance."""
        return [Staircase(tuple(self.masses), tuple(leaks)) for leaks in self.leaks.values()]

    def outward(self, level: int, places: list[int], hopeless: Callable[[_Walk], bool]) -> Iterator[_Walk]:
        """Yield this walk at the end of each way to go on from the noise values of one level."""
        steps: dict[int, list[int]] = {}
        for place in places:
            for distance in self.distances:
                there = (place + distance) % len(self.levels)
                if self.levels[there] is None:
                    steps.setdefault(there, []).append(distance)
        yield from self._decide(level, list(steps.items()), [], hopeless)

    def _decide(
        self,
        level: int,
        open_steps: list[tuple[int, list[int]]],
        places: list[int],
        hopeless: Callable[[_Walk], bool],
    ) -> Iterator[_Walk]:
        if hopeless(self):
            return
        if not open_steps:
            if places:
                yield from self.outward(level + 1, places, hopeless)
            else:
                yield self
            return
        (there, through), rest = open_steps[0], open_steps[1:]
        zero = there in self._zeros
        if not zero:
            self.levels[there] = level + 1
            self.masses[level + 1] += 1
            yield from self._decide(level, rest, [*places, there], hopeless)
            self.levels[there] = None
            self.masses[level + 1] -= 1
        for distance in through:
            self.leaks[distance][level] += 1
        if self._zeros_for_good:
            self._zeros.add(there)
        yield from self._decide(level, rest, places, hopeless)
        for distance in through:
            self.leaks[distance][level] -= 1
        if not zero:
            self._zeros.discard(there)


def set_required_delta(
    powers: Powers[Amount], modulus: int, distances: Sequence[int], accuracy: Fraction
) -> Amount:
    """Return the least delta at which ``f(0) >= accuracy``."""
    best = larger(powers.number(accuracy), powers.number(0))  # only 0 leaks
    one, target = powers.number(1), powers.number(accuracy)

    def hopeless(walk: _Walk) -> bool:
        leak = reduce(larger, map(powers.total, walk.leaks.values()))
        return bool(powers.total(walk.masses) * target > one or leak * target >= best)

    walk = _Walk(modulus, distances, zeros_for_good=False)
    for end in walk.outward(0, [0], hopeless):
        deltas = [required_delta(powers, stairs, accuracy) for stairs in end.staircases()]
        finite = [value for value in deltas if value is not None]
        if len(finite) == len(deltas):
            best = smaller(best, reduce(larger, finite))
    return best


def best_noise(
    powers: Powers[Amount],
    modulus: int,
    distances: Sequence[int],
    delta: Fraction,
    *,
    zeros_for_good: bool = False,
) -> tuple[Amount, Levels, tuple[int, ...]]:
    """Return the least error rate, the levels of a best noise, and their leaks at its worst distance."""
    # Without any leak, and with a leak of 0 alone.
    pure, alone = cayley_levels(modulus, distances), powers.number(1 - delta)
    rate = pure_error_rate(powers, pure)
    best_levels: tuple[Levels, tuple[int, ...]] = (pure, ())
    if alone < rate:
        best_levels = ((0, *[None] * (modulus - 1)), (1,))
    best = smaller(rate, alone)

    def least(walk: _Walk) -> Amount:
        return reduce(larger, (staircase_error_rate(powers, one, delta) for one in walk.staircases()))

    def hopeless(walk: _Walk) -> bool:
        return bool(least(walk) >= best)

    walk = _Walk(modulus, distances, zeros_for_good=zeros_for_good)
    for end in walk.outward(0, [0], hopeless):
        value = least(end)
        if value < best:
            best_levels = (tuple(end.levels), _worst(powers, end))
        best = smaller(best, value)
    return best, *best_levels


def _worst(powers: Powers[Amount], walk: _Walk) -> tuple[int, ...]:
    """Return the leaks of the distance that leaks most."""
    worst = walk.leaks[walk.distances[0]]
    for leaks in walk.leaks.values():
        if powers.total(leaks) > powers.total(worst):
            worst = leaks
    return tuple(worst)


def _masses(powers: Doubles, letters: Letters, *, zeros_for_good: bool = False) -> list[float]:
    size, steps, delta = letters.modulus, letters.distances, letters.delta
    best = best_noise(powers, size, steps, delta, zeros_for_good=zeros_for_good)
    return noise_masses(powers, *best[1:], delta)


_few_answers = condition(
    lambda of: of.modulus <= _MOST_ANSWERS, f"the search takes up to {_MOST_ANSWERS} answers."
)

THEOREMS = (
    proved_optimum(
        name="kadam-leaking-steps",
        source="kadam_sets, for Kadam et al. 2024, Definition 2",
        says="The best choice of steps that may leak gives the least error rate.",
        conditions=(ask.error_rate, _few_answers, ask.definition),
        form=closed_form(lambda powers, of: best_noise(powers, of.modulus, of.distances, of.delta)[0]),
        matrix=noise_matrix(_masses),
    ),
    proved_optimum(
        name="kadam-leaking-steps-least-delta",
        source="kadam_sets, for Kadam et al. 2024 (15)",
        says="The best choice of steps that may leak gives the least delta at a wanted error rate.",
        conditions=(ask.least_delta, _few_answers, ask.definition),
        form=closed_form(
            lambda powers, of: set_required_delta(powers, of.modulus, of.distances, of.accuracy)
        ),
    ),
    Theorem(
        name="kadam-zero-masses",
        source="kadam_sets, for Kadam et al. 2024, Definition 2 with all distances up to a largest one",
        says="The best noise is a staircase with some masses set to zero.",
        relation=Relation.EQUAL,
        truth=Truth.NUMERICAL,
        conditions=(ask.error_rate, _few_answers, ask.definition, ask.bounded),
        form=closed_form(
            lambda powers, of: best_noise(powers, of.modulus, of.distances, of.delta, zeros_for_good=True)[0]
        ),
        matrix=noise_matrix(lambda powers, of: _masses(powers, of, zeros_for_good=True)),
    ),
)
"""Theorems for any small set of distances, by search."""
