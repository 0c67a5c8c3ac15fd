"""Answers on a circle, and vectors with each coordinate on a circle."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.errors import broken_rule
from optmech.base.numbers import brief
from optmech.base.wording import join_words
from optmech.question.keys import WHOLE, Key, list_of, needed, word_of
from optmech.question.kinds.kind import Kind, evenly_spaced, need_whole
from optmech.question.neighbours import ordered_pairs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from optmech.base.arrays import Integers
    from optmech.question.answers import Answers


_WHOLES = list_of(WHOLE, "a list of whole numbers")
DIRECTIONS = Key(
    name="directions",
    form=word_of(("both", "one")),
    about="whether both of two neighbours are protected, or the first of them only",
    default="both",
)
"""A key of neighbours that may be protected one way only."""


@dataclass(frozen=True, slots=True)
class Residues(Kind):
    """A number modulo `modulus`, which one person moves by one of `distances`."""

    word = "residues"
    keys = (
        needed("modulus", WHOLE, "how many answers there are"),
        needed("distances", _WHOLES, "by how much one person may move the answer"),
        DIRECTIONS,
    )
    modulus: int
    distances: tuple[int, ...]

    def __post_init__(self) -> None:
        need_whole(self.word, 2, modulus=self.modulus)
        if not isinstance(self.distances, tuple) or not self.distances:
            distances = brief(self.distances)
            raise broken_rule("distances", "name at least one distance", distances, "A count has distance 1.")
        for step in self.distances:
            if not step or not _is_below(step, self.modulus):
                rule = f"lie between 1 and {self.modulus - 1}, below the modulus"
                raise broken_rule("distances", rule, brief(step))
        _need_increase(self.distances)

    def pairs(self) -> Integers:
        """Return each truth with its neighbours: truth minus neighbour is a distance."""
        truths = np.arange(self.modulus)
        others = [(truths - step) % self.modulus for step in self.distances]
        return np.column_stack([np.tile(truths, len(others)), np.concatenate(others)])

    def title(self, query: Answers) -> str:
        """Return ``residues modulo 5, distances 1``, and whether one direction alone is protected."""
        sides = "" if query.symmetric else ", one-sided"
        return f"residues modulo {self.modulus}, distances {','.join(map(str, self.distances))}{sides}"

    def question(self, query: Answers) -> str:  # noqa: ARG002 - the parameters say all
        """Return the question, with the size of the circle."""
        last = self.modulus - 1
        return f"Which answer on a circle: a number modulo {self.modulus}, where {last} is next to 0?"

    def neighbours(self, query: Answers) -> str:
        """Return a sentence on the distances and the protected direction."""
        steps = join_words(map(str, self.distances), "or")
        ways = "" if query.symmetric else "; of two the first only is protected against the second"
        return f"True answers {steps} apart, modulo {self.modulus}, are neighbours{ways}."

    def protection(self, query: Answers) -> str:
        """Return a sentence on the distances by which one person moves the answer."""
        ways = "in either direction" if query.symmetric else "in one direction only"
        steps = join_words(map(str, self.distances), "or")
        return f"One person who moves the answer by {steps} modulo {self.modulus}, {ways}."

    def contradiction(self, query: Answers) -> str | None:
        """Return how truths differ from this circle, or neighbours from these distances."""
        if not evenly_spaced(query, 0, 1, self.modulus):
            return f"its true answers are not 0, …, {self.modulus - 1}"
        few = self.modulus * len(self.distances) <= len(query.pairs)
        if not few or not are_neighbours(self.pairs(), query):
            return f"its neighbours are not those at distances {join_words(map(str, self.distances), 'or')}"
        return None


def _is_below(number: object, modulus: int) -> bool:
    return type(number) is int and 0 <= number < modulus


def _need_increase(distances: Sequence[Any]) -> None:
    if sorted(set(distances)) != list(distances):
        raise broken_rule("distances", "increase", brief(list(distances)))


def are_neighbours(pairs: Integers, query: Answers) -> bool:
    """Whether the neighbours of a query are these pairs, both ways where it protects both ways."""
    listing, _ = ordered_pairs(pairs, query.num_truths, symmetric=query.symmetric)
    return not query.is_weighted and np.array_equal(listing, query.pairs)


# More distances than these are counted, not listed.
_FEW = 4


@dataclass(frozen=True, slots=True)
class Vector(Kind):
    """A vector modulo `moduli`, which one person moves by one of `distances`, vectors as well."""

    word = "vector"
    keys = (
        needed("moduli", _WHOLES, "how many values each coordinate has"),
        needed("distances", list_of(_WHOLES, "a list of vectors"), "by what one person may move the answer"),
        DIRECTIONS,
    )
    moduli: tuple[int, ...]
    distances: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        sizes = self.moduli if isinstance(self.moduli, tuple) else ()
        if not sizes or not all(type(size) is int and size > 1 for size in sizes):
            raise broken_rule("moduli", "be one or more whole numbers of at least 2", brief(self.moduli))
        if not isinstance(self.distances, tuple) or not self.distances:
            raise broken_rule("distances", "name at least one distance", "none but zero")
        for step in self.distances:
            is_vector = isinstance(step, tuple) and len(step) == len(sizes) and any(step)
            if not is_vector or not all(map(_is_below, step, sizes)):
                rule = f"be vectors below the moduli {sizes}, not all zero"
                raise broken_rule("distances", rule, brief(step), "Write -1 as the modulus less 1.")
        _need_increase(self.distances)

    def pairs(self) -> Integers:
        """Return each truth with its neighbours: truth minus neighbour is a distance."""
        truths, number, sizes = all_vectors(self.moduli), prod(self.moduli), np.array(self.moduli)
        others = [
            np.ravel_multi_index(tuple(((truths - np.array(step)) % sizes).T), self.moduli)
            for step in self.distances
        ]
        return np.column_stack([np.tile(np.arange(number), len(others)), np.concatenate(others)])

    def title(self, query: Answers) -> str:
        """Return ``vectors modulo 5, 5, distances (0,1), (1,0)``, or how many distances there are."""
        steps = f"{len(self.distances)} distances"
        if len(self.distances) <= _FEW:
            steps = f"distances {', '.join(map(vector_label, self.distances))}"
        sides = "" if query.symmetric else ", one-sided"
        return f"vectors modulo {', '.join(map(str, self.moduli))}, {steps}{sides}"

    def question(self, query: Answers) -> str:  # noqa: ARG002 - the parameters say all
        """Return the question, with the moduli."""
        sizes = join_words(map(str, self.moduli))
        return f"Which vector of {len(self.moduli)} numbers, counted modulo {sizes}?"

    def neighbours(self, query: Answers) -> str:
        """Return a sentence on the moves and the protected direction."""
        ways = "" if query.symmetric else "; of two the first only is protected against the second"
        return f"True answers one such move apart are neighbours: {self._moves()}{ways}."

    def _moves(self) -> str:
        labels = [vector_label(step) for step in self.distances]
        return join_words(labels, "or") if len(labels) <= _FEW else f"any of {len(labels)} distances"

    def protection(self, query: Answers) -> str:
        """Return a sentence on the distances by which one person moves the vector."""
        by = self._moves()
        ways = "in either direction" if query.symmetric else "in one direction only"
        return f"One person who moves the vector by {by}, each number modulo its own modulus, {ways}."

    def contradiction(self, query: Answers) -> str | None:
        """Return how truths differ from these vectors, or neighbours from these distances."""
        number = prod(self.moduli)
        labels = map(vector_label, all_vectors(self.moduli).tolist()) if number == query.num_truths else ()
        if query.truths != tuple(range(number)) or not query.labels or query.labels != tuple(labels):
            return f"its true answers are not all vectors modulo {join_words(map(str, self.moduli))}"
        few = number * len(self.distances) <= len(query.pairs)
        if not few or not are_neighbours(self.pairs(), query):
            return "its neighbours are not those at its distances"
        return None


def all_vectors(moduli: Sequence[int]) -> Integers:
    """Return all vectors in lexicographic order, the last coordinate running fastest.

    >>> all_vectors((2, 2)).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    return np.column_stack(np.unravel_index(np.arange(prod(moduli)), tuple(moduli)))


def vector_label(step: Iterable[int]) -> str:
    """Return a vector as a label.

    >>> vector_label([0, 1])
    '(0,1)'
    """
    return f"({','.join(map(str, step))})"
