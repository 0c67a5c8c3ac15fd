"""A query: its possible answers, its responses, and its pairs of neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.arguments import flag, items, numbers
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import Number, brief, exact
from optmech.base.rendering import Renderable
from optmech.question.answers import (
    Answers,
    Category,
    PairsOfGivenTable,
    Scope,
    are_points,
    categories_of,
    holder,
    scope_of,
)
from optmech.question.from_tables import FromTables
from optmech.question.grid import LARGEST_MATRIX, Grid
from optmech.question.kinds import KINDS
from optmech.question.kinds.circles import Vector
from optmech.question.kinds.kind import Kind, evenly_spaced, need_meaning, reach_of
from optmech.question.kinds.listed_answers import Custom
from optmech.question.neighbours import both_ways, ordered_pairs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optmech.base.arrays import Integers


__all__ = ["Category", "Query"]


def checked_labels(labels: Iterable[str], number: int, *, are_truths: bool) -> tuple[str, ...]:
    """Return the labels of so many truths, or none; refuse others, and any where responses are others."""
    texts = tuple(map(str, items(labels, "labels", "a list of texts")))
    sound = len(set(texts)) == number == len(texts) and are_truths
    if texts and not (sound and all(text.isprintable() and text for text in texts)):
        message = (
            f"`labels` must be different lines of text, one for each of {number} truths that are "
            f"also the responses; got {brief(texts)}."
        )
        raise ProblemError(message)
    return texts


@dataclass(frozen=True, slots=True, eq=False, init=False, repr=False)
class Query(Renderable, FromTables, Answers):
    """A question with finitely many answers.

    Parameters
    ----------
    truths : sequence of numbers
        The possible true answers, increasing.
    responses : sequence of numbers or of (lower, upper) pairs, optional
        Answers that may be released, increasing: points, or categories that do not overlap. A category holds
        its lower end and not its upper one, except that the last one is closed. Loss is measured to
        midpoints. Left out, the responses are the truths.
    neighbours : iterable of (int, int) or (int, int, int), int or "all"
        Positions in `truths` of answers that one person can turn into each other. A whole number
        stands for all pairs within that many steps. A third number is a weight: the multiple of epsilon
        between the two, as on the edges of a weighted graph. If a pair has several weights, the least counts.
    symmetric : bool, default True
        Whether each pair is to be protected both ways. ``False`` protects the first of a pair against the
        second only, which is *not* differential privacy for both; it exists to reproduce printed results.
    name : str, optional
        The name that its author gives this query. It is shown in quotation marks and has no effect.
    labels : sequence of str, optional
        The text of each truth where it is no number, such as a category or a vector: one line of text for
        each truth. The responses must then be the truths, and demands on their order are refused.
    kind : Kind, optional
        The kind of question, such as ``Count(0, 5)``; refused where answers or neighbours contradict
        it. Without it the query is a custom one. `count`, `mean` and similar functions set it.
    scope : Scope, optional
        ``"given table"`` if answers and neighbours were read from one table: `from_data` says so, and
        neighbours that were taken from such a query do.

    Attributes
    ----------
    pairs : ndarray of int, shape (num_pairs, 2)
        Ordered pairs ``(f, g)``: the column of `f` may exceed that of `g` by the factor ``e^epsilon``.
        A symmetric query lists both directions. Sorted, without repetition.
    weights : ndarray of int, shape (num_pairs,)
        Multiples of epsilon between the two truths of each pair, one if nothing else was said.
    symmetric : bool
        Whether every pair *is* listed both ways, with the same weight.
    home : ndarray of int, shape (num_truths,)
        Position of the response that holds each truth, -1 where none does.
    moduli : tuple of int
        For a vector query the number of values of each coordinate, else empty.

    Raises
    ------
    ProblemError
        If an argument breaks one of these rules.

    Examples
    --------
    Five answers reported in two coarse categories:

    >>> query = Query([0, 1, 2, 3, 4], [(0, 2), (2, 4)], 1)
    >>> query.home.tolist(), query.response_values.tolist(), len(query.pairs)
    ([0, 0, 1, 1, 1], [1.0, 3.0], 8)
    """

    meaning: Kind
    _path: Grid | None

    def __init__(
        self,
        truths: Iterable[Number],
        responses: Iterable[Number | tuple[Number, Number]] | None = None,
        neighbours: Iterable[tuple[int, ...]] | int | str = 1,
        *,
        symmetric: bool = True,
        name: str | None = None,
        labels: Iterable[str] = (),
        kind: Kind | None = None,
        scope: Scope | str = Scope.EVERY_TABLE,
    ) -> None:
        answers = tuple(exact(truth, "truths") for truth in items(truths, "truths", "a list of numbers"))
        if not answers or any(low >= high for low, high in pairwise(answers)):
            raise broken_rule("truths", "be one or more increasing numbers", brief(list(map(str, answers))))
        flag(symmetric, "symmetric")
        neighbours = list(neighbours) if isinstance(neighbours, Iterator) else neighbours
        pairs, weights = ordered_pairs(neighbours, len(answers), symmetric=symmetric)
        points = () if responses is None else tuple(items(responses, "responses", "a list of numbers"))
        categories = categories_of(answers if responses is None else points)
        points_alone = are_points(categories, answers)
        homes = range(len(answers)) if points_alone else (holder(categories, truth) for truth in answers)
        home = np.fromiter(homes, dtype=np.int64, count=len(answers))
        home.flags.writeable = False
        texts = checked_labels(labels, len(answers), are_truths=responses is None)
        meaning = Custom() if kind is None else kind
        if type(meaning) not in KINDS.values():
            message = (
                f"`kind` must be one of those in optmech.question.kinds; got {brief(meaning)}. No other "
                "kind is checked: leave it out for a custom query."
            )
            raise ProblemError(message)
        if name is None:
            name = "query" if isinstance(meaning, Custom) else ""
        scope = scope_of(neighbours, scope)
        of_one_table = scope is Scope.GIVEN_TABLE
        for field, value in (
            ("truths", answers),
            ("responses", categories),
            ("pairs", pairs.view(PairsOfGivenTable) if of_one_table else pairs),
            ("home", home),
            ("symmetric", both_ways(np.column_stack([pairs, weights]))),
            ("given_name", name),
            ("weights", weights),
            ("labels", texts),
            ("meaning", meaning),
            ("scope", scope),
        ):
            object.__setattr__(self, field, value)
        object.__setattr__(self, "_path", self._grid())
        need_meaning(meaning, self)

    @property
    def kind(self) -> str:
        """Kind of the question: its word in a certificate, such as ``"count"``."""
        return self.meaning.word

    @property
    def parameters(self) -> dict[str, Any]:
        """The numbers of its kind, such as the ends of a range."""
        return self.meaning.parameters

    @property
    def title(self) -> str:
        """Its name in outputs: the kind with its parameters, or ``custom query`` with its name quoted.

        Examples
        --------
        >>> print(Query(range(8), neighbours=[(6, 7)], name="count 0..7").title)
        custom query "count 0..7"
        """
        return self.meaning.title(self)

    @property
    def name(self) -> str:
        """The name that its author gave; the title for a kind without names."""
        return self.given_name if isinstance(self.meaning, Custom) else self.title

    @property
    def directions(self) -> str:
        """``"both"`` if each of two neighbours is protected against the other, else ``"one"``."""
        return "both" if self.symmetric else "one"

    @property
    def moduli(self) -> tuple[int, ...]:
        """Number of values of each coordinate of a vector query, else empty."""
        return self.meaning.moduli if isinstance(self.meaning, Vector) else ()

    def variant(
        self,
        *,
        responses: Iterable[Number | tuple[Number, Number]] | None = None,
        both_ways: bool = False,
    ) -> Query:
        """Return the same question with other responses, or with neighbours protected both ways.

        Kind, scope, name and labels stay.

        Parameters
        ----------
        responses : sequence of numbers or of (lower, upper) pairs, optional
            As in the class; left out they stay.
        both_ways : bool
            Whether to list every pair in both directions.

        Examples
        --------
        >>> from optmech.question.queries import count, residues
        >>> print(count(2).variant(responses=range(-1, 4)).title)
        count 0..2
        >>> residues(5, [1], symmetric=False).variant(both_ways=True).symmetric
        True
        """
        same = [(part.lower, part.upper) for part in self.responses]
        return Query(
            self.truths,
            None if self.labels and responses is None else same if responses is None else responses,
            np.column_stack([self.pairs, self.weights]),
            symmetric=both_ways,
            name=self.given_name,
            labels=self.labels,
            kind=self.meaning,
            scope=self.scope,
        )

    @property
    def is_large(self) -> bool:
        """Whether a matrix for it would have more than 4,000,000 entries."""
        return self.num_truths * self.num_responses > LARGEST_MATRIX

    @property
    def no_matrix(self) -> str | None:
        """The end of a sentence on why its matrix is too large; ``None`` where it is not."""
        return f"its matrix would have more than {LARGEST_MATRIX:,} entries" if self.is_large else None

    def path(self) -> Grid | None:
        """Return the truths where they are evenly spaced, each the neighbour of the next, and the responses.

        ``None`` elsewhere. The facts about a path need no list of its pairs.

        Examples
        --------
        >>> Query(range(2, 6)).path().first, Query(range(4), neighbours=2).path()
        (Fraction(2, 1), None)
        """
        return self._path

    @property
    def is_run(self) -> bool:
        """Whether truths are consecutive integers, as in `path`, and are their own responses.

        Examples
        --------
        >>> Query(range(2, 6)).is_run, Query(range(0, 6, 2)).is_run
        (True, False)
        """
        path = self.path()
        return path is not None and path.step == 1 and path.first.denominator == 1

    @property
    def if_too_large(self) -> str:
        """The remedy for a matrix that is too large, as a sentence."""
        if self.path() is None or self.is_run:
            return "Ask for a coarser range."
        return (
            "Ask in whole steps, such as for the total of the records in place of their mean, and divide "
            "what is released."
        )

    def _grid(self) -> Grid | None:
        one_apart = self.symmetric and not self.is_weighted and reach_of(self) == 1
        if not one_apart or not are_points(self.responses, self.truths):
            return None
        grid = Grid(self.truths[0], self.truths[1] - self.truths[0], self.num_truths)
        return grid if evenly_spaced(self, grid.first, grid.step, grid.number) else None

    def distances(self, noise: Integers) -> tuple[Integers, Integers] | None:
        """Return the distances of neighbours, ``None`` where they are not the same from every truth.

        Parameters
        ----------
        noise : ndarray of int, shape (num_truths, num_truths)
            The noise that turns a truth, as column, into another: the table of `ModularNoise.noise`.

        Returns
        -------
        distances, weights : ndarray of int, shape (num_distances,)
            The noise between a truth and its neighbour, and the multiple of epsilon there.

        Examples
        --------
        >>> turn = np.array([[0, 2, 1], [1, 0, 2], [2, 1, 0]])
        >>> Query(range(3), neighbours=[(0, 1), (1, 2), (2, 0)]).distances(turn)[0].tolist()
        [1, 2]
        >>> Query(range(3), neighbours=1).distances(turn) is None
        True
        """
        size = self.num_truths
        noise = numbers(noise, "noise").astype(np.int64)
        if np.shape(noise) != (size, size):
            raise broken_rule("noise", f"have shape {(size, size)}", brief(np.shape(noise)))
        if size != self.num_responses or (self.home != np.arange(size)).any():
            return None
        between = np.asarray(noise)[self.pairs[:, 0], self.pairs[:, 1]]
        # Pairs are listed once each, at most one from each truth at each distance.
        rows, members = np.unique(np.column_stack([between, self.weights]), axis=0, return_counts=True)
        return (rows[:, 0], rows[:, 1]) if (members == size).all() else None

    def __eq__(self, other: object) -> bool:
        """Whether both say the same: kind, name, answers, responses, neighbours and scope."""
        if not isinstance(other, Query):
            return NotImplemented
        if self is other:
            return True
        if self._said() != other._said():
            return False
        if self.path() is not None or other.path() is not None:  # it holds answers, responses and neighbours
            return self.path() == other.path()
        return (
            (self.symmetric, self.truths, self.responses) == (other.symmetric, other.truths, other.responses)
            and np.array_equal(self.pairs, other.pairs)
            and np.array_equal(self.weights, other.weights)
        )

    def __hash__(self) -> int:
        return hash(self._said())

    def _said(self) -> tuple[object, ...]:
        """Return what is quickly compared."""
        numbers = self.num_truths, self.num_responses
        return self.meaning, self.given_name, self.scope, self.labels, numbers

    def _line(self) -> str:
        return (
            f"{self.title}; {self.num_truths} truths, {self.num_responses} responses, "
            f"{len(self.weights)} ordered pairs of neighbours"
        )
