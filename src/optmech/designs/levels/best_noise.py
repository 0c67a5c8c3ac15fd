"""The best noise on levels, and the tree that proves its bound."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from optmech.designs.levels.circle import Circle
from optmech.designs.levels.cuts import counting_cuts
from optmech.designs.levels.neighbourhood import Neighbourhood
from optmech.designs.levels.program import LevelProgram
from optmech.designs.levels.proof import proof_of
from optmech.designs.levels.search import LevelSearch
from optmech.proofs.multipliers import Leaf

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from optmech.proofs.levels.tree import LevelProof
    from optmech.rules.noise_question import NoiseQuestion

# Values at most so many steps away are moved in search of noise, and balls of values up to the other.
_FAR, _FARTHER = 12, 40
# So many values, at most, are moved; each move is looked at as a whole.
_MANY = 250
# Levels up to which values get their first level, and one more, at once.
_FIRST_LEVELS = 5
# Doubles know the cap, and what it leaves for whole points, so closely.
_ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True)
class BestNoise:
    """Noise, and what is proved of all others.

    `levels` are those of the best noise by value, ``None`` where another one is better: to tell the truth
    with probability delta, or as rarely as is allowed, but as often as any other value, and these alike.
    `smaller` returns a proof of at most so many cases, whose bound is weaker.
    """

    circle: Circle
    levels: dict[int, int] | None
    proof: LevelProof | Leaf
    smaller: Callable[[int], LevelProof] | None = None
    num_cases: int = 1
    num_programs: int = 0
    is_stopped: bool = False


def best_noise(question: NoiseQuestion, upper: Fraction) -> BestNoise:
    """Return the best noise of a question on levels; `upper` is no less than e^epsilon, nearly it."""
    circle = Circle.of(question, 1 / float(upper))
    reached = [level for level in circle.steps if level is not None]
    radii = [radius for radius in range(2, _FAR + 1) if sum(level <= radius for level in reached) <= _MANY]
    near = Neighbourhood(circle, min(max([1, *radii]), max(reached)))
    levels = _first_noise(circle, near)
    if circle.delta is not None:
        alternative = min(1 / circle.delta, float(circle.size))
    else:
        alternative = 1 / (circle.inverse or 1.0)
    worth = min(circle.worth_of(levels), alternative)
    if worth == 0:  # no delta is less
        return BestNoise(circle=circle, levels=levels, proof=Leaf())
    program = _program(circle, worth, max(reached))
    search = LevelSearch(program, near, levels, alternative)
    root = search.run()
    tree = None if root is None else partial(proof_of, program, root, question, upper, search.goal)
    return BestNoise(
        circle=circle,
        levels=search.best_levels if circle.worth_of(search.best_levels) < alternative else None,
        proof=Leaf() if tree is None else tree(),
        smaller=None if tree is None else lambda most: tree(most_leaves=most),
        num_cases=search.num_cases,
        num_programs=search.num_programs,
        is_stopped=search.least_open < search.goal,
    )


def _first_noise(circle: Circle, near: Neighbourhood) -> dict[int, int]:
    """Return the best noise near a ball, or a larger ball, or pure noise."""
    steps = {value: level for value, level in enumerate(circle.steps) if level is not None}
    larger = [
        {value: level for value, level in steps.items() if level <= radius}
        for radius in range(near.last + 1, min(_FARTHER, max(steps.values())))
    ]
    return min((near.best_of_balls(), *larger, steps), key=circle.worth_of)


def _program(circle: Circle, cap: float, last: int) -> LevelProgram:
    """Return the program with the first levels of values that are a few steps away."""
    if circle.delta is not None:
        leaks, inverse = circle.delta * cap, cap
    else:
        assert circle.inverse is not None  # noqa: S101 - one of the two is given
        leaks, inverse = cap * circle.inverse, circle.inverse
    leaks, mass = (
        leaks * (1 + _ROUNDING),
        inverse * (1 + _ROUNDING) - 1 - len(circle.distances) * circle.ratio,
    )
    last = min(last, _FIRST_LEVELS)
    program = LevelProgram(
        circle=circle,
        cap=cap,
        leak_cuts=counting_cuts(circle.ratio, 1, leaks, last),
        mass_cuts=counting_cuts(circle.ratio, 2, mass, last),
    )
    for value, level in enumerate(circle.steps):
        if level is not None and level <= _FIRST_LEVELS:
            program.raise_to(value, max(level, min(level + 1, _FIRST_LEVELS)))
    return program
