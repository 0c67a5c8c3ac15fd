"""What is asked of the data: its possible answers, what may be released, and who is whose neighbour."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.arguments import flag, items, whole_number
from optmech.errors import ProblemError
from optmech.looks import Shown
from optmech.problem.neighbours import both_ways, ordered_pairs
from optmech.problem.numbers import Number, brief, exact
from optmech.problem.responses import Category, categories_of, holder
from optmech.visible import has_lone_surrogates, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from fractions import Fraction
    from os import PathLike

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

__all__ = ["Category", "Query"]


@dataclass(frozen=True, slots=True, eq=False, init=False, repr=False)
class Query(Shown):
    """A question with finitely many answers.

    Parameters
    ----------
    truths : sequence of numbers
        The possible true answers, increasing.
    responses : sequence of numbers or of (lower, upper) pairs, optional
        What may be released, increasing: points, or categories that do not overlap. A category holds
        its lower end and not its upper one, except that the last one is closed. Loss is measured to
        midpoints. Left out, the responses are the truths.
    neighbours : iterable of (int, int) or (int, int, int), int or "all"
        Positions in `truths` of answers that one person can turn into each other. A whole number
        stands for all pairs within so many steps. A third number is a weight: so many times epsilon
        between the two, as on the edges of a weighted graph. Of several weights the least counts.
    symmetric : bool, default True
        Whether each pair is to be protected both ways. ``False`` protects the first of a pair against the
        second only, which is *not* differential privacy for both; it exists to reproduce printed results.
    name : str, optional
        How reports call this query: one line, in which control characters are made visible.
    labels : sequence of str, optional
        How each truth is shown where it is no number, such as a category or a vector: one line of text for
        each truth. The responses must then be the truths, and what speaks of their order is refused.
    moduli : sequence of int, optional
        Where the truths are all vectors with so many values in each coordinate, in lexicographic order.

    Attributes
    ----------
    pairs : ndarray of int, shape (num_pairs, 2)
        Ordered pairs ``(f, g)``: the column of `f` may exceed that of `g` by the factor ``e^epsilon``.
        A symmetric query lists both directions. Sorted, without repetition.
    weights : ndarray of int, shape (num_pairs,)
        How many times epsilon lie between the two truths of each pair, one if nothing else was said.
    symmetric : bool
        Whether every pair *is* listed both ways, with the same weight.
    home : ndarray of int, shape (num_truths,)
        Position of the response that holds each truth, -1 where none does.

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

    truths: tuple[Fraction, ...]
    responses: tuple[Category, ...]
    pairs: Integers
    home: Integers
    symmetric: bool
    name: str
    weights: Integers
    labels: tuple[str, ...]
    moduli: tuple[int, ...]

    def __init__(
        self,
        truths: Iterable[Number],
        responses: Iterable[Number | tuple[Number, Number]] | None = None,
        neighbours: Iterable[tuple[int, ...]] | int | str = 1,
        *,
        symmetric: bool = True,
        name: str = "query",
        labels: Iterable[str] = (),
        moduli: Sequence[int] = (),
    ) -> None:
        answers = tuple(exact(truth, "truths") for truth in items(truths, "truths", "a list of numbers"))
        if not answers or any(low >= high for low, high in pairwise(answers)):
            message = (
                f"`truths` must be one or more increasing numbers; got {brief(list(map(str, answers)))}."
            )
            raise ProblemError(message)
        if not isinstance(name, str) or has_lone_surrogates(name):
            message = f"`name` must be text that a file can hold; got {brief(name)}."
            raise ProblemError(message)
        flag(symmetric, "symmetric")
        pairs, weights = ordered_pairs(neighbours, len(answers), symmetric=symmetric)
        points = () if responses is None else tuple(items(responses, "responses", "a list of numbers"))
        categories = categories_of(answers if responses is None else points)
        held = range(len(answers)) if responses is None else (holder(categories, truth) for truth in answers)
        home = np.fromiter(held, dtype=np.int64, count=len(answers))
        home.flags.writeable = False
        shown = tuple(map(str, items(labels, "labels", "a list of texts")))
        sound = len(set(shown)) == len(answers) == len(shown) and responses is None
        if shown and not (sound and all(text.isprintable() and text for text in shown)):
            message = (
                f"`labels` must be different lines of text, one for each of {len(answers)} truths that are "
                f"also the responses; got {brief(shown)}."
            )
            raise ProblemError(message)
        sizes = tuple(whole_number(size, "moduli") for size in items(moduli, "moduli"))
        if sizes and (prod(sizes) != len(answers) or not shown):
            message = (
                f"`moduli` must make one vector for each of {len(answers)} truths, which have labels; "
                f"got {brief(sizes)}. Use `vector`."
            )
            raise ProblemError(message)
        for field, value in (
            ("truths", answers),
            ("responses", categories),
            ("pairs", pairs),
            ("home", home),
            ("symmetric", both_ways(np.column_stack([pairs, weights]))),
            ("name", visible(name)),
            ("weights", weights),
            ("labels", shown),
            ("moduli", sizes),
        ):
            object.__setattr__(self, field, value)

    @classmethod
    def from_data(
        cls,
        table: Iterable[Any] | str | PathLike[str],
        answer: Callable[[list[Any]], Any],
        *,
        change: str | Callable[[tuple[Any, ...]], Iterable[Iterable[Any]]],
        domain: Iterable[Any] = (),
        column: str | None = None,
        steps: int = 1,
        ordered: bool = True,
    ) -> Query:
        """Ask a question of one given table: its answers are those within some changes of the data.

        **This is not differential privacy.** The answers and their neighbours depend on the data, as the sets
        of distances of Kadam et al. 2024 do: tables further away are not protected, and which answers can be
        released tells something of the table. Use `on_domain` for a guarantee that holds for all tables.

        Parameters
        ----------
        table : list of records, data frame or path
            A pandas or Polars data frame, a PyArrow table and a CSV file give one record for each row, a
            dictionary from column to value. Numbers in CSV files are read exactly.
        answer : Callable
            From a list of records to the answer: a number, or anything else that has a text. Whole numbers
            and fractions are compared exactly; two doubles that differ in the last bit are two answers.
        change : {"replace", "remove", "add", "add or remove"} or Callable
            What one person can do to a table: replace one record by any of `domain`, take one away, or add
            one of `domain` at the end. A function returns all tables that a table can be changed into.
        domain : iterable of records
            All records there can be, whether or not they occur: chosen without looking at the data.
        column : str, optional
            Take the values of this column as records.
        steps : int, default 1
            How many changes away from the given table a table may be. Of tables that close, all that are one
            change apart are neighbours.
        ordered : bool, default True
            Whether the answer depends on the order of the records. ``False`` promises that it does not, and
            then tables with the same records count once.

        Raises
        ------
        ProblemError
            If an argument breaks its rule, there are too many tables, or `answer` fails on one of them.
        FileFormatError
            If a CSV file cannot be read.

        Examples
        --------
        >>> query = Query.from_data([3, 1, 3], max, change="replace", domain=[0, 1, 2, 3, 4])
        >>> list(map(int, query.truths)), query.pairs.tolist()
        ([3, 4], [[0, 1], [1, 0]])
        >>> query.name
        'answers within 1 change of the given data: not differential privacy for other data'
        """
        from optmech.problem.query_from_data import near  # noqa: PLC0415 - it makes queries

        return near(table, answer, change=change, domain=domain, column=column, steps=steps, ordered=ordered)

    @classmethod
    def on_domain(
        cls,
        answer: Callable[[list[Any]], Any],
        *,
        domain: Iterable[Any],
        sizes: int | tuple[int, int],
        change: str | Callable[[tuple[Any, ...]], Iterable[Iterable[Any]]] = "replace",
        ordered: bool = True,
    ) -> Query:
        """Ask a question of all tables of a small domain: exactly the answers and neighbours there are.

        Every table is asked, so the guarantee holds for every table with records of `domain` and a number of
        records in `sizes`.

        Parameters
        ----------
        answer, change, ordered
            As in `from_data`.
        domain : iterable of records
            All records there can be.
        sizes : int or (int, int)
            How many records a table has, or the least and the largest number. Where records are added or
            removed it must be a range.

        Raises
        ------
        ProblemError
            If an argument breaks its rule, there are too many tables, or `answer` fails on one of them.

        Examples
        --------
        The median of three, which one record can move by any distance only if the others lie far apart:

        >>> query = Query.on_domain(lambda table: sorted(table)[1], domain=range(3), sizes=3)
        >>> list(map(int, query.truths)), len(query.pairs)
        ([0, 1, 2], 6)
        """
        from optmech.problem.query_from_data import everywhere  # noqa: PLC0415 - it makes queries

        return everywhere(answer, domain, sizes, change, ordered=ordered)

    @property
    def num_truths(self) -> int:
        """Number of possible true answers."""
        return len(self.truths)

    @property
    def num_responses(self) -> int:
        """Number of responses that may be released."""
        return len(self.responses)

    @property
    def is_weighted(self) -> bool:
        """Whether some neighbours are further apart than one epsilon."""
        return bool((self.weights != 1).any())

    def distances(self, noise: Integers) -> tuple[Integers, Integers] | None:
        """Return how far neighbours are apart, ``None`` where it does not look the same from every truth.

        Parameters
        ----------
        noise : ndarray of int, shape (num_truths, num_truths)
            Which noise turns a truth, as column, into another: the table of `ModularNoise.noise`.

        Returns
        -------
        distances, weights : ndarray of int, shape (num_distances,)
            The noise between a truth and its neighbour, and how many times epsilon lie there.

        Examples
        --------
        >>> turn = np.array([[0, 2, 1], [1, 0, 2], [2, 1, 0]])
        >>> Query(range(3), neighbours=[(0, 1), (1, 2), (2, 0)]).distances(turn)[0].tolist()
        [1, 2]
        >>> Query(range(3), neighbours=1).distances(turn) is None
        True
        """
        size = self.num_truths
        if size != self.num_responses or (self.home != np.arange(size)).any():
            return None
        between = noise[self.pairs[:, 0], self.pairs[:, 1]]
        # Pairs are listed once each, at most one from each truth at each distance.
        found, members = np.unique(np.column_stack([between, self.weights]), axis=0, return_counts=True)
        return (found[:, 0], found[:, 1]) if (members == size).all() else None

    @property
    def truth_values(self) -> Floats:
        """The truths as floats, shape (num_truths,)."""
        return np.array([float(truth) for truth in self.truths])

    @property
    def response_values(self) -> Floats:
        """The midpoints of the responses as floats, shape (num_responses,)."""
        return np.array([float(category.midpoint) for category in self.responses])
