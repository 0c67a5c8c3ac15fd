"""An answer on a circle."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.errors import ProblemError
from optmech.base.numbers import brief
from optmech.base.wording import join_words
from optmech.question.kinds.kind import Kind, evenly_spaced, need_whole
from optmech.question.neighbours import ordered_pairs

if TYPE_CHECKING:
    from optmech.base.arrays import Integers
    from optmech.question.answers import Answers

__all__ = ["Residues", "are_neighbours"]


@dataclass(frozen=True, slots=True)
class Residues(Kind):
    """A number modulo `modulus`, which one person moves by one of `distances`."""

    word = "residues"
    modulus: int
    distances: tuple[int, ...]

    def __post_init__(self) -> None:
        """Hold the parameters to their rules."""
        need_whole(self.word, 2, modulus=self.modulus)
        if not isinstance(self.distances, tuple) or not self.distances:
            message = (
                f"`distances` of kind residues must be a list of distances; got {brief(self.distances)}."
            )
            raise ProblemError(message)
        for step in self.distances:
            need_whole(self.word, 1, distances=step)
        if self.distances[-1] >= self.modulus or any(low >= high for low, high in pairwise(self.distances)):
            message = (
                f"`distances` of kind residues must increase below the modulus {self.modulus}; "
                f"got {brief(list(self.distances))}."
            )
            raise ProblemError(message)

    def pairs(self) -> Integers:
        """Return each truth beside what one person makes of it: truth minus neighbour is a distance."""
        truths = np.arange(self.modulus)
        others = [(truths - step) % self.modulus for step in self.distances]
        return np.column_stack([np.tile(truths, len(others)), np.concatenate(others)])

    def title(self, query: Answers) -> str:
        """Return ``residues modulo 5, distances 1``, and whether one direction alone is protected."""
        sides = "" if query.symmetric else ", one-sided"
        return f"residues modulo {self.modulus}, distances {','.join(map(str, self.distances))}{sides}"

    def question(self, query: Answers) -> str:  # noqa: ARG002 - the parameters say all
        """Return which circle."""
        last = self.modulus - 1
        return f"Which answer on a circle: a number modulo {self.modulus}, where {last} is next to 0?"

    def neighbours(self, query: Answers) -> str:
        """Return at which distances, and on which side."""
        steps = join_words(map(str, self.distances), "or")
        ways = "" if query.symmetric else "; of two the first only is protected against the second"
        return f"True answers {steps} apart, modulo {self.modulus}, are neighbours{ways}."

    def protection(self, query: Answers) -> str:
        """Return by how much one person moves the answer."""
        ways = "in either direction" if query.symmetric else "in one direction only"
        steps = join_words(map(str, self.distances), "or")
        return f"One person who moves the answer by {steps} modulo {self.modulus}, {ways}."

    def choices(self, query: Answers) -> dict[str, Any]:
        """Return the parameters, and whether one direction alone is protected."""
        sides = {} if query.symmetric else {"symmetric": False}
        return {"query": self.word, **self.parameters, **sides}

    def contradiction(self, query: Answers) -> str | None:
        """Return where truths are not this circle, or neighbours not at these distances."""
        if not evenly_spaced(query, 0, 1, self.modulus):
            return f"its true answers are not 0, …, {self.modulus - 1}"
        few = self.modulus * len(self.distances) <= len(query.pairs)
        if not few or not are_neighbours(self.pairs(), query):
            return f"its neighbours are not those at distances {join_words(map(str, self.distances), 'or')}"
        return None


def are_neighbours(pairs: Integers, query: Answers) -> bool:
    """Whether the neighbours of a query are these pairs, both ways where it protects both ways."""
    listing, _ = ordered_pairs(pairs, query.num_truths, symmetric=query.symmetric)
    return not query.is_weighted and np.array_equal(listing, query.pairs)
